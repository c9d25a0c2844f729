"""Looking records up in a world that has to be searched: what to search for next, and when to stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ebf_baselines.gating import Sight, sight_of
from ebf_baselines.gating.conversation import opened
from ebf_baselines.resolution.common_words import is_common
from ebf_baselines.resolution.nodes import RelationCue
from ebf_baselines.resolution.references import Ref
from ebf_env.decisions import ToolCall, parse_decision
from ebf_env.envs.observation import Observation
from ebf_env.grounding.text import words_of
from ebf_env.json_types import JSON
from ebf_env.world import ToolSpec
from ebf_env.world.entity import ENTITY_TYPES

PAGE: Final = 50
"""Results of one search; no tool of this package returns more."""

SMALL: Final = 200
"""Where a tool finds no more than this, everything it finds is looked at."""

PAGES: Final = 3
"""Most pages of the results for some words."""

MOST: Final = 16
"""Most searches of an episode."""

_LIKELY: Final = 0.05
"""Least probability of a tool whose records are searched for by name."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A search that was made.

    Attributes:
        tool: the search tool.
        query: its words.
        offset: how many results were skipped.
        found: how many results it returned.
        total: how many there are.
    """

    tool: str
    query: str
    offset: int
    found: int
    total: int


def must_search(observation: Observation) -> bool:
    """Whether records have to be looked up: there are tools for it, and nothing is in sight that was not looked up."""
    if not any(spec.is_search for spec in observation.tools):
        return False
    return not observation.entities if observation.step == 0 else any(True for _ in searches(observation))


def searches(observation: Observation) -> Iterator[Searched]:
    """The searches made so far, read off the messages of the episode."""
    asked: ToolCall | None = None
    for message in observation.messages:
        content = message.get("content")
        if message.get("role") == "assistant":
            decision = parse_decision(content) if isinstance(content, str) else None
            asked = decision if isinstance(decision, ToolCall) else None
        elif message.get("role") == "tool" and asked is not None and isinstance(content, Mapping):
            results, total = content.get("results"), content.get("total")
            if isinstance(results, list | tuple) and isinstance(total, int):
                query, offset = asked.arguments.get("query"), asked.arguments.get("offset")
                yield Searched(
                    asked.tool,
                    query if isinstance(query, str) else "",
                    offset if isinstance(offset, int) else 0,
                    len(results),
                    total,
                )
            asked = None


def next_search(observation: Observation) -> ToolCall | None:
    """The next search, or None where nothing more is to be looked up.

    Everything is looked at where there is little; else what the user's words find, then what the names of single
    mentions find. The same is never searched for twice.

    Args:
        observation: what is in sight.
    """
    done = list(searches(observation))
    if len(done) >= MOST:
        return None
    made = {(one.tool, one.query, one.offset) for one in done}
    for tool, query, offset in _wanted(observation, done):
        if (tool, query, offset) not in made:
            arguments: dict[str, JSON] = {"query": query, "limit": PAGE, **({"offset": offset} if offset else {})}
            return ToolCall(tool, {}, arguments)
    return None


def next_reading(observation: Observation) -> ToolCall | None:
    """The next record to open, or None.

    A search leaves out what is within a record; where that names other records (what is attached to the messages of a
    thread), records that are mentioned are opened, unless opening one is what the user most likely asks for: that would
    end the episode.
    """
    sight = sight_of(observation)
    made = opened(observation.messages)
    left = sight.tools_left(frozenset(tool for tool, _ in made))
    likeliest = max(left, key=lambda name: left[name], default=None)
    for spec in _openers(observation):
        if spec.name == likeliest or len(made) >= MOST_OPENED:
            continue
        for entity_id in _mentioned(sight, spec.preconditions[0].entity_type):
            if (spec.name, entity_id) not in made:
                return ToolCall(spec.name, {spec.preconditions[0].slot: entity_id})
    return None


def _wanted(observation: Observation, done: Sequence[Searched]) -> Iterator[tuple[str, str, int]]:
    tools = sorted((spec for spec in observation.tools if spec.is_search), key=lambda spec: spec.name)
    totals = {one.tool: one.total for one in done if not one.query}
    said = " ".join(telling_words(_texts(observation)))
    for spec in tools:
        yield spec.name, "", 0
        total = totals.get(spec.name)
        if total is None:
            return
        if total <= SMALL:
            yield from ((spec.name, "", offset) for offset in range(PAGE, total, PAGE))
        elif said:
            yield from _pages(spec.name, said, done)
    large = [spec for spec in tools if totals.get(spec.name, 0) > SMALL]
    if large:
        sight = sight_of(observation)
        for types, query in _by_name(sight):
            for spec in large:
                if types is None or any(spec.finds(kind) for kind in types):
                    yield from _pages(spec.name, query, done)


def _pages(tool: str, query: str, done: Iterable[Searched]) -> Iterator[tuple[str, str, int]]:
    """The first page of what some words find; further ones while what comes is not all there is."""
    yield tool, query, 0
    total = next((one.total for one in done if (one.tool, one.query) == (tool, query)), 0)
    for offset in range(PAGE, min(total, PAGES * PAGE), PAGE):
        yield tool, query, offset


def _texts(observation: Observation) -> tuple[str, ...]:
    return sight_of(observation).texts


def telling_words(texts: Iterable[str]) -> tuple[str, ...]:
    """The words of texts that may be of records: all that are not everyday words; if there are none, all."""
    said = dict.fromkeys(word for text in texts for word in words_of(text) if len(word) > 1)
    telling = tuple(word for word in said if not is_common(word))
    return telling or tuple(said)


def _by_name(sight: Sight) -> Iterator[tuple[frozenset[str] | None, str]]:
    """The names of what is mentioned, and what it is mentioned with; the likeliest tools' slots first."""
    likely = [spec for spec in sight.tools if sight.tool_probabilities.get(spec.name, 0.0) >= _LIKELY]
    for spec in sorted(likely, key=lambda s: -sight.tool_probabilities[s.name]):
        for meaning in sight.bind(spec).values():
            kinds = frozenset({meaning.precondition.entity_type})
            for one in meaning.meanings:
                if one.ref is not None:
                    yield from _names(one.ref, kinds)


def _names(ref: Ref, types: frozenset[str] | None) -> Iterator[tuple[frozenset[str] | None, str]]:
    name = " ".join(word.said for word in ref.names)
    if name:
        yield types, name
    for cue in ref.cues:
        if isinstance(cue, RelationCue) and cue.node.names:
            yield cue.node.types, " ".join(word.said for word in cue.node.names)


MOST_OPENED: Final = 8
"""Most records that are opened in an episode."""

_NAMED_ALIKE: Final = 4
"""Most records of one name that are opened."""


_AUTHOR: Final = "person"
"""Records are not opened for who wrote what."""


def _openers(observation: Observation) -> list[ToolSpec]:
    """The tools that open a record of a type whose searches leave out what it names."""
    return [
        spec
        for spec in observation.tools
        if spec.is_read
        and not spec.is_search
        and len(spec.preconditions) == 1
        and (schema := ENTITY_TYPES.get(spec.preconditions[0].entity_type)) is not None
        and any(
            path.split(".")[0] in schema.detail_fields and target != _AUTHOR
            for path, target in schema.references.items()
        )
    ]


def _mentioned(sight: Sight, kind: str) -> list[str]:
    """Ids of the records of a type that may be mentioned; where none is named, the first of the type."""
    store = sight.store
    found: dict[str, None] = {}
    for ref in sight.reading.refs:
        if ref.types is None or kind not in ref.types:
            continue
        near = [{near for near, _ in word.near} or {word.said} for word in ref.names]
        holders = [{n for name in names for n in store.named(name)} for names in near]
        named = sorted(set.intersection(*holders)) if holders else list(store.by_type.get(kind, ()))
        limit = _NAMED_ALIKE if holders else MOST_OPENED
        found.update(dict.fromkeys([store.records[n].id for n in named if store.records[n].type == kind][:limit]))
    return list(found)
