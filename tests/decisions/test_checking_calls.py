"""A call is checked against the tools offered and the records in sight before it may touch anything."""

from __future__ import annotations

import pytest

from ebf_env.decisions import CheckedCall, Invalid, ToolCall, check_call
from ebf_env.json_types import JSONObject
from ebf_env.world import TOOLS, ActionType, Entity, EntityPrecondition, RiskLevel, ToolSpec
from ebf_env.world.binding import Binding

RECORDS = {
    entity.id: entity
    for entity in [
        Entity("p1", "person", {}),
        Entity("p2", "person", {}),
        Entity("t1", "email_thread", {}),
        Entity("d1", "document", {}),
        Entity("d2", "document", {}),
        Entity("k1", "ticket", {}),
        Entity("x1", "spaceship", {}),
    ]
}
OPEN = ToolSpec(
    "open_anything",
    "",
    "any",
    ActionType.RETRIEVE,
    RiskLevel.LOW,
    (EntityPrecondition("record", "any"), EntityPrecondition("others", "any", required=False, many=True)),
)
OFFERED = (TOOLS["send_email"], TOOLS["schedule_event"], TOOLS["assign_ticket"], TOOLS["search_directory"], OPEN)


def check(tool: str, bindings: dict[str, Binding], arguments: JSONObject | None = None) -> CheckedCall | Invalid:
    return check_call(ToolCall(tool, bindings, arguments or {}), OFFERED, RECORDS.get)


GOOD: list[tuple[str, dict[str, Binding], dict[str, Binding]]] = [
    ("send_email", {"recipient": "p1"}, {"recipient": "p1"}),
    ("send_email", {"recipient": ("p1",)}, {"recipient": "p1"}),
    ("send_email", {"recipient": "p1", "thread": ("t1",)}, {"recipient": "p1", "thread": "t1"}),
    ("send_email", {"recipient": "p1", "attachments": "d1"}, {"recipient": "p1", "attachments": ("d1",)}),
    (
        "send_email",
        {"attachments": ("d2", "d1"), "recipient": "p1"},
        {"attachments": ("d2", "d1"), "recipient": "p1"},
    ),
    ("schedule_event", {"attendees": "p1"}, {"attendees": ("p1",)}),
    ("schedule_event", {"attendees": ("p1", "p2")}, {"attendees": ("p1", "p2")}),
    ("schedule_event", {"attendees": ("p2", "p1", "p2", "p2")}, {"attendees": ("p2", "p1")}),
    ("send_email", {"recipient": ("p1", "p1")}, {"recipient": "p1"}),
    ("assign_ticket", {"ticket": "k1", "assignee": "p2"}, {"ticket": "k1", "assignee": "p2"}),
    ("search_directory", {}, {}),
    ("open_anything", {"record": "x1"}, {"record": "x1"}),
    ("open_anything", {"record": "p1", "others": ("d1", "x1")}, {"record": "p1", "others": ("d1", "x1")}),
]


@pytest.mark.parametrize(("tool", "given", "bindings"), GOOD, ids=str)
def test_a_call_that_fits_is_passed_on_with_one_id_or_a_tuple_of_ids_per_slot(
    tool: str, given: dict[str, Binding], bindings: dict[str, Binding]
) -> None:
    checked = check(tool, given)
    assert isinstance(checked, CheckedCall)
    assert checked.spec.name == tool
    assert checked.bindings == bindings
    assert checked.call == ToolCall(tool, given)


BAD: dict[str, tuple[str, dict[str, Binding], list[str]]] = {
    "unknown tool": ("send_fax", {"recipient": "p1"}, ["'send_fax'", "assign_ticket, open_anything, schedule_event"]),
    "tool that is registered but not offered": ("close_ticket", {"ticket": "k1"}, ["'close_ticket'", "no tool"]),
    "tool in another case": ("Send_Email", {"recipient": "p1"}, ["'Send_Email'"]),
    "empty tool": ("", {}, ["no tool ''"]),
    "unknown slot": (
        "send_email",
        {"recipient": "p1", "cc": "p2"},
        ["no slot 'cc'", "recipient, thread, attachments"],
    ),
    "argument bound as a slot": ("send_email", {"recipient": "p1", "subject": "p2"}, ["no slot 'subject'"]),
    "slot of a tool that has none": ("search_directory", {"person": "p1"}, ["no slot 'person'", "none"]),
    "missing mandatory slot": ("assign_ticket", {"ticket": "k1"}, ["assign_ticket needs", "'assignee'"]),
    "nothing bound": ("send_email", {}, ["send_email needs", "'recipient'"]),
    "only an optional slot bound": ("send_email", {"thread": "t1"}, ["needs", "'recipient'"]),
    "unknown id": ("send_email", {"recipient": "p9"}, ["'recipient'", "'p9'", "no entity has that id"]),
    "name instead of an id": ("send_email", {"recipient": "Alex"}, ["'Alex'", "no entity has that id"]),
    "empty id": ("send_email", {"recipient": ""}, ["''", "no entity has that id"]),
    "id in another case": ("send_email", {"recipient": "P1"}, ["'P1'", "no entity has that id"]),
    "unknown id among known ones": ("schedule_event", {"attendees": ("p1", "p9")}, ["'attendees'", "'p9'"]),
    "unknown id in an optional slot": ("send_email", {"recipient": "p1", "thread": "t9"}, ["'thread'", "'t9'"]),
    "wrong type": ("send_email", {"recipient": "d1"}, ["'recipient'", "takes a person", "'d1' is a document"]),
    "slots exchanged": ("assign_ticket", {"ticket": "p1", "assignee": "k1"}, ["takes a ticket", "'p1' is a person"]),
    "wrong type among right ones": ("schedule_event", {"attendees": ("p1", "d1")}, ["'d1' is a document"]),
    "wrong type in an optional slot": ("send_email", {"recipient": "p1", "attachments": ("t1",)}, ["'t1'"]),
    "two ids for one": ("send_email", {"recipient": ("p1", "p2")}, ["'recipient'", "takes one entity, got 2"]),
    "two ids for one of any type": ("open_anything", {"record": ("p1", "d1")}, ["takes one entity, got 2"]),
    "unknown id for any type": ("open_anything", {"record": "zz"}, ["'zz'"]),
}


@pytest.mark.parametrize(("tool", "bindings", "words"), BAD.values(), ids=BAD.keys())
def test_a_call_that_does_not_fit_is_invalid_with_a_reason(
    tool: str, bindings: dict[str, Binding], words: list[str]
) -> None:
    checked = check(tool, bindings)
    assert isinstance(checked, Invalid)
    assert [word for word in words if word not in checked.reason] == []


def test_a_record_the_user_may_not_see_is_like_one_that_does_not_exist() -> None:
    call = ToolCall("send_email", {"recipient": "p2"})
    seen = check_call(call, OFFERED, {i: e for i, e in RECORDS.items() if i != "p2"}.get)
    unknown = check_call(ToolCall("send_email", {"recipient": "p9"}), OFFERED, RECORDS.get)
    assert isinstance(seen, Invalid)
    assert isinstance(unknown, Invalid)
    assert seen.reason.replace("p2", "p9") == unknown.reason


EMPTY: list[tuple[dict[str, Binding], dict[str, Binding]]] = [
    ({"recipient": "p1", "thread": (), "attachments": ()}, {"recipient": "p1"}),
    ({"recipient": "p1", "no such slot": ()}, {"recipient": "p1"}),
]


@pytest.mark.parametrize(("given", "bindings"), EMPTY, ids=str)
def test_a_slot_bound_to_no_ids_is_not_bound(given: dict[str, Binding], bindings: dict[str, Binding]) -> None:
    checked = check("send_email", given)
    assert isinstance(checked, CheckedCall)
    assert checked.bindings == bindings


@pytest.mark.parametrize(
    ("tool", "bindings"),
    [("send_email", {"recipient": ()}), ("schedule_event", {"attendees": ()}), ("open_anything", {"others": ("d1",)})],
)
def test_a_mandatory_slot_bound_to_no_ids_is_missing(tool: str, bindings: dict[str, Binding]) -> None:
    checked = check(tool, bindings)
    assert isinstance(checked, Invalid)
    assert f"{tool} needs its slot" in checked.reason


@pytest.mark.parametrize(
    "long", ["x" * 100_000, "'\"\n\0" * 10_000, "\ud800" * 10_000], ids=["letters", "escapes", "halves"]
)
def test_a_reason_quotes_no_more_than_the_beginning_of_what_was_sent(long: str) -> None:
    for tool, bindings in [(long, {}), ("send_email", {long: "p1"}), ("send_email", {"recipient": long})]:
        short = check(
            tool.replace(long, "zz"), {k.replace(long, "zz"): v.replace(long, "zz") for k, v in bindings.items()}
        )
        checked = check(tool, dict(bindings))
        assert isinstance(checked, Invalid)
        assert isinstance(short, Invalid)
        assert len(checked.reason) <= len(short.reason) - len("'zz'") + 60
        assert repr(long[:5])[1:-1] in checked.reason


def test_arguments_are_not_checked() -> None:
    checked = check("send_email", {"recipient": "p1"}, {"subject": 17, "no such argument": None})
    assert isinstance(checked, CheckedCall)
    assert checked.call.arguments == {"subject": 17, "no such argument": None}


def test_no_tool_is_known_where_none_is_offered() -> None:
    assert isinstance(check_call(ToolCall("send_email", {"recipient": "p1"}), (), RECORDS.get), Invalid)


def test_tools_may_come_one_by_one() -> None:
    checked = check_call(ToolCall("send_email", {"recipient": "p1"}), iter(OFFERED), RECORDS.get)
    assert isinstance(checked, CheckedCall)
    assert checked.spec is TOOLS["send_email"]
