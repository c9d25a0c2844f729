"""Checking a tool call against the tools offered and the records there are, before it may touch the world."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ebf_env.decisions.decision import Invalid, ToolCall
from ebf_env.json_types import shown
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.entity import Entity
from ebf_env.world.tools.spec import EntityPrecondition, ToolSpec


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """A call that can be executed: its tool is offered, and PreconditionsSatisfied(t, B) holds (paper, section IV-A).

    Attributes:
        spec: the tool.
        bindings: one id for each slot that takes one, a tuple of ids for each that takes many.
        call: the decision it came from.
    """

    spec: ToolSpec
    bindings: Mapping[str, Binding]
    call: ToolCall


def check_call(
    call: ToolCall, tools: Iterable[ToolSpec], lookup: Callable[[str], Entity | None]
) -> CheckedCall | Invalid:
    """Check that a call can be executed.

    The tool is offered, its slots exist, the required ones are bound, and every id names a record of the right type.

    Args:
        call: what the agent decided.
        tools: the tools offered to it.
        lookup: the record of an id, None where there is none *that the acting user may see*.
    """
    offered = {spec.name: spec for spec in tools}
    spec = offered.get(call.tool)
    if spec is None:
        return Invalid(f"there is no tool {shown(call.tool)}; offered are {', '.join(sorted(offered))}")
    bindings: dict[str, Binding] = {}
    for slot, bound in call.bindings.items():
        if not isinstance(bound, str | tuple) or not all(isinstance(entity_id, str) for entity_id in as_ids(bound)):
            return Invalid(
                f"the slot {shown(slot)} is bound to {shown(bound)}, expected an entity id or a tuple of ids"
            )
        if not as_ids(bound):
            continue
        precondition = spec.precondition(slot)
        if precondition is None:
            known = ", ".join(p.slot for p in spec.preconditions) or "none"
            return Invalid(f"{spec.name} has no slot {shown(slot)}; its slots are: {known}")
        checked = _check_slot(spec, precondition, tuple(dict.fromkeys(as_ids(bound))), lookup)
        if isinstance(checked, Invalid):
            return checked
        bindings[slot] = checked
    for precondition in spec.preconditions:
        if precondition.required and precondition.slot not in bindings:
            return Invalid(f"{spec.name} needs its slot {precondition.slot!r}")
    return CheckedCall(spec, bindings, call)


def _check_slot(
    spec: ToolSpec, precondition: EntityPrecondition, ids: tuple[str, ...], lookup: Callable[[str], Entity | None]
) -> Binding | Invalid:
    if len(ids) > 1 and not precondition.many:
        return Invalid(f"the slot {precondition.slot!r} of {spec.name} takes one entity, got {len(ids)}")
    for entity_id in ids:
        entity = lookup(entity_id)
        if entity is None:
            return Invalid(f"the slot {precondition.slot!r} is bound to {shown(entity_id)}, and no entity has that id")
        if not precondition.accepts(entity.type):
            return Invalid(
                f"the slot {precondition.slot!r} of {spec.name} takes a {precondition.entity_type}, "
                f"but {entity_id!r} is a {entity.type}"
            )
    return ids if precondition.many else ids[0]
