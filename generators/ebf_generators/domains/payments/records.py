"""How vendors, invoices and payment runs are made, and what they are called.

A maker adds one coherent record to a company (:func:`register_maker`), a noun says what people call it
(:func:`register_noun`), a head is what the rivals of a block have in common (:func:`register_head`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Sized
from datetime import datetime, timedelta
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.world.domains.payments import DOMAIN
from ebf_generators.company import Company, Row, register_maker, words
from ebf_generators.heads import Head, Heading, register_head, titled
from ebf_generators.pools import Pools, Split
from ebf_generators.stage import Stage, register_noun

_TRADES: Final[Mapping[str, str]] = {
    "Caterers": "catering",
    "Cleaners": "facilities",
    "Consultants": "consulting",
    "Couriers": "freight",
    "Electricians": "maintenance",
    "Fitters": "maintenance",
    "Haulage": "freight",
    "Hosting": "software",
    "Interpreters": "language services",
    "Movers": "freight",
    "Paper": "office supplies",
    "Plumbers": "maintenance",
    "Printers": "print",
    "Recruiters": "recruitment",
    "Rentals": "equipment",
    "Software": "software",
    "Solicitors": "legal services",
    "Stationers": "office supplies",
    "Telecom": "telecoms",
    "Tools": "equipment",
}
"""Second words of vendors' names, which no customer has, and the category each belongs to."""

CATEGORIES: Final = tuple(dict.fromkeys(_TRADES.values()))
HOUSES: Final = (
    "Associates", "Brothers", "Company", "Group", "House", "International", "Partners", "Services", "Supplies",
    "Trading",
)  # fmt: skip
"""Second words of vendors' names that do not say what they do, which no customer has either."""

_SECOND_WORDS: Final = (*_TRADES, *HOUSES)

CURRENCIES: Final[Mapping[str, str]] = {
    "Austria": "EUR",
    "Czechia": "CZK",
    "Denmark": "DKK",
    "Finland": "EUR",
    "France": "EUR",
    "Germany": "EUR",
    "Hungary": "HUF",
    "Ireland": "EUR",
    "Italy": "EUR",
    "Japan": "JPY",
    "Netherlands": "EUR",
    "Norway": "NOK",
    "Poland": "PLN",
    "Portugal": "EUR",
    "Spain": "EUR",
    "Sweden": "SEK",
    "Switzerland": "CHF",
    "United Kingdom": "GBP",
}
"""Countries of vendors, and what they invoice in."""

COUNTRIES: Final = tuple(CURRENCIES)

INVOICE_KINDS: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("invoice", "invoice", "bill"),
    "val": ("invoice", "invoice", "fee statement"),
    "test": ("invoice", "invoice", "debit note"),
}
RUN_KINDS: Final[Mapping[Split, tuple[str, ...]]] = {
    "train": ("payment run", "payment run", "payout batch"),
    "val": ("payment run", "payment run", "settlement round"),
    "test": ("payment run", "payment run", "disbursement cycle"),
}
_UNSUITED: Final = frozenset({"billing", "invoicing", "payment", "supplier", "vendor"})
"""Subjects that would say twice what an invoice or a run is."""

_INVOICE_STATUSES: Final = (
    "received", "approved", "approved", "scheduled", "scheduled", "on_hold", "paid", "paid", "refunded", "void",
)  # fmt: skip

_RUN_OF_INVOICE: Final[Mapping[str, str]] = {"scheduled": "planned", "paid": "released", "refunded": "released"}
"""Status of an invoice to the status of a run it can be in; those of any other status stand in void runs."""

_RUN_DAYS: Final[Mapping[str, tuple[int, int]]] = {"planned": (1, 21), "released": (-30, -1)}
"""Status of a run to the days from today it can be scheduled for."""


def add_vendor(company: Company, **given: JSON) -> str:
    """A vendor: a parent of its own, or a branch of one that is there. No two are drawn with one name.

    The name tells the category where it names a trade; else a branch has its parent's.
    """
    bits, name, parent = company.bits, given.get("name"), given.get("parent")
    if name is None and parent is None:
        above = company._maybe("vendor", 0.35)
        parent = None if above is not None and "parent" in company.fields(above) else above
    called = str(name or _vendor_name(company, parent))
    category: JSON = next((_TRADES[word] for word in called.split() if word in _TRADES), None)
    if category is None and isinstance(parent, str):
        category = company.fields(parent).get("category")
    drawn: Row = {
        "name": called,
        "vendor_number": _number(company, "VN"),
        "category": category or bits.choice(CATEGORIES),
        "country": bits.choice(COUNTRIES),
        "owner": company._colleague(),
        "parent": parent,
        "status": bits.choice(("active", "active", "active", "active", "onboarding", "blocked")),
    }
    return company._add("vendor", drawn, given)


def add_invoice(company: Company, **given: JSON) -> str:
    """An invoice of a vendor who is there, in the vendor's currency; issued, then updated, and due after its issue."""
    bits = company.bits
    vendor = str(given.get("vendor") or company.any_of("vendor"))
    issued_at = str(given.get("issued_at") or company.moment(-bits.between(20, 90)))
    issued = datetime.fromisoformat(issued_at).date()
    age = (company.now.date() - issued).days
    drawn: Row = {
        "title": f"{_subject(company)} {company.free(INVOICE_KINDS[company.pools.split])}",
        "number": _number(company, "INV"),
        "vendor": vendor,
        "amount": 25.0 * bits.between(4, 900),
        "currency": CURRENCIES.get(str(company.fields(vendor).get("country")), "EUR"),
        "status": bits.choice(_INVOICE_STATUSES),
        "approver": company._colleague(),
        "project": company._maybe("project", 0.4),
        "document": company._maybe("document", 0.2),
        "issued_at": issued_at,
        "due_date": (issued + timedelta(days=bits.choice((14, 30, 30, 45, 60)))).isoformat(),
        "updated_at": company.past(min(19, age - 1)) if age > 1 else issued_at,
        "updated_by": company._colleague(),
    }
    return company._add("invoice", drawn, given)


def add_payment_run(company: Company, **given: JSON) -> str:
    """A payment run of invoices that are there, are in no other run, and have got as far as it has.

    Of ``invoices=None`` it has none yet.
    """
    bits, status, invoices = company.bits, given.get("status"), given.get("invoices")
    if "invoices" not in given:
        status, invoices = _batch(company, status)
    least, most = _RUN_DAYS.get(str(status or "planned"), (-20, 20))
    drawn: Row = {
        "title": f"{_subject(company)} {company.free(RUN_KINDS[company.pools.split])}",
        "scheduled_for": company.day(bits.between(least, most)),
        "status": status or "planned",
        "invoices": invoices,
        "owner": company._colleague(),
        "updated_at": company.past(19),
        "updated_by": company._colleague(),
    }
    return company._add("payment_run", drawn, given)


def _batch(company: Company, status: JSON) -> tuple[JSON, Sequence[str]]:
    """The status of a run, drawn where none is given, and invoices that have got as far, if there are any."""
    bits, by_status = company.bits, dict[str, list[str]]()
    for invoice in _without_run(company):
        reached = _RUN_OF_INVOICE.get(str(company.fields(invoice).get("status")), "void")
        by_status.setdefault(reached, []).append(invoice)
    drawn = bits.choice([name for name in ("planned", "planned", "released", "void") if name in by_status])
    fitting = by_status.get(str(status)) or by_status[drawn]
    return status or drawn, fitting[: bits.between(2, 4)]


def _without_run(company: Company) -> Sequence[str]:
    """Some invoices that are in no run; any invoice where all are in one."""
    ids, rows, taken = company.ids("invoice"), company.rows, set[JSON]()
    for run in company.ids("payment_run"):
        held = rows[run][1].get("invoices")
        taken.update(held if isinstance(held, list | tuple) else ())
    drawn = [invoice for invoice in company.bits.sample(ids, 12) if invoice not in taken]
    return drawn or [invoice for invoice in ids if invoice not in taken] or [company.any_of("invoice")]


def _vendor_name(company: Company, parent: JSON) -> str:
    """A name no vendor has: of a brand of its own, or of a branch of the parent."""
    bits, rows = company.bits, company.rows
    taken = {rows[vendor][1]["name"] for vendor in company.ids("vendor")}
    for _ in range(40):
        if isinstance(parent, str):
            name = f"{rows[parent][1]['name']} {bits.choice(Pools.regions)}"
        else:
            name = f"{company.new_brand()} {bits.choice(_SECOND_WORDS)}"
        if name not in taken:
            break
    return name


def _subject(company: Company) -> str:
    """What an invoice or a run is for."""
    for _ in range(8):
        subject = company._subject()
        if _UNSUITED.isdisjoint(words(subject)):
            break
    return subject


def _number(company: Company, series: str) -> str:
    """A number nobody has: they rise with the records of a company, from where its sprints have got to."""
    others = len(company._others) if isinstance(company._others, Sized) else 0
    made = len(company.rows) + (company.bits.below(others) if others else 0)
    return f"{series}-{company._free_number(series, 1000 + 50 * company.sprint + 7 * made + company.bits.below(7))}"


register_maker("vendor", add_vendor, share=0.06, domain=DOMAIN)
register_maker("invoice", add_invoice, share=0.10, domain=DOMAIN)
register_maker("payment_run", add_payment_run, share=0.02, domain=DOMAIN)

# --- what they are called ---

register_noun("vendor", "vendor", is_name=True)
register_noun("invoice", "invoice", given=lambda _: {"status": None})
register_noun("payment_run", "payment run", given=lambda _: {"status": "planned", "invoices": None})

_COPIES: Final = (".", ",", " -", " *", ":", " ..")
"""What near duplicates of a name end in."""


def _vendor_head(stage: Stage) -> Head:
    brand = stage.brand()
    return Head(brand, stage.words(brand), brand, {})


def _vendor_called(stage: Stage, head: Head, number: int, nearly: bool) -> Row:
    """A brand and a word that says nothing of the trade, so that any category goes with it."""
    if nearly:
        return {"name": f"{head.key} {HOUSES[len(head.key) % len(HOUSES)]}{_COPIES[number % 6]}"}
    return {"name": f"{head.key} {stage.bits.choice(HOUSES)}"}


def _title_head(kinds: Mapping[Split, tuple[str, ...]]) -> Callable[[Stage], Head]:
    """Draws what titles share: a subject and a kind."""

    def draw(stage: Stage) -> Head:
        bits, pools = stage.bits, stage.pools
        subjects = pools.codenames if bits.chance(0.3) else pools.subjects
        first = stage.free([subject for subject in subjects if subject not in _UNSUITED])
        text = f"{first} {bits.choice(kinds[pools.split])}"
        return Head(text, stage.words(text), text[0].upper() + text[1:], {})

    return draw


_titled: Final = titled("title", "document_kinds").name
"""Calls records by a title, as documents are."""

register_head("vendor", Heading(_vendor_head, _vendor_called, article=False, pronouns=("it", "that vendor")))
register_head("invoice", Heading(_title_head(INVOICE_KINDS), _titled))
register_head("payment_run", Heading(_title_head(RUN_KINDS), _titled))
