"""The paper's 1,800 published runs, scored again from the models' own text (skipped where the data is not at hand)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from ebf_agents import Recording
from ebf_env.cli.app import app
from ebf_env.decisions import parse_decision
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.evaluation.report import summarize
from ebf_env.evaluation.run_folder import RunFolder
from ebf_env.evaluation.scored import ScoredRun, score_run
from ebf_env.scoring.outcome import PAPER_COLUMNS
from ebf_env.tasks import Suite, read_suite

METHODS = ("direct", "semantic_filter", "cmtf_only", "entity_retrieval", "confidence_gate", "entity_cmtf_provenance")

TABLE_II = {
    "direct": (74.0, 74.0, 0.0, 26.0, 0.0, 0.0, 1.123),
    "semantic_filter": (75.0, 75.7, 0.0, 24.0, 1.0, 0.0, 1.037),
    "cmtf_only": (74.3, 74.3, 0.0, 25.7, 0.0, 0.0, 1.110),
    "entity_retrieval": (74.0, 74.0, 0.0, 26.0, 0.0, 0.0, 1.123),
    "confidence_gate": (31.7, 40.0, 0.0, 0.0, 68.3, 0.0, 0.000),
    "entity_cmtf_provenance": (26.0, 34.3, 0.0, 0.0, 74.0, 0.0, 0.000),
}
TABLE_II_METRICS = (
    "task_success",
    "safe_success",
    "wrong_tool",
    "wrong_entity",
    "ambiguity_detection",
    "over_clarification",
    "risk_weighted_wrong_entity",
)
TABLE_III = {
    "unambiguous": (0, 0, 0, 0, 0, 0),
    "name_collision": (20, 20, 20, 20, 0, 0),
    "document_version": (0, 0, 0, 0, 0, 0),
    "temporal": (100, 90, 97.5, 100, 0, 0),
    "account_collision": (0, 0, 0, 0, 0, 0),
    "near_duplicate": (0, 0, 0, 0, 0, 0),
    "cross_system": (20, 20, 20, 20, 0, 0),
    "true_ambiguity": (100, 92, 100, 100, 0, 0),
}


@pytest.fixture(scope="module")
def run(paper_data: Path, tmp_path_factory) -> RunFolder:
    """The main job, through the command line: import, evaluate, record."""
    folder = tmp_path_factory.mktemp("paper")
    suite, out = folder / "suite.jsonl", folder / "run"
    app(["import-paper", str(paper_data / "tasks_60.jsonl"), "--out", str(suite)], standalone_mode=False)
    replay = f"replay:{paper_data / 'runs_1800.csv'}"
    app(["evaluate", str(suite), "--method", "all", "--backend", replay, "--out", str(out)], standalone_mode=False)
    return RunFolder.open(out)


@pytest.fixture(scope="module")
def scored(run: RunFolder) -> list[ScoredRun]:
    return score_run(run)


@pytest.fixture(scope="module")
def suite(run: RunFolder) -> Suite:
    return read_suite(run.path / "suite.jsonl.gz")


@pytest.fixture(scope="module")
def published(paper_data: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    with (paper_data / "runs_1800.csv").open(newline="", encoding="utf-8") as stream:
        return {(row["task_id"], row["method"], row["model"]): row for row in csv.DictReader(stream)}


def test_every_published_run_is_recorded_once(run, published):
    assert len(run.records()) == len(published) == 1800
    assert {(r.task_id, r.method, r.model) for r in run.records()} == set(published)


def test_all_twelve_score_columns_of_every_row_are_the_published_ones(scored, published):
    different = []
    for one in scored:
        row = published[one.record.task_id, one.record.method, one.record.model]
        ours = {name: int(getattr(one.verdict, name)) for name in PAPER_COLUMNS}
        theirs = {name: int(row[name]) for name in PAPER_COLUMNS}
        if ours != theirs:
            different.append((one.record.key, ours, theirs))
    assert len(PAPER_COLUMNS) == 12
    assert different == []


def test_the_decision_the_tool_and_the_bindings_are_the_published_parse(scored, published):
    for one in scored:
        row = published[one.record.task_id, one.record.method, one.record.model]
        decision = one.record.turns[-1].decision
        assert decision["decision"] == row["decision"]
        assert (decision["tool"] or "") == row["pred_tool"]
        assert decision["bindings"] == json.loads(row["pred_bindings"])


def test_the_authors_parse_and_scores_are_never_read(run, paper_data, tmp_path, suite):
    with (paper_data / "runs_1800.csv").open(newline="", encoding="utf-8") as stream:
        rows = [{k: row[k] for k in ("raw_response", "model", "method", "task_id")} for row in csv.DictReader(stream)]
    bare = tmp_path / "bare.csv"
    with bare.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    assert Recording.read(bare).answers == Recording.read(paper_data / "runs_1800.csv").answers


def test_table_ii_of_the_paper(scored):
    rows = {row["method"]: row for row in summarize(scored, ("method",), "paper")}
    assert tuple(rows) == METHODS
    for method, expected in TABLE_II.items():
        assert (rows[method]["runs"], rows[method]["resolvable_runs"], rows[method]["errors"]) == (300, 275, 0)
        printed = [
            round(rows[method][name], 3) if name == "risk_weighted_wrong_entity" else round(100 * rows[method][name], 1)
            for name in TABLE_II_METRICS
        ]
        assert tuple(printed) == expected, method
        assert rows[method]["invalid"] == 0


def test_table_iii_of_the_paper(scored):
    rows = {
        (row["condition"], row["method"]): row["wrong_entity"] for row in summarize(scored, ("condition", "method"))
    }
    for condition, expected in TABLE_III.items():
        assert tuple(round(100 * rows[condition, method], 1) for method in METHODS) == expected, condition


def test_what_the_paper_does_not_print_two_thirds_of_what_could_be_done_is_not_done(scored):
    asked = {
        method: sum(r.resolvable and r.verdict.clarified for r in scored if r.record.method == method)
        for method in METHODS
    }
    assert asked["confidence_gate"] == 180
    assert asked["entity_cmtf_provenance"] == 197
    rows = {row["method"]: row for row in summarize(scored, ("method",), "conditional")}
    assert rows["confidence_gate"]["over_asking"] == 180 / 275
    assert rows["entity_cmtf_provenance"]["over_asking"] == 197 / 275
    assert rows["confidence_gate"]["over_clarification"] == 0
    assert rows["confidence_gate"]["true_ambiguity_detection"] == 1
    assert rows["confidence_gate"]["ambiguity_detection"] == 205 / 250
    assert rows["semantic_filter"]["true_ambiguity_detection"] == 2 / 25


def test_success_read_from_the_world_agrees_with_scoring_by_bindings_on_every_run(scored):
    agreed = 0
    for one in scored:
        episode = Episode(one.task, EpisodeConfig())
        for turn in one.record.turns:
            episode.step(parse_decision(json.dumps(turn.decision)))
        assert episode.succeeded_in_world() == one.verdict.task_success, one.record.key
        agreed += episode.succeeded_in_world()
    assert agreed == 1065


def test_a_second_run_resumes_and_does_nothing(run, paper_data, capsys):
    before = (run.path / "records.jsonl").read_bytes()
    replay = f"replay:{paper_data / 'runs_1800.csv'}"
    suite = run.path.parent / "suite.jsonl"
    app(["evaluate", str(suite), "--method", "all", "--backend", replay, "--out", str(run.path)], standalone_mode=False)
    assert (run.path / "records.jsonl").read_bytes() == before
    assert "74.0" in capsys.readouterr().out
