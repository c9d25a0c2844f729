"""Success read from the world: an independent check of scoring by bindings.

What an episode did to its world is compared with what the right call, given the same non-entity arguments, does to it.
Giving both the same arguments leaves the arguments out of the comparison, as they are out of the score.
"""

from __future__ import annotations

from collections.abc import Mapping

from ebf_env.json_types import JSON, JSONObject, canonical_json
from ebf_env.tasks import Task
from ebf_env.world import Difference, Entity, WorldState, execute
from ebf_env.world.binding import Binding


def expected_difference(
    task: Task, arguments: JSONObject | None = None, answered: Mapping[str, Binding] | None = None
) -> Difference | None:
    """What the right call does to the task's world; None where acting is not right.

    Args:
        task: the task.
        arguments: non-entity arguments of the call.
        answered: what the user told for slots without gold (interactive episodes).
    """
    gold: dict[str, Binding | None] = {**task.bindings, **(answered or {})}
    bindings = {slot: bound for slot, bound in gold.items() if bound is not None}
    if len(bindings) < len(gold):
        return None
    state = WorldState(task.world)
    execute(
        task.spec,
        bindings,
        arguments or {},
        state,
        permissions=task.user.permissions,
        user_id=task.user.id,
        now=task.now,
        typed=task.typed,
    )
    return state.difference()


def succeeded_in_world(
    task: Task,
    difference: Difference,
    arguments: JSONObject | None = None,
    answered: Mapping[str, Binding] | None = None,
) -> bool:
    """Whether what happened to the world is exactly what the right call does.

    Args:
        task: the task.
        difference: what the episode did.
        arguments: non-entity arguments of its last call.
        answered: what the user told for slots without gold.
    """
    expected = expected_difference(task, arguments, answered)
    if expected is None or not expected.activity:
        return False
    return _comparable(task, difference) == _comparable(task, expected)


def _comparable(task: Task, difference: Difference) -> tuple[object, ...]:
    """The difference with exploring reads left out and lists that stand for sets sorted."""
    return (
        [_plain(entity) for entity in difference.created],
        sorted((c.entity_id, c.field, _sorted_ids(c.after)) for c in difference.changed),
        sorted(difference.deleted),
        sorted(
            (entry.tool, entry.kind, entry.entity_id, _sorted_ids(entry.value))
            for entry in difference.activity
            if entry.kind not in ("view", "search") or entry.tool == task.tool
        ),
    )


def _plain(entity: Entity) -> tuple[str, str]:
    return entity.type, _sorted_ids(entity.fields)


def _sorted_ids(value: JSON) -> str:
    return canonical_json(_unordered(value))


def _unordered(value: JSON) -> JSON:
    if isinstance(value, Mapping):
        return {name: _unordered(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_unordered(item) for item in value]
        texts = [item for item in items if isinstance(item, str)]
        return sorted(texts) if len(texts) == len(items) else items
    return value
