"""What can be seen of candidate records: their short values, and what the records they link to are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, TypeAlias

from ebf_baselines.resolution.store import SHORT_VALUE, Leaf, Record, RecordStore, leaves_of
from ebf_env.grounding.moments import parse_moment
from ebf_env.json_types import JSON
from ebf_env.tasks.wording import IDENTIFIERS, moment_text, value_text

MAX_VALUES: Final = 3
"""Most values of one field of a record that people tell it by."""

_NEVER: Final = frozenset({"revision", "access", "body", "description"})
_TRACES: Final = frozenset({"updated_at", "updated_by", "created_at", "created_by", "timezone", "aliases"})

Values: TypeAlias = tuple[JSON, ...]
"""The values of a field of a record; empty where it has none."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """A field that candidates can be told apart by.

    Attributes:
        path: names of fields joined by dots; the label of a linked record stands at the end of the link.
        values: for each candidate, what it says.
        linked: type of the records that are linked there; None where the values are the candidates' own.
        is_label: whether it is what the candidates are called.
        is_part: whether it belongs to parts of the records, such as the messages of a thread.
    """

    path: str
    values: tuple[Values, ...]
    linked: str | None = None
    is_label: bool = False
    is_part: bool = False

    @property
    def is_last_resort(self) -> bool:
        """Whether people tell records by it only where nothing else does: an identifier, or something of a part."""
        return self.is_part or self.path.split(".")[-1] in IDENTIFIERS

    @property
    def cost(self) -> float:
        """What it costs, in bits, to ask for it."""
        if self.is_label:
            return 0.15
        if self.path.split(".")[0] in _TRACES:
            return 0.4
        return 0.15 if self.linked is not None else 0.1

    @property
    def codes(self) -> tuple[int, ...]:
        """For each candidate a number; equal numbers for what sounds the same."""
        seen: dict[frozenset[str], int] = {}
        return tuple(
            seen.setdefault(frozenset([folded(value) for value in values]), len(seen)) for values in self.values
        )


class Visible:
    """Candidate records, as far as they can be seen.

    Args:
        store: the records.
        ids: the candidates.
        hidden: ids of records that nothing may be said of.
    """

    def __init__(self, store: RecordStore, ids: Iterable[str], hidden: Collection[str] = ()) -> None:
        self._store, self._hidden = store, frozenset(hidden)
        self.records: tuple[Record, ...] = tuple(
            record for i in ids if i not in self._hidden and (record := store.get(i)) is not None
        )

    def attributes(self) -> list[Attribute]:
        """All fields that tell some of the candidates apart, in the order of the records' fields."""
        columns: dict[str, list[list[JSON]]] = {}
        linked: dict[str, str] = {}
        size = len(self.records)
        labels = {record.label_field for record in self.records}
        parts = {name for record in self.records for name, value in record.fields.items() if _has_parts(value)}
        for number, record in enumerate(self.records):
            for leaf in leaves_of(record.fields):
                if leaf.path in _NEVER:
                    continue
                path, value = leaf.path, leaf.value
                if isinstance(value, str):
                    other = self._store.get(value)
                    if other is not None:
                        if other.id in self._hidden or other.label_field is None or other.id == record.id:
                            continue
                        path, value = f"{leaf.path}.{other.label_field}", other.label
                        linked[path] = other.type
                    elif value in self._hidden or not (leaf.path == record.label_field or _is_short(leaf)):
                        continue
                column = columns.get(path)
                if column is None:
                    column = columns[path] = [[] for _ in range(size)]
                column[number].append(value)
        if len({record.type for record in self.records}) > 1:
            columns["type"] = [[record.type] for record in self.records]
        found = [
            Attribute(
                path,
                tuple(map(tuple, column)),
                linked.get(path),
                path in labels,
                path.split(".")[0] in parts,
            )
            for path, column in columns.items()
            if all(len(values) <= MAX_VALUES for values in column)
        ]
        return [attribute for attribute in found if len(set(attribute.codes)) > 1]


def _is_short(leaf: Leaf) -> bool:
    return 0 < len(leaf.words) <= SHORT_VALUE or is_moment(leaf.value)


def _has_parts(value: JSON) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value)


def is_moment(value: JSON) -> bool:
    """Whether a value is a day or a time."""
    return isinstance(value, str) and value[:1].isdigit() and parse_moment(value) is not None


def folded(value: JSON) -> str:
    """A value as it is compared: what sounds the same is the same."""
    return str(value).strip().casefold()


def spoken(value: JSON, year: int | None) -> str:
    """A value as people say it, also days and times of other spellings than ISO 8601."""
    if isinstance(value, str) and value[:1].isdigit():
        moment = parse_moment(value)
        if moment is not None and isinstance(moment.value, datetime | date):
            return moment_text(moment.value, year)
    return value_text(value, None if year is None else str(year))


def single(values: Sequence[JSON]) -> JSON:
    """Values as an option gives them: one by itself, several as a list."""
    return values[0] if len(values) == 1 else list(values)
