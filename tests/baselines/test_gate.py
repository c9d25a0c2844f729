"""The execution policy on a model's own scores and evidence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebf_baselines.gate import MAX_OPTIONS, GatePolicy, is_borne_out, is_resolved
from ebf_env.decisions import Clarify, Defer, Evidence, Invalid, ToolCall
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.world import TOOLS, Entity

PEOPLE = tuple(
    Entity(f"p{n}", "person", {"name": f"Alex {name}", "team": team, "tags": ["a", {"b": n}]})
    for n, (name, team) in enumerate([("Chen", "Launch"), ("Kumar", "Support"), ("Diaz", "Sales"), *[("X", "Y")] * 5])
)
DOCUMENT = Entity("d", "document", {"title": "Plan", "owner": "p0"})
SEEN = Observation(
    "send Alex the plan",
    None,
    None,
    (),
    (TOOLS["send_email"], TOOLS["share_document"]),
    tuple(map(ObservedEntity, (*PEOPLE, DOCUMENT))),
)
RECORDS = {shown.id: shown for shown in SEEN.entities}


def send(scores: dict[str, float] | None = None, *evidence: Evidence) -> ToolCall:
    return ToolCall("send_email", {"recipient": "p0"}, {}, evidence, {} if scores is None else {"recipient": scores})


@pytest.mark.parametrize(
    ("scores", "bound", "resolved"),
    [
        ({"p0": 0.7, "p1": 0.5}, ("p0",), True),
        ({"p0": 0.69, "p1": 0.0}, ("p0",), False),
        ({"p0": 0.75, "p1": 0.6}, ("p0",), False),
        ({"p0": 0.1, "p1": 0.9}, ("p0",), False),
        ({"p1": 0.9}, ("p0",), False),
        ({"p0": 0.9, "p1": 0.8}, ("p0", "p1"), True),
        ({"p0": 0.9, "p1": 0.6}, ("p0", "p1"), False),
        ({}, ("p0",), False),
        ({"p0": 1.0}, (), False),
    ],
)
def test_what_is_bound_must_pass_tau_and_beat_the_rest_by_delta(scores, bound, resolved):
    assert is_resolved(scores, bound, 0.7, 0.2) is resolved


@given(
    st.dictionaries(st.sampled_from("abcd"), st.floats(0, 1), max_size=4),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_a_stricter_gate_resolves_nothing_more(scores: dict[str, float], tau: float, delta: float):
    if is_resolved(scores, ("a",), tau, delta):
        assert is_resolved(scores, ("a",), tau / 2, delta)
        assert is_resolved(scores, ("a",), tau, delta / 2)
        assert scores.get("a", 0) >= max(scores.values(), default=0) - 1e-6


def test_a_call_without_scores_is_the_models_own_decision():
    assert GatePolicy()(SEEN, send()) == send()


def test_a_call_whose_scores_do_not_suffice_becomes_a_question_about_the_slot():
    asked = GatePolicy()(SEEN, send({"p0": 0.5, "p1": 0.4, "d": 0.3, "nobody": 0.3}))
    assert isinstance(asked, Clarify)
    assert asked.slot == "recipient"
    assert [option.entity_id for option in asked.options] == ["p0", "p1"]
    assert asked.question == "Do you mean Alex Chen (p0) or Alex Kumar (p1)?"
    assert asked.tool == "send_email"
    assert asked.bindings == {}


def test_a_question_keeps_what_is_resolved_and_offers_few_options():
    scores = {"recipient": {f"p{n}": 0.1 for n in range(8)}, "document": {"d": 1.0}}
    asked = GatePolicy()(SEEN, ToolCall("share_document", {"document": "d", "recipient": "p7"}, scores=scores))
    assert isinstance(asked, Clarify)
    assert len(asked.options) == MAX_OPTIONS
    assert asked.options[0].entity_id == "p7"
    assert asked.bindings == {"document": "d"}


@pytest.mark.parametrize("proposal", [Clarify("which?"), Defer("no_referent"), Invalid("x"), ToolCall("send_email")])
def test_what_is_no_call_with_bindings_stays_as_it_is(proposal):
    assert GatePolicy(evidence=True)(SEEN, proposal) is proposal


def test_an_invented_id_is_left_for_the_environment_to_refuse():
    call = ToolCall("send_email", {"recipient": "p99"}, scores={"recipient": {"p99": 0.1}})
    assert GatePolicy(evidence=True)(SEEN, call) is call


@pytest.mark.parametrize(
    ("evidence", "borne_out"),
    [
        (Evidence("recipient", "p0", "p0", "team", "Launch"), True),
        (Evidence("recipient", "p0", None, "team", "launch "), True),
        (Evidence("recipient", "p0", "d", "owner", "p0"), True),
        (Evidence("recipient", "p0", "p0", "tags", ["a", {"b": 0}]), True),
        (Evidence("recipient", "p0", "p0", "tags.b", 0), True),
        (Evidence("recipient", "p0", "p0", "team", "Support"), False),
        (Evidence("recipient", "p0", "p0", "squad", "Launch"), False),
        (Evidence("recipient", "p0", "p99", "team", "Launch"), False),
        (Evidence("recipient", "p0", "p0", "team"), False),
        (Evidence("recipient", "p0", text="he is in Launch"), False),
    ],
)
def test_evidence_must_be_borne_out_by_the_records(evidence, borne_out):
    assert is_borne_out(evidence, RECORDS) is borne_out
    decided = GatePolicy(evidence=True)(SEEN, send({"p0": 1.0}, evidence))
    assert isinstance(decided, ToolCall) is borne_out


def test_evidence_for_another_record_does_not_count():
    decided = GatePolicy(evidence=True)(SEEN, send({"p0": 1.0}, Evidence("recipient", "p1", "p1", "team", "Support")))
    assert isinstance(decided, Clarify)
    assert decided.question == "Do you mean Alex Chen (p0)?"
