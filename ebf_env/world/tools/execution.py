"""Carrying a checked tool call out on the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.permissions import Permissions
from ebf_env.world.store import WorldState
from ebf_env.world.tools.effects import Call
from ebf_env.world.tools.spec import ToolSpec


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered.

    Attributes:
        content: the answer as JSON: ``status`` ("ok" or "denied"), what was found or created, and notes on arguments
        that
            could not be used.
        denied: whether the user was not allowed to change a bound record, so that nothing happened.
    """

    content: JSONObject
    denied: bool = False


def execute(
    spec: ToolSpec,
    bindings: Mapping[str, Binding],
    arguments: JSONObject,
    state: WorldState,
    *,
    permissions: Permissions,
    user_id: str | None = None,
    now: str | None = None,
    typed: bool = True,
) -> ToolResult:
    """Carry out a call whose bindings were checked (see ``ebf_env.decisions.checking``).

    Arguments are never a reason to fail: those the tool does not declare or cannot understand are ignored, with a note.

    Args:
        spec: the tool.
        bindings: slot to id(s) of records that exist.
        arguments: non-entity arguments.
        state: the world to act on.
        permissions: the acting user's rights.
        user_id: the acting user's id, where known.
        now: the task's time, where known.
        typed: whether written records must fit their registered types.
    """
    for precondition in spec.preconditions:
        for entity_id in as_ids(bindings.get(precondition.slot)):
            if precondition.changes and not permissions.may_change(entity_id):
                return ToolResult({"status": "denied", "message": f"You may not change {entity_id}."}, denied=True)
    usable = {name: value for name, value in arguments.items() if (p := spec.parameter(name)) and p.understands(value)}
    ignored = [name for name in arguments if name not in usable]

    def attempt(given: JSONObject) -> dict[str, JSON]:
        scratch = state.fork()
        call = Call(spec.name, bindings, given, scratch, user_id, now, permissions, typed)
        for effect in spec.effects:
            effect.apply(call)
        state.adopt(scratch)
        return call.content

    try:
        content = attempt(usable)
    except WorldError:
        content = attempt({})
        ignored = list(arguments)
    answer: dict[str, JSON] = {"status": "ok", **content}
    if ignored:
        answer["ignored_arguments"] = ignored
    return ToolResult(answer)
