"""A run as its last decision found it: what is right, what was in sight, and what the user had answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ebf_env.decisions import Clarify, Decision, ToolCall, parse_decision
from ebf_env.errors import WorldError
from ebf_env.evaluation.record import Object, RunRecord
from ebf_env.json_types import ascii_json
from ebf_env.scoring.misreading import names_said
from ebf_env.tasks import Conversation, Task, UserOracle, UserProfile
from ebf_env.tasks.proof import first_step
from ebf_env.tasks.user_oracle import Reply
from ebf_env.world import Entity
from ebf_env.world.binding import Binding, as_ids
from ebf_env.world.references import Form, Reading, Situation, denotation, form_from_json, read


def recorded_decision(recorded: Object) -> Decision:
    """The decision that a record holds."""
    return parse_decision(ascii_json(recorded))


@dataclass(frozen=True, slots=True)
class Told:
    """What the user has answered.

    Attributes:
        meant: what slots without gold mean, once told.
        chosen: by slot, options the user said they mean.
        refused: by slot, options the user said, or left to understand, that they do not mean.
    """

    meant: Mapping[str, Binding]
    chosen: Mapping[str, frozenset[str]]
    refused: Mapping[str, frozenset[str]]

    @classmethod
    def after(cls, task: Task, decisions: Iterable[Decision], user: UserProfile | None = None) -> Told:
        """The answers to the questions among decisions."""
        conversation = Conversation(UserOracle(task, user or UserProfile()))
        refused: dict[str, frozenset[str]] = {}
        for question in decisions:
            if not isinstance(question, Clarify):
                continue
            answer = conversation.ask(question)
            offered = frozenset(option.entity_id for option in question.options)
            for slot, ids in answer.chosen.items():
                refused[slot] = refused.get(slot, frozenset()) | offered - set(ids)
            for slot, said in answer.said.items():
                ground = conversation.user.ground
                unfit = {i for i in ground.surface(slot) if not ground.fits(i, said)}
                refused[slot] = refused.get(slot, frozenset()) | unfit
            named = question.slot
            if answer.reply is Reply.NONE and named is not None:
                refused[named] = refused.get(named, frozenset()) | offered
        return cls(conversation.told, conversation.chosen, refused)

    def is_disregarded_by(self, slot: str, ids: Collection[str]) -> bool:
        """Whether binding a slot to ids goes against an answer about it."""
        nothing = frozenset[str]()
        return not self.chosen.get(slot, nothing) <= set(ids) or not self.refused.get(slot, nothing).isdisjoint(ids)


@dataclass(frozen=True, slots=True)
class Meaning:
    """A mention's form, read.

    Attributes:
        reading: the form, and what its tests hold of.
        visible: what it denotes and the user may see.
        permitted: what of that the tool may be used on.
    """

    reading: Reading
    visible: frozenset[str]
    permitted: frozenset[str]

    @property
    def form(self) -> Form:
        """The form."""
        return self.reading.form


@dataclass(frozen=True, slots=True)
class Case:
    """A run as its last decision found it.

    Attributes:
        task: the task.
        gold: what is right for each mentioned slot, with what the user has told; None where nothing is.
        told: the user's answers.
        tools: names of the tools shown; None where none were recorded.
        shown: ids of the records shown; None where neither tools nor records were recorded.
        went_on: whether there were decisions before, which did not end the episode.
    """

    task: Task
    gold: Mapping[str, Binding | None]
    told: Told
    tools: frozenset[str] | None
    shown: frozenset[str] | None
    went_on: bool

    @classmethod
    def of(cls, task: Task, record: RunRecord, user: UserProfile | None = None) -> Case:
        """The case of a record with at least one turn."""
        *earlier, last = record.turns
        told = Told.after(task, [recorded_decision(turn.decision) for turn in earlier], user)
        return cls(
            task,
            {**task.bindings, **told.meant},
            told,
            frozenset(last.tools_shown) or None,
            frozenset(last.candidates_shown) if last.tools_shown or last.candidates_shown else None,
            bool(earlier),
        )

    # --- what was in sight ---

    def lookup(self, entity_id: str) -> Entity | None:
        """The record of an id, None where there is none that the user may see."""
        return self.task.world.get(entity_id) if self.task.user.permissions.may_see(entity_id) else None

    def lacks_the_tool(self) -> bool:
        """Whether the right tool was not in the menu."""
        return self.tools is not None and self.task.tool not in self.tools

    def is_out_of_sight(self, ids: Collection[str]) -> bool:
        """Whether there are such records and none of them was shown."""
        return self.shown is not None and bool(ids) and self.shown.isdisjoint(ids)

    def first_step_is_out_of_sight(self, meanings: Sequence[Meaning]) -> bool:
        """Whether what has to be found first, for a mention that takes two steps, was not shown."""
        steps = (first_step(meaning.form) for meaning in meanings) if self.shown is not None else ()
        return any(step is not None and self.is_out_of_sight(self.denoted(step)) for step in steps)

    # --- what things mean ---

    def explores(self, call: ToolCall) -> bool:
        """Whether a call only looks something up, in an interactive episode that had begun."""
        spec = next((spec for spec in self.task.tools if spec.name == call.tool), None)
        return self.went_on and spec is not None and spec.is_read and call.tool != self.task.tool

    def is_of_another_slot(self, slot: str, entity_id: str) -> bool:
        """Whether a record is what another slot, or another slot's mention, means."""
        task = self.task
        others = [as_ids(bound) for meant in (self.gold, task.intent) for s, bound in meant.items() if s != slot]
        others += [as_ids(mention.gold) for mention in task.mentions if mention.slot != slot]
        return any(entity_id in ids for ids in others)

    def denoted(self, form: Form) -> frozenset[str]:
        """What a form denotes and the user may see."""
        return frozenset(filter(self.task.user.permissions.may_see, denotation(form, self._situation)))

    def has_the_name(self, form: Form, entity_id: str) -> bool:
        """Whether a record has something of the names that a mention says."""
        return any(entity_id in self.denoted(called) for called in names_said(form))

    def meanings(self, slot: str, ids: Collection[str] = ()) -> tuple[list[Meaning], bool]:
        """The forms of a slot's mentions, read, and whether every such mention has one.

        Args:
            slot: the slot.
            ids: what is bound to it; mentions that this satisfies are left out, unless it satisfies all.
        """
        mentions = [mention for mention in self.task.mentions if mention.slot == slot]
        unsatisfied = [m for m in mentions if m.gold is None or not set(as_ids(m.gold)) <= set(ids)] or mentions
        found: list[Meaning] = []
        for mention in unsatisfied:
            if mention.form is not None:
                try:
                    found.append(self._meaning(slot, form_from_json(mention.form)))
                except WorldError:
                    continue  # an unreadable form is the proof's to report
        return found, bool(mentions) and len(found) == len(unsatisfied)

    def _meaning(self, slot: str, form: Form) -> Meaning:
        reading = read(form, self._situation)
        rights, precondition = self.task.user.permissions, self.task.spec.precondition(slot)
        visible = frozenset(filter(rights.may_see, reading.denoted))
        changes = precondition is not None and precondition.changes
        return Meaning(reading, visible, frozenset(filter(rights.may_change, visible)) if changes else visible)

    @property
    def _situation(self) -> Situation:
        return Situation(self.task.world, self.task.now, self.task.user.id)
