"""The lines of a suite file: their exact shape, and tasks to and from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Final, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from ebf_env.errors import ConfigurationError, TaskError, WorldError
from ebf_env.json_types import JSON, JSONObject, finite, no_constant, shown
from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.task import Mention, Task, User, Visibility
from ebf_env.world import (
    TOOLS,
    ActionType,
    Entity,
    EntityPrecondition,
    Permissions,
    RiskLevel,
    ToolParameter,
    ToolSpec,
    World,
)
from ebf_env.world.binding import Binding, plain_binding
from ebf_env.world.tools.foreign import foreign_tool
from ebf_env.world.tools.spec import ParameterType

FORMAT: Final = "ebf-suite"
FORMAT_VERSION: Final = 1

Object = dict[str, JsonValue]
Name = Annotated[str, Field(min_length=1)]
FileBinding = str | list[str] | None


def loads(raw: str | bytes) -> object:
    """JSON from a file; NaN, infinities and keys given twice are refused.

    Raises:
        ValueError: the text is not JSON.
        RecursionError: it is nested too deeply.
    """
    return json.loads(raw, parse_constant=no_constant, parse_float=finite, object_pairs_hook=_unique_keys)


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {shown(next(n for n in names if names.count(n) > 1))} is given twice")
    return result


class Line(BaseModel):
    """One line of a suite file."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class HeaderLine(Line):
    """First line: what the file is and where it comes from."""

    line: Literal["header"] = "header"
    format: Literal["ebf-suite"] = FORMAT
    format_version: Literal[1] = FORMAT_VERSION
    name: str = "suite"
    source: str | None = None
    generator_version: int | None = None
    seed: int | None = None
    pools: str | None = None
    config: Object = {}


class WorldLine(Line):
    """A world that several tasks share."""

    line: Literal["world"] = "world"
    world: Name
    entities: list[Object]
    typed: bool = True


class OverlayPart(Line):
    """What a task changes in a shared world."""

    put: list[Object] = []
    remove: list[str] = []


class PreconditionPart(Line):
    """An entity precondition of a tool the project does not know."""

    slot: Name
    entity_type: Name
    required: bool = True
    many: bool = False
    changes: bool = False
    description: str = ""


class ParameterPart(Line):
    """A parameter of a tool the project does not know."""

    name: Name
    type: ParameterType = "string"
    description: str = ""


class ToolPart(Line):
    """A tool as the suite's author declares it; registered tools are written as their name alone."""

    name: Name
    description: str = ""
    domain: str = ""
    action_type: ActionType | None = None
    risk: RiskLevel | None = None
    preconditions: list[PreconditionPart] = []
    parameters: list[ParameterPart] | None = None


class PermissionsPart(Line):
    """What the user may not see, and not change."""

    hidden: list[str] = []
    read_only: list[str] = []


class MentionPart(Line):
    """A referring expression."""

    span: tuple[int, int]
    slot: Name
    gold: FileBinding = None
    form: Object | None = None


class TaskLine(Line):
    """One task; ``entities`` or ``world`` (with ``overlay``) says what world it is in."""

    line: Literal["task"] = "task"
    task_id: Name
    instruction: Name
    now: str | None = None
    user: Object | None = None
    permissions: PermissionsPart | None = None
    history: list[Object] = []
    domain: Name
    tools: list[str | ToolPart]
    entities: list[Object] | None = None
    world: str | None = None
    overlay: OverlayPart | None = None
    typed: bool = True
    tool: Name
    bindings: dict[str, FileBinding]
    intent: dict[str, str | list[str]] = {}
    label: Label
    condition: Condition
    base_condition: Condition | None = None
    risk: RiskLevel | None = None
    difficulty: Annotated[int, Field(ge=1, le=5)] | None = None
    visibility: Visibility = "full"
    family: str | None = None
    mentions: list[MentionPart] = []
    certificate: Object | None = None
    split: Literal["train", "val", "test"] | None = None
    index: int | None = None


class TrailerLine(Line):
    """Last line: how many tasks there are, and the SHA-256 of all lines between the first and this one."""

    line: Literal["trailer"] = "trailer"
    count: int
    sha256: str
    statistics: Object = {}


LINES: Mapping[str, type[Line]] = {"header": HeaderLine, "world": WorldLine, "task": TaskLine, "trailer": TrailerLine}


def first_fault(error: ValidationError) -> tuple[str, str]:
    """Field path and message of the first fault pydantic found."""
    first = error.errors(include_url=False)[0]
    path = ".".join(str(part) for part in first["loc"] if not (isinstance(part, str) and part in _UNION_TAGS))
    message = _PYTHONISH.sub("", first["msg"].removeprefix("Value error, "))
    return path if len(path) <= MAX_PATH else path[: MAX_PATH - 3] + "...", message


MAX_PATH = 100
"""How much of a field's path a message shows."""

_PYTHONISH = re.compile(r" or instance of \w+")


_UNION_TAGS = {"str", "ToolPart", "list[str]"}


def entity_from_json(record: Mapping[str, JSON], *, where: str) -> Entity:
    """An entity from its flat JSON object.

    Raises:
        TaskError: ``id`` or ``type`` is missing or no text.
    """
    fields = dict(record)
    entity_id, kind = fields.pop("id", None), fields.pop("type", None)
    for name, value in (("id", entity_id), ("type", kind)):
        if not isinstance(value, str) or not value:
            raise TaskError(f"expected text, got {value!r}", field=f"{where}.{name}")
    return Entity(cast("str", entity_id), cast("str", kind), fields)


def world_from_json(records: Iterable[Mapping[str, JSON]], *, where: str = "entities") -> World:
    """A world from the flat JSON objects of its entities.

    Raises:
        TaskError: an entity without id or type, or two with one id.
    """
    try:
        return World(entity_from_json(record, where=f"{where}.{number}") for number, record in enumerate(records))
    except WorldError as error:
        raise TaskError(str(error), field=where) from error


def tool_from_json(part: str | ToolPart, number: int, domain: str) -> ToolSpec:
    """A tool from its name or declaration.

    Raises:
        TaskError: no tool is registered under the name, or the declaration contradicts itself.
    """
    where = f"tools.{number}"
    if isinstance(part, str):
        if part not in TOOLS:
            raise TaskError(f"there is no tool {part!r}", field=where)
        return TOOLS[part]
    preconditions = tuple(
        EntityPrecondition(p.slot, p.entity_type, p.required, p.many, p.changes, p.description)
        for p in part.preconditions
    )
    parameters = (
        None
        if part.parameters is None
        else tuple(ToolParameter(p.name, p.type, p.description) for p in part.parameters)
    )
    try:
        return foreign_tool(
            part.name,
            part.description,
            preconditions,
            domain=part.domain or domain,
            parameters=parameters,
            action_type=part.action_type,
            risk=part.risk,
        )
    except ConfigurationError as error:
        raise TaskError(str(error), field=where) from error


def tool_to_json(spec: ToolSpec) -> JSON:
    """A registered tool as its name, another as its declaration."""
    if TOOLS.get(spec.name) == spec:
        return spec.name
    part = ToolPart(
        name=spec.name,
        description=spec.description,
        domain=spec.domain,
        action_type=spec.action_type,
        risk=spec.risk,
        preconditions=[
            PreconditionPart(
                slot=p.slot,
                entity_type=p.entity_type,
                required=p.required,
                many=p.many,
                changes=p.changes,
                description=p.description,
            )
            for p in spec.preconditions
        ],
        parameters=[ParameterPart(name=p.name, type=p.type, description=p.description) for p in spec.parameters],
    )
    return cast("JSONObject", part.model_dump(mode="json"))


def _binding(value: FileBinding) -> Binding | None:
    return tuple(value) if isinstance(value, list) else value


def task_from_line(line: TaskLine, worlds: Mapping[str, World]) -> Task:
    """The task of a line.

    Raises:
        TaskError: the first contradiction found, naming the field.
    """
    user = User(
        line.user or {},
        Permissions(frozenset(line.permissions.hidden), frozenset(line.permissions.read_only))
        if line.permissions
        else Permissions(),
    )
    return Task(
        task_id=line.task_id,
        instruction=line.instruction,
        world=_world_of(line, worlds),
        tools=tuple(tool_from_json(part, number, line.domain) for number, part in enumerate(line.tools)),
        tool=line.tool,
        bindings={slot: _binding(bound) for slot, bound in line.bindings.items()},
        label=line.label,
        condition=line.condition,
        domain=line.domain,
        now=line.now,
        user=user,
        history=tuple(line.history),
        intent={slot: tuple(bound) if isinstance(bound, list) else bound for slot, bound in line.intent.items()},
        risk=line.risk,
        base_condition=line.base_condition,
        difficulty=line.difficulty,
        visibility=line.visibility,
        family=line.family,
        mentions=tuple(Mention(m.span, m.slot, _binding(m.gold), m.form) for m in line.mentions),
        certificate=line.certificate,
        split=line.split,
        index=line.index,
        typed=line.typed,
    ).check()


def _world_of(line: TaskLine, worlds: Mapping[str, World]) -> World:
    if line.overlay is not None and line.world is None:
        raise TaskError("an overlay changes a world line, and the task names none", field="overlay")
    if line.entities is not None and line.world is None:
        return world_from_json(line.entities)
    if line.world is None or line.entities is not None:
        raise TaskError("a task has either its own entities or the name of a world line above it", field="entities")
    if line.world not in worlds:
        raise TaskError(f"no world line above is called {line.world!r}", field="world")
    world = worlds[line.world]
    if line.overlay is None:
        return world
    unknown = [entity_id for entity_id in line.overlay.remove if entity_id not in world]
    if unknown:
        raise TaskError(f"no entity of {line.world!r} has the id {unknown[0]!r}", field="overlay.remove")
    return _derived(world, line.overlay)


def _derived(world: World, overlay: OverlayPart) -> World:
    put = [entity_from_json(record, where=f"overlay.put.{number}") for number, record in enumerate(overlay.put)]
    both = [entity.id for entity in put if entity.id in overlay.remove]
    if both:
        raise TaskError(f"{both[0]!r} is put and removed at once", field="overlay")
    try:
        return world.derive(put, overlay.remove)
    except WorldError as error:
        raise TaskError(str(error), field="overlay.put") from error


def task_to_json(task: Task, *, world: str | None = None) -> dict[str, JSON]:
    """The line of a task, without what is at its default.

    Args:
        task: the task.
        world: name of the world line that holds the root of the task's world; None writes the entities out.
    """
    put, removed = task.world.overlay()
    permissions = task.user.permissions
    content: dict[str, JSON] = {
        "line": "task",
        "task_id": task.task_id,
        "instruction": task.instruction,
        "now": task.now,
        "user": dict(task.user.fields) or None,
        "permissions": {"hidden": sorted(permissions.hidden), "read_only": sorted(permissions.read_only)}
        if permissions != Permissions()
        else None,
        "history": [dict(turn) for turn in task.history] or None,
        "domain": task.domain,
        "tools": [tool_to_json(spec) for spec in task.tools],
        "world": world,
        "entities": None if world else [entity.to_json() for entity in task.world.entities()],
        "overlay": {"put": [entity.to_json() for entity in put], "remove": list(removed)}
        if world and (put or removed)
        else None,
        "typed": None if task.typed else False,
        "tool": task.tool,
        "bindings": {slot: plain_binding(b) for slot, b in task.bindings.items()},
        "intent": {slot: plain_binding(b) for slot, b in task.intent.items()} or None,
        "label": task.label.value,
        "condition": task.condition.value,
        "base_condition": task.base_condition.value if task.base_condition else None,
        "risk": task.risk.value if task.risk else None,
        "difficulty": task.difficulty,
        "visibility": None if task.visibility == "full" else task.visibility,
        "family": task.family,
        "mentions": [_mention_to_json(mention) for mention in task.mentions] or None,
        "certificate": task.certificate,
        "split": task.split,
        "index": task.index,
    }
    return {name: value for name, value in content.items() if value is not None}


def check_line(task: Task, *, world: str | None = None) -> None:
    """Check that a task can be read back from its line (see :func:`task_to_json`).

    Raises:
        TaskError: it cannot, naming the field.
    """
    try:
        TaskLine.model_validate(task_to_json(task, world=world))
    except ValidationError as error:
        path, message = first_fault(error)
        raise TaskError(message, field=path) from error
    except RecursionError as error:
        raise TaskError("the records are nested too deeply", field="entities") from error


def _mention_to_json(mention: Mention) -> dict[str, JSON]:
    content: dict[str, JSON] = {
        "span": list(mention.span),
        "slot": mention.slot,
        "gold": plain_binding(mention.gold),
        "form": mention.form,
    }
    return {name: value for name, value in content.items() if value is not None}
