"""A company, drawn procedurally: people, customers, projects, and all the records that hang together through them.

A :class:`Company` is a draft: records are added one by one, each coherent with those that are there (a document has an
owner who exists, a thread's participants have mailboxes, the instances of a series differ in time), and
:meth:`Company.world` makes a world of them. Conditions add the records a task is about by the same methods, naming the
fields that matter; ``fill`` adds the rest of the company around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.world import Entity, World
from ebf_env.world.search import words as words_of
from ebf_generators.pools import Pools
from ebf_generators.randomness import Bits

words = lru_cache(maxsize=1 << 16)(lambda text: tuple(words_of(text)))
"""The words of a text; pools are drawn from again and again."""

_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_PAIRS: Final = tuple(a + b for a in _ALPHABET for b in _ALPHABET)
_TRIPLES: Final = tuple(a + b for a in _ALPHABET[8:] for b in _PAIRS)
_MINUTES: Final = tuple(f"T{minute // 60:02}:{minute % 60:02}:00" for minute in range(24 * 60))
_OFFSETS: Final = (-8, -5, -3, 0, 1, 2, 3, 5)

SHARES: Final[tuple[tuple[str, float], ...]] = (
    ("person", 0.24),
    ("customer_account", 0.07),
    ("project", 0.04),
    ("folder", 0.05),
    ("document", 0.18),
    ("email_thread", 0.14),
    ("calendar_event", 0.12),
    ("opportunity", 0.06),
    ("ticket", 0.10),
)
"""Share of each type in a company, in the order they are made: what is named is there before what names it."""

Row = dict[str, JSON]


class Company:
    """A draft of a company.

    Args:
        bits: source of randomness.
        pools: names and words to draw from.
        reserved: words no background record may be called by, since a task's mentions use them.

    Attributes:
        bits: source of randomness.
        pools: names and words to draw from.
        now: the time everything is told from, a working day between 8 and 18 o'clock.
        rows: id to (type, fields), in the order of making.
        brand: the company's own name.
    """

    def __init__(self, bits: Bits, pools: Pools, *, reserved: Iterable[str] = ()) -> None:
        self.bits, self.pools = bits, pools
        self.rows: dict[str, tuple[str, Row]] = {}
        self._by_type: dict[str, list[str]] = {name: [] for name, _ in SHARES}
        self._taken: set[str] = {word for text in reserved for word in words(text)}
        self._days: dict[int, str] = {}
        self._mailboxes: dict[str, int] = {}
        self.now = self._a_working_moment()
        self._offset = self.now.isoformat()[19:]
        self.brand = self._brand()
        self._domain = _host(self.brand)
        self._numbers = {"account": bits.between(1000, 8000), "ticket": bits.between(100, 900)}
        self._key = self.brand[:3].upper()
        self.sprint = bits.between(6, 40)

    # --- what a draft is asked ---

    def ids(self, type_name: str) -> Sequence[str]:
        """Ids of the records of a type, in the order of making."""
        return self._by_type[type_name]

    def fields(self, entity_id: str) -> Row:
        """The fields of a record; changing them changes the draft."""
        return self.rows[entity_id][1]

    def any_of(self, type_name: str) -> str:
        """A record of a type, made if there is none."""
        ids = self._by_type[type_name]
        return self.bits.choice(ids) if ids else self.make(type_name)

    def world(self) -> World:
        """The draft as a world, its records shuffled."""
        return World(Entity(i, self.rows[i][0], self.rows[i][1]) for i in self.bits.shuffled(list(self.rows)))

    def reserve(self, text: str) -> None:
        """Keep further background records from being called by these words."""
        self._taken.update(words(text))

    def fill(self, size: int) -> None:
        """Add background records until the company has ``size`` of them, types in their usual shares."""
        for name, share in SHARES:
            for _ in range(round(size * share) - len(self._by_type[name])):
                if len(self.rows) >= size:
                    return
                self.make(name)
        while len(self.rows) < size:
            self.make("document")

    def make(self, type_name: str, **fields: JSON) -> str:
        """Add a record of a type; what is not given is drawn.

        Returns:
            Its id.
        """
        return _MAKERS[type_name](self, **fields)

    # --- moments ---

    def _a_working_moment(self) -> datetime:
        zone = timezone(timedelta(hours=self.bits.choice(_OFFSETS)))
        day = datetime(2025, 1, 6, tzinfo=zone) + timedelta(weeks=self.bits.below(104), days=self.bits.below(5))
        return day + timedelta(minutes=5 * self.bits.between(96, 215))

    def moment(self, days: int, minutes: int | None = None) -> str:
        """A time on the day that many days from today; ``minutes`` after midnight, or drawn from working hours."""
        return self.day(days) + _MINUTES[15 * self.bits.between(32, 70) if minutes is None else minutes] + self._offset

    def past(self, most_days: int = 120) -> str:
        """A time before today."""
        return self.moment(-self.bits.between(1, most_days))

    def day(self, days: int) -> str:
        """A date that many days from today."""
        if days not in self._days:
            self._days[days] = (self.now.date() + timedelta(days=days)).isoformat()
        return self._days[days]

    # --- names ---

    def _new_id(self) -> str:
        while True:
            text = self.bits.choice(_TRIPLES) + self.bits.choice(_PAIRS) + self.bits.choice(_ALPHABET)
            if text not in self.rows:
                return text

    def _free(self, candidates: Sequence[str], tries: int = 40) -> str:
        """A candidate none of whose words is reserved; after many tries, any."""
        for _ in range(tries):
            drawn = self.bits.choice(candidates)
            if self._taken.isdisjoint(words(drawn)):
                return drawn
        return drawn

    def _brand(self) -> str:
        return self._free(self.pools.brand_beginnings) + self.bits.choice(self.pools.brand_endings)

    def _subject(self) -> str:
        """What something is about: one or two words, now and then a codename."""
        bits, pools = self.bits, self.pools
        first = self._free(pools.codenames) if bits.chance(0.3) else self._free(pools.subjects).capitalize()
        return f"{first} {self._free(pools.subjects)}" if bits.chance(0.6) else first

    def _mailbox(self, name: str, host: str) -> str:
        """A mailbox nobody has yet."""
        box = ".".join(words(name)) or "mail"
        number = self._mailboxes[f"{box}@{host}"] = self._mailboxes.get(f"{box}@{host}", 0) + 1
        return f"{box}@{host}" if number == 1 else f"{box}{number}@{host}"

    def full_name(self, given: str | None = None) -> str:
        """A person's name; some family names are double."""
        first = given or self._free(self.pools.given_names)
        last = self._free(self.pools.family_names)
        if self.bits.chance(0.06):
            last = f"{last}-{self._free(self.pools.family_names)}"
        return f"{first} {last}"

    # --- records ---

    def _add(self, type_name: str, drawn: Row, given: Row) -> str:
        entity_id = self._new_id()
        drawn.update(given)
        fields: Row = {name: value for name, value in drawn.items() if value is not None}
        self.rows[entity_id] = (type_name, fields)
        self._by_type[type_name].append(entity_id)
        return entity_id

    def person(self, **given: JSON) -> str:
        """A colleague; with ``account``, a contact at that customer."""
        bits, pools = self.bits, self.pools
        name = str(given.get("name") or self.full_name())
        account = given.get("account")
        outside = isinstance(account, str)
        company = str(self.rows[account][1]["name"]) if isinstance(account, str) else self.brand
        staff = self._by_type["person"]
        role = bits.choice(pools.roles)
        team = None if outside else bits.choice(pools.teams)
        drawn: Row = {
            "name": name,
            "email": self._mailbox(name, _host(company) if outside else self._domain),
            "title": role.capitalize() if team is None else f"{team} {role}",
            "role": role,
            "team": team,
            "company": company,
            "location": bits.choice(pools.cities),
            "manager": bits.choice(staff) if staff and not outside and bits.chance(0.7) else None,
        }
        nickname = pools.nicknames.get(name.split(maxsplit=1)[0])
        if nickname is not None and bits.chance(0.5):
            drawn["aliases"] = [nickname]
        if given.get("team") is not None and "title" not in given:
            drawn["title"] = f"{given['team']} {given.get('role', role)}"
        if isinstance(drawn["manager"], str) and self.rows[drawn["manager"]][1].get("account") is not None:
            drawn["manager"] = None
        return self._add("person", drawn, given)

    def account(self, **given: JSON) -> str:
        """A customer: a parent of its own, or a subsidiary of one that is there."""
        bits, pools = self.bits, self.pools
        parents = [i for i in self._by_type["customer_account"] if "parent" not in self.rows[i][1]]
        parent = bits.choice(parents) if parents and "name" not in given and bits.chance(0.5) else None
        if parent is not None:
            name = f"{self.rows[parent][1]['name']} {bits.choice(pools.regions)}"
        else:
            name = f"{self._brand()} {bits.choice(pools.industries)}"
        self._numbers["account"] += bits.between(1, 9)
        drawn: Row = {
            "name": name,
            "account_number": f"AC-{self._numbers['account']}",
            "parent": parent,
            "region": bits.choice(pools.regions),
            "tier": bits.choice(("bronze", "silver", "gold", "platinum")),
            "industry": bits.choice(pools.industries).lower(),
            "owner": self._colleague(),
            "status": bits.choice(("active", "active", "active", "at_risk", "prospect")),
            "renewal_date": self.day(bits.between(5, 400)),
            "updated_at": self.past(),
        }
        return self._add("customer_account", drawn, given)

    def project(self, **given: JSON) -> str:
        """A project, mostly with a codename."""
        bits = self.bits
        codename = self._free(self.pools.codenames)
        drawn: Row = {
            "name": f"{codename} {self._free(self.pools.subjects)}",
            "codename": codename,
            "lead": self._colleague(),
            "members": bits.sample(self._by_type["person"], bits.between(2, 4)),
            "status": bits.choice(("active", "active", "planned", "paused")),
            "start_date": self.day(-bits.between(20, 300)),
            "end_date": self.day(bits.between(20, 300)),
        }
        return self._add("project", drawn, given)

    def folder(self, **given: JSON) -> str:
        """A folder, perhaps within another."""
        bits, others = self.bits, self._by_type["folder"]
        drawn: Row = {
            "name": f"{self._subject()} {self._free(self.pools.folder_kinds)}",
            "parent": bits.choice(others) if others and bits.chance(0.4) else None,
            "owner": self._colleague(),
            "project": self._maybe("project", 0.4),
        }
        return self._add("folder", drawn, given)

    def document(self, **given: JSON) -> str:
        """A document in a folder; now and then the next version of one that is there."""
        bits = self.bits
        drawn: Row = {
            "title": f"{self._subject()} {self._free(self.pools.document_kinds)}",
            "owner": self._colleague(),
            "folder": self.any_of("folder"),
            "version": f"v{bits.between(1, 4)}",
            "status": bits.choice(("draft", "in_review", "approved", "final", "archived")),
            "created_at": self.moment(-bits.between(60, 200)),
            "updated_at": self.past(50),
            "updated_by": self._colleague(),
            "project": self._maybe("project", 0.4),
            "account": self._maybe("customer_account", 0.2),
            "sensitivity": bits.choice(("public", "internal", "internal", "confidential", "restricted")),
        }
        return self._add("document", drawn, given)

    def thread(self, **given: JSON) -> str:
        """An email thread of one to four messages, in the order they were sent."""
        bits = self.bits
        people = bits.sample(self._by_type["person"], bits.between(2, 4)) or [self.person()]
        days = sorted(bits.sample(range(1, 61), bits.between(1, 4)), reverse=True)
        documents = self._by_type["document"]
        messages: list[JSON] = []
        for number, ago in enumerate(days):
            sender = people[number % len(people)]
            message: Row = {
                "sender": sender,
                "recipients": [person for person in people if person != sender],
                "sent_at": self.moment(-ago),
                "body": bits.choice(_BODIES).format(subject=self._subject().lower()),
            }
            if documents and bits.chance(0.25):
                message["attachments"] = [bits.choice(documents)]
            messages.append(message)
        drawn: Row = {
            "subject": f"{self._subject()} {self._free(self.pools.thread_kinds)}",
            "participants": list(people),
            "messages": messages,
            "started_at": self.moment(-days[0], 480),
            "updated_at": self.moment(-days[-1], 1140),
            "project": self._maybe("project", 0.4),
            "account": self._maybe("customer_account", 0.25),
        }
        return self._add("email_thread", drawn, given)

    def event(self, **given: JSON) -> str:
        """An appointment within the next or last weeks."""
        bits = self.bits
        days, begin, length = bits.between(-20, 30), 30 * bits.between(16, 33), 30 * bits.between(1, 3)
        people = bits.sample(self._by_type["person"], bits.between(2, 5)) or [self.person()]
        drawn: Row = {
            "title": f"{self._subject()} {self._free(self.pools.event_kinds)}",
            "start": self.moment(days, begin),
            "end": self.moment(days, begin + length),
            "organizer": people[0],
            "attendees": list(people),
            "location": bits.choice(("Room 1", "Room 2", "Room 3", "video call", bits.choice(self.pools.cities))),
            "project": self._maybe("project", 0.4),
            "account": self._maybe("customer_account", 0.25),
        }
        if "start" in given and "end" not in given:
            begin_at = datetime.fromisoformat(str(given["start"]))
            drawn["end"] = (begin_at + timedelta(minutes=length)).isoformat()
        return self._add("calendar_event", drawn, given)

    def opportunity(self, **given: JSON) -> str:
        """A deal on an account."""
        bits = self.bits
        account = str(given.get("account") or self.any_of("customer_account"))
        kind = bits.choice(("new_business", "renewal", "expansion"))
        drawn: Row = {
            "name": f"{self.rows[account][1]['name']} {kind.replace('_', ' ')}",
            "account": account,
            "owner": self._colleague(),
            "kind": kind,
            "stage": bits.choice(("discovery", "proposal", "negotiation", "contract")),
            "amount": 500.0 * bits.between(4, 600),
            "currency": "EUR",
            "close_date": self.day(bits.between(3, 200)),
            "updated_at": self.past(60),
        }
        return self._add("opportunity", drawn, given)

    def ticket(self, **given: JSON) -> str:
        """A bug, incident or feature request of this or an earlier sprint."""
        bits, pools = self.bits, self.pools
        self._numbers["ticket"] += bits.between(1, 7)
        component = bits.choice(pools.components)
        drawn: Row = {
            "title": f"{self._subject()} {self._free(pools.ticket_kinds)}",
            "key": f"{self._key}-{self._numbers['ticket']}",
            "kind": bits.choice(("bug", "bug", "incident", "feature_request")),
            "status": bits.choice(("open", "in_progress", "in_review", "resolved")),
            "priority": bits.choice(("P0", "P1", "P2", "P2", "P3")),
            "component": component,
            "sprint": f"Sprint {self.sprint - bits.between(0, 3)}",
            "reporter": self._colleague(),
            "assignee": self._colleague(),
            "project": self._maybe("project", 0.3),
            "account": self._maybe("customer_account", 0.3),
            "created_at": self.past(60),
        }
        return self._add("ticket", drawn, given)

    def _colleague(self) -> str:
        """Somebody of the company itself."""
        staff = self._by_type["person"]
        for _ in range(8):
            if not staff:
                break
            drawn = self.bits.choice(staff)
            if "account" not in self.rows[drawn][1]:
                return drawn
        return self.person()

    def _maybe(self, type_name: str, probability: float) -> str | None:
        ids = self._by_type[type_name]
        return self.bits.choice(ids) if ids and self.bits.chance(probability) else None


_MAKERS: Final[dict[str, Callable[..., str]]] = {
    "person": Company.person,
    "customer_account": Company.account,
    "project": Company.project,
    "folder": Company.folder,
    "document": Company.document,
    "email_thread": Company.thread,
    "calendar_event": Company.event,
    "opportunity": Company.opportunity,
    "ticket": Company.ticket,
}

_BODIES: Final = (
    "Hello all, a quick word on {subject}: can we settle this by Friday?",
    "Thanks for the call. I have added what we said about {subject}.",
    "Could somebody look at the part on {subject} once more?",
    "As discussed, here is where we are with {subject}.",
    "Just checking in on {subject}, no rush.",
    "We would like to go ahead with {subject} as planned.",
    "Who is the right person to ask about {subject}?",
    "Attached you find the current state of {subject}.",
)


def _host(company: str) -> str:
    return f"{''.join(words(company)) or 'company'}.example"
