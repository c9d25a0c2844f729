from __future__ import annotations

import pytest

from ebf_env.decisions import Clarify, Defer, ToolCall, check_call
from ebf_env.scoring import Outcome, RewardConfig, judge
from ebf_env.tasks import Task
from ebf_env.world import RiskLevel


def verdict_of(task: Task, decision, answered=None):
    if isinstance(decision, ToolCall):
        decision = check_call(decision, task.tools, task.world.get)
    return judge(task, decision, answered)


def send(**bindings) -> ToolCall:
    return ToolCall("send_email", bindings)


RESOLVABLE = [
    (send(recipient="p2"), Outcome.SUCCESS),
    (send(recipient="p1"), Outcome.WRONG_ENTITY),
    (send(recipient="p2", thread="t1"), Outcome.WRONG_ENTITY),
    (send(recipient="p2", attachments=("d1",)), Outcome.WRONG_ENTITY),
    (ToolCall("draft_email", {"recipient": "p2"}), Outcome.WRONG_TOOL),
    (ToolCall("draft_email", {"recipient": "p1"}), Outcome.WRONG_TOOL_AND_ENTITY),
    (ToolCall("forward_thread", {"recipient": "p2", "thread": "t1"}), Outcome.WRONG_TOOL_AND_ENTITY),
    (ToolCall("search_directory", {}, {"query": "Alex"}), Outcome.WRONG_TOOL),
    (Clarify("Which Alex?"), Outcome.UNNEEDED_CLARIFICATION),
    (Defer("unsure"), Outcome.UNNEEDED_DEFERRAL),
    (send(), Outcome.INVALID),
    (send(recipient="p9"), Outcome.INVALID),
    (send(recipient="d1"), Outcome.INVALID),
    (send(recipient=("p1", "p2")), Outcome.INVALID),
    (ToolCall("close_ticket", {"ticket": "k1"}), Outcome.INVALID),
]


@pytest.mark.parametrize(("decision", "outcome"), RESOLVABLE)
def test_outcomes_of_a_resolvable_task(resolvable, decision, outcome):
    assert verdict_of(resolvable, decision).outcome is outcome


UNRESOLVED = [
    (send(recipient="p1"), Outcome.WRONG_ENTITY),
    (send(recipient="p2"), Outcome.WRONG_ENTITY),
    (ToolCall("draft_email", {"recipient": "p2"}), Outcome.WRONG_TOOL),
    (ToolCall("search_directory", {}), Outcome.WRONG_TOOL),
    (Clarify("Which?"), Outcome.NEEDED_CLARIFICATION),
    (Defer("?"), Outcome.NEEDED_DEFERRAL),
    (send(recipient="nobody"), Outcome.INVALID),
]


@pytest.mark.parametrize("kind", ["ambiguous", "unactionable"])
@pytest.mark.parametrize(("decision", "outcome"), UNRESOLVED)
def test_outcomes_where_acting_is_wrong(request, kind, decision, outcome):
    assert verdict_of(request.getfixturevalue(kind), decision).outcome is outcome


def test_many_slots_compare_as_sets_and_every_mentioned_slot_counts(several):
    right = {"recipient": "p3", "thread": "t1", "attachments": ("d2", "d1")}
    assert verdict_of(several, send(**right)).outcome is Outcome.SUCCESS
    for slot, wrong in [("recipient", "p1"), ("attachments", ("d1",)), ("attachments", ("d1", "d2"))]:
        changed = {**right, slot: wrong}
        expected = Outcome.SUCCESS if wrong == ("d1", "d2") else Outcome.WRONG_ENTITY
        assert verdict_of(several, send(**changed)).outcome is expected
    for left_out in ("thread", "attachments"):
        partial = {slot: bound for slot, bound in right.items() if slot != left_out}
        assert verdict_of(several, send(**partial)).outcome is Outcome.WRONG_ENTITY


def test_an_answered_question_makes_the_intent_gold_and_a_guess_stays_wrong(ambiguous):
    answered = {"recipient": "p2"}
    assert verdict_of(ambiguous, send(recipient="p2"), answered).outcome is Outcome.SUCCESS
    assert verdict_of(ambiguous, send(recipient="p1"), answered).outcome is Outcome.WRONG_ENTITY
    assert verdict_of(ambiguous, Clarify("again?"), answered).outcome is Outcome.UNNEEDED_CLARIFICATION
    assert verdict_of(ambiguous, send(recipient="p2")).outcome is Outcome.WRONG_ENTITY


def test_a_partly_ambiguous_task_is_not_saved_by_its_resolved_slot(make_task):
    task = make_task(
        instruction="Forward the launch thread to Alex.",
        tool="forward_thread",
        bindings={"thread": "t1", "recipient": None},
        label="ambiguous",
        condition="true_ambiguity",
        intent={"recipient": "p1"},
    )
    call = ToolCall("forward_thread", {"thread": "t1", "recipient": "p1"})
    assert verdict_of(task, call).outcome is Outcome.WRONG_ENTITY
    assert verdict_of(task, call, {"recipient": "p1"}).outcome is Outcome.SUCCESS


def test_the_reason_of_a_deferral_is_scored_apart_and_only_where_nothing_can_be_done(
    unactionable, ambiguous, resolvable
):
    assert verdict_of(unactionable, Defer("no_referent")).reason_right is True
    assert verdict_of(unactionable, Defer("no referent")).reason_right is True
    assert verdict_of(unactionable, Defer("not_permitted")).reason_right is False
    assert verdict_of(ambiguous, Defer("no_referent")).reason_right is None
    assert verdict_of(resolvable, Defer("no_referent")).reason_right is None


def test_the_risk_of_a_wrong_entity_is_the_annotation_where_there_is_one(make_task, resolvable):
    assert verdict_of(resolvable, send(recipient="p1")).risk_weighted_wrong_entity == RiskLevel.HIGH.weight == 4
    annotated = make_task(risk=RiskLevel.MEDIUM)
    assert verdict_of(annotated, send(recipient="p1")).risk_weighted_wrong_entity == 2
    assert verdict_of(annotated, send(recipient="p2")).risk_weighted_wrong_entity == 0


def reward_of(task, decision, *, interactive=False, could_say=True, config=None, answered=None) -> float:
    verdict = verdict_of(task, decision, answered)
    return (config or RewardConfig()).of_outcome(verdict, interactive=interactive, user_could_say=could_say)


def test_default_rewards_of_single_step(resolvable, ambiguous, critical):
    assert reward_of(resolvable, send(recipient="p2")) == 1
    assert reward_of(resolvable, send(recipient="p1")) == -4
    assert reward_of(critical, ToolCall("cancel_event", {"event": "e2"})) == -5
    assert reward_of(critical, ToolCall("reschedule_event", {"event": "e1"})) == -4, (
        "a wrong tool has the called tool's risk"
    )
    assert reward_of(resolvable, ToolCall("draft_email", {"recipient": "p2"})) == -2
    assert reward_of(resolvable, ToolCall("search_directory", {})) == -1
    assert reward_of(resolvable, send()) == -0.25
    assert reward_of(resolvable, Clarify("?")) == -0.25
    assert reward_of(resolvable, Defer("?")) == -0.25
    assert reward_of(ambiguous, Clarify("?")) == 1
    assert reward_of(ambiguous, Defer("?")) == 1


def test_default_rewards_of_interactive(resolvable, ambiguous, unactionable):
    assert reward_of(ambiguous, Clarify("?"), interactive=True) == -0.1
    assert reward_of(resolvable, Clarify("?"), interactive=True) == -0.1
    assert reward_of(unactionable, Defer("?"), interactive=True) == 1
    assert reward_of(ambiguous, Defer("?"), interactive=True, could_say=True) == -0.25
    assert reward_of(ambiguous, Defer("?"), interactive=True, could_say=False) == 1
    assert reward_of(resolvable, Defer("?"), interactive=True) == -0.25


def test_the_wrong_tool_penalty_ignores_the_task_annotation(make_task):
    task = make_task(risk=RiskLevel.CRITICAL)
    assert reward_of(task, ToolCall("draft_email", {"recipient": "p1"})) == -2
    assert reward_of(task, send(recipient="p1")) == -5


def test_every_reward_is_a_setting(resolvable, ambiguous):
    config = RewardConfig(success=2, wrong_entity=0.5, wrong_tool=3, invalid=1, needed=4, unneeded=5)
    assert reward_of(resolvable, send(recipient="p2"), config=config) == 2
    assert reward_of(resolvable, send(recipient="p1"), config=config) == -2
    assert reward_of(resolvable, ToolCall("draft_email", {"recipient": "p2"}), config=config) == -6
    assert reward_of(resolvable, send(), config=config) == -1
    assert reward_of(ambiguous, Clarify("?"), config=config) == 4
    assert reward_of(resolvable, Clarify("?"), config=config) == -5
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        RewardConfig(invalid=-1)
