"""The tools protocol's function schemas: the tools offered, and two more to ask and to defer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ebf_agents.llm.schema import (
    MAX_OPTIONS,
    MAX_QUESTION,
    MAX_VALUE,
    REASONS,
    Schema,
    askable_ids,
    askable_slots,
    callable_tools,
    closed,
    evidence_schema,
    fillable,
    one_of,
    parameter_schema,
    probability,
    slot_schema,
    text,
)
from ebf_agents.llm.words import CLARIFY_TOOL, DEFER_TOOL, OPTIONS, QUESTION, REASON, SLOT
from ebf_env.envs.observation import Observation
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Want
from ebf_env.json_types import JSON
from ebf_env.world import ToolSpec

CLARIFY, DEFER = "clarify", "defer"
SCORES, PROVENANCE = "scores", "provenance"

_OWN: Final = frozenset({CLARIFY, DEFER})


def functions(observation: Observation, wants: frozenset[Want]) -> list[Schema]:
    """The function schemas of a request, in the order of the menu.

    Raises:
        ConfigurationError: a tool of the suite has a name that the protocol needs itself.
    """
    for spec in observation.tools:
        if spec.name in _OWN:
            raise ConfigurationError(
                f"the tools protocol cannot offer a tool called {spec.name!r}; use --protocol json"
            )
    ids = observation.ids_by_type()
    offered = [_function(spec, observation, ids, wants) for spec in callable_tools(observation)]
    return [*offered, _clarify(observation), _DEFER]


def _named(name: str, description: str, parameters: Schema) -> Schema:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def _described(schema: Schema, description: JSON) -> Schema:
    return {**schema, "description": description} if description else schema


def _function(spec: ToolSpec, observation: Observation, ids: Mapping[str, list[str]], wants: frozenset[Want]) -> Schema:
    slots = fillable(spec, observation)
    properties: Schema = {}
    for slot in slots:
        known = ids[slot.entity_type]
        properties[slot.slot] = _described(slot_schema(slot, one_of(known), len(known)), slot.description)
    for parameter in spec.parameters:
        properties[parameter.name] = _described(parameter_schema(parameter), parameter.description)
    required = [p.slot for p in slots if p.required]
    fitting = list(dict.fromkeys(i for p in slots for i in ids[p.entity_type]))
    if slots and Want.SCORES in wants and SCORES not in properties:
        item = closed({"slot": one_of(p.slot for p in slots), "entity_id": one_of(fitting), "score": probability()})
        properties[SCORES] = {"type": "array", "items": item, "maxItems": MAX_OPTIONS * len(slots)}
        required.append(SCORES)
    if slots and Want.EVIDENCE in wants and PROVENANCE not in properties:
        properties[PROVENANCE] = evidence_schema(slots, one_of(fitting), text(MAX_VALUE))
        required.append(PROVENANCE)
    return _named(spec.name, spec.description, closed(properties, required))


def _clarify(observation: Observation) -> Schema:
    properties: Schema = {"question": _described(text(MAX_QUESTION), QUESTION)}
    if slots := askable_slots(observation):
        properties["slot"] = _described(one_of(slots), SLOT)
    if ids := askable_ids(observation):
        options: Schema = {"type": "array", "items": one_of(ids), "maxItems": MAX_OPTIONS}
        properties["options"] = _described(options, OPTIONS)
    return _named(CLARIFY, CLARIFY_TOOL, closed(properties))


_DEFER: Final = _named(DEFER, DEFER_TOOL, closed({"reason": _described(one_of(REASONS), REASON)}))
