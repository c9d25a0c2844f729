"""Measuring one task: all that is computed from a single line of a suite, in whatever process."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ebf_env.tasks import Label, Task
from ebf_generators.audit.competency import Contrast, contrast
from ebf_generators.audit.duplicates import WordSet, content_key, text_hash, word_set
from ebf_generators.audit.features import said_words
from ebf_generators.audit.leaks import leaks_of
from ebf_generators.audit.matrices import FeatureIds, FeatureNames
from ebf_generators.audit.picking import Choice, candidate_features, choices
from ebf_generators.audit.play import Played, play
from ebf_generators.audit.proofs import ProofCheck, check_proof
from ebf_generators.audit.shortcuts import views_of
from ebf_generators.audit.sight import Sight
from ebf_generators.audit.statistics import described, normalised

LABELS = (Label.RESOLVABLE, Label.AMBIGUOUS, Label.UNACTIONABLE)
"""Labels in the order of their numbers: act, clarify, defer."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was measured on one task.

    Attributes:
        task_id: its id.
        family: its family, None where it has none.
        split: its split.
        label: the number of its label.
        counted: what it is counted by.
        entities: number of its records.
        instruction: hash of its instruction.
        delexicalised: hash of its delexicalised instruction, where it has one.
        proof: what proving it gave.
        choices: its slots with one gold among several surface candidates.
        key: hash that the same task twice shares.
        words: the words of what is said.
        said: the words of the instruction, for comparisons across splits.
        leaks: what its observation should not hold.
        played: what simple policies made of it.
        views: its features in every view; None where it is not in the sample.
        contrasts: how the gold of each choice stands out; None where it is not in the sample.
    """

    task_id: str
    family: str | None
    split: str | None
    label: int
    counted: Mapping[str, str]
    entities: int
    instruction: int
    delexicalised: int | None
    proof: ProofCheck
    choices: tuple[Choice, ...]
    key: bytes
    words: FeatureIds
    said: WordSet
    leaks: tuple[str, ...]
    played: Played
    views: Mapping[str, FeatureIds] | None
    contrasts: tuple[Contrast, ...] | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What was measured on some tasks, and the names of features first met there."""

    measured: tuple[Measured, ...]
    names: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """How tasks are measured.

    Attributes:
        share: share of the families that are in the sample of which features are kept.
        single_cells: whether the suite samples single cells, whose ``base_condition`` is no more than their condition.
    """

    share: float
    single_cells: bool


class Measurer:
    """Measures tasks in one process."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._names = settings, FeatureNames()

    def measure(self, tasks: Sequence[tuple[int, Task]]) -> Batch:
        """Measure tasks, each given with its number in the file."""
        return Batch(tuple(self._measure(Sight(task, n)) for n, task in tasks), self._names.take_fresh())

    def _measure(self, sight: Sight) -> Measured:
        task = sight.task
        check, proofs = check_proof(sight)
        found = list(choices(sight, proofs))
        sampled = in_sample(task.family or task.task_id, self._settings.share)
        plain = (task.certificate or {}).get("delexicalised")
        return Measured(
            task_id=task.task_id,
            family=task.family,
            split=task.split,
            label=LABELS.index(task.label),
            counted=described(task),
            entities=len(task.world),
            instruction=text_hash(normalised(task.instruction)),
            delexicalised=text_hash(plain) if isinstance(plain, str) else None,
            proof=check,
            choices=tuple(choice for choice, _ in found),
            key=content_key(sight),
            words=self._names.ids(said_words(task)),
            said=word_set(task),
            leaks=tuple(leaks_of(sight)),
            played=play(sight),
            views=views_of(sight, self._names, self._settings.single_cells) if sampled else None,
            contrasts=tuple(
                contrast([self._names.ids(f) for f in candidate_features(sight, usable)], gold)
                for usable, gold in (choice.usable(candidates) for choice, candidates in found)
            )
            if sampled
            else None,
        )


def in_sample(family: str, share: float) -> bool:
    """Whether a family is in the sample: the same in every process, whatever the order."""
    return zlib.crc32(f"sample {family}".encode()) < share * (1 << 32)
