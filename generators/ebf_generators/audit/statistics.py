"""Criterion 7: what a suite is made of, and that the label does not go with risk, tool or domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ebf_env.json_types import JSON
from ebf_env.tasks import Task
from ebf_env.world.search import words
from ebf_generators.audit.groups import PERMUTATIONS, LabelPermuter, generator_for, numbered
from ebf_generators.audit.matrices import Floats, Ints
from ebf_generators.audit.report import Finding, not_applicable, verdict_of

LEAST_P = 0.01
_COUNTED = ("label", "condition", "base_condition", "tool", "domain", "risk", "difficulty", "visibility", "split")
_OF_TRAILERS = ("condition", "domain", "label", "risk", "tool")
_HELD_AGAINST_LABEL = ("risk", "tool", "domain")


def described(task: Task) -> dict[str, str]:
    """What a task is counted by."""
    return {
        "label": task.label.value,
        "condition": task.condition.value,
        "base_condition": task.base_condition.value if task.base_condition else "none",
        "tool": task.tool,
        "domain": task.domain,
        "risk": task.effective_risk.value,
        "difficulty": str(task.difficulty),
        "visibility": task.visibility,
        "split": task.split or "none",
    }


class Counts:
    """Counts what tasks are made of."""

    def __init__(self) -> None:
        self._columns: dict[str, list[str]] = {name: [] for name in _COUNTED}
        self._interned: dict[str, str] = {}
        self._instructions: set[int] = set()
        self._delexicalised: set[int] = set()
        self._entities: list[int] = []

    def add(self, task: Mapping[str, str], instruction: int, delexicalised: int | None, entities: int) -> None:
        """Add a task.

        Args:
            task: what it is counted by.
            instruction: hash of its instruction.
            delexicalised: hash of its delexicalised instruction, where it has one.
            entities: number of its records.
        """
        for name, value in task.items():
            self._columns[name].append(self._interned.setdefault(value, value))
        self._instructions.add(instruction)
        if delexicalised is not None:
            self._delexicalised.add(delexicalised)
        self._entities.append(entities)

    def independence(self, labels: Ints, families: Ints) -> list[Finding]:
        """The criteria ``independence.*``: chi-square of label and attribute, labels permuted within families."""
        findings = []
        for name in _HELD_AGAINST_LABEL:
            criterion, title = f"independence.{name}", f"label does not go with {name}"
            limit = f"permutation p > {LEAST_P}"
            column = numbered(self._columns[name])
            if len(set(labels.tolist())) < 2 or len(set(column.tolist())) < 2:
                why = f"there is one {name} or one label only"
                findings.append(not_applicable(criterion, title, limit, why, len(labels)))
                continue
            table = _table(column, labels)
            found, bits = _chi_square(table), _mutual_information(table)
            permuter, random = LabelPermuter(families, labels), generator_for(criterion)
            drawn = [_chi_square(_table(column, permuter.draw(random))) for _ in range(PERMUTATIONS)]
            p = (1 + sum(value >= found - 1e-9 for value in drawn)) / (1 + PERMUTATIONS)
            findings.append(
                Finding(
                    criterion,
                    title,
                    f"{bits:.4f} bits, p {p:.3f}",
                    limit,
                    len(labels),
                    verdict_of(p > LEAST_P),
                    "" if p > LEAST_P else self._extremes(name, table),
                    {"mutual_information_bits": bits, "chi_square": found, "p": p},
                )
            )
        return findings

    def _extremes(self, name: str, table: Floats) -> str:
        """The value of an attribute whose tasks are most unlike the rest, in words."""
        share = table[:, 0] / table.sum(axis=1)
        base = table[:, 0].sum() / table.sum()
        value = int(np.argmax(np.abs(share - base) * np.sqrt(table.sum(axis=1))))
        names = list(dict.fromkeys(self._columns[name]))
        return f"{name} {names[value]}: {share[value]:.0%} resolvable, all: {base:.0%}"

    def of_trailer(self) -> dict[str, JSON]:
        """What the trailer of any suite counts, as JSON."""
        return {name: dict(sorted(Counter(self._columns[name]).items())) for name in _OF_TRAILERS}

    def to_json(self, families: Sequence[str | None], labels: Ints) -> dict[str, JSON]:
        """All counts as JSON.

        Args:
            families: for every task its family, or None.
            labels: for every task its label.
        """
        counted: dict[str, JSON] = {
            name: dict(sorted(Counter(column).items())) for name, column in self._columns.items()
        }
        sizes = Counter(family for family in families if family is not None)
        held: dict[str, set[int]] = {}
        for family, label in zip(families, labels.tolist(), strict=True):
            if family is not None:
                held.setdefault(family, set()).add(label)
        entities: npt.NDArray[np.int64] = np.array(self._entities, np.int64)
        tasks = len(families)
        return {
            **counted,
            "distinct_instructions": len(self._instructions),
            "distinct_delexicalised_instructions": len(self._delexicalised),
            "share_in_families": sum(sizes.values()) / tasks if tasks else 0.0,
            "families": len(sizes),
            "family_sizes": {str(size): count for size, count in sorted(Counter(sizes.values()).items())},
            "families_with_several_labels": sum(len(found) > 1 for found in held.values()),
            "entities": {
                "least": int(entities.min()) if tasks else 0,
                "median": float(np.median(entities)) if tasks else 0.0,
                "most": int(entities.max()) if tasks else 0,
            },
        }


def normalised(text: str) -> str:
    """A text without case, diacritics and punctuation."""
    return " ".join(words(text))


def _table(column: Ints, labels: Ints) -> Floats:
    counts = np.bincount(column * 3 + labels, minlength=3 * (int(column.max()) + 1)).reshape(-1, 3)
    table: Floats = counts[:, counts.sum(axis=0) > 0].astype(np.float64)
    return table


def _chi_square(table: Floats) -> float:
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    return float(((table - expected) ** 2 / expected).sum())


def _mutual_information(table: Floats) -> float:
    share = table / table.sum()
    expected = np.outer(share.sum(axis=1), share.sum(axis=0))
    seen = share > 0
    return float((share[seen] * np.log2(share[seen] / expected[seen])).sum())
