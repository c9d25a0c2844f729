"""Entities: one record of the enterprise, and the typed schema of each kind of record.

An :class:`Entity` is what flows through the system: an id, a type and JSON-native fields. That form renders, digests
and compares without conversion, and holds records of any shape (imported suites bring their own). The *typed* form of a
kind of record is an :class:`EntityModel` subclass, a frozen pydantic model declared once with :func:`entity_type`;
everything else (references, the field that names a record, what a search result leaves out) is read off that class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import Annotated, ClassVar, TypeVar, cast, get_args, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, JSONObject, quick_ascii_json


class _Rendered:
    """Room for the text of a record, apart from what it consists of (so neither compared, copied nor pickled)."""

    __slots__ = ("_text",)
    _text: str


@dataclass(frozen=True, slots=True)
class Entity(_Rendered):
    """One record: a person, a thread, a document, ...

    Attributes:
        id: opaque identifier, unique in its world.
        type: name of the entity type, e.g. ``"person"``.
        fields: everything else, as JSON values. Treat it as immutable: writes go through ``WorldState``.
    """

    id: str
    type: str
    fields: JSONObject

    def get(self, field: str) -> JSON:
        """The value of a field, or None where the record has no such field."""
        return self.fields.get(field)

    def to_json(self) -> dict[str, JSON]:
        """The record as one flat JSON object, ``id`` and ``type`` first."""
        return {"id": self.id, "type": self.type, **self.fields}

    @property
    def text(self) -> str:
        """``to_json`` as ASCII JSON, made once: worlds of a family share records, and episodes show them again."""
        try:
            return self._text
        except AttributeError:
            text = quick_ascii_json({"id": self.id, "type": self.type, **self.fields})
            object.__setattr__(self, "_text", text)
            return text

    @property
    def label(self) -> str:
        """What a person would call the record: its name, title or subject; its id where it has none."""
        schema = ENTITY_TYPES.get(self.type)
        names = (schema.label_field, *_LABEL_FIELDS) if schema else _LABEL_FIELDS
        for name in names:
            value = self.fields.get(name)
            if isinstance(value, str) and value.strip():
                return value
        return self.id


_LABEL_FIELDS = ("name", "title", "subject")


ANY_TYPE = "any"
"""What a slot or reference is declared to take where it takes records of every type."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Marks a field as the id of another record: ``Annotated[str, Reference("person")]``."""

    target: str


@dataclass(frozen=True, slots=True)
class Detail:
    """Marks a field that a search result leaves out and a read of the record shows."""


def _timestamp(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"expected an ISO 8601 time such as '2026-03-02T09:30:00+01:00', got {value!r}") from error
    if moment.tzinfo is None:
        raise ValueError(f"expected a time with a UTC offset, got {value!r}")
    return value


def _calendar_date(value: str) -> str:
    try:
        if date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise ValueError(f"expected a date such as '2026-03-02', got {value!r}")


Timestamp = Annotated[str, AfterValidator(_timestamp)]
"""An instant: ISO 8601 with a UTC offset, kept as text."""

CalendarDate = Annotated[str, AfterValidator(_calendar_date)]
"""A day: ISO 8601, kept as text."""

EntityId = Annotated[str, Field(min_length=1, pattern=r"^\S+$")]
Text = Annotated[str, Field(min_length=1)]


class RecordPart(BaseModel):
    """A structured part of a record, such as one message of a thread."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EntityModel(RecordPart):
    """Typed form of a record: a subclass declares the fields of one entity type and registers with ``entity_type``."""

    schema_of: ClassVar[EntitySchema]

    id: EntityId
    revision: Annotated[int | None, Field(ge=1)] = None
    """Raised by one with every write, as an etag is; absent on a record that nobody has written to."""

    def to_entity(self) -> Entity:
        """The record in the form the world stores; fields that are None are left out."""
        fields = self.model_dump(mode="json", exclude_none=True)
        return Entity(cast("str", fields.pop("id")), self.schema_of.name, fields)


@dataclass(frozen=True, slots=True)
class EntitySchema:
    """What the project knows about one entity type, all of it read off its model.

    Attributes:
        name: the type's name in tools, files and observations.
        domain: the system the records live in (``email``, ``calendar``, ``documents``, ``crm``, ``tickets``, ...).
        model: the pydantic class.
        label_field: the field that holds what people call the record.
        references: field path (nested fields joined with a dot) to the type of the record it names.
        detail_fields: top-level fields that search results leave out.
    """

    name: str
    domain: str
    model: type[EntityModel]
    label_field: str
    references: Mapping[str, str]
    detail_fields: frozenset[str]

    def validate(self, entity: Entity) -> EntityModel:
        """The typed form of a record.

        Raises:
            WorldError: the record does not fit its type; the message names the field.
        """
        try:
            return self.model.model_validate({"id": entity.id, **entity.fields})
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(part) for part in first["loc"])
            message = first["msg"].removeprefix("Value error, ")
            raise WorldError(f"{self.name} {entity.id!r}: {path}: {message}", field=path) from error

    def relations(self, entity: Entity) -> Iterator[tuple[str, str]]:
        """Every (field path, id of the record named there) of a record, in the order of its fields."""
        for path in self.references:
            for target in _values_at(entity.fields, path.split(".")):
                yield path, target


def _values_at(value: JSON, path: list[str]) -> Iterator[str]:
    if isinstance(value, Mapping):
        if path:
            yield from _values_at(value.get(path[0]), path[1:])
    elif isinstance(value, str):
        if not path:
            yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values_at(item, path)


_REGISTRY: dict[str, EntitySchema] = {}
ENTITY_TYPES: Mapping[str, EntitySchema] = MappingProxyType(_REGISTRY)
"""All registered entity types by name."""

Model = TypeVar("Model", bound=EntityModel)


def entity_type(name: str, *, domain: str, label: str) -> Callable[[type[Model]], type[Model]]:
    """Class decorator that makes an ``EntityModel`` an entity type: the one place a type is declared.

    Args:
        name: the type's name, e.g. ``"person"``.
        domain: the system its records live in.
        label: the field that holds what people call a record.

    Raises:
        WorldError: the name is taken, or the label field does not exist.
    """

    def register(model: type[Model]) -> type[Model]:
        if name in _REGISTRY:
            raise WorldError(f"entity type {name!r} is declared twice")
        if "type" in model.model_fields:
            raise WorldError(f"entity type {name!r} may have no field of its own called 'type'", field="type")
        if label not in model.model_fields:
            raise WorldError(f"entity type {name!r} has no field {label!r} to be called by", field=label)
        details = frozenset(
            field for field, info in model.model_fields.items() if any(isinstance(m, Detail) for m in info.metadata)
        )
        _REGISTRY[name] = EntitySchema(name, domain, model, label, dict(_reference_paths(model)), details)
        model.schema_of = _REGISTRY[name]
        return model

    return register


def _reference_paths(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, str]]:
    for field, info in model.model_fields.items():
        path = prefix + field
        direct = [meta.target for meta in info.metadata if isinstance(meta, Reference)]
        if direct:
            yield path, direct[0]
        else:
            yield from _annotation_references(info.annotation, path)


def _annotation_references(annotation: object, path: str) -> Iterator[tuple[str, str]]:
    if get_origin(annotation) is Annotated:
        for meta in get_args(annotation)[1:]:
            if isinstance(meta, Reference):
                yield path, meta.target
                return
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from _reference_paths(annotation, path + ".")
        return
    for argument in get_args(annotation):
        yield from _annotation_references(argument, path)
