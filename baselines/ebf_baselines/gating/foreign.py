"""Tools of other people's agents as the gate knows them: OpenAI function schemas, and plain functions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world import EntityPrecondition, RiskLevel, ToolSpec
from ebf_env.world.tools.foreign import foreign_tool
from ebf_env.world.tools.spec import ParameterType, ToolParameter

_TYPES: Final[Mapping[str, ParameterType]] = {
    "string": "string",
    "number": "number",
    "integer": "integer",
    "boolean": "boolean",
    "array": "strings",
}


def spec_of_function(
    function: JSONObject,
    entities: Mapping[str, str] | None = None,
    *,
    changes: Collection[str] = (),
    risk: RiskLevel | None = None,
) -> ToolSpec:
    """A tool from its OpenAI function schema, of Chat Completions (``{"type": "function", "function": ...}``) or plain.

    Args:
        function: the schema.
        entities: which parameters are records, and of which type, as the store names it. Those whose property carries
            ``x-entity-type`` need not be named.
        changes: the parameters whose record the tool changes, so that the user must be allowed to.
        risk: its level; None: as its name tells (paper, Table I), ``high`` where it tells nothing.

    Raises:
        ConfigurationError: the schema has no name, or a named parameter is not in it.
    """
    inner = function.get("function")
    declared = inner if isinstance(inner, Mapping) else function
    name, parameters = declared.get("name"), declared.get("parameters")
    if not isinstance(name, str) or not name:
        raise ConfigurationError("the function schema has no name")
    shape = parameters if isinstance(parameters, Mapping) else {}
    properties = shape.get("properties")
    fields = properties if isinstance(properties, Mapping) else {}
    kinds = {field: kind for field, p in fields.items() if (kind := _kind_of(p)) is not None} | dict(entities or {})
    for field in (*kinds, *changes):
        if field not in fields:
            raise ConfigurationError(f"the function {name!r} has no parameter {field!r}; it has: {', '.join(fields)}")
    needed = shape.get("required")
    required = set(needed) if isinstance(needed, list | tuple) else set()
    slots = tuple(
        EntityPrecondition(field, kind, field in required, _is_many(fields[field]), field in changes)
        for field, kind in kinds.items()
    )
    others = tuple(
        ToolParameter(field, _type_of(p), str(p.get("description", "")) if isinstance(p, Mapping) else "")
        for field, p in fields.items()
        if field not in kinds
    )
    return foreign_tool(
        name, str(declared.get("description") or ""), slots, domain="foreign", parameters=others, risk=risk
    )


def spec_of_callable(
    function: Callable[..., object],
    entities: Mapping[str, str],
    *,
    changes: Collection[str] = (),
    risk: RiskLevel | None = None,
) -> ToolSpec:
    """A tool from a plain function: its name, its docstring's first line, and its parameters.

    Args:
        function: the function.
        entities: which parameters are records, and of which type.
        changes: the parameters whose record it changes.
        risk: its level; None: as its name tells.

    Raises:
        ConfigurationError: a named parameter is not one of the function.
    """
    signature = inspect.signature(function).parameters
    properties: dict[str, JSON] = {
        name: {"type": "array"}
        if "list" in str(p.annotation) or "Sequence" in str(p.annotation)
        else {"type": "string"}
        for name, p in signature.items()
    }
    required: list[JSON] = [name for name, p in signature.items() if p.default is inspect.Parameter.empty]
    schema: JSONObject = {
        "name": getattr(function, "__name__", "function"),
        "description": (inspect.getdoc(function) or "").partition("\n")[0],
        "parameters": {"type": "object", "properties": properties, "required": required},
    }
    return spec_of_function(schema, entities, changes=changes, risk=risk)


def _kind_of(declared: JSON) -> str | None:
    kind = declared.get("x-entity-type") if isinstance(declared, Mapping) else None
    return kind if isinstance(kind, str) else None


def _is_many(declared: JSON) -> bool:
    return isinstance(declared, Mapping) and declared.get("type") == "array"


def _type_of(declared: JSON) -> ParameterType:
    kind = declared.get("type") if isinstance(declared, Mapping) else None
    return _TYPES.get(kind, "string") if isinstance(kind, str) else "string"
