"""``ToolSpec``: one declaration from which schema, preconditions, risk and effect of a tool are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal, TypeAlias

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, ascii_json
from ebf_env.world.entity import ANY_TYPE
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import Effect, Search

ParameterType: TypeAlias = Literal["string", "date-time", "date", "number", "integer", "boolean", "strings"]


@dataclass(frozen=True, slots=True)
class EntityPrecondition:
    """One entity a tool needs before it may run: an element p of P_E(t) (paper, section IV-A).

    Attributes:
        slot: the role, e.g. ``recipient``.
        entity_type: the type of record that can fill it.
        required: mandatory or optional.
        many: whether the slot takes several records.
        changes: whether the tool changes the record, so that the user must be allowed to.
        description: what an agent is told about the slot.
    """

    slot: str
    entity_type: str
    required: bool = True
    many: bool = False
    changes: bool = False
    description: str = ""

    def accepts(self, entity_type: str) -> bool:
        """Whether a record of that type can fill the slot: Type(e) = Type(p) of paper section IV-B."""
        return self.entity_type in (entity_type, ANY_TYPE)


@dataclass(frozen=True, slots=True)
class ToolParameter:
    """A non-entity argument x of a tool: never scored, always optional."""

    name: str
    type: ParameterType
    description: str

    def understands(self, value: JSON) -> bool:
        """Whether a given value can be used."""
        match self.type:
            case "strings":
                return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
            case "boolean":
                return isinstance(value, bool)
            case "integer":
                return isinstance(value, int) and not isinstance(value, bool)
            case "number":
                return isinstance(value, int | float) and not isinstance(value, bool)
            case _:
                return isinstance(value, str)

    def schema(self) -> dict[str, JSON]:
        """The argument as JSON Schema."""
        kind: dict[str, JSON]
        match self.type:
            case "date-time" | "date":
                kind = {"type": "string", "format": self.type}
            case "strings":
                kind = {"type": "array", "items": {"type": "string"}}
            case _:
                kind = {"type": self.type}
        return {**kind, "description": self.description}


@dataclass(frozen=True)
class ToolSpec:
    """A tool t: its contract and its effect.

    Attributes:
        name: the tool's name, e.g. ``share_document``.
        description: what an agent is told.
        domain: the system it belongs to.
        action_type: what kind of action it performs.
        risk: its risk level; ``risk.weight`` is r(t) of paper section III.
        preconditions: P_E(t), in the order an agent sees them.
        parameters: non-entity arguments.
        effects: what it does to the world, in order.
    """

    name: str
    description: str
    domain: str
    action_type: ActionType
    risk: RiskLevel
    preconditions: tuple[EntityPrecondition, ...] = ()
    parameters: tuple[ToolParameter, ...] = ()
    effects: tuple[Effect, ...] = ()

    def __post_init__(self) -> None:
        names = [p.slot for p in self.preconditions] + [p.name for p in self.parameters]
        if len(names) != len(set(names)):
            raise ConfigurationError(f"tool {self.name!r} names a slot or parameter twice: {', '.join(names)}")
        for effect in self.effects:
            if effect.target is not None and self.precondition(effect.target) is None:
                raise ConfigurationError(f"tool {self.name!r} acts on {effect.target!r}, which is no slot of it")

    def precondition(self, slot: str) -> EntityPrecondition | None:
        """The precondition of that slot, or None."""
        return next((p for p in self.preconditions if p.slot == slot), None)

    def parameter(self, name: str) -> ToolParameter | None:
        """The parameter of that name, or None."""
        return next((p for p in self.parameters if p.name == name), None)

    @property
    def is_search(self) -> bool:
        """Whether the tool looks records up by words."""
        return any(isinstance(effect, Search) for effect in self.effects)

    def finds(self, entity_type: str) -> bool:
        """Whether the tool looks up records of a type."""
        return any(isinstance(e, Search) and (not e.types or entity_type in e.types) for e in self.effects)

    @property
    def is_read(self) -> bool:
        """Whether the tool only reads, be it by search or by opening a record."""
        return self.action_type is ActionType.RETRIEVE

    @cached_property
    def schema_text(self) -> str:
        """``function_schema`` as ASCII JSON."""
        return ascii_json(self.function_schema())

    def function_schema(self) -> dict[str, JSON]:
        """The tool as an OpenAI function schema (Chat Completions form: ``{"type": "function", "function": {...}}``).

        Slots and arguments are properties of one object; a slot's property carries the extension keyword
        ``x-entity-type``, by which a program tells the two apart.
        """
        properties: dict[str, JSON] = {p.slot: _slot_schema(p) for p in self.preconditions}
        properties.update({p.name: p.schema() for p in self.parameters})
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": [p.slot for p in self.preconditions if p.required],
                    "additionalProperties": False,
                },
            },
        }


def _slot_schema(precondition: EntityPrecondition) -> dict[str, JSON]:
    noun = "record" if precondition.entity_type == ANY_TYPE else precondition.entity_type.replace("_", " ")
    what = f"ids of {noun} records" if precondition.many else f"id of one {noun}"
    text = f"{precondition.description} ({what})" if precondition.description else what
    single: dict[str, JSON] = {"type": "string"}
    shape: dict[str, JSON] = {"type": "array", "items": single, "minItems": 1} if precondition.many else single
    return {**shape, "description": text, "x-entity-type": precondition.entity_type}


_TOOLS: dict[str, ToolSpec] = {}
TOOLS: Mapping[str, ToolSpec] = MappingProxyType(_TOOLS)
"""All registered tools by name."""


def register_tool(spec: ToolSpec) -> ToolSpec:
    """Add a tool to the registry.

    Raises:
        ConfigurationError: the name is taken.
    """
    if spec.name in _TOOLS:
        raise ConfigurationError(f"tool {spec.name!r} is declared twice")
    _TOOLS[spec.name] = spec
    return spec
