"""The decisions of an agent: act, ask, or defer.

Paper, section III: an executed action a = <t, B, x>, a clarification request, or a safe deferral.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.binding import Binding


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence z for a binding: an element of the provenance record pi(m, e) (paper, section IV-F).

    Attributes:
        slot: the slot whose binding it supports.
        entity_id: the entity it speaks for.
        source_id: the record it was read from.
        field: the field of that record.
        value: what the field says.
        weight: how much it counts.
        text: free text, as models give it.
    """

    slot: str | None = None
    entity_id: str | None = None
    source_id: str | None = None
    field: str | None = None
    value: JSON = None
    weight: float | None = None
    text: str | None = None

    def to_json(self) -> dict[str, JSON]:
        """The record as JSON, without what is absent."""
        content: dict[str, JSON] = {
            "slot": self.slot,
            "entity_id": self.entity_id,
            "source_id": self.source_id,
            "field": self.field,
            "value": self.value,
            "weight": self.weight,
            "evidence": self.text,
        }
        return {name: value for name, value in content.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Option:
    """One answer a clarification offers: an entity, and the values it is told apart by."""

    entity_id: str
    values: JSONObject = field(default_factory=dict)

    def to_json(self) -> dict[str, JSON]:
        """The option as JSON."""
        return {"entity_id": self.entity_id, "values": dict(self.values)}


@dataclass(frozen=True, slots=True)
class ToolCall:
    """An executed action a = <t, B, x> (paper, section III).

    Attributes:
        tool: t.
        bindings: B, slot to entity id, or ids for a slot that takes many.
        arguments: x, the non-entity arguments.
        evidence: provenance of the bindings.
        scores: slot to {entity id: score in [0, 1]}, where the agent gives its own.
    """

    tool: str
    bindings: Mapping[str, Binding] = field(default_factory=dict)
    arguments: JSONObject = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clarify:
    """A clarification request (paper, section IV-E).

    Attributes:
        question: the text the user reads.
        slot: the slot it is about, where known.
        attributes: the attributes it asks for.
        options: the answers it offers.
        tool: the tool the agent has in mind, where it says so.
        bindings: what it has already bound.
    """

    question: str = ""
    slot: str | None = None
    attributes: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    tool: str | None = None
    bindings: Mapping[str, Binding] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Defer:
    """A safe deferral: nothing is done, and why.

    Attributes:
        reason: why; ``no_referent`` and ``not_permitted`` are the reasons that can be right or wrong.
    """

    reason: str = ""
    evidence: tuple[Evidence, ...] = ()
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Invalid:
    """An answer that is no decision: bad model output is a value, never an exception.

    Attributes:
        reason: what is wrong with it, in one sentence.
    """

    reason: str


Decision: TypeAlias = ToolCall | Clarify | Defer | Invalid
