"""JSON Schemas that leave a model only ids of records it was shown.

The schemas are closed throughout (no object takes further properties, every string is an enum or has a greatest
length), so that an answer that follows one is never cut off and can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Want
from ebf_env.json_types import JSON
from ebf_env.world import ToolSpec
from ebf_env.world.entity import ANY_TYPE
from ebf_env.world.tools.spec import EntityPrecondition, ToolParameter

CONSTRAINED: Final = "ids constrained to the candidates shown"
"""Note of a record whose answer was held to such a schema."""

MAX_BOUND: Final = 20
MAX_OPTIONS: Final = 10
MAX_QUESTION, MAX_ARGUMENT, MAX_DATE, MAX_FIELD, MAX_VALUE = 300, 400, 40, 60, 200

REASONS: Final = ("no_referent", "not_permitted", "other")
"""Why an agent may defer; small models, asked for free text, repeat the description."""

Schema = dict[str, JSON]


def closed(properties: Mapping[str, JSON], required: Iterable[str] | None = None) -> Schema:
    """An object with these properties and no others; all are required unless it is said which."""
    names = list(properties) if required is None else list(required)
    return {"type": "object", "properties": dict(properties), "required": names, "additionalProperties": False}


def text(longest: int) -> Schema:
    """Any string up to a length."""
    return {"type": "string", "maxLength": longest}


def probability() -> Schema:
    """A number from 0 to 1."""
    return {"type": "number", "minimum": 0, "maximum": 1}


def one_of(values: Iterable[str]) -> Schema:
    """One of these strings."""
    return {"type": "string", "enum": list(values)}


def callable_tools(observation: Observation) -> tuple[ToolSpec, ...]:
    """The tools whose mandatory slots can all be filled from what is in sight."""
    types = observation.ids_by_type()
    return tuple(
        spec for spec in observation.tools if all(p.entity_type in types for p in spec.preconditions if p.required)
    )


def fillable(spec: ToolSpec, observation: Observation) -> tuple[EntityPrecondition, ...]:
    """The slots of a tool that something in sight can fill."""
    types = observation.ids_by_type()
    return tuple(p for p in spec.preconditions if p.entity_type in types)


def slot_schema(precondition: EntityPrecondition, single: Schema, size: int) -> Schema:
    """What a slot takes, given what one id is and how many there are."""
    if not precondition.many:
        return single
    return {"type": "array", "items": single, "minItems": 1, "maxItems": min(size, MAX_BOUND)}


def parameter_schema(parameter: ToolParameter) -> Schema:
    """What a non-entity argument takes."""
    match parameter.type:
        case "string":
            return text(MAX_ARGUMENT)
        case "date-time" | "date":
            return text(MAX_DATE)
        case "strings":
            return {"type": "array", "items": text(MAX_FIELD), "maxItems": MAX_OPTIONS}
        case _:
            return {"type": parameter.type}


def askable_ids(observation: Observation) -> list[str]:
    """The records that a question can be about: those that some slot of some tool could take, in order."""
    types = {p.entity_type for spec in observation.tools for p in spec.preconditions}
    return [shown.id for shown in observation.entities if shown.type in types or ANY_TYPE in types]


def askable_slots(observation: Observation) -> list[str]:
    """The slots that a question can be about."""
    return list(dict.fromkeys(p.slot for spec in observation.tools for p in spec.preconditions))


def evidence_schema(slots: Iterable[EntityPrecondition], entity_id: Schema, source_id: Schema) -> Schema:
    """Provenance: which field of which record says what of which binding."""
    names = [p.slot for p in slots]
    value: Schema = {"anyOf": [text(MAX_VALUE), {"type": "number"}, {"type": "boolean"}]}
    item = closed(
        {
            "slot": one_of(names),
            "entity_id": entity_id,
            "source_id": source_id,
            "field": text(MAX_FIELD),
            "value": value,
        }
    )
    return {"type": "array", "items": item, "maxItems": 2 * len(names) + 2}


class AnswerSchema:
    """The schema of the JSON protocol: a branch for each tool that can be called, one to ask, one to defer."""

    def __init__(self, observation: Observation, wants: frozenset[Want]) -> None:
        self._observation, self._wants = observation, wants
        self._ids = observation.ids_by_type()
        self._names = {entity_type: f"ids{number}" for number, entity_type in enumerate(self._ids)}
        self._used: set[str] = set()

    def build(self) -> Schema:
        """The whole schema; id lists stand in it once for each type."""
        tools = callable_tools(self._observation)
        branches = [self._act(spec) for spec in tools] + [self._ask(), _DEFER]
        definitions = {self._names[kind]: one_of(ids) for kind, ids in self._ids.items() if kind in self._used}
        return {"anyOf": branches, **({"$defs": definitions} if definitions else {})}

    def _id_of(self, entity_type: str) -> Schema:
        self._used.add(entity_type)
        return {"$ref": f"#/$defs/{self._names[entity_type]}"}

    def _act(self, spec: ToolSpec) -> Schema:
        slots = fillable(spec, self._observation)
        mandatory = [p.slot for p in slots if p.required]
        bindings = {p.slot: slot_schema(p, self._id_of(p.entity_type), len(self._ids[p.entity_type])) for p in slots}
        properties: Schema = {
            "decision": {"const": "ACT"},
            "tool": {"const": spec.name},
            "bindings": closed(bindings, mandatory),
        }
        if slots and Want.SCORES in self._wants:
            scores = {p.slot: self._scores(p) for p in slots}
            properties["scores"] = closed(scores, mandatory)
        if slots and Want.EVIDENCE in self._wants:
            properties["provenance"] = evidence_schema(slots, self._id_of(ANY_TYPE), self._id_of(ANY_TYPE))
        required = list(properties)
        if spec.parameters:
            properties["arguments"] = closed({p.name: parameter_schema(p) for p in spec.parameters}, ())
        return closed(properties, required)

    def _scores(self, precondition: EntityPrecondition) -> Schema:
        return closed({entity_id: probability() for entity_id in self._ids[precondition.entity_type]}, ())

    def _ask(self) -> Schema:
        properties: Schema = {"decision": {"const": "CLARIFY"}, "clarification_question": text(MAX_QUESTION)}
        if slots := askable_slots(self._observation):
            properties["slot"] = one_of(slots)
        if ids := askable_ids(self._observation):
            options: Schema = {"type": "array", "items": one_of(ids), "maxItems": MAX_OPTIONS}
            properties["options"] = options
        return closed(properties)


_DEFER: Final = closed({"decision": {"const": "DEFER"}, "reason": one_of(REASONS)})
