"""Times that a text tells ("last week", "Tuesday at 3 pm", "since March"), read by public conventions.

Days are calendar days in the time zone of ``now``; weeks begin on Monday; "last", "this" and "next" with a unit name
calendar units. Where people use words in two ways, an expression has several alternatives, most likely first: a bare
"Tuesday" is this week's, the coming or the past one, "next Tuesday" that of next week or the coming one, "March" the
nearest one, "two weeks ago" that whole week or that one day. "By Friday" and "until Friday" hold Friday itself; "after
Friday" does not. Without am or pm, an hour from 7 to 11 is one before noon first, any other one after noon.

Nothing here reads a wall clock. Without a ``now``, expressions that count from it have no alternatives and hold of
nothing; those that fix a date only in part ("Tuesday", "in March") then hold of every such date.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Literal, TypeAlias

from ebf_env.grounding.intervals import Granularity, Interval
from ebf_env.grounding.moments import Moment, parse_moment
from ebf_env.grounding.patterns import Pattern
from ebf_env.grounding.time_grammar import Grammar
from ebf_env.grounding.time_lexicon import word_set
from ebf_env.grounding.time_readings import Clock, Reading, nearby
from ebf_env.grounding.time_tokens import Token, tokens

__all__ = ["Duration", "Interval", "Kind", "Moment", "TimeExpression", "find_durations", "find_times", "parse_moment"]

Kind: TypeAlias = Literal["absolute", "relative", "partial", "recurring", "clock"]

_STARTERS = word_set(
    "the a an couple few half in on at during over within around throughout @ from between before after since "
    "until till til through by no not up prior earlier later starting as ever right ahead older newer beginning "
    "more less every each just recently so most"
)
_SECOND = word_set("than until later to from of at on in now after since far recent past")
_OVERLAPPING = frozenset({"number", "ordinal", "month", "date"})  # what an earlier phrase may have cut in two
_REACH = 6
_YEARS = range(20, 9970)


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A phrase that tells a time.

    Attributes:
        span: where it stands in the text: begin and end, the preposition included where it makes the time.
        text: the phrase.
        kind: ``absolute`` needs no now, ``relative`` counts from it, ``partial`` asks for a date nearby, ``recurring``
            means every such date ("on Tuesdays"), ``clock`` only a time of day.
        alternatives: the intervals it may mean, most likely first.
        clocks: minutes of the day [begin, end) it may mean, most likely first; an end past 1440 runs into the next
            morning.
        patterns: the parts of a date that the words fix, of partial and recurring ones.
        zone: the time zone of ``now``, in which instants are compared.
    """

    span: tuple[int, int]
    text: str
    kind: Kind
    alternatives: tuple[Interval, ...] = ()
    clocks: tuple[Clock, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    zone: tzinfo | None = None

    @property
    def interval(self) -> Interval | None:
        """What it most likely means; ``None`` if it names no date, or counts from a now that is not known."""
        return self.alternatives[0] if self.alternatives else None

    @property
    def clock(self) -> Clock | None:
        """The minutes of the day it most likely means."""
        return self.clocks[0] if self.clocks else None

    def holds(self, value: date | datetime | Moment, alternative: int | None = None) -> bool:
        """Whether a moment is one it means.

        Instants with an offset are compared in the zone of ``now``, those without are taken to be in it. A day without
        a time passes the clock of an expression that also names a day, and fails one that only names a clock.

        Args:
            value: a day, an instant, or what ``parse_moment`` made of a field.
            alternative: only this one of ``alternatives``; by default, any.

        Raises:
            IndexError: there is no such alternative.
        """
        moment = value.value if isinstance(value, Moment) else value
        if isinstance(moment, time):
            return self.kind == "clock" and self._at_clock(moment.hour * 60 + moment.minute, (0,))
        if isinstance(moment, datetime):
            moment = self._local(moment)
            minute = moment.hour * 60 + moment.minute
            if self.kind == "clock":
                return self._at_clock(minute, (0, 24 * 60))
            if not self.clocks:
                return self._on(moment, alternative)
            before = moment - timedelta(days=1) if moment.year > 1 else moment
            return (self._at_clock(minute, (0,)) and self._on(moment, alternative)) or (
                self._at_clock(minute, (24 * 60,)) and self._on(before, alternative)
            )
        return self.kind != "clock" and self._on(moment, alternative)

    def _on(self, value: date | datetime, alternative: int | None) -> bool:
        if alternative is not None:
            return self.alternatives[alternative].holds(value)
        if self.alternatives:
            return any(each.holds(value) for each in self.alternatives)
        day = value.date() if isinstance(value, datetime) else value
        return self.kind in {"partial", "recurring"} and any(pattern.fits(day) for pattern in self.patterns)

    def _at_clock(self, minute: int, shifts: tuple[int, ...]) -> bool:
        return any(begin <= minute + shift < end for begin, end in self.clocks for shift in shifts)

    def _local(self, moment: datetime) -> datetime:
        if self.zone is None:
            return moment
        try:
            return moment.replace(tzinfo=self.zone) if moment.tzinfo is None else moment.astimezone(self.zone)
        except OverflowError:
            return moment.replace(tzinfo=self.zone)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time ("two days", "half an hour"), which is no time.

    Attributes:
        span: where it stands in the text.
        text: the phrase.
        count: how many units.
        unit: the unit.
    """

    span: tuple[int, int]
    text: str
    count: int
    unit: Granularity


def find_times(text: str, now: datetime | None) -> tuple[TimeExpression, ...]:
    """The times a text tells, in its order; of phrases that overlap, the longest.

    Args:
        text: any text.
        now: when it was written; its time zone is that of its days. ``None``: not known. So near the ends of the
            calendar that years cannot be counted from it, it is as good as not known.
    """
    if now is None or now.year not in _YEARS:
        return _times(text, None, None)
    return _times(text, now.replace(tzinfo=None), now.tzinfo)


def find_durations(text: str) -> tuple[Duration, ...]:
    """The lengths of time in a text, in its order, those left out that are part of a time ("two days ago")."""
    found = tokens(text)
    grammar = Grammar(found, None)
    taken = [expression.span for expression in find_times(text, None)]
    durations: list[Duration] = []
    for index, token in enumerate(found):
        amount = grammar.amount(index)
        if amount is None or (durations and token.begin < durations[-1].span[1]):
            continue
        begin, end = token.begin, found[amount[0] - 1].end
        if not any(begin < last and first < end for first, last in taken):
            durations.append(Duration((begin, end), text[begin:end], amount[1], amount[2]))
    return tuple(durations)


@lru_cache(maxsize=4096)
def _times(text: str, now: datetime | None, zone: tzinfo | None) -> tuple[TimeExpression, ...]:
    found = tokens(text)
    if not found:
        return ()
    now = now.replace(tzinfo=zone) if now is not None else None
    grammar = Grammar(found, now)
    matches = _matches(found, grammar)
    matches.sort(key=lambda match: (found[match[0]].begin - found[match[1] - 1].end, match[0]))
    taken: list[tuple[int, int, Reading]] = []
    for first, after, reading in matches:
        if all(after <= begin or end <= first for begin, end, _ in taken):
            taken.append((first, after, reading))
    taken.sort(key=lambda match: match[0])
    return tuple(_expression(text, found, match, now) for match in taken)


def _matches(found: list[Token], grammar: Grammar) -> list[tuple[int, int, Reading]]:
    """The longest reading from each token that is near one that tells a time."""
    near: set[int] = set()
    for index, token in enumerate(found):
        role = token.word.role
        if role not in {"word", "mark"} or token.word.lemma == "now":
            near.update(range(max(0, index - _REACH), index + 1))
    matches = []
    read = 0
    for index in sorted(near):
        word = found[index].word
        if word.role == "mark" or (index < read and word.role not in _OVERLAPPING):
            continue
        if word.role == "word" and not (
            word.lemma in _STARTERS and (grammar.promising(index + 1) or grammar.lemma(index + 1) in _SECOND)
        ):
            continue
        try:
            match = grammar.expression(index)
        except (OverflowError, ValueError):  # a date that no calendar has
            continue
        if match is not None:
            matches.append((index, *match))
            read = max(read, match[0])
    return matches


def _expression(text: str, found: list[Token], match: tuple[int, int, Reading], now: datetime | None) -> TimeExpression:
    first, after, reading = match
    begin, end = found[first].begin, found[after - 1].end
    today = now.date() if now is not None else None
    near = nearby(reading, today)
    return TimeExpression(
        (begin, end),
        text[begin:end],
        _kind(reading),
        tuple(each for each in near.intervals if not each.empty),
        reading.clocks,
        reading.patterns,
        now.tzinfo if now is not None else None,
    )


def _kind(reading: Reading) -> Kind:
    if reading.recurring:
        return "recurring"
    if not reading.dated:
        return "clock"
    if reading.patterns:
        return "partial"
    return "relative" if reading.relative else "absolute"
