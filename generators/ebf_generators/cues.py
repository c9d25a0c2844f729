"""Cues: what in a mention, or near it, tells rivals of one name apart.

A cue of a type draws the values it can be asked for (a team, an owner, a week), deals them to the rivals of a world,
and knows what is said for each. Its values carry the test they ask for, so that what is said and what is meant cannot
drift apart. Conditions register the cues they turn on (``ebf_generators.conditions``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from ebf_env.json_types import JSON
from ebf_env.world.references import (
    Beside,
    Equals,
    Form,
    Named,
    NamesUser,
    Not,
    Pick,
    ReferredBy,
    Related,
    Test,
    Window,
)
from ebf_env.world.references import Within as WithinTest
from ebf_generators.company import Row
from ebf_generators.phrasing.patterns import NONE, Patterns
from ebf_generators.pools import Pools
from ebf_generators.stage import NOUNS, PROPER, Rows, Stage

Hold = JSON
"""What a rival has of a cue; each kind of cue has its own."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value a mention can ask for.

    Attributes:
        said: the words for it, put for ``{v}``.
        hold: what a record has that meets it.
        test: what it asks of a record; None where it is a superlative.
        pick: the superlative.
        post: patterns to use instead of the cue's.
        pre: likewise, for what stands before the head.
        foil: what a record of another name has that fails nothing but the name; ``hold`` where None.
    """

    said: str
    hold: Hold
    test: Test | None = None
    pick: Pick | None = None
    post: Patterns | None = None
    pre: Patterns | None = None
    foil: Hold = None


@dataclass(frozen=True, slots=True)
class Deal:
    """What is dealt in a block.

    Attributes:
        asked: the values mentions ask for.
        fillers: what rivals have that no mention asks for.
    """

    asked: tuple[Value, ...]
    fillers: tuple[Hold, ...]


@dataclass(frozen=True, kw_only=True)
class Cue(ABC):
    """What tells rivals apart.

    Attributes:
        name: short name, unique among the cues of its type.
        type_name: the type of the rivals.
        post: patterns after the head: "from {v}".
        pre: patterns before the head, in place of its article: "the {v}".
        most: most values it can be asked for at once.
        can_miss: whether there may be no rival with a value asked for.
        fills: whether a rival may have none of the values asked for.
        crowd: fewest rivals that have none of the values asked for, where there can be any.
        joins: whether it goes together with another cue in one mention.
    """

    name: str
    type_name: str
    post: Patterns
    pre: Patterns = NONE
    most: int = 3
    can_miss: bool = True
    fills: bool = True
    crowd: int = 0
    joins: bool = True

    def common(self, stage: Stage) -> Row:
        """Fields that all rivals have alike, so that the cue makes sense."""
        del stage
        return {}

    @abstractmethod
    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw values; records they refer to are added to the stage."""

    @abstractmethod
    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Give every holder what it has in a world."""

    def after(self, value: Value, stage: Stage) -> tuple[str, ...]:
        """Patterns after the head for a value, in the split of the stage."""
        return (value.post or self.post)[stage.pools.split]

    def before(self, value: Value, stage: Stage) -> tuple[str, ...]:
        """Patterns before the head for a value, in the split of the stage."""
        return (self.pre if value.pre is None else value.pre)[stage.pools.split]


def _distinct(stage: Stage, pool: Sequence[str], count: int) -> list[str]:
    return stage.bits.sample(pool, count)


Fix = Callable[[Stage, Row], None]


@dataclass(frozen=True, kw_only=True)
class Attribute(Cue):
    """A field with a value out of a pool.

    Attributes:
        path: the field.
        pool: the values.
        said: a value's words where they differ from it.
        fix: makes other fields fit the new value.
        many: whether the field is a list.
    """

    path: str
    pool: Callable[[Pools], Sequence[str]]
    said: Mapping[str, str] = field(default_factory=dict)
    fix: Fix | None = None
    many: bool = False

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw different values; fillers repeat where there are too few."""
        pool = self.pool(stage.pools)
        drawn = stage.bits.sample(pool, min(asked + max(fillers, 1), len(pool)))
        values = tuple(Value(self.said.get(text, text), text, Equals(self.path, text)) for text in drawn[:asked])
        rest = drawn[asked:] or drawn
        return Deal(values, tuple(rest[n % len(rest)] for n in range(fillers)))

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the field."""
        for entity_id, hold in holders:
            row = rows.row(entity_id)
            row[self.path] = [hold] if self.many else stage.written(self.type_name, self.path, hold)
            if self.fix is not None:
                self.fix(stage, row)


@dataclass(frozen=True, kw_only=True)
class Negated(Cue):
    """A value of an attribute, and its opposite: "the approved one", "the one that is not approved".

    Attributes:
        of: the attribute.
        without: patterns that say a record does not have the value.
    """

    of: Attribute
    without: Patterns
    most: int = 2
    can_miss: bool = False
    fills: bool = False

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw one value; the other is whatever differs from it."""
        drawn = self.of.draw(stage, 1, 2)
        [value], others = drawn.asked, drawn.fillers
        assert value.test is not None  # noqa: S101 -- an attribute's value is a test
        opposite = Value(value.said, others[0], Not(value.test), post=self.without)
        return Deal((value, opposite), tuple(others[n % 2] for n in range(fillers)))

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the attribute."""
        self.of.deal(stage, rows, holders)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A record that a relation leads to, and what it is called."""

    entity_id: str
    said: str
    form: Form


def anchor(stage: Stage, type_name: str, **fields: JSON) -> Anchor:
    """A new record with a name of its own; people are called by their whole name or by their first one."""
    entity_id = stage.make(type_name, **fields)
    name = stage.full_name(entity_id)
    if type_name == "person" and stage.bits.chance(0.5):
        first = name.said.split(maxsplit=1)[0]
        return Anchor(entity_id, first, Form(type_name, (Named(stage.words(first)),)))
    said = name.said if type_name in PROPER else f"the {name.said}"
    if type_name in SPOKEN_NOUN:
        said = f"{said} {NOUNS[type_name]}"
    return Anchor(entity_id, said, Form(type_name, (Named(name.words),)))


SPOKEN_NOUN: Final = frozenset({"email_thread", "folder", "ticket"})
"""Types whose noun is said after the title of a record that a relation leads to ("the pricing question thread")."""


@dataclass(frozen=True, kw_only=True)
class RelatedTo(Cue):
    """A field that names another record: "that Dana owns".

    Attributes:
        path: the field.
        anchor: type of the record it names.
        mine: patterns for the record that names who is asking; without them that is never said.
        many: whether the field is a list.
        fix: makes other fields fit the new value.
    """

    path: str
    anchor: str
    mine: Patterns | None = None
    many: bool = False
    fix: Fix | None = None

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw records of the other type; one of them may be who is asking."""
        values = []
        if self.mine is not None and stage.bits.chance(0.3):
            values.append(Value("", stage.user_id, NamesUser(self.path), post=self.mine))
        while len(values) < asked:
            other = anchor(stage, self.anchor)
            values.append(Value(other.said, other.entity_id, Related(self.path, other.form)))
        strangers = [stage.make(self.anchor) for _ in range(min(fillers, 2))]
        return Deal(tuple(stage.bits.shuffled(values)), tuple(strangers[n % len(strangers)] for n in range(fillers)))

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the reference."""
        for entity_id, hold in holders:
            row = rows.row(entity_id)
            row[self.path] = [hold, stage.user_id] if self.many and hold != stage.user_id else hold
            if self.many and hold == stage.user_id:
                row[self.path] = [hold]
            if self.fix is not None:
                self.fix(stage, row)


@dataclass(frozen=True, kw_only=True)
class NamedBy(Cue):
    """A list in another record that names the rivals: "who is invited to the kickoff".

    Attributes:
        path: the list, in the other record.
        anchor: type of the other record.
        write: puts the ids into the other record's row.
    """

    path: str
    anchor: str
    write: Callable[[Row, list[str]], None]

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw records of the other type."""
        values = []
        for _ in range(asked):
            other = anchor(stage, self.anchor)
            values.append(Value(other.said, other.entity_id, ReferredBy(self.path, other.form)))
        return Deal(tuple(values), (None,) * fillers)

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the lists of all other records that name somebody here."""
        lists: dict[str, list[str]] = {}
        for entity_id, hold in holders:
            if isinstance(hold, str):
                lists.setdefault(hold, []).append(entity_id)
        for other, ids in lists.items():
            self.write(rows.row(other), ids)


@dataclass(frozen=True, kw_only=True)
class WithinFamily(Attribute):
    """An attribute of accounts that have one parent."""

    def common(self, stage: Stage) -> Row:
        """The parent."""
        return {"parent": corporate_family(stage)[0]}


@dataclass(frozen=True, kw_only=True)
class OfFamily(Cue):
    """An account of a corporate family: "for Oakbridge in EMEA".

    The accounts share a parent and a name; what tells them apart is asked for too.

    Attributes:
        path: the field that names the account.
    """

    path: str = "account"

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw a corporate family, with a member in another region for each value."""
        parent, brand = corporate_family(stage)
        regions = _distinct(stage, stage.pools.regions, asked + 1)
        members = [family_member(stage, parent, brand, region) for region in regions]
        for region in regions[:asked]:
            stage.make("customer_account", region=region)  # without the brand, the region would not tell
        values = []
        for member, region in zip(members[:asked], regions, strict=False):
            form = Form("customer_account", (Named(stage.words(brand)), Equals("region", region)))
            values.append(Value(f"the {region} branch of {brand}", member, Related(self.path, form)))
        return Deal(tuple(values), (members[-1],) * fillers)

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the account."""
        for entity_id, hold in holders:
            rows.row(entity_id)[self.path] = hold


def corporate_family(stage: Stage) -> tuple[str, str]:
    """A new parent account, and the brand its subsidiaries are known by."""
    brand = stage.brand()
    parent = stage.make("customer_account", name=f"{stage.brand()} Holding", parent=None)
    return parent, brand


def family_member(stage: Stage, parent: str, brand: str, region: str) -> str:
    """A new subsidiary."""
    name = f"{brand} {stage.bits.choice(stage.pools.industries)}"
    return stage.make("customer_account", name=name, parent=parent, region=region)


# --- time ---


@dataclass(frozen=True, slots=True)
class Span:
    """A window, and what people say for it."""

    window: Window
    said: str

    @property
    def has_possessive(self) -> bool:
        """Whether "'s" can follow ("tomorrow's")."""
        return not self.said.startswith(("on ", "the "))


WEEKDAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")

PAST: Final = (
    Span(Window("day", -1), "yesterday"),
    Span(Window("week", -1), "last week"),
    Span(Window("week", -2), "the week before last"),
    Span(Window("month", -1), "last month"),
    Span(Window("month", -2), "the month before last"),
    *(Span(Window("week", -1, day), f"on {name} last week") for day, name in enumerate(WEEKDAYS)),
)
DISTANT_PAST: Final = (
    Span(Window("month", -1), "last month"),
    Span(Window("month", -2), "the month before last"),
    Span(Window("quarter", -1), "last quarter"),
    Span(Window("year", -1), "last year"),
    Span(Window("year", -2), "the year before last"),
)
FUTURE: Final = (
    Span(Window("day", 1), "tomorrow"),
    Span(Window("week", 1), "next week"),
    Span(Window("week", 2), "the week after next"),
    Span(Window("month", 1), "next month"),
    *(Span(Window("week", 1, day), f"on {name} next week") for day, name in enumerate(WEEKDAYS)),
)
DISTANT_FUTURE: Final = (
    Span(Window("week", 1), "next week"),
    Span(Window("month", 1), "next month"),
    Span(Window("month", 2), "the month after next"),
    Span(Window("quarter", 1), "next quarter"),
    Span(Window("year", 1), "next year"),
    Span(Window("year", 2), "the year after next"),
)


def _apart(ranges: Sequence[tuple[Span, int, int]]) -> bool:
    """Whether no two windows share a day."""
    return all(one[2] <= other[1] or other[2] <= one[1] for one, other in combinations(ranges, 2))


def _days_outside(stage: Stage, ranges: Sequence[tuple[int, int]], count: int) -> list[int]:
    """Days in none of the windows, as often later than all of them as earlier, so that no end is meant more often.

    Days stay on the same side of today as the windows, where these do.
    """
    first, after = min(begin for begin, _ in ranges), max(end for _, end in ranges)
    latest = 0 if after <= 1 else after + 20
    earliest = 1 if first > 0 else first - 20
    later, earlier = list(range(after, latest + 1)), list(range(earliest, first))
    days = []
    for _ in range(count):
        side = later if stage.bits.chance(0.5) else earlier
        days.append(stage.bits.choice(side or later or earlier))
    return days


@dataclass(frozen=True, kw_only=True)
class Counted(Cue):
    """A cue whose values are numbers: days counted from today, places in an order.

    Attributes:
        path: the field.
        write: puts a number into a row.
    """

    path: str
    write: Callable[[Stage, Row, int], None]
    joins: bool = False

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the numbers."""
        for entity_id, hold in holders:
            assert isinstance(hold, int)  # noqa: S101 -- see above
            self.write(stage, rows.row(entity_id), hold)


@dataclass(frozen=True, kw_only=True)
class During(Counted):
    """A time within a window relative to now: "updated last week".

    Attributes:
        spans: the windows.
    """

    spans: Sequence[Span]
    crowd: int = 1

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw windows, and for each a day that lies in no other; fillers lie in none."""
        today = stage.company.now.date()
        ranges: list[tuple[Span, int, int]] = []
        for span in stage.bits.shuffled(list(self.spans)):
            first, after = span.window.days(stage.company.now.isoformat())
            if not first <= today < after:
                ranges.append((span, (first - today).days, (after - today).days))
        chosen = next(some for some in combinations(ranges, asked) if _apart(some))
        values = tuple(
            Value(
                span.said,
                stage.bits.between(first, after - 1),
                WithinTest(self.path, span.window),
                pre=None if span.has_possessive else NONE,
            )
            for span, first, after in chosen
        )
        outside = _days_outside(stage, [(first, after) for _, first, after in chosen], fillers)
        return Deal(values, tuple(outside))


@dataclass(frozen=True, kw_only=True)
class BesideAnchor(Counted):
    """A time after or before another record's: "after the kickoff".

    Attributes:
        earlier: patterns for the other side.
    """

    earlier: Patterns
    most: int = 2
    can_miss: bool = False
    fills: bool = False

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw the other record, and days on both sides of its own."""
        other = anchor(stage, self.type_name)
        day = stage.bits.between(4, 12)
        self.write(stage, stage.row(other.entity_id), day)
        after = Value(other.said, day + stage.bits.between(1, 9), Beside(self.path, "after", other.form, self.path))
        before = Value(
            other.said,
            day - stage.bits.between(1, 3),
            Beside(self.path, "before", other.form, self.path),
            post=self.earlier,
        )
        return Deal((after, before), tuple(day + 1 + n for n in range(fillers)))


@dataclass(frozen=True, kw_only=True)
class Extreme(Counted):
    """The greatest or least value of a field: "the latest", "the first".

    Two rivals may share a value (two copies of one version), and then no superlative singles one out.

    Attributes:
        least: patterns for the other end.
        least_pre: likewise, for what stands before the head.
        lowest: the least number a rival may have.
    """

    least: Patterns
    least_pre: Patterns = NONE
    most: int = 2
    can_miss: bool = False
    lowest: int = 2

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw a greatest and a least number; fillers lie between them."""
        low = self.lowest + stage.bits.below(3)
        high = low + max(fillers, 1) + 1 + stage.bits.below(2)
        last = Value("", high, pick=Pick(self.path, "last"), foil=high + 2)
        first = Value("", low, pick=Pick(self.path, "first"), post=self.least, pre=self.least_pre, foil=low - 1)
        return Deal((last, first), tuple(low + 1 + n for n in range(fillers)))


@dataclass(frozen=True, kw_only=True)
class Notified(Cue):
    """An attribute whose record lags behind: a change notice, newer than the record, says what is so.

    Attributes:
        of: the attribute.
    """

    of: Attribute

    def draw(self, stage: Stage, asked: int, fillers: int) -> Deal:
        """Draw values of the attribute."""
        drawn = self.of.draw(stage, asked, fillers)
        values = tuple(Value(v.said, v.hold, self._test(str(v.hold))) for v in drawn.asked)
        return Deal(values, drawn.fillers)

    def _test(self, value: str) -> Test:
        notice = Form("change_notice", (Equals("field", self.of.path), Equals("value", value)))
        return ReferredBy("record", notice)

    def deal(self, stage: Stage, rows: Rows, holders: Sequence[tuple[str, Hold]]) -> None:
        """Write the notices, and into every record a value another one has by now."""
        values = [hold for _, hold in holders]
        for number, (entity_id, hold) in enumerate(holders):
            others = [v for v in (*values[number + 1 :], *values[:number]) if v != hold]
            self.of.deal(stage, rows, [(entity_id, others[0] if others else hold)])
            notice = stage.notice_of(entity_id, self.of.path)
            row = rows.row(notice)
            row["value"] = hold
            row["title"] = f"{stage.label(entity_id)}: {self.of.path} is now {hold}"
