"""The metrics of questions over runs, worked out by hand."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console
from typer.testing import CliRunner

from ebf_agents import backends_named
from ebf_baselines import METHODS
from ebf_env.cli.app import app
from ebf_env.decisions import Clarify, Option, ToolCall
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs import EpisodeConfig
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.clarification import CLARIFICATION_METRICS, asked_runs
from ebf_env.evaluation.record import RunRecord, TurnRecord
from ebf_env.evaluation.report import print_clarification, summarize_clarification
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import score_record, score_run
from ebf_env.tasks import UserProfile, write_suite

OPTIONS = EpisodeConfig(interaction="interactive")
GOOD = Clarify(
    "?", "recipient", options=(Option("p1", {"team": "Launch"}), Option("p2", {"team": "Support"})), tool="send_email"
)
WRONG = Clarify("?", "recipient", options=(Option("p1", {"team": "Sales"}), Option("p2", {"team": "Support"})))
ACT = ToolCall("send_email", {"recipient": "p2"})
MISS = ToolCall("send_email", {"recipient": "p1"})


def run(task, *decisions, config=OPTIONS):
    turns = [TurnRecord(raw_response="", decision=decision_json(decision)) for decision in decisions]
    record = RunRecord(task_id=task.task_id, trial=0, method="m", backend="b", model="b", turns=turns)
    return score_record(task, record, config)


@pytest.fixture
def runs(ambiguous, resolvable):
    """Asked well and done right; asked well and done wrong; not asked; asked twice, once wrongly; asked needlessly."""
    return [
        run(ambiguous, GOOD, ACT),
        run(ambiguous, GOOD, MISS),
        run(ambiguous, MISS),
        run(ambiguous, WRONG, GOOD, ACT),
        run(resolvable, GOOD, ACT),
        run(resolvable, ACT),
    ]


def test_every_metric_by_hand(runs):
    [row] = summarize_clarification(runs)
    assert row == {
        "method": "m",
        "runs": 6,
        "resolvable_runs": 2,
        "errors": 0,
        "questions": 5,
        "precision": 3 / 4,
        "recall": 3 / 4,
        "over_asking": 1 / 2,
        "grounded": 4 / 5,
        "discriminative": 1.0,
        "minimal": 1.0,
        "redundant": 1 / 5,
        "answered": 1.0,
        "sufficient": 3 / 4,
        "extra_questions": pytest.approx((0 + 0 - 1 + 1 + 1 + 0) / 6),
    }


def test_nothing_asked_leaves_the_rest_undefined(ambiguous):
    [row] = summarize_clarification([run(ambiguous, MISS)])
    assert (row["recall"], row["precision"], row["grounded"], row["sufficient"]) == (0, None, None, None)


def test_single_steps_have_questions_without_answers(ambiguous):
    [row] = summarize_clarification([run(ambiguous, GOOD, config=EpisodeConfig())])
    assert (row["precision"], row["discriminative"], row["answered"], row["sufficient"]) == (1, 1, None, None)
    assert row["extra_questions"] == 0


def test_a_user_who_cannot_say_makes_the_optimum_no_question(ambiguous):
    config = EpisodeConfig(interaction="interactive", user=UserProfile(dont_know=1.0))
    [asked] = asked_runs([run(ambiguous, GOOD, MISS, config=config)])
    assert asked.fewest_questions == 0
    assert not asked.answered


def test_the_table_names_every_metric(runs):
    buffer = io.StringIO()
    print_clarification(Console(file=buffer, width=80), summarize_clarification(runs), ("method",))
    assert "75.0" in buffer.getvalue()
    assert len({metric.name for metric in CLARIFICATION_METRICS}) == 11


def test_the_command_reports_questions_offline(tmp_path, office_tasks):
    suite = write_suite(tmp_path / "office.jsonl", office_tasks)
    config = EpisodeConfig(interaction="interactive", user=UserProfile(answers="words", patience=2))
    backends = [backend for name in ("always_ask", "which_one", "oracle_question") for backend in backends_named(name)]
    folder = evaluate(Plan(suite, [(METHODS["direct"], b) for b in backends], config), tmp_path / "run")
    assert folder.episode.user == config.user
    shown = CliRunner().invoke(
        app, ["report", str(folder.path), "--by", "backend", "--clarification", "--format", "json"]
    )
    rows = {row["backend"]: row for row in json.loads(shown.stdout)}
    assert rows["oracle_question"]["precision"] == 1
    assert rows["oracle_question"]["extra_questions"] == 0
    assert rows["always_ask"]["over_asking"] == 1
    table = CliRunner().invoke(app, ["report", str(folder.path), "--clarification"])
    assert "groun-" in table.stdout
    with pytest.raises(ConfigurationError, match="two reports"):
        CliRunner().invoke(
            app,
            ["report", str(folder.path), "--clarification", "--causes"],
            standalone_mode=False,
            catch_exceptions=False,
        )


def test_a_run_with_the_usual_user_says_nothing_of_it(tmp_path, office_tasks):
    suite = write_suite(tmp_path / "office.jsonl", office_tasks)
    plan = Plan(suite, [(METHODS["direct"], backends_named("never_ask")[0])], OPTIONS)
    assert "user" not in plan.info().config["episode"]
    assert score_run(evaluate(plan, tmp_path / "run"))[0].user == UserProfile()
