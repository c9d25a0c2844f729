"""What every phrase of the grammar stands on: the tokens, now, and counts of units from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import cast

from ebf_env.grounding.intervals import DAY, Granularity, Interval, add_minutes, add_units, calendar_unit
from ebf_env.grounding.time_lexicon import Word, word_set
from ebf_env.grounding.time_readings import MIDNIGHT, Clock, Reading, days
from ebf_env.grounding.time_tokens import Token

Found = tuple[int, Reading]
END = Word("\0")
_PADDING = [END] * 24  # no rule looks further ahead, nor further back
_NO_LEMMAS = [END.lemma] * 24
_NO_PROMISE = [False] * 24
_SILENT = frozenset({"word", "mark"})
DASHES = frozenset({"-", "–", "—"})  # noqa: RUF001
TO = DASHES | {"to", "until", "till", "through", "thru", "'til"}
_MOVES = word_set(
    "move moves moved moving reschedule rescheduled rescheduling shift shifted shifting push pushed pushing "
    "postpone postponed change changed changing delay delayed pull pulled set switch switched transfer put bring "
    "brought slide swap swapped bump bumped extend extended"
)
_PROMISING = word_set("the a an couple few half from between every each in within just recently most so")


class Phrases:
    """What every phrase of the grammar stands on: the tokens, now, and counts of units from it."""

    def __init__(self, tokens: list[Token], now: datetime | None) -> None:
        words = [token.word for token in tokens]
        self.words = words
        self.word: Callable[[int], Word] = (words + _PADDING).__getitem__
        self.lemma: Callable[[int], str] = ([word.lemma for word in words] + _NO_LEMMAS).__getitem__
        self.promising: Callable[[int], bool] = (
            [word.role not in _SILENT or word.lemma in _PROMISING for word in words] + _NO_PROMISE
        ).__getitem__
        self._capital = [token.capital for token in tokens]
        self._moves = [index for index, word in enumerate(words) if word.lemma in _MOVES]
        self.now = now
        self.today = now.date() if now is not None else None
        self._points: dict[tuple[int, bool], Found | None] = {}
        self._found: dict[int, list[Found]] = {}

    def _moving(self, i: int) -> bool:
        """Whether something is moved there, so that "from Monday to Friday" tells two times."""
        return any(i - 12 <= index < i for index in self._moves)

    def _joins(self, joint: str, lead: str, j: int) -> bool:
        if joint in DASHES:
            return True
        if lead == "between":
            return joint == "and"
        return joint in TO and not self._moving(j)

    def _calendar(self, unit: Granularity, offset: int) -> Reading:
        if self.today is None:
            return Reading(relative=True)
        if unit in {"hour", "minute"}:
            return self._offset(offset, unit)
        return days(*calendar_unit(self.today, unit, offset), unit, relative=True)

    def _days(self, begin: Callable[[date], date], end: Callable[[date], date], unit: Granularity = "day") -> Reading:
        if self.today is None:
            return Reading(relative=True)
        return days(begin(self.today), end(self.today), unit, relative=True)

    def _instant(
        self, span: Callable[[datetime], tuple[datetime | None, datetime | None]], unit: Granularity
    ) -> Reading:
        if self.now is None:
            return Reading(relative=True)
        return Reading((Interval(*span(self.now), unit, True),), relative=True)

    def _offset(self, count: int, unit: Granularity, *, exact: bool = False) -> Reading:
        """So many units from now: the calendar unit, or else the day."""
        if self.today is None or self.now is None:
            return Reading(relative=True)
        if unit in {"hour", "minute"}:
            moment = add_minutes(self.now, count * (60 if unit == "hour" else 1))
            if exact:
                return self._instant(lambda _: (moment, moment), unit)
            begin = moment.replace(minute=0 if unit == "hour" else moment.minute, second=0, microsecond=0)
            own = Interval(begin, add_minutes(begin, 60 if unit == "hour" else 1), unit, True)
            around = Interval(add_minutes(moment, -30), add_minutes(moment, 30), unit, True)
            return Reading((own, around) if unit == "hour" else (own,), relative=True)
        day = add_units(self.today, unit, count)
        single = Interval(day, day + DAY, "day", True)
        if exact or unit == "day":
            return Reading((single,), relative=True)
        return Reading((Interval(*calendar_unit(self.today, unit, count), unit, True), single), relative=True)

    def _back(self, count: int, unit: Granularity) -> Reading:
        """The past so many units: up to today, or else the calendar units before the present one."""
        if unit in {"hour", "minute"}:
            return self._instant(lambda now: (add_minutes(now, -count * (60 if unit == "hour" else 1)), now), unit)
        rolling = self._days(lambda today: add_units(today, unit, -count), lambda today: today + DAY, unit)
        whole = self._days(
            lambda day: calendar_unit(day, unit, -count)[0], lambda day: calendar_unit(day, unit)[0], unit
        )
        return replace(rolling, intervals=rolling.intervals + whole.intervals)

    def _ahead(self, count: int, unit: Granularity) -> Reading:
        """The coming so many units: from today, or else the calendar units after the present one."""
        if unit in {"hour", "minute"}:
            return self._instant(lambda now: (now, add_minutes(now, count * (60 if unit == "hour" else 1))), unit)
        rolling = self._days(lambda today: today, lambda today: add_units(today, unit, count) + DAY, unit)
        whole = self._days(
            lambda day: calendar_unit(day, unit, 1)[0], lambda day: calendar_unit(day, unit, count + 1)[0], unit
        )
        return replace(rolling, intervals=rolling.intervals + whole.intervals)

    def amount(self, j: int) -> tuple[int, int, Granularity] | None:
        """A count and its unit: "two weeks", "a couple of days", "half an hour", "a fortnight"."""
        word, count = self.word(j), 0
        if word.role == "number":
            j, count = j + 1, word.number
        elif word.lemma == "half" and self.lemma(j + 1) in {"a", "an"} and self.lemma(j + 2) == "hour":
            return j + 3, 30, "minute"
        elif word.lemma in {"a", "an", "couple", "few"}:
            j += word.lemma in {"a", "an"}
            count = {"couple": 2, "few": 3}.get(self.lemma(j), 1)
            j += self.lemma(j) in {"couple", "few", "single"}
            j += count == 2 and self.lemma(j) == "of"
        j += self.lemma(j) in {"full", "whole", "calendar"}
        unit = self.word(j)
        if not count or unit.role != "unit" or unit.name == "second":
            return None
        if unit.name == "fortnight":
            return j + 1, 2 * count, "week"
        return j + 1, count, unit_of(unit)

    def point(self, i: int, *, clock: bool = False) -> Found | None:
        """The longest phrase without a bound at a token; ``clock``: a bare number may be an hour."""
        raise NotImplementedError

    def _simple(self, i: int) -> list[Found]:
        """The phrases of one piece at a token."""
        raise NotImplementedError


def clock_points(minutes: tuple[int, ...]) -> tuple[Clock, ...]:
    """Minutes of the day, each as a clock of its own."""
    return tuple((minute % MIDNIGHT, minute % MIDNIGHT + 1) for minute in minutes)


def unit_of(word: Word) -> Granularity:
    """The unit that a word names; of a fortnight, weeks."""
    return cast("Granularity", "week" if word.name == "fortnight" else word.name)
