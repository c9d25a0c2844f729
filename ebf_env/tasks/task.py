"""The task: frozen data, checked once, apart from everything that happens to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from ebf_env.decisions import ToolCall, decision_text, parse_decision
from ebf_env.errors import TaskError, WorldError
from ebf_env.json_types import JSONObject, shown
from ebf_env.tasks.labels import Condition, Label
from ebf_env.world import Permissions, RiskLevel, ToolSpec, World
from ebf_env.world.binding import Binding, as_ids

Visibility: TypeAlias = Literal["full", "search"]

MAX_FULL_ENTITIES = 500
"""Largest world an observation may show whole."""


@dataclass(frozen=True, slots=True)
class User:
    """On whose behalf the agent acts.

    Attributes:
        fields: what is known of the user (id, name, team, ...); shown in observations.
        permissions: what the user may see and change; never shown as such.
    """

    fields: JSONObject = field(default_factory=dict)
    permissions: Permissions = field(default_factory=Permissions)

    @property
    def id(self) -> str | None:
        """The user's own person id, where known."""
        value = self.fields.get("id")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class Mention:
    """A referring expression m of the instruction (paper, section III).

    Attributes:
        span: begin and end in the instruction, in characters.
        slot: the slot it fills.
        gold: the intended entity, or entities; None where nothing or more than one thing is denoted.
        form: its logical form, where certified.
    """

    span: tuple[int, int]
    slot: str
    gold: Binding | None = None
    form: JSONObject | None = None


@dataclass(frozen=True)
class Task:
    """One task: what the user says, the world it is said in, and what is right.

    Attributes:
        task_id: opaque, unique in its suite.
        instruction: u.
        world: S.
        tools: T, in the order an agent sees them.
        tool: t*, the gold tool.
        bindings: B*, slot to gold id (ids for a slot that takes many); None for a slot that is mentioned but denotes no
        one entity.
        label: the expected safe behaviour.
        condition: the ambiguity condition of this task.
        domain: the system the task is about.
        now: the time it is said at.
        user: who says it.
        history: earlier turns of the conversation, oldest first; objects with at least ``role`` and ``content``.
        intent: what the user has in mind for a slot without gold, told only when asked.
        risk: annotated risk of acting on a wrong entity; None: the gold tool's.
        base_condition: what the task's family is about.
        difficulty: 1 to 5.
        visibility: whether observations show the world whole or only what was looked up.
        family: the contrast block the task belongs to.
        mentions: the referring expressions of the instruction.
        certificate: the proof of the label.
        split: ``train``, ``val`` or ``test``.
        index: number in its suite.
        typed: whether records must fit their registered types; imported tasks bring records of any shape.
    """

    task_id: str
    instruction: str
    world: World
    tools: tuple[ToolSpec, ...]
    tool: str
    bindings: Mapping[str, Binding | None]
    label: Label
    condition: Condition
    domain: str
    now: str | None = None
    user: User = field(default_factory=User)
    history: tuple[JSONObject, ...] = ()
    intent: Mapping[str, Binding] = field(default_factory=dict)
    risk: RiskLevel | None = None
    base_condition: Condition | None = None
    difficulty: int | None = None
    visibility: Visibility = "full"
    family: str | None = None
    mentions: tuple[Mention, ...] = ()
    certificate: JSONObject | None = None
    split: str | None = None
    index: int | None = None
    typed: bool = True

    @property
    def spec(self) -> ToolSpec:
        """The gold tool."""
        return next(spec for spec in self.tools if spec.name == self.tool)

    @property
    def effective_risk(self) -> RiskLevel:
        """The risk of acting on a wrong entity: the task's annotation, else the gold tool's level."""
        return self.risk or self.spec.risk

    @property
    def gold_bindings(self) -> dict[str, Binding]:
        """The slots that have a gold entity."""
        return {slot: bound for slot, bound in self.bindings.items() if bound is not None}

    def check(self) -> Task:
        """Check that the parts fit together (the world itself is checked by ``World.check``).

        Returns:
            The task itself.

        Raises:
            TaskError: the first contradiction found, naming the field.
        """
        _check_tools(self)
        for slot, bound in self.bindings.items():
            _check_slot(self, "bindings", slot, bound)
        for slot, bound in self.intent.items():
            if slot not in self.bindings or self.bindings[slot] is not None:
                raise TaskError("only a slot whose binding is null can have an intent", field=f"intent.{slot}")
            _check_slot(self, "intent", slot, bound)
        _check_label(self)
        _check_condition(self)
        _check_gold_can_be_said(self)
        _check_mentions(self)
        if self.visibility == "full" and len(self.world) > MAX_FULL_ENTITIES:
            raise TaskError(
                f"a world of {len(self.world):,} entities is too large to show whole; use 'search'",
                field="visibility",
            )
        if self.typed:
            _check_typed(self)
        for name in ("hidden", "read_only"):
            unknown = sorted(i for i in getattr(self.user.permissions, name) if i not in self.world)
            if unknown:
                raise TaskError(f"no entity has the id {unknown[0]!r}", field=f"user.permissions.{name}")
        return self


def _check_typed(task: Task) -> None:
    """What writes take from the task must fit typed records: the time, and who acts."""
    if task.now is not None:
        try:
            moment = datetime.fromisoformat(task.now)
        except ValueError as error:
            raise TaskError(f"expected an ISO 8601 time, got {task.now!r}", field="now") from error
        if moment.tzinfo is None:
            raise TaskError(f"expected a time with a UTC offset, got {task.now!r}", field="now")
    if task.user.id is not None:
        person = task.world.get(task.user.id)
        if person is None or person.type != "person":
            raise TaskError(f"no person has the id {task.user.id!r}", field="user.id")


def _check_tools(task: Task) -> None:
    names = [spec.name for spec in task.tools]
    if not names:
        raise TaskError("a task needs at least one tool", field="tools")
    if len(set(names)) != len(names):
        raise TaskError("a tool is offered twice", field="tools")
    if task.tool not in names:
        raise TaskError(
            f"the gold tool {task.tool!r} is not among the tools offered ({', '.join(names)})", field="tool"
        )


def _check_slot(task: Task, name: str, slot: str, bound: Binding | None) -> None:
    where = f"{name}.{slot}"
    precondition = task.spec.precondition(slot)
    if precondition is None:
        known = ", ".join(p.slot for p in task.spec.preconditions) or "none"
        raise TaskError(f"{task.tool} has no slot {slot!r}; its slots are: {known}", field=where)
    if bound is None:
        return
    if isinstance(bound, str) == precondition.many:
        expected = "a list of ids" if precondition.many else "one id"
        raise TaskError(f"the slot takes {expected}, got {bound if precondition.many else list(bound)!r}", field=where)
    for entity_id in as_ids(bound):
        entity = task.world.get(entity_id)
        if entity is None or not task.user.permissions.may_see(entity_id):
            raise TaskError(f"{entity_id!r} is no candidate: no entity the user may see has that id", field=where)
        if not precondition.accepts(entity.type):
            raise TaskError(
                f"{entity_id!r} is a {entity.type}, the slot takes a {precondition.entity_type}", field=where
            )
        if precondition.changes and not task.user.permissions.may_change(entity_id):
            raise TaskError(f"the user may not change {entity_id!r}, so it cannot be what is right", field=where)


def _check_label(task: Task) -> None:
    unresolved = [slot for slot, bound in task.bindings.items() if bound is None]
    if task.label is Label.RESOLVABLE and unresolved:
        raise TaskError(
            f"a resolvable task needs a gold entity for {unresolved[0]!r}", field=f"bindings.{unresolved[0]}"
        )
    if task.label is not Label.RESOLVABLE and not unresolved:
        raise TaskError(f"the label is {task.label.value!r}, but every slot has a gold entity", field="label")
    for precondition in task.spec.preconditions:
        if precondition.required and precondition.slot not in task.bindings:
            raise TaskError(f"{task.tool} needs its slot {precondition.slot!r}", field=f"bindings.{precondition.slot}")


def _check_condition(task: Task) -> None:
    resolvable = task.label is Label.RESOLVABLE
    if task.condition is Condition.UNAMBIGUOUS and not resolvable:
        raise TaskError(f"the condition is 'unambiguous', but the label is {task.label.value!r}", field="condition")
    if task.condition in (Condition.TRUE_AMBIGUITY, Condition.NO_REFERENT, Condition.NOT_PERMITTED) and resolvable:
        raise TaskError(f"the condition is {task.condition.value!r}, but the label is 'resolvable'", field="condition")


def _check_gold_can_be_said(task: Task) -> None:
    """Every task must accept its own gold answer, written and read back as an agent's is."""
    call = ToolCall(task.tool, task.gold_bindings)
    said = parse_decision(decision_text(call))
    if not isinstance(said, ToolCall) or said.tool != task.tool:
        raise TaskError(f"no answer can name the tool {task.tool!r}", field="tool")
    for slot, bound in task.gold_bindings.items():
        if as_ids(said.bindings.get(slot)) != tuple(dict.fromkeys(as_ids(bound))):
            raise TaskError(f"no answer can bind {slot!r} to {shown(bound)}", field=f"bindings.{slot}")


def _check_mentions(task: Task) -> None:
    for number, mention in enumerate(task.mentions):
        begin, end = mention.span
        if not 0 <= begin < end <= len(task.instruction):
            raise TaskError(f"[{begin}, {end}] is no part of the instruction", field=f"mentions.{number}.span")
        if mention.slot not in task.bindings:
            raise TaskError(f"the task binds no slot {mention.slot!r}", field=f"mentions.{number}.slot")
        gold = task.bindings[mention.slot] or task.intent.get(mention.slot)
        if gold is None:  # one of several mentions of a slot may be clear, and the slot still not be
            stray = [i for i in as_ids(mention.gold) if i not in task.world]
        else:
            stray = [i for i in as_ids(mention.gold) if i not in as_ids(gold)]
        if stray:
            message = f"{stray[0]!r} is not among what the slot {mention.slot!r} means"
            raise TaskError(message, field=f"mentions.{number}.gold")


def check_world(world: World, field_name: str = "entities") -> None:
    """``World.check``, with its error as a :class:`TaskError` that names ``field_name``."""
    try:
        world.check()
    except WorldError as error:
        raise TaskError(str(error), field=f"{field_name}.{error.field}" if error.field else field_name) from error
