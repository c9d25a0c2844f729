from __future__ import annotations

from ebf_env.scoring import (
    entity_binding_failure,
    entity_correct,
    is_ambiguous,
    multi_entity_failure,
    risk_weighted_ebf,
    tool_correct,
)
from ebf_env.world import RiskLevel


def test_the_papers_table_of_four_executed_outcomes():
    gold_tool, gold = "send_email", {"recipient": "kumar"}
    cells = {
        (tool, entity): (tool_correct(tool, gold_tool), entity_correct({"recipient": entity}, gold))
        for tool in ("send_email", "draft_email")
        for entity in ("kumar", "chen")
    }
    assert cells == {
        ("send_email", "kumar"): (True, True),
        ("send_email", "chen"): (True, False),
        ("draft_email", "kumar"): (False, True),
        ("draft_email", "chen"): (False, False),
    }


def test_an_entity_binding_failure_needs_the_right_tool_and_a_wrong_entity():
    gold = {"document": "d1", "recipient": "p1"}
    assert entity_binding_failure("share", {"document": "d1", "recipient": "p2"}, "share", gold)
    assert not entity_binding_failure("share", gold, "share", gold)
    assert not entity_binding_failure("delete", {"document": "d2"}, "share", gold)


def test_one_wrong_binding_of_several_is_a_multi_entity_failure():
    gold = {"document": "d1", "recipient": "p1"}
    assert multi_entity_failure({"document": "d1"}, gold)
    assert multi_entity_failure({"document": "d1", "recipient": "p2"}, gold)
    assert not multi_entity_failure({"recipient": "p1", "document": "d1"}, gold)


def test_nothing_bound_to_a_slot_without_gold_is_correct():
    assert not entity_correct({"document": "d1"}, {"document": None})
    assert not entity_correct({}, {"document": None})


def test_risk_weighted_failures_carry_the_published_weights():
    wrong, gold = {"document": "d2"}, {"document": "d1"}
    assert [risk_weighted_ebf("t", wrong, "t", gold, level) for level in RiskLevel] == [1, 2, 4, 5]
    assert [risk_weighted_ebf("t", gold, "t", gold, level) for level in RiskLevel] == [0, 0, 0, 0]
    assert risk_weighted_ebf("u", wrong, "t", gold, RiskLevel.CRITICAL) == 0


def test_a_mention_is_ambiguous_if_more_than_one_candidate_is_left():
    assert is_ambiguous(["a", "b"])
    assert not is_ambiguous(["a", "a"])
    assert not is_ambiguous([])
