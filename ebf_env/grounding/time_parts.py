"""Parts of longer spans: "the end of next month", "later this week", "the last Friday of March"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Literal, cast

from ebf_env.grounding.intervals import DAY, Granularity, Interval, add_units, calendar_unit, day_of, part_of
from ebf_env.grounding.patterns import Pattern
from ebf_env.grounding.time_clocks import ClockPhrases
from ebf_env.grounding.time_lexicon import Word
from ebf_env.grounding.time_phrases import Found, unit_of
from ebf_env.grounding.time_readings import Reading, nearby

_EDGE_NAMES = Literal["start", "middle", "end"]


class PartPhrases(ClockPhrases):
    """Parts of longer spans: "the end of next month", "later this week", "the last Friday of March"."""

    def _whole(self, k: int) -> list[Found]:
        """A span to take a part of: "March", "next month", "the month" (this one)."""
        point = self.point(k)
        found = []
        if point is not None and not point[1].clocks and not point[1].recurring:
            found.append((point[0], nearby(point[1], self.today)))
        k += self.lemma(k) == "the"
        plain = self.word(k).role == "unit" and self.word(k).name in {"day", "week", "month", "quarter", "year"}
        if plain and all(end <= k + 1 for end, _ in found):
            found.append((k + 1, self._calendar(unit_of(self.word(k)), 0)))
        return found

    def _edge(self, j: int) -> Iterator[Found]:
        which = self.word(j).name
        if self.lemma(j + 1) not in {"of", "in"}:
            return
        for end, reading in self._whole(j + 2):
            if which == "rest":
                rest = self._rest(reading)
                if rest is not None:
                    yield end, rest
            else:
                yield (
                    end,
                    _part_reading(reading, cast("_EDGE_NAMES", which), last_day=self.lemma(j) in {"end", "close"}),
                )

    def _rest(self, reading: Reading) -> Reading | None:
        today = self.today
        if today is None:
            return Reading(relative=True)
        cut = tuple(replace(each, begin=today) for each in reading.intervals if each.holds(today))
        return replace(reading, intervals=cut) if cut else None

    def _phase(self, j: int) -> Iterator[Found]:
        name = self.word(j).name
        k = j + 1 + (self.lemma(j + 1) in {"in", "on", "-"})
        for end, reading in self._whole(k):
            if self.word(k).role == "unit":
                continue
            if name in {"start", "middle", "end"}:
                yield end, _part_reading(reading, cast("_EDGE_NAMES", name))
            elif self.now is None or self.today is None:
                yield end, Reading(relative=True)
            else:
                yield end, replace(reading, intervals=tuple(self._side(each, name) for each in reading.intervals))

    def _side(self, span: Interval, name: str) -> Interval:
        """What of a span is earlier or later than now; of one without now, its half."""
        now, today = self.now, self.today
        if now is None or today is None or span.begin is None or span.end is None:
            return span
        if span.holds(today):
            if span.granularity == "day":
                midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
                after = midnight.replace(year=(today + DAY).year, month=(today + DAY).month, day=(today + DAY).day)
                bounds = (midnight, now) if name == "earlier" else (now, after)
                return Interval(*bounds, "hour", True)
            return replace(span, end=today + DAY) if name == "earlier" else replace(span, begin=today)
        begin, end = day_of(span.begin), day_of(span.end)
        middle = begin + timedelta(days=(end - begin).days // 2)
        if begin == middle:
            return span
        return replace(span, end=middle) if name == "earlier" else replace(span, begin=middle)

    def _nth(self, j: int, k: int, rank: int) -> Iterator[Found]:
        """The ``rank``-th unit or weekday of a longer span (-1: the last): "the last Friday of March"."""
        word = self.word(k)
        if not rank or self.lemma(k + 1) not in {"of", "in"}:
            return
        for end, reading in self._whole(k + 2):
            if reading.adrift:
                yield end, reading
                continue
            found: list[Interval] = []
            for each in reading.intervals:
                if each.begin is None or each.end is None or isinstance(each.begin, datetime):
                    continue
                spans = _spans_in(each.begin, day_of(each.end), word)
                if len(spans) >= abs(rank) and spans:
                    begin, after = spans[rank - 1 if rank > 0 else rank]
                    unit = "day" if word.role == "weekday" else unit_of(word)
                    found.append(Interval(begin, after, unit, each.anchored))
                    if word.role == "unit" and unit == "week" and each.granularity in {"month", "quarter", "year"}:
                        anchor = each.begin if rank > 0 else day_of(each.end) - DAY
                        found.append(
                            Interval(
                                *calendar_unit(anchor, "week", rank - 1 if rank > 0 else rank + 1),
                                "week",
                                each.anchored,
                            )
                        )
            if found:
                yield end, Reading(tuple(dict.fromkeys(found)), relative=reading.relative)

    def _several_of(self, amount: tuple[int, int, Granularity], side: int) -> Iterator[Found]:
        """The first (``side`` 1) or last (-1) so many units of a longer span."""
        end, count, unit = amount
        if not side or self.lemma(end) not in {"of", "in"} or unit in {"hour", "minute"}:
            return
        for stop, reading in self._whole(end + 1):
            found: list[Interval] = []
            for each in reading.intervals:
                if each.begin is None or each.end is None:
                    continue
                begin, after = day_of(each.begin), day_of(each.end)
                if side > 0:
                    found.append(replace(each, begin=begin, end=min(add_units(begin, unit, count), after)))
                else:
                    found.append(replace(each, begin=max(add_units(after, unit, -count), begin), end=after))
            yield stop, replace(reading, intervals=tuple(found), patterns=())


def pattern_of(role: str, low: int, high: int | None = None) -> Pattern:
    """The pattern that fixes one part of a date."""
    pair = (low, low if high is None else high)
    match role:
        case "weekday":
            return Pattern(weekday=pair)
        case "month":
            return Pattern(month=pair)
        case "day":
            return Pattern(day=pair)
        case "quarter":
            return Pattern(quarter=pair)
    return Pattern(half=pair)


def _part_reading(reading: Reading, which: _EDGE_NAMES, *, last_day: bool = False) -> Reading:
    found: list[Interval] = []
    for each in reading.intervals:
        if each.begin is None or each.end is None or isinstance(each.begin, datetime):
            continue
        begin, end = part_of(each.begin, day_of(each.end), each.granularity, which)
        found.append(replace(each, begin=begin, end=end))
        if last_day and end - DAY > begin:
            found.append(Interval(end - DAY, end, "day", each.anchored))
    return Reading(tuple(found), relative=reading.relative)


def _spans_in(begin: date, end: date, word: Word) -> list[tuple[date, date]]:
    if word.role == "weekday":
        return list(pattern_of("weekday", word.number).within(begin, end))
    unit, spans, first = unit_of(word), [], begin
    if unit in {"hour", "minute"}:
        return []
    while first < end:
        spans.append((first, min(add_units(first, unit, 1), end)))
        first = add_units(first, unit, 1)
    if unit == "week" and spans and spans[-1][1] - spans[-1][0] < 7 * DAY and (end - begin).days > 7:
        spans[-1] = (end - 7 * DAY, end)
    return spans
