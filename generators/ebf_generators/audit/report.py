"""What an audit found: one finding for each criterion, and what is reported without a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from ebf_env.json_types import JSON


class Verdict(StrEnum):
    """What became of a criterion."""

    OK = "ok"
    FAIL = "FAIL"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Finding:
    """One criterion, measured on one suite.

    Attributes:
        criterion: its key, e.g. ``shortcut.instruction``.
        title: what is measured, in words.
        measured: the measured value, as it is printed.
        limit: what it is held against, as it is printed.
        n: how many tasks, slots or tokens it was measured on.
        verdict: the verdict.
        note: why a criterion is not applicable, or what stands out.
        values: the measured numbers, for programs.
    """

    criterion: str
    title: str
    measured: str
    limit: str
    n: int
    verdict: Verdict
    note: str = ""
    values: Mapping[str, JSON] = field(default_factory=dict)

    def to_json(self) -> dict[str, JSON]:
        """The finding as JSON."""
        return {
            "criterion": self.criterion,
            "title": self.title,
            "measured": self.measured,
            "limit": self.limit,
            "n": self.n,
            "verdict": self.verdict.value,
            "note": self.note,
            "values": dict(self.values),
        }


def not_applicable(criterion: str, title: str, limit: str, why: str, n: int = 0) -> Finding:
    """A finding that could not be made, and why."""
    return Finding(criterion, title, "-", limit, n, Verdict.NOT_APPLICABLE, why)


def verdict_of(passed: bool) -> Verdict:
    """``ok`` or ``FAIL``."""
    return Verdict.OK if passed else Verdict.FAIL


def listed(items: list[str], most: int = 3) -> str:
    """The first few items, and a sign that there are more."""
    return "; ".join([*items[:most], *(["..."] if len(items) > most else [])])


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What the audit of one suite found.

    Attributes:
        name: the suite's name.
        source: the file, as it was given.
        tasks: how many tasks were audited.
        whole: whether that was the whole file, so that its seal was checked too.
        findings: one for each criterion, in the order of METHODS.
        statistics: what is reported without a verdict.
        proven: how many labels could be proven from forms; of the others an audit says nothing.
    """

    name: str
    source: str
    tasks: int
    whole: bool
    findings: tuple[Finding, ...]
    statistics: Mapping[str, JSON]
    proven: int

    @property
    def passed(self) -> bool:
        """Whether no criterion failed."""
        return all(finding.verdict is not Verdict.FAIL for finding in self.findings)

    @property
    def summary(self) -> str:
        """What came of it, in one phrase; only of labels that were proven does it say that they hold."""
        failed = len(self.failed())
        unproven = "" if self.proven == self.tasks else f"; {self.proven:,} of {self.tasks:,} labels could be proven"
        if failed:
            return f"{failed} of {len(self.findings)} criteria FAIL{unproven}"
        return f"no criterion that applies fails{unproven}" if unproven else "every criterion that applies holds"

    def __getitem__(self, criterion: str) -> Finding:
        """The finding of a criterion; raises KeyError where there is none."""
        for finding in self.findings:
            if finding.criterion == criterion:
                return finding
        raise KeyError(criterion)

    def failed(self) -> tuple[str, ...]:
        """Keys of the criteria that failed."""
        return tuple(finding.criterion for finding in self.findings if finding.verdict is Verdict.FAIL)

    def to_json(self) -> dict[str, JSON]:
        """The report as JSON."""
        return {
            "name": self.name,
            "source": self.source,
            "tasks": self.tasks,
            "whole": self.whole,
            "passed": self.passed,
            "proven": self.proven,
            "criteria": [finding.to_json() for finding in self.findings],
            "statistics": dict(self.statistics),
        }
