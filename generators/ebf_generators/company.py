"""A company, drawn procedurally: people, customers, projects, and all the records that hang together through them.

A :class:`Company` is a draft: records are added one by one, each coherent with those that are there (a document has an
owner who exists, a thread's participants have mailboxes, the instances of a series differ in time), and
:meth:`Company.world` makes a world of them. Conditions add the records a task is about by the same methods, naming the
fields that matter; ``fill`` adds the rest of the company around them.

Companies are drawn by the million, so the makers draw from raw words (see ``randomness``) and from tables, and write
each record in one go. The fields of a record stand in the order its type declares them.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from functools import cache, lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON
from ebf_env.world import ENTITY_TYPES, Entity, World
from ebf_generators.pools import FreePools, Pools, words_of
from ebf_generators.randomness import WORDS, Bits

words: Final = words_of
"""The words of a text, as names are compared."""

Row = dict[str, JSON]


@dataclass(frozen=True, slots=True)
class Maker:
    """How records of a type are made.

    Attributes:
        type_name: the type.
        make: adds one to a company; fields that are not given are drawn. Returns its id.
        share: share of the type among background records, before they are scaled to sum up to one.
        domain: the optional domain that has to be switched on for background records of the type; None for what every
            company has.
        brings: whether making one may add another record that it needs.
    """

    type_name: str
    make: Callable[..., str]
    share: float
    domain: str | None = None
    brings: bool = False


_MAKERS: Final[dict[str, Maker]] = {}
MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(_MAKERS)
"""The makers of all types, in the order background records are made: what is named is there before what names it."""


def register_maker(
    type_name: str, make: Callable[..., str], *, share: float, domain: str | None = None, brings: bool = False
) -> None:
    """Say how records of a type are made.

    Raises:
        ConfigurationError: the type has a maker already.
    """
    if type_name in _MAKERS:
        raise ConfigurationError(f"{type_name!r} has two makers")
    _MAKERS[type_name] = Maker(type_name, make, share, domain, brings)


class Company:
    """A draft of a company.

    Args:
        bits: source of randomness.
        pools: names and words to draw from.
        reserved: words no background record may be called by, since a task's mentions use them.
        domains: optional domains whose records belong to the background too.
        within: the company these records are added to: they have its time and its name, and none of its ids, names of
            people and accounts, mailboxes and numbers.

    Attributes:
        bits: source of randomness.
        pools: names and words to draw from.
        now: the time everything is told from, a working day between 8 and 18 o'clock.
        rows: id to (type, fields), in the order of making.
        brand: the company's own name.
        sprint: number of the sprint that is running.
    """

    def __init__(
        self,
        bits: Bits,
        pools: Pools,
        *,
        reserved: Iterable[str] = (),
        domains: Iterable[str] = (),
        within: Company | None = None,
    ) -> None:
        self.bits, self.pools = bits, pools
        self._word = bits.word
        self._domains = frozenset(domains)
        self.rows: dict[str, tuple[str, Row]] = {}
        self._by_type: dict[str, list[str]] = {name: [] for name in MAKERS}
        self._staff: list[str] = []
        self._parents: list[str] = []
        self._secluded: dict[str, int] = {}
        self._free_pools = FreePools(pools)
        self._lists = self._free_pools.lists
        for text in reserved:
            self.reserve(text)
        self._called: MutableMapping[str, None] = {}
        self._mailboxes: MutableMapping[str, int] = {}
        zone, offset = bits.choice(_ZONES)
        self._today = _FIRST_DAY + 7 * bits.below(104) + bits.below(5)
        minute = 5 * bits.between(96, 215)
        self.now = datetime.combine(date.fromordinal(self._today), time(minute // 60, minute % 60, tzinfo=zone))
        self._clock, self._slots = _clock(offset), _slots(offset)
        self.brand = self.new_brand()
        self._host = _host(self.brand)
        self._account_number, self._ticket_number = bits.between(1000, 8000), bits.between(100, 900)
        self._key = self.brand[:3].upper()
        self.sprint = bits.between(6, 40)
        self._others: Container[str] = ()
        if within is not None:
            self._others = within.rows
            self._today, self.now, self._clock, self._slots = within._today, within.now, within._clock, within._slots
            self.brand, self._host, self.sprint = within.brand, within._host, within.sprint
            self._called, self._mailboxes = ChainMap({}, within._called), ChainMap({}, within._mailboxes)
            # Numbers among those of the others, not after them: how high one is must not tell whose it is.
            self._account_number = bits.between(1000, within._account_number)
            self._ticket_number, self._key = bits.between(100, within._ticket_number), within._key

    # --- what a draft is asked ---

    def ids(self, type_name: str) -> Sequence[str]:
        """Ids of the records of a type, in the order of making; without those that are secluded."""
        return self._by_type[type_name]

    def count(self, type_name: str) -> int:
        """How many records of a type there are, secluded ones among them."""
        return len(self._by_type[type_name]) + self._secluded.get(type_name, 0)

    def fields(self, entity_id: str) -> Row:
        """The fields of a record; changing them changes the draft."""
        return self.rows[entity_id][1]

    def any_of(self, type_name: str) -> str:
        """A record of a type, made if there is none."""
        ids = self._by_type[type_name]
        return ids[self._word() % len(ids)] if ids else self.make(type_name)

    def world(self) -> World:
        """The draft as a world, its records shuffled."""
        rows = self.bits.shuffled(list(self.rows.items()))
        return World([Entity(entity_id, type_name, fields) for entity_id, (type_name, fields) in rows])

    def reserve(self, text: str) -> None:
        """Keep further background records from being called by these words.

        No name, title, alias or codename holds one of them from now on, nor does a job title, a component or the
        number of an account or ticket. Only where a pool has nothing else left does it give what is reserved.
        """
        self._free_pools.reserve(text)

    def seclude(self, entity_id: str) -> None:
        """Keep further background records from referring to a record by chance."""
        type_name = self.rows[entity_id][0]
        self._by_type[type_name].remove(entity_id)
        self._secluded[type_name] = self._secluded.get(type_name, 0) + 1
        for ids in (self._staff, self._parents):
            if entity_id in ids:
                ids.remove(entity_id)

    def fill(self, size: int) -> None:
        """Add background records until the company has ``size`` of them, types in their usual shares."""
        rows = self.rows
        makers = [maker for maker in MAKERS.values() if maker.domain is None or maker.domain in self._domains]
        total = sum(maker.share for maker in makers)
        for maker in makers:
            there = len(self._by_type[maker.type_name]) + self._secluded.get(maker.type_name, 0)
            make = maker.make
            for _ in range(round(size * maker.share / total) - there):
                if len(rows) >= size:
                    return
                if maker.brings and len(rows) == size - 1:
                    self.person()
                else:
                    make(self)
        while len(rows) < size:
            self.document()

    def make(self, type_name: str, **fields: JSON) -> str:
        """Add a record of a type; what is not given is drawn.

        Returns:
            Its id.
        """
        return MAKERS[type_name].make(self, **fields)

    # --- moments ---

    def moment(self, days: int, minutes: int | None = None) -> str:
        """A time on the day that many days from today; ``minutes`` after midnight, or drawn from working hours."""
        time_of_day = self._slots[self._word() % _SLOTS] if minutes is None else self._clock[minutes]
        return _date(self._today + days) + time_of_day

    def past(self, most_days: int = 120) -> str:
        """A time before today."""
        drawn = self._word()
        return _date(self._today - 1 - drawn % most_days) + self._slots[drawn // most_days % _SLOTS]

    def day(self, days: int) -> str:
        """A date that many days from today."""
        return _date(self._today + days)

    # --- names ---

    def free(self, candidates: Sequence[str]) -> str:
        """A candidate none of whose words is reserved; any, if all have one."""
        drawn = self.bits.choice(candidates)
        if self._free_pools.is_free(drawn):
            return drawn
        return self.bits.choice([other for other in candidates if self._free_pools.is_free(other)] or candidates)

    def new_brand(self) -> str:
        """A company name."""
        word, beginnings, endings = self._word, self._lists["brand_beginnings"], self.pools.brand_endings
        for _ in range(40):
            brand = beginnings[word() % len(beginnings)] + endings[word() % len(endings)]
            if self._free_pools.is_free(brand):
                break
        return brand

    def _subject(self) -> str:
        """What something is about, as it begins a title: one or two words, now and then a codename."""
        word, lists = self._word, self._lists
        subjects, drawn, more = lists["subjects"], word(), word()
        if drawn < _CHANCE_30:
            codenames = lists["codenames"]
            first = codenames[drawn % len(codenames)]
        else:
            first = subjects[drawn % len(subjects)].capitalize()
        if more >= _CHANCE_60:
            return first
        # Counted from the first word, so that it is another one.
        return f"{first} {subjects[(drawn + 1 + more % (len(subjects) - 1 or 1)) % len(subjects)]}"

    def _within(self, subject: str) -> str:
        """A subject as it stands within a sentence: codenames keep their capital."""
        first, _, _ = subject.partition(" ")
        return subject if first in self.pools.proper else subject[0].lower() + subject[1:]

    def _mailbox(self, box: str, host: str) -> str:
        """A mailbox nobody has yet."""
        address, boxes = f"{box}@{host}", self._mailboxes
        if address not in boxes:
            boxes[address] = 1
            return address
        boxes[address] += 1
        return f"{box}{boxes[address]}@{host}"

    def full_name(self, given: str | None = None) -> str:
        """A person's name that nobody has; some family names are double."""
        return self._person_name(given)[1]

    def _person_name(self, given: str | None = None) -> tuple[str, str, str]:
        """A given name, a whole name that nobody has, and how it stands in a mailbox."""
        word, lists, called, boxes = self._word, self._lists, self._called, self.pools.mailboxes
        givens, families, drawn = lists["given_names"], lists["family_names"], word()
        first, last = given or givens[drawn % len(givens)], families[word() % len(families)]
        name, box = f"{first} {last}", f"{boxes.get(first) or _box(first)}.{boxes[last]}"
        if drawn < _CHANCE_6 or name in called:
            name, box = self._double(name, box)
            while name in called:
                name, box = self._double(name, box)
        called[name] = None
        return first, name, box

    def _given_name(self, name: JSON) -> tuple[str, str, str]:
        """The same of a name that is given, which nobody else gets."""
        whole = str(name)
        self._called[whole] = None
        return whole.partition(" ")[0], whole, _box(whole)

    def _double(self, name: str, box: str) -> tuple[str, str]:
        """A name, and how it stands in a mailbox, with one more family name."""
        last = self.bits.choice(self._lists["family_names"])
        return f"{name}-{last}", f"{box}.{self.pools.mailboxes[last]}"

    # --- records ---

    def _keep(self, type_name: str, fields: Row) -> str:
        """Add a record with exactly these fields; its id is six letters and digits, a letter first."""
        rows, drawn = self.rows, self._word() % _IDS
        entity_id = f"{_BEGINNINGS[drawn % _FIRST]}{_PAIRS[drawn // _FIRST % _NEXT]}{_PAIRS[drawn // _FIRST_TWO]}"
        while entity_id in rows or entity_id in self._others:
            drawn = (drawn + 1) % _IDS
            entity_id = f"{_BEGINNINGS[drawn % _FIRST]}{_PAIRS[drawn // _FIRST % _NEXT]}{_PAIRS[drawn // _FIRST_TWO]}"
        rows[entity_id] = (type_name, fields)
        self._by_type[type_name].append(entity_id)
        return entity_id

    def _keep_linked(self, type_name: str, fields: Row) -> str:
        """Add a record that may belong to a project and to an account."""
        if fields["project"] is None:
            del fields["project"]
        if fields["account"] is None:
            del fields["account"]
        return self._keep(type_name, fields)

    def _add(self, type_name: str, drawn: Row, given: Row) -> str:
        """Add a record; what is given wins over what was drawn, and what is None is left out."""
        fields = drawn | given
        names = dict.fromkeys((*_fields_of(type_name), *fields))
        return self._keep(type_name, {name: fields[name] for name in names if fields.get(name) is not None})

    def person(self, **given: JSON) -> str:
        """A colleague; with ``account``, a contact at that customer."""
        word, lists, cities = self._word, self._lists, self.pools.cities
        account: JSON = None
        if not given:
            first, name, box = self._person_name()
        else:
            account = given.get("account")
            first, name, box = self._given_name(given["name"]) if given.get("name") else self._person_name()
        roles = lists["roles"]
        role, location = roles[word() % len(roles)], cities[word() % len(cities)]
        fields: Row
        if isinstance(account, str):
            company = str(self.rows[account][1]["name"])
            fields = {
                "name": name,
                "email": self._mailbox(box, _host(company)),
                "title": role.capitalize(),
                "role": role,
                "company": company,
                "location": location,
            }
        else:
            teams, staff, drawn = lists["teams"], self._staff, word()
            team = teams[word() % len(teams)]
            fields = {
                "name": name,
                "email": self._mailbox(box, self._host),
                "title": f"{team} {role}",
                "role": role,
                "team": team,
                "company": self.brand,
                "manager": staff[drawn % len(staff)] if staff and drawn < _CHANCE_70 else None,
                "location": location,
                "start_date": _date(self._today - 240 - word() % 2760),
            }
            if fields["manager"] is None:
                del fields["manager"]
        nickname = self.pools.nicknames.get(first)
        if nickname is not None and word() < _CHANCE_50 and self._free_pools.is_free(nickname):
            fields["aliases"] = [nickname]
        if not given:
            entity_id = self._keep("person", fields)
        else:
            if "title" not in given and ("team" in given or "role" in given):
                fields["title"] = _job_title(given.get("team", fields.get("team")), given.get("role", role))
            entity_id = self._add("person", fields, given)
        if not isinstance(account, str):
            self._staff.append(entity_id)
        return entity_id

    def account(self, **given: JSON) -> str:
        """A customer: a parent of its own, or a subsidiary of one that is there."""
        word, rows, regions, industries = self._word, self.rows, self._lists["regions"], self._lists["industries"]
        region, industry = regions[word() % len(regions)], industries[word() % len(industries)]
        name, parent = given.get("name"), given.get("parent")
        if name is None:
            region = str(given.get("region") or region)
            parent = parent if given else self._a_parent(region)
            name = self._customer_name(industry) if parent is None else f"{rows[str(parent)][1]['name']} {region}"
        self._called[str(name)] = None
        if isinstance(parent, str):
            industry = str(rows[parent][1].get("industry", industry))
        self._account_number = self._free_number("AC", self._account_number + 1 + word() % 9)
        tier, status = _ACCOUNT_STATES[word() % len(_ACCOUNT_STATES)]
        fields: Row = {
            "name": name,
            "account_number": f"AC-{self._account_number}",
            "parent": parent,
            "region": region,
            "tier": tier,
            "industry": industry.lower(),
            "owner": self._colleague(),
            "status": status,
            "renewal_date": _date(self._today + 5 + word() % 396),
            "updated_at": self.past(),
        }
        if parent is None:
            del fields["parent"]
        entity_id = self._add("customer_account", fields, given) if given else self._keep("customer_account", fields)
        if parent is None:
            self._parents.append(entity_id)
        return entity_id

    def _a_parent(self, region: str) -> str | None:
        """Now and then an account that has no subsidiary in that region yet, and whose name is free."""
        drawn = self._word()
        if not self._parents or drawn >= _CHANCE_50:
            return None
        parent = self._parents[drawn % len(self._parents)]
        name = f"{self.rows[parent][1]['name']} {region}"
        return parent if name not in self._called and self._free_pools.is_free(name) else None

    def _customer_name(self, industry: str) -> str:
        """A company's whole name, which no other has."""
        for _ in range(40):
            name = f"{self.new_brand()} {industry}"
            if name not in self._called:
                break
        return name

    def _free_number(self, series: str, number: int) -> int:
        """A number for an account or a ticket, or the first after it that is neither reserved nor another's."""
        while f"{series}-{number}" in self._called or not self._free_pools.is_free(str(number)):
            number += 1
        self._called[f"{series}-{number}"] = None
        return number

    def project(self, **given: JSON) -> str:
        """A project with a codename."""
        word, codenames, subjects = self._word, self._lists["codenames"], self._lists["subjects"]
        for _ in range(4):
            codename = given.get("codename") or codenames[word() % len(codenames)]
            name = f"{codename} {subjects[word() % len(subjects)]}"
            if name not in self._called:
                break
        self._called[name] = None
        fields: Row = {
            "name": name,
            "codename": codename,
            "lead": self._colleague(),
            "members": self._some_people(2 + word() % 3),
            "status": _PROJECT_STATES[word() % len(_PROJECT_STATES)],
            "start_date": _date(self._today - 20 - word() % 281),
            "end_date": _date(self._today + 20 + word() % 281),
        }
        return self._add("project", fields, given) if given else self._keep("project", fields)

    def folder(self, **given: JSON) -> str:
        """A folder, perhaps within another."""
        word, by_type, kinds = self._word, self._by_type, self._lists["folder_kinds"]
        folders, projects = by_type["folder"], by_type["project"]
        fields: Row = {
            "name": f"{self._subject()} {kinds[word() % len(kinds)]}",
            "parent": folders[drawn % len(folders)] if folders and (drawn := word()) < _CHANCE_40 else None,
            "owner": self._colleague(),
            "project": projects[drawn % len(projects)] if projects and (drawn := word()) < _CHANCE_40 else None,
            "created_at": self.past(400),
        }
        if given:
            return self._add("folder", fields, given)
        if fields["parent"] is None:
            del fields["parent"]
        if fields["project"] is None:
            del fields["project"]
        return self._keep("folder", fields)

    def document(self, **given: JSON) -> str:
        """A document in a folder."""
        word, by_type, slots, today = self._word, self._by_type, self._slots, self._today
        kinds, staff = self._lists["document_kinds"], self._staff or [self.person()]
        folders, projects, accounts = by_type["folder"], by_type["project"], by_type["customer_account"]
        version, status, sensitivity = _DOCUMENT_STATES[word() % len(_DOCUMENT_STATES)]
        made, changed = word(), word()
        fields: Row = {
            "title": f"{self._subject()} {kinds[word() % len(kinds)]}",
            "owner": staff[word() % len(staff)],
            "folder": folders[word() % len(folders)] if folders else self.folder(),
            "version": version,
            "status": status,
            "created_at": _date(today - 60 - made % 141) + slots[made // 141 % _SLOTS],
            "updated_at": _date(today - 1 - changed % 50) + slots[changed // 50 % _SLOTS],
            "updated_by": staff[word() % len(staff)],
            "project": projects[drawn % len(projects)] if projects and (drawn := word()) < _CHANCE_40 else None,
            "account": accounts[drawn % len(accounts)] if accounts and (drawn := word()) < _CHANCE_20 else None,
            "sensitivity": sensitivity,
        }
        return self._add("document", fields, given) if given else self._keep_linked("document", fields)

    def thread(self, **given: JSON) -> str:
        """An email thread of one to four messages, in the order they were sent, each in another fortnight."""
        word, by_type, slots = self._word, self._by_type, self._slots
        documents, projects, accounts = by_type["document"], by_type["project"], by_type["customer_account"]
        kinds, drawn = self._lists["thread_kinds"], word()
        people = self._some_people(2 + word() % 3)
        if given:
            people = _as_list(given.get("participants")) or people
        subject = self._subject()
        topic = self._within(subject)
        count, body = 1 + drawn % 4, drawn // 4
        day = self._today - 15 * count - word() % 30
        messages: list[Row] = []
        for number in range(count):
            sent, attached, place = word(), word(), number % len(people)
            before, after = _BODIES[(body + number) % len(_BODIES)]
            message: Row = {
                "sender": people[place],
                "recipients": people[:place] + people[place + 1 :],
                "sent_at": _date(day + sent % 15) + slots[sent // 15 % _SLOTS],
                "body": f"{before}{topic}{after}",
            }
            if attached < _CHANCE_25 and documents:
                message["attachments"] = [documents[attached % len(documents)]]
            messages.append(message)
            day += 15
        fields: Row = {
            "subject": f"{subject} {kinds[word() % len(kinds)]}",
            "participants": people,
            "messages": messages,
            "started_at": messages[0]["sent_at"],
            "updated_at": messages[-1]["sent_at"],
            "project": projects[drawn % len(projects)] if projects and (drawn := word()) < _CHANCE_40 else None,
            "account": accounts[drawn % len(accounts)] if accounts and (drawn := word()) < _CHANCE_25 else None,
        }
        return self._add("email_thread", fields, given) if given else self._keep_linked("email_thread", fields)

    def event(self, **given: JSON) -> str:
        """An appointment within the next or last weeks."""
        word, by_type, clock, drawn = self._word, self._by_type, self._clock, self._word()
        projects, accounts, kinds = by_type["project"], by_type["customer_account"], self._lists["event_kinds"]
        day = _date(self._today - 20 + drawn % 51)
        begin, length = _HOURS[drawn // 51 % len(_HOURS)]
        people = self._some_people(2 + word() % 4)
        if given:
            people = _as_list(given.get("attendees")) or list(
                dict.fromkeys([*_as_list([given.get("organizer")]), *people])
            )
        fields: Row = {
            "title": f"{self._subject()} {kinds[word() % len(kinds)]}",
            "start": day + clock[begin],
            "end": day + clock[begin + length],
            "organizer": people[0],
            "attendees": people,
            "location": _PLACES[word() % len(_PLACES)],
            "project": projects[drawn % len(projects)] if projects and (drawn := word()) < _CHANCE_40 else None,
            "account": accounts[drawn % len(accounts)] if accounts and (drawn := word()) < _CHANCE_25 else None,
        }
        if given:
            if "start" in given and "end" not in given:
                begin_at = datetime.fromisoformat(str(given["start"]))
                fields["end"] = (begin_at + timedelta(minutes=length)).isoformat()
            return self._add("calendar_event", fields, given)
        return self._keep_linked("calendar_event", fields)

    def opportunity(self, **given: JSON) -> str:
        """A deal on an account."""
        word = self._word
        account, kind, name = self._a_deal(given.get("account"), given.get("kind"))
        fields: Row = {
            "name": name,
            "account": account,
            "owner": self._colleague(),
            "kind": kind,
            "stage": _STAGES[word() % len(_STAGES)],
            "amount": 500.0 * (4 + word() % 597),
            "currency": "EUR",
            "close_date": _date(self._today + 3 + word() % 198),
            "updated_at": self.past(60),
        }
        return self._add("opportunity", fields, given) if given else self._keep("opportunity", fields)

    def _a_deal(self, account: JSON, kind: JSON) -> tuple[str, str, str]:
        """An account, a kind of deal, and the deal's name; what is not given is drawn so that the name is free."""
        word, accounts, is_free = self._word, self._by_type["customer_account"], self._free_pools.is_free
        kinds = [name for name in _DEAL_KINDS if is_free(name.replace("_", " "))] or _DEAL_KINDS
        for attempt in range(8):
            on = str(account or (accounts[word() % len(accounts)] if accounts and attempt < 6 else self.account()))
            what = str(kind or kinds[word() % len(kinds)])
            name = f"{self.rows[on][1]['name']} {what.replace('_', ' ')}"
            if name not in self._called and is_free(name):
                break
        self._called[name] = None
        return on, what, name

    def ticket(self, **given: JSON) -> str:
        """A bug, incident or feature request of this or an earlier sprint."""
        word, by_type, staff = self._word, self._by_type, self._staff or [self.person()]
        projects, accounts = by_type["project"], by_type["customer_account"]
        kinds, components = self._lists["ticket_kinds"], self._lists["components"]
        self._ticket_number = self._free_number(self._key, self._ticket_number + 1 + word() % 7)
        kind, status, priority = _TICKET_STATES[word() % len(_TICKET_STATES)]
        fields: Row = {
            "title": f"{self._subject()} {kinds[word() % len(kinds)]}",
            "key": f"{self._key}-{self._ticket_number}",
            "kind": kind,
            "status": status,
            "priority": priority,
            "component": components[word() % len(components)],
            "sprint": f"Sprint {self.sprint - word() % 4}",
            "reporter": staff[word() % len(staff)],
            "assignee": staff[word() % len(staff)],
            "project": projects[drawn % len(projects)] if projects and (drawn := word()) < _CHANCE_30 else None,
            "account": accounts[drawn % len(accounts)] if accounts and (drawn := word()) < _CHANCE_30 else None,
            "created_at": self.past(60),
        }
        return self._add("ticket", fields, given) if given else self._keep_linked("ticket", fields)

    # --- whom and what records refer to ---

    def _colleague(self) -> str:
        """Somebody of the company itself."""
        staff = self._staff
        return staff[self._word() % len(staff)] if staff else self.person()

    def _some_people(self, count: int) -> list[str]:
        """Different people, in random order; all there are, if there are fewer."""
        word, people = self._word, self._by_type["person"]
        if len(people) < count:
            return self.bits.shuffled(people) or [self.person()]
        drawn = [people[word() % len(people)]]
        while len(drawn) < count:
            another = people[word() % len(people)]
            if another not in drawn:
                drawn.append(another)
        return drawn

    def _maybe(self, type_name: str, probability: float) -> str | None:
        """A record of a type, with that probability and if there is one."""
        ids, drawn = self._by_type[type_name], self._word()
        return ids[drawn % len(ids)] if ids and drawn < probability * WORDS else None


register_maker("person", Company.person, share=0.24)
register_maker("customer_account", Company.account, share=0.07)
register_maker("project", Company.project, share=0.04)
register_maker("folder", Company.folder, share=0.05)
register_maker("document", Company.document, share=0.18)
register_maker("email_thread", Company.thread, share=0.14)
register_maker("calendar_event", Company.event, share=0.12)
register_maker("opportunity", Company.opportunity, share=0.06, brings=True)
register_maker("ticket", Company.ticket, share=0.10)

# --- tables ---

_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
_BEGINNINGS: Final = tuple(map("".join, product(_ALPHABET[8:], _ALPHABET)))
_PAIRS: Final = tuple(map("".join, product(_ALPHABET, repeat=2)))
_FIRST, _NEXT = len(_BEGINNINGS), len(_PAIRS)
_FIRST_TWO, _IDS = _FIRST * _NEXT, _FIRST * _NEXT * _NEXT

_FIRST_DAY: Final = date(2025, 1, 6).toordinal()
_SLOTS: Final = 39
_ZONES: Final = tuple((timezone(timedelta(hours=hours)), f"{hours:+03}:00") for hours in (-8, -5, -3, 0, 1, 2, 3, 5))

_CHANCE_6, _CHANCE_20, _CHANCE_25, _CHANCE_30, _CHANCE_40, _CHANCE_50, _CHANCE_60, _CHANCE_70 = (
    percent * WORDS // 100 for percent in (6, 20, 25, 30, 40, 50, 60, 70)
)
"""Below which a word lies with that probability, in percent."""

_ACCOUNT_STATES: Final = tuple(
    product(("bronze", "silver", "gold", "platinum"), ("active", "active", "active", "at_risk", "prospect"))
)
_PROJECT_STATES: Final = ("active", "active", "planned", "paused")
_DOCUMENT_STATES: Final = tuple(
    product(
        ("v1", "v2", "v3", "v4"),
        ("draft", "in_review", "approved", "final", "archived"),
        ("public", "internal", "internal", "confidential", "restricted"),
    )
)
_DEAL_KINDS: Final = ("new_business", "renewal", "expansion")
_STAGES: Final = ("discovery", "proposal", "negotiation", "contract")
_TICKET_STATES: Final = tuple(
    product(
        ("bug", "bug", "incident", "feature_request"),
        ("open", "in_progress", "in_review", "resolved"),
        ("P0", "P1", "P2", "P2", "P3"),
    )
)
_PLACES: Final = tuple(place for city in Pools.cities for place in ("Room 1", "Room 2", "Room 3", "video call", city))
_HOURS: Final = tuple(product(range(480, 1020, 30), (30, 60, 90)))
_BODIES: Final = tuple(
    (before, after)
    for before, _, after in (
        text.partition("*")
        for text in (
            "Hello all, a quick word on *: can we settle this by Friday?",
            "Thanks for the call. I have added what we said about *.",
            "Could somebody look at the part on * once more?",
            "As discussed, here is where we are with *.",
            "Just checking in on *, no rush.",
            "We would like to go ahead with * as planned.",
            "Who is the right person to ask about *?",
            "Attached you find the current state of *.",
        )
    )
)


@cache
def _date(ordinal: int) -> str:
    return date.fromordinal(ordinal).isoformat()


@cache
def _clock(offset: str) -> tuple[str, ...]:
    """What follows the date in a time, for every minute of a day."""
    return tuple(f"T{minute // 60:02}:{minute % 60:02}:00{offset}" for minute in range(24 * 60))


@cache
def _slots(offset: str) -> tuple[str, ...]:
    """The quarters of an hour records are written in, from 8:00 to 17:30."""
    return _clock(offset)[480 : 480 + 15 * _SLOTS : 15]


@cache
def _fields_of(type_name: str) -> tuple[str, ...]:
    """The fields of a type, in the order of their declaration."""
    return tuple(ENTITY_TYPES[type_name].model.model_fields)


@lru_cache(maxsize=1 << 10)
def _host(company: str) -> str:
    return f"{''.join(words(company)) or 'company'}.example"


def _box(name: str) -> str:
    return ".".join(words(name)) or "mail"


def _job_title(team: JSON, role: JSON) -> str:
    return f"{team} {role}" if team else str(role).capitalize()


def _as_list(ids: JSON) -> list[str]:
    return [name for name in ids if isinstance(name, str)] if isinstance(ids, list | tuple) else []
