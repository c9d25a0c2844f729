"""Retrieving candidates: which records in sight an instruction may be about.

Recall comes first: a record that is not retrieved cannot be bound. What is retrieved is what shares words with the
instruction or the conversation, by name or by its other fields, and what hangs together with the records named best (a
mention may mean a record only through another one).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import OSA

from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.world.search import texts, words

DEFAULT_K: Final = 8
"""Most records retrieved of a type, apart from those that hang together with them."""

FIELD_WEIGHT: Final = 0.5
"""What a word counts that is not in a record's name, against one that is."""

SHARE: Final = 0.3
"""Least score of a record whose name was not said, as a share of the best of its type."""

LINKING: Final = 0.5
"""The same for the names of records whose relations are followed."""

_NAMES: Final = ("name", "title", "subject", "key", "aliases", "nickname", "email")
_FUZZY_LENGTH: Final = 5
"""Least length of a word (of letters alone) of which a mistyped one is recognised."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A record and how well it fits.

    Attributes:
        entity: the record.
        score: shared words, weighted by how few records of the type have them; 0 where it only hangs together with one.
    """

    entity: ObservedEntity
    score: float


def retrieve(observation: Observation, k: int = DEFAULT_K) -> tuple[Retrieved, ...]:
    """The records in sight that an instruction may be about, in the order they are in sight.

    Args:
        observation: what an agent sees.
        k: most records of each type that share words with it; records as good as the last of them come too.
    """
    asked = _asked(observation)
    scores: dict[str, float] = {}
    best: set[str] = set()
    by_type: dict[str, list[ObservedEntity]] = {}
    for shown in observation.entities:
        by_type.setdefault(shown.type, []).append(shown)
    for members in by_type.values():
        ranked = sorted(_scored(members, asked), key=lambda one: -one.score)
        enough = ranked[k - 1].score if len(ranked) >= k else 0.0
        wanted = SHARE * ranked[0].score
        scores.update(
            {o.id: o.score for o in ranked if o.score >= enough and o.score > 0 and (o.by_name or o.score >= wanted)}
        )
        named = LINKING * max(one.by_name for one in ranked)
        best.update(one.id for one in ranked if 0 < named <= one.by_name)
    known = {shown.id for shown in observation.entities}
    for shown in observation.entities:
        linked = known.intersection(texts(shown.entity.fields))
        if shown.id in best:
            for other in linked:
                scores.setdefault(other, 0.0)
        elif linked & best:
            scores.setdefault(shown.id, 0.0)
    return tuple(Retrieved(shown, scores[shown.id]) for shown in observation.entities if shown.id in scores)


def _asked(observation: Observation) -> frozenset[str]:
    """The words said by the user so far."""
    said = [observation.instruction]
    for turn in (*observation.history, *observation.messages):
        content = turn.get("content")
        if turn.get("role") in ("user", "assistant") and isinstance(content, str):
            said.append(content)
    return frozenset(word for text in said for word in words(text))


@dataclass(frozen=True, slots=True)
class _Scored:
    """How well a record fits, and what its name has of that."""

    id: str
    score: float
    by_name: float


def _scored(members: list[ObservedEntity], asked: frozenset[str]) -> Iterator[_Scored]:
    """How well records of one type fit, in their order."""
    names = [_name_words(shown) for shown in members]
    others = [_field_words(shown) - name for shown, name in zip(members, names, strict=True)]
    known = Counter(word for name, other in zip(names, others, strict=True) for word in name | other)
    weights = {word: math.log((len(members) + 1) / count) for word, count in known.items()}
    said = {word for word in known if word in asked or _mistyped(word, asked)}
    for shown, name, other in zip(members, names, others, strict=True):
        by_name = _sum(weights, name & said)
        yield _Scored(shown.id, by_name + FIELD_WEIGHT * _sum(weights, other & said), by_name)


def _sum(weights: Mapping[str, float], shared: Iterable[str]) -> float:
    return sum(weights[word] for word in shared)


def _mistyped(word: str, asked: frozenset[str]) -> bool:
    return len(word) >= _FUZZY_LENGTH and word.isalpha() and any(_near(word, other) for other in asked)


@lru_cache(maxsize=1 << 16)
def _near(word: str, other: str) -> bool:
    return abs(len(word) - len(other)) <= 1 and OSA.distance(word, other, score_cutoff=1) <= 1


def _name_words(shown: ObservedEntity) -> frozenset[str]:
    fields = shown.entity.fields
    return frozenset(w for name in _NAMES for text in texts(fields.get(name)) for w in words(text))


def _field_words(shown: ObservedEntity) -> frozenset[str]:
    return frozenset(w for text in texts(shown.entity.fields) for w in words(text))


def retrieved_candidates(observation: Observation) -> tuple[ObservedEntity, ...]:
    """The records a method shows that retrieves candidates (paper, section V-E)."""
    return tuple(found.entity for found in retrieve(observation))
