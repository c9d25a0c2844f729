"""Contrast blocks as wholes: the tasks of a family are the cells of one square of instructions and worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from scipy import special  # type: ignore[import-untyped]

from ebf_env.json_types import JSON, canonical_json
from ebf_env.tasks import Label, Task
from ebf_generators.audit.duplicates import text_hash
from ebf_generators.audit.ledger import NOT_GENERATED, FaultLedger
from ebf_generators.audit.report import Finding, not_applicable, verdict_of
from ebf_generators.audit.sight import Sight
from ebf_generators.cells import USER_KNOWS

LEAST_P: Final = 0.01
_OF_CERTIFICATE: Final = ("cells", "cue", "place", "hop", "over_specified")


@dataclass(frozen=True, slots=True)
class Cell:
    """A task as a cell of its block.

    Attributes:
        task_id: the task's id.
        family: the block; None for a single cell.
        row: number of its instruction; None where the certificate has none.
        column: number of its world, likewise.
        label: the label.
        knows: whether the user could say what is meant; None where nothing is ambiguous.
        alike: what all cells of a block share, by field.
        said: hash of what cells of one row share.
        shown: hash of what cells of one column share.
    """

    task_id: str
    family: str | None
    row: int | None
    column: int | None
    label: Label
    knows: bool | None
    alike: Mapping[str, str]
    said: int
    shown: int


def cell_of(sight: Sight) -> Cell:
    """A task as a cell of its block."""
    task = sight.task
    certificate = task.certificate or {}
    rights = task.user.permissions
    forms: list[JSON] = [[list(m.span), m.slot, m.form] for m in task.mentions]
    said: list[JSON] = [task.instruction, list(task.history), forms, certificate.get("delexicalised")]
    return Cell(
        task.task_id,
        task.family,
        _number(certificate.get("row")),
        _number(certificate.get("column")),
        task.label,
        bool(task.intent) if task.label is Label.AMBIGUOUS else None,
        _alike(task),
        text_hash(canonical_json(said)),
        text_hash(f"{sorted(rights.hidden)} {sorted(rights.read_only)} {sight.records_text}"),
    )


def _number(value: JSON) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _alike(task: Task) -> dict[str, str]:
    certificate = task.certificate or {}
    return {
        "base_condition": str(task.base_condition),
        "tool": task.tool,
        "tools": " ".join(spec.name for spec in task.tools),
        "difficulty": str(task.difficulty),
        "now": str(task.now),
        "user": canonical_json(dict(task.user.fields)),
        **{f"certificate.{name}": str(certificate.get(name)) for name in _OF_CERTIFICATE},
    }


class FamilyLedger:
    """Holds the cells of each family against each other, as they come in the order of the file."""

    def __init__(self) -> None:
        self._ledger = FaultLedger("families", "cells of a family make one block", "families")
        self._knowing: list[bool] = []
        self._open: list[Cell] = []
        self._seen: set[str] = set()

    def add(self, cell: Cell) -> None:
        """Add a task."""
        if self._open and cell.family != self._open[0].family:
            self._judge(last=False)
        if cell.family is not None:
            self._open.append(cell)
        elif cell.knows is not None:
            self._knowing.append(cell.knows)

    def _judge(self, *, last: bool) -> None:
        cells, self._open = self._open, []
        family = str(cells[0].family)
        faults = list(_faults_of(cells, last=last))
        if family in self._seen:
            faults.append("its tasks do not stand together")
        self._seen.add(family)
        self._ledger.add(f"{cells[0].task_id} and its family", faults)
        knowing = [cell.knows for cell in cells if cell.knows is not None]
        if knowing:
            self._knowing.append(any(knowing))

    def findings(self, generated: bool) -> list[Finding]:
        """The criteria ``families`` and ``intent``, once all tasks were added.

        Args:
            generated: whether a generator wrote the suite.
        """
        if self._open:
            self._judge(last=True)
        if not generated:
            return [self._ledger.not_applicable(NOT_GENERATED), _of_intents([], NOT_GENERATED)]
        cells = self._ledger.finding() if self._ledger.checked else self._ledger.not_applicable("there are none")
        return [cells, _of_intents(self._knowing, "nothing is ambiguous")]


def _of_intents(knowing: list[bool], why: str) -> Finding:
    """Whether as many users know what they mean as are said to: one draw for each block."""
    criterion, title = "intent", "users who can say what they mean"
    limit = f"{USER_KNOWS:.0%}, or binomial p > {LEAST_P}"
    if not knowing:
        return not_applicable(criterion, title, limit, why)
    known, n = sum(knowing), len(knowing)
    fewer, more = special.bdtr(known, n, USER_KNOWS), 1.0 - (special.bdtr(known - 1, n, USER_KNOWS) if known else 0.0)
    p = min(1.0, 2.0 * float(min(fewer, more)))
    return Finding(
        criterion,
        title,
        f"{known / n:.1%} (p {p:.3f})",
        limit,
        n,
        verdict_of(p > LEAST_P),
        "ambiguous blocks, or single tasks, whose intent is told when asked",
        {"share": known / n, "p": p},
    )


def _faults_of(cells: list[Cell], *, last: bool) -> Iterator[str]:
    first = cells[0]
    for name in first.alike:
        odd = [cell for cell in cells if cell.alike[name] != first.alike[name]]
        if odd:
            yield f"{name} of {odd[0].task_id} differs"
    expected = int(size) if (size := first.alike["certificate.cells"]).isdigit() else None
    if expected is not None and len(cells) != expected and not (last and len(cells) < expected):
        yield f"certificate.cells: it has {len(cells)} of {expected} cells"
    if len({cell.knows for cell in cells if cell.knows is not None}) > 1:
        yield "intent: some of its ambiguous tasks have one, some have none"
    for one, other in combinations(cells, 2):
        same_row, same_column = one.row == other.row, one.column == other.column
        pair = f"{one.task_id} and {other.task_id}"
        if same_row and same_column:
            yield f"{pair} are one cell (certificate.row, certificate.column)"
        elif (same_row or same_column) and one.label is other.label:
            yield f"{pair} have the same label in one {'row' if same_row else 'column'}"
        if same_row and one.said != other.said:
            yield f"{pair} are of one row (certificate.row), and do not say the same"
        if same_column and one.shown != other.shown:
            yield f"{pair} are of one column (certificate.column), and are not in the same world"
        if not same_row and one.said == other.said:
            yield f"{pair} are of different rows (certificate.row), and say the same"
        if not same_column and one.shown == other.shown:
            yield f"{pair} are of different columns (certificate.column), and are in the same world"
