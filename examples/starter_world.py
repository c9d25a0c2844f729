"""The company world of the starter suite: Norvane, which runs checkouts and card terminals for retailers.

Everything is written down by hand in the typed form of each record. Records name each other by readable keys, which
:func:`ref` turns into opaque ids; ``World.from_models`` then checks that every reference names a record of the right
type, so a mistyped key cannot go unnoticed.

What is told here, besides the records that merely make the company a company:

* two people are called Alex, two are called Daniel Brandt;
* the renewal proposal, the launch plan and the price list exist in several versions, the pricing annex twice;
* Fjordline and Larkspur are corporate families with accounts and deals of their own;
* customers write to Support, and most of what they write about has become a ticket;
* the account record of Larkspur Foods Iberia, and the status of the 2026 price list, lag behind what was mailed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal

from ebf_env.world import World
from ebf_env.world.domains.calendar import CalendarEvent
from ebf_env.world.domains.crm import CustomerAccount, Note, Opportunity
from ebf_env.world.domains.directory import Person
from ebf_env.world.domains.documents import Document, Folder
from ebf_env.world.domains.email import EmailThread, Message
from ebf_env.world.domains.projects import Project
from ebf_env.world.domains.tickets import Ticket

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"


def ref(key: str) -> str:
    """The opaque id of the record with that key: a letter and five more characters that tell nothing about it."""
    number = int.from_bytes(hashlib.sha256(f"starter suite: {key}".encode()).digest(), "big")
    first = _ALPHABET[8 + number % 23]
    characters = [_ALPHABET[number // 23 // 31**place % 31] for place in range(5)]
    return first + "".join(characters)


def refs(*keys: str) -> tuple[str, ...]:
    """The opaque ids of several records."""
    return tuple(ref(key) for key in keys)


def at(moment: str) -> str:
    """``"03-10 09:12"`` as a timestamp of 2026 in Berlin (winter time)."""
    day, time = moment.split()
    return f"2026-{day}T{time}:00+01:00"


# --- people ---


def colleague(key: str, name: str, title: str, team: str, location: str, mailbox: str | None = None) -> Person:
    """Somebody at Norvane."""
    return Person(
        id=ref(key),
        name=name,
        email=f"{mailbox or key}@norvane.example",
        title=title,
        team=team,
        company="Norvane",
        location=location,
    )


def contact(key: str, name: str, title: str, company: str, account: str, location: str) -> Person:
    """Somebody at a customer."""
    domain = company.split(maxsplit=1)[0].lower()
    return Person(
        id=ref(key),
        name=name,
        email=f"{key}@{domain}.example",
        title=title,
        company=company,
        account=ref(account),
        location=location,
    )


PEOPLE = [
    colleague("maren", "Maren Oduya-Lindqvist", "Customer Programme Manager", "Customer Success", "Berlin"),
    colleague("alex_p", "Alex Petrović", "Customer Success Manager", "Customer Success", "Berlin", "alex.petrovic"),
    colleague("alex_v", "Alex Varga", "Backend Engineer", "Checkout Engineering", "Budapest", "alex.varga"),
    colleague("tomas", "Tomás Ferreira", "Frontend Engineer", "Checkout Engineering", "Lisbon"),
    colleague("zofia", "Zofia Wójcik", "Engineering Manager", "Checkout Engineering", "Kraków"),
    colleague("yuki", "Yuki Hasegawa", "Product Manager", "Product", "Berlin"),
    colleague("daniel_f", "Daniel Brandt", "Billing Analyst", "Finance", "Berlin", "daniel.brandt"),
    colleague("daniel_s", "Daniel Brandt", "Account Executive", "Sales", "Hamburg", "d.brandt"),
    colleague("dana", "Dana Whitcombe", "Regional Sales Director", "Sales", "London"),
    colleague("leila", "Leila Haddad", "Contracts Counsel", "Legal", "Berlin"),
    colleague("nadia", "Nadia Kessler", "Support Lead", "Support", "Berlin"),
    colleague("soren", "Søren Holm", "Support Engineer", "Support", "Aarhus"),
    colleague("grace", "Grace Adeyemi", "Campaign Manager", "Marketing", "London"),
    contact("henrik", "Henrik Aas", "Procurement Lead", "Fjordline Nordic", "fjordline_nordic", "Bergen"),
    contact("camille", "Camille Roux", "IT Director", "Fjordline France", "fjordline_france", "Lyon"),
    contact("priya", "Priya Raman", "Operations Director", "Larkspur Foods", "larkspur", "Leeds"),
    contact("marta", "Marta Esposito", "Finance Manager", "Larkspur Foods Iberia", "larkspur_iberia", "Valencia"),
    contact("owen", "Owen Trask", "E-commerce Manager", "Larkspur Foods UK", "larkspur_uk", "Bristol"),
]

# --- projects ---


def project(
    key: str, name: str, codename: str, members: tuple[str, ...], dates: tuple[str, str], account: str | None = None
) -> Project:
    """A piece of work; the first member leads it."""
    return Project(
        id=ref(key),
        name=name,
        codename=codename,
        lead=ref(members[0]),
        members=refs(*members),
        account=ref(account) if account else None,
        start_date=dates[0],
        end_date=dates[1],
    )


PROJECTS = [
    project("kestrel", "Checkout Relaunch", "Kestrel", ("yuki", "zofia", "tomas"), ("2026-01-12", "2026-05-29")),
    project("heron", "Billing Migration", "Heron", ("daniel_f", "soren"), ("2026-02-02", "2026-08-31")),
    project(
        "osprey", "Fjordline Rollout", "Osprey", ("maren", "alex_p", "nadia"), ("2026-02-16", "2026-06-30"), "fjordline"
    ),
    project("wren", "Spring Campaign", "Wren", ("grace", "dana"), ("2026-03-02", "2026-04-30")),
]

# --- customers ---


def account(
    key: str, number: str, name: str, region: str, renewal: str, owner: str, contact_person: str | None = None
) -> CustomerAccount:
    """A customer account; the parent of ``larkspur_uk`` is ``larkspur``."""
    family, _, part = key.partition("_")
    return CustomerAccount(
        id=ref(key),
        name=name,
        account_number=number,
        parent=ref(family) if part else None,
        region=region,
        industry={"fjordline": "Retail", "larkspur": "Food"}[family],
        owner=ref(owner),
        contacts=refs(contact_person) if contact_person else None,
        renewal_date=renewal,
        updated_at="2025-11-18T14:00:00+01:00",
    )


CUSTOMERS = [
    account("fjordline", "AC-2041", "Fjordline Group", "EMEA", "2026-12-31", "dana"),
    account("fjordline_nordic", "AC-2057", "Fjordline Nordic", "Nordics", "2026-06-30", "daniel_s", "henrik"),
    account("fjordline_france", "AC-2063", "Fjordline France", "France", "2026-05-31", "dana", "camille"),
    account("larkspur", "AC-1180", "Larkspur Foods", "EMEA", "2026-04-30", "dana", "priya"),
    account("larkspur_iberia", "AC-1194", "Larkspur Foods Iberia", "Iberia", "2026-04-15", "daniel_s", "marta"),
    account("larkspur_uk", "AC-1201", "Larkspur Foods UK", "UK", "2026-09-30", "dana", "owen"),
    account("larkspur_benelux", "AC-1215", "Larkspur Foods Benelux", "Benelux", "2026-11-15", "dana"),
]


def deal(
    key: str, name: str, customer: str, owner: str, kind: Literal["renewal", "expansion"], amount: float, close: str
) -> Opportunity:
    """An open opportunity."""
    return Opportunity(
        id=ref(key),
        name=name,
        account=ref(customer),
        owner=ref(owner),
        kind=kind,
        stage="negotiation" if kind == "renewal" else "proposal",
        amount=amount,
        currency="EUR",
        close_date=f"2026-{close}",
    )


DEALS = [
    deal("deal_nordic", "Fjordline Nordic renewal 2026", "fjordline_nordic", "daniel_s", "renewal", 96000, "06-12"),
    deal("deal_france", "Fjordline France renewal 2026", "fjordline_france", "dana", "renewal", 88000, "05-15"),
    deal("deal_kiosks", "Fjordline Nordic kiosks", "fjordline_nordic", "daniel_s", "expansion", 41000, "07-31"),
    deal("deal_larkspur", "Larkspur Foods renewal 2026", "larkspur", "dana", "renewal", 134000, "04-24"),
    deal("deal_iberia", "Larkspur Iberia renewal 2026", "larkspur_iberia", "daniel_s", "renewal", 27000, "04-10"),
    deal("deal_uk", "Larkspur UK renewal 2026", "larkspur_uk", "dana", "renewal", 52000, "09-18"),
]

# --- documents ---


def folder(key: str, name: str, owner: str, about: str | None = None) -> Folder:
    """A folder of the document store."""
    return Folder(id=ref(key), name=name, owner=ref(owner), project=ref(about) if about else None)


FOLDERS = [
    folder("kestrel_papers", "Kestrel", "yuki", "kestrel"),
    folder("larkspur_papers", "Larkspur", "dana"),
    folder("fjordline_papers", "Fjordline", "maren", "osprey"),
    folder("engineering", "Engineering", "zofia"),
    folder("pricing", "Pricing", "daniel_f"),
]

Status = Literal["draft", "in_review", "approved", "final", "archived"]


def document(
    key: str,
    title: str,
    owner: str,
    place: str,
    updated: str,
    body: str,
    *,
    status: Status = "final",
    version: str | None = None,
    replaces: str | None = None,
) -> Document:
    """A document in the folder ``place``."""
    return Document(
        id=ref(key),
        title=title,
        owner=ref(owner),
        folder=ref(place),
        version=version,
        previous_version=ref(replaces) if replaces else None,
        status=status,
        updated_at=at(updated),
        project=ref("kestrel") if place == "kestrel_papers" else None,
        account=ref("larkspur") if place == "larkspur_papers" else None,
        body=body,
    )


def versions(
    key: str, title: str, owner: str, place: str, *history: tuple[str, Status, str, str]
) -> Iterator[Document]:
    """The versions of a document, each (version, status, time, body), oldest first; the keys end in the version."""
    before = None
    for version, status, updated, body in history:
        current = f"{key}_{version}"
        yield document(current, title, owner, place, updated, body, status=status, version=version, replaces=before)
        before = current


DOCUMENTS = [
    *versions(
        "proposal",
        "Larkspur renewal proposal",
        "dana",
        "larkspur_papers",
        ("1", "archived", "02-11 15:00", "Two years, prices unchanged."),
        (
            "2",
            "approved",
            "02-27 16:20",
            "Three years, 4 per cent off. Approved on 27 February by Leila Haddad, Legal.",
        ),
        ("3", "draft", "03-09 17:45", "Three years, 6 per cent off."),
    ),
    document(
        "annex_terminals", "Larkspur pricing annex", "dana", "larkspur_papers", "03-05 14:10", "Fee for each terminal."
    ),
    document(
        "annex_payments", "Larkspur pricing annex", "dana", "larkspur_papers", "03-05 14:25", "Fee for each payment."
    ),
    document(
        "delivery", "Larkspur delivery schedule", "dana", "larkspur_papers", "03-04 09:30", "Which shop gets what when."
    ),
    *versions(
        "plan",
        "Kestrel launch plan",
        "yuki",
        "kestrel_papers",
        ("1", "archived", "01-19 11:00", "Everywhere on 4 May."),
        ("2", "archived", "02-10 11:00", "Germany on 4 May, elsewhere two weeks later."),
        ("3", "in_review", "03-03 11:00", "Germany on 11 May, elsewhere two weeks later."),
    ),
    *versions(
        "prices",
        "Partner price list",
        "daniel_f",
        "pricing",
        ("2025", "final", "01-05 10:00", "Terminal: 29 EUR a month."),
        ("2026", "draft", "02-25 10:00", "Terminal: 31 EUR a month."),
    ),
    document("retro_8", "Sprint 8 retro notes", "tomas", "engineering", "01-30 15:30", "Reviews took too long."),
    document("retro_9", "Sprint 9 retro notes", "zofia", "engineering", "02-13 15:30", "Test data is a mess."),
    document("retro_10", "Sprint 10 retro notes", "zofia", "engineering", "02-27 15:30", "Too many hotfixes."),
    document("pentest", "Penetration test summary", "zofia", "engineering", "02-18 12:00", "Two findings, both fixed."),
]

# --- email ---


def mail(moment: str, way: str, body: str, *attachments: str) -> Message:
    """One message; ``way`` is like ``"henrik > maren alex_p"``."""
    sender, recipients = way.split(" > ")
    return Message(
        sender=ref(sender),
        recipients=refs(*recipients.split()),
        sent_at=at(moment),
        body=body,
        attachments=refs(*attachments) or None,
    )


def thread(key: str, subject: str, customer: str | None, *messages: Message) -> EmailThread:
    """A thread; whoever wrote or got a message takes part."""
    people = dict.fromkeys(person for m in messages for person in (m.sender, *(m.recipients or ())) if person)
    return EmailThread(
        id=ref(key),
        subject=subject,
        participants=tuple(people),
        account=ref(customer) if customer else None,
        started_at=messages[0].sent_at,
        updated_at=messages[-1].sent_at,
        messages=messages,
    )


_NEW_PRICES = "Here is the 2026 list. Until the board has signed it, the 2025 list stays in force."
_SIGNED = "The board has signed: as of today the 2026 list is in force. I change the status after the audit."
_HANDOVER = (
    "From Monday on Alex Petrović looks after Larkspur Foods Iberia. Daniel, please pass on what is open. "
    "Sales operations will change the account record when they get round to it."
)
_NEW_PRICES_MAIL = mail("03-02 10:00", "daniel_f > dana grace", _NEW_PRICES, "prices_2026")

THREADS = [
    thread(
        "thread_renewal",
        "Larkspur renewal terms",
        "larkspur",
        mail("03-06 11:20", "priya > dana maren", "Our board meets on the 18th. Could I have the papers by then?"),
        mail("03-09 09:45", "dana > priya maren", "Of course. Maren puts them together this week."),
    ),
    thread(
        "thread_vat",
        "Our invoices",
        "fjordline_france",
        mail("03-10 08:30", "camille > nadia", "Since yesterday every invoice shows the VAT line twice."),
        mail("03-10 09:05", "nadia > camille", "Thank you, there is a ticket for it now."),
    ),
    thread(
        "thread_freeze",
        "Terminals in Bergen",
        "fjordline_nordic",
        mail("03-09 10:15", "henrik > nadia", "The terminals in two shops freeze as soon as a card is inserted."),
        mail("03-09 10:40", "nadia > henrik", "Thank you, there is a ticket for it now."),
    ),
    thread(
        "thread_logo",
        "Receipts in Bergen",
        "fjordline_nordic",
        mail("03-09 15:20", "henrik > nadia", "Our receipts are printed without the logo."),
        mail("03-09 15:45", "nadia > henrik", "Thank you, there is a ticket for it now."),
    ),
    thread(
        "thread_gift",
        "Gift cards",
        "larkspur_uk",
        mail("03-10 13:00", "owen > nadia", "Customers no longer see their gift card balance in the basket."),
    ),
    thread(
        "thread_training_nordic",
        "Training dates",
        "fjordline_nordic",
        mail("03-10 09:12", "henrik > maren alex_p", "For the training we offer 23 or 30 March. Which one is it?"),
        mail("03-10 09:31", "alex_p > henrik maren", "Thanks, Henrik. The trainer is free on both, Maren decides."),
    ),
    thread(
        "thread_training_france",
        "Training dates",
        "fjordline_france",
        mail("03-09 11:05", "camille > maren alex_p", "For the training we offer 23 March or 7 April. Your choice!"),
        mail("03-09 16:48", "alex_p > camille maren", "Thanks, Camille. The trainer is free on both, Maren decides."),
    ),
    thread(
        "thread_credit",
        "January",
        "larkspur_iberia",
        mail("03-05 09:20", "marta > daniel_f maren", "The credit note promised for January has still not come."),
        mail("03-05 14:00", "daniel_f > marta maren", "I am sorry for the delay. You will have it next week."),
    ),
    thread(
        "thread_handover",
        "Larkspur Iberia",
        "larkspur_iberia",
        mail("03-06 17:30", "dana > daniel_s alex_p maren", _HANDOVER),
        mail("03-09 09:10", "daniel_s > dana alex_p maren", "Done, Alex has everything."),
    ),
    thread(
        "thread_prices", "Price list", None, _NEW_PRICES_MAIL, mail("03-10 18:05", "daniel_f > dana grace", _SIGNED)
    ),
]

# --- calendar ---


def event(
    key: str,
    title: str,
    day: str,
    hours: str,
    people: str,
    *,
    series: str | None = None,
    customer: str | None = None,
    about: str | None = None,
) -> CalendarEvent:
    """An event on a day of March, from ``hours`` such as ``"09:30-10:00"``; the first of the people organises it."""
    begin, end = hours.split("-")
    attendees = refs(*people.split())
    return CalendarEvent(
        id=ref(key),
        title=title,
        start=at(f"03-{day} {begin}"),
        end=at(f"03-{day} {end}"),
        organizer=attendees[0],
        attendees=attendees,
        series=series,
        location="Video call",
        project=ref(about) if about else None,
        account=ref(customer) if customer else None,
    )


def weekly(key: str, title: str, days: str, hours: str, people: str, customer: str) -> Iterator[CalendarEvent]:
    """A recurring event; the keys end in the day."""
    for day in days.split():
        yield event(f"{key}_{day}", title, day, hours, people, series=f"{customer}-weekly", customer=customer)


_TEAM = "zofia yuki tomas alex_v"

EVENTS = [
    *weekly("fjordline_sync", "Fjordline sync", "05 12 19", "14:00-14:45", "maren alex_p nadia", "fjordline"),
    *weekly("larkspur_sync", "Larkspur sync", "10 17 24", "11:00-11:30", "maren nadia yuki", "larkspur"),
    event("one_on_one_maren", "1:1", "13", "09:30-10:00", "maren alex_p"),
    event("one_on_one_varga", "1:1", "13", "11:00-11:30", "zofia alex_v"),
    event("one_on_one_petrovic", "1:1", "13", "15:00-15:30", "zofia alex_p"),
    event(
        "kickoff_france",
        "Rollout kickoff",
        "24",
        "14:00-15:30",
        "maren zofia alex_p",
        customer="fjordline_france",
        about="osprey",
    ),
    event(
        "kickoff_nordic",
        "Rollout kickoff",
        "26",
        "10:00-11:30",
        "maren zofia alex_p",
        customer="fjordline_nordic",
        about="osprey",
    ),
    event("planning", "Sprint 11 planning", "02", "09:00-11:00", _TEAM),
    event("review", "Sprint 11 review", "13", "13:00-14:00", _TEAM),
]

# --- tickets ---


def ticket(
    key: str,
    created: str,
    component: str,
    title: str,
    description: str,
    *,
    sprint: int = 11,
    status: Literal["open", "in_progress", "in_review", "resolved"] = "open",
    assignee: str | None = None,
    customer: str | None = None,
    kind: Literal["bug", "feature_request"] = "bug",
    comment: Note | None = None,
) -> Ticket:
    """A ticket; its key is the tracker's own number."""
    return Ticket(
        id=ref(key),
        key=key,
        title=title,
        kind=kind,
        status=status,
        priority="P2",
        component=component,
        sprint=f"Sprint {sprint}",
        reporter=ref("nadia"),
        assignee=ref(assignee) if assignee else None,
        account=ref(customer) if customer else None,
        created_at=at(created),
        updated_at=comment.written_at if comment else at(created),
        description=description,
        comments=(comment,) if comment else None,
    )


def note(author: str, moment: str, text: str) -> Note:
    """A comment on a ticket."""
    return Note(author=ref(author), written_at=at(moment), text=text)


_VAT = "VAT line shown twice on invoices"
_CREDIT = "Marta Esposito also wrote to us about a late credit note this morning. We deal with that by mail."

TICKETS = [
    ticket(
        "NV-398",
        "02-03 10:00",
        "forms",
        "Address lookup at sign-up",
        "Suggest addresses while somebody types.",
        sprint=10,
        status="in_progress",
        assignee="tomas",
        kind="feature_request",
    ),
    ticket(
        "NV-412",
        "02-17 13:10",
        "checkout",
        "Checkout button unresponsive in Safari",
        "Pay does nothing on an iPhone.",
        sprint=10,
        status="in_review",
        assignee="tomas",
    ),
    ticket(
        "NV-419",
        "02-24 09:40",
        "mail",
        "Order number missing in confirmation",
        "The placeholder is sent instead.",
        sprint=10,
        status="in_progress",
        assignee="tomas",
    ),
    ticket(
        "NV-431",
        "03-04 13:10",
        "checkout",
        "Checkout button unresponsive on Safari",
        "Pay does nothing on an iPad.",
        sprint=11,
        status="in_review",
        assignee="tomas",
    ),
    ticket(
        "NV-427",
        "03-03 12:00",
        "invoicing",
        _VAT,
        "On invoices of this month.",
        customer="larkspur_iberia",
        comment=note("daniel_f", "03-05 14:10", _CREDIT),
    ),
    ticket("NV-435", "03-10 09:00", "invoicing", _VAT, "On invoices of this month.", customer="fjordline_france"),
    ticket(
        "NV-433",
        "03-09 10:35",
        "terminals",
        "Terminal freezes when a card is inserted",
        "Two shops.",
        customer="fjordline_nordic",
    ),
    ticket("NV-434", "03-09 15:40", "terminals", "Logo missing on receipts", "All shops.", customer="fjordline_nordic"),
    ticket(
        "NV-436",
        "03-10 15:05",
        "webhooks",
        "Webhook delivered twice",
        "The first delivery was confirmed.",
        status="resolved",
        assignee="alex_v",
        comment=note("alex_v", "03-10 16:40", "Fixed and deployed."),
    ),
]

# --- the worlds ---

WORLD = World.from_models(
    sorted(
        [*PEOPLE, *PROJECTS, *CUSTOMERS, *DEALS, *FOLDERS, *DOCUMENTS, *THREADS, *EVENTS, *TICKETS],
        key=lambda record: record.id,
    )
)
"""The company. Sorted by opaque id, so that the order of records tells nothing either."""

BEFORE_THE_BOARD_SIGNED = WORLD.derive([thread("thread_prices", "Price list", None, _NEW_PRICES_MAIL).to_entity()])
"""The same company, but for the board, which has not signed the price list yet."""
