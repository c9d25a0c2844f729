"""The search behind every ``search_*`` tool: words against the text of records."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping

from ebf_env.json_types import JSON
from ebf_env.world.entity import Entity

_WORD = re.compile(r"\w+")

_UNDECOMPOSED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\N{LATIN SMALL LETTER DOTLESS I}": "i"}
)
"""Letters whose stroke or ligature Unicode does not treat as a diacritic."""


def words(text: str) -> list[str]:
    """The words of a text, case-folded and without diacritics."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _WORD.findall(plain.casefold().translate(_UNDECOMPOSED))


def search(
    entities: Iterable[Entity], query: str, names: Callable[[Entity], Iterable[str]] = lambda _: ()
) -> list[Entity]:
    """The records that hold a word of the query, or a word that begins with it; those that hold most come first.

    Records that match equally well stay in the order given. A query without words finds everything.

    Args:
        entities: the records to search.
        query: the words.
        names: further text of a record: what the records it names (owner, participants, account, ...) are called.
    """
    wanted = dict.fromkeys(words(query))
    if not wanted:
        return list(entities)
    scored: list[tuple[int, Entity]] = []
    for entity in entities:
        held = set(words(" ".join((*_texts(entity.fields), *names(entity)))))
        score = sum(2 if word in held else 1 if any(h.startswith(word) for h in held) else 0 for word in wanted)
        if score:
            scored.append((score, entity))
    scored.sort(key=lambda pair: -pair[0])
    return [entity for _, entity in scored]


def _texts(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
