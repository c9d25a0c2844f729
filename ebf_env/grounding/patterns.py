"""Dates that words fix only in part: "Tuesday", "the 27th", "March", "3 March", "Q3"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from ebf_env.grounding.intervals import DAY, Granularity, add_months, calendar_unit

Pair = tuple[int, int]
Days = tuple[date, date]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Parts of a date, each as first and last ("Monday to Friday" is ``weekday=(0, 4)``).

    Attributes:
        weekday: 0 Monday to 6 Sunday.
        day: of the month, 1 to 31.
        month: 1 to 12.
        quarter: 1 to 4.
        half: of the year, 1 or 2.
    """

    weekday: Pair | None = None
    day: Pair | None = None
    month: Pair | None = None
    quarter: Pair | None = None
    half: Pair | None = None

    @property
    def granularity(self) -> Granularity:
        """The unit of what it fixes."""
        if self.weekday or self.day:
            return "day"
        return "month" if self.month else "quarter"

    @property
    def period(self) -> Granularity:
        """The unit within which it comes around once."""
        if self.month or self.quarter or self.half:
            return "year"
        return "month" if self.day else "week"

    def joined(self, other: Pattern) -> Pattern | None:
        """Both at once, or ``None`` if both fix the same part."""
        merged: list[Pair | None] = []
        for mine, its in (
            (self.weekday, other.weekday),
            (self.day, other.day),
            (self.month, other.month),
            (self.quarter, other.quarter),
            (self.half, other.half),
        ):
            if mine is not None and its is not None:
                return None
            merged.append(mine if its is None else its)
        weekday, day, month, quarter, half = merged
        if sum(part is not None for part in (month, quarter, half)) > 1 or (day and (quarter or half)):
            return None
        return Pattern(weekday, day, month, quarter, half)

    def fits(self, day: date) -> bool:
        """Whether the day is one of those it could mean in some week, month or year."""
        try:
            reach = timedelta(days=10 if self.period == "week" else 70 if self.period == "month" else 800)
            return any(begin <= day < end for begin, end in self.within(day - reach, day + DAY))
        except (OverflowError, ValueError):
            return False

    def within(self, begin: date, end: date) -> Iterator[Days]:
        """What it means, in order, among what begins in [begin, end)."""
        for first, after in self._spans(begin, end):
            if begin <= first < end:
                yield first, after

    def _spans(self, begin: date, end: date) -> Iterator[Days]:
        if self.weekday is not None and (self.day or self.month or self.quarter or self.half):
            rest = Pattern(None, self.day, self.month, self.quarter, self.half)
            for first, after in rest._spans(begin, end):
                if self.day is None:
                    yield from Pattern(weekday=self.weekday).within(first, after)
                elif first.weekday() == self.weekday[0]:
                    yield first, after
        elif self.weekday is not None:
            low, high = self.weekday
            first = begin - timedelta(days=begin.weekday()) + timedelta(days=low)
            while first < end:
                yield first, first + timedelta(days=(high - low) % 7 + 1)
                first += timedelta(days=7)
        elif self.day is not None and self.month is None:
            month = begin.replace(day=1)
            while month < end:
                following = add_months(month, 1)
                wraps = self.day[1] < self.day[0]
                yield from _between(_date(month, self.day[0]), _date(following if wraps else month, self.day[1]))
                month = following
        else:
            for year in range(begin.year, end.year + 1):
                yield from self._in_year(year)

    def _in_year(self, year: int) -> Iterator[Days]:
        if self.month is None:
            part, months = (self.half, 6) if self.half is not None else (self.quarter, 3)
            if part is not None:
                first = date(year, (part[0] - 1) * months + 1, 1)
                yield first, add_months(first, ((part[1] - part[0]) % (12 // months) + 1) * months)
            return
        low, high = self.month
        if self.day is None:
            first = date(year, low, 1)
            yield first, add_months(first, (high - low) % 12 + 1)
        else:
            wraps = (high, self.day[1]) < (low, self.day[0])
            yield from _between(_date(date(year, low, 1), self.day[0]), _date(date(year + wraps, high, 1), self.day[1]))

    @lru_cache(maxsize=1 << 14)  # noqa: B019 - patterns are small values
    def near(self, today: date) -> tuple[Days, ...]:
        """What it may mean today, most likely first.

        A weekday: this week's, the coming, the past one. A day of the month: this month's, the coming, the past one. A
        quarter or half: this year's, the coming, the past one. A month or a day of a month: the one that holds today,
        or else the coming and the past one, the nearer first.
        """
        reaches = {"week": (15,), "month": (70, 800), "year": (400, 8 * 366)}[
            self.period
        ]  # leap days, Fridays the 13th
        for reach in reaches:
            spans = sorted(self.within(today - timedelta(days=reach), today + timedelta(days=reach)))
            if spans:
                break
        present = [each for each in spans if each[0] <= today < each[1]]
        past = [each for each in spans if each[1] <= today][-1:]
        coming = [each for each in spans if each[0] > today][:1]
        if self.month:
            both = sorted(past + coming, key=lambda each: abs((each[0] - today).days))
            return tuple(present or both)
        low, high = calendar_unit(today, self.period)
        own = [each for each in spans if low <= each[0] < high]
        return tuple(dict.fromkeys([*own, *present, *coming, *past]))


def _date(month: date, day: int) -> date | None:
    try:
        return month.replace(day=day)
    except ValueError:
        return None


def _between(first: date | None, last: date | None) -> Iterator[Days]:
    if first is not None and last is not None:
        yield first, last + DAY
