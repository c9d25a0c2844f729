"""``ebf generate``: a file of the suite that was asked for, or one sentence and no file."""

from __future__ import annotations

import gzip
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

from ebf_env.tasks import Condition, read_suite
from ebf_env.tasks.proof import prove
from ebf_generators.config import SuiteConfig
from ebf_generators.suites import generate

EBF = [sys.executable, "-m", "ebf_env.cli.app"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "COLUMNS": "200", "NO_COLOR": "1"}


def ebf(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*EBF, *map(str, args)], capture_output=True, text=True, cwd=cwd, env=ENV, check=False)


def test_help_has_an_example():
    done = ebf("generate", "--help")
    assert done.returncode == 0
    assert "Example: ebf generate" in done.stdout
    for option in ("--tasks", "--seed", "--split", "--mix", "--noise", "--workers", "--coverage", "--json"):
        assert option in done.stdout


def test_without_a_file_the_suite_is_named_after_its_settings(tmp_path):
    done = ebf("generate", "-n", 30, "--split", "val", "--seed", 4, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    path = tmp_path / "suites" / "balanced-val-30-seed4.jsonl"
    assert [str(found.relative_to(tmp_path)) for found in tmp_path.rglob("*.jsonl")] == [
        str(path.relative_to(tmp_path))
    ]
    suite = read_suite(path)
    assert (len(suite), suite.info.name) == (30, "balanced-val-30-seed4")
    assert {task.split for task in suite} == {"val"}
    lines = done.stdout.splitlines()
    assert lines[0].startswith("30 tasks (val, balanced) in ")
    assert lines[1] == f"sha256 {suite.sha256}"
    assert lines[2] == "The suite lies in suites/balanced-val-30-seed4.jsonl."


def test_json_is_one_object_and_every_option_is_heeded(tmp_path):
    out = tmp_path / "small.jsonl"
    options = [
        "--tasks", 24, "--seed", 9, "--split", "test", "--condition", "temporal,stale", "--condition", "unambiguous",
        "--domain", "crm,tickets", "--tool", "get_ticket", "--tool", "update_opportunity,get_account",
        "--risk", "low,high", "--difficulty", "1,2", "--world-size", 50, "--noise", "keyboard=0.2,ocr=0.1",
        "--visibility", "search", "--workers", 2,
    ]  # fmt: skip
    done = ebf("generate", out, *options, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert set(told) == {"suite", "sha256", "statistics", "cells"}
    config = SuiteConfig(
        tasks=24,
        seed=9,
        split="test",
        conditions=("temporal", "stale", "unambiguous"),
        domains=("crm", "tickets"),
        tools=("get_ticket", "update_opportunity", "get_account"),
        risks=("low", "high"),
        difficulties=(1, 2),
        world_size=50,
        noise={"keyboard": 0.2, "ocr": 0.1},
        visibility="search",
    )
    assert SuiteConfig.model_validate_json(json.dumps(read_suite(out).info.config)) == config
    sha256, tally = generate(config, tmp_path / "same.jsonl")
    assert (told["suite"], told["sha256"]) == (str(out), sha256)
    assert (tmp_path / "same.jsonl").read_bytes() == out.read_bytes()
    assert told["statistics"] == json.loads(json.dumps(tally.statistics()))
    assert sum(cell["tasks"] for cell in told["cells"]) == 24
    assert {cell["tool"] for cell in told["cells"]} <= set(config.tools)


def test_coverage_is_a_table_of_tools_by_conditions(tmp_path):
    done = ebf("generate", tmp_path / "c.jsonl", "--tasks", 60, "--mix", "paper", "--coverage", "--domain", "email,crm")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    [heading] = [line for line in lines if line.lstrip().startswith("domain")]
    assert [c.value.replace("_", " ") for c in Condition if c.value.replace("_", " ") not in heading] == []
    rows = {tuple(line.split()[:2]): line.split()[2:] for line in lines[lines.index(heading) + 1 : -1]}
    assert ("email", "send_email") in rows
    assert {domain for domain, _ in rows} == {"email", "crm"}
    counted = [int(cell) for cells in rows.values() for cell in cells if cell != "-"]
    assert all(len(cells) == len(Condition) for cells in rows.values())
    assert sum(counted) == 60
    filled, total = len(counted), len(rows) * len(Condition)
    assert lines[-1].startswith(f"{filled} of {total} cells")


def test_a_compressed_suite_holds_the_same_lines_and_a_file_that_is_there_is_replaced_whole(tmp_path):
    (tmp_path / "a.jsonl").write_text("what was there before\n" * 10_000)
    hashes = [
        json.loads(ebf("generate", tmp_path / name, "--tasks", 12, "--no-families", "--json").stdout)["sha256"]
        for name in ("a.jsonl", "a.jsonl.gz")
    ]
    assert hashes[0] == hashes[1]
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == (tmp_path / "a.jsonl").read_bytes()
    assert {task.family for task in read_suite(tmp_path / "a.jsonl.gz")} == {None}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "a.jsonl.gz"]


def test_a_large_company_is_one_world_line_and_reads_back(tmp_path):
    out = tmp_path / "company.jsonl"
    done = ebf("generate", out, "--tasks", 30, "--world-size", 600, "--visibility", "search")
    assert (done.returncode, done.stderr) == (0, "")
    kinds = [json.loads(line)["line"] for line in out.read_bytes().splitlines()]
    assert kinds == ["header", "world", *["task"] * 30, "trailer"]
    suite = read_suite(out)
    assert {len(task.world.root) for task in suite} == {600}
    assert {task.visibility for task in suite} == {"search"}
    assert not [task.task_id for task in suite if prove(task).faults]


def test_a_terminal_shows_a_bar_and_its_end(tmp_path):
    master, slave = pty.openpty()
    done = subprocess.run(
        [*EBF, "generate", str(tmp_path / "bar.jsonl"), "--tasks", "40"],
        stdout=subprocess.PIPE,
        stderr=slave,
        env={**{k: v for k, v in ENV.items() if k != "NO_COLOR"}, "TERM": "xterm"},
        check=False,
    )
    os.close(slave)
    shown = b""
    try:
        while part := os.read(master, 65_536):
            shown += part
    except OSError:
        pass  # the other end is closed
    os.close(master)
    assert done.returncode == 0
    assert b"tasks" in shown
    assert b"40/40" in shown
    assert b"sha256" in done.stdout, "what is printed goes to standard output, undisturbed"


def test_a_generated_suite_passes_its_audit(tmp_path):
    out = tmp_path / "audited.jsonl"
    assert ebf("generate", out, "--tasks", 300, "--seed", 1).returncode == 0
    done = ebf("audit", out, "--no-classifiers", "--json")
    assert done.returncode == 0, [
        (row["criterion"], row["measured"]) for row in json.loads(done.stdout)["suites"][0]["criteria"]
        if row["verdict"] not in ("ok", "not applicable")
    ]  # fmt: skip
    [report] = json.loads(done.stdout)["suites"]
    verdicts = {row["criterion"]: row["verdict"] for row in report["criteria"]}
    assert (report["tasks"], report["passed"], verdicts["proofs"]) == (300, True, "ok")


BAD = [
    (["--tool", ""], ["tools"]),
    (["--tool", "send_email", "--domain", "crm"], ["tools", "domains"]),
    (["--condition", "document_version", "--domain", "payments", "--tool", "get_vendor"], ["condition", "tools"]),
    (["--world-size", "501"], ["world_size", "visibility"]),
    (["--mix", "paper", "--families"], ["mix", "families"]),
    (["--noise", "keyboard=much"], ["noise", "much"]),
    (["--locales", "xx_XX"], ["xx_XX"]),
]


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "a-folder").mkdir()
    done = ebf("generate", tmp_path / "a-folder", "--tasks", 2)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "a-folder" in done.stderr
    assert not list((tmp_path / "a-folder").iterdir())


def test_bad_settings_are_one_sentence_exit_code_2_and_no_file(tmp_path):
    """Two at a time, since most of the time goes into starting."""
    waiting = list(BAD)
    while waiting:
        some, waiting = waiting[:2], waiting[2:]
        running = [
            subprocess.Popen(
                [*EBF, "generate", "suites/none.jsonl", *args],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=tmp_path,
                env=ENV,
            )
            for args, _ in some
        ]
        for process, (args, words) in zip(running, some, strict=True):
            out, err = process.communicate()
            assert (process.returncode, out) == (2, ""), (args, out, err)
            assert not [word for word in words if word not in err], (args, err)
            assert "Traceback" not in err
            assert err.count("\n") == 1 or words[0].startswith("--"), (args, err)
    assert not list(tmp_path.iterdir())


def test_folders_on_the_way_to_the_file_are_made(tmp_path):
    out = tmp_path / "no-folder" / "deeper" / "suite.jsonl"
    assert ebf("generate", out, "--tasks", 2, "--name", "mine").returncode == 0
    assert read_suite(out).info.name == "mine"
