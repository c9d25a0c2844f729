"""The audit of a suite: every task measured once, every criterion judged on what was measured."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ebf_env.errors import ConfigurationError
from ebf_env.tasks import iterate_suite
from ebf_generators.audit.competency import Contrasts, judge_label_tokens, judge_record_tokens
from ebf_generators.audit.duplicates import DuplicateLedger, Overlap, SplitWords, overlap, pairs_of_splits
from ebf_generators.audit.families import FamilyLedger
from ebf_generators.audit.groups import FOLDS, numbered
from ebf_generators.audit.header import header_finding, no_header_finding, positions, trailer_finding
from ebf_generators.audit.leaks import LeakLedger
from ebf_generators.audit.ledger import NOT_GENERATED, FaultLedger
from ebf_generators.audit.matrices import Ints, Rows
from ebf_generators.audit.measuring import LABELS, Batch, Measured, Settings
from ebf_generators.audit.picking import Choices, position_in_parts
from ebf_generators.audit.play import PlayLedger
from ebf_generators.audit.proofs import ProofLedger
from ebf_generators.audit.reading import Survey, first_tasks, measure_all, survey
from ebf_generators.audit.report import AuditReport, Finding, Verdict
from ebf_generators.audit.shortcuts import VIEWS, Population, judge_view, skipped_views
from ebf_generators.audit.stated import Stated
from ebf_generators.audit.statistics import Counts
from ebf_generators.suites import Tally

IN_SAMPLE = 10_000
"""About how many tasks classifiers and tokens of records are judged on."""

FITS = FOLDS * len(VIEWS)
"""How many classifiers are fitted at most."""


def _nothing() -> None:
    pass


@dataclass
class Measurements:
    """All that was measured on a suite.

    Attributes:
        suite: the file and what its header says.
        whole: whether all of its tasks were measured.
    """

    suite: Survey
    whole: bool
    _families: list[str | None] = field(default_factory=list)
    _groups: list[str | int] = field(default_factory=list)
    _labels: array[int] = field(default_factory=lambda: array("q"))
    _names: dict[int, str] = field(default_factory=dict)
    _words: Rows = field(default_factory=Rows)
    _views: dict[str, Rows] = field(default_factory=lambda: {view: Rows() for view in VIEWS})
    _choices: Choices = field(default_factory=Choices)
    _contrasts: Contrasts = field(default_factory=Contrasts)
    _proofs: ProofLedger = field(default_factory=ProofLedger)
    _duplicates: DuplicateLedger = field(default_factory=DuplicateLedger)
    _leaks: LeakLedger = field(default_factory=LeakLedger)
    _play: PlayLedger = field(default_factory=PlayLedger)
    _counts: Counts = field(default_factory=Counts)
    _splits: dict[str, SplitWords] = field(default_factory=dict)
    _wording: FaultLedger = field(default_factory=lambda: FaultLedger("wording", "what forms ask for is said", "tasks"))
    _stated: FaultLedger = field(
        default_factory=lambda: FaultLedger("metadata", "tasks are what they say of themselves", "tasks")
    )
    _cells: FamilyLedger = field(default_factory=FamilyLedger)
    _menus: array[int] = field(default_factory=lambda: array("q"))
    _drawn: dict[int, tuple[str, int]] = field(default_factory=dict)
    _tally: Tally = field(default_factory=Tally)

    def __len__(self) -> int:
        return len(self._labels)

    def add(self, one: Measured) -> None:
        """Add what was measured on one task."""
        number = len(self)
        self._families.append(one.family)
        self._groups.append(number if one.family is None else one.family)
        self._labels.append(one.label)
        self._proofs.add(one.task_id, one.proof)
        if one.unsaid is not None:
            self._wording.add(one.task_id, one.unsaid)
        self._stated.add(one.task_id, one.misstated)
        if one.cell is not None:
            self._cells.add(one.cell)
        self._menus.extend(one.menu)
        if one.hash is not None:
            self._drawn[number] = (one.task_id, one.hash)
        self._duplicates.add(one.task_id, one.key)
        self._leaks.add(one.task_id, one.leaks)
        self._play.add(one.task_id, LABELS[one.label], one.played)
        self._counts.add(one.counted, one.instruction, one.delexicalised, one.entities)
        self._words.add(number, one.words)
        for choice in one.choices:
            self._choices.add(number, choice)
        for view, ids in (one.views or {}).items():
            self._views[view].add(number, ids)
        for contrast in one.contrasts or ():
            self._contrasts.add(number, contrast)
        if one.split is not None:
            self._splits.setdefault(one.split, SplitWords(self.suite.name, one.split)).sets.append(one.said)

    def learn(self, batch: Batch) -> None:
        """Learn names of features, and what a trailer counts."""
        self._names |= dict(batch.names)
        self._tally.merge(batch.tally)

    def report(self, *, classifiers: bool = True, on_fit: Callable[[], None] = _nothing) -> AuditReport:
        """Judge every criterion.

        Args:
            classifiers: whether to fit the classifiers of criterion 1, which take longest.
            on_fit: called after every fit of one.
        """
        labels = np.array(self._labels, np.int64)
        families = numbered(self._groups)
        findings = (
            *self._proofs.findings(),
            *self._as_stated(),
            *(self._shortcuts(labels, families, on_fit) if classifiers else skipped_views()),
            *self._choices.findings(families),
            self._menu(families),
            *self._tokens(labels, families),
            self._duplicates.finding(),
            self._leaks.finding(),
            *self._play.findings(families),
            *self._counts.independence(labels, families),
        )
        statistics = self._counts.to_json(self._families, labels)
        statistics["picks_reported_only"] = dict(self._choices.reported(families))
        return AuditReport(
            self.suite.name, str(self.suite.path), len(self), self.whole, findings, statistics, self._proofs.proven
        )

    def _as_stated(self) -> list[Finding]:
        suite, tasks = self.suite, len(self)
        no_forms = "no mention has a form"
        wording = self._wording.finding() if self._wording.checked else self._wording.not_applicable(no_forms)
        if suite.generated:
            stated = self._stated.finding()
            header = header_finding(suite.info, self._drawn, tasks, whole=self.whole)
            counted = self._tally.statistics()
        else:
            stated = self._stated.not_applicable(NOT_GENERATED)
            header = no_header_finding()
            counted = self._counts.of_trailer()
        trailer = trailer_finding(suite.statistics, counted, tasks, generated=suite.generated, whole=self.whole)
        return [wording, stated, *self._cells.findings(suite.generated), header, trailer]

    def _menu(self, families: Ints) -> Finding:
        menus = np.array(self._menus, np.int64).reshape(-1, 2)[np.unique(families, return_index=True)[1]]
        title, note = "place of the gold tool on the menu", "one menu of each family"
        found = position_in_parts("position.menu", title, menus[:, 1], menus[:, 0], note)
        if self.suite.generated or found.verdict is Verdict.NOT_APPLICABLE:
            return found
        return replace(found, verdict=Verdict.NOT_APPLICABLE, note="reported only: the header names no generator")

    def _shortcuts(self, labels: Ints, families: Ints, on_fit: Callable[[], None]) -> list[Finding]:
        population = Population(labels, families, self.suite.single_cells, self._names)
        return [judge_view(view, rows, population, on_fit) for view, rows in self._views.items()]

    def _tokens(self, labels: Ints, families: Ints) -> list[Finding]:
        return [
            judge_label_tokens(
                "tokens.instruction",
                "no word of what is said tells the label",
                self._words,
                labels,
                families,
                self._names,
            ),
            judge_label_tokens(
                "tokens.world",
                "no feature of the records tells the label",
                self._views["world"],
                labels,
                families,
                self._names,
            ),
            judge_record_tokens(
                "tokens.gold", "no feature of a record tells that it is meant", self._contrasts, families, self._names
            ),
        ]

    @property
    def splits(self) -> tuple[SplitWords, ...]:
        """What is said in every split."""
        return tuple(self._splits.values())


def measure_suite(
    suite: Survey, *, most: int | None = None, workers: int = 1, on_task: Callable[[], None] = _nothing
) -> Measurements:
    """Read a suite once and measure every task.

    Args:
        suite: the suite (see ``survey``).
        most: only so many tasks from the beginning, and the rest of the last one's family; the seal is not checked
            then.
        workers: number of processes; the result does not depend on it.
        on_task: called after every task.

    Raises:
        SuiteError: the file cannot be used.
        ConfigurationError: there is no task to audit.
    """
    expected = suite.lines if most is None else min(most, suite.lines)
    measurements = Measurements(suite, whole=most is None or most >= suite.lines)
    tasks = first_tasks(iterate_suite(suite.path), None if measurements.whole else most)
    settings = Settings(
        min(1.0, IN_SAMPLE / max(expected, 1)),
        suite.single_cells,
        Stated(suite.config, not suite.single_cells) if suite.generated else None,
        suite.noisy,
        frozenset(positions(suite.info)),
    )
    for batch in measure_all(tasks, expected, settings, workers):
        measurements.learn(batch)
        for one in batch.measured:
            measurements.add(one)
            on_task()
    if not len(measurements):
        raise ConfigurationError(f"{suite.path}: the suite holds no task, so there is nothing to audit")
    return measurements


def across_splits(suites: Iterable[Measurements]) -> list[Overlap]:
    """How many instructions nearly repeat one of another split, for every pair of different splits."""
    parts = [part for measurements in suites for part in measurements.splits]
    return [overlap(left, right) for left, right in pairs_of_splits(parts)]


def audit_suite(path: str | Path, *, workers: int = 1, classifiers: bool = True) -> AuditReport:
    """Audit a whole suite.

    Raises:
        SuiteError: the file cannot be used.
    """
    return measure_suite(survey(path), workers=workers).report(classifiers=classifiers)
