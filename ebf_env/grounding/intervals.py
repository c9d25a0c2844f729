"""Half-open spans of calendar days and minutes, and the calendar arithmetic behind them.

Conventions: days are calendar days, weeks begin on Monday, quarters in January, April, July and October. An interval
holds its begin and not its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Literal, TypeAlias

Granularity: TypeAlias = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]

GRANULARITIES: tuple[Granularity, ...] = ("minute", "hour", "day", "week", "month", "quarter", "year")
_MONTHS_IN = {"month": 1, "quarter": 3, "year": 12}
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Interval:
    """The half-open span [begin, end).

    Attributes:
        begin: first day or instant; ``None``: unbounded.
        end: first day or instant after it; ``None``: unbounded.
        granularity: the unit that the words named.
        anchored: whether it was reckoned from ``now`` ("last week") and not written out ("March 2026").
    """

    begin: date | datetime | None
    end: date | datetime | None
    granularity: Granularity
    anchored: bool = False

    def holds(self, value: date | datetime) -> bool:
        """Whether a day or an instant lies in the interval.

        A day lies in an interval of instants if it shares an instant with it; an instant lies in an interval of days
        if its own day, as written, does.
        """
        begins = self.begin is None or _not_before(value, self.begin)
        return begins and (self.end is None or _before(value, self.end))

    @property
    def empty(self) -> bool:
        """Whether nothing can lie in it."""
        return self.begin is not None and self.end is not None and not _before(self.begin, self.end)


def _not_before(value: date | datetime, bound: date | datetime) -> bool:
    if isinstance(value, datetime) and isinstance(bound, datetime):
        value, bound = _comparable(value, bound)
        return value >= bound
    return day_of(value) >= day_of(bound)


def _before(value: date | datetime, bound: date | datetime) -> bool:
    if isinstance(value, datetime) and isinstance(bound, datetime):
        value, bound = _comparable(value, bound)
        return value < bound
    if isinstance(bound, datetime):
        last = bound.date() if (bound.hour, bound.minute, bound.second) > (0, 0, 0) else bound.date() - DAY
        return day_of(value) <= last
    return day_of(value) < bound


def _comparable(value: datetime, bound: datetime) -> tuple[datetime, datetime]:
    if (value.tzinfo is None) == (bound.tzinfo is None):
        return value, bound
    return value.replace(tzinfo=None), bound.replace(tzinfo=None)


def day_of(value: date | datetime) -> date:
    """The calendar day of a day or an instant, as written."""
    return value.date() if isinstance(value, datetime) else value


def add_months(day: date, count: int) -> date:
    """The same day ``count`` months on, or the last of that month where it has no such day."""
    months = day.year * 12 + day.month - 1 + count
    first = date(months // 12, months % 12 + 1, 1)
    if day.day <= 28:
        return first.replace(day=day.day)
    last = (first + timedelta(days=31)).replace(day=1) - DAY
    return min(first + timedelta(days=day.day - 1), last)


def add_units(day: date, unit: Granularity, count: int) -> date:
    """The day ``count`` days, weeks, months, quarters or years on."""
    if unit == "day":
        return day + timedelta(days=count)
    if unit == "week":
        return day + timedelta(weeks=count)
    return add_months(day, count * _MONTHS_IN[unit])


@lru_cache(maxsize=1 << 14)
def calendar_unit(day: date, unit: Granularity, offset: int = 0) -> tuple[date, date]:
    """Begin and end of the calendar unit ``offset`` units after the one that ``day`` lies in."""
    if unit == "day":
        begin = day
    elif unit == "week":
        begin = day - timedelta(days=day.weekday())
    else:
        begin = date(day.year, day.month - (day.month - 1) % _MONTHS_IN[unit], 1)
    begin = add_units(begin, unit, offset)
    return begin, add_units(begin, unit, 1)


def add_minutes(moment: datetime, count: int) -> datetime:
    """The instant ``count`` minutes on, clock changes counted."""
    if moment.tzinfo is None:
        return moment + timedelta(minutes=count)
    return (moment.astimezone(UTC) + timedelta(minutes=count)).astimezone(moment.tzinfo)


def part_of(begin: date, end: date, unit: Granularity, which: Literal["start", "middle", "end"]) -> tuple[date, date]:
    """Start, middle or end of a span of days.

    Of a week: Monday and Tuesday, Wednesday and Thursday, Friday to Sunday. Of a month: up to the 10th, the 11th to the
    20th, from the 21st. Of a quarter: its first, second, third month. Of a year: its first quarter, the two in the
    middle, its last. Of other spans: thirds.
    """
    if unit == "day":
        return begin, end
    if unit == "week":
        first, second = begin + timedelta(days=2), begin + timedelta(days=4)
    elif unit == "month":
        first, second = begin + timedelta(days=10), begin + timedelta(days=20)
    elif unit == "quarter":
        first, second = add_months(begin, 1), add_months(begin, 2)
    else:
        first, second = add_months(begin, 3), add_months(begin, 9)
    if not begin < first < second < end:
        days = (end - begin).days
        first, second = begin + timedelta(days=-(-days // 3)), begin + timedelta(days=-(-2 * days // 3))
    return {"start": (begin, first), "middle": (first, second), "end": (second, end)}[which]
