"""A criterion that is a count of faults: of tasks, families or fields that are not as they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ebf_generators.audit.report import Finding, listed, not_applicable, verdict_of

_KEPT = 20

NOT_GENERATED = "the header names no generator, so there is nothing to hold it against"
"""Why a criterion says nothing of a suite written by hand, or imported."""


@dataclass
class FaultLedger:
    """Counts what has faults, and keeps the first of them.

    Attributes:
        criterion: key of the criterion.
        title: what is looked at, in words.
        things: what is counted ("tasks").
        checked: how many were looked at.
        faulty: how many have faults.
    """

    criterion: str
    title: str
    things: str
    checked: int = 0
    faulty: int = 0
    _faults: list[str] = field(default_factory=list)

    def add(self, name: str, faults: Sequence[str]) -> None:
        """Add what was found on one thing; a name stands before each of its faults."""
        self.checked += 1
        self.faulty += bool(faults)
        self._faults.extend(f"{name}: {fault}" if name else fault for fault in faults[: _KEPT - len(self._faults)])

    def finding(self, note: str = "") -> Finding:
        """The criterion; ``note`` says what else is to be said of it."""
        return Finding(
            self.criterion,
            self.title,
            f"{self.faulty:,} with faults",
            self._limit,
            self.checked,
            verdict_of(not self.faulty),
            "; ".join(part for part in (listed(self._faults), note) if part),
            {"faulty": self.faulty, "faults": list(self._faults)},
        )

    def not_applicable(self, why: str) -> Finding:
        """The criterion where it says nothing of a suite."""
        return not_applicable(self.criterion, self.title, self._limit, why)

    @property
    def _limit(self) -> str:
        return f"0 {self.things} with faults"
