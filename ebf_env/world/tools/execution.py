"""Carrying a checked tool call out on the world."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.permissions import Permissions
from ebf_env.world.store import WorldState
from ebf_env.world.tools.effects import Call
from ebf_env.world.tools.spec import ToolSpec

MAX_NAMES, MAX_NAME = 10, 60
"""How many ignored arguments an answer names, and how much of each name."""


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

    Arguments are never a reason to fail: those the tool does not declare, cannot understand, or that would leave a
    record which its type does not allow, are ignored with a note; the others are used.

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
    content, used = _with_most_arguments(spec, bindings, usable, state, _Acting(permissions, user_id, now, typed))
    answer: dict[str, JSON] = {"status": "ok", **content}
    ignored = [name for name in arguments if name not in used]
    if ignored:
        answer["ignored_arguments"] = [name[:MAX_NAME] for name in ignored[:MAX_NAMES]]
    return ToolResult(answer)


@dataclass(frozen=True, slots=True)
class _Acting:
    """Who acts, when, and in what kind of world."""

    permissions: Permissions
    user_id: str | None
    now: str | None
    typed: bool


def _with_most_arguments(
    spec: ToolSpec, bindings: Mapping[str, Binding], arguments: JSONObject, state: WorldState, acting: _Acting
) -> tuple[dict[str, JSON], Collection[str]]:
    """Carry the call out with as many of the arguments as leave valid records; those declared first go first."""
    declared = [parameter.name for parameter in spec.parameters if parameter.name in arguments]
    for size in range(len(declared), -1, -1):
        for names in combinations(declared, size):
            scratch = state.fork()
            given = {name: arguments[name] for name in names}
            call = Call(
                spec.name, bindings, given, scratch, acting.user_id, acting.now, acting.permissions, acting.typed
            )
            try:
                for effect in spec.effects:
                    effect.apply(call)
            except WorldError:
                if size == 0:
                    raise
                continue
            state.adopt(scratch)
            return call.content, names
    raise AssertionError("unreachable: the call without arguments either succeeds or raises")
