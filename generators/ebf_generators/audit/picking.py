"""Criterion 2: picking the record that is meant without reading what is said.

A *choice* is a slot with one gold record among two or more surface candidates, in a resolvable task. A rule that picks
a candidate at sight must hit the gold no more often than chance, 1 / |Surf|. Where a rule finds several candidates
equally good, it hits with the chance of a draw among them.
"""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import special  # type: ignore[import-untyped]

from ebf_env.envs import ObservedEntity
from ebf_env.tasks import Condition, Label
from ebf_env.tasks.proof import MentionProof
from ebf_env.world.binding import as_ids
from ebf_generators.audit.features import instant, record_features
from ebf_generators.audit.groups import clustered_variance
from ebf_generators.audit.matrices import Floats, Ints
from ebf_generators.audit.report import Finding, not_applicable, verdict_of
from ebf_generators.audit.sight import Scalar, Sight, leaves

MOST_CANDIDATES = 500
"""Choices among more candidates are not measured."""

LEAST_P = 0.01
_LEAST_EXPECTED = 5.0
_PARTS = (10, 5, 2)
_TIME_FIELDS = (
    "updated_at",
    "created_at",
    "sent_at",
    "started_at",
    "issued_at",
    "start",
    "date",
    "due_date",
    "scheduled_for",
    "close_date",
    "renewal_date",
    "start_date",
)
"""Fields by which a record is newer or older than another, the most telling first."""

_NEGATIVE = re.compile(
    r"\b(?:not|no|never|must|do|don't|cannot|wrong|unrelated|internal|old|former|draft|archived|outdated|obsolete"
    r"|deprecated|superseded|copy)\b"
)
"""Words that speak against a record. "Only" is none: it speaks for a record as often (features of records find it)."""

Seen: TypeAlias = Sequence[ObservedEntity]
Key: TypeAlias = Callable[[Seen], Sequence[float | str] | None]


def _times(candidates: Seen) -> Sequence[float] | None:
    """The time of every candidate: by the first field of which all have one, else by the first of which some have."""
    found: list[dict[str, float]] = []
    for candidate in candidates:
        times: dict[str, float] = {}
        for path, value in leaves(candidate.entity.fields):
            name = path.rpartition(".")[2]
            if name in _TIME_FIELDS and isinstance(value, str) and (moment := instant(value)) is not None:
                times[name] = max(moment, times.get(name, moment))
        found.append(times)
    for needed in (len(candidates), 1):
        for name in _TIME_FIELDS:
            if sum(name in times for times in found) >= needed:
                return [times.get(name, float("nan")) for times in found]
    return None


def _title_lengths(candidates: Seen) -> list[float]:
    return [len(candidate.entity.label) for candidate in candidates]


def _field_counts(candidates: Seen) -> list[float]:
    return [len(candidate.entity.fields) for candidate in candidates]


def _negative_words(candidates: Seen) -> list[float]:
    texts = (" ".join(v for _, v in leaves(c.entity.fields) if isinstance(v, str)).casefold() for c in candidates)
    return [len(_NEGATIVE.findall(text)) for text in texts]


def _likeness(candidates: Seen) -> list[float]:
    """How many of its values a candidate shares with how many others."""
    held = [set(leaves(candidate.entity.fields)) for candidate in candidates]
    often = Counter(value for values in held for value in values)
    return [sum(often[value] - 1 for value in values) for values in held]


def _ids(candidates: Seen) -> list[str]:
    return [candidate.id for candidate in candidates]


@dataclass(frozen=True, slots=True)
class Rule:
    """A way to pick a candidate at sight.

    Attributes:
        name: its key.
        key: a value for every candidate; None where it cannot be told, NaN for a candidate that has none.
        largest: whether the largest value is picked, or the smallest.
        margin: how far above chance it may hit; None where it is reported only.
    """

    name: str
    key: Key
    largest: bool
    margin: float | None


RULES = (
    Rule("first", lambda candidates: range(len(candidates)), False, 0.03),
    Rule("last", lambda candidates: range(len(candidates)), True, 0.03),
    Rule("newest", _times, True, 0.05),
    Rule("oldest", _times, False, 0.05),
    Rule("longest title", _title_lengths, True, 0.05),
    Rule("shortest title", _title_lengths, False, 0.05),
    Rule("most fields", _field_counts, True, 0.05),
    Rule("fewest negative words", _negative_words, False, 0.05),
    Rule("smallest id", _ids, False, 0.05),
    Rule("largest id", _ids, True, 0.05),
    Rule("most like the others", _likeness, True, None),
    Rule("least like the others", _likeness, False, None),
)
_BY_CONDITION = (
    ("newest", Condition.DOCUMENT_VERSION),
    ("oldest", Condition.DOCUMENT_VERSION),
    ("newest", Condition.TEMPORAL),
    ("oldest", Condition.TEMPORAL),
)
"""Rules that are tried within conditions too."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One slot with one gold record among several surface candidates.

    Attributes:
        condition: the task's condition.
        size: number of surface candidates.
        rank: place of the gold among them, in the order of the observation.
        rank_in_type: its place among all records that can fill the slot; in a world too large to be shown, among those
            that set it apart from the shared one.
        size_of_type: their number.
        tied: for every rule, how many candidates it finds equally good; NaN where it cannot tell.
        hits: for every rule, the chance that it hits the gold; NaN where it cannot tell.
        proven: whether the surface candidates are those of a logical form.
        changes: whether the tool changes the record, so that read-only candidates are out of the question.
    """

    condition: Condition
    size: int
    rank: int
    rank_in_type: int
    size_of_type: int
    tied: tuple[float, ...]
    hits: tuple[float, ...]
    proven: bool
    changes: bool

    def usable(self, candidates: Seen) -> tuple[Seen, int]:
        """The candidates the tool may be used on, and the place of the gold among them."""
        places = [n for n, candidate in enumerate(candidates) if candidate.may_change or not self.changes]
        return [candidates[place] for place in places], places.index(self.rank)


def choices(sight: Sight, proofs: Sequence[MentionProof | None]) -> Iterator[tuple[Choice, Seen]]:
    """The choices of a task, each with its candidates in the order of the observation.

    Args:
        sight: the task.
        proofs: for every mention its proof; surface candidates of one without are all records that can fill the slot.
    """
    task = sight.task
    if task.label is not Label.RESOLVABLE:
        return
    meant = [(m.slot, as_ids(m.gold), proof) for m, proof in zip(task.mentions, proofs, strict=True)]
    mentioned = {slot for slot, _, _ in meant}
    meant += [(slot, as_ids(bound), None) for slot, bound in task.bindings.items() if slot not in mentioned]
    for slot, gold, proof in meant:
        fitting = sight.ids_for(slot)
        surface = fitting if proof is None else tuple(i for i in fitting if i in proof.surface)
        if len(gold) != 1 or gold[0] not in surface or not 2 <= len(surface) <= MOST_CANDIDATES:
            continue
        candidates = [_observed(sight, entity_id) for entity_id in surface]
        rank = surface.index(gold[0])
        tied, hits = zip(*(_pick(rule, candidates, rank) for rule in RULES), strict=True)
        precondition = task.spec.precondition(slot)
        put = fitting if sight.whole else tuple(i for i in fitting if i in sight.types)
        of_type = put if gold[0] in put else fitting
        yield (
            Choice(
                task.condition,
                len(surface),
                rank,
                of_type.index(gold[0]),
                len(of_type),
                tied,
                hits,
                proven=proof is not None,
                changes=precondition is not None and precondition.changes,
            ),
            candidates,
        )


def _observed(sight: Sight, entity_id: str) -> ObservedEntity:
    rights = sight.task.user.permissions
    return ObservedEntity(rights.redacted(sight.task.world[entity_id]), rights.may_change(entity_id))


def _pick(rule: Rule, candidates: Seen, gold: int) -> tuple[float, float]:
    """How many candidates a rule finds best, and the chance that it hits the gold."""
    keys = rule.key(candidates)
    known = [key for key in keys or () if key == key]  # noqa: PLR0124 -- NaN is no key
    if keys is None or not known:
        return float("nan"), float("nan")
    best = _best(known, rule.largest)
    tied = sum(key == best for key in known)
    return float(tied), 1 / tied if keys[gold] == best else 0.0


def _best(keys: Sequence[float | str], largest: bool) -> float | str:
    order = sorted(keys, key=lambda key: (isinstance(key, str), key))
    return order[-1] if largest else order[0]


def candidate_features(sight: Sight, candidates: Seen) -> list[set[str]]:
    """Features of every candidate: its fields and their words, and where it has most or least of a field's values."""
    described = [set(record_features(candidate, sight)) for candidate in candidates]
    measures = [_measures(candidate) for candidate in candidates]
    for path in {path for held in measures for path in held}:
        values = {number: held[path] for number, held in enumerate(measures) if path in held}
        least, most = min(values.values()), max(values.values())
        if least < most:
            for number, value in values.items():
                if value in (least, most):
                    kind = candidates[number].type
                    described[number].add(f"{kind}.{path} is {'least' if value == least else 'most'} of the candidates")
    return described


def _measures(candidate: ObservedEntity) -> dict[str, float]:
    """What a record's fields can be compared by: times and numbers by value, text by length."""
    return {path: _measure(value) for path, value in leaves(candidate.entity.fields)}


def _measure(value: Scalar) -> float:
    if isinstance(value, str):
        moment = instant(value)
        return float(len(value)) if moment is None else moment
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# --- judging ---


@dataclass
class Choices:
    """All choices of a suite, in columns.

    Attributes:
        owners: number of the task of each choice.
        conditions: condition of its task.
    """

    owners: array[int] = field(default_factory=lambda: array("q"))
    conditions: list[Condition] = field(default_factory=list)
    _sizes: array[int] = field(default_factory=lambda: array("q"))
    _ranks: array[int] = field(default_factory=lambda: array("q"))
    _ranks_in_type: array[int] = field(default_factory=lambda: array("q"))
    _sizes_of_type: array[int] = field(default_factory=lambda: array("q"))
    _tied: array[float] = field(default_factory=lambda: array("d"))
    _hits: array[float] = field(default_factory=lambda: array("d"))
    _unproven: int = 0

    def add(self, owner: int, choice: Choice) -> None:
        """Add a choice of a task."""
        self.owners.append(owner)
        self.conditions.append(choice.condition)
        self._sizes.append(choice.size)
        self._ranks.append(choice.rank)
        self._ranks_in_type.append(choice.rank_in_type)
        self._sizes_of_type.append(choice.size_of_type)
        self._tied.extend(choice.tied)
        self._hits.extend(choice.hits)
        self._unproven += not choice.proven

    def findings(self, families: Ints) -> list[Finding]:
        """The criteria ``pick.*`` and ``position.*``.

        Args:
            families: for every task of the suite the number of its family.
        """
        columns = self._columns(families)
        rows = [self._judge(columns, number) for number, rule in enumerate(RULES) if rule.margin is not None]
        for name, condition in _BY_CONDITION:
            [number] = [n for n, rule in enumerate(RULES) if rule.name == name]
            rows.append(self._judge(columns, number, condition))
        return [*rows, _position(columns), _position_in_type(columns)]

    def reported(self, families: Ints) -> dict[str, dict[str, float]]:
        """Rules that are reported only: how often they hit, and chance."""
        columns = self._columns(families)
        measured = {
            rule.name: columns.of_rule(number, None) for number, rule in enumerate(RULES) if rule.margin is None
        }
        return {
            name: {"hits": float(found.hits.mean()), "chance": float((1 / found.sizes).mean())}
            for name, found in measured.items()
            if len(found.hits)
        }

    def _columns(self, families: Ints) -> _Columns:
        shape = (len(self.owners), len(RULES))
        return _Columns(
            families[np.array(self.owners, np.int64)],
            np.array([condition.value for condition in self.conditions]),
            np.array(self._sizes, np.float64),
            np.array(self._ranks, np.int64),
            np.array(self._ranks_in_type, np.int64),
            np.array(self._sizes_of_type, np.int64),
            np.array(self._tied, np.float64).reshape(shape),
            np.array(self._hits, np.float64).reshape(shape),
        )

    def _judge(self, columns: _Columns, number: int, condition: Condition | None = None) -> Finding:
        rule = RULES[number]
        margin = rule.margin or 0.0
        criterion = f"pick.{rule.name.replace(' ', '_')}" + (f".{condition.value}" if condition else "")
        title = f"picking the {rule.name}" + (f" ({condition.value})" if condition else "")
        found = columns.of_rule(number, condition)
        if not len(found.hits):
            return not_applicable(criterion, title, f"chance + {margin}", "no choice it could be tried on")
        chance = 1 / found.sizes
        excess = found.hits - chance
        variance = clustered_variance(excess, chance / found.tied - chance**2, found.families)
        total = float(excess.sum())
        p = float(special.ndtr(-total / np.sqrt(variance))) if variance > 1e-9 else 1.0
        passed = total / len(excess) <= margin or p > LEAST_P
        return Finding(
            criterion,
            title,
            f"{found.hits.mean():.3f} (p {p:.3f})",
            f"{chance.mean():.3f} + {margin}, or p > {LEAST_P}",
            len(excess),
            verdict_of(passed),
            self._note(found.hits, passed, first=number == 0),
            {"hits": float(found.hits.mean()), "chance": float(chance.mean()), "margin": margin, "p": p},
        )

    def _note(self, hits: Floats, passed: bool, first: bool) -> str:
        without = f"{self._unproven:,} slots have no form: their candidates are all records of the type"
        notes = [without] if first and self._unproven else []
        if not passed:
            notes.append(f"finds the gold in {int((hits == 1.0).sum()):,} of {len(hits):,} slots")
        return "; ".join(notes)


@dataclass(frozen=True)
class _Columns:
    families: Ints
    conditions: npt.NDArray[np.str_]
    sizes: Floats
    ranks: Ints
    ranks_in_type: Ints
    sizes_of_type: Ints
    tied: Floats
    hits: Floats

    def of_rule(self, number: int, condition: Condition | None) -> _RuleColumns:
        """The choices a rule could be tried on."""
        kept = ~np.isnan(self.hits[:, number])
        if condition is not None:
            kept &= self.conditions == condition.value
        return _RuleColumns(self.families[kept], self.sizes[kept], self.tied[kept, number], self.hits[kept, number])

    def first_of_families(self) -> Ints:
        """The first choice of every family: the cells of a family may share an order of records."""
        return np.unique(self.families, return_index=True)[1].astype(np.int64)


@dataclass(frozen=True)
class _RuleColumns:
    families: Ints
    sizes: Floats
    tied: Floats
    hits: Floats


def _position(columns: _Columns) -> Finding:
    criterion, title = "position.surface", "place of the gold among its surface candidates"
    chosen = columns.first_of_families()
    statistic, freedom, n = 0.0, 0, 0
    for size in np.unique(columns.sizes[chosen]).astype(int):
        ranks = columns.ranks[chosen][columns.sizes[chosen] == size]
        expected = len(ranks) / size
        if expected >= _LEAST_EXPECTED:
            statistic += float(((np.bincount(ranks, minlength=size) - expected) ** 2 / expected).sum())
            freedom += int(size) - 1
            n += len(ranks)
    return _chi_square(criterion, title, statistic, freedom, n)


def _position_in_type(columns: _Columns) -> Finding:
    chosen = columns.first_of_families()
    sizes, ranks = columns.sizes_of_type[chosen], columns.ranks_in_type[chosen]
    return position_in_parts("position.type", "place of the gold among all records of its type", sizes, ranks)


def position_in_parts(
    criterion: str, title: str, sizes: Ints, ranks: Ints, note: str = "one slot of each family"
) -> Finding:
    """Chi-square of places among so many: in deciles, or in as many parts as there are families enough for.

    Args:
        criterion: key of the criterion.
        title: what is measured.
        sizes: among how many there is a place, family by family.
        ranks: the places, from 0.
        note: what they are places of.
    """
    for parts in _PARTS:
        expected = np.zeros(parts)
        for size, count in zip(*np.unique(sizes, return_counts=True), strict=True):
            expected += np.bincount(np.arange(size) * parts // size, minlength=parts) * (count / size)
        kept = expected > 0
        if len(ranks) and kept.any() and float(expected[kept].min()) >= _LEAST_EXPECTED:
            observed = np.bincount(ranks * parts // sizes, minlength=parts)
            statistic = float(((observed - expected)[kept] ** 2 / expected[kept]).sum())
            return _chi_square(criterion, title, statistic, int(kept.sum()) - 1, len(ranks), note)
    return _chi_square(criterion, title, 0.0, 0, len(ranks), note)


def _chi_square(
    criterion: str, title: str, statistic: float, freedom: int, n: int, note: str = "one slot of each family"
) -> Finding:
    limit = f"chi-square p > {LEAST_P}"
    if freedom < 1:
        return not_applicable(criterion, title, limit, "too few families for a chi-square test", n)
    p = float(special.chdtrc(freedom, statistic))
    values: Mapping[str, float] = {"chi_square": statistic, "degrees_of_freedom": freedom, "p": p}
    return Finding(
        criterion,
        title,
        f"chi-square {statistic:.1f} on {freedom}, p {p:.3f}",
        limit,
        n,
        verdict_of(p > LEAST_P),
        note,
        values,
    )
