"""The records in sight under short numbers, as a person reads them.

Everything here is read off an :class:`Observation`. Records keep their numbers for as long as a task lasts; a value
that is the id of a record in sight is shown as that record's number and what it is called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ebf_env.envs.human.tables import GAP, Column, note, record_tables
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.json_types import JSON, ascii_json
from ebf_env.world import ENTITY_TYPES
from ebf_env.world.entity import ANY_TYPE
from ebf_env.world.search import words


class NumberedRecords:
    """The records in sight under short numbers.

    The types that the tools' slots take are numbered first; within a type, records called alike stand together.

    Args:
        observation: what is in sight at first.
        width: how many characters wide tables may be.
    """

    def __init__(self, observation: Observation, width: int = 100) -> None:
        self._width = width
        self._now = read_time(observation.now)
        self._needed = tuple(dict.fromkeys(p.entity_type for spec in observation.tools for p in spec.preconditions))
        self._numbers: dict[str, int] = {}
        self.see(observation)

    def see(self, observation: Observation) -> None:
        """Take in what is in sight now: what is new gets the next numbers."""
        self._seen = {record.id: record for record in observation.entities}
        for record in sorted(observation.entities, key=self._place):
            self._numbers.setdefault(record.id, len(self._numbers) + 1)

    def _place(self, record: ObservedEntity) -> tuple[int, str, str, str, str]:
        rank = self._needed.index(record.type) if record.type in self._needed else len(self._needed)
        return rank, record.type, record.entity.label.casefold(), ascii_json(record.entity.fields), record.id

    # --- single records ---

    def find_id(self, text: str) -> str | None:
        """The id of the record with that number, or else with that id; None where there is none."""
        wanted = text.removeprefix("#")
        numbered = next((i for i in self._seen if str(self._numbers[i]) == wanted), None)
        return numbered or (text if text in self._seen else None)

    def record(self, entity_id: str) -> ObservedEntity | None:
        """The record of an id, None where it is not in sight."""
        return self._seen.get(entity_id)

    def number(self, entity_id: str) -> int | None:
        """The number of a record, None where it is not in sight."""
        return self._numbers[entity_id] if entity_id in self._seen else None

    def called(self, entity_id: str) -> str:
        """A record's number and what it is called; the id where it is not in sight."""
        record = self._seen.get(entity_id)
        return entity_id if record is None else f"#{self._numbers[entity_id]} {record.entity.label}"

    def whole(self, entity_id: str) -> RenderableType:
        """One record with all its fields."""
        record = self._seen[entity_id]
        head = Text(clean(f"{self.called(entity_id)} ({record.type}, id {entity_id})"), style="bold")
        return Group(head, *(Padding(Text(clean(text)), (0, 0, 0, 2 * depth)) for depth, text in self._lines(record)))

    def _lines(self, record: ObservedEntity) -> Iterator[tuple[int, str]]:
        for name, value in record.to_json().items():
            if name not in ("id", "type"):
                yield from self._lines_of(name, value, 1)

    def _lines_of(self, name: str, value: JSON, depth: int) -> Iterator[tuple[int, str]]:
        if not _is_nested(value):
            yield depth, f"{name}: {self._in_full(value)}"
            return
        yield depth, f"{name}:"
        pairs = value.items() if isinstance(value, Mapping) else enumerate(value, 1) if isinstance(value, list) else ()
        for inner_name, inner in pairs:
            yield from self._lines_of(str(inner_name), inner, depth + 1)

    def _in_full(self, value: JSON) -> str:
        if isinstance(value, list | tuple):
            return ", ".join(map(self._in_full, value))
        if isinstance(value, str) and value in self._seen:
            return f"{self.called(value)} ({value})"
        return _plain(value, self._now)

    def holding(self, query: str) -> list[str]:
        """Ids of the records that hold every word of a query, or a word that begins with it, by number."""
        wanted = words(query)
        held = {entity_id: self._words(record) for entity_id, record in self._seen.items()}
        return self._by_number(
            i for i, own in held.items() if all(any(word.startswith(begin) for word in own) for begin in wanted)
        )

    def _words(self, record: ObservedEntity) -> set[str]:
        raw = json.dumps(record.to_json(), ensure_ascii=False)
        return set(words(" ".join([raw, *(text for _, text in self._lines(record))])))

    # --- tables ---

    @property
    def types(self) -> tuple[str, ...]:
        """The types in sight, those that slots take first."""
        return tuple(dict.fromkeys(self._seen[i].type for i in self._by_number(self._seen)))

    def overview(self) -> RenderableType:
        """Tables of the records that could fill a slot, and how many others there are."""
        if not self._seen:
            return Text("no record is in sight yet: look for some with a search tool")
        rest = ", ".join(f"{kind} ({len(self._of_type(kind))})" for kind in self.types if not self._is_needed(kind))
        tables = self.tables(i for kind in self.types if self._is_needed(kind) for i in self._of_type(kind))
        return Group(tables, Text(f"also in sight, with 'more': {rest}")) if rest else tables

    @property
    def has_others(self) -> bool:
        """Whether the overview leaves records out."""
        return not all(map(self._is_needed, self.types))

    def others(self) -> RenderableType:
        """Tables of the records that the overview leaves out."""
        return self.tables(i for kind in self.types if not self._is_needed(kind) for i in self._of_type(kind))

    def all_about(self, kind: str) -> RenderableType:
        """The records of one type, with every field that tells them apart and fits a table."""
        return Group(*self._tables_of(self._of_type(kind), all_columns=True))

    def tables(self, ids: Iterable[str]) -> RenderableType:
        """Tables of some of the records in sight, one for each type."""
        by_type: dict[str, list[str]] = {}
        for entity_id in self._by_number(ids):
            by_type.setdefault(self._seen[entity_id].type, []).append(entity_id)
        return Group(*(part for members in by_type.values() for part in self._tables_of(members)))

    def _is_needed(self, kind: str) -> bool:
        return kind in self._needed or ANY_TYPE in self._needed or not self._needed

    def _of_type(self, kind: str) -> list[str]:
        return self._by_number(i for i, record in self._seen.items() if record.type == kind)

    def _by_number(self, ids: Iterable[str]) -> list[str]:
        return sorted((i for i in ids if i in self._seen), key=self._numbers.__getitem__)

    def _tables_of(self, ids: list[str], *, all_columns: bool = False) -> Iterator[RenderableType]:
        records = [self._seen[i] for i in ids]
        labels = Column(records[0].type, tuple(clean(record.entity.label) for record in records))
        rows = [_comparable(record) for record in records]
        columns = [self._column(name, rows) for name in dict.fromkeys(name for row in rows for name in row)]
        numbers = [str(self._numbers[i]) for i in ids]
        yield from record_tables(numbers, labels, columns, self._width, all_columns=all_columns)
        details = dict.fromkeys(name for record in records for name in record.entity.fields if name in _details(record))
        if details:
            yield note(clean(f"'open NUMBER' also shows: {', '.join(details)}"), len(numbers[-1]) + GAP)
        yield ""

    def _column(self, name: str, rows: list[dict[str, JSON]]) -> Column:
        values = [row.get(name) for row in rows]
        flat = [item for value in values for item in (value if isinstance(value, list | tuple) else [value])]
        return Column(
            clean(name),
            tuple(clean(" ".join(self._in_a_cell(value).split())) for value in values),
            any(isinstance(item, str) and spoken_time(item) for item in flat),
            any(isinstance(item, str) and item in self._seen for item in flat),
        )

    def _in_a_cell(self, value: JSON) -> str:
        """A value in few words: of several records the first word of each name, of a time no year that is this year."""
        if isinstance(value, list | tuple):
            names = (self.called(i).split() if isinstance(i, str) and i in self._seen else [_plain(i)] for i in value)
            return ", ".join(" ".join(name[:2]) for name in names)
        if isinstance(value, str) and value in self._seen:
            return self.called(value)
        text = _plain(value, self._now)
        is_time = isinstance(value, str) and self._now and spoken_time(value)
        return text.replace(f" {self._now:%Y}", "", 1) if is_time else text


def clean(text: str) -> str:
    """Text without control characters, so that no record can move the cursor or colour the screen."""
    return "".join(c if c == "\n" or c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def read_time(text: str | None) -> datetime | None:
    """A time or date in the extended form of ISO 8601, None for what is none."""
    if text is None or not re.match(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def spoken_time(text: str, now: datetime | None = None) -> str | None:
    """A time or date with its weekday, and with its UTC offset unless it is that of now; None for what is neither."""
    moment = read_time(text)
    if moment is None:
        return None
    day = f"{moment:%a} {moment.day:2} {moment:%b %Y}"
    if len(text) == len("2026-03-11"):
        return day
    here = now.utcoffset() if now else None
    return f"{day} {moment:%H:%M}" + ("" if moment.utcoffset() in (None, here) else f" {moment.isoformat()[-6:]}")


def _plain(value: JSON, now: datetime | None = None) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return (spoken_time(value, now) or value) if isinstance(value, str) else ascii_json(value)


def _is_nested(value: JSON) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(i, Mapping | list) for i in value))


def _details(record: ObservedEntity) -> frozenset[str]:
    """Fields that are too long for a table: bodies, messages, and whatever is nested."""
    schema = ENTITY_TYPES.get(record.type)
    nested = frozenset(name for name, value in record.entity.fields.items() if _is_nested(value))
    return nested | (schema.detail_fields if schema else frozenset())


def _comparable(record: ObservedEntity) -> dict[str, JSON]:
    """The fields that tables compare: all but the label and what is too long."""
    hidden = _details(record) | {"id", "type"}
    return {n: v for n, v in record.to_json().items() if n not in hidden and v != record.entity.label}
