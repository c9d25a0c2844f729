"""What a tool call does to the world, as data.

An effect is a small record (:class:`Update`, :class:`Create`, :class:`Append`, :class:`Delete`, :class:`View`,
:class:`Search`) whose values are templates filled in from the call: the entity bound to a slot, an argument, the time,
the acting user. Keeping effects as data lets contracts, documentation and checks read them.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, Union

from ebf_env.json_types import JSON, JSONObject
from ebf_env.world.binding import Binding, as_ids, plain_binding
from ebf_env.world.entity import ENTITY_TYPES, Entity
from ebf_env.world.permissions import Permissions
from ebf_env.world.store import Activity, ActivityKind, WorldState


class Absent:
    """The value of a template whose slot or argument was not given; the field is then left out."""


ABSENT = Absent()


@dataclass(frozen=True, slots=True)
class Slot:
    """The id bound to a slot (a list of ids where the slot takes many)."""

    name: str


@dataclass(frozen=True, slots=True)
class Argument:
    """The value of a non-entity argument, or the default where it was not given."""

    name: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Now:
    """The time of the task."""


@dataclass(frozen=True, slots=True)
class ActingUser:
    """The id of the user on whose behalf the agent acts."""


Template: TypeAlias = Union[
    Slot, Argument, Now, ActingUser, bool, int, float, str, "list[Template]", "Mapping[str, Template]", None
]


@dataclass(slots=True)
class Call:
    """One tool call while it is carried out.

    Attributes:
        tool: the tool's name.
        bindings: slot to entity id(s); checked before.
        arguments: non-entity arguments; only those the tool declares and understands.
        state: the world to act on.
        user_id: the acting user, where known.
        now: the time of the task, where known.
        permissions: what the user may see.
        typed: whether records must fit their registered types.
        content: what the tool answers; effects add to it.
    """

    tool: str
    bindings: Mapping[str, Binding]
    arguments: JSONObject
    state: WorldState
    user_id: str | None
    now: str | None
    permissions: Permissions
    typed: bool
    content: dict[str, JSON] = field(default_factory=dict)

    def ids(self, slot: str) -> tuple[str, ...]:
        """The ids bound to a slot; empty where it is not bound."""
        return as_ids(self.bindings.get(slot))

    def fill(self, template: Template) -> JSON | Absent:
        """A template's value for this call."""
        match template:
            case Slot(name):
                bound = self.bindings.get(name)
                return ABSENT if bound is None else plain_binding(bound)
            case Argument(name, default):
                return self.arguments.get(name, ABSENT if default is None else default)
            case Now():
                return ABSENT if self.now is None else self.now
            case ActingUser():
                return ABSENT if self.user_id is None else self.user_id
            case Mapping():
                return self.fill_fields(template)
            case list():
                values = [self.fill(item) for item in template]
                flat: list[JSON] = []
                for value in values:
                    items = value if isinstance(value, list) else [] if isinstance(value, Absent) else [value]
                    flat.extend(item for item in items if not (isinstance(item, str) and item in flat))
                return flat
            case _:
                return template

    def fill_fields(self, templates: Mapping[str, Template]) -> dict[str, JSON]:
        """The values of several fields, those that are absent left out."""
        filled = {name: self.fill(template) for name, template in templates.items()}
        return {name: value for name, value in filled.items() if not isinstance(value, Absent)}

    def log(self, kind: ActivityKind, entity_id: str, value: JSON = None) -> None:
        """Note in the activity log what was done to a record."""
        self.state.log(Activity(self.tool, kind, entity_id, value))

    def write(self, entity: Entity) -> None:
        """Write a record, its revision raised by one.

        Raises:
            WorldError: the world is typed and the record no longer fits its type.
        """
        revision = entity.fields.get("revision")
        fields = {**entity.fields, "revision": revision + 1 if isinstance(revision, int) else 1}
        raised = Entity(entity.id, entity.type, fields)
        if self.typed and (schema := ENTITY_TYPES.get(entity.type)) is not None:
            schema.validate(raised)
        self.state.put(raised)


class Effect(ABC):
    """One thing a tool does.

    Attributes:
        target: the slot whose record(s) it is done to; None where it is done to none.
    """

    @property
    @abstractmethod
    def target(self) -> str | None:
        """The slot whose record(s) it is done to."""

    @abstractmethod
    def apply(self, call: Call) -> None:
        """Carry the effect out on ``call.state``."""


class SlotEffect(Effect):
    """An effect on the record(s) bound to its ``slot``."""

    slot: str

    @property
    def target(self) -> str | None:
        """The slot whose record(s) it is done to."""
        return self.slot


@dataclass(frozen=True, slots=True)
class Update(SlotEffect):
    """Set fields of the record(s) bound to a slot."""

    slot: str
    fields: Mapping[str, Template]

    def apply(self, call: Call) -> None:
        """Set the fields; raises the record's revision even where no value changes."""
        for entity_id in call.ids(self.slot):
            entity, values = call.state[entity_id], call.fill_fields(self.fields)
            call.write(Entity(entity.id, entity.type, {**entity.fields, **values}))
            call.log("update", entity_id, values)


@dataclass(frozen=True, slots=True)
class Append(SlotEffect):
    """Add an item to a list field of the record(s) bound to a slot (all ids of a slot that takes many).

    With ``when``, only if that argument was given.
    """

    slot: str
    field: str
    item: Template
    when: str | None = None

    def apply(self, call: Call) -> None:
        """Add the item; an item that is absent adds nothing but still counts as a write."""
        if self.when is not None and self.when not in call.arguments:
            return
        value = call.fill(self.item)
        items = value if isinstance(value, list) else [] if isinstance(value, Absent) else [value]
        for entity_id in call.ids(self.slot):
            entity = call.state[entity_id]
            present = entity.get(self.field)
            before = list(present) if isinstance(present, list | tuple) else [] if present is None else [present]
            fresh = [item for item in items if not (isinstance(item, str) and item in before)]
            call.write(Entity(entity.id, entity.type, {**entity.fields, self.field: before + fresh}))
            call.log("append", entity_id, {self.field: items})


@dataclass(frozen=True, slots=True)
class Create(Effect):
    """Make a new record."""

    type: str
    fields: Mapping[str, Template]

    @property
    def target(self) -> str | None:
        """None: the record is new."""
        return None

    def apply(self, call: Call) -> None:
        """Make the record and answer with its id."""
        entity = Entity(call.state.new_id(self.type), self.type, call.fill_fields(self.fields))
        call.write(entity)
        call.log("create", entity.id)
        call.content["created"] = entity.id


@dataclass(frozen=True, slots=True)
class Delete(SlotEffect):
    """Remove the record(s) bound to a slot; what names them keeps naming them, as in real systems."""

    slot: str

    def apply(self, call: Call) -> None:
        """Remove the records."""
        for entity_id in call.ids(self.slot):
            call.state.delete(entity_id)
            call.log("delete", entity_id)


@dataclass(frozen=True, slots=True)
class View(SlotEffect):
    """Open the record(s) bound to a slot: logged, and shown whole in the answer."""

    slot: str

    def apply(self, call: Call) -> None:
        """Log the view and answer with the records."""
        shown = call.content.setdefault("records", [])
        for entity_id in call.ids(self.slot):
            call.log("view", entity_id, {"slot": self.slot})
            if isinstance(shown, list):
                shown.append(call.permissions.redacted(call.state[entity_id]).to_json())


@dataclass(frozen=True, slots=True)
class Touch(SlotEffect):
    """The effect of a tool this project knows nothing about: a new revision, and an entry in the activity log."""

    slot: str

    def apply(self, call: Call) -> None:
        """Mark the records."""
        for entity_id in call.ids(self.slot):
            call.write(call.state[entity_id])
            call.log("update", entity_id, {"slot": self.slot})


@dataclass(frozen=True, slots=True)
class Invoke(Effect):
    """The effect of a tool this project knows nothing about and that takes no record: an entry in the activity log."""

    @property
    def target(self) -> str | None:
        """None: nothing is done to a record."""
        return None

    def apply(self, call: Call) -> None:
        """Log the call."""
        call.log("update", "")


@dataclass(frozen=True, slots=True)
class Search(Effect):
    """Look records up by words; the answer holds summaries, best first, and how many there are in all.

    Without ``types``, records of every type.
    """

    types: tuple[str, ...] = ()
    limit: int = 10
    most: int = 50

    @property
    def target(self) -> str | None:
        """None: nothing is done to what is found."""
        return None

    def apply(self, call: Call) -> None:
        """Answer with ``results`` (at most ``limit``, from ``offset`` on) and ``total``."""
        query = call.arguments.get("query")
        call.log("search", "")
        limit = _whole(call.arguments.get("limit"), default=self.limit, least=1, most=self.most)
        offset = _whole(call.arguments.get("offset"), default=0, least=0, most=sys.maxsize)
        window = slice(offset, offset + limit)
        text = query if isinstance(query, str) else ""
        total, found = call.state.search(text, self.types, call.permissions, window)
        call.content["total"] = total
        call.content["results"] = [summary(entity) for entity in found]


def summary(entity: Entity) -> dict[str, JSON]:
    """What a search shows of a record: all but its detail fields (bodies, messages, notes)."""
    schema = ENTITY_TYPES.get(entity.type)
    hidden = schema.detail_fields if schema else frozenset()
    return {name: value for name, value in entity.to_json().items() if name not in hidden}


def _whole(value: JSON, *, default: int, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return default
    return max(least, min(most, int(value)))
