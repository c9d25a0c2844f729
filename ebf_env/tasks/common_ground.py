"""What user and agent can both see: the records a mention may be about, and what they say, as of the newest notice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON
from ebf_env.tasks.proof import surface
from ebf_env.tasks.task import Mention, Task
from ebf_env.tasks.wording import IDENTIFIERS, LABEL_NAMES, field_words
from ebf_env.world import ENTITY_TYPES, Entity
from ebf_env.world.references import Equals, Form, Named, NamesUser, Reading, Related, Situation, form_from_json, read
from ebf_env.world.search import words

SHORT: Final = 6
"""Most words of a value that people tell records apart by."""

LAST_RESORT: Final = 10.0
"""The effort of what people say only where nothing else singles a record out."""

_UNSAID: Final = frozenset({"revision"})
_TRACES: Final = frozenset({"updated_at", "updated_by", "created_at", "timezone"})
_SMALL_WORDS: Final = frozenset(
    words(
        """a an and any are as at by do for from have i in is it its me my of on one ones or our please that the their
        them there these this those to us we with you your"""
    )
)

Facts = Mapping[str, tuple[JSON, ...]]
"""Path to the values of a record there."""


def plain(value: JSON) -> str:
    """A value as it is compared: without case, whatever its spelling as JSON."""
    return str(value).strip().casefold()


def effort(path: str) -> float:
    """How much it takes to tell records apart by a field: names least, then what they are, traces, identifiers."""
    parts = path.split(".")
    if parts[-1] in IDENTIFIERS:
        return LAST_RESORT
    if parts[0] in _TRACES:
        return 3.0
    if len(parts) > 1:
        return 1.5
    return 0.5 if path in LABEL_NAMES else 1.0


class CommonGround:
    """The records of a task as far as the acting user may see them.

    Args:
        task: the task; nothing of its label, gold or intent is used.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._rights = task.user.permissions
        self._seen: dict[str, Entity | None] = {}
        self._facts: dict[str, Facts] = {}
        self._readings: dict[str, tuple[Reading, ...]] = {}
        self._surface: dict[str, frozenset[str]] = {}
        self._denoted: dict[str, frozenset[str]] = {}

    # --- records ---

    def entity(self, entity_id: str) -> Entity | None:
        """A record as the user sees it, with what visible notices say has changed; None where there is none."""
        if entity_id not in self._seen:
            self._seen[entity_id] = self._look(entity_id)
        return self._seen[entity_id]

    def _look(self, entity_id: str) -> Entity | None:
        found = self._task.world.get(entity_id)
        if found is None or not self._rights.may_see(entity_id):
            return None
        shown = self._rights.redacted(found)
        changes = {}
        for notice in sorted(self._notices(entity_id), key=lambda notice: str(notice.get("effective_at"))):
            name = notice.get("field")
            if isinstance(name, str) and name in shown.fields:
                changes[name] = notice.get("value")
        return Entity(shown.id, shown.type, {**shown.fields, **changes}) if changes else shown

    def _notices(self, entity_id: str) -> Iterator[Entity]:
        if not self._task.world.ids_of_type("change_notice"):
            return
        for relation in self._task.world.referrers(entity_id):
            source = self._task.world.get(relation.source)
            if source is not None and source.type == "change_notice" and self._rights.may_see(source.id):
                yield source

    def label_path(self, entity_id: str) -> str | None:
        """The field that holds what a record is called."""
        entity = self.entity(entity_id)
        if entity is None:
            return None
        return next((name for name, value in entity.fields.items() if value == entity.label), None)

    def facts(self, entity_id: str) -> Facts:
        """What people can tell a record by: path to values; a linked record stands as its label."""
        if entity_id not in self._facts:
            entity = self.entity(entity_id)
            self._facts[entity_id] = {} if entity is None else self._facts_of(entity)
        return self._facts[entity_id]

    def _facts_of(self, entity: Entity) -> Facts:
        schema = ENTITY_TYPES.get(entity.type)
        details = schema.detail_fields if schema is not None else frozenset()
        found: dict[str, list[JSON]] = {}
        for name, value in entity.fields.items():
            if name in details or name in _UNSAID:
                continue
            for path, leaf in _leaves(value, name):
                said = self._said_as(path, leaf, entity)
                if said is not None:
                    found.setdefault(said[0], []).append(said[1])
        return {path: tuple(values) for path, values in found.items()}

    def _said_as(self, path: str, leaf: JSON, entity: Entity) -> tuple[str, JSON] | None:
        if not isinstance(leaf, str):
            return path, leaf
        other = self.entity(leaf) if leaf != entity.id and leaf in self._task.world else None
        if other is not None:
            label_path = self.label_path(other.id)
            return None if label_path is None else (f"{path}.{label_path}", other.label)
        if not leaf.strip() or leaf in self._rights.hidden:
            return None
        return (path, leaf) if leaf == entity.label or len(leaf.split()) <= SHORT else None

    def path_of(self, asked: str, ids: Iterable[str]) -> str | None:
        """The field of some of the records that a name of an attribute stands for; None where none has it."""
        name = asked.strip()
        wanted = name.casefold().replace("_", " ")
        alike: str | None = None
        for entity_id in ids:
            facts = self.facts(entity_id)
            if name in facts:
                return name
            if alike is None:
                alike = next((p for p in facts if field_words(p) == wanted or p.split(".")[0] == name), None)
            if alike is None and wanted in LABEL_NAMES:
                alike = self.label_path(entity_id)
        return alike

    def has(self, entity_id: str, path: str) -> bool:
        """Whether a record that the user may see has anything in a field, one that people seldom speak of too."""
        entity = self.entity(entity_id)
        return entity is not None and any(True for _ in self._at(entity, path))

    def holds(self, entity_id: str, path: str, value: JSON) -> bool:
        """Whether a record that the user may see has a value in a field, or all values of a list."""
        entity = self.entity(entity_id)
        if entity is None:
            return False
        wanted = list(value) if isinstance(value, list | tuple) else [value]
        if value is None:
            return not self.facts(entity_id).get(path)
        held = {plain(item) for item in self._at(entity, path)}
        return bool(wanted) and all(plain(item) in held for item in wanted)

    def _at(self, entity: Entity, path: str) -> Iterator[JSON]:
        if path in ("id", "entity_id"):
            yield entity.id
        elif path == "type":
            yield entity.type
        yield from self.facts(entity.id).get(path, ())
        yield from self._walk(entity.fields, path.split("."))
        if path in LABEL_NAMES and path not in entity.fields:
            yield entity.label

    def _walk(self, value: JSON, path: list[str]) -> Iterator[JSON]:
        if isinstance(value, list | tuple):
            for item in value:
                yield from self._walk(item, path)
        elif isinstance(value, Mapping):
            if path:
                yield from self._walk(value.get(path[0]), path[1:])
        elif isinstance(value, str) and (linked := self.entity(value)) is not None:
            if path:
                yield from self._walk(linked.fields, path)
            else:
                yield from (value, linked.label)
        elif value is not None and not path:
            yield value

    def fits(self, entity_id: str, said: Mapping[str, JSON]) -> bool:
        """Whether a record fits what was said: for every field, it has the value, or one of those of a list."""
        for path, value in said.items():
            if value is None:
                if self.facts(entity_id).get(path):
                    return False
                continue
            allowed = value if isinstance(value, list | tuple) else [value]
            if not any(self.holds(entity_id, path, one) for one in allowed):
                return False
        return True

    # --- mentions ---

    def readings(self, slot: str) -> tuple[Reading, ...]:
        """The logical forms of a slot's mentions, read."""
        if slot not in self._readings:
            task = self._task
            situation = Situation(task.world, task.now, task.user.id)
            found = []
            for mention in self._mentions(slot):
                if mention.form is not None:
                    try:
                        found.append(read(form_from_json(mention.form), situation))
                    except WorldError:
                        continue  # an unreadable form is the proof's to report
            self._readings[slot] = tuple(found)
        return self._readings[slot]

    def surface(self, slot: str) -> frozenset[str]:
        """What a string matcher would find for a slot's mentions, of the records the user may see."""
        if slot not in self._surface:
            readings = self.readings(slot)
            if readings:
                ids: Collection[str] = frozenset().union(*map(surface, readings))
            else:
                ids = self._called_as_said(slot)
            self._surface[slot] = frozenset(filter(self._rights.may_see, ids))
        return self._surface[slot]

    def denoted(self, slot: str) -> frozenset[str]:
        """D: what a slot's mentions denote, of the records the user may see and use; without forms, the surface."""
        if slot not in self._denoted:
            readings = self.readings(slot)
            if not readings:
                found = self.surface(slot)
            else:
                found = frozenset(i for r in readings for i in r.denoted if self._rights.may_see(i))
            precondition = self._task.spec.precondition(slot)
            if precondition is not None and precondition.changes:
                found = frozenset(filter(self._rights.may_change, found))
            self._denoted[slot] = found
        return self._denoted[slot]

    def stated(self, slot: str) -> frozenset[str]:
        """The fields whose values the instruction has said already, by the forms of a slot's mentions."""
        return frozenset(path for reading in self.readings(slot) for path in self._stated_in(reading.form))

    def _stated_in(self, form: Form) -> Iterator[str]:
        for test in form.tests:
            match test:
                case Equals(path):
                    yield path
                case NamesUser(path):
                    yield path
                case Related(path, inner) if any(isinstance(t, Named | Equals) for t in inner.tests):
                    yield path

    def spoken(self, slot: str) -> tuple[str, ...]:
        """The words of the instruction that a slot is mentioned by; of the whole instruction, where that is unknown."""
        spans = [self._task.instruction[slice(*mention.span)] for mention in self._mentions(slot)]
        return tuple(w for text in spans or [self._task.instruction] for w in words(text) if w not in _SMALL_WORDS)

    def _mentions(self, slot: str) -> list[Mention]:
        return [mention for mention in self._task.mentions if mention.slot == slot]

    def _called_as_said(self, slot: str) -> frozenset[str]:
        precondition = self._task.spec.precondition(slot)
        if precondition is None:
            return frozenset()
        said = set(self.spoken(slot))
        shared = {
            entity.id: len(said.intersection(words(entity.label)))
            for entity in self._task.world.entities()
            if precondition.accepts(entity.type) and self._rights.may_see(entity.id)
        }
        most = max(shared.values(), default=0)
        return frozenset(i for i, count in shared.items() if count == most) if most else frozenset()

    def content_words(self, text: str) -> list[str]:
        """The words of a text that mean something by themselves."""
        return [word for word in words(text) if word not in _SMALL_WORDS]


def _leaves(value: JSON, path: str) -> Iterator[tuple[str, JSON]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield from _leaves(item, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item, path)
    elif value is not None:
        yield path, value
