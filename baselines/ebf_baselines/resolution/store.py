"""A store of records as a resolver looks into it: any list of records, whatever their shape.

Nothing is assumed of the records but that they have an id. What a field holds (a name, a short value, a time, the id or
the name of another record, a longer text) is read off the values, so that stores of unknown shape work like the
environment's own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from ebf_baselines.resolution.spelling import spellings
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.errors import ConfigurationError
from ebf_env.grounding.moments import Moment, parse_moment
from ebf_env.grounding.text import Vocabulary, words_of
from ebf_env.json_types import JSON, JSONObject

SHORT_VALUE: Final = 6
"""Most words of a text that is a value, said as a whole; a longer one is read for single words."""

_LABELS: Final = ("name", "title", "subject", "full_name", "display_name", "summary", "headline", "label", "filename")
_FURTHER_NAMES: Final = ("aliases", "alias", "nickname", "nicknames", "codename", "also_known_as", "short_name")
_TYPES: Final = ("type", "kind", "entity_type", "object", "category")
_IDS: Final = ("id", "_id", "uuid", "key", "ref")

UNTYPED: Final = "record"
"""The type of records that name none."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value of a record.

    Attributes:
        path: names of fields, joined by dots; lists leave no trace in it.
        value: text, number or truth value.
        words: the words of a text, folded.
    """

    path: str
    value: JSON
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One record.

    Attributes:
        id: its id, unique in the store.
        type: what kind of record it is.
        fields: everything else.
        may_change: whether the acting user may change it.
        changed: fields whose value a newer record says, and that record's id; ``fields`` holds the newer values.
    """

    id: str
    type: str
    fields: JSONObject
    may_change: bool = True
    changed: Mapping[str, str] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What a person would call it."""
        return _label(self.fields)[1] or self.id

    @property
    def label_field(self) -> str | None:
        """The field that holds its label."""
        return _label(self.fields)[0]

    def holds(self, path: str, value: JSON) -> bool:
        """Whether a field, within lists too, has a value."""
        return any(leaf.path == path and leaf.value == value for leaf in leaves_of(self.fields))


def _label(fields: JSONObject) -> tuple[str | None, str | None]:
    for name in _LABELS:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return name, value
    for name, value in fields.items():
        if isinstance(value, str) and value.strip() and any(part in name.lower() for part in ("name", "title")):
            return name, value
    return None, None


def leaves_of(value: JSON, path: str = "") -> Iterator[Leaf]:
    """The values within a record, in order."""
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from leaves_of(item, f"{path}.{name}" if path else name)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves_of(item, path)
    elif isinstance(value, str):
        yield Leaf(path, value, words_of(value))
    elif value is not None:
        yield Leaf(path, value, () if isinstance(value, bool) else words_of(f"{value:g}"))


@dataclass(frozen=True, slots=True)
class Link:
    """A record names another one in a field."""

    path: str
    other: int


@dataclass(frozen=True, slots=True)
class Named:
    """A value that several records may have."""

    words: tuple[str, ...]
    value: JSON
    holders: tuple[tuple[int, str], ...]


class _Index:
    """What a store looks records up by, built in two passes: names first, since values may be names of others."""

    def __init__(self, records: Sequence[Record], number: Mapping[str, int]) -> None:
        self._records, self._number = records, number
        self.by_type: dict[str, list[int]] = {}
        self.names: list[tuple[tuple[str, ...], ...]] = []
        self.times: list[tuple[tuple[str, Moment], ...]] = []
        self.links: list[list[Link]] = [[] for _ in records]
        self.linked_by: list[list[Link]] = [[] for _ in records]
        self.name_words: dict[str, list[int]] = {}
        self.text_words: dict[str, list[int]] = {}
        self.values: dict[tuple[str, ...], dict[JSON, list[tuple[int, str]]]] = {}
        self._called: dict[tuple[str, ...], list[int]] = {}
        self._moments: dict[str, Moment | None] = {}
        leaves = [self._add_names(n, record) for n, record in enumerate(records)]
        for n, held in enumerate(leaves):
            self._add_values(n, held)

    def _add_names(self, n: int, record: Record) -> list[Leaf]:
        if is_notice(record):
            self.names.append(())
            return []
        self.by_type.setdefault(record.type, []).append(n)
        leaves = list(leaves_of(record.fields))
        names = _names_of(record, leaves)
        self.names.append(names)
        for words in names:
            self._called.setdefault(words, []).append(n)
        for word in {word for words in names for word in words}:
            self.name_words.setdefault(word, []).append(n)
        return leaves

    def _add_values(self, n: int, leaves: Sequence[Leaf]) -> None:
        label_field = self._records[n].label_field
        moments: list[tuple[str, Moment]] = []
        long_words: set[str] = set()
        for leaf in leaves:
            if isinstance(leaf.value, str):
                moment = None
                if leaf.value in self._number:
                    self._link(n, leaf.path, self._number[leaf.value])
                elif (moment := self._moment(leaf)) is not None:
                    moments.append((leaf.path, moment))
                elif leaf.path != label_field and leaf.words:
                    if len(leaf.words) > SHORT_VALUE:
                        long_words.update(leaf.words)
                    else:
                        self._link_by_name(n, leaf)
                        self._add_value(n, leaf)
            elif not isinstance(leaf.value, bool) and leaf.words:
                self._add_value(n, leaf)
        self.times.append(tuple(moments))
        for word in long_words:
            self.text_words.setdefault(word, []).append(n)

    def _moment(self, leaf: Leaf) -> Moment | None:
        text = str(leaf.value)
        if not text[:1].isdigit() and len(leaf.words) < _DATE_WORDS:
            return None
        if text not in self._moments:
            self._moments[text] = parse_moment(text)
        return self._moments[text]

    def _link(self, n: int, path: str, other: int) -> None:
        if other != n:
            self.links[n].append(Link(path, other))
            self.linked_by[other].append(Link(path, n))

    def _link_by_name(self, n: int, leaf: Leaf) -> None:
        if leaf.path.split(".")[0] not in _FURTHER_NAMES:
            for other in self._called.get(leaf.words, ())[:_SAME_NAME]:
                self._link(n, leaf.path, other)

    def _add_value(self, n: int, leaf: Leaf) -> None:
        self.values.setdefault(leaf.words, {}).setdefault(leaf.value, []).append((n, leaf.path))

    def value_words(self) -> dict[str, int]:
        """In how many short values each word stands."""
        found: dict[str, int] = defaultdict(int)
        for words, by_value in self.values.items():
            for word in words:
                found[word] += sum(map(len, by_value.values()))
        return found

    def starts(self) -> dict[str, list[tuple[str, ...]]]:
        """The short values by their first word, the longest first."""
        found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for words in self.values:
            found[words[0]].append(words)
        return {word: sorted(keys, key=len, reverse=True) for word, keys in found.items()}


def _withdrawn(records: Iterable[Record]) -> list[tuple[str, frozenset[str]]]:
    return [
        (record.id, frozenset(words_of(record.label)))
        for record in records
        if record.fields.get("field") == "access" and is_notice(record)
    ]


class RecordStore:
    """Records, and how they are found by what is said of them.

    Args:
        records: the records; ids are unique.

    Raises:
        ConfigurationError: two records have the same id.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        self.records: tuple[Record, ...] = tuple(records)
        self.number = {record.id: n for n, record in enumerate(self.records)}
        if len(self.number) < len(self.records):
            seen: set[str] = set()
            twice = next(r.id for r in self.records if r.id in seen or seen.add(r.id))  # type: ignore[func-returns-value]
            raise ConfigurationError(f"two records have the id {twice!r}")
        index = _Index(self.records, self.number)
        self.by_type = index.by_type
        self.names = index.names
        self.times = index.times
        self.links, self.linked_by = index.links, index.linked_by
        self._name_words, self._text_words = index.name_words, index.text_words
        self._values = {
            words: tuple(Named(words, value, tuple(holders)) for value, holders in by_value.items())
            for words, by_value in index.values.items()
        }
        self._value_words = index.value_words()
        self._starts = index.starts()
        self.withdrawn = _withdrawn(self.records)
        self._name_spellings: dict[str, tuple[tuple[str, int], ...]] = {}
        self._value_spellings: dict[str, tuple[tuple[str, int], ...]] = {}

    # --- building ---

    @classmethod
    def of_dicts(
        cls,
        rows: Iterable[JSONObject],
        *,
        id_field: str | None = None,
        type_field: str | None = None,
        entity_type: str | None = None,
    ) -> RecordStore:
        """A store of plain dicts.

        Args:
            rows: the records, of any shape.
            id_field: the field with the id; None: the first of the usual ones, else the row's number.
            type_field: the field with the type; None: ``type``, where rows have it.
            entity_type: the type of all rows.
        """
        records = []
        for number, row in enumerate(rows):
            name = id_field or next((n for n in _IDS if isinstance(row.get(n), str | int)), None)
            identity = row.get(name) if name else None
            kind_field = type_field or ("type" if isinstance(row.get("type"), str) else None)
            kind = entity_type or (str(row.get(kind_field)) if kind_field and row.get(kind_field) else UNTYPED)
            fields = {k: v for k, v in row.items() if k not in (name, kind_field if not entity_type else None)}
            records.append(Record(str(identity) if identity is not None else str(number), kind, fields))
        return cls(records)

    @classmethod
    def of_observation(cls, observation: Observation) -> RecordStore:
        """The records in sight, as changes that have not reached them say they are."""
        return cls(with_changes(_record(shown) for shown in observation.entities))

    # --- looking up ---

    def __len__(self) -> int:
        return len(self.records)

    def get(self, entity_id: str) -> Record | None:
        """The record of an id."""
        n = self.number.get(entity_id)
        return None if n is None else self.records[n]

    @cached_property
    def types(self) -> frozenset[str]:
        """The types there are records of."""
        return frozenset(self.by_type)

    @cached_property
    def name_vocabulary(self) -> Vocabulary:
        """The words that names consist of."""
        return Vocabulary(self._name_words)

    @cached_property
    def value_vocabulary(self) -> Vocabulary:
        """The words that short values consist of."""
        return Vocabulary(self._value_words)

    def name_spellings(self, word: str) -> tuple[tuple[str, int], ...]:
        """The words of names that a word may stand for, with the typing mistakes assumed."""
        found = self._name_spellings.get(word)
        if found is None:
            found = spellings(word, self.name_vocabulary, lambda w: len(self._name_words.get(w, ())))
            self._name_spellings[word] = found
        return found

    def value_spellings(self, word: str) -> tuple[tuple[str, int], ...]:
        """The words of short values that a word may stand for, with the typing mistakes assumed."""
        found = self._value_spellings.get(word)
        if found is None:
            found = spellings(word, self.value_vocabulary, lambda w: self._value_words.get(w, 0))
            self._value_spellings[word] = found
        return found

    def named(self, word: str) -> Sequence[int]:
        """The records one of whose names has a word."""
        return self._name_words.get(word, ())

    def values_beginning(self, word: str) -> Sequence[tuple[str, ...]]:
        """The words of the short values that begin with a word, the longest first."""
        return self._starts.get(word, ())

    def values(self, words: tuple[str, ...]) -> tuple[Named, ...]:
        """The values that consist of these words."""
        return self._values.get(words, ())

    def all_values(self) -> Iterator[Named]:
        """Every short value, with the records that have it."""
        for named in self._values.values():
            yield from named

    @cached_property
    def schema(self) -> Schema:
        """What records of each type can have."""
        return Schema.of(self)

    def telling(self, word: str) -> Sequence[int]:
        """The records one of whose longer texts has a word."""
        return self._text_words.get(word, ())


_DATE_WORDS: Final = 3
_SAME_NAME: Final = 8
"""Most records of one name that a field with that name is taken to refer to."""


def _names_of(record: Record, leaves: Sequence[Leaf]) -> tuple[tuple[str, ...], ...]:
    """What a record may be called by: label, aliases, codename; each as words."""
    found: dict[tuple[str, ...], None] = {}
    label_field = record.label_field
    for leaf in leaves:
        if leaf.words and (leaf.path == label_field or leaf.path in _FURTHER_NAMES):
            found[leaf.words] = None
    return tuple(found)


def _record(shown: ObservedEntity) -> Record:
    return Record(shown.id, shown.type, shown.entity.fields, shown.may_change)


def is_notice(record: Record) -> bool:
    """Whether a record only says that a field of another one has changed."""
    fields = record.fields
    return "field" in fields and "value" in fields and ("record" in fields or "effective_at" in fields)


def with_changes(records: Iterable[Record]) -> list[Record]:
    """Records with the values that newer notices say; a notice is a record with ``record``, ``field`` and ``value``."""
    known = {record.id: record for record in records}
    notices = [r for r in known.values() if is_notice(r)]
    notices.sort(key=lambda notice: str(notice.fields.get("effective_at", "")))
    for notice in notices:
        target = known.get(str(notice.fields.get("record")))
        name = notice.fields["field"]
        if target is None or not isinstance(name, str) or name not in target.fields:
            continue
        fields = {**target.fields, name: notice.fields["value"]}
        known[target.id] = replace(target, fields=fields, changed={**target.changed, name: notice.id})
    return list(known.values())


@dataclass(frozen=True, slots=True)
class Schema:
    """What records of each type can have, read off a store.

    Attributes:
        relations: pairs of types to the paths of the first that name records of the second.
        fields: for each type, the paths of its short values.
        times: for each type, the paths of its times.
    """

    relations: Mapping[tuple[str, str], frozenset[str]]
    fields: Mapping[str, frozenset[str]]
    times: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, store: RecordStore) -> Schema:
        """The schema of a store."""
        relations: dict[tuple[str, str], set[str]] = {}
        times: dict[str, set[str]] = {kind: set() for kind in store.by_type}
        fields: dict[str, set[str]] = {kind: set() for kind in store.by_type}
        for n, record in enumerate(store.records):
            for link in store.links[n]:
                relations.setdefault((record.type, store.records[link.other].type), set()).add(link.path)
            for path, _ in store.times[n]:
                times[record.type].add(path)
        for named in store.all_values():
            for n, path in named.holders:
                fields[store.records[n].type].add(path)
        return cls(
            {pair: frozenset(paths) for pair, paths in relations.items()},
            {kind: frozenset(paths) for kind, paths in fields.items()},
            {kind: frozenset(paths) for kind, paths in times.items()},
        )

    def paths(self, one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[tuple[str, str]]:
        """(type, path) of all fields by which records of either side may name one of the other."""
        return frozenset(
            (a, path)
            for (a, b), paths in self.relations.items()
            if ((one is None or a in one) and (other is None or b in other))
            or ((other is None or a in other) and (one is None or b in one))
            for path in paths
        )
