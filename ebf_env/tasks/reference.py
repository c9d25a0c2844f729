"""The right decision of a task: what the oracle backend answers and what every task must accept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ebf_env.decisions import Clarify, Decision, Defer, Option, ToolCall
from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.task import Task
from ebf_env.world.binding import Binding, as_ids


def reference_decision(
    task: Task,
    answered: Mapping[str, Binding] | None = None,
    *,
    interactive: bool = False,
    silent: Collection[str] = (),
    offering: Callable[[str], Collection[str]] | None = None,
) -> Decision:
    """The right next decision: act, ask for the first slot still open, or defer.

    Args:
        task: the task.
        answered: what the user has already told for slots without gold (interactive episodes).
        interactive: whether a question will be answered; one that the user could not answer is then not asked.
        silent: slots that the user would tell nothing about, if asked (interactive episodes).
        offering: what a slot's mentions denote, for a question that offers all of it; left out: what is meant alone.
    """
    known = {**task.gold_bindings, **(answered or {})}
    open_slots = [slot for slot in task.bindings if slot not in known]
    if not open_slots:
        return ToolCall(task.tool, known)
    if task.label is Label.UNACTIONABLE:
        return Defer(
            Condition.NOT_PERMITTED.value if task.condition is Condition.NOT_PERMITTED else Condition.NO_REFERENT.value
        )
    if interactive and any(slot in silent or slot not in task.intent for slot in open_slots):
        return Defer("nobody could say which one is meant")
    slot = open_slots[0]
    return Clarify(
        f"Which {slot.replace('_', ' ')} do you mean?",
        slot,
        options=_options(task, slot, offering(slot) if offering is not None else ()),
        tool=task.tool,
        bindings=known,
    )


MOST_OFFERED = 10
"""Most records that the right question offers: more are not answered."""


def _options(task: Task, slot: str, denoted: Collection[str]) -> tuple[Option, ...]:
    """What is meant, with what else is denoted, as far as there is room; in an order that does not tell them apart."""
    meant = as_ids(task.intent.get(slot))
    others = sorted(set(denoted) - set(meant))[: max(0, MOST_OFFERED - len(meant))]
    return tuple(Option(i, {"name": task.world[i].label}) for i in sorted({*meant, *others}))
