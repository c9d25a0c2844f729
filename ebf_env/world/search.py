"""Words: what records are found by, and what they are called.

A :class:`SearchIndex` is behind every ``search_*`` tool, a :class:`NameIndex` behind ``World.named``. Both are made of
the records of a world once and never change: what differs in worlds derived from it, in an episode's state and in what
a user may see is looked at record by record.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ebf_env.json_types import JSON
from ebf_env.world.entity import ENTITY_TYPES, Entity

_WORD = re.compile(r"\w+")

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
"""Letters whose stroke or ligature Unicode does not treat as a diacritic."""


def words(text: str) -> list[str]:
    """The words of a text, case-folded and without diacritics."""
    if text.isascii():
        return _WORD.findall(text.lower())
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _WORD.findall(plain.casefold().translate(_UNDECOMPOSED))


# --- searching ---

Lookup: TypeAlias = Callable[[str], Entity | None]
"""The record of an id, as far as there is one and it may be seen."""


def _score(entity: Entity, wanted: Iterable[str], lookup: Lookup) -> int:
    """Two for each word that the record holds, one for each that only begins a word it holds."""
    held = {word for text in _searched(entity, lookup) for word in words(text)}
    return sum(2 if word in held else 1 if any(h.startswith(word) for h in held) else 0 for word in wanted)


def _searched(entity: Entity, lookup: Lookup) -> Iterator[str]:
    """What a record is searched by: its own texts, and what the records it names are called."""
    yield from texts(entity.fields)
    schema = ENTITY_TYPES.get(entity.type)
    for _, target in schema.relations(entity) if schema else ():
        named = lookup(target)
        if named is not None:
            yield named.label


def texts(value: JSON) -> Iterator[str]:
    """Every text within a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


class _Postings:
    """For every word, the numbers of the records that hold it; words are sorted, so that prefixes are ranges.

    Args:
        records: the texts of every record, in order.
    """

    def __init__(self, records: Iterable[Iterable[str]]) -> None:
        numbers: dict[str, int] = {}
        of_text: dict[str, list[int]] = {}
        flat, sizes = array("i"), array("i")
        for texts in records:
            held: set[int] = set()
            for text in texts:
                known = of_text.get(text)
                if known is None:
                    known = of_text[text] = [numbers.setdefault(word, len(numbers)) for word in words(text)]
                held.update(known)
            flat.extend(held)
            sizes.append(len(held))
        self._words = sorted(numbers)
        rank = np.empty(len(numbers), dtype=np.int64)
        rank[[numbers[word] for word in self._words]] = np.arange(len(numbers))
        ranks = rank[np.asarray(flat, dtype=np.int64)]
        size = max(len(sizes), 1)
        pairs = ranks * size + np.repeat(np.arange(len(sizes)), np.asarray(sizes, dtype=np.int64))
        pairs.sort()
        self._records = (pairs % size).astype(np.int32)
        self._starts = np.concatenate(([0], np.cumsum(np.bincount(ranks, minlength=len(numbers)))))

    def holding(self, word: str) -> NDArray[np.int32]:
        """Numbers of the records that hold a word, rising."""
        at = bisect_left(self._words, word)
        there = at < len(self._words) and self._words[at] == word
        return self._records[self._starts[at] : self._starts[at + there]]

    def beginning(self, prefix: str) -> NDArray[np.int32]:
        """Numbers of the records that hold a word that begins so, one for each such word."""
        first, after = bisect_left(self._words, prefix), bisect_left(self._words, prefix + "\U0010ffff")
        return self._records[self._starts[first] : self._starts[after]]


class SearchIndex:
    """Records that do not change, ready to be searched.

    A search finds the records that hold a word of the query, or a word that begins with it, in their texts or in what
    the records they name (owner, participants, account, ...) are called. Those that hold most come first: a word counts
    twice, the beginning of one once. Records that match equally well stay in their order. A query without words finds
    everything.

    Args:
        records: the records by id, in order.
    """

    def __init__(self, records: Mapping[str, Entity]) -> None:
        self._ids = tuple(records)
        self._numbers = {entity_id: number for number, entity_id in enumerate(self._ids)}
        self._postings = _Postings(_searched(entity, records.get) for entity in records.values())
        types: dict[str, list[int]] = {}
        for number, entity in enumerate(records.values()):
            types.setdefault(entity.type, []).append(number)
        self._of_type = {name: np.asarray(numbers) for name, numbers in types.items()}

    def search(
        self,
        query: str,
        types: Collection[str],
        shown: Lookup,
        lookup: Lookup,
        changed: Iterable[str],
        added: Sequence[str],
        window: slice,
    ) -> tuple[int, list[str]]:
        """Search the records as they are now.

        Args:
            query: the words.
            types: the types to search; empty for all.
            shown: the records as they are now and may be seen.
            lookup: the same, as others name them.
            changed: ids of all records that differ now from what the index holds, or may not be seen.
            added: ids of the records that come last: those that the index does not hold, or that were gone in between.
            window: which part of the ranking to return.

        Returns:
            How many records are found, and the ids of those in the window.
        """
        wanted, size = dict.fromkeys(words(query)), len(self._ids)
        scores = np.zeros(size + len(added), dtype=np.int32)
        for word in wanted:
            begun = np.zeros(len(scores), dtype=bool)
            begun[self._postings.beginning(word)] = True
            scores += begun
            scores[self._postings.holding(word)] += 1
        if not wanted:
            scores[:] = 1
        if types:
            of_types = np.zeros(len(scores), dtype=bool)
            for numbers in (self._of_type[name] for name in types if name in self._of_type):
                of_types[numbers] = True
            scores *= of_types
        last = dict.fromkeys(added)
        anew = ((number, self._ids[number]) for number in self._affected(changed))
        for number, entity_id in (*anew, *enumerate(added, start=size)):
            entity = None if number < size and entity_id in last else shown(entity_id)
            if entity is None or (types and entity.type not in types):
                scores[number] = 0
            else:
                scores[number] = _score(entity, wanted, lookup) if wanted else 1
        found = np.flatnonzero(scores)
        missed = 2 * len(wanted) - scores[found]
        if len(wanted) < 1 << 14:  # sixteen bits are sorted many times as fast
            missed = missed.astype(np.int16)
        ranking = found[np.argsort(missed, kind="stable")]
        page = ranking[window].tolist()
        return len(found), [self._ids[number] if number < size else added[number - size] for number in page]

    def _affected(self, changed: Iterable[str]) -> Iterable[int]:
        """Numbers of the records that changed, and at least of those that name one of them.

        Whatever names a record holds its id as a text, and so the words of the id.
        """
        affected: set[int] = set()
        for entity_id in changed:
            if entity_id in self._numbers:
                affected.add(self._numbers[entity_id])
            holders = sorted((self._postings.holding(word) for word in dict.fromkeys(words(entity_id))), key=len)
            if not holders:
                return range(len(self._ids))
            naming = holders[0]
            for others in holders[1:]:
                naming = naming[np.isin(naming, others, assume_unique=True)]
            affected.update(naming.tolist())
        return affected


# --- names ---

SameWord: TypeAlias = Callable[[str, str], bool]
"""Whether a word of a name counts as a word that is asked for."""


def names_of(entity: Entity) -> list[str]:
    """What a record is called: its label, and its aliases."""
    schema = ENTITY_TYPES.get(entity.type)
    label = entity.fields.get(schema.label_field) if schema else entity.label
    aliases = entity.fields.get("aliases")
    names = [label, *aliases] if isinstance(aliases, list | tuple) else [label]
    return [name for name in names if isinstance(name, str)]


def is_called(entity: Entity, asked: Sequence[str], same: SameWord = str.__eq__) -> bool:
    """Whether one of the names of a record holds all of some folded words.

    Args:
        entity: the record.
        asked: the words.
        same: whether a word of a name counts as a word that is asked for.
    """
    return any(
        all(any(same(held, word) for held in words_of_name) for word in asked)
        for words_of_name in map(words, names_of(entity))
    )


class NameIndex:
    """Records that do not change, by the words of their names.

    Args:
        records: the records, in order.
    """

    def __init__(self, records: Iterable[Entity]) -> None:
        self._of_type: dict[str, dict[str, list[tuple[int, Entity]]]] = {}
        for pair in enumerate(records):
            entity = pair[1]
            holding = self._of_type.setdefault(entity.type, {})
            for word in {word for name in names_of(entity) for word in words(name)}:
                holding.setdefault(word, []).append(pair)

    def candidates(self, type_name: str, asked: Iterable[str], same: SameWord | None = None) -> list[Entity]:
        """The records of a type that hold all of some folded words, at least one, in their names; in order.

        All words need not be in one name. Without ``same``, words count that are equal; with it, every word of any
        name of the type is tried.
        """
        holding = self._of_type.get(type_name, {})
        found: dict[int, Entity] | None = None
        for word in asked:
            held = [word] if same is None else [other for other in holding if same(other, word)]
            holders = dict(pair for other in held for pair in holding.get(other, ()))
            found = holders if found is None else {n: entity for n, entity in found.items() if n in holders}
        return [entity for _, entity in sorted((found or {}).items())]
