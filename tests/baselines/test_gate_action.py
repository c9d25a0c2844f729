"""``ActionGate`` outside the environment: stores of plain dicts, foreign tools, and every bad input."""

from __future__ import annotations

import dataclasses
from datetime import datetime

import pytest

from ebf_baselines.calibration import ScorerMismatchError, read_certificate
from ebf_baselines.gating import ActionGate, Candidates, Execute, PlainThresholds
from ebf_baselines.gating.evidence import is_held
from ebf_baselines.gating.foreign import spec_of_function
from ebf_baselines.gating.scorer import SHIPPED, certificate_for_resolver, resolver_id
from ebf_baselines.resolution.store import Record, RecordStore
from ebf_env.decisions import Clarify, Defer, ToolCall
from ebf_env.errors import ConfigurationError
from ebf_env.world import TOOLS, EntityPrecondition, RiskLevel, ToolSpec
from ebf_env.world.tools.foreign import foreign_tool

PLAIN = PlainThresholds(0.7, 0.3)
PEOPLE = [
    {"id": "p1", "type": "person", "name": "Alex Chen", "team": "Launch", "aliases": ["Lex"]},
    {"id": "p2", "type": "person", "name": "Alex Kumar", "team": "Customer Success"},
    {"id": "p3", "type": "person", "name": "Maria Lopez", "team": "Launch"},
]
DOCUMENTS = [
    {"id": "d1", "type": "document", "title": "Launch plan", "owner": "p1", "status": "final"},
    {"id": "d2", "type": "document", "title": "Launch plan", "owner": "p3", "status": "draft"},
    {"id": "d3", "type": "document", "title": "Budget", "owner": "p3", "status": "draft"},
]
SEND, SHARE, READ = TOOLS["send_email"], TOOLS["share_document"], TOOLS["read_document"]


def gate(*rows: dict[str, object], **settings: object) -> ActionGate:
    return ActionGate(RecordStore.of_dicts(rows or (*PEOPLE, *DOCUMENTS)), PLAIN, **settings)  # type: ignore[arg-type]


def decide(
    instruction: str, bindings: dict[str, object], spec: ToolSpec = SEND, **more: object
) -> Execute | Candidates | Clarify | Defer:
    return gate().decide(instruction, ToolCall(spec.name, bindings), spec, **more)  # type: ignore[arg-type]


def offered(decision: object) -> set[str]:
    assert isinstance(decision, Clarify)
    return {option.entity_id for option in decision.options}


# --- acting ---


def test_a_call_on_what_is_denoted_is_executed_with_evidence_that_the_store_holds():
    decision = decide("Send an email to Alex from the Launch team", {"recipient": "p1"})
    assert isinstance(decision, Execute)
    assert decision.call.bindings == {"recipient": "p1"}
    assert decision.evidence
    store = gate().store
    assert all(is_held(store, piece.source_id, piece.field, piece.value) for piece in decision.evidence)
    assert any("p2" in (piece.text or "") for piece in decision.evidence)  # why the runner-up lost


def test_arguments_pass_through_untouched():
    call = ToolCall("send_email", {"recipient": "p1"}, {"subject": "Hello", "nested": {"a": [1]}})
    decision = gate().decide("Send an email to Alex from the Launch team", call, SEND)
    assert isinstance(decision, Execute)
    assert decision.call.arguments == call.arguments


def test_the_gate_changes_no_record():
    own = gate()
    before = [dataclasses.replace(record) for record in own.store.records]
    own.decide("Send an email to Alex", ToolCall("send_email", {"recipient": "p1"}), SEND)
    assert list(own.store.records) == before


def test_the_same_input_has_the_same_answer():
    assert decide("Send Alex an email", {"recipient": "p1"}) == decide("Send Alex an email", {"recipient": "p1"})


# --- names ---


@pytest.mark.parametrize("name", ["Alex Chen", "alex chen", "ALEX CHEN", "Lex"])
def test_a_name_in_a_call_becomes_the_id(name: str):
    decision = decide("Send an email to Alex from the Launch team", {"recipient": name})
    assert isinstance(decision, Execute)
    assert decision.call.bindings == {"recipient": "p1"}


def test_a_name_of_several_records_that_the_instruction_does_not_settle_is_asked_about():
    assert offered(decide("Send an email to Alex", {"recipient": "Alex"})) == {"p1", "p2"}


def test_a_name_of_another_record_than_the_instruction_denotes_is_asked_about():
    decision = decide("Send an email to Alex from the Launch team", {"recipient": "Maria Lopez"})
    assert {"p1", "p3"} <= offered(decision)


@pytest.mark.parametrize("bound", ["nobody", "", "p99", 7, None, ["p1", "p2"], {"id": "p1"}, [], [None]])
def test_no_string_slips_into_a_call_and_no_odd_binding_raises(bound: object):
    decision = decide("Send an email to Alex from the Launch team", {"recipient": bound})
    assert isinstance(decision, Clarify)
    assert decision.slot == "recipient"


def test_a_record_of_another_type_does_not_fill_a_slot():
    decision = decide("Send an email to Alex from the Launch team", {"recipient": "d1"})
    assert "d1" not in offered(decision)


# --- preconditions ---


def test_a_missing_required_slot_is_asked_about():
    decision = decide("Share the budget with Maria", {"document": "d3"}, SHARE)
    assert isinstance(decision, Clarify)
    assert decision.slot == "recipient"
    assert offered(decision) == {"p3"}


def test_an_unknown_slot_is_refused():
    decision = decide("Send an email to Maria", {"recipient": "p3", "wizard": "p1"})
    assert isinstance(decision, Defer)
    assert decision.reason.startswith("unknown_slot")


@pytest.mark.parametrize("spec", [None, SHARE])
def test_a_tool_that_the_gate_does_not_know_is_deferred(spec: ToolSpec | None):
    decision = gate().decide("Launch the rocket", ToolCall("launch_rocket", {"rocket": "p1"}), spec)
    assert isinstance(decision, Defer)
    assert decision.reason == "unknown_tool: launch_rocket"


def test_an_optional_slot_that_nobody_mentioned_is_not_bound():
    spec = next(
        s
        for s in TOOLS.values()
        if any(not p.required and p.entity_type == "document" for p in s.preconditions)
        and [p.entity_type for p in s.preconditions if p.required] == ["person"]
    )
    person = next(p.slot for p in spec.preconditions if p.required)
    document = next(p for p in spec.preconditions if p.entity_type == "document")
    bound = ("d3",) if document.many else "d3"
    decision = gate().decide("Send an email to Maria", ToolCall(spec.name, {person: "p3", document.slot: bound}), spec)
    assert isinstance(decision, Execute)
    assert decision.call.bindings == {person: "p3"}
    assert decision.dropped == (document.slot,)


def test_every_mention_of_a_slot_of_many_must_be_resolved():
    spec = foreign_tool(
        "invite_people", "Invite people.", (EntityPrecondition("people", "person", True, True),), domain="x"
    )
    both = gate().decide("Invite Maria Lopez and Alex Kumar", ToolCall(spec.name, {"people": ["p3", "p2"]}), spec)
    assert isinstance(both, Execute)
    assert set(both.call.bindings["people"]) == {"p2", "p3"}
    unclear = gate().decide("Invite Maria Lopez and Alex", ToolCall(spec.name, {"people": ["p3", "p2"]}), spec)
    assert offered(unclear) == {"p1", "p2"}
    missing = gate().decide("Invite Maria Lopez and Alex Kumar", ToolCall(spec.name, {"people": ["p3"]}), spec)
    assert isinstance(missing, Clarify)


def test_what_the_user_may_not_change_is_deferred():
    spec = next(s for s in TOOLS.values() if s.name == "delete_document")
    store = RecordStore([Record("d3", "document", {"title": "Budget"}, may_change=False)])
    decision = ActionGate(store, PLAIN).decide("Delete the budget", ToolCall(spec.name, {"document": "d3"}), spec)
    assert decision == Defer("not_permitted")


def test_what_nothing_fits_is_deferred():
    decision = decide("Send an email to Maria from Customer Success", {"recipient": "p3"})
    assert decision == Defer("no_referent")


def test_an_unclear_tool_is_asked_about_where_tools_are_known():
    tools = (TOOLS["delete_document"], TOOLS["read_document"], TOOLS["share_document"])
    own = gate(tools=tools)
    wanted = own.decide("Open the budget", ToolCall("read_document", {"document": "d3"}), READ)
    assert isinstance(wanted, Execute)
    other = own.decide("Open the budget", ToolCall("delete_document", {"document": "d3"}), TOOLS["delete_document"])
    assert isinstance(other, Clarify)
    assert "delete the document" in other.question


# --- reads ---


def test_a_low_risk_read_may_be_answered_with_candidates():
    assert isinstance(
        gate().decide("Open the launch plan", ToolCall("read_document", {"document": "d1"}), READ), Clarify
    )
    found = gate(candidates=5).decide("Open the launch plan", ToolCall("read_document", {"document": "d1"}), READ)
    assert isinstance(found, Candidates)
    assert {call.bindings["document"] for call in found.calls} == {"d1", "d2"}
    write = gate(candidates=5).decide("Send an email to Alex", ToolCall("send_email", {"recipient": "p1"}), SEND)
    assert isinstance(write, Clarify)


# --- answers ---


def test_an_answer_settles_what_was_asked_and_nothing_is_asked_twice():
    own = gate()
    call = ToolCall("send_email", {"recipient": "p1"})
    asked = own.decide("Send an email to Alex", call, SEND)
    assert isinstance(asked, Clarify)
    from ebf_env.decisions import decision_text

    said = {"role": "assistant", "content": decision_text(asked)}
    chosen = {"role": "user", "content": "The second.", "chosen": ["p2"]}
    settled = own.decide(
        "Send an email to Alex", ToolCall("send_email", {"recipient": "p2"}), SEND, messages=(said, chosen)
    )
    assert isinstance(settled, Execute)
    assert settled.call.bindings == {"recipient": "p2"}
    for text in ("I don't know either.", "No idea, sorry.", "Just do what you think is right."):
        lost = own.decide("Send an email to Alex", call, SEND, messages=(said, {"role": "user", "content": text}))
        assert lost == Defer("unclear")
    described = {"role": "user", "content": "The one with Launch.", "said": {"team": "Launch"}}
    told = own.decide("Send an email to Alex", call, SEND, messages=(said, described))
    assert isinstance(told, Execute)
    neither = {"role": "user", "content": "None of those."}
    gone = own.decide("Send an email to Alex", call, SEND, messages=(said, neither))
    assert gone == Defer("no_referent")


# --- a model's own scores ---


def test_a_models_own_scores_are_gated_when_told_to():
    own = gate(scorer="own")
    sure = ToolCall("send_email", {"recipient": "p1"}, scores={"recipient": {"p1": 0.9, "p2": 0.1}})
    assert isinstance(own.decide("anything", sure, SEND), Execute)
    unsure = dataclasses.replace(sure, scores={"recipient": {"p1": 0.6, "p2": 0.4}})
    assert offered(own.decide("anything", unsure, SEND)) == {"p1", "p2"}


# --- bad input ---


def test_an_empty_store():
    decision = ActionGate(RecordStore([]), PLAIN).decide(
        "Send an email to Alex", ToolCall("send_email", {"recipient": "Alex"}), SEND
    )
    assert isinstance(decision, Clarify)
    assert decision.options == ()


@pytest.mark.parametrize("instruction", ["Send an email to Zebulon Quux", "", "   ", "?!", "asdf qwer zxcv"])
def test_a_mention_that_matches_nothing_never_acts(instruction: str):
    assert not isinstance(decide(instruction, {"recipient": "p1"}), Execute)


def test_ten_thousand_people_called_alex():
    rows = [{"id": f"x{n}", "type": "person", "name": "Alex Chen", "badge": f"B{n}"} for n in range(10_000)]
    decision = gate(*rows).decide("Send Alex an email", ToolCall("send_email", {"recipient": "x7"}), SEND)
    assert isinstance(decision, Clarify)
    assert len(decision.options) <= 5


def test_records_with_missing_names():
    rows = [
        {"id": "a", "type": "person"},
        {"id": "b", "type": "person", "name": None},
        {"id": "c", "type": "person", "name": ""},
        *PEOPLE,
    ]
    decision = gate(*rows).decide("Send an email to Maria", ToolCall("send_email", {"recipient": "p3"}), SEND)
    assert isinstance(decision, Execute)
    assert not isinstance(
        gate(*rows[:3]).decide("Send an email to Maria", ToolCall("send_email", {"recipient": "a"}), SEND), Execute
    )


def test_dates_in_the_past_and_times_that_are_none():
    rows = [
        {"id": "e1", "type": "calendar_event", "title": "Sync", "start": "1066-10-14T09:00:00+00:00"},
        {"id": "e2", "type": "calendar_event", "title": "Sync", "start": "2026-03-04T09:00:00+00:00"},
        {"id": "e3", "type": "calendar_event", "title": "Sync", "start": "not a time"},
    ]
    spec = TOOLS["get_event"]
    now = datetime.fromisoformat("2026-03-03T12:00:00+00:00")
    tomorrow = gate(*rows).decide("Open tomorrow's sync", ToolCall(spec.name, {"event": "e2"}), spec, now=now)
    assert isinstance(tomorrow, Execute)
    past = gate(*rows).decide("Open tomorrow's sync", ToolCall(spec.name, {"event": "e1"}), spec, now=now)
    assert not isinstance(past, Execute)
    for moment in ("yesterday-ish", "", None, "0001-01-01T00:00:00"):
        decision = gate(*rows).decide("Open tomorrow's sync", ToolCall(spec.name, {"event": "e1"}), spec, now=moment)
        assert not isinstance(decision, Execute)


@pytest.mark.parametrize(
    "instruction",
    [
        "SEND AN EMAIL TO ALEX FROM THE LAUNCH TEAM",
        "send an email to alex from the launch team",
        "Send an email to Alex from the Launch team!!!",
    ],
)
def test_capitals_and_missing_punctuation_change_nothing(instruction: str):
    decision = decide(instruction, {"recipient": "p1"})
    assert isinstance(decision, Execute)
    assert isinstance(decide(instruction, {"recipient": "p2"}), Clarify)


@pytest.mark.parametrize("instruction", ["送信してください", "Отправь письмо Алексу", "שלח אימייל לאלכס", "📧 ➡️ 👤"])
def test_an_instruction_in_another_script_is_asked_about(instruction: str):
    decision = decide(instruction, {"recipient": "p1"})
    assert isinstance(decision, Clarify | Defer)


def test_odd_shapes_of_history_and_messages_do_not_raise():
    odd = ({"role": "user"}, {"role": "user", "content": 5}, {"content": "x"}, {})
    decision = decide("Send an email to Maria", {"recipient": "p3"}, history=odd, messages=odd, user={"name": 3})
    assert isinstance(decision, Execute)


# --- certificates ---


def test_a_certificate_for_another_scorer_is_refused(tmp_path):
    other = read_certificate(SHIPPED).model_copy(
        update={"scorer": resolver_id().model_copy(update={"sha256": "0" * 64})}
    )
    with pytest.raises(ScorerMismatchError, match="calibrate"):
        ActionGate(RecordStore([]), other)
    other.write(tmp_path / "other.json")
    with pytest.raises(ScorerMismatchError):
        certificate_for_resolver(tmp_path / "other.json")


def test_the_shipped_certificate_is_for_the_resolver_as_it_is():
    certificate = certificate_for_resolver(SHIPPED)
    assert not certificate.never_acts


def test_a_certified_gate_uses_the_thresholds_of_the_tools_risk():
    certificate = read_certificate(SHIPPED).model_copy(update={"scorer": resolver_id()})
    own = ActionGate(RecordStore.of_dicts([*PEOPLE, *DOCUMENTS]), certificate)
    decision = own.decide("Send an email to Maria Lopez", ToolCall("send_email", {"recipient": "p3"}), SEND)
    assert isinstance(decision, Execute) is certificate.acts(0.97, 0.97, RiskLevel.MEDIUM)


@pytest.mark.parametrize(("tau", "delta"), [(-0.1, 0.2), (1.1, 0.2), (0.5, 2.0), (float("nan"), 0.2)])
def test_thresholds_are_probabilities(tau: float, delta: float):
    with pytest.raises(ConfigurationError, match=r"from 0 to 1"):
        PlainThresholds(tau, delta)


# --- other people's tools ---


def test_an_openai_function_becomes_a_tool():
    function = {
        "name": "close_issue",
        "description": "Close an issue.",
        "parameters": {
            "type": "object",
            "properties": {"issues": {"type": "array"}, "reason": {"type": "string"}, "count": {"type": "integer"}},
            "required": ["issues"],
        },
    }
    spec = spec_of_function(function, {"issues": "issue"}, changes=("issues",))
    assert spec.preconditions == (EntityPrecondition("issues", "issue", True, True, True),)
    assert [(p.name, p.type) for p in spec.parameters] == [("reason", "string"), ("count", "integer")]
    assert spec.risk is RiskLevel.CRITICAL
    assert spec_of_function(SEND.function_schema()).preconditions[0].entity_type == "person"
    with pytest.raises(ConfigurationError, match="no parameter 'who'"):
        spec_of_function(function, {"who": "person"})
    with pytest.raises(ConfigurationError, match="no name"):
        spec_of_function({"parameters": {}})
