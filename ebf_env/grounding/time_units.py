"""Units and weekdays counted from now: "last week", "two months ago", "the quarter that just ended"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import cast

from ebf_env.grounding.intervals import DAY, Granularity, Interval, calendar_unit, day_of
from ebf_env.grounding.patterns import Pattern
from ebf_env.grounding.time_lexicon import PARTS, word_set
from ebf_env.grounding.time_parts import PartPhrases, pattern_of
from ebf_env.grounding.time_phrases import Found, unit_of
from ebf_env.grounding.time_readings import Reading, days, nearby, shifted

_SUFFIXES: tuple[tuple[int, re.Pattern[str]], ...] = tuple(
    (offset, re.compile(rf"(?:{pattern})(?= |$)"))
    for offset, pattern in (
        (-2, r"(?:before|prior to) (?:the )?(?:last|previous|past)(?: one)?"),
        (2, r"(?:after|following) (?:the )?(?:next|coming|upcoming)(?: one)?"),
        (-1, r"(?:(?:that|which) )?(?:(?:is|has|have|s|was) )?(?:only )?(?:just|recently|now)(?: now)? "
             r"(?:been )?(?:gone(?: by)?|ended|past|passed|finished|closed|over|elapsed|completed|done|behind us)"),
        (-1, r"(?:(?:that|which) )?(?:(?:just|recently) )?(?:gone by|went by|behind us|(?:ended|finished|closed|passed)"
             r" (?:just now|recently)|(?:before|prior to) this(?: one)?|before the (?:current|present)(?: one)?)"),
        (-1, r"(?:that |which )?we(?: have|'ve)? just (?:finished|left|had|closed|completed)"),
        (1, r"(?:(?:that|which) )?(?:(?:is|s) )?(?:about|due|going) to (?:start|begin)"),
        (1, r"(?:(?:that|which) )?(?:(?:is|s) )?(?:to come|coming up|ahead(?: of us)?|coming(?: next)?)"),
        (-1, r"prior|(?:preceding|before) (?:this|the (?:current|present))(?: one)?"),
        (1, r"following (?:this|the (?:current|present))(?: one)?"),
        (0, r"(?:that is )?now (?:ending|closing|under way)"),
        (1, r"(?:that|which) (?:starts|begins|comes|follows)(?: next)?|after this(?: one)?|"
            r"after the (?:current|present)(?: one)?"),
        (0, r"(?:(?:that|which) )?(?:(?:is|s) )?(?:now |currently |still )?"
            r"(?:under way|underway|in progress|running|ongoing|at hand)"),
        (0, r"(?:that |which )?(?:we are|we're|we) (?:now |currently )?in(?: now| right now)?"),
        (0, r"(?:that|which) (?:has |have )?(?:only )?just (?:started|begun|began)"),
    )
)  # fmt: skip
_SUFFIX_HEADS = word_set(
    "before prior preceding after following that which is has have s was only just recently now been we we're gone "
    "went behind ended finished closed passed about due going to coming ahead currently still under underway in "
    "running ongoing at past over"
)
_CONTINUES = word_set("unit weekday month number part weekend quarter half")


class UnitPhrases(PartPhrases):
    """Units and weekdays counted from now: "last week", "two months ago", "the quarter that just ended"."""

    def _named_day(self, j: int) -> Iterator[Found]:
        word = self.word(j)
        reading = self._calendar("day", word.number)
        if word.lemma == "tonight":
            yield j + 1, replace(reading, clocks=(PARTS["night"],))
            return
        yield j + 1, reading
        for end, part in self._part(j + 1):
            yield end, replace(reading, clocks=part.clocks)

    def _relation(self, j: int) -> tuple[int, int] | None:
        """An offset in units: "last", "this coming", "the current"."""
        word = self.word(j)
        if word.role != "relative":
            return None
        second = self.word(j + 1)
        if second.role == "relative" and (word.number in {0, second.number}):
            return j + 2, second.number
        return j + 1, word.number

    def _relative(self, j: int) -> Iterator[Found]:
        relation = self._relation(j)
        if relation is None:
            return
        k, offset = relation
        word = self.word(k)
        if word.role == "unit" and word.name != "second":
            if word.name == "fortnight":
                yield k + 1, (self._back if offset < 0 else self._ahead)(2, "week")
            elif unit_of(word) in {"hour", "minute"}:
                if offset and word.name == "hour":
                    yield k + 1, (self._back if offset < 0 else self._ahead)(1, unit_of(word))
            else:
                yield k + 1, self._calendar(unit_of(word), offset)
            yield from self._nth(j, k, -1 if offset < 0 else 1 if self.lemma(j) == "next" else 0)
        elif word.role == "part":
            name = word.name
            yield k + 1, replace(self._calendar("day", offset), clocks=(PARTS[name],))
        elif word.role == "weekend":
            yield k + 1, self._weekend(offset)
        elif word.role == "weekday":
            yield k + 1, self._relative_weekday(word.number, offset, self.lemma(k - 1))
            yield from self._nth(j, k, -1 if self.lemma(j) == "last" else 0)
        elif word.role in {"month", "quarter", "half"}:
            pattern = pattern_of(word.role, word.number)
            yield k + 1, self._relative_pattern(pattern, offset)
        else:
            amount = self.amount(k)
            if amount is not None and offset and self.lemma(k) not in {"a", "an"}:
                yield from self._several_of(amount, -1 if offset < 0 else 0)
                yield amount[0], (self._back if offset < 0 else self._ahead)(amount[1], amount[2])

    def _weekend(self, offset: int) -> Reading:
        if self.today is None:
            return Reading(relative=True)
        begin = calendar_unit(self.today, "week", offset)[0] + timedelta(days=5)
        found = [Interval(begin, begin + 2 * DAY, "day", True)]
        if offset > 0 and self.today.weekday() < 5:
            found.append(Interval(begin - 7 * DAY, begin - 5 * DAY, "day", True))
        return Reading(tuple(found), relative=True)

    def _relative_weekday(self, weekday: int, offset: int, lemma: str) -> Reading:
        if self.today is None:
            return Reading(relative=True)
        own = calendar_unit(self.today, "week", offset)[0] + timedelta(days=weekday)
        ahead = (weekday - self.today.weekday()) % 7
        near = self.today + timedelta(days=ahead or 7) if offset > 0 else self.today + timedelta(days=ahead)
        if offset < 0:
            near = self.today - timedelta(days=(self.today.weekday() - weekday) % 7 or 7)
        found = [near] if lemma in {"coming", "upcoming", "past", "forthcoming"} else [own, near]
        return Reading(tuple(Interval(day, day + DAY, "day", True) for day in dict.fromkeys(found)), relative=True)

    def _relative_pattern(self, pattern: Pattern, offset: int) -> Reading:
        if self.today is None:
            return Reading(relative=True)
        spans = list(pattern.within(self.today - timedelta(days=800), self.today + timedelta(days=800)))
        year = self.today.year + offset
        own = [each for each in spans if each[0].year == year]
        past = [each for each in spans if each[1] <= self.today][-1:]
        coming = [each for each in spans if each[0] > self.today][:1]
        found = own if offset == 0 else past + own if offset < 0 else coming + own
        intervals = tuple(Interval(begin, end, pattern.granularity, True) for begin, end in dict.fromkeys(found))
        return Reading(intervals, relative=True)

    def _unit(self, j: int) -> Iterator[Found]:
        word = self.word(j)
        if word.name in {"second", "fortnight"} or self.word(j - 1).role == "number":
            return
        unit = unit_of(word)
        begins = self.lemma(j + 1) in _SUFFIX_HEADS
        rest = " ".join(self.lemma(k) for k in range(j + 1, j + 9)) if begins else ""
        for offset, suffix in _SUFFIXES if begins else ():
            match = suffix.match(rest)
            end = j + 2 + (match.group().count(" ") if match is not None else 0)
            if abs(offset) == 2 and self.word(end).role in _CONTINUES:
                continue  # "the day after next Tuesday"
            if match is not None:
                yield end, self._calendar(unit, offset)
        if unit == "week" and self.word(j + 1).role == "number" and 1 <= self.word(j + 1).number <= 53:
            yield from self._numbered_week(j + 2, self.word(j + 1).number)
        if unit == "quarter" and self.word(j + 1).role == "number" and 1 <= self.word(j + 1).number <= 4:
            yield j + 2, Reading(patterns=(pattern_of("quarter", self.word(j + 1).number),))
        if unit in {"week", "month"} and self.lemma(j + 1) in {"of", "with"}:
            for end, reading in self._simple(j + 2):
                near = nearby(reading, self.today)
                if reading.dated and all(each.granularity == unit for each in near.intervals):
                    yield end, reading
                elif near.intervals and all(each.granularity == "day" for each in near.intervals) and not near.clocks:
                    yield end, cast("Reading", shifted(near, 0, unit, calendar=True))

    def _numbered_week(self, end: int, number: int) -> Iterator[Found]:
        k = end + (self.lemma(end) in {"of", "in", ","})
        year = self.word(k)
        if year.role == "number" and 1990 <= year.number <= 2099:
            first = date.fromisocalendar(year.number, number, 1)
            yield k + 1, days(first, first + 7 * DAY, "week")
        if self.today is None:
            yield end, Reading(relative=True)
        else:
            first = date.fromisocalendar(self.today.isocalendar().year, number, 1)
            yield end, days(first, first + 7 * DAY, "week", relative=True)

    def _counted_ago(self, j: int) -> Found | None:
        amount = self.amount(j)
        if amount is None or self.lemma(amount[0]) != "ago":
            return None
        return amount[0] + 1, self._offset(-amount[1], amount[2], exact=True)

    def _counted(self, j: int, *, the: bool) -> Iterator[Found]:
        amount = self.amount(j)
        if amount is None and the and self.word(j).role == "unit" and self.word(j).name not in {"second", "fortnight"}:
            amount = (j + 1, 1, unit_of(self.word(j)))
        if amount is None:
            if the and self.word(j).role == "weekday":
                return
            return
        end, count, unit = amount
        follower, second = self.lemma(end), self.lemma(end + 1)
        if not the:
            if follower == "ago":
                yield end + 1, self._offset(-count, unit)
                yield from self._ago_weekday(end + 1, count, unit)
            elif follower == "back" and not self._moving(j):
                yield end + 1, self._offset(-count, unit)
            elif (follower, second) == ("from", "now") or follower == "hence":
                yield end + (2 if follower == "from" else 1), self._offset(count, unit)
        if follower in {"before", "after", "from"} or (follower, second) == ("prior", "to"):
            k = end + (2 if follower == "prior" else 1)
            found = self.point(k)
            if found is not None and not (found[1].clocks and not found[1].dated):
                near = nearby(found[1], self.today)
                sign = 1 if follower in {"after", "from"} else -1
                if follower == "from" and found[1].patterns and self.today is not None:
                    today = self.today
                    future = tuple(each for each in near.intervals if each.begin is None or day_of(each.begin) >= today)
                    near = replace(near, intervals=future or near.intervals)
                moved = shifted(near, sign * count, unit, calendar=the and count == 1)
                if moved is not None:
                    yield found[0], moved

    def _ago_weekday(self, end: int, count: int, unit: Granularity) -> Iterator[Found]:
        k = end + (self.lemma(end) == "on")
        word = self.word(k)
        if self.lemma(end) == "today":
            yield end + 1, self._offset(-count, unit, exact=True)
        if unit != "week" or word.role != "weekday":
            return
        if self.today is None:
            yield k + 1, Reading(relative=True)
            return
        own = calendar_unit(self.today, "week", -count)[0] + timedelta(days=word.number)
        recent = self.today - timedelta(days=(self.today.weekday() - word.number) % 7 + 7 * count)
        found = tuple(Interval(day, day + DAY, "day", True) for day in dict.fromkeys((own, recent)))
        yield k + 1, Reading(found, relative=True)
