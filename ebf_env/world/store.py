"""The store: an immutable world, and a cheap mutable state of writes on top of it.

A :class:`World` never changes. Deriving another from it (a few records put, a few removed) costs only those records, so
thousands of tasks can share one large world. A :class:`WorldState` is what an episode writes to: an overlay of changed
records and a log of views, thrown away by ``reset`` in constant time.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar, cast

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, canonical_json
from ebf_env.world.entity import ANY_TYPE, ENTITY_TYPES, Entity, EntityModel
from ebf_env.world.permissions import Permissions
from ebf_env.world.search import NameIndex, SameWord, SearchIndex, is_called, words

Item = TypeVar("Item")
Model = TypeVar("Model", bound=EntityModel)


@dataclass(frozen=True, slots=True)
class Relation:
    """``source`` names ``target`` in its field ``path`` (e.g. a document its owner)."""

    source: str
    path: str
    target: str


class World:
    """An immutable set of records with lookups by id, by type, by relation and by name.

    Iteration is in the order given at construction (the order observations show).

    What takes a pass over all records is made once, by the root, when it is first asked for: groups by type, relations
    backwards, names, the index of a search, the digest, the check. Worlds derived from the root share it and pay for
    what they change; only their ``ids_of_type`` and ``of_type`` also copy the tuple of a type that has changes, and
    going through all records takes as long as there are records.
    """

    def __init__(
        self, entities: Iterable[Entity] = (), *, base: World | None = None, removed: Iterable[str] = ()
    ) -> None:
        own: dict[str, Entity] = {}
        for entity in entities:
            if entity.id in own:
                raise WorldError(f"two entities have the id {entity.id!r}", field="id")
            own[entity.id] = entity
        gone = frozenset(removed) - own.keys()
        if base is not None and base._base is not None:
            own = {i: e for i, e in base._own.items() if i not in gone} | own
            gone = (base._removed | gone) - own.keys()
            base = base._base
        if base is not None:
            gone = frozenset(i for i in gone if i in base._own)
        self._base: World | None = base
        self._own: Mapping[str, Entity] = own
        self._removed: frozenset[str] = gone
        self._checked = False
        self._ids_of: dict[str, tuple[str, ...]] = {}
        self._entities_of: dict[str, tuple[Entity, ...]] = {}

    @classmethod
    def from_models(cls, models: Iterable[EntityModel]) -> World:
        """A world of typed records, checked: every reference names a record of the right type.

        Raises:
            WorldError: duplicate id, or a reference to nothing or to a record of another type.
        """
        world = cls(model.to_entity() for model in models)
        world.check()
        return world

    def derive(self, put: Iterable[Entity] = (), remove: Iterable[str] = ()) -> World:
        """Another world with some records added or replaced and some removed; costs only what changes."""
        return World(put, base=self, removed=remove)

    def index(self) -> World:
        """Build now what is otherwise built when it is first asked for: the names and the relations of all records.

        Returns:
            The world itself.
        """
        for built in (self._names, self._referrers, self._places):
            del built
        return self

    @property
    def root(self) -> World:
        """The world this one was derived from; itself where it was not."""
        return self if self._base is None else self._base

    def overlay(self) -> tuple[tuple[Entity, ...], tuple[str, ...]]:
        """What tells this world from its root: records put, and ids removed (sorted)."""
        if self._base is None:
            return (), ()
        return tuple(self._own.values()), tuple(sorted(self._removed))

    def __len__(self) -> int:
        if self._base is None:
            return len(self._own)
        added = sum(1 for i in self._own if i not in self._base._own)
        return len(self._base._own) - len(self._removed) + added

    def __iter__(self) -> Iterator[str]:
        if self._base is None:
            yield from self._own
            return
        for entity_id in self._base._own:
            if entity_id not in self._removed:
                yield entity_id
        for entity_id in self._own:
            if entity_id not in self._base._own:
                yield entity_id

    def __contains__(self, entity_id: object) -> bool:
        return isinstance(entity_id, str) and self.get(entity_id) is not None

    def __getitem__(self, entity_id: str) -> Entity:
        entity = self.get(entity_id)
        if entity is None:
            raise KeyError(entity_id)
        return entity

    def __eq__(self, other: object) -> bool:
        return isinstance(other, World) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def get(self, entity_id: str) -> Entity | None:
        """The record with that id, or None."""
        own = self._own.get(entity_id)
        if own is not None or self._base is None or entity_id in self._removed:
            return own
        return self._base._own.get(entity_id)

    def entities(self) -> Iterator[Entity]:
        """All records, in order."""
        return iter(self._own.values()) if self._base is None else (self[entity_id] for entity_id in self)

    def typed(self, entity_id: str, model: type[Model]) -> Model:
        """A record in its typed form.

        Raises:
            KeyError: no record has that id.
            WorldError: the record is of another type or does not fit it.
        """
        entity = self[entity_id]
        if entity.type != model.schema_of.name:
            raise WorldError(f"{entity_id!r} is a {entity.type}, not a {model.schema_of.name}", field="type")
        return cast("Model", model.schema_of.validate(entity))

    @cached_property
    def _places(self) -> Mapping[str, int]:
        """Where the records of a root stand in its order."""
        return {entity_id: place for place, entity_id in enumerate(self._own)}

    @cached_property
    def _groups(self) -> Mapping[str, list[Entity]]:
        """The records of a root, or those put into a derived world, by type."""
        groups: dict[str, list[Entity]] = {}
        for entity in self._own.values():
            groups.setdefault(entity.type, []).append(entity)
        return groups

    @cached_property
    def _regrouped(self) -> frozenset[str]:
        """The types a derived world has changed records of."""
        before = self._base._own if self._base is not None else {}
        replaced = (before[entity_id].type for entity_id in (*self._own, *self._removed) if entity_id in before)
        return frozenset((*self._groups, *replaced))

    @property
    def types(self) -> tuple[str, ...]:
        """The types that have records here, sorted."""
        names = self._groups.keys() if self._base is None else self._base._groups.keys() | self._regrouped
        return tuple(sorted(name for name in names if self.ids_of_type(name)))

    def ids_of_type(self, name: str) -> tuple[str, ...]:
        """Ids of all records of a type, in order."""
        if name not in self._ids_of:
            self._ids_of[name] = self._grouped(name, World.ids_of_type, lambda entity: entity.id)
        return self._ids_of[name]

    def of_type(self, name: str) -> tuple[Entity, ...]:
        """All records of a type, in order."""
        if name not in self._entities_of:
            self._entities_of[name] = self._grouped(name, World.of_type, lambda entity: entity)
        return self._entities_of[name]

    def _grouped(
        self, name: str, of_base: Callable[[World, str], tuple[Item, ...]], item: Callable[[Entity], Item]
    ) -> tuple[Item, ...]:
        """An item for each record of a type, in order: those of the base, but for the records that changed."""
        base = self._base
        if base is None:
            return tuple(map(item, self._groups.get(name, ())))
        if name not in self._regrouped:
            return of_base(base, name)
        items, ids, places = list(of_base(base, name)), base.ids_of_type(name), base._places
        changed = ((places[entity_id], entity_id) for entity_id in (*self._own, *self._removed) if entity_id in places)
        for place, entity_id in sorted(changed, reverse=True):
            now, was = self._own.get(entity_id), base._own[entity_id].type == name
            at = bisect_left(ids, place, key=places.__getitem__)
            items[at : at + was] = [item(now)] if now is not None and now.type == name else []
        items.extend(item(entity) for entity in self._groups.get(name, ()) if entity.id not in places)
        return tuple(items)

    def relations(self, entity_id: str) -> tuple[Relation, ...]:
        """What a record names: its owner, attendees, account, ... (only types that are registered have relations)."""
        entity = self[entity_id]
        schema = ENTITY_TYPES.get(entity.type)
        if schema is None:
            return ()
        return tuple(Relation(entity_id, path, target) for path, target in schema.relations(entity))

    def referrers(self, entity_id: str) -> tuple[Relation, ...]:
        """What names a record: the documents a person owns, the threads that attach a document, ..."""
        own = self._referrers.get(entity_id, ())
        if self._base is None:
            return own
        kept = (
            r for r in self._base.referrers(entity_id) if r.source not in self._own and r.source not in self._removed
        )
        return tuple(sorted((*kept, *own), key=lambda relation: self._base_place(relation.source)))

    @cached_property
    def _referrers(self) -> Mapping[str, tuple[Relation, ...]]:
        """What names a record, among the records of a root, or among those put into a derived world."""
        incoming: dict[str, list[Relation]] = {}
        for entity_id in self._own:
            for relation in self.relations(entity_id):
                incoming.setdefault(relation.target, []).append(relation)
        return {target: tuple(relations) for target, relations in incoming.items()}

    def _base_place(self, entity_id: str) -> int:
        """Where a record stands in the order of the root; records it does not have come last."""
        places = self.root._places
        return places.get(entity_id, len(places))

    def named(self, type_name: str, asked: Iterable[str], same: SameWord | None = None) -> tuple[str, ...]:
        """Ids of the records of a type that are called by some words, in order.

        Args:
            type_name: the type.
            asked: the words; whatever case or diacritics they have, one name (label or alias) has to hold all of them.
            same: whether a word of a name counts as a word that is asked for, both folded; where None, if they are
                equal. It is tried on every word of the type's names, not on every record.
        """
        wanted = tuple(dict.fromkeys(word for text in asked for word in words(text)))
        root = self.root
        if not wanted:
            return tuple(entity.id for entity in self.of_type(type_name) if is_called(entity, ()))
        found = root._names.candidates(type_name, wanted, same)
        if self is not root:
            found = [entity for entity in found if entity.id not in self._own and entity.id not in self._removed]
            found = sorted((*found, *self._groups.get(type_name, ())), key=lambda entity: self._base_place(entity.id))
        return tuple(entity.id for entity in found if is_called(entity, wanted, same or str.__eq__))

    @cached_property
    def _names(self) -> NameIndex:
        return NameIndex(self._own.values())

    @cached_property
    def _search_index(self) -> SearchIndex:
        return SearchIndex(self._own)

    @cached_property
    def _sum(self) -> int:
        if self._base is None:
            return sum(map(_entity_hash, self._own.values())) % _MODULUS
        total = self._base._sum
        for entity_id in self._removed | (self._own.keys() & self._base._own.keys()):
            total -= _entity_hash(self._base._own[entity_id])
        return (total + sum(map(_entity_hash, self._own.values()))) % _MODULUS

    @property
    def digest(self) -> str:
        """Content digest, 64 hex digits, independent of order.

        The sum of the records' SHA-256 modulo 2**256 (an additive multiset hash), so that a derived world's digest
        costs only its changes. It tells worlds apart; it is no defence against somebody who builds collisions on
        purpose.
        """
        return f"{self._sum:064x}"

    def check(self) -> None:
        """Check every record against its type and every reference against the records there are.

        What was checked is not checked again, neither here nor in worlds derived from this one.

        Raises:
            WorldError: unknown type, a field that does not fit, a reference to nothing or to another type.
        """
        if self._checked:
            return
        if self._base is not None and self._base._checked:
            self._check_what_refers_to_changes(self._base)
            fresh: Iterable[Entity] = self._own.values()
        else:
            fresh = self.entities()
        for entity in fresh:
            schema = ENTITY_TYPES.get(entity.type)
            if schema is None:
                raise WorldError(f"{entity.id!r} has the unknown type {entity.type!r}", field="type")
            schema.validate(entity)
            for path, target in schema.relations(entity):
                self._check_reference(entity, path, target)
        self._checked = True

    def _check_what_refers_to_changes(self, base: World) -> None:
        retyped = {i for i, entity in self._own.items() if i in base._own and base._own[i].type != entity.type}
        for entity_id in sorted(self._removed | retyped):
            for relation in base.referrers(entity_id):
                if relation.source not in self._removed and relation.source not in self._own:
                    self._check_reference(base[relation.source], relation.path, entity_id)

    def _check_reference(self, entity: Entity, path: str, target: str) -> None:
        named, wanted = self.get(target), ENTITY_TYPES[entity.type].references[path]
        where = f"{entity.type} {entity.id!r}: {path}"
        if named is None:
            raise WorldError(f"{where}: no entity has the id {target!r}", field=path)
        if wanted not in (named.type, ANY_TYPE):
            raise WorldError(f"{where}: {target!r} is a {named.type}, not a {wanted}", field=path)


_MODULUS = 1 << 256


def _entity_hash(entity: Entity) -> int:
    return int.from_bytes(hashlib.sha256(canonical_json(entity.to_json()).encode("ascii")).digest(), "big")


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of one record, before and after (None: absent)."""

    entity_id: str
    field: str
    before: JSON
    after: JSON


def _changes(before: Entity, after: Entity) -> Iterator[FieldChange]:
    if before.type != after.type:
        yield FieldChange(before.id, "type", before.type, after.type)
    for name in {**before.fields, **after.fields}:
        old, new = before.get(name), after.get(name)
        if (name in before.fields) != (name in after.fields) or canonical_json(old) != canonical_json(new):
            yield FieldChange(before.id, name, old, new)


ActivityKind: TypeAlias = Literal["view", "search", "create", "update", "append", "delete"]


@dataclass(frozen=True, slots=True)
class Activity:
    """An entry of the activity log, which real systems keep beside their records.

    It is there for what a record alone does not show: that it was opened, that somebody who had access was given it
    once more, which tool made a change.

    Attributes:
        tool: the tool.
        kind: what it did.
        entity_id: the record it did it to; empty where it did it to none.
        value: what was written.
    """

    tool: str
    kind: ActivityKind
    entity_id: str
    value: JSON = None


@dataclass(frozen=True, slots=True)
class Difference:
    """What an episode did to its world."""

    created: tuple[Entity, ...] = ()
    changed: tuple[FieldChange, ...] = ()
    deleted: tuple[str, ...] = ()
    activity: tuple[Activity, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether anything was created, changed or deleted."""
        return bool(self.created or self.changed or self.deleted)

    @property
    def viewed(self) -> tuple[str, ...]:
        """Ids of the records opened, in order."""
        return tuple(entry.entity_id for entry in self.activity if entry.kind == "view")


@dataclass(slots=True)
class WorldState:
    """The writes of one episode on top of an immutable world.

    Attributes:
        world: what the episode started from; never touched.
    """

    world: World
    _written: dict[str, Entity | None] = field(default_factory=dict)
    _activity: list[Activity] = field(default_factory=list)
    _created: int = 0

    def reset(self) -> None:
        """Forget everything that was done (constant time: the overlay is dropped, not undone)."""
        self._written, self._activity, self._created = {}, [], 0

    def fork(self) -> WorldState:
        """A copy to try something on."""
        return WorldState(self.world, dict(self._written), list(self._activity), self._created)

    def adopt(self, fork: WorldState) -> None:
        """Take over what was done on a fork."""
        self._written, self._activity, self._created = fork._written, fork._activity, fork._created

    def get(self, entity_id: str) -> Entity | None:
        """The record as it is now, or None where there is none or it was deleted."""
        if entity_id in self._written:
            return self._written[entity_id]
        return self.world.get(entity_id)

    def __getitem__(self, entity_id: str) -> Entity:
        entity = self.get(entity_id)
        if entity is None:
            raise KeyError(entity_id)
        return entity

    def entities(self) -> Iterator[Entity]:
        """All records as they are now: the world's in its order, then those created."""
        for entity_id in self.world:
            entity = self.get(entity_id)
            if entity is not None:
                yield entity
        for entity_id, entity in self._written.items():
            if entity is not None and entity_id not in self.world:
                yield entity

    def search(
        self, query: str, types: Collection[str], permissions: Permissions, window: slice
    ) -> tuple[int, list[Entity]]:
        """What a search finds among the records as they are now, and as far as they may be seen.

        Args:
            query: the words to look for.
            types: the types to search; empty for all.
            permissions: the rights of who is searching.
            window: which part of the ranking to return.

        Returns:
            How many records are found, and those in the window, best first.
        """

        def seen(entity_id: str) -> Entity | None:
            return self.get(entity_id) if permissions.may_see(entity_id) else None

        def shown(entity_id: str) -> Entity | None:
            entity = seen(entity_id)
            return None if entity is None else permissions.redacted(entity)

        root, put, removed = self.world.root, *self.world.overlay()
        changed = (*(entity.id for entity in put), *removed, *self._written, *permissions.hidden)
        added = [entity.id for entity in put if entity.id not in root]
        added += [entity_id for entity_id in self._written if entity_id not in self.world]
        total, ids = root._search_index.search(query, types, shown, seen, changed, added, window)
        return total, [entity for entity in map(shown, ids) if entity is not None]

    def new_id(self, type_name: str) -> str:
        """An id that no record has or had, the same for the same sequence of writes."""
        while True:
            self._created += 1
            candidate = f"new_{type_name}_{self._created}"
            if candidate not in self.world and candidate not in self._written:
                return candidate

    def put(self, entity: Entity) -> None:
        """Write a record, new or changed."""
        self._written[entity.id] = entity

    def delete(self, entity_id: str) -> None:
        """Remove a record."""
        self._written[entity_id] = None

    def log(self, entry: Activity) -> None:
        """Add an entry to the activity log."""
        self._activity.append(entry)

    def difference(self) -> Difference:
        """What was created, changed, deleted and logged since the start, in the order it first happened."""
        created: list[Entity] = []
        changed: list[FieldChange] = []
        deleted: list[str] = []
        for entity_id, after in self._written.items():
            before = self.world.get(entity_id)
            if after is None:
                if before is not None:
                    deleted.append(entity_id)
            elif before is None:
                created.append(after)
            else:
                changed.extend(_changes(before, after))
        return Difference(tuple(created), tuple(changed), tuple(deleted), tuple(self._activity))

    def freeze(self) -> World:
        """The world as it is now, as an immutable world of its own."""
        put = [entity for entity in self._written.values() if entity is not None]
        return self.world.derive(put, (i for i, entity in self._written.items() if entity is None))
