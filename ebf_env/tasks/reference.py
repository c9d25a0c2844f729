"""The right decision of a task: what the oracle backend answers and what every task must accept."""

from __future__ import annotations

from collections.abc import Mapping

from ebf_env.decisions import Clarify, Decision, Defer, Option, ToolCall
from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.task import Task
from ebf_env.world.binding import Binding, as_ids


def reference_decision(
    task: Task, answered: Mapping[str, Binding] | None = None, *, interactive: bool = False
) -> Decision:
    """The right next decision: act, ask for the first slot still open, or defer.

    Args:
        task: the task.
        answered: what the user has already told for slots without gold (interactive episodes).
        interactive: whether a question will be answered; one that the user could not answer is then not asked.
    """
    known = {**task.gold_bindings, **(answered or {})}
    open_slots = [slot for slot in task.bindings if slot not in known]
    if not open_slots:
        return ToolCall(task.tool, known)
    if task.label is Label.UNACTIONABLE:
        return Defer(
            Condition.NOT_PERMITTED.value if task.condition is Condition.NOT_PERMITTED else Condition.NO_REFERENT.value
        )
    if interactive and any(slot not in task.intent for slot in open_slots):
        return Defer("nobody could say which one is meant")
    slot = open_slots[0]
    return Clarify(
        f"Which {slot.replace('_', ' ')} do you mean?",
        slot,
        options=_options(task, slot),
        tool=task.tool,
        bindings=known,
    )


def _options(task: Task, slot: str) -> tuple[Option, ...]:
    return tuple(Option(i, {"name": task.world[i].label}) for i in as_ids(task.intent.get(slot)))
