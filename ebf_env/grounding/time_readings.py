"""What a phrase says about time, before it becomes an expression, and how two such phrases make one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Literal, TypeAlias

from ebf_env.grounding.intervals import DAY, GRANULARITIES, Granularity, Interval, add_units, calendar_unit, day_of
from ebf_env.grounding.patterns import Pattern

Clock: TypeAlias = tuple[int, int]
Bound: TypeAlias = Literal["before", "after", "since", "until"]
MIDNIGHT = 24 * 60


@dataclass(frozen=True, slots=True)
class Reading:
    """What a phrase may mean.

    Attributes:
        intervals: the alternatives, most likely first.
        patterns: parts of dates that still ask for a date nearby.
        clocks: minutes of the day, alternatives, most likely first; an end past 1440 runs into the next morning.
        relative: whether it can only be read from ``now``.
        recurring: whether it means every such date.
    """

    intervals: tuple[Interval, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    clocks: tuple[Clock, ...] = ()
    relative: bool = False
    recurring: bool = False

    @property
    def dated(self) -> bool:
        """Whether it says something about the day."""
        return bool(self.intervals or self.patterns or self.relative)

    @property
    def adrift(self) -> bool:
        """Whether it wants a ``now`` that was not given."""
        return self.relative and not self.intervals


def days(begin: date, end: date, unit: Granularity, *, relative: bool = False) -> Reading:
    """One span of days."""
    return Reading((Interval(begin, end, unit, relative),), relative=relative)


def nearby(reading: Reading, today: date | None) -> Reading:
    """The reading with its patterns turned into the dates near today."""
    if not reading.patterns or reading.recurring or today is None:
        return reading
    near = [[(span, pattern.granularity) for span in pattern.near(today)] for pattern in reading.patterns]
    rounds = [row[rank] for rank in range(max(map(len, near))) for row in near if rank < len(row)]
    found = tuple(Interval(begin, end, unit, True) for (begin, end), unit in dict.fromkeys(rounds))
    return replace(reading, intervals=found, relative=True)


def combined(one: Reading, other: Reading) -> Reading | None:
    """Both phrases as one ("Tuesday" and "last week", "tomorrow" and "at 3"), or ``None`` if they make none."""
    if one.recurring and other.dated:
        return None
    if one.clocks and other.clocks:
        clocks = tuple(
            mine if mine[1] - mine[0] <= its[1] - its[0] else its
            for mine in one.clocks
            for its in other.clocks
            if _inside(mine, its) or _inside(its, mine)
        )
        if not clocks:
            return None
    else:
        clocks = one.clocks or other.clocks
    if not one.dated or not other.dated:
        dated = one if one.dated else other
        if any(isinstance(bound, datetime) for each in dated.intervals for bound in (each.begin, each.end)):
            return None
        return replace(dated, clocks=clocks)
    for narrow, wide in ((one, other), (other, one)):
        both = _restricted(narrow, wide)
        if both is not None:
            return replace(both, clocks=clocks)
    return None


def _inside(inner: Clock, outer: Clock) -> bool:
    return any(outer[0] <= inner[0] + shift and inner[1] + shift <= outer[1] for shift in (0, MIDNIGHT))


def _restricted(narrow: Reading, wide: Reading) -> Reading | None:
    if not narrow.patterns or narrow.recurring:
        return None
    if wide.patterns:
        joined = tuple(
            both for mine in narrow.patterns for its in wide.patterns if (both := mine.joined(its)) is not None
        )
        return Reading(patterns=joined) if joined else None
    if wide.adrift:
        return Reading(relative=True)
    found: list[Interval] = []
    for pattern in narrow.patterns:
        rank = GRANULARITIES.index(pattern.granularity)
        for each in wide.intervals:
            if each.begin is None or each.end is None or isinstance(each.begin, datetime):
                return None
            if GRANULARITIES.index(each.granularity) <= rank:
                if each.granularity == "day" and pattern.weekday and not pattern.day and not pattern.month:
                    single = each.begin + DAY == each.end
                    found += [each] if single and each.begin.weekday() == pattern.weekday[0] else []
                continue
            spans = pattern.within(each.begin, day_of(each.end))
            found += [Interval(begin, end, pattern.granularity, each.anchored) for begin, end in spans]
    if not found and narrow.patterns[0].weekday and narrow.patterns[0].day and not wide.relative:
        return _restricted(Reading(patterns=(replace(narrow.patterns[0], weekday=None),)), wide)
    if not found and narrow.patterns[0].weekday and all(each.granularity == "day" for each in wide.intervals):
        return (
            wide if not narrow.patterns[0].month and not wide.relative else None
        )  # a wrong weekday beside a written date
    return Reading(tuple(dict.fromkeys(found)), relative=wide.relative) if found else None


def shifted(reading: Reading, count: int, unit: Granularity, *, calendar: bool) -> Reading | None:
    """``count`` units after (before) what it means; ``calendar``: the whole unit, and not the day."""
    if reading.adrift:
        return Reading(relative=True)
    found: list[Interval] = []
    for each in reading.intervals:
        if each.begin is None or each.end is None or unit in {"minute", "hour"}:
            return None
        anchor = day_of(each.begin) if count < 0 else day_of(each.end) - DAY
        if isinstance(each.end, datetime):
            anchor = day_of(each.begin)
        if unit != "day" and (calendar or each.granularity == unit):
            found.append(Interval(*calendar_unit(anchor, unit, count), unit, each.anchored))
        else:
            day = add_units(anchor, unit, count)
            found.append(Interval(day, day + DAY, "day", each.anchored))
    return Reading(tuple(dict.fromkeys(found)), clocks=reading.clocks, relative=reading.relative) if found else None


def bounded(reading: Reading, bound: Bound, now: datetime | None) -> Reading | None:
    """What lies before, after, since or until what it means."""
    if reading.recurring:
        return None
    if not reading.dated:
        return replace(reading, clocks=tuple(_clock_bound(clock, bound) for clock in reading.clocks))
    found: list[Interval] = []
    for each in reading.intervals:
        for clock in _closings(reading.clocks, bound):
            begin, end = each.begin, each.end
            if clock is not None and begin is not None and not isinstance(begin, datetime):
                zone = now.tzinfo if now is not None else None
                begin, end = (_at(day_of(begin), minute, zone) for minute in clock)
            if bound == "before":
                found.append(Interval(None, begin, each.granularity, each.anchored))
            elif bound == "until":
                found.append(Interval(None, end, each.granularity, each.anchored))
            else:
                found.append(Interval(end if bound == "after" else begin, None, each.granularity, each.anchored))
    if now is not None and reading.patterns:
        found = _sided(found, bound, now.date()) or found
    if any(each.begin is None and each.end is None for each in found):
        return None
    unlike = {(each.begin, each.end): each for each in reversed(found)}
    return Reading(tuple(reversed(unlike.values())), relative=reading.relative)


def _sided(found: list[Interval], bound: Bound, today: date) -> list[Interval]:
    """Only what "since" (of the past) or "until" (of the future) can mean."""
    if bound == "since":
        return [each for each in found if each.begin is not None and day_of(each.begin) <= today]
    if bound == "until":
        return [each for each in found if each.end is not None and day_of(each.end) > today]
    return found


def _at(day: date, minute: int, zone: object) -> datetime:
    moment = datetime.combine(day + (minute // MIDNIGHT) * DAY, time(minute % MIDNIGHT // 60, minute % 60))
    return moment.replace(tzinfo=zone)  # type: ignore[arg-type]


def _closings(clocks: tuple[Clock, ...], bound: Bound) -> tuple[Clock | None, ...]:
    return tuple(_closing(each, bound) for each in clocks) or (None,)


def _closing(clock: Clock, bound: Bound) -> Clock:
    """Midnight ends a day where something lies before it."""
    return (MIDNIGHT, MIDNIGHT + 1) if clock == (0, 1) and bound in {"before", "until"} else clock


def _clock_bound(clock: Clock, bound: Bound) -> Clock:
    begin, end = _closing(clock, bound)
    match bound:
        case "before":
            return 0, min(begin, MIDNIGHT)
        case "until":
            return 0, min(end, MIDNIGHT)
        case "after":
            return min(end, MIDNIGHT), MIDNIGHT
        case "since":
            return begin, MIDNIGHT


def spanned(one: Reading, other: Reading, today: date | None) -> Reading | None:
    """From the begin of the one to the end of the other ("from Friday to Monday", "3 March to today")."""
    if one.clocks or other.clocks or one.recurring or other.recurring:
        return None
    if today is None and (one.relative or other.relative or one.patterns or other.patterns):
        return Reading(relative=True)
    first, last = nearby(one, today), nearby(other, today)
    found: list[Interval] = []
    for low in first.intervals:
        for high in last.intervals:
            if low.begin is None or high.end is None or low.end is None or high.begin is None:
                return None
            begin, end = low.begin, high.end
            if one.patterns and not other.patterns and not isinstance(high.begin, datetime):
                year_before = high.begin - timedelta(days=366)
                spans = list(one.patterns[0].within(year_before, high.begin))
                begin = spans[-1][0] if spans else begin
            unit = min(low.granularity, high.granularity, key=GRANULARITIES.index)
            span = Interval(begin, end, unit, low.anchored or high.anchored)
            if not span.empty and day_of(low.begin) <= day_of(high.begin):
                found.append(span)
    found.sort(key=lambda each: (day_of(each.end or date.max) - day_of(each.begin or date.min)).days)
    relative = first.relative or last.relative
    return Reading(tuple(dict.fromkeys(found))[:2], relative=relative) if found else None
