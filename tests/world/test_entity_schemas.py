"""Each entity type: what it accepts, what it refuses and how it says so, and which of its fields name other records."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from typed_world import TARGETS, models, typed_world

from ebf_env.errors import WorldError
from ebf_env.json_types import JSON, canonical_json
from ebf_env.world import ENTITY_TYPES, Entity, EntityModel, EntitySchema, World, entity_type
from ebf_env.world.domains.calendar import CalendarEvent
from ebf_env.world.domains.directory import Person
from ebf_env.world.entity import ANY_TYPE

TYPES = sorted(ENTITY_TYPES)

FIELDS_THE_ISSUE_NAMES = {
    "person": {"name", "email", "title", "role", "team", "company", "account", "start_date"},
    "email_thread": {"subject", "participants", "messages", "updated_at", "status"},
    "document": {"title", "owner", "version", "folder", "created_at", "updated_at", "sensitivity", "status"},
    "folder": {"name", "owner", "parent", "account", "created_at"},
    "calendar_event": {"title", "start", "end", "organizer", "attendees", "series", "status"},
    "customer_account": {"name", "account_number", "parent", "region", "tier", "owner", "status"},
    "opportunity": {"name", "account", "owner", "stage", "status"},
    "ticket": {"title", "kind", "status", "priority", "component", "sprint", "assignee", "reporter"},
    "project": {"name", "codename", "lead", "members", "status"},
    "change_notice": {"title", "record", "field", "value", "effective_at", "source"},
    "vendor": {"name", "vendor_number", "category", "country", "owner", "parent", "status"},
    "invoice": {
        "title",
        "number",
        "vendor",
        "amount",
        "currency",
        "status",
        "approver",
        "project",
        "document",
        "due_date",
        "updated_at",
        "updated_by",
        "notes",
    },
    "payment_run": {"title", "scheduled_for", "status", "invoices", "owner"},
}

REFERENCES = {
    "person": {"account": "customer_account", "manager": "person"},
    "email_thread": {
        "participants": "person",
        "messages.sender": "person",
        "messages.recipients": "person",
        "messages.attachments": "document",
        "messages.continues": "email_thread",
        "messages.forwarded_thread": "email_thread",
        "project": "project",
        "account": "customer_account",
    },
    "document": {
        "owner": "person",
        "folder": "folder",
        "previous_version": "document",
        "updated_by": "person",
        "project": "project",
        "account": "customer_account",
        "shared_with": "person",
    },
    "folder": {"parent": "folder", "owner": "person", "project": "project", "account": "customer_account"},
    "calendar_event": {
        "organizer": "person",
        "attendees": "person",
        "project": "project",
        "account": "customer_account",
        "attachments": "document",
        "updated_by": "person",
    },
    "customer_account": {
        "parent": "customer_account",
        "owner": "person",
        "contacts": "person",
        "updated_by": "person",
        "notes.author": "person",
    },
    "opportunity": {
        "account": "customer_account",
        "owner": "person",
        "proposal": "document",
        "updated_by": "person",
        "notes.author": "person",
    },
    "ticket": {
        "reporter": "person",
        "assignee": "person",
        "project": "project",
        "account": "customer_account",
        "attachments": "document",
        "updated_by": "person",
        "comments.author": "person",
    },
    "project": {"lead": "person", "members": "person", "account": "customer_account"},
    "change_notice": {"record": ANY_TYPE},
    "vendor": {"owner": "person", "parent": "vendor", "notes.author": "person"},
    "invoice": {
        "vendor": "vendor",
        "approver": "person",
        "project": "project",
        "document": "document",
        "updated_by": "person",
        "notes.author": "person",
    },
    "payment_run": {"invoices": "invoice", "owner": "person", "updated_by": "person"},
}

DETAILS = {
    "person": set(),
    "email_thread": {"messages"},
    "document": {"body", "comments"},
    "folder": set(),
    "calendar_event": {"description"},
    "customer_account": {"notes"},
    "opportunity": {"notes"},
    "ticket": {"description", "comments"},
    "project": {"description"},
    "change_notice": set(),
    "vendor": {"notes"},
    "invoice": {"notes"},
    "payment_run": set(),
}

INSTANTS = [
    ("email_thread", "started_at"),
    ("email_thread", "updated_at"),
    ("email_thread", "messages.0.sent_at"),
    ("folder", "created_at"),
    ("document", "created_at"),
    ("document", "updated_at"),
    ("calendar_event", "start"),
    ("calendar_event", "end"),
    ("calendar_event", "updated_at"),
    ("customer_account", "updated_at"),
    ("customer_account", "notes.0.written_at"),
    ("opportunity", "updated_at"),
    ("ticket", "created_at"),
    ("ticket", "updated_at"),
    ("ticket", "comments.0.written_at"),
    ("change_notice", "effective_at"),
    ("vendor", "notes.0.written_at"),
    ("invoice", "issued_at"),
    ("invoice", "updated_at"),
    ("invoice", "notes.0.written_at"),
    ("payment_run", "updated_at"),
]

DAYS = [
    ("person", "start_date"),
    ("customer_account", "renewal_date"),
    ("opportunity", "close_date"),
    ("project", "start_date"),
    ("project", "end_date"),
    ("invoice", "due_date"),
    ("payment_run", "scheduled_for"),
]

CHOICES = [
    ("person", "status"),
    ("email_thread", "status"),
    ("document", "status"),
    ("document", "sensitivity"),
    ("calendar_event", "status"),
    ("customer_account", "status"),
    ("opportunity", "status"),
    ("opportunity", "kind"),
    ("ticket", "status"),
    ("ticket", "kind"),
    ("ticket", "priority"),
    ("project", "status"),
    ("vendor", "status"),
    ("invoice", "status"),
    ("payment_run", "status"),
]

REQUIRED: dict[tuple[str, str], JSON] = {("change_notice", "effective_at"): "2026-03-02T09:30:00+01:00"}
"""Values of required fields that not every text is good for."""


def minimal(name: str, /, **more: JSON) -> Entity:
    """A record with only what its type requires."""
    required = {
        field: REQUIRED.get((name, field), "some text")
        for field, info in ENTITY_TYPES[name].model.model_fields.items()
        if info.is_required() and field != "id"
    }
    return Entity("x1", name, {**required, **more})


def nested(path: str, value: JSON) -> dict[str, JSON]:
    """``a.0.b`` with a value as the fields of a record."""
    match path.split("."):
        case [field, "0", inner]:
            return {field: [{inner: value}]}
        case [field, inner]:
            return {field: [{inner: value}]}
        case _:
            return {path: value}


def refusal(entity: Entity) -> WorldError:
    """The error that validating the record raises."""
    with pytest.raises(WorldError) as caught:
        ENTITY_TYPES[entity.type].validate(entity)
    return caught.value


def test_every_entity_type_the_issue_asks_for_is_registered() -> None:
    assert set(FIELDS_THE_ISSUE_NAMES) <= set(ENTITY_TYPES)


@pytest.mark.parametrize("name", sorted(FIELDS_THE_ISSUE_NAMES))
def test_a_type_has_the_fields_the_issue_asks_for(name: str) -> None:
    assert FIELDS_THE_ISSUE_NAMES[name] <= set(ENTITY_TYPES[name].model.model_fields)


@pytest.mark.parametrize("name", TYPES)
def test_a_minimal_record_survives_the_way_to_its_typed_form_and_back(name: str) -> None:
    schema, entity = ENTITY_TYPES[name], minimal(name)
    typed = schema.validate(entity)
    back = typed.to_entity()
    assert type(typed) is schema.model
    assert (back.id, back.type) == ("x1", name)
    assert entity.fields.items() <= back.fields.items()
    assert None not in back.fields.values()
    assert schema.validate(back) == typed


@pytest.mark.parametrize("model", models(), ids=lambda model: model.id)
def test_a_full_record_survives_the_way_to_the_store_and_back(model: EntityModel) -> None:
    entity = model.to_entity()
    assert ENTITY_TYPES[entity.type].validate(entity) == model
    assert Entity(entity.id, entity.type, dict(entity.fields)) == entity
    assert canonical_json(entity.to_json()) == canonical_json({"id": model.id, "type": entity.type, **entity.fields})


@pytest.mark.parametrize("name", TYPES)
def test_the_records_of_these_tests_use_every_field_of_the_type(name: str) -> None:
    used = {field for entity in typed_world().of_type(name) for field in entity.fields}
    assert used >= set(ENTITY_TYPES[name].model.model_fields) - {"id", "revision"}


def test_every_type_is_in_the_tables_of_these_tests() -> None:
    assert sorted(FIELDS_THE_ISSUE_NAMES) == sorted(REFERENCES) == sorted(DETAILS) == TYPES == sorted(TARGETS)


@pytest.mark.parametrize("name", TYPES)
def test_an_unknown_field_is_refused_by_name(name: str) -> None:
    error = refusal(minimal(name, favourite_colour="blue"))
    assert error.field == "favourite_colour"
    assert "favourite_colour" in str(error)
    assert "x1" in str(error)
    assert name in str(error)


@pytest.mark.parametrize("name", TYPES)
def test_a_missing_mandatory_field_is_refused_by_name(name: str) -> None:
    label = ENTITY_TYPES[name].label_field
    entity = minimal(name)
    error = refusal(Entity("x1", name, {field: value for field, value in entity.fields.items() if field != label}))
    assert error.field == label


@pytest.mark.parametrize("name", TYPES)
def test_a_label_that_is_no_text_is_refused_by_name(name: str) -> None:
    label = ENTITY_TYPES[name].label_field
    values: list[JSON] = ["", 17, None, ["some text"], {"a": "b"}]
    for value in values:
        assert refusal(minimal(name, **{label: value})).field == label, value


@pytest.mark.parametrize("bad_id", ["", "two words", "line\nbreak"], ids=repr)
def test_an_id_that_is_empty_or_holds_blanks_is_refused(bad_id: str) -> None:
    assert refusal(Entity(bad_id, "folder", {"name": "Plans"})).field == "id"


@pytest.mark.parametrize("value", [0, -1, "two", 1.5], ids=repr)
def test_a_revision_that_is_no_positive_whole_number_is_refused(value: JSON) -> None:
    assert refusal(minimal("folder", revision=value)).field == "revision"


@pytest.mark.parametrize(("name", "path"), INSTANTS)
def test_a_bad_timestamp_is_refused_by_name(name: str, path: str) -> None:
    values: list[JSON] = ["yesterday", "", "2026-02-30T10:00:00Z", "2026-03-02T10:00:00", "2026-03-02", 1772442000]
    for value in values:
        error = refusal(minimal(name, **nested(path, value)))
        assert error.field == path
        assert path in str(error)


@pytest.mark.parametrize(("name", "path"), INSTANTS)
def test_a_timestamp_with_an_offset_is_kept_as_it_was_written(name: str, path: str) -> None:
    for value in ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00+05:30"):
        entity = ENTITY_TYPES[name].validate(minimal(name, **nested(path, value))).to_entity()
        assert nested(path, value).items() <= entity.fields.items()


NO_DAYS: list[JSON] = [
    "soon",
    "",
    "2026-02-30",
    "2026-03-02T10:00:00Z",
    "20260302",
    "2026-W10-1",
    "2026W101",
    "2026-3-2",
    " 2026-03-02",
    "2026-03-02\n",
    "\uff12\uff10\uff12\uff16-03-02",
    20260302,
]


@pytest.mark.parametrize(("name", "field"), DAYS)
def test_a_bad_calendar_date_is_refused_by_name(name: str, field: str) -> None:
    for value in NO_DAYS:
        error = refusal(minimal(name, **{field: value}))
        assert error.field == field, value
        assert not isinstance(value, str) or "expected a date such as" in str(error)


@pytest.mark.parametrize(("name", "field"), CHOICES)
def test_a_value_outside_a_closed_list_is_refused_by_name(name: str, field: str) -> None:
    assert refusal(minimal(name, **{field: "no such value"})).field == field


@pytest.mark.parametrize("amount", [-0.01, "many", [1], float("nan"), float("inf"), float("-inf"), 10**400], ids=repr)
@pytest.mark.parametrize("name", ["opportunity", "invoice"])
def test_an_amount_that_is_negative_infinite_or_no_number_is_refused(name: str, amount: JSON) -> None:
    assert refusal(minimal(name, amount=amount)).field == "amount"


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-03-02T10:00:00Z", "2026-03-02T09:59:59Z"),
        ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"),
        ("2026-03-02T10:00:00Z", "2026-03-02T10:30:00+01:00"),
    ],
    ids=["before", "at the same moment", "before, in another zone"],
)
def test_an_event_that_ends_before_it_starts_is_refused(start: str, end: str) -> None:
    error = refusal(minimal("calendar_event", start=start, end=end))
    assert error.field == "end"
    assert f"calendar_event 'x1': end: end '{end}' is not after start '{start}'" in str(error)


def test_an_event_whose_start_is_bad_is_refused_for_its_start_alone() -> None:
    error = refusal(minimal("calendar_event", start="at noon", end="2026-03-02T10:00:00Z"))
    assert error.field == "start"


def test_the_end_of_an_event_is_compared_as_an_instant_and_not_as_text() -> None:
    CalendarEvent(id="e", title="t", start="2026-03-02T10:00:00+02:00", end="2026-03-02T09:00:00Z")


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_the_references_of_a_type_are_read_off_its_model(name: str) -> None:
    assert dict(ENTITY_TYPES[name].references) == REFERENCES[name]


@pytest.mark.parametrize("name", TYPES)
def test_every_reference_names_a_registered_type(name: str) -> None:
    assert set(ENTITY_TYPES[name].references.values()) <= {*ENTITY_TYPES, ANY_TYPE}


@pytest.mark.parametrize("name", sorted(DETAILS))
def test_the_fields_that_a_search_leaves_out_are_read_off_the_model(name: str) -> None:
    assert ENTITY_TYPES[name].detail_fields == DETAILS[name]


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_a_reference_to_nothing_is_refused_by_name(name: str) -> None:
    for path in REFERENCES[name]:
        world = World([minimal(name, **_reference(name, path, "nobody_at_all"))])
        with pytest.raises(WorldError, match="nobody_at_all") as caught:
            world.check()
        assert caught.value.field == path
        assert f"{name} 'x1': {path}" in str(caught.value)


TYPED_REFERENCES = {
    name: {path: target for path, target in paths.items() if target != ANY_TYPE} for name, paths in REFERENCES.items()
}
REFERENCES_TO_ANYTHING = [
    (name, path) for name, paths in REFERENCES.items() for path, target in paths.items() if target == ANY_TYPE
]


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_a_reference_to_a_record_of_another_type_is_refused_by_name(name: str) -> None:
    for path, target in TYPED_REFERENCES[name].items():
        other = "ticket" if target != "ticket" else "person"
        record = Entity("wrong_one", other, minimal(other).fields)
        with pytest.raises(WorldError, match=f"is a {other}, not a {target}") as caught:
            World([minimal(name, **_reference(name, path, "wrong_one")), record]).check()
        assert caught.value.field == path


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_a_reference_to_a_record_of_the_right_type_is_accepted(name: str) -> None:
    for path, target in TYPED_REFERENCES[name].items():
        record = Entity("right_one", target, minimal(target).fields)
        world = World([minimal(name, **_reference(name, path, "right_one")), record])
        world.check()
        assert [(r.source, r.path, r.target) for r in world.relations("x1")] == [("x1", path, "right_one")]


@pytest.mark.parametrize("target", TYPES)
@pytest.mark.parametrize(("name", "path"), REFERENCES_TO_ANYTHING)
def test_a_reference_to_records_of_any_type_takes_every_type_and_no_record_that_is_missing(
    name: str, path: str, target: str
) -> None:
    named = typed_world()[TARGETS[target][0]]
    world = typed_world().derive([minimal(name, **_reference(name, path, named.id))])
    world.check()
    World(world.entities()).check()
    assert [(r.source, r.path, r.target) for r in world.relations("x1")] == [("x1", path, named.id)]
    assert ("x1", path) in {(r.source, r.path) for r in world.referrers(named.id)}
    for dangling in (world.derive(remove=[named.id]), World(e for e in world.entities() if e.id != named.id)):
        with pytest.raises(WorldError, match=f"{name} 'x1': {path}: no entity has the id '{named.id}'") as caught:
            dangling.check()
        assert caught.value.field == path


@pytest.mark.parametrize(("name", "path"), REFERENCES_TO_ANYTHING)
def test_a_record_that_becomes_one_of_another_type_may_still_be_named_where_any_type_is(name: str, path: str) -> None:
    folder, person = Entity("it", "folder", {"name": "A"}), Entity("it", "person", {"name": "A", "email": "a"})
    world = World([folder, minimal(name, **_reference(name, path, "it"))])
    world.check()
    world.derive([person]).check()


@pytest.mark.parametrize("name", sorted(REFERENCES))
def test_a_reference_that_is_no_id_is_refused_by_name(name: str) -> None:
    for path, target in REFERENCES[name].items():
        values: list[JSON] = [17, {"id": target}, True]
        for value in values:
            field = refusal(minimal(name, **_reference(name, path, value))).field
            assert field is not None
            assert [part for part in field.split(".") if not part.isdigit()] == path.split(".")


def _reference(name: str, path: str, value: JSON) -> dict[str, JSON]:
    """Fields in which ``path`` names ``value``, in a list where the model wants one."""
    model = ENTITY_TYPES[name].model
    *outer, last = path.split(".")
    if outer:
        inner: JSON = [value] if last in ("recipients", "attachments") else value
        return {outer[0]: [{last: inner}]}
    return {last: [value] if "tuple" in str(model.model_fields[last].annotation) else value}


def test_relations_of_nested_parts_are_found_in_every_item() -> None:
    world = World(
        [
            Entity("p1", "person", {"name": "A", "email": "a"}),
            Entity("p2", "person", {"name": "B", "email": "b"}),
            Entity(
                "t",
                "email_thread",
                {
                    "subject": "s",
                    "messages": [{"sender": "p1", "recipients": ["p2", "p1"]}, {}, {"sender": "p2"}],
                },
            ),
        ]
    )
    assert [(r.path, r.target) for r in world.relations("t")] == [
        ("messages.sender", "p1"),
        ("messages.sender", "p2"),
        ("messages.recipients", "p2"),
        ("messages.recipients", "p1"),
    ]


@pytest.mark.parametrize("name", TYPES)
def test_a_record_is_called_by_its_label_field(name: str) -> None:
    label = ENTITY_TYPES[name].label_field
    assert minimal(name, **{label: "What people call it"}).label == "What people call it"


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"name": "N", "title": "T", "subject": "S"}, "N"),
        ({"title": "T", "subject": "S"}, "T"),
        ({"name": "  ", "title": 3, "subject": "S"}, "S"),
        ({}, "z9"),
    ],
)
def test_a_record_of_an_unknown_type_is_called_by_name_title_subject_or_id(fields: dict[str, JSON], label: str) -> None:
    assert Entity("z9", "spaceship", fields).label == label


def test_a_typed_record_cannot_be_changed() -> None:
    person = Person(id="p", name="A", email="a")
    with pytest.raises(ValidationError, match="frozen"):
        person.name = "B"  # type: ignore[misc]


def test_a_type_cannot_be_declared_twice() -> None:
    with pytest.raises(WorldError, match="'person' is declared twice"):
        entity_type("person", domain="directory", label="name")(Person)
    assert ENTITY_TYPES["person"].model is Person


def test_a_type_cannot_have_a_field_of_its_own_called_type() -> None:
    class Wheel(EntityModel):
        name: str
        type: str

    with pytest.raises(WorldError, match="no field of its own called 'type'") as caught:
        entity_type("wheel", domain="garage", label="name")(Wheel)
    assert caught.value.field == "type"
    assert "wheel" not in ENTITY_TYPES


def test_a_type_needs_a_field_to_be_called_by() -> None:
    with pytest.raises(WorldError, match="no field 'nickname'"):
        entity_type("robot", domain="directory", label="nickname")(Person)
    assert "robot" not in ENTITY_TYPES


def test_the_registry_cannot_be_written_to_from_outside() -> None:
    with pytest.raises(TypeError):
        ENTITY_TYPES["robot"] = ENTITY_TYPES["person"]  # type: ignore[index]
    assert all(isinstance(schema, EntitySchema) and schema.name == name for name, schema in ENTITY_TYPES.items())
