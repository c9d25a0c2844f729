"""``ebf audit``: a table or JSON, and exit code 1 where something is wrong with a suite."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ebf_env.tasks import SuiteInfo, write_suite

EBF = [sys.executable, "-m", "ebf_env.cli.app"]


def ebf(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "COLUMNS": "200", "NO_COLOR": "1"}
    return subprocess.run([*EBF, *map(str, args)], capture_output=True, text=True, cwd=cwd, env=env, check=False)


@pytest.fixture
def suite(tmp_path: Path, office_tasks) -> Path:
    write_suite(tmp_path / "office.jsonl", office_tasks, SuiteInfo("office"))
    return tmp_path / "office.jsonl"


def test_help_has_an_example():
    done = ebf("audit", "--help")
    assert done.returncode == 0
    assert "Example: ebf audit" in done.stdout


def test_a_sound_suite_is_a_table_and_exit_code_0(suite):
    done = ebf("audit", suite)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "office: 5 tasks; every criterion that applies holds"
    assert [word for word in ("criterion", "measured", "limit", "n", "verdict", "remark") if word not in lines[2]] == []
    [oracle] = [line for line in lines if line.startswith(" the reference decision")]
    assert oracle.split()[-2:] == ["5", "ok"]
    assert "label: ambiguous 1, resolvable 3, unactionable 1" in lines


def test_a_suite_that_fails_is_exit_code_1(office_tasks, tmp_path):
    again = dataclasses.replace(office_tasks[0], task_id="again")
    write_suite(tmp_path / "twice.jsonl.gz", [*office_tasks, again], SuiteInfo("twice"))
    done = ebf("audit", tmp_path / "twice.jsonl.gz", "--no-classifiers")
    assert done.returncode == 1
    assert done.stdout.startswith("twice: 6 tasks; 1 of ")
    assert "again is task-1 again" in done.stdout
    assert "left out as asked" in done.stdout


def test_json_is_one_object(suite):
    done = ebf("audit", suite, "--json", "--workers", "1")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert set(report) == {"passed", "suites", "across_splits"}
    [only] = report["suites"]
    assert (only["name"], only["tasks"], only["passed"], only["whole"]) == ("office", 5, True, True)
    criteria = {row["criterion"]: row for row in only["criteria"]}
    assert criteria["play.oracle"]["verdict"] == "ok"
    assert criteria["proofs"]["verdict"] == "not applicable"
    assert set(criteria["duplicates"]) == {"criterion", "title", "measured", "limit", "n", "verdict", "note", "values"}


def test_the_first_tasks_only(suite):
    done = ebf("audit", suite, "--max-tasks", "2")
    assert "office: 2 tasks, the first of the file (its seal is not checked);" in done.stdout


def test_the_starter_suite_has_a_name():
    done = ebf("audit", "starter", "--no-classifiers")
    assert done.returncode == 0
    assert "not proven: 40 tasks" in done.stdout


def test_suites_of_different_splits_are_compared(office_tasks, tmp_path):
    for split in ("train", "test"):
        tasks = [dataclasses.replace(task, split=split) for task in office_tasks]
        write_suite(tmp_path / f"{split}.jsonl", tasks[: 5 if split == "train" else 2], SuiteInfo(f"our {split}"))
    done = ebf("audit", tmp_path / "train.jsonl", tmp_path / "test.jsonl", "--no-classifiers")
    assert (
        "our train (train): 2 of 5 instructions are nearly in our test (test); the other way round 2 of 2"
        in done.stdout
    )
    both = json.loads(ebf("audit", tmp_path / "train.jsonl", tmp_path / "test.jsonl", "--json").stdout)
    assert both["across_splits"] == [
        {"suites": ["our train", "our test"], "splits": ["train", "test"], "instructions": [5, 2], "repeated": [2, 2]}
    ]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["none.jsonl"], "none.jsonl: there is no such file"),
        (["empty.jsonl"], "holds no task"),
        (["torn.jsonl"], "torn.jsonl"),
        (["office.jsonl", "--workers", "0"], "--workers"),
        (["office.jsonl", "--max-tasks", "0"], "--max-tasks"),
        ([], "SUITE"),
    ],
)
def test_bad_usage_is_exit_code_2(suite, tmp_path, args, words):
    write_suite(tmp_path / "empty.jsonl", [])
    (tmp_path / "torn.jsonl").write_bytes(suite.read_bytes()[:-100])
    done = ebf("audit", *args, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_the_papers_suite_fails_as_the_documentation_says(paper_data, tmp_path):
    out = tmp_path / "paper.jsonl"
    assert ebf("import-paper", paper_data / "tasks_60.jsonl", "--out", out).returncode == 0
    done = ebf("audit", out, "--no-classifiers")
    assert done.returncode == 1
    assert "9 distinct" in done.stdout
    assert "55 of 55 slots" in done.stdout
    assert "risk critical: 0% resolvable" in done.stdout
