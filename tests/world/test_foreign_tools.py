"""Tools of other people's suites: what a name alone tells about them, and what they do to records of any shape."""

from __future__ import annotations

import pytest

from ebf_env.world import (
    TOOLS,
    ActionType,
    Difference,
    Entity,
    EntityPrecondition,
    FieldChange,
    Permissions,
    RiskLevel,
    ToolParameter,
    ToolSpec,
    View,
    World,
    WorldState,
    execute,
)
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


def difference_of(spec: ToolSpec, **bindings: str) -> Difference:
    state = WorldState(WORLD)
    execute(spec, bindings, {}, state, permissions=Permissions(), typed=False)
    return state.difference()


@pytest.mark.parametrize(("action", "verb"), [(a, v) for a, verbs in VERBS.items() for v in verbs.split()])
def test_the_verb_of_a_name_tells_action_type_and_risk(action: str, verb: str) -> None:
    for name in (f"{verb}_card", verb, f"{verb.upper()}_Card"):
        assert action_type_of(name) is ActionType(action)
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


def test_an_unknown_write_marks_the_record_it_is_called_on() -> None:
    spec = foreign_tool("freeze_card", "", CARD, domain="cards")
    assert difference_of(spec, card="c1") == Difference(
        changed=(FieldChange("c1", "last_action", None, "freeze_card"), FieldChange("c1", "revision", None, 1))
    )
    assert difference_of(spec, card="c1") != difference_of(spec, card="c2")
    assert difference_of(spec, card="c1") != difference_of(
        foreign_tool("unfreeze_card", "", CARD, domain="x"), card="c1"
    )


def test_an_unknown_read_views_the_record_it_is_called_on() -> None:
    spec = foreign_tool("get_card", "", CARD, domain="cards")
    assert difference_of(spec, card="c2") == Difference(viewed=(View("get_card", "c2"),))
    assert spec.is_read
    assert spec.opens_record


def test_an_unknown_read_without_slots_searches_records_of_every_type() -> None:
    spec = foreign_tool("find_cards", "", (), domain="cards", parameters=TOOLS["search_crm"].parameters)
    state = WorldState(WORLD)
    result = execute(spec, {}, {"query": "red"}, state, permissions=Permissions(), typed=False)
    assert spec.is_search
    assert result.content["results"] == [{"id": "c2", "type": "credit_card", "name": "Red"}]
    assert state.difference() == Difference()


def test_an_unknown_write_is_denied_on_a_record_the_user_may_not_change() -> None:
    state = WorldState(WORLD)
    spec = foreign_tool("freeze_card", "", CARD, domain="cards")
    rights = Permissions(read_only=frozenset({"c1"}))
    assert execute(spec, {"card": "c1"}, {}, state, permissions=rights, typed=False).denied
    assert state.difference() == Difference()
