"""Tasks in the paper's own published format, and other people's tasks written in it.

One JSON object a line: ``task_id, domain, instruction, gold_tool, gold_bindings, ambiguity, risk, entities, tools``;
optionally ``now``,
``user`` and ``history``. Entities may have any fields of any shape and be of any type; a slot whose gold is
``NEEDS_CLARIFICATION`` has no entity that could be told from the instruction and the state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from ebf_env.errors import ConfigurationError, SuiteError, TaskError
from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks.labels import Condition, Label
from ebf_env.tasks.lines import check_line, loads, world_from_json
from ebf_env.tasks.task import MAX_FULL_ENTITIES, Task, User
from ebf_env.world import TOOLS, EntityPrecondition, Permissions, RiskLevel, ToolSpec
from ebf_env.world.binding import Binding
from ebf_env.world.entity import ANY_TYPE
from ebf_env.world.tools.foreign import foreign_tool

NEEDS_CLARIFICATION = "NEEDS_CLARIFICATION"

_KEYS = {
    "task_id",
    "domain",
    "instruction",
    "gold_tool",
    "gold_bindings",
    "ambiguity",
    "risk",
    "entities",
    "tools",
    "now",
    "user",
    "history",
}
_FIELD_NAMES = {"tool": "gold_tool", "bindings": "gold_bindings", "condition": "ambiguity", "label": "gold_bindings"}


@dataclass(frozen=True, slots=True)
class ImportedTasks:
    """What was read.

    Attributes:
        tasks: the tasks, in the order of the file.
        unknown_keys: top-level keys that mean nothing to this project and were left out.
    """

    tasks: tuple[Task, ...]
    unknown_keys: tuple[str, ...]


def import_paper_tasks(path: str | Path) -> ImportedTasks:
    """Read a task file in the paper's format.

    Raises:
        SuiteError: the file cannot be used; the message names line and field.
    """
    path = Path(path)
    rows = list(_rows(path))
    extra_slots = _slots_only_gold_names(row for _, row in rows)
    tasks: list[Task] = []
    seen: dict[str, int] = {}
    for number, row in rows:
        try:
            task = _task(row, extra_slots)
            check_line(task)
        except TaskError as error:
            head, dot, rest = error.field.partition(".")
            raise SuiteError(path, str(error), line=number, field=_FIELD_NAMES.get(head, head) + dot + rest) from error
        if task.task_id in seen:
            message = f"the task id {task.task_id!r} was used before, in line {seen[task.task_id]}"
            raise SuiteError(path, message, line=number, field="task_id")
        seen[task.task_id] = number
        tasks.append(task)
    return ImportedTasks(tuple(tasks), tuple(sorted({key for _, row in rows for key in row} - _KEYS)))


def _rows(path: Path) -> Iterator[tuple[int, JSONObject]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise SuiteError(path, "there is no such file") from error
    except UnicodeDecodeError as error:
        raise SuiteError(path, "not UTF-8 text") from error
    except OSError as error:
        raise SuiteError(path, f"the file cannot be read ({error.strerror})") from error
    count = 0
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = loads(line)
        except (ValueError, RecursionError) as error:
            raise SuiteError(path, f"not valid JSON ({error})", line=number) from error
        if not isinstance(row, dict):
            raise SuiteError(path, "expected a JSON object", line=number)
        if row.get("line") == "header":
            raise SuiteError(path, "this is a suite of this project already; it needs no import", line=number)
        count += 1
        yield number, row
    if not count:
        raise SuiteError(path, "the file holds no task")


Expected = TypeVar("Expected")


def _get(row: JSONObject, key: str, kind: type[Expected], what: str) -> Expected:
    value = row.get(key)
    if not isinstance(value, kind):
        raise TaskError("is missing" if key not in row else f"expected {what}, got {value!r}", field=key)
    return value


def _task(row: JSONObject, extra_slots: Mapping[str, Mapping[str, tuple[str, bool]]]) -> Task:
    tools = tuple(
        _tool(part, number, str(row.get("domain", "")), extra_slots)
        for number, part in enumerate(_get(row, "tools", list, "a list of tools"))
    )
    gold_tool = _get(row, "gold_tool", str, "a tool's name")
    gold = _get(row, "gold_bindings", dict, "an object from slot to entity id")
    spec = next((tool for tool in tools if tool.name == gold_tool), None)
    bindings = {
        slot: _gold(slot, value, bool(spec and (p := spec.precondition(slot)) and p.many))
        for slot, value in gold.items()
    }
    condition = _enum(Condition, row, "ambiguity")
    unresolved = any(bound is None for bound in bindings.values())
    if condition in (Condition.NO_REFERENT, Condition.NOT_PERMITTED) and unresolved:
        label = Label.UNACTIONABLE
    else:
        label = Label.AMBIGUOUS if unresolved else Label.RESOLVABLE
    world = world_from_json(_records(row))
    return Task(
        task_id=_get(row, "task_id", str, "text"),
        instruction=_get(row, "instruction", str, "text"),
        world=world,
        tools=tools,
        tool=gold_tool,
        bindings=bindings,
        label=label,
        condition=condition,
        domain=_get(row, "domain", str, "text"),
        now=None if row.get("now") is None else _get(row, "now", str, "a time as text"),
        user=_user(row.get("user")),
        history=tuple(_turn(turn, number) for number, turn in enumerate(_get(row, "history", list, "a list of turns")))
        if row.get("history") is not None
        else (),
        risk=None if row.get("risk") is None else _enum(RiskLevel, row, "risk"),
        visibility="full" if len(world) <= MAX_FULL_ENTITIES else "search",
        typed=False,
    ).check()


Choice = TypeVar("Choice", Condition, RiskLevel)


def _enum(kind: type[Choice], row: JSONObject, key: str) -> Choice:
    value = _get(row, key, str, "text")
    try:
        return kind(value)
    except ValueError as error:
        raise TaskError(f"{value!r} is not one of {', '.join(member.value for member in kind)}", field=key) from error


def _records(row: JSONObject) -> Iterator[Mapping[str, JSON]]:
    for number, record in enumerate(_get(row, "entities", list, "a list of entities")):
        if not isinstance(record, dict):
            raise TaskError(f"expected an object, got {record!r}", field=f"entities.{number}")
        entity_id = record.get("id")
        yield {**record, "id": str(entity_id)} if _is_whole(entity_id) else record


def _is_whole(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _gold(slot: str, value: JSON, many: bool) -> Binding | None:
    items = value if isinstance(value, list) else [value]
    ids = [str(item) if _is_whole(item) else item for item in items]
    if not ids or any(item is None or item == NEEDS_CLARIFICATION for item in ids):
        return None
    if not all(isinstance(item, str) for item in ids):
        raise TaskError(
            f"expected an entity id, a list of ids or {NEEDS_CLARIFICATION!r}, got {value!r}", field=f"bindings.{slot}"
        )
    names = tuple(cast("list[str]", ids))
    return names if many or len(names) > 1 else names[0]


def _user(value: JSON) -> User:
    if value is None:
        return User()
    if isinstance(value, str):
        return User({"name": value})
    if not isinstance(value, Mapping):
        raise TaskError(f"expected a name or an object, got {value!r}", field="user")
    rights = value.get("permissions")
    if isinstance(rights, Mapping) and rights.keys() <= {"hidden", "read_only"}:
        for name, ids in rights.items():
            if not isinstance(ids, list):
                raise TaskError(f"expected a list of ids, got {ids!r}", field=f"user.permissions.{name}")
        lists = {name: frozenset(map(str, ids)) for name, ids in rights.items() if isinstance(ids, list)}
        fields = {name: item for name, item in value.items() if name != "permissions"}
        return User(fields, Permissions(lists.get("hidden", frozenset()), lists.get("read_only", frozenset())))
    return User(value)


def _turn(turn: JSON, number: int) -> JSONObject:
    if isinstance(turn, str):
        return {"role": "user", "content": turn}
    if not isinstance(turn, Mapping):
        raise TaskError(f"expected text or an object, got {turn!r}", field=f"history.{number}")
    return turn


# --- tools ---


def _slots_only_gold_names(rows: Iterable[JSONObject]) -> dict[str, dict[str, tuple[str, bool]]]:
    """Slots that gold bindings use but a tool does not declare, per tool: slot to (entity type, many).

    The format lists what a tool *requires*, so an optional slot shows up only where a task binds it. Such a slot is
    added to the tool in every task of the file alike: were it only there where it is needed, its presence would tell.
    """
    found: dict[str, dict[str, tuple[str, bool]]] = {}
    for row in rows:
        tool, gold, records = row.get("gold_tool"), row.get("gold_bindings"), row.get("entities")
        if not (isinstance(tool, str) and isinstance(gold, Mapping) and isinstance(records, list)):
            continue
        kinds = {str(r.get("id")): str(r.get("type")) for r in records if isinstance(r, Mapping)}
        for slot, value in gold.items():
            ids = value if isinstance(value, list) else [value]
            registered = TOOLS[tool].precondition(slot) if tool in TOOLS else None
            kind = (
                registered.entity_type
                if registered
                else next((kinds[str(i)] for i in ids if str(i) in kinds), ANY_TYPE)
            )
            many = isinstance(value, list) or bool(registered and registered.many)
            before = found.setdefault(tool, {}).get(slot)
            if before is not None:
                kind, many = (
                    before[0] if kind in (before[0], ANY_TYPE) else kind if before[0] == ANY_TYPE else ANY_TYPE,
                    many or before[1],
                )
            found[tool][slot] = (kind, many)
    return found


def _tool(part: JSON, number: int, domain: str, extra_slots: Mapping[str, Mapping[str, tuple[str, bool]]]) -> ToolSpec:
    where = f"tools.{number}"
    if isinstance(part, str):
        if part not in TOOLS:
            raise TaskError(f"there is no tool {part!r}, and nothing says what it requires", field=where)
        return TOOLS[part]
    if not isinstance(part, Mapping) or not isinstance(name := part.get("name"), str) or not name:
        raise TaskError("expected a tool with a name", field=where)
    requires = part.get("requires")
    if not isinstance(requires, list | None):
        raise TaskError(f"expected a list such as ['recipient:person'], got {requires!r}", field=f"{where}.requires")
    extra = extra_slots.get(name, {})
    declared = [_precondition(name, item, f"{where}.requires.{n}", extra) for n, item in enumerate(requires or [])]
    slots = {p.slot for p in declared}
    added = [
        EntityPrecondition(slot, kind, required=False, many=many, changes=_changes(name, slot))
        for slot, (kind, many) in extra.items()
        if slot not in slots
    ]
    description = part.get("description")
    try:
        return foreign_tool(
            name, description if isinstance(description, str) else "", (*declared, *added), domain=domain
        )
    except ConfigurationError as error:
        raise TaskError(str(error), field=where) from error


def _precondition(tool: str, item: JSON, where: str, extra: Mapping[str, tuple[str, bool]]) -> EntityPrecondition:
    if isinstance(item, Mapping):
        slot, kind = item.get("slot"), item.get("type", item.get("entity_type", ANY_TYPE))
        required, many = item.get("required", True) is not False, item.get("many") is True
    elif isinstance(item, str):
        slot, _, rest = item.partition(":")
        kind, *flags = [word.strip() for word in rest.split(":")]
        kind, required, many = kind or ANY_TYPE, "optional" not in flags, "many" in flags
    else:
        slot, kind, required, many = None, None, True, False
    if not isinstance(slot, str) or not slot.strip() or not isinstance(kind, str):
        raise TaskError(f"expected 'slot:type' such as 'recipient:person', got {item!r}", field=where)
    slot = slot.strip()
    many = many or (slot in extra and extra[slot][1])
    return EntityPrecondition(slot, kind, required=required, many=many, changes=_changes(tool, slot))


def _changes(tool: str, slot: str) -> bool:
    registered = TOOLS[tool].precondition(slot) if tool in TOOLS else None
    return bool(registered and registered.changes)
