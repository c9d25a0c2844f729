"""What an instruction's references mean, slot by slot, with a posterior that includes "none of these"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Final

from ebf_baselines.resolution.denoting import FIRM, GOOD, Denoter, Fact
from ebf_baselines.resolution.lexicon import CLARIFIERS, word_set
from ebf_baselines.resolution.nodes import Cue, Node
from ebf_baselines.resolution.reading import read
from ebf_baselines.resolution.references import Ref, group
from ebf_baselines.resolution.store import RecordStore
from ebf_env.grounding.text import tokens_of
from ebf_env.json_types import JSONObject
from ebf_env.world import EntityPrecondition, ToolSpec

NONE_COST: Final = 3.5
"""What it costs, in nats, to assume that none of the records is meant."""

CHANGING: Final = word_set("change set update edit adjust correct modify switch alter")

SPARE: Final = -0.35
"""Least weight of a reference by itself for it to fill a slot that need not be filled."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one reference means.

    Attributes:
        ref: the reference; None where nothing was said.
        scores: id to posterior of the records that come into question, best first.
        none: posterior of "none of these".
        forbidden: ids of records that fit but that the user may not change.
        facts: id to why it is meant.
        failed: id to what speaks against it.
    """

    ref: Ref | None
    scores: dict[str, float] = field(default_factory=dict)
    none: float = 1.0
    forbidden: tuple[str, ...] = ()
    facts: dict[str, list[Fact]] = field(default_factory=dict)
    failed: dict[str, list[Cue]] = field(default_factory=dict)

    @property
    def best(self) -> str | None:
        """The most likely record."""
        return next(iter(self.scores), None)

    @property
    def score(self) -> float:
        """s1: posterior of the most likely record."""
        return next(iter(self.scores.values()), 0.0)

    @property
    def margin(self) -> float:
        """s1 - s2."""
        values = list(self.scores.values())
        return (values[0] if values else 0.0) - (values[1] if len(values) > 1 else 0.0)

    @property
    def text(self) -> str:
        """Where it is said, for people."""
        return "" if self.ref is None else " / ".join(" ".join(w.said for w in n.names) for n in self.ref.nodes)


@dataclass(frozen=True, slots=True)
class SlotMeaning:
    """What fills a slot: one meaning, or several where it takes many."""

    precondition: EntityPrecondition
    meanings: tuple[Meaning, ...] = ()

    @property
    def score(self) -> float:
        """The least s1."""
        return min((m.score for m in self.meanings), default=0.0)

    @property
    def margin(self) -> float:
        """The least s1 - s2."""
        return min((m.margin for m in self.meanings), default=0.0)

    @property
    def binding(self) -> str | tuple[str, ...] | None:
        """The most likely filling."""
        best = [m.best for m in self.meanings if m.best is not None]
        if not best:
            return None
        return tuple(dict.fromkeys(best)) if self.precondition.many else best[0]

    @property
    def scores(self) -> dict[str, float]:
        """Id to posterior, over all meanings."""
        found: dict[str, float] = {}
        for meaning in self.meanings:
            for entity_id, p in meaning.scores.items():
                found[entity_id] = max(p, found.get(entity_id, 0.0))
        return found


class Reading:
    """An instruction, read against a store.

    Args:
        store: the records.
        texts: what the user said, oldest first; the last is the instruction.
        now: when.
        user: who.
        wanted: types that the slots of the tools on offer take.
    """

    def __init__(
        self,
        store: RecordStore,
        texts: Sequence[str],
        now: datetime | None = None,
        user: JSONObject | None = None,
        wanted: frozenset[str] = frozenset(),
    ) -> None:
        self.store, self.texts = store, tuple(texts)
        self._now, self._user = now, user
        found = read(store, texts, now, user, wanted)
        self.nodes, self._loose = found.nodes, found.loose
        self.refs, self._of = group(self.nodes, store.schema, _clarifying(texts), wanted, self._is_open)

    def _is_open(self, ref: Ref, of: dict[int, Ref]) -> bool:
        """Whether several records fit what was said so far."""
        denotation = Denoter(self.store, of, self._now, self._user).denotation(ref, None)
        return sum(cost < GOOD for cost in denotation.cost.values()) > 1

    @cached_property
    def last(self) -> int:
        """Number of the instruction among the texts."""
        return len(self.texts) - 1

    def kinds(self) -> dict[str, float]:
        """Types of record that the texts name by themselves, from 0 to 1."""
        weights: dict[str, float] = {}
        for ref in self.refs:
            if ref.is_bare or ref.types is None:
                continue
            p = 1 / (1 + math.exp(-ref.top(self.last)))
            for kind in ref.types:
                weights[kind] = max(weights.get(kind, 0.0), p / len(ref.types) ** 0.5)
        return weights

    def bind(self, spec: ToolSpec) -> dict[str, SlotMeaning]:
        """What fills the slots of a tool.

        Slots that nothing was said about are left out, required ones are there without a meaning.
        """
        taken: set[int] = set()
        chosen: dict[str, list[Ref]] = {}
        for precondition in sorted(spec.preconditions, key=lambda p: not p.required):
            refs = self._refs_for(precondition, taken)
            if precondition.required or refs:
                taken.update(map(id, refs))
                chosen[precondition.slot] = refs
        denoter = Denoter(
            self.store, self._of, self._now, self._user, frozenset(taken), [*self._loose, *self._left_over(taken)]
        )
        return {
            p.slot: SlotMeaning(p, tuple(self.meaning(ref, p, denoter) for ref in chosen[p.slot]))
            for p in spec.preconditions
            if p.slot in chosen
        }

    def _left_over(self, taken: set[int]) -> list[Ref]:
        """References that fill no slot and are said of none that does."""
        return [
            ref
            for ref in self.refs
            if id(ref) not in taken
            and not ref.is_bare
            and ref.types is not None
            and not any(node.parent is not None and not self._is_loosened(node, taken) for node in ref.nodes)
        ]

    def _is_loosened(self, node: Node, taken: set[int]) -> bool:
        return node.parent is None or (id(self._of.get(id(node))) in taken and -node.top < FIRM)

    def _refs_for(self, precondition: EntityPrecondition, taken: set[int]) -> list[Ref]:
        kind = precondition.entity_type
        fitting = [
            r
            for r in self.refs
            if id(r) not in taken and (r.types is None or kind in r.types) and r.top(self.last) >= -FIRM
        ]
        ranked = sorted(fitting, key=lambda r: -self._fitness(r, kind))
        if not precondition.required:
            ranked = [r for r in ranked if self._fitness(r, kind) >= SPARE and not r.is_bare and self._is_said(r)]
        elif not ranked:
            ranked = self._beneath(kind, taken)
        if precondition.many:
            own = [r for r in ranked if not r.is_bare and self._fitness(r, kind) >= SPARE]
            return own or ranked[:1] if precondition.required else own
        return ranked[:1]

    def _beneath(self, kind: str, taken: set[int]) -> list[Ref]:
        """References that were taken to be said of a mere noun: "change the folder of the plan"."""
        return [
            ref
            for ref in self.refs
            if id(ref) not in taken
            and ref.types is not None
            and kind in ref.types
            and not ref.is_bare
            and all(_is_of_mere_noun(node) for node in ref.latest)
        ]

    def _is_said(self, ref: Ref) -> bool:
        """Whether the instruction itself mentions it for its own sake."""
        return any(node.text == self.last and (node.parent is None or -node.top < FIRM) for node in ref.latest)

    def _fitness(self, ref: Ref, kind: str) -> float:
        fitness = ref.top(self.last)
        if ref.is_bare:
            fitness -= 4.0
        if ref.types is None:
            fitness -= 3.0
        elif len(ref.types) > 1:
            fitness -= 0.5
        if ref.names:
            fitness += 0.3
        elif any(CHANGING & set(node.gap[-3:]) and node.cues for node in ref.latest):
            fitness -= 1.5  # "change the folder of the plan": a field of the plan
        if not self._is_said(ref):
            fitness -= 1.0
        return fitness

    def meaning(self, ref: Ref, precondition: EntityPrecondition, denoter: Denoter) -> Meaning:
        """What a reference means as the filling of a slot."""
        kinds = None if precondition.entity_type == "any" else frozenset({precondition.entity_type})
        if ref.is_bare:
            return Meaning(ref)
        denotation = denoter.denotation(ref, kinds)
        records = self.store.records
        usable: dict[int, float] = {}
        forbidden: dict[int, float] = {}
        for n, cost in denotation.cost.items():
            into = forbidden if precondition.changes and not records[n].may_change else usable
            into[n] = cost
        weights = {n: math.exp(-cost) for n, cost in sorted(usable.items(), key=lambda item: item[1])}
        total = sum(weights.values()) + math.exp(-NONE_COST)
        least = min(usable.values(), default=math.inf)
        barred = tuple(records[n].id for n, c in forbidden.items() if c < GOOD) if least >= GOOD else ()
        return Meaning(
            ref,
            {records[n].id: w / total for n, w in weights.items()},
            math.exp(-NONE_COST) / total,
            barred,
            {records[n].id: denotation.facts[n] for n in weights},
            {records[n].id: denotation.failed[n] for n in weights},
        )


def _is_of_mere_noun(node: Node) -> bool:
    return node.parent is not None and not node.parent.names and len(node.parent.cues) == 1


def _clarifying(texts: Sequence[str]) -> frozenset[tuple[int, int]]:
    """(text, sentence) of sentences that say more about what was mentioned before."""
    found = set()
    for number, text in enumerate(texts):
        sentence, words = 0, []
        for token in (*tokens_of(text), None):
            end = token is None or (
                token.word in ".?!;:" and not token.is_word and not text[token.end : token.end + 1].isalnum()
            )
            if not end and token is not None:
                words.append(token.word)
                continue
            if _says_more(words):
                found.add((number, sentence))
            sentence, words = sentence + 1, []
    return frozenset(found)


def _says_more(words: Sequence[str]) -> bool:
    begins = tuple(words[:2])
    return (
        bool(CLARIFIERS & set(words))
        or "question" in words
        or (
            bool(begins)
            and begins[0] in ("that", "this", "it")
            and begins[1:] in (("is",), ("'s",))
            and "the" in words[2:4]
        )
    )
