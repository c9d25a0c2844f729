"""Whole expressions: phrases one after the other, behind prepositions, and from one to the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from ebf_env.grounding.intervals import Granularity
from ebf_env.grounding.time_dates import DatePhrases
from ebf_env.grounding.time_lexicon import word_set
from ebf_env.grounding.time_parts import pattern_of
from ebf_env.grounding.time_phrases import DASHES, TO, Found, unit_of
from ebf_env.grounding.time_readings import MIDNIGHT, Bound, Reading, bounded, combined, nearby, spanned

_CONNECTORS: tuple[tuple[str, ...], ...] = (
    (",",), ("of",), ("on",), ("in",), ("at",), ("during",), ("from",), ("around",), ("about",), ("@",), ("'",),
    (",", "at"), (",", "on"), (",", "in"), ("'", "on"), (",", "from"), ("by",), ("at", "around"), ("at", "about"),
)  # fmt: skip
_BY_FIRST = {
    first: tuple(each for each in _CONNECTORS if each[0] == first) for first in {each[0] for each in _CONNECTORS}
}
_BOUNDS: tuple[tuple[tuple[str, ...], Bound], ...] = (
    (("no", "later", "than"), "until"), (("not", "later", "than"), "until"), (("up", "to"), "until"),
    (("up", "until"), "until"), (("prior", "to"), "before"), (("earlier", "than"), "before"),
    (("later", "than"), "after"), (("starting", "from"), "since"), (("as", "of"), "since"),
    (("ever", "since"), "since"), (("right", "after"), "after"),
    (("ahead", "of"), "before"), (("older", "than"), "before"), (("newer", "than"), "after"),
    (("before",), "before"), (("after",), "after"), (("since",), "since"), (("until",), "until"), (("till",), "until"),
    (("til",), "until"), (("through",), "until"), (("by",), "until"), (("starting",), "since"),
    (("beginning",), "since"),
)  # fmt: skip
_BOUND_HEADS = frozenset(heads[0] for heads, _ in _BOUNDS)
_PLACES = word_set("on in at during over within around @ throughout")
_ROLLING = word_set("within over")


class Grammar(DatePhrases):
    """Whole expressions: phrases one after the other, behind prepositions, and from one to the other."""

    def expression(self, i: int) -> Found | None:
        """The longest expression that begins at a token: where it ends, and what it means."""
        best: Found | None = None
        for found in self._expressions(i):
            if best is None or found[0] > best[0]:
                best = found
        return best

    def _expressions(self, i: int) -> Iterator[Found]:  # noqa: PLR0912 - one branch for each lead
        lemma = self.lemma(i)
        point = self.point(i)
        if point is not None:
            also = (
                self.lemma(i - 1) in {"and", "or", ","}
                and self.word(i - 2).role == "weekday"
                and self.word(i - 2).plural
            )
            if also and self.word(i).plural and point[1].patterns:  # "on Mondays and Thursdays"
                point = point[0], replace(point[1], recurring=True)
            yield point
            yield from self._onward(i, point)
        if lemma in _BOUND_HEADS or lemma in {"more", "over", "less"}:
            yield from self._bounds(i)
        if lemma in {"from", "between"}:
            yield from self._ranges(i + 1, lemma)
        elif point is not None:
            yield from self._ranges(i, "")
        if lemma == "from":
            start = self.point(i + 1)
            if start is not None:
                yield from (each for each in self._onward(i, start) if each[0] > start[0])
            if self.lemma(i + 1) == "now" and self.lemma(i + 2) in {"on", "onward", "onwards"}:
                yield i + 3, self._instant(lambda now: (now, None), "minute")
        if lemma in _PLACES:
            inner = self.point(i + 1)
            if inner is not None:
                end, reading = inner
                plural = any(word.role in {"weekday", "weekend"} and word.plural for word in self.words[i + 1 : end])
                if lemma == "on" and plural and not reading.intervals:
                    reading = replace(reading, recurring=True)
                elif lemma in _ROLLING:
                    reading = self._with_rolling(i + 1, end, reading)
                yield end, reading
            for end, reading in (self._extended(*found) for found in self._bare_hour(i + 1)):
                if reading.dated:
                    yield end, reading
            if lemma in {"on", "during"}:
                yield from self._ranges(i + 1, "")

    def _onward(self, i: int, start: Found) -> Iterator[Found]:
        end, reading = start
        two = (self.lemma(end), self.lemma(end + 1))
        length = 2 if two in {("or", "later"), ("and", "later"), ("and", "after"), ("or", "after")} else 0
        if two[0] in {"onward", "onwards"} or (two[0] == "on" and self.lemma(i) == "from"):
            length = 1
        if length:
            later = bounded(nearby(reading, self.today), "since", self.now)
            if later is not None:
                yield end + length, later
        if two in {("or", "earlier"), ("or", "before"), ("and", "earlier"), ("and", "before")}:
            sooner = bounded(nearby(reading, self.today), "until", self.now)
            if sooner is not None:
                yield end + 2, sooner

    def _bounds(self, i: int) -> Iterator[Found]:
        two = (self.lemma(i), self.lemma(i + 1))
        ago: Bound | None = "before" if two == ("more", "than") or two[0] == "over" else None
        ago = "after" if two == ("less", "than") else ago
        start = i + (1 if two[0] == "over" else 2)
        if ago is not None:
            found = self._counted_ago(start)
            if found is not None:
                yield found[0], cast("Reading", bounded(found[1], ago, self.now))
        for heads, bound in _BOUNDS:
            if heads[0] != two[0] or tuple(self.lemma(i + k) for k in range(len(heads))) != heads:
                continue
            j = i + len(heads)
            if heads[0] in {"older", "newer"}:
                amount = self.amount(j)
                if amount is not None:
                    reading = self._offset(-amount[1], amount[2], exact=True)
                    yield amount[0], bounded(reading, bound, self.now) or reading
            for k in (j, j + 1 if self.lemma(j) in {"on", "in", "at"} else j):
                found = self.point(k, clock=True)
                if found is not None:
                    reading = nearby(found[1], self.today)
                    limited = bounded(reading, bound, self.now)
                    if limited is not None:
                        yield found[0], limited
            return

    def _ranges(self, i: int, lead: str) -> Iterator[Found]:
        one = self.point(i)
        if one is None or (lead != "between" and self._moving(i)):
            return
        end, first = one
        joint = self.lemma(end)
        if not (joint in DASHES or (joint == "and" and lead == "between") or (joint in TO and lead != "between")):
            return
        k = end + 1 if self.lemma(end + 1) not in {"on", "in"} else end + 2
        other = self.point(k)
        if other is not None and (lead or self.word(end).role == "mark" or joint in {"to", "through", "thru"}):
            span = spanned(first, other[1], self.today)
            if span is not None:
                yield other[0], span

    def point(self, i: int, *, clock: bool = False) -> Found | None:
        """The longest phrase without a bound at a token; ``clock``: a bare number may be an hour."""
        key = (i, clock)
        if key not in self._points:
            self._points[key] = None  # while it is being read, it does not contain itself
            best: Found | None = None
            bare = self._bare_hour(i) if clock else []
            for found in (*self._simple(i), *bare):
                extended = self._extended(*found)
                if best is None or extended[0] > best[0]:
                    best = extended
            self._points[key] = best
        return self._points[key]

    def _extended(self, end: int, reading: Reading) -> Found:
        while True:
            best: Found | None = None
            for connector in ((), *_BY_FIRST.get(self.lemma(end), ())):
                if len(connector) > 1 and tuple(self.lemma(end + k) for k in range(len(connector))) != connector:
                    continue
                j = end + len(connector)
                options = [*self._simple(j), *self._part(j)] if self.promising(j) else []
                if connector and connector[-1] in {"at", "@", "by", "around", "about"}:
                    options += self._bare_hour(j)
                if connector[-1:] == ("by",):
                    options = []
                if self.lemma(j) == "the":
                    options += self._part(j + 1) if connector[-1:] == ("in",) else []
                for stop, other in options:
                    both = combined(reading, other)
                    if both is not None and (best is None or stop > best[0]):
                        best = stop, both
            if best is None:
                return end, reading
            end, reading = best

    def _simple(self, i: int) -> list[Found]:
        if i not in self._found:
            self._found[i] = []
            if not self.promising(i):
                return []
            try:
                self._found[i] = list(self._simples(i))
            except (OverflowError, ValueError):  # years that no calendar has
                self._found[i] = []
        return self._found[i]

    def _simples(self, i: int) -> Iterator[Found]:  # noqa: PLR0912 - one case for each role
        if not 0 <= i < len(self.words):
            return
        the = self.lemma(i) == "the"
        j = i + the
        word = self.word(j)
        match word.role:
            case "day":
                yield from self._named_day(j)
            case "relative":
                yield from self._relative(j)
            case "unit":
                yield from self._unit(j)
                yield from self._counted(j, the=the)
                if self.lemma(j) == "quarter":
                    yield from self._clock_words(j)
            case "number":
                yield from self._number(j)
                yield from self._counted(j, the=the)
                yield from self._hour(j)
                yield from self._clock_words(j)
            case "ordinal":
                yield from self._ordinal(j, the=the or self._leads_ordinal(i - 1))
            case "weekday":
                yield from self._run(j, "weekday")
                yield from self._weekday(j)
            case "month":
                yield from self._month(j)
            case "weekend":
                yield j + 1, self._weekend(0)
            case "edge":
                yield from self._edge(j)
            case "phase":
                yield from self._phase(j)
            case "quarter" | "half":
                if word.role == "quarter" or self._capital[j] or self.word(j + 1).role == "number":
                    yield j + 1, Reading(patterns=(pattern_of(word.role, word.number),))
            case "clock":
                yield from self._hour(j)
            case "noon":
                yield j + 1, Reading(clocks=((word.number % MIDNIGHT, word.number % MIDNIGHT + 1),))
            case "date" | "monthday" | "iso-month" | "iso-week":
                yield from self._digits(j)
            case "part":
                yield from self._part_of_day(j)
            case "closing":
                yield j + 1, self._calendar(cast("Granularity", word.name), 0)
                if word.name == "day":
                    yield from self._simple(j + 1)
            case _:
                yield from self._by_lemma(j, the=the)

    def _by_lemma(self, j: int, *, the: bool) -> Iterator[Found]:
        lemma = self.lemma(j)
        if lemma in {"a", "an", "couple", "few", "half", "one"}:
            yield from self._counted(j, the=the)
            yield from self._clock_words(j)
        elif lemma in {"from", "between"}:
            for kind in ("weekday", "month"):
                yield from self._run(j + 1, kind, lead=lemma)
            yield from self._number(j + 1, lead=lemma)
            yield from self._hour(j + 1, lead=lemma)
        elif lemma in {"every", "each"} and self.word(j + 1).role == "weekday":
            yield j + 2, Reading(patterns=(pattern_of("weekday", self.word(j + 1).number),), recurring=True)
        elif lemma in {"in", "within"}:
            amount = self.amount(j + 1)
            if amount is not None:
                end, count, unit = amount
                plain = self.lemma(end) not in {"ago", "before", "after", "of"}
                end += self.lemma(end) in {"'", "’"}  # noqa: RUF001
                end += self.lemma(end) == "time"
                if plain:
                    yield end, self._offset(count, unit) if lemma == "in" else self._ahead(count, unit)
            elif lemma == "in" and self.lemma(j + 1) == "the":
                yield from self._part(j + 2, lone=True)
        elif lemma in {"just", "recently"} and self.lemma(j + 1) in {
            "ended",
            "finished",
            "completed",
            "closed",
            "past",
        }:
            if self.word(j + 2).role == "unit":
                yield j + 3, self._calendar(unit_of(self.word(j + 2)), -1)
        elif lemma == "most" and self.lemma(j + 1) == "recent" and self.word(j + 2).role == "weekday":
            yield j + 3, self._relative_weekday(self.word(j + 2).number, -1, "past")
        elif lemma == "so" and self.lemma(j + 1) == "far":
            yield from self._simple(j + 2)

    def _with_rolling(self, i: int, end: int, reading: Reading) -> Reading:
        """A phrase such as "Within the next month" may count from today."""
        i += self.lemma(i) == "the"
        offset = self._relation(i)
        if offset is None or offset[0] != end - 1 or offset[1] == 0 or self.word(end - 1).role != "unit":
            return reading
        unit = unit_of(self.word(end - 1))
        rolling = (self._back if offset[1] < 0 else self._ahead)(1, unit).intervals[:1]
        return replace(reading, intervals=tuple(dict.fromkeys(rolling + reading.intervals)))
