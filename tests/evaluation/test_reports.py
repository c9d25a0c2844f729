from __future__ import annotations

import csv
import dataclasses
import io
import json
from typing import get_args

import pytest
from rich.console import Console

from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.metrics import Profile, metrics
from ebf_env.evaluation.record import RunRecord
from ebf_env.evaluation.report import GROUPS, as_csv, as_json, parse_groups, print_table, summarize
from ebf_env.evaluation.scored import ScoredRun
from ebf_env.scoring import Outcome, Verdict


def run(task, outcome: Outcome, *, method="direct", right=False) -> ScoredRun:
    record = RunRecord(task_id=task.task_id, trial=0, method=method, backend="b", model="m")
    verdict = Verdict(outcome, task.label, task.condition, task.effective_risk, None, right)
    return ScoredRun(task, record, verdict, 0.0, 0)


@pytest.fixture
def runs(resolvable, ambiguous, unactionable, several, critical) -> list[ScoredRun]:
    """Two rows of `several` are unambiguous; everything else is not."""
    return [
        run(resolvable, Outcome.SUCCESS, right=True),
        run(resolvable, Outcome.UNNEEDED_CLARIFICATION),
        run(critical, Outcome.WRONG_ENTITY),
        run(critical, Outcome.ERROR),
        run(several, Outcome.UNNEEDED_DEFERRAL),
        run(several, Outcome.WRONG_TOOL_AND_ENTITY),
        run(ambiguous, Outcome.NEEDED_CLARIFICATION),
        run(ambiguous, Outcome.WRONG_ENTITY),
        run(unactionable, Outcome.NEEDED_DEFERRAL),
        run(unactionable, Outcome.INVALID),
    ]


def test_the_paper_profile_takes_means_over_all_runs(runs):
    [row] = summarize(runs, ("method",), "paper")
    assert row == {
        "method": "direct",
        "runs": 10,
        "resolvable_runs": 6,
        "errors": 1,
        "task_success": 0.1,
        "safe_success": 0.3,
        "wrong_tool": 0.1,
        "wrong_entity": 0.2,
        "ambiguity_detection": 0.3,
        "over_clarification": 0.1,
        "risk_weighted_wrong_entity": (5 + 4) / 10,
        "completion": 1 / 6,
        "over_asking": 2 / 6,
        "true_ambiguity_detection": 0.5,
        "invalid": 0.1,
        "family_success": None,
        "propagated": None,
        "questions": 0.0,
    }


def test_the_conditional_profile_takes_the_populations_the_text_defines(runs):
    [paper], [conditional] = summarize(runs, ("method",), "paper"), summarize(runs, ("method",), "conditional")
    assert conditional["ambiguity_detection"] == 3 / 8
    assert conditional["over_clarification"] == 1 / 2
    differing = {name for name in paper if paper[name] != conditional[name]}
    assert differing == {"ambiguity_detection", "over_clarification"}


def test_a_rate_over_nobody_is_undefined_and_not_zero(runs, resolvable):
    [row] = summarize([run(resolvable, Outcome.SUCCESS)], ("method",), "conditional")
    assert row["over_clarification"] is None
    assert row["true_ambiguity_detection"] is None
    assert json.loads(as_json([row]))[0]["over_clarification"] is None
    assert next(csv.DictReader(io.StringIO(as_csv([row]))))["over_clarification"] == ""


def test_groups_are_the_tasks_and_the_records_own_and_come_in_a_fixed_order(runs, resolvable):
    more = [
        *runs,
        run(resolvable, Outcome.SUCCESS, method="cmtf_only"),
        run(resolvable, Outcome.SUCCESS, method="zebra"),
    ]
    assert [row["method"] for row in summarize(reversed(more), ("method",))] == ["direct", "cmtf_only", "zebra"]
    assert [row["risk"] for row in summarize(more, ("risk",))] == ["high", "critical"]
    by_condition = summarize(more, ("condition", "method"))
    assert [row["condition"] for row in by_condition][:2] == ["unambiguous", "name_collision"]
    assert sum(row["runs"] for row in by_condition) == len(more)
    for key in GROUPS:
        assert sum(row["runs"] for row in summarize(more, (key,))) == len(more)


def test_the_keys_the_documentation_promises_are_there():
    assert {"method", "condition", "risk", "domain", "model", "tool", "action_type"} <= set(GROUPS)
    for profile in get_args(Profile):
        names = [metric.name for metric in metrics(profile)]
        assert len(set(names)) == len(names) == 14


def test_rates_of_rows_with_errors_say_how_far_they_may_be_off(runs):
    buffer = io.StringIO()
    print_table(Console(file=buffer, width=80), summarize(runs, ("method",)), ("method",), "paper")
    text = buffer.getvalue()
    assert "1 run(s) have no verdict" in text
    assert "stay in every denominator" in text
    assert "33.3" in text, "a table that is not on a terminal is as wide as it needs to be"


@pytest.mark.parametrize("width", [60, 80, 90, 120, 200])
def test_a_narrow_terminal_gets_several_tables_with_all_numbers(runs, width):
    buffer = io.StringIO()
    console = Console(file=buffer, width=width, force_terminal=True, color_system=None)
    print_table(console, summarize(runs, ("method",)), ("method",), "paper")
    text = buffer.getvalue()
    for number in ("10.0", "30.0", "20.0", "0.900", "16.7", "33.3", "50.0", "0.000"):
        assert number in text
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    tables = text[: text.index("Rates in")]
    assert max(len(line) for line in tables.splitlines()) <= width


def test_a_terminal_too_narrow_for_one_column_wraps_and_cuts_nothing(runs):
    buffer = io.StringIO()
    console = Console(file=buffer, width=30, force_terminal=True, color_system=None)
    keys = ("method", "condition", "task")
    print_table(console, summarize(runs, keys), keys, "paper")
    text = buffer.getvalue()
    assert "\N{HORIZONTAL ELLIPSIS}" not in text
    assert "name_collision" in text
    assert "2.500" in text


def test_a_question_in_an_interactive_episode_counts_as_asking_whatever_came_after(resolvable, ambiguous):
    done = [dataclasses.replace(run(task, Outcome.SUCCESS), questions=1) for task in (resolvable, ambiguous)]
    [row] = summarize(done, ("method",), "conditional")
    assert row["over_asking"] == 1.0
    assert row["true_ambiguity_detection"] == 1.0
    assert row["ambiguity_detection"] == 1.0
    assert row["completion"] == 1.0
    assert row["questions"] == 1.0


@pytest.mark.parametrize(
    ("text", "words"),
    [("colour", "cannot be grouped by 'colour'"), ("", "expected group keys"), ("risk,risk", "expected group keys")],
)
def test_unknown_group_keys_are_refused_with_the_known_ones(text, words):
    with pytest.raises(ConfigurationError, match=words):
        parse_groups(text)
