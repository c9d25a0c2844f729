"""Diagnostic backends that no model stands behind: the lines every other result is read against."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ebf_env.decisions import Decision, Defer, Evidence, ToolCall, decision_text
from ebf_env.envs.spaces import random_decision
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Answer, Need, Query, Want
from ebf_env.json_types import JSONObject
from ebf_env.world.binding import Binding, as_ids


class ScriptedBackend(ABC):
    """A backend that computes its decision on the spot.

    Attributes:
        name: key of its records.
        needs: what it must be told beyond the observation.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset()
    recorded: ClassVar[bool] = False
    concurrency: ClassVar[int] = 1

    @property
    def model(self) -> str:
        """What answers: the script itself."""
        return self.name

    def config(self) -> JSONObject:
        """What identifies it in a run's configuration."""
        return {"kind": self.name}

    async def answer(self, query: Query) -> Answer:
        """Answer one question."""
        return Answer(decision_text(self.decide(query)))

    @abstractmethod
    def decide(self, query: Query) -> Decision:
        """The decision for a question."""


class OracleBackend(ScriptedBackend):
    """Always right: the line no method can pass. It is told the reference decision."""

    name = "oracle"
    needs = frozenset({Need.REFERENCE})

    def decide(self, query: Query) -> Decision:
        """The reference decision."""
        if query.reference is None:
            raise ConfigurationError("the oracle was not told the reference decision")
        if not isinstance(query.reference, ToolCall):
            return query.reference
        wants, bindings = query.prompt.wants, query.reference.bindings
        return replace(
            query.reference,
            evidence=tuple(_evidence(query, bindings)) if Want.EVIDENCE in wants else (),
            scores={s: dict.fromkeys(as_ids(b), 1.0) for s, b in bindings.items()} if Want.SCORES in wants else {},
        )


def _evidence(query: Query, bindings: Mapping[str, Binding]) -> Iterator[Evidence]:
    """What a record is called, for each that is bound."""
    seen = {shown.id: shown.entity for shown in query.observation.entities}
    for slot, bound in bindings.items():
        for entity in (seen[entity_id] for entity_id in as_ids(bound) if entity_id in seen):
            field = next((name for name, value in entity.fields.items() if value == entity.label), None)
            if field is not None:
                yield Evidence(slot, entity.id, entity.id, field, entity.label, 1.0)


class FirstBackend(ScriptedBackend):
    """The right tool on the first candidates: the line of a guesser who never asks. It is told the gold tool.

    Every mandatory slot takes the first record of its type in sight that no earlier slot has taken; optional slots stay
    empty.
    """

    name = "first"
    needs = frozenset({Need.GOLD_TOOL})

    def decide(self, query: Query) -> Decision:
        """The gold tool on the first candidates; a deferral where a slot has none."""
        spec = query.observation.tool(query.gold_tool or "")
        if spec is None:
            return Defer("the tool is not in the menu")
        bindings: dict[str, Binding] = {}
        taken: set[str] = set()
        for precondition in spec.preconditions:
            if not precondition.required:
                continue
            first = next(
                (e.id for e in query.observation.candidates(precondition.entity_type) if e.id not in taken), None
            )
            if first is None:
                return Defer(f"nothing in sight can fill the slot {precondition.slot}")
            taken.add(first)
            bindings[precondition.slot] = (first,) if precondition.many else first
        return ToolCall(spec.name, bindings)


class RandomBackend(ScriptedBackend):
    """A decision drawn uniformly among those that fit the schema: acting, asking and deferring are equally likely."""

    name = "random"

    def decide(self, query: Query) -> Decision:
        """A random decision; the same for the same seed of the question."""
        rng = np.random.Generator(np.random.PCG64(query.seed))
        return random_decision(rng, query.observation.tools, query.observation.ids_by_type())
