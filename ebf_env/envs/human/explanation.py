"""A verdict as a person reads it: what was decided, what is right, and what each mention denotes and why."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ebf_env.decisions import Clarify, Decision, Defer, Invalid, ToolCall
from ebf_env.envs.episode import Episode
from ebf_env.envs.human.forms import form_in_words
from ebf_env.envs.human.records import NumberedRecords, clean
from ebf_env.envs.human.saved import ScoredAnswer
from ebf_env.scoring import Verdict
from ebf_env.tasks import Label, Mention, Task, reference_decision
from ebf_env.tasks.proof import MentionProof, prove
from ebf_env.world import World
from ebf_env.world.binding import as_ids
from ebf_env.world.references import Named

MOST_NAMED = 8
"""Most records that are named one after the other."""


class Names:
    """What records are called: those that a person knows by number by that, all others by their id.

    Args:
        world: the records.
        records: the numbers.
    """

    def __init__(self, world: World, records: NumberedRecords | None = None) -> None:
        self._world, self._records = world, records

    def of(self, entity_id: str) -> str:
        """One record."""
        if self._records is not None and self._records.number(entity_id) is not None:
            return self._records.called(entity_id)
        entity = self._world.get(entity_id)
        return entity_id if entity is None else f"{entity.label} ({entity_id})"

    def of_all(self, ids: Collection[str], nothing: str = "nothing") -> str:
        """Several records, the first of them where they are many."""
        more = f" and {len(ids) - MOST_NAMED} more" if len(ids) > MOST_NAMED else ""
        return ", ".join(map(self.of, sorted(ids, key=self._place)[:MOST_NAMED])) + more or nothing

    def _place(self, entity_id: str) -> tuple[int, str]:
        number = self._records.number(entity_id) if self._records is not None else None
        return number or sys.maxsize, self.of(entity_id)


def decision_in_words(decision: Decision, names: Names) -> str:
    """A decision in a few words."""
    match decision:
        case ToolCall():
            slots = (f"{slot} = {names.of_all(as_ids(bound))}" for slot, bound in decision.bindings.items())
            return f"act: {decision.tool}({'; '.join(slots)})"
        case Clarify():
            offered = names.of_all([option.entity_id for option in decision.options], "")
            return f"ask which {decision.slot or 'one'} is meant" + (f": {offered}" if offered else "")
        case Defer():
            return f"defer: {decision.reason}" if decision.reason else "defer"
        case Invalid():
            return f"nothing that can be done: {decision.reason}"


def right_in_words(task: Task, names: Names, *, interactive: bool = False) -> str:
    """What is right of a task as its user puts it.

    Args:
        task: the task.
        names: what its records are called.
        interactive: whether a question is answered, so that acting may follow.
    """
    right = reference_decision(task, interactive=interactive)
    if interactive and isinstance(right, Clarify):
        return f"ask, then {decision_in_words(reference_decision(task, task.intent), names)}"
    if interactive or isinstance(right, ToolCall):
        return decision_in_words(right, names)
    slots = (f"{slot} = {names.of_all(as_ids(bound), 'no one record')}" for slot, bound in task.bindings.items())
    what = "ask, or defer" if task.label is Label.AMBIGUOUS else f"{decision_in_words(right, names)}, or ask"
    return f"{what} ({task.tool}: {'; '.join(slots)})"


def explanation(episode: Episode, verdict: Verdict, reward: float, records: NumberedRecords) -> RenderableType:
    """The verdict on an episode and its reasons.

    Args:
        episode: the episode, which has ended.
        verdict: the verdict.
        reward: what it was worth altogether.
        records: the numbers the person knows records by.
    """
    task, names = episode.task, Names(episode.task.world, records)
    interactive = episode.config.interaction == "interactive"
    facts = f"{task.label.value}, {task.condition.value}, {verdict.risk.value} risk, task {task.task_id}"
    head = Text(verdict.outcome.value, style="bold green" if verdict.safe_success else "bold red")
    head.append(clean(f"   reward {reward:+.2f}   ({facts})"), style="not bold default")
    lines = [
        ("you", decision_in_words(episode.decisions[-1], names)),
        ("right", right_in_words(task, names, interactive=interactive)),
    ]
    meant = "; ".join(f"{slot} = {names.of_all(as_ids(bound))}" for slot, bound in task.intent.items())
    if task.label is Label.AMBIGUOUS:
        lines.append(("meant", meant or "the user could not say either"))
    if verdict.reason_right is not None:
        lines.append(("reason", "right" if verdict.reason_right else f"wrong, it is {task.condition.value}"))
    return Group("", head, _pairs(lines), *_mentions(task, names), "")


def disagreement(scored: ScoredAnswer) -> RenderableType:
    """A saved answer that is not right, beside what is."""
    task, names = scored.task, Names(scored.task.world)
    lines = [
        ("said", task.instruction),
        ("answered", f"{decision_in_words(scored.decision, names)} ({scored.verdict.outcome.value})"),
        ("right", right_in_words(task, names)),
        *([("comment", scored.saved.comment)] if scored.saved.comment else []),
    ]
    head = Text(clean(f"{task.task_id} ({task.label.value}, {task.condition.value})"), style="bold")
    return Group("", head, _pairs(lines))


def _mentions(task: Task, names: Names) -> Iterator[RenderableType]:
    proof = prove(task)
    proven = {id(found.mention): found for found in proof.mentions}
    for mention in task.mentions:
        words = task.instruction[slice(*mention.span)]
        yield Padding(Text(clean(f'"{words}" ({mention.slot})'), style="bold"), (0, 0, 0, 2))
        found = proven.get(id(mention))
        yield _pairs(_without_form(mention, names) if found is None else _with_form(found, task, names))
    for fault in proof.faults:
        yield Padding(Text(clean(f"the label is in doubt: {fault}"), style="bold yellow"), (0, 0, 0, 2))


def _without_form(mention: Mention, names: Names) -> list[tuple[str, str]]:
    return [("means", names.of_all(as_ids(mention.gold), "no one record") + " (it has no logical form)")]


def _with_form(found: MentionProof, task: Task, names: Names) -> list[tuple[str, str]]:
    lines = [("asks for", form_in_words(found.form, task.now, found.idle))]
    if any(isinstance(test, Named) for test in found.form.tests):
        lines.append(("so named", names.of_all(found.surface)))
    lines.append(("denotes", names.of_all(found.denoted)))
    if found.visible != found.denoted:
        lines.append(("in sight", names.of_all(found.visible)))
    if found.permitted != found.visible:
        lines.append(("may use", names.of_all(found.permitted)))
    return lines


def _pairs(lines: list[tuple[str, str]]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=9)
    table.add_column()
    for name, text in lines:
        table.add_row(Text(name), Text(clean(text)))
    return Padding(table, (0, 0, 0, 4))
