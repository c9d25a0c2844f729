"""Which records a reference may mean: match weights, cue by cue (after Fellegi and Sunter, 1969).

Each cue that a record fails costs it weight, as does every typing mistake that has to be assumed. A record that fails
nothing costs nothing. Costs are in nats; a posterior that includes "none of these" follows from them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time
from typing import Final

from ebf_baselines.resolution.attachment import content
from ebf_baselines.resolution.lexicon import (
    AFTER,
    BEFORE,
    SIZES,
    Concept,
    concepts_of_field,
    concepts_of_word,
)
from ebf_baselines.resolution.nodes import (
    Cue,
    NameWord,
    OrderCue,
    RelationCue,
    TimeCue,
    UnknownCue,
    UserCue,
    ValueCue,
)
from ebf_baselines.resolution.references import Ref
from ebf_baselines.resolution.store import SHORT_VALUE, Record, RecordStore, leaves_of
from ebf_env.grounding.moments import Moment
from ebf_env.json_types import JSON, JSONObject

MATCH: Final = 0.97
"""m: how likely a cue holds of the record that is meant."""

NAME_MISTAKE: Final = 0.4
OTHER_NAME: Final = 1.5
"""The same where the word as said is a name, and the other one that of several records: two names, not one mistyped."""

VALUE_MISTAKE: Final = 0.3
MISS: Final = 7.0
FIELD_MISMATCH: Final = 2.5
LIST_COST: Final = 1.5
"""What it costs a record to be one of many in a field when the words do not say which field is meant."""

LOOSE_MISS: Final = 2.5
"""What it costs a record that something fits others and not it, though it is not clear of what it is said."""

TIE: Final = 0.3
"""Costs that differ by less are the same."""

_MOST_TIED: Final = 20
UNKNOWN_MISS: Final = 5.0
FIRM: Final = 1.5
"""Least weight of a relation that holds whatever slots there are to fill."""

GOOD: Final = 3.0
"""Most cost of a record that still counts as one that is meant, where others are seen through it."""

_NUMBERS: Final = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Fact:
    """Why a record satisfies a cue.

    Attributes:
        source: the record that says so.
        path: its field.
        value: what the field says.
        weight: log2(m / u), u being the share of records of the type that satisfy the cue by chance.
    """

    source: str
    path: str
    value: JSON
    weight: float = 0.0


@dataclass(slots=True)
class Satisfied:
    """The records that satisfy a cue: what that costs them, and why it holds."""

    cost: dict[int, float] = field(default_factory=dict)
    facts: dict[int, Fact] = field(default_factory=dict)

    def add(self, n: int, cost: float, fact: Fact | None) -> None:
        """Note that a record satisfies it, at the least cost known."""
        if cost < self.cost.get(n, float("inf")):
            self.cost[n] = cost
            if fact is not None:
                self.facts[n] = fact


@dataclass(slots=True)
class Denotation:
    """What a reference may mean.

    Attributes:
        cost: record number to its cost.
        facts: record number to why it is meant.
        failed: record number to the cues it fails.
    """

    cost: dict[int, float]
    facts: dict[int, list[Fact]]
    failed: dict[int, list[Cue]]


class Denoter:
    """Finds what references mean, in one store.

    Args:
        store: the records.
        ref_of: reference of every node, by the node's identity.
        now: when the instruction was said.
        user: who says it.
        loose: what is said of nothing in particular; it may decide between records that nothing else tells apart.
        apart: identities of references that stand by themselves, whatever they seem to be said of.
    """

    def __init__(
        self,
        store: RecordStore,
        ref_of: Mapping[int, Ref],
        now: datetime | None,
        user: JSONObject | None,
        apart: frozenset[int] = frozenset(),
        loose: Sequence[ValueCue | TimeCue | Ref] = (),
    ) -> None:
        self.store, self.ref_of, self.now, self.apart, self.loose = store, ref_of, now, apart, loose
        self.schema = store.schema
        self.user = self._user_number(user or {})
        self._done: dict[tuple[int, frozenset[str] | None], Denotation] = {}
        self._busy: set[int] = set()

    def _user_number(self, user: JSONObject) -> int | None:
        for name in ("id", "email", "name"):
            value = user.get(name)
            if isinstance(value, str):
                n = self.store.number.get(value)
                if n is not None:
                    return n
        return None

    def denotation(self, ref: Ref, types: frozenset[str] | None) -> Denotation:
        """What a reference may mean among records of some types (None: of those that its words allow)."""
        key = (id(ref), types)
        if key in self._done:
            return self._done[key]
        if id(ref) in self._busy:
            return Denotation({}, {}, {})
        self._busy.add(id(ref))
        try:
            found = self._denote(ref, types if types is not None else ref.types)
        finally:
            self._busy.discard(id(ref))
        self._done[key] = found
        return found

    def _denote(self, ref: Ref, types: frozenset[str] | None) -> Denotation:
        cost: dict[int, float] = {}
        facts: dict[int, list[Fact]] = {}
        failed: dict[int, list[Cue]] = {}
        held = [
            (cue, satisfied)
            for cue in ref.cues
            if not isinstance(cue, OrderCue) and (satisfied := self._weighed(self._satisfied(cue, types))) is not None
        ]
        domain = self._named(ref.names, types) if ref.names else self._unnamed(held, types)
        for n, (start, fact) in domain.items():
            if types is None or self.store.records[n].type in types:
                wrong, why, failed[n] = _judged(n, held)
                cost[n] = start + wrong
                facts[n] = [fact, *why] if fact else why
        for cue in ref.cues:
            if isinstance(cue, OrderCue):
                self._pick(cue, cost, facts, failed)
        if self.loose:
            self._decide(ref, types, cost, facts)
        return Denotation(cost, facts, failed)

    def _weighed(self, held: Satisfied | None) -> Satisfied | None:
        """The same with the weight of each fact, log2(m / u)."""
        if held is not None:
            held.facts = {n: replace(fact, weight=weight) for n, fact, weight in self._weights(held.facts)}
        return held

    def _weights(self, facts: Mapping[int, Fact]) -> Iterator[tuple[int, Fact, float]]:
        counts = Counter(self.store.records[n].type for n in facts)
        for n, fact in facts.items():
            kind = self.store.records[n].type
            total = len(self.store.by_type.get(kind, ()))
            yield n, fact, math.log2(MATCH / max(counts[kind] / max(total, 1), 1 / (total + 1)))

    def _unnamed(
        self, held: Sequence[tuple[Cue, Satisfied]], types: frozenset[str] | None
    ) -> dict[int, tuple[float, Fact | None]]:
        """The records that come into question where no name is said."""
        positive = [satisfied for cue, satisfied in held if not cue.negated]
        if not positive:
            return dict.fromkeys(self._of_types(types), (0.0, None))
        return {n: (0.0, None) for satisfied in positive for n in satisfied.cost}

    def _decide(
        self, ref: Ref, types: frozenset[str] | None, cost: dict[int, float], facts: dict[int, list[Fact]]
    ) -> None:
        """Let what is said of nothing in particular decide between records that nothing else tells apart."""
        least = min(cost.values(), default=GOOD)
        tied = [n for n, c in cost.items() if c - least < TIE]
        if least >= GOOD or not 1 < len(tied) <= _MOST_TIED:
            return
        left = tied
        for item in self.loose:
            if item is ref:
                continue
            held = self._loosely(item, types)
            having = [n for n in left if n in held.cost]
            if having and len(having) < len(left):
                left = having
                for n in having:
                    facts[n].append(held.facts[n])
        if len(left) < len(tied):
            for n in tied:
                if n not in left:
                    cost[n] += LOOSE_MISS

    def _loosely(self, item: ValueCue | TimeCue | Ref, types: frozenset[str] | None) -> Satisfied:
        if isinstance(item, Ref):
            if types is not None and not self.schema.paths(types, item.types):
                return Satisfied()
            meant = {n: c for n, c in self.denotation(item, None).cost.items() if c < GOOD}
            return self._linked(meant, (), types) if len(meant) <= _MOST_TIED else Satisfied()
        if item.negated:
            return Satisfied()
        return self._value(item, types) or Satisfied() if isinstance(item, ValueCue) else self._at_any_time(item, types)

    def _at_any_time(self, cue: TimeCue, types: frozenset[str] | None) -> Satisfied:
        held = Satisfied()
        for n in self._of_types(types):
            for path, moment in self.store.times[n]:
                if cue.time.holds(moment):
                    held.add(n, 0.0, Fact(self.store.records[n].id, path, self.store.records[n].fields.get(path)))
        return held

    def _of_types(self, types: frozenset[str] | None) -> Iterable[int]:
        for kind, numbers in self.store.by_type.items():
            if types is None or kind in types:
                yield from numbers

    def _named(self, names: tuple[NameWord, ...], types: frozenset[str] | None) -> dict[int, tuple[float, Fact | None]]:
        """The records one of whose names holds all words."""
        found: dict[int, dict[int, float]] = {}
        for k, word in enumerate(names):
            known = bool(word.near) and word.near[0][1] == 0
            for near, wrong in word.near:
                holders = self.store.named(near)
                each = OTHER_NAME if known and len(holders) > 1 else NAME_MISTAKE
                for n in holders:
                    if k and n not in found:
                        continue
                    costs = found.setdefault(n, {})
                    costs[k] = min(costs.get(k, 9.0), each * wrong)
        named: dict[int, tuple[float, Fact | None]] = {}
        for n, costs in found.items():
            record = self.store.records[n]
            if types is not None and record.type not in types:
                continue
            if len(costs) == len(names):
                path = record.label_field or "name"
                fact = Fact(record.id, path, record.fields.get(path, record.label))
                named[n] = (sum(costs.values()), fact)
        found_facts = {n: fact for n, (_, fact) in named.items() if fact is not None}
        for n, fact, weight in self._weights(found_facts):
            named[n] = (named[n][0], replace(fact, weight=weight))
        return named

    # --- cues ---

    def _satisfied(self, cue: Cue, types: frozenset[str] | None) -> Satisfied | None:
        """The records that satisfy a cue; None where it says nothing of records of these types."""
        if isinstance(cue, ValueCue):
            return self._value(cue, types)
        if isinstance(cue, TimeCue):
            return self._time(cue, types)
        if isinstance(cue, RelationCue):
            return self._relation(cue, types)
        if isinstance(cue, UserCue):
            return self._linked({self.user: 0.0} if self.user is not None else {}, cue.hint, types)
        if isinstance(cue, UnknownCue):
            return self._telling(cue)
        return None

    def _value(self, cue: ValueCue, types: frozenset[str] | None) -> Satisfied | None:
        said = _counted(cue.hint)
        held = Satisfied()
        kinds = types if types is not None else frozenset(self.store.by_type)
        favoured = {kind: _favoured(kind, self.schema.fields.get(kind, frozenset()), said) for kind in kinds if said}
        some = any(favoured.values())
        for named, wrong in cue.values:
            for n, path in named.holders:
                record = self.store.records[n]
                if record.type not in kinds:
                    continue
                right = favoured.get(record.type)
                cost = VALUE_MISTAKE * wrong + (FIELD_MISMATCH if right and path not in right else 0.0)
                held.add(
                    n, cost, Fact(record.changed.get(path, record.id), *_said_by(self.store, n, path, named.value))
                )
        if not held.cost and not some:
            return None
        return held

    def _time(self, cue: TimeCue, types: frozenset[str] | None) -> Satisfied | None:
        said = _counted(cue.hint)
        held = Satisfied()
        seen = False
        for kind in self.store.by_type if types is None else types:
            paths = self.schema.times.get(kind, frozenset())
            if not paths:
                continue
            seen = True
            right = _favoured(kind, paths, said) or _usual(kind, paths)
            for n in self.store.by_type.get(kind, ()):
                for path, moment in self.store.times[n]:
                    if path in right and cue.time.holds(moment):
                        record = self.store.records[n]
                        held.add(n, 0.0, Fact(record.id, path, record.fields.get(path)))
        return held if seen else None

    def _relation(self, cue: RelationCue, types: frozenset[str] | None) -> Satisfied | None:
        other = self.ref_of.get(id(cue.node))
        if other is None or (id(other) in self.apart and cue.weight < FIRM):
            return None
        beside = (AFTER | BEFORE) & set(cue.hint)
        if beside and (types is None or other.types is None or types & other.types):
            same = types if other.types is None else other.types & (types or other.types)
            return self._beside(cue, other, same, later=bool(AFTER & beside))
        paths = self.schema.paths(types, other.types)
        if not paths:
            return None
        kinds = frozenset(k for k in self._linkable(types) if other.types is None or k in other.types)
        meant = {n: c for n, c in self.denotation(other, kinds or other.types).cost.items() if c < MISS}
        return self._linked(meant, cue.hint, types)

    def _linkable(self, types: frozenset[str] | None) -> frozenset[str]:
        found = set()
        for a, b in self.schema.relations:
            if types is None or a in types:
                found.add(b)
            if types is None or b in types:
                found.add(a)
        return frozenset(found)

    def _linked(self, meant: Mapping[int, float], hint: tuple[str, ...], types: frozenset[str] | None) -> Satisfied:
        said = _counted(hint)
        held = Satisfied()
        pairs: list[tuple[int, int, str, int]] = []
        for y in meant:
            pairs += [(link.other, link.other, link.path, y) for link in self.store.linked_by[y]]
            pairs += [(link.other, y, link.path, y) for link in self.store.links[y]]
        pairs = [p for p in pairs if types is None or self.store.records[p[0]].type in types]
        for x, holder, path, y in pairs:
            kind = self.store.records[holder].type
            other_kind = self.store.records[y if holder == x else x].type
            paths = self.schema.relations.get((kind, other_kind), frozenset())
            favoured = _favoured(kind, paths, said)
            right = favoured or _usual_relations(kind, paths)
            cost = meant[y] + (0.0 if path in right else FIELD_MISMATCH)
            if not favoured and len(right) > 1 and self._is_list(holder, path):
                cost += LIST_COST
            source = self.store.records[holder]
            value = self.store.records[y if holder == x else x].id
            if not source.holds(path, value):
                value = self.store.records[y if holder == x else x].label
            held.add(x, cost, Fact(source.id, path, value))
        return held

    def _is_list(self, n: int, path: str) -> bool:
        return isinstance(self.store.records[n].fields.get(path), list | tuple)

    def _beside(self, cue: RelationCue, other: Ref, types: frozenset[str] | None, *, later: bool) -> Satisfied:
        """Records that come before or after another one of their type."""
        held = Satisfied()
        marks = [n for n, c in self.denotation(other, types).cost.items() if c < GOOD]
        if len(marks) != 1:
            return held
        kind = self.store.records[marks[0]].type
        path = _order_path(kind, self.schema.times.get(kind, frozenset()))
        moments = dict(self.store.times[marks[0]])
        if path is None or path not in moments:
            return held
        limit = instant(moments[path])
        for n in self.store.by_type.get(kind, ()):
            moment = dict(self.store.times[n]).get(path)
            if moment is not None and n != marks[0] and (instant(moment) > limit if later else instant(moment) < limit):
                record = self.store.records[n]
                held.add(n, 0.0, Fact(record.id, path, record.fields.get(path)))
        return held

    def _telling(self, cue: UnknownCue) -> Satisfied:
        """Records whose longer texts hold the words."""
        held = Satisfied()
        for n in self.store.telling(cue.said[0]):
            if all(n in self.store.telling(word) for word in cue.said):
                record = self.store.records[n]
                held.add(n, 1.0, _text_fact(record, cue.said))
        return held

    def _pick(
        self, cue: OrderCue, cost: dict[int, float], facts: dict[int, list[Fact]], failed: dict[int, list[Cue]]
    ) -> None:
        """Keep the record at a place in an order among those that are meant so far."""
        good = [n for n, c in cost.items() if c < GOOD]
        if not good:
            return
        keys = self._order_keys(cue, good)
        ordered = sorted(set(keys.values()), reverse=cue.last)
        chosen = ordered[cue.rank - 1] if len(ordered) >= cue.rank else None
        for n in cost:
            if n not in keys or keys[n] != chosen:
                cost[n] += MISS
                failed[n].append(cue)

    def _order_keys(self, cue: OrderCue, good: list[int]) -> dict[int, tuple[float, ...]]:
        kinds = {self.store.records[n].type for n in good}
        said = _counted(cue.hint)
        keys: dict[int, tuple[float, ...]] = {}
        for kind in kinds:
            times = self.schema.times.get(kind, frozenset())
            numbers = [n for n in good if self.store.records[n].type == kind]
            versions = {n: v for n in numbers if (v := self._version(n)) is not None}
            timed = _favoured(kind, times, said)
            sized = {n: v for n in numbers if (v := self._amount(n)) is not None} if SIZES & set(cue.hint) else {}
            if len(sized) == len(numbers):
                keys.update(sized)
                continue
            if len(versions) == len(numbers) and not timed and not cue.coming:
                keys.update(versions)
                continue
            path = next(iter(sorted(timed)), None) or _order_path(kind, times)
            for n in numbers:
                moment = dict(self.store.times[n]).get(path) if path else None
                if moment is not None:
                    keys[n] = (instant(moment),)
        if cue.coming and self.now is not None:
            now = self.now.timestamp()
            keys = {n: key for n, key in keys.items() if key[0] >= now}
        return keys

    def _amount(self, n: int) -> tuple[float, ...] | None:
        record = self.store.records[n]
        for path, value in record.fields.items():
            if (
                isinstance(value, int | float)
                and not isinstance(value, bool)
                and Concept.AMOUNT in concepts_of_field(record.type, path)
            ):
                return (float(value),)
        return None

    def _version(self, n: int) -> tuple[float, ...] | None:
        record = self.store.records[n]
        for path, value in record.fields.items():
            if Concept.VERSION in concepts_of_field(record.type, path) and isinstance(value, str | int | float):
                parts = tuple(float(x) for x in _NUMBERS.findall(str(value)))
                if parts:
                    return parts
        return None


def _text_fact(record: Record, said: Sequence[str]) -> Fact | None:
    """The field whose longer text holds all words; none where they stand in several."""
    for leaf in leaves_of(record.fields):
        if len(leaf.words) > SHORT_VALUE and set(said) <= set(leaf.words):
            return Fact(record.id, leaf.path, leaf.value)
    return None


def _judged(n: int, held: Sequence[tuple[Cue, Satisfied]]) -> tuple[float, list[Fact], list[Cue]]:
    """What cues cost a record, why it is meant, and what speaks against it."""
    total = 0.0
    why: list[Fact] = []
    wrong: list[Cue] = []
    for cue, satisfied in held:
        cost = satisfied.cost.get(n)
        if cue.negated:
            if cost is not None and cost < GOOD:
                total += MISS
                wrong.append(cue)
        elif cost is None:
            total += UNKNOWN_MISS if isinstance(cue, UnknownCue) else MISS
            wrong.append(cue)
        else:
            total += min(cost, MISS)
            if n in satisfied.facts:
                why.append(satisfied.facts[n])
            if cost >= GOOD:
                wrong.append(cue)
    return total, why, wrong


def instant(moment: Moment) -> float:
    """A moment as a number that orders moments; days begin at midnight, UTC where nothing else is known."""
    value = moment.value
    if isinstance(value, time):
        return value.hour * 3600.0 + value.minute * 60.0
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


def _said_by(store: RecordStore, n: int, path: str, value: JSON) -> tuple[str, JSON]:
    """Field and value as the record that says so holds them: a notice of a change holds the value under ``value``."""
    return ("value" if path in store.records[n].changed else path), value


def _counted(hint: Iterable[str]) -> list[frozenset[Concept]]:
    return [c for c in map(concepts_of_word, content(hint)) if c]


def _favoured(kind: str, paths: Iterable[str], said: list[frozenset[Concept]]) -> frozenset[str]:
    """The fields that the words around a value speak of most; none where they speak of none."""
    if not said:
        return frozenset()
    scores = {path: sum(bool(c & concepts_of_field(kind, path)) for c in said) for path in paths}
    most = max(scores.values(), default=0)
    return frozenset(path for path, score in scores.items() if score == most) if most else frozenset()


_ORDER: Final = (
    Concept.BEGIN,
    Concept.CREATE,
    Concept.JOIN,
    Concept.CLOSE,
    Concept.RENEW,
    Concept.DUE,
    Concept.UPDATE,
    Concept.END,
)


def _order_path(kind: str, paths: frozenset[str]) -> str | None:
    """The field with the time by which records of a type are ordered, where the words do not say."""
    for concept in _ORDER:
        for path in sorted(paths):
            if "." not in path and concept in concepts_of_field(kind, path):
                return path
    return min(paths, default=None)


def _usual(kind: str, paths: frozenset[str]) -> frozenset[str]:
    path = _order_path(kind, paths)
    return frozenset({path}) if path else frozenset()


def _usual_relations(kind: str, paths: frozenset[str]) -> frozenset[str]:
    """All fields that relate two types, but for who made the last change, which nobody means without saying it."""
    left = frozenset(path for path in paths if Concept.UPDATE not in concepts_of_field(kind, path))
    return left or paths
