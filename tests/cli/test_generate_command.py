"""``ebf generate``: a file of the suite that was asked for, or one sentence and no file."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ebf_env.cli.app import app
from ebf_env.errors import EbfError
from ebf_env.tasks import Condition, read_suite
from ebf_env.tasks.proof import prove
from ebf_generators.config import SuiteConfig
from ebf_generators.suites import generate

EBF = [sys.executable, "-m", "ebf_env.cli.app"]
ENV = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "COLUMNS": "200", "NO_COLOR": "1"}


def ebf(*args: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*EBF, *map(str, args)], capture_output=True, text=True, cwd=cwd, env=ENV, check=False)


def generating(*args: object) -> None:
    """The command in this process; raises what its caller turns into one sentence."""
    app(["generate", *map(str, args)], standalone_mode=False)


def test_help_has_an_example():
    done = ebf("generate", "--help")
    assert done.returncode == 0
    assert "Example: ebf generate" in done.stdout
    assert "the suite is written too" in " ".join(done.stdout.replace("│", " ").split())
    for option in ("--tasks", "--seed", "--split", "--mix", "--noise", "--workers", "--coverage", "--force", "--json"):
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
    assert lines[1] == f"sha256 of the task lines {suite.sha256}"
    within = path.read_bytes().splitlines(keepends=True)[1:-1]
    assert hashlib.sha256(b"".join(within)).hexdigest() == suite.sha256, "as docs/generation.md has it"
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
        json.loads(ebf("generate", tmp_path / name, "--tasks", 12, "--no-families", "--json", "--force").stdout)[
            "sha256"
        ]
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
    (["--noise", "keyboard=0.1,keyboard=0.2"], ["noise", "'keyboard' is given twice"]),
    (["--condition", ""], ["conditions is an empty list", "--condition"]),
    (["--condition", ","], ["conditions is an empty list", "--condition"]),
    (["--domain", ""], ["domains is an empty list", "--domain"]),
    (["--risk", ""], ["risks is an empty list", "--risk"]),
    (["--difficulty", " , "], ["difficulties is an empty list", "--difficulty"]),
    (["--locales", ""], ["locales is an empty list", "--locales"]),
    (["--name", "../ab"], ["--name", "'../ab'"]),
    (["--name", "a\\b"], ["--name"]),
    (["--name", ""], ["--name"]),
    (["--name", "two\nlines"], ["--name"]),
    *(
        (["--release", "ebf-60", *setting], ["--release ebf-60", f"clashes with {setting[0]}"])
        for setting in (
            ["--tasks", "5"], ["--seed", "0"], ["--split", "test"], ["--mix", "paper"], ["--families"],
            ["--no-families"], ["--condition", "temporal"], ["--domain", "crm"], ["--tool", "send_email"],
            ["--risk", "low"], ["--difficulty", "1"], ["--visibility", "full"], ["--world-size", "40"],
            ["--noise", "none"], ["--locales", "de_DE"],
        )
    ),
    (["--locales", "xx_XX"], ["xx_XX"]),
]  # fmt: skip


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path):
    (tmp_path / "a-folder").mkdir()
    done = ebf("generate", tmp_path / "a-folder", "--tasks", 2)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "a-folder" in done.stderr
    assert not list((tmp_path / "a-folder").iterdir())


@pytest.mark.parametrize(("args", "words"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_bad_settings_are_one_sentence_and_no_file(tmp_path, monkeypatch, args, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EbfError) as caught:
        generating("suites/none.jsonl", *args)
    assert "\n" not in str(caught.value)
    assert not [word for word in words if word not in str(caught.value)], str(caught.value)
    assert not list(tmp_path.iterdir())


def test_a_refusal_is_one_sentence_on_standard_error_and_exit_code_2(tmp_path):
    done = ebf("generate", "suites/none.jsonl", "--world-size", 501, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ")
    assert not list(tmp_path.iterdir())


def test_folders_on_the_way_to_the_file_are_made(tmp_path):
    out = tmp_path / "no-folder" / "deeper" / "suite.jsonl"
    assert ebf("generate", out, "--tasks", 2, "--name", "mine").returncode == 0
    assert read_suite(out).info.name == "mine"


# --- where it is written ---

Before = dict[str, tuple[int, str, bytes]]


def held(folder: Path) -> Before:
    """What lies in a folder: of every entry its kind, where it leads to, and what it holds."""
    return {
        path.name: (
            path.lstat().st_mode,
            str(path.readlink()) if path.is_symlink() else "",
            path.read_bytes() if path.is_file() and not path.is_symlink() else b"",
        )
        for path in folder.iterdir()
    }


@pytest.fixture
def odd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of things that are no suite files, and the working folder."""
    folder = tmp_path / "odd"
    (folder / "folder.jsonl").mkdir(parents=True)
    (folder / "plain.jsonl").write_text("keep me\n")
    os.mkfifo(folder / "pipe.jsonl")
    for name, target in {
        "to-device": "/dev/null", "to-pipe": "pipe.jsonl", "to-plain": "plain.jsonl", "loop": "loop.jsonl",
    }.items():  # fmt: skip
        (folder / f"{name}.jsonl").symlink_to(target)
    with socket.socket(socket.AF_UNIX) as end:
        monkeypatch.chdir(folder)
        end.bind("socket.jsonl")
    return folder


UNFIT = {
    "folder.jsonl": "this is a folder",
    "pipe.jsonl": "this is a named pipe",
    "socket.jsonl": "this is a socket",
    "to-device.jsonl": "this is a device",
    "to-pipe.jsonl": "this is a named pipe",
    "loop.jsonl": "cannot be written",
    "plain.jsonl/below.jsonl": "cannot be written",
    ".": "this is a folder",
    "..": "this is a folder",
    "": "empty",
    "new/": "names a folder",
    "new.jsonl/": "names a folder",
    "~": "this is a folder",
    "~/": "this is a folder",
    ".jsonl": "ends in .jsonl",
    "new.csv": "ends in .jsonl",
}


@pytest.mark.parametrize("path", UNFIT)
@pytest.mark.parametrize("force", [[], ["--force"]], ids=["", "force"])
def test_what_is_no_place_for_a_file_is_refused_and_left_as_it_is(odd, paper_tasks, monkeypatch, path, force):
    monkeypatch.setenv("HOME", str(odd))
    before = held(odd)
    for command in (["generate", path, "--tasks", "2"], ["import-paper", str(paper_tasks), "--out", path]):
        with pytest.raises(EbfError, match=UNFIT[path]) as caught:
            app([*command, *force], standalone_mode=False)
        assert "\n" not in str(caught.value)
    assert held(odd) == before


@pytest.fixture
def paper_tasks(tmp_path: Path) -> Path:
    """One task in the paper's format."""
    row = {
        "task_id": "a", "domain": "email", "instruction": "Email Alex.", "gold_tool": "send_email",
        "gold_bindings": {"recipient": "p1"}, "ambiguity": "unambiguous",
        "entities": [{"id": "p1", "type": "person"}], "tools": ["send_email"],
    }  # fmt: skip
    (tmp_path / "paper.jsonl").write_text(json.dumps(row) + "\n")
    return tmp_path / "paper.jsonl"


@pytest.mark.parametrize("name", ["plain.jsonl", "to-plain.jsonl"])
def test_another_file_is_replaced_only_if_that_is_asked_for_and_a_link_stays_a_link(odd, paper_tasks, name, capsys):
    for command in (["generate", name, "--tasks", "2"], ["import-paper", str(paper_tasks), "--out", name]):
        (odd / "plain.jsonl").write_text("keep me\n")
        before = held(odd)
        with pytest.raises(EbfError, match=r"exists already.*choose another name.*--force"):
            app(command, standalone_mode=False)
        assert held(odd) == before
        app([*command, "--force"], standalone_mode=False)
        after = held(odd)
        assert len(read_suite(odd / "plain.jsonl")) > 0
        assert {k: v for k, v in after.items() if k != "plain.jsonl"} == {
            k: v for k, v in before.items() if k != "plain.jsonl"
        }
    assert "The suite lies in" in capsys.readouterr().out


def test_a_link_to_what_is_not_there_yet_is_written_through_also_into_another_folder(tmp_path):
    (tmp_path / "link.jsonl").symlink_to("elsewhere/suite.jsonl")
    generating(tmp_path / "link.jsonl", "--tasks", 2)
    assert (tmp_path / "link.jsonl").is_symlink()
    assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == ["suite.jsonl"]
    assert len(read_suite(tmp_path / "elsewhere" / "suite.jsonl")) == 2


def test_the_home_folder_may_be_written_as_a_tilde(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    generating("~/suite.jsonl", "--tasks", 2)
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_file_that_came_while_the_suite_was_drawn_is_not_replaced(tmp_path):
    path = tmp_path / "suite.jsonl"

    def meanwhile(_: int) -> None:
        path.write_text("mine\n")

    with pytest.raises(EbfError, match="exists already"):
        generate(SuiteConfig(tasks=2), path, replace=False, on_tasks=meanwhile)
    assert held(tmp_path).keys() == {"suite.jsonl"}
    assert path.read_text() == "mine\n"


# --- endings ---


def processes_of(folder: Path) -> list[str]:
    """The processes, forked ones too, whose command line names a folder."""
    found = []
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(folder).encode() in line.read_bytes():
                found.append(line.parent.name)
        except OSError:
            continue  # it has ended
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("number", "whole_group"),
    [(signal.SIGTERM, False), (signal.SIGTERM, True), (signal.SIGHUP, True), (signal.SIGINT, True)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_signal_leaves_no_part_of_a_file_and_no_process(tmp_path, number, whole_group):
    folder = tmp_path / "out"
    process = subprocess.Popen(
        [*EBF, "generate", str(folder / "big.jsonl"), "--tasks", "1000000", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENV,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not (folder.exists() and any(path.stat().st_size > 1_000_000 for path in folder.iterdir())):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert len(processes_of(folder)) == 3
    (os.killpg if whole_group else os.kill)(process.pid, number)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (128 + number, "")
    assert "Traceback" not in err
    assert list(folder.iterdir()) == []
    assert processes_of(folder) == []


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_workers_whose_parent_was_killed_end_by_themselves(tmp_path):
    command = [*EBF, "generate", str(tmp_path / "big.jsonl"), "--tasks", "1000000", "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=ENV)
    deadline = time.monotonic() + 120
    while len(processes_of(tmp_path)) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.kill()
    process.wait()
    while processes_of(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.05)
