"""What each tool declares: its risk, its kind, its slots, and the function schema made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from typed_world import TARGETS

from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, ascii_json
from ebf_env.world import (
    ENTITY_TYPES,
    TOOLS,
    ActionType,
    EntityPrecondition,
    RiskLevel,
    ToolParameter,
    ToolSpec,
    register_tool,
)
from ebf_env.world.tools.effects import Append, Delete, Effect, Touch, Update, View

RISK_LEVELS = {
    "low": "search_directory search_email read_thread search_calendar get_event search_documents read_document "
    "search_crm get_account get_opportunity search_tickets get_ticket search_changes search_payments get_invoice "
    "get_vendor",
    "medium": "draft_email draft_document draft_account_note draft_ticket_comment draft_vendor_note",
    "high": "send_email reply_email_thread forward_thread schedule_event invite_attendee reschedule_event "
    "share_document update_document move_document update_customer_record update_opportunity comment_ticket "
    "assign_ticket escalate_ticket hold_invoice add_invoice_to_run",
    "critical": "delete_thread cancel_event delete_document close_opportunity delete_customer_record close_ticket "
    "pay_invoice refund_invoice void_payment_run",
}
RISK = {name: level for level, names in RISK_LEVELS.items() for name in names.split()}

SLOTS = {
    "read_thread": "thread:email_thread",
    "get_event": "event:calendar_event",
    "read_document": "document:document",
    "get_account": "account:customer_account",
    "get_opportunity": "opportunity:opportunity",
    "get_ticket": "ticket:ticket",
    "get_invoice": "invoice:invoice",
    "get_vendor": "vendor:vendor",
    "draft_email": "recipient:person thread:email_thread:optional",
    "draft_document": "folder:folder:changes project:project:optional",
    "draft_account_note": "account:customer_account:changes",
    "draft_ticket_comment": "ticket:ticket:changes",
    "send_email": "recipient:person thread:email_thread:optional attachments:document:optional:many",
    "reply_email_thread": "thread:email_thread:changes attachments:document:optional:many",
    "forward_thread": "thread:email_thread recipient:person",
    "schedule_event": "attendees:person:many",
    "invite_attendee": "event:calendar_event:changes attendee:person",
    "reschedule_event": "event:calendar_event:changes",
    "share_document": "document:document:changes recipient:person",
    "update_document": "document:document:changes",
    "move_document": "document:document:changes folder:folder:changes",
    "update_customer_record": "account:customer_account:changes",
    "update_opportunity": "opportunity:opportunity:changes",
    "comment_ticket": "ticket:ticket:changes",
    "assign_ticket": "ticket:ticket:changes assignee:person",
    "escalate_ticket": "ticket:ticket:changes",
    "delete_thread": "thread:email_thread:changes",
    "cancel_event": "event:calendar_event:changes",
    "delete_document": "document:document:changes",
    "close_opportunity": "opportunity:opportunity:changes",
    "delete_customer_record": "account:customer_account:changes",
    "close_ticket": "ticket:ticket:changes",
    "draft_vendor_note": "vendor:vendor:changes",
    "hold_invoice": "invoice:invoice:changes",
    "add_invoice_to_run": "invoice:invoice:changes payment_run:payment_run:changes",
    "pay_invoice": "invoice:invoice:changes",
    "refund_invoice": "invoice:invoice:changes",
    "void_payment_run": "payment_run:payment_run:changes",
}
"""Slots as ``slot:type[:optional][:many][:changes]``; a search takes none."""

ACTION_TYPES = {
    "draft": "draft_email draft_document draft_account_note draft_ticket_comment draft_vendor_note",
    "send": "send_email reply_email_thread forward_thread",
    "schedule": "schedule_event",
    "share": "invite_attendee share_document",
    "reschedule": "reschedule_event",
    "update": "update_document move_document update_customer_record update_opportunity comment_ticket hold_invoice "
    "add_invoice_to_run",
    "assign": "assign_ticket",
    "escalate": "escalate_ticket",
    "delete": "delete_thread delete_document delete_customer_record",
    "cancel": "cancel_event void_payment_run",
    "close": "close_opportunity close_ticket",
    "other": "pay_invoice refund_invoice",
}

ALL_TOOLS = sorted(TOOLS)


def described(precondition: EntityPrecondition) -> str:
    """A precondition as the table writes it."""
    flags = [
        flag
        for flag, holds in [
            ("optional", not precondition.required),
            ("many", precondition.many),
            ("changes", precondition.changes),
        ]
        if holds
    ]
    return ":".join([precondition.slot, precondition.entity_type, *flags])


@pytest.mark.parametrize(("name", "level"), RISK.items())
def test_a_tool_is_there_with_its_risk(name: str, level: str) -> None:
    assert TOOLS[name].name == name
    assert TOOLS[name].risk is RiskLevel(level)


def test_the_risk_of_all_tools_is_written_down_here() -> None:
    assert sorted(RISK) == ALL_TOOLS


@pytest.mark.parametrize(("level", "weight"), [("low", 1), ("medium", 2), ("high", 4), ("critical", 5)])
def test_a_risk_level_weighs_what_the_authors_published(level: str, weight: int) -> None:
    assert RiskLevel(level).weight == weight


@pytest.mark.parametrize("name", RISK)
def test_a_tool_takes_exactly_its_slots(name: str) -> None:
    assert " ".join(described(p) for p in TOOLS[name].preconditions) == SLOTS.get(name, "")


@pytest.mark.parametrize("name", RISK_LEVELS["low"].split())
def test_a_read_is_of_the_action_type_retrieve(name: str) -> None:
    spec = TOOLS[name]
    assert spec.action_type is ActionType.RETRIEVE
    assert spec.is_read
    assert spec.is_search == name.startswith("search_")
    assert any(isinstance(effect, View) for effect in spec.effects) == (not name.startswith("search_"))


@pytest.mark.parametrize(
    ("name", "action"), [(name, action) for action, names in ACTION_TYPES.items() for name in names.split()]
)
def test_a_write_is_of_its_action_type_and_no_read(name: str, action: str) -> None:
    spec = TOOLS[name]
    assert spec.action_type is ActionType(action)
    assert not spec.is_read
    assert not spec.is_search
    assert not any(isinstance(effect, View) for effect in spec.effects)


def test_the_action_types_of_all_writes_are_written_down_here() -> None:
    writes = {name for name, level in RISK.items() if level != "low"}
    assert {name for names in ACTION_TYPES.values() for name in names.split()} == writes


def test_every_slot_takes_a_registered_type() -> None:
    taken = {p.entity_type for spec in TOOLS.values() for p in spec.preconditions}
    assert taken <= set(ENTITY_TYPES)
    assert taken <= set(TARGETS)


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_every_tool_slot_and_argument_is_described(name: str) -> None:
    spec = TOOLS[name]
    assert len(spec.description.split()) >= 2
    assert all(p.description for p in spec.parameters)
    properties = parameters_of(spec)["properties"]
    assert isinstance(properties, Mapping)
    assert all(isinstance(part, Mapping) and part["description"] for part in properties.values())


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_a_tool_finds_its_slots_and_arguments_by_name(name: str) -> None:
    spec = TOOLS[name]
    assert [spec.precondition(p.slot) for p in spec.preconditions] == list(spec.preconditions)
    assert [spec.parameter(p.name) for p in spec.parameters] == list(spec.parameters)
    assert spec.precondition("no such slot") is None
    assert spec.parameter("no such argument") is None


def test_every_slot_whose_records_are_written_to_is_declared_to_change() -> None:
    for spec in TOOLS.values():
        written = {effect.target for effect in spec.effects if effect.target and not isinstance(effect, View)}
        assert written <= {p.slot for p in spec.preconditions if p.changes}, spec.name


# --- function schemas ---

KEYWORDS = {"type", "description", "x-entity-type", "items", "minItems", "format"}


def parameters_of(spec: ToolSpec) -> Mapping[str, JSON]:
    function = spec.function_schema()["function"]
    assert isinstance(function, Mapping)
    parameters = function["parameters"]
    assert isinstance(parameters, Mapping)
    return parameters


def assert_is_a_schema(part: JSON) -> None:
    """A JSON Schema object built of the few keywords the project uses."""
    assert isinstance(part, Mapping)
    assert part.keys() <= KEYWORDS
    match part["type"]:
        case "array":
            assert_is_a_schema(part["items"])
            assert part.get("minItems", 1) == 1
        case "string":
            assert part.get("format", "date") in ("date", "date-time")
            assert "items" not in part
        case kind:
            assert kind in ("number", "integer", "boolean")
            assert not part.keys() & {"items", "minItems", "format"}


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_a_function_schema_has_the_shape_openai_expects(name: str) -> None:
    schema = TOOLS[name].function_schema()
    assert schema.keys() == {"type", "function"}
    assert schema["type"] == "function"
    function = schema["function"]
    assert isinstance(function, Mapping)
    assert function.keys() == {"name", "description", "parameters"}
    assert function["name"] == name
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
    assert function["description"] == TOOLS[name].description
    parameters = parameters_of(TOOLS[name])
    assert parameters.keys() == {"type", "properties", "required", "additionalProperties"}
    assert parameters["type"] == "object"
    assert parameters["additionalProperties"] is False
    assert isinstance(parameters["properties"], Mapping)
    for part in parameters["properties"].values():
        assert_is_a_schema(part)


@pytest.mark.parametrize("name", RISK)
def test_a_function_schema_requires_the_mandatory_slots_and_nothing_else(name: str) -> None:
    slots = [slot.split(":") for slot in SLOTS.get(name, "").split()]
    assert parameters_of(TOOLS[name])["required"] == [slot for slot, _, *flags in slots if "optional" not in flags]


@pytest.mark.parametrize("name", RISK)
def test_the_properties_of_a_function_schema_are_the_slots_and_then_the_arguments(name: str) -> None:
    properties = parameters_of(TOOLS[name])["properties"]
    assert isinstance(properties, Mapping)
    slots = [slot.split(":") for slot in SLOTS.get(name, "").split()]
    assert list(properties) == [s[0] for s in slots] + [p.name for p in TOOLS[name].parameters]
    for slot, entity_type, *flags in slots:
        part = properties[slot]
        assert isinstance(part, Mapping)
        assert part["x-entity-type"] == entity_type
        assert part["type"] == ("array" if "many" in flags else "string")
        assert ("items" in part) == ("many" in flags)
    for parameter in TOOLS[name].parameters:
        part = properties[parameter.name]
        assert isinstance(part, Mapping)
        assert "x-entity-type" not in part


def test_a_function_schema_survives_json() -> None:
    schemas = {name: spec.function_schema() for name, spec in TOOLS.items()}
    assert {name: json.loads(ascii_json(schema)) for name, schema in schemas.items()} == schemas


@pytest.mark.parametrize("name", ALL_TOOLS)
def test_changing_a_function_schema_does_not_change_the_tool(name: str) -> None:
    before = ascii_json(TOOLS[name].function_schema())
    parameters = parameters_of(TOOLS[name])
    assert isinstance(parameters, dict)
    parameters["properties"].clear()
    parameters["required"].append("more")
    assert ascii_json(TOOLS[name].function_schema()) == before


def test_the_schema_of_a_slot_that_takes_many_is_an_array_of_ids() -> None:
    properties = parameters_of(TOOLS["send_email"])["properties"]
    assert isinstance(properties, Mapping)
    assert properties["attachments"] == {
        "type": "array",
        "items": {"type": "string"},
        "minItems": 1,
        "description": "documents to attach (ids of document records)",
        "x-entity-type": "document",
    }


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("string", {"type": "string"}),
        ("date-time", {"type": "string", "format": "date-time"}),
        ("date", {"type": "string", "format": "date"}),
        ("number", {"type": "number"}),
        ("integer", {"type": "integer"}),
        ("boolean", {"type": "boolean"}),
        ("strings", {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_an_argument_of_each_kind_has_its_schema(kind: str, expected: dict[str, JSON]) -> None:
    assert ToolParameter("x", kind, "what").schema() == {**expected, "description": "what"}  # type: ignore[arg-type]


GOOD_VALUES: dict[str, list[JSON]] = {
    "string": ["", "text"],
    "date-time": ["2026-03-02T09:30:00Z"],
    "date": ["2026-03-02"],
    "number": [0, -1, 2.5],
    "integer": [0, -3],
    "boolean": [True, False],
    "strings": [[], ["a", "b"], ("a",)],
}
BAD_VALUES: dict[str, list[JSON]] = {
    "string": [None, 1, True, ["a"], {"a": 1}],
    "date-time": [None, 1772442000, {}],
    "date": [None, 20260302, []],
    "number": [None, "1", True, [1]],
    "integer": [None, "1", True, 2.5, []],
    "boolean": [None, 0, 1, "true"],
    "strings": [None, "a", ["a", 1], {"a": "b"}],
}


@pytest.mark.parametrize("kind", GOOD_VALUES)
def test_an_argument_understands_values_of_its_kind_and_no_others(kind: str) -> None:
    parameter = ToolParameter("x", kind, "what")  # type: ignore[arg-type]
    assert [value for value in GOOD_VALUES[kind] if not parameter.understands(value)] == []
    assert [value for value in BAD_VALUES[kind] if parameter.understands(value)] == []


# --- the registry ---


def test_a_tool_cannot_be_declared_twice() -> None:
    with pytest.raises(ConfigurationError, match="'send_email' is declared twice"):
        register_tool(TOOLS["send_email"])


def test_the_registry_of_tools_cannot_be_written_to_from_outside() -> None:
    with pytest.raises(TypeError):
        TOOLS["mine"] = TOOLS["send_email"]  # type: ignore[index]


def test_a_tool_cannot_use_one_name_for_a_slot_and_an_argument() -> None:
    with pytest.raises(ConfigurationError, match="names a slot or parameter twice: note, note"):
        ToolSpec(
            "x",
            "",
            "crm",
            ActionType.UPDATE,
            RiskLevel.HIGH,
            (EntityPrecondition("note", "ticket"),),
            (ToolParameter("note", "string", ""),),
        )


@pytest.mark.parametrize(
    "effect", [View("y"), Delete("y"), Update("y", {}), Append("y", "notes", "n"), Touch("y")], ids=repr
)
def test_a_tool_cannot_act_on_what_is_no_slot_of_it(effect: Effect) -> None:
    with pytest.raises(ConfigurationError, match="tool 'x' acts on 'y', which is no slot of it"):
        ToolSpec("x", "", "crm", ActionType.UPDATE, RiskLevel.HIGH, (EntityPrecondition("z", "ticket"),), (), (effect,))


@pytest.mark.parametrize(
    ("wanted", "given", "accepted"),
    [("person", "person", True), ("person", "ticket", False), ("any", "ticket", True), ("person", "any", False)],
)
def test_a_slot_accepts_records_of_its_type(wanted: str, given: str, accepted: bool) -> None:
    assert EntityPrecondition("x", wanted).accepts(given) is accepted
