"""Dates, whole or in part: "3 March 2026", "the 27th", "Tuesday", "Q3", "3/4"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime
from typing import Literal, cast

from ebf_env.grounding.intervals import DAY, Interval, add_minutes, add_units, day_of
from ebf_env.grounding.patterns import Pattern
from ebf_env.grounding.time_lexicon import Word, word_set
from ebf_env.grounding.time_parts import pattern_of
from ebf_env.grounding.time_phrases import DASHES, END, TO, Found
from ebf_env.grounding.time_readings import Reading, combined, days, shifted
from ebf_env.grounding.time_units import UnitPhrases

_AFTER_ORDINAL = DASHES | word_set(
    ". , ; : ! ? ) \0 at and or to in for from with is was by if so please but of on as when because \" ' before"
    " after that which through until the where who"
)
_CURRENCY = word_set("$ € £ # no number room order ticket version page line id")


class DatePhrases(UnitPhrases):
    """Dates, whole or in part: "3 March 2026", "the 27th", "Tuesday", "Q3", "3/4"."""

    def _weekday(self, j: int) -> Iterator[Found]:
        word = self.word(j)
        reading = Reading(patterns=(pattern_of("weekday", word.number),))
        yield j + 1, reading
        for end, part in self._part(j + 1):
            yield end, replace(reading, clocks=part.clocks)
        if self.lemma(j + 1) in {"before", "after"}:
            k = j + 2 + (self.lemma(j + 2) == "the")
            last = self.word(k)
            outward = last.role == "relative" and last.number == (-1 if self.lemma(j + 1) == "before" else 1)
            if outward and self.word(k + 1).role not in {"unit", "weekday", "month", "number"}:
                near = self._relative_weekday(word.number, last.number, last.lemma)
                yield k + 1, cast("Reading", shifted(near, last.number, "week", calendar=False))
        if self.lemma(j + 1) == "week" and not self.word(j + 1).plural and self.lemma(j - 1) in {"on", "by", "until"}:
            coming = self._relative_weekday(word.number, 1, "coming")
            yield j + 2, cast("Reading", shifted(coming, 1, "week", calendar=False))

    def _run(self, j: int, role: Literal["weekday", "month"], lead: str = "") -> Iterator[Found]:
        """A phrase such as "Monday to Friday", "from March to May"."""
        one, joint, other = self.word(j), self.lemma(j + 1), self.word(j + 2)
        if one.role != role or other.role != role or not self._joins(joint, lead, j):
            return
        yield j + 3, Reading(patterns=(pattern_of(role, one.number, other.number),))

    def _month(self, j: int) -> Iterator[Found]:
        month = self.word(j).number
        yield from self._run(j, "month")
        yield j + 1, Reading(patterns=(pattern_of("month", month),))
        k = j + 1 + (self.lemma(j + 1) == "the")
        day = self.word(k)
        if _is_day(day):
            yield k + 1, Reading(patterns=(Pattern(month=(month, month), day=(day.number, day.number)),))
            other = self.word(k + 2)
            if _is_day(other) and other.number > day.number and self.lemma(k + 1) in TO | {"and"}:
                joint = self.lemma(k + 1)
                apart = self.word(k + 3).role == "month"  # "March 3 to 7 April"
                if not apart and joint != "and" and not (joint not in DASHES and self._moving(j)):
                    yield k + 3, Reading(patterns=(Pattern(month=(month, month), day=(day.number, other.number)),))

    def _day_of_month(self, j: int) -> Iterator[Found]:
        day = self.word(j)
        k = j + 1 + (self.lemma(j + 1) == "of")
        month = self.word(k)
        if _is_day(day) and month.role == "month":
            pattern = Pattern(month=(month.number, month.number), day=(day.number, day.number))
            yield k + 1, Reading(patterns=(pattern,))

    def _number(self, j: int, lead: str = "") -> Iterator[Found]:
        word = self.word(j)
        if self.lemma(j) == "the":
            j, word = j + 1, self.word(j + 1)
        if not lead:
            yield from self._day_of_month(j)
            yield from self._year(j)
        joint = self.lemma(j + 1)
        k = j + 2 + (self.lemma(j + 2) == "the")
        if _is_day(word) and self._joins(joint, lead, j):
            for end, reading in self._day_of_month(k):
                (pattern,) = reading.patterns
                if pattern.day is not None:
                    yield end, Reading(patterns=(replace(pattern, day=(word.number, pattern.day[0])),))

    def _year(self, j: int) -> Iterator[Found]:
        word = self.word(j)
        if word.name != "digits" or not 1990 <= word.number <= 2099 or self.lemma(j - 1) in _CURRENCY:
            return
        if self.word(j + 1).role == "unit" or (
            self.lemma(j + 1) in {"%", "€", "$", ".", "-"} and self.word(j + 2).role == "number"
        ):
            return
        year = days(date(word.number, 1, 1), date(word.number + 1, 1, 1), "year")
        following = self.word(j + 1)
        if following.role in {"quarter", "half"}:
            both = combined(year, Reading(patterns=(pattern_of(following.role, following.number),)))
            if both is not None:
                yield j + 2, both
        yield j + 1, year

    def _leads_ordinal(self, i: int) -> bool:
        return self.lemma(i) in {"on", "the"} or self.word(i).role == "unit"

    def _ordinal(self, j: int, *, the: bool) -> Iterator[Found]:
        word, following = self.word(j), self.word(j + 1)
        yield from self._number(j)
        if following.role == "unit" and following.name == "quarter" and word.number <= 4:
            yield j + 2, Reading(patterns=(pattern_of("quarter", word.number),))
        if following.role in {"unit", "weekday"} and following.name not in {"second", "fortnight", "hour", "minute"}:
            yield from self._nth(j, j + 1, word.number)
        amount = self.amount(j + 1) if word.number == 1 else None
        if amount is not None:
            yield from self._several_of(amount, 1)
        if following.lemma == "half" and word.number <= 2 and self.lemma(j + 2) in {"of", "in"}:
            for end, reading in self._whole(j + 3):
                yield end, _half_reading(reading, word.number)
        if not _is_day(word) or not the:
            return
        reading = Reading(patterns=(pattern_of("day", word.number),))
        if word.name == "digits" and following.lemma in _AFTER_ORDINAL:
            yield j + 1, reading
        k = j + 1 + (self.lemma(j + 1) in {"of", "in"})
        if word.name == "digits" or self.lemma(j + 1) == "of":
            wide = self._simple(k)
            bare = self.word(k + 1) if self.lemma(k) == "the" else END
            if bare.lemma == "month" and not any(end > k + 2 for end, _ in wide):
                wide = [(k + 2, self._calendar("month", 0))]
            for end, other in wide:
                if other.dated and all(each.granularity == "month" for each in other.intervals):
                    both = combined(reading, other)
                    if both is not None:
                        yield end, both

    def _digits(self, j: int) -> Iterator[Found]:
        word = self.word(j)
        text = word.lemma
        if word.role == "iso-month":
            first = date(int(text[:4]), int(text[5:]), 1)
            yield j + 1, days(first, add_units(first, "month", 1), "month")
        elif word.role == "iso-week":
            first = date.fromisocalendar(int(word.name), word.number, 1)
            yield j + 1, days(first, first + 7 * DAY, "week")
        elif word.role == "monthday":
            if self.lemma(j + 1) not in {"of", "a", "an"} and text not in {"24/7", "1/2"}:
                one, other = (int(part) for part in text.split("/"))
                found = dict.fromkeys(
                    Pattern(month=(month, month), day=(day, day))
                    for day, month in ((one, other), (other, one))
                    if 1 <= month <= 12 and 1 <= day <= 31
                )
                if found:
                    yield j + 1, Reading(patterns=tuple(found))
        elif word.name == "iso" and len(text) > 10:
            begin = datetime.fromisoformat(text.upper()).replace(second=0, microsecond=0)
            yield j + 1, Reading((Interval(begin, add_minutes(begin, 1), "minute"),))
        else:
            found_days = dict.fromkeys(_written_days(word))
            if found_days:
                yield j + 1, Reading(tuple(Interval(day, day + DAY, "day") for day in found_days))


def _is_day(word: Word) -> bool:
    return (
        word.role in {"number", "ordinal"}
        and 1 <= word.number <= 31
        and (word.role == "ordinal" or word.name == "digits")
    )


def _written_days(word: Word) -> Iterator[date]:
    parts = [int(part) for part in re.split(r"[-./]", word.lemma)]
    if word.name in {"iso", "ymd"}:
        orders = [(parts[0], parts[1], parts[2])]
    else:
        year = parts[2] if parts[2] >= 100 else 2000 + parts[2]
        orders = [(year, parts[1], parts[0])] + ([(year, parts[0], parts[1])] if word.name == "slashed" else [])
    for year, month, day in orders:
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _half_reading(reading: Reading, half: int) -> Reading:
    found: list[Interval] = []
    for each in reading.intervals:
        if each.begin is None or each.end is None or isinstance(each.begin, datetime):
            continue
        begin, end = each.begin, day_of(each.end)
        middle = add_units(begin, "month", 6) if each.granularity == "year" else begin + (end - begin + DAY) // 2
        found.append(replace(each, begin=begin, end=middle) if half == 1 else replace(each, begin=middle))
    return Reading(tuple(found), relative=reading.relative)
