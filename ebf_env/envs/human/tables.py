"""Laying records out in tables: which of their fields get a column where there is not room for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

LABEL_WIDTH = 30
"""Widest column of labels; longer ones are folded, never cut."""

CELL_WIDTH = 14
"""Widest a column is made at first, unless it holds times; what is left over is shared out afterwards."""

WIDE_CELL_WIDTH = 60
"""The same where every column has a place in some table."""

GAP = 2
"""Blanks between two columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of several records, as a column of a table.

    Attributes:
        name: the field.
        cells: its value in each record, in words; empty where a record has none.
        is_time: whether the values are times or dates.
        is_reference: whether the values name other records.
    """

    name: str
    cells: tuple[str, ...]
    is_time: bool = False
    is_reference: bool = False

    @property
    def longest(self) -> int:
        """Characters of its longest cell."""
        return max(map(cell_len, (self.name, *self.cells)))


def record_tables(
    numbers: Sequence[str], labels: Column, columns: Sequence[Column], width: int, *, all_columns: bool = False
) -> Iterator[RenderableType]:
    """A table of records of one type, or several with other columns each; and what they share or leave out, below.

    Only fields that differ between the records get a column.

    Args:
        numbers: the records' numbers.
        labels: what they are called, under the name of their type.
        columns: their fields.
        width: of the tables, in characters.
        all_columns: whether what does not fit beside each other comes in further tables.
    """
    filled = [column for column in columns if any(column.cells)]
    alike = [column for column in filled if len(numbers) > 1 and len(set(column.cells)) == 1]
    left = [column for column in filled if column not in alike]
    kind, indent = labels.name, len(numbers[-1]) + GAP
    labels = Column(f"{kind} ({len(numbers)})", labels.cells)
    while True:
        room = width - indent - min(LABEL_WIDTH, labels.longest) - GAP
        widths = _widths(left, room, min(WIDE_CELL_WIDTH, room - GAP) if all_columns else CELL_WIDTH)
        chosen = [column for column in left if column.name in widths]
        yield _table(numbers, labels, chosen, widths)
        left = [column for column in left if column.name not in widths]
        if not (left and all_columns):
            break
    if alike:
        shared = ", ".join(f"{column.name} {column.cells[0]}" for column in alike)
        yield note(f"the same in all: {shared}", indent)
    if left:
        yield note(f"'more {kind}' also shows: {', '.join(column.name for column in left)}", indent)


def note(text: str, indent: int) -> RenderableType:
    """A remark below a table."""
    return Padding(Text(text, style="dim"), (0, 0, 0, indent))


def _table(
    numbers: Sequence[str], labels: Column, columns: Sequence[Column], widths: Mapping[str, int]
) -> RenderableType:
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0), header_style="bold")
    table.add_column("#", justify="right", width=max(map(len, numbers)))
    table.add_column(Text(labels.name), width=min(LABEL_WIDTH, labels.longest), overflow="fold")
    for column in columns:
        table.add_column(Text(column.name), width=widths[column.name], no_wrap=True, overflow="ellipsis")
    for row in zip(numbers, labels.cells, *(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, row))
    return table


def _widths(columns: Sequence[Column], room: int, most: int) -> dict[str, int]:
    """Widths of as many columns as there is room for, at least of one; what is left over goes to those that are cut."""
    widths: dict[str, int] = {}
    for column in _by_use(columns):
        width = column.longest if column.is_time else max(min(column.longest, most), 1)
        if width + GAP <= room or not widths:
            widths[column.name] = width
            room -= width + GAP
    longest = {column.name: column.longest for column in columns}
    while room > 0 and (cut := [name for name in widths if widths[name] < longest[name]]):
        for name in cut[:room]:
            widths[name] += 1
            room -= 1
    return widths


def _by_use(columns: Sequence[Column]) -> list[Column]:
    """Columns in the order they are given room: narrow ones first, with an advantage for other records and times.

    Last comes what adds little: a long text that is another in every record, as the label is (an address beside a
    name), and a time that tells the same records apart as one before it (an end beside a start).
    """
    times: set[tuple[int, ...]] = set()
    costs: dict[str, float] = {}
    for column in columns:
        tells_apart = tuple(map(column.cells.index, column.cells))
        if column.is_time:
            adds_little = tells_apart in times
            times.add(tells_apart)
        else:
            adds_little = column.longest > CELL_WIDTH and len(set(column.cells)) == len(column.cells)
        weight = 0.7 if column.is_reference or column.is_time else 1.0
        costs[column.name] = float("inf") if adds_little else min(column.longest, CELL_WIDTH) * weight
    return sorted(columns, key=lambda column: costs[column.name])
