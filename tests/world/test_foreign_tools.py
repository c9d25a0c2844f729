"""Tools of other people's suites: what a name alone tells about them, and what they do to records of any shape."""

from __future__ import annotations

import pytest

from ebf_env.json_types import canonical_json
from ebf_env.world import (
    TOOLS,
    ActionType,
    Activity,
    Difference,
    Entity,
    EntityPrecondition,
    FieldChange,
    Permissions,
    RiskLevel,
    ToolParameter,
    ToolSpec,
    World,
    WorldState,
    execute,
)
from ebf_env.world.binding import Binding
from ebf_env.world.tools.effects import Invoke, Touch, View
from ebf_env.world.tools.foreign import action_type_of, foreign_tool

VERBS = {
    "retrieve": "search find list lookup query get read open view fetch retrieve",
    "draft": "draft prepare compose",
    "send": "send reply forward email notify post",
    "share": "share invite grant",
    "update": "update edit set move rename comment add create",
    "assign": "assign",
    "reschedule": "reschedule",
    "schedule": "schedule",
    "escalate": "escalate",
    "close": "close resolve archive",
    "delete": "delete remove purge void",
    "cancel": "cancel revoke",
    "other": "frobnicate deletes",
}
RISK_OF_ACTION = {"retrieve": "low", "draft": "medium", "close": "critical", "delete": "critical", "cancel": "critical"}

CARD = (EntityPrecondition("card", "credit_card", changes=True),)
WORLD = World([Entity("c1", "credit_card", {"name": "Blue"}), Entity("c2", "credit_card", {"name": "Red"})])


def difference_of(spec: ToolSpec, world: World = WORLD, /, **bindings: Binding) -> Difference:
    state = WorldState(world)
    execute(spec, bindings, {}, state, permissions=Permissions(), typed=False)
    return state.difference()


def slots_of(name: str, /, **changes: EntityPrecondition | None) -> tuple[EntityPrecondition, ...]:
    """The slots of a registered tool, some of them replaced or (with None) left out."""
    kept = [changes.get(p.slot, p) for p in TOOLS[name].preconditions]
    return tuple(p for p in kept if p is not None)


@pytest.mark.parametrize(("action", "verbs"), VERBS.items())
def test_the_verb_of_a_name_tells_action_type_and_risk(action: str, verbs: str) -> None:
    for verb in verbs.split():
        for name in (f"{verb}_card", verb, f"{verb.upper()}_Card"):
            assert action_type_of(name) is ActionType(action), name
        spec = foreign_tool(f"{verb}_card", "", CARD, domain="cards")
        assert spec.action_type is ActionType(action)
        assert spec.risk is RiskLevel(RISK_OF_ACTION.get(action, "high"))


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_tool_of_a_registered_name_is_of_the_registered_kind(name: str) -> None:
    known = TOOLS[name]
    spec = foreign_tool(name, "their words", known.preconditions, domain="theirs")
    assert (spec.description, spec.domain) == ("their words", "theirs")
    assert (spec.action_type, spec.risk, spec.parameters, spec.effects) == (
        known.action_type,
        known.risk,
        known.parameters,
        known.effects,
    )


def test_what_is_declared_wins_over_what_the_name_tells() -> None:
    parameters = (ToolParameter("why", "string", ""),)
    spec = foreign_tool(
        "send_email", "", CARD, domain="x", parameters=parameters, action_type=ActionType.DELETE, risk=RiskLevel.LOW
    )
    assert (spec.action_type, spec.risk, spec.parameters) == (ActionType.DELETE, RiskLevel.LOW, parameters)


def test_a_slot_named_like_a_registered_argument_replaces_it() -> None:
    spec = foreign_tool("draft_email", "", (EntityPrecondition("subject", "topic"),), domain="x")
    assert [p.name for p in spec.parameters] == ["body"]


FITTING: dict[str, tuple[str, tuple[EntityPrecondition, ...]]] = {
    "the same slots": ("send_email", slots_of("send_email")),
    "in another order": ("assign_ticket", slots_of("assign_ticket")[::-1]),
    "without an optional slot": ("send_email", slots_of("send_email", thread=None)),
    "without a mandatory slot that nothing is done to": ("forward_thread", slots_of("forward_thread", recipient=None)),
    "with a mandatory slot made optional": (
        "close_ticket",
        (EntityPrecondition("ticket", "ticket", required=False, description="theirs"),),
    ),
}


@pytest.mark.parametrize(("name", "preconditions"), FITTING.values(), ids=FITTING.keys())
def test_a_tool_of_a_registered_name_whose_slots_fit_does_what_the_registered_one_does(
    name: str, preconditions: tuple[EntityPrecondition, ...]
) -> None:
    spec = foreign_tool(name, "", preconditions, domain="theirs")
    assert spec.effects == TOOLS[name].effects
    assert spec.preconditions == preconditions


UNFITTING: dict[str, tuple[str, tuple[EntityPrecondition, ...]]] = {
    "no slots": ("close_ticket", ()),
    "a slot of another name": ("close_ticket", (EntityPrecondition("case", "ticket"),)),
    "a slot more": ("close_ticket", (*slots_of("close_ticket"), EntityPrecondition("reviewer", "person"))),
    "a slot of another type": ("close_ticket", (EntityPrecondition("ticket", "bug"),)),
    "a slot of any type": ("close_ticket", (EntityPrecondition("ticket", "any"),)),
    "a slot that takes many": ("close_ticket", (EntityPrecondition("ticket", "ticket", many=True),)),
    "a slot that takes one": ("schedule_event", (EntityPrecondition("attendees", "person"),)),
    "an optional slot that takes one": (
        "send_email",
        slots_of("send_email", attachments=EntityPrecondition("attachments", "document", required=False)),
    ),
    "without the slot it acts on": ("share_document", slots_of("share_document", document=None)),
    "without the slot it deletes": ("delete_thread", ()),
    "without the slot it moves": ("reschedule_event", ()),
}


@pytest.mark.parametrize(("name", "preconditions"), UNFITTING.values(), ids=UNFITTING.keys())
def test_a_tool_of_a_registered_name_whose_slots_do_not_fit_only_marks_records(
    name: str, preconditions: tuple[EntityPrecondition, ...]
) -> None:
    spec = foreign_tool(name, "", preconditions, domain="theirs")
    assert spec.effects == (tuple(Touch(p.slot) for p in preconditions) or (Invoke(),))
    assert (spec.action_type, spec.risk) == (TOOLS[name].action_type, TOOLS[name].risk)
    people = [Entity(f"x{number}", "thing", {"n": number}) for number in range(3)]
    bindings: dict[str, Binding] = {p.slot: (f"x{i}",) if p.many else f"x{i}" for i, p in enumerate(preconditions)}
    difference = difference_of(spec, World(people), **bindings)
    assert [(change.entity_id, change.field) for change in difference.changed] == [
        (f"x{number}", "revision") for number in range(len(preconditions))
    ]


@pytest.mark.parametrize("name", ["get_ticket", "read_thread", "read_document"])
def test_a_read_of_a_registered_name_whose_slots_do_not_fit_still_reads(name: str) -> None:
    spec = foreign_tool(name, "", CARD, domain="cards")
    assert spec.effects == (View("card"),)
    assert spec.is_read
    assert difference_of(spec, card="c1").viewed == ("c1",)


def test_an_unknown_write_changes_no_field_of_the_record_it_is_called_on_and_is_logged() -> None:
    spec = foreign_tool("freeze_card", "", CARD, domain="cards")
    assert difference_of(spec, card="c1") == Difference(
        changed=(FieldChange("c1", "revision", None, 1),),
        activity=(Activity("freeze_card", "update", "c1", {"slot": "card"}),),
    )
    assert difference_of(spec, card="c1") != difference_of(spec, card="c2")
    assert difference_of(spec, card="c1") != difference_of(
        foreign_tool("unfreeze_card", "", CARD, domain="x"), card="c1"
    )


def test_an_unknown_write_can_be_done_to_a_typed_record() -> None:
    spec = foreign_tool("praise_person", "", (EntityPrecondition("person", "person"),), domain="x")
    world = World([Entity("p", "person", {"name": "A", "email": "a", "revision": 6})])
    state = WorldState(world)
    for _ in range(2):
        assert execute(spec, {"person": "p"}, {}, state, permissions=Permissions()).content == {"status": "ok"}
    assert state.difference().changed == (FieldChange("p", "revision", 6, 8),)
    state.freeze().check()


PAIR = (EntityPrecondition("left", "credit_card"), EntityPrecondition("right", "credit_card"))


def test_an_unknown_write_with_two_slots_tells_them_apart() -> None:
    spec = foreign_tool("merge_cards", "", PAIR, domain="cards")
    there, back = difference_of(spec, left="c1", right="c2"), difference_of(spec, left="c2", right="c1")
    assert sorted(there.changed, key=str) == sorted(back.changed, key=str)
    assert {(entry.entity_id, canonical_json(entry.value)) for entry in there.activity} == {
        ("c1", '{"slot":"left"}'),
        ("c2", '{"slot":"right"}'),
    }
    assert {(entry.entity_id, canonical_json(entry.value)) for entry in back.activity} == {
        ("c2", '{"slot":"left"}'),
        ("c1", '{"slot":"right"}'),
    }


def test_an_unknown_write_with_a_slot_that_takes_many_marks_each_record() -> None:
    spec = foreign_tool("freeze_cards", "", (EntityPrecondition("cards", "credit_card", many=True),), domain="cards")
    assert [change.entity_id for change in difference_of(spec, cards=("c2", "c1")).changed] == ["c2", "c1"]
    assert difference_of(spec, cards=("c1",)) != difference_of(spec, cards=("c1", "c2"))


def test_an_unknown_read_with_several_slots_answers_with_the_records_of_all() -> None:
    spec = foreign_tool(
        "get_cards", "", (*PAIR, EntityPrecondition("more", "credit_card", required=False, many=True)), domain="cards"
    )
    world = World([*WORLD.entities(), Entity("c3", "credit_card", {"name": "Green"})])
    cases: list[tuple[dict[str, Binding], list[str]]] = [
        ({"left": "c2", "right": "c1"}, ["c2", "c1"]),
        ({"left": "c1", "right": "c2", "more": ("c3", "c2")}, ["c1", "c2", "c3", "c2"]),
    ]
    for bindings, ids in cases:
        state = WorldState(world)
        rights = Permissions(read_only=frozenset(world))
        content = execute(spec, bindings, {}, state, permissions=rights, typed=False).content
        assert content == {"status": "ok", "records": [world[i].to_json() for i in ids]}
        assert state.difference().viewed == tuple(ids)


def test_an_unknown_read_with_two_slots_tells_them_apart() -> None:
    spec = foreign_tool("get_cards", "", PAIR, domain="cards")
    there, back = difference_of(spec, left="c1", right="c2"), difference_of(spec, left="c2", right="c1")
    assert {canonical_json([e.entity_id, e.value]) for e in there.activity} != {
        canonical_json([e.entity_id, e.value]) for e in back.activity
    }


def test_an_unknown_read_views_the_record_it_is_called_on() -> None:
    spec = foreign_tool("get_card", "", CARD, domain="cards")
    assert difference_of(spec, card="c2") == Difference(
        activity=(Activity("get_card", "view", "c2", {"slot": "card"}),)
    )
    assert spec.is_read
    assert spec.effects == (View("card"),)


def test_an_unknown_read_without_slots_searches_records_of_every_type() -> None:
    spec = foreign_tool("find_cards", "", (), domain="cards", parameters=TOOLS["search_crm"].parameters)
    state = WorldState(WORLD)
    result = execute(spec, {}, {"query": "red"}, state, permissions=Permissions(), typed=False)
    assert spec.is_search
    assert result.content["results"] == [{"id": "c2", "type": "credit_card", "name": "Red"}]
    assert state.difference() == Difference(activity=(Activity("find_cards", "search", ""),))


def test_an_unknown_write_is_denied_on_a_record_the_user_may_not_change() -> None:
    state = WorldState(WORLD)
    spec = foreign_tool("freeze_card", "", CARD, domain="cards")
    rights = Permissions(read_only=frozenset({"c1"}))
    assert execute(spec, {"card": "c1"}, {}, state, permissions=rights, typed=False).denied
    assert state.difference() == Difference()


def test_a_tool_declared_to_read_does_not_write_though_a_registered_one_of_its_name_does() -> None:
    slots = (EntityPrecondition("ticket", "ticket"),)
    declared = foreign_tool("close_ticket", "", slots, domain="x", action_type=ActionType.RETRIEVE)
    assert declared.is_read
    assert [type(effect).__name__ for effect in declared.effects] == ["View"]


def test_an_unknown_write_that_takes_no_record_still_leaves_a_trace() -> None:
    one, other = (foreign_tool(name, "", (), domain="x") for name in ("create_report", "create_backup"))
    traces = []
    for spec in (one, other):
        state = WorldState(World())
        execute(spec, {}, {}, state, permissions=Permissions(), typed=False)
        traces.append(state.difference())
    assert traces[0].activity
    assert traces[0] != traces[1]
