"""Measuring one task: all that is computed from a single line of a suite, in whatever process."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ebf_env.tasks import Label, Task
from ebf_env.tasks.proof import MentionProof
from ebf_generators.audit.competency import Contrast, contrast
from ebf_generators.audit.duplicates import WordSet, content_key, text_hash, word_set
from ebf_generators.audit.families import Cell, cell_of
from ebf_generators.audit.features import said_words
from ebf_generators.audit.header import task_hash
from ebf_generators.audit.leaks import leaks_of
from ebf_generators.audit.matrices import FeatureIds, FeatureNames
from ebf_generators.audit.picking import Choice, candidate_features, choices
from ebf_generators.audit.play import Played, play
from ebf_generators.audit.proofs import ProofCheck, check_proof
from ebf_generators.audit.shortcuts import views_of
from ebf_generators.audit.sight import Sight
from ebf_generators.audit.stated import Stated, has_odd_turn, misstated
from ebf_generators.audit.statistics import described, normalised
from ebf_generators.audit.wording import unsaid_names, untied
from ebf_generators.suites import Tally

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
        unsaid: what its forms ask for and nobody says, and what else of its words does not go with them; None where
            no mention has a form.
        misstated: what it says of itself otherwise than it is, where a generator wrote it.
        cell: the task as a cell of its block, likewise.
        menu: place of the gold tool on the menu, and length of that.
        hash: hash of all of it, where it is to be drawn anew.
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
    unsaid: tuple[str, ...] | None
    misstated: tuple[str, ...]
    cell: Cell | None
    menu: tuple[int, int]
    hash: int | None


@dataclass(frozen=True, slots=True)
class Batch:
    """What was measured on some tasks, the names of features first met there, and what a trailer counts of them."""

    measured: tuple[Measured, ...]
    names: Mapping[int, str]
    tally: Tally


@dataclass(frozen=True, slots=True)
class Settings:
    """How tasks are measured.

    Attributes:
        share: share of the families that are in the sample of which features are kept.
        single_cells: whether the suite samples single cells, whose ``base_condition`` is no more than their condition.
        stated: what the header says of every task, where a generator wrote the suite.
        noisy: whether what is said may have mistakes in it.
        drawn: numbers of the tasks that are drawn anew.
    """

    share: float
    single_cells: bool
    stated: Stated | None = None
    noisy: bool = False
    drawn: frozenset[int] = frozenset()


class Measurer:
    """Measures tasks in one process."""

    def __init__(self, settings: Settings) -> None:
        self._settings, self._names = settings, FeatureNames()

    def measure(self, tasks: Sequence[tuple[int, Task]]) -> Batch:
        """Measure tasks, each given with its number in the file."""
        tally = Tally()
        if self._settings.stated is not None:
            for _, task in tasks:
                if not has_odd_turn(task):
                    tally.add(task)
        return Batch(tuple(self._measure(Sight(task, n)) for n, task in tasks), self._names.take_fresh(), tally)

    def _measure(self, sight: Sight) -> Measured:
        task, stated = sight.task, self._settings.stated
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
            unsaid=self._unsaid(task, proofs),
            misstated=() if stated is None else tuple(misstated(task, sight.position, proofs, stated)),
            cell=None if stated is None else cell_of(sight),
            menu=([spec.name for spec in task.tools].index(task.tool), len(task.tools)),
            hash=task_hash(task) if sight.position in self._settings.drawn else None,
        )

    def _unsaid(self, task: Task, proofs: Sequence[MentionProof | None]) -> tuple[str, ...] | None:
        if not any(proofs):
            return None
        noisy = self._settings.noisy
        faults = tuple(unsaid_names(task, proofs))
        return faults if self._settings.stated is None else (*faults, *untied(task, proofs, noisy=noisy))


def in_sample(family: str, share: float) -> bool:
    """Whether a family is in the sample: the same in every process, whatever the order."""
    return zlib.crc32(f"sample {family}".encode()) < share * (1 << 32)
