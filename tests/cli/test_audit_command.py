"""``ebf audit``: a table or JSON, and exit code 1 where something is wrong with a suite."""

from __future__ import annotations

import copy
import dataclasses
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ebf_env.cli.app import app
from ebf_env.errors import SuiteError
from ebf_env.tasks import SuiteInfo, iterate_suite, write_suite
from ebf_generators.config import SuiteConfig
from ebf_generators.suites import Tally, generate

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
    assert lines[0] == "office: 5 tasks; no criterion that applies fails; 0 of 5 labels could be proven"
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
    assert only["proven"] == 0
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


# --- compressed files that are damaged ---


def cut_off(packed: bytes) -> bytes:
    return packed[: len(packed) // 2]


def flipped(packed: bytes) -> bytes:
    middle = len(packed) // 2
    return packed[:middle] + bytes([packed[middle] ^ 0xFF]) + packed[middle + 1 :]


def wrong_checksum(packed: bytes) -> bytes:
    return packed[:-8] + bytes(byte ^ 0xFF for byte in packed[-8:-4]) + packed[-4:]


DAMAGED = r"damaged or cut off"


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (cut_off, DAMAGED),
        (wrong_checksum, DAMAGED),
        (flipped, f"{DAMAGED}|not valid JSON"),
        (lambda packed: packed[:5], DAMAGED),
        (lambda _: b"plain", DAMAGED),
    ],
)
def test_damaged_compressed_files_are_named(suite, tmp_path, damage, words):
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(damage(gzip.compress(suite.read_bytes())))
    with pytest.raises(SuiteError, match=rf"broken\.jsonl\.gz.*({words})"):
        list(iterate_suite(broken))
    done = CliRunner().invoke(app, ["audit", str(broken), "--workers", "1"])
    assert isinstance(done.exception, SuiteError)
    assert re.search(rf"broken\.jsonl\.gz.*({words})", str(done.exception))


@pytest.mark.parametrize("damage", [cut_off, wrong_checksum])
def test_a_file_damaged_after_its_first_lines_is_exit_code_2(suites, tmp_path, damage):
    packed = gzip.compress(sealed(suites(16)))
    (tmp_path / "broken.jsonl.gz").write_bytes(damage(packed))
    done = ebf("audit", "broken.jsonl.gz", cwd=tmp_path)
    assert done.returncode == 2
    assert "broken.jsonl.gz" in done.stderr
    assert "the compressed file is damaged or cut off" in done.stderr


# --- sound suites, and suites tampered with and sealed anew ---

Lines = list[dict[str, Any]]

SOUND: Mapping[str, SuiteConfig] = {
    "train": SuiteConfig(tasks=28),
    "val": SuiteConfig(tasks=28, split="val", seed=1),
    "test": SuiteConfig(tasks=28, split="test", seed=2),
    "a family that the end cuts": SuiteConfig(tasks=26, seed=3),
    "single cells": SuiteConfig(tasks=24, families=False, seed=4),
    "the paper's mix": SuiteConfig(tasks=24, mix="paper", split="val", seed=5),
    "medium noise": SuiteConfig(tasks=28, noise="medium", seed=6),
    "high noise": SuiteConfig(tasks=28, noise="high", split="test", seed=7),
    "payments": SuiteConfig(tasks=28, domains=("payments",), split="val", seed=8),
    "to be searched": SuiteConfig(tasks=12, visibility="search", world_size=600, seed=9),
    "other locales": SuiteConfig(tasks=12, locales=("ja_JP", "tr_TR", "de_DE"), seed=10),
}


@pytest.mark.parametrize("name", SOUND)
def test_sound_suites_pass(name, tmp_path):
    generate(SOUND[name], tmp_path / "sound.jsonl")
    code, report = audit(tmp_path / "sound.jsonl")
    assert (code, failed(report)) == (0, {})
    assert report["proven"] == report["tasks"] == SOUND[name].tasks
    rows = {row["criterion"]: row for row in report["criteria"]}
    for criterion in ("wording", "metadata", "header", "trailer"):
        assert rows[criterion]["verdict"] == "ok"
    assert "tasks were drawn anew" in rows["header"]["note"]


def audit(path: Path) -> tuple[int, dict[str, Any]]:
    done = CliRunner().invoke(app, ["audit", str(path), "--json", "--no-classifiers", "--workers", "1"])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    [report] = json.loads(done.stdout[done.stdout.index("{") :])["suites"]
    return done.exit_code, report


def failed(report: dict[str, Any]) -> dict[str, str]:
    return {row["criterion"]: row["note"] for row in report["criteria"] if row["verdict"] == "FAIL"}


def sealed(lines: Lines) -> bytes:
    """The lines with the number of tasks and the hash that go with them."""
    packed = [json.dumps(line).encode() + b"\n" for line in lines]
    trailer = {
        **lines[-1],
        "count": sum(line["line"] == "task" for line in lines),
        "sha256": hashlib.sha256(b"".join(packed[1:-1])).hexdigest(),
    }
    return b"".join(packed[:-1]) + json.dumps(trailer).encode() + b"\n"


@pytest.fixture(scope="session")
def suites(tmp_path_factory) -> Callable[[int], Lines]:
    """The lines of a generated suite of so many tasks."""
    made: dict[int, Lines] = {}

    def lines(tasks: int) -> Lines:
        if tasks not in made:
            path = tmp_path_factory.mktemp("base") / "base.jsonl"
            generate(SuiteConfig(tasks=tasks), path)
            made[tasks] = [json.loads(line) for line in path.read_text().splitlines()]
        return copy.deepcopy(made[tasks])

    return lines


def tasks_of(lines: Lines) -> Lines:
    return [line for line in lines if line["line"] == "task"]


Tampering = Callable[[Lines], object]


def on_task(change: Callable[[dict[str, Any]], object], label: str = "resolvable") -> Tampering:
    """Change one task of the second block that is not drawn anew."""
    return lambda lines: change(victim(lines, label))


def victim(lines: Lines, label: str = "resolvable") -> dict[str, Any]:
    return next(task for task in tasks_of(lines)[5:8] if task["label"] == label)


def put(**changes: object) -> Tampering:
    return on_task(lambda task: task.update(changes))


def certify(change: Callable[[dict[str, Any]], object]) -> Tampering:
    return on_task(lambda task: change(task["certificate"]))


def on_certificate(**changes: object) -> Tampering:
    return certify(lambda certificate: certificate.update(changes))


def without(key: str) -> Tampering:
    return certify(lambda certificate: certificate.pop(key))


def on_mention(change: Callable[[dict[str, Any]], object]) -> Tampering:
    return on_task(lambda task: change(task["mentions"][0]))


def on_all(change: Callable[[dict[str, Any]], object], first: int = 0, after: int | None = None) -> Tampering:
    def tamper(lines: Lines) -> None:
        for task in tasks_of(lines)[first:after]:
            change(task)

    return tamper


def on_header(**changes: object) -> Tampering:
    return lambda lines: lines[0].update(changes)


def on_config(**changes: object) -> Tampering:
    return lambda lines: lines[0]["config"].update(changes)


def on_statistics(**changes: object) -> Tampering:
    return lambda lines: lines[-1]["statistics"].update(changes)


def garbage(task: dict[str, Any]) -> None:
    begin, end = task["mentions"][0]["span"]
    task["instruction"] = task["instruction"][:begin] + ("qqqq " * 40)[: end - begin] + task["instruction"][end:]


def shortened(mention: dict[str, Any]) -> None:
    mention["span"] = [mention["span"][0], mention["span"][1] - 1]


def said_more(task: dict[str, Any]) -> None:
    task["instruction"] += " Or do not."


def gold_first(task: dict[str, Any]) -> None:
    task["tools"].sort(key=lambda name: name != task["tool"])


def only_gold(task: dict[str, Any]) -> None:
    task["tools"] = [task["tool"]]


def other_intent(task: dict[str, Any]) -> None:
    [slot] = task["intent"]
    of_type = {e["id"]: e["type"] for e in task["entities"]}
    meant = task["certificate"]["mentions"][0]["denotes"]
    task["intent"][slot] = next(i for i in of_type if of_type[i] == of_type[meant[0]] and i not in meant)


def one_forgotten(lines: Lines) -> None:
    next(task for task in tasks_of(lines)[1:4] if task.get("intent")).pop("intent")


def other_instruction(lines: Lines) -> None:
    task = victim(lines)
    last = max(mention["span"][1] for mention in task["mentions"])
    others = (other["instruction"] for other in tasks_of(lines) if other["family"] != task["family"])
    task["instruction"] = max(others, key=len)
    assert len(task["instruction"]) >= last


def no_forms(task: dict[str, Any]) -> None:
    for mention in task["mentions"]:
        del mention["form"]


def other_side(key: str) -> Tampering:
    return certify(lambda certificate: certificate.update({key: 1 - certificate[key]}))


def without_a_folder(task: dict[str, Any]) -> None:
    unused = (e for e in task["entities"] if e["type"] != "person" and json.dumps(task).count(e["id"]) == 1)
    task["entities"].remove(next(unused))


def drop(number: int) -> Tampering:
    return lambda lines: lines.remove(tasks_of(lines)[number])


def twice(lines: Lines) -> None:
    again = {**copy.deepcopy(victim(lines)), "task_id": "aaaabbbbcccc"}
    lines.insert(-1, again)


def both_seeds(lines: Lines) -> None:
    lines[0].update(seed=5)
    lines[0]["config"].update(seed=5)


def naive(time: str) -> Tampering:
    return put(typed=False, now=time)


NO_CERTIFICATE = "certificate: there is none"
TAMPERED: Mapping[str, tuple[str, str, Tampering]] = {
    "the instruction is xxxx": ("wording", "", put(instruction="x" * 300)),
    "the words of a mention are garbage": ("wording", "", on_task(garbage)),
    "a span moved": ("wording", "", on_mention(lambda mention: mention.update(span=[0, 3]))),
    "a span lost a letter": ("wording", "within a word", on_mention(shortened)),
    "another instruction": ("wording", "", other_instruction),
    "one sentence more": ("wording", "delexicalised", on_task(said_more)),
    "a certificate removed": ("metadata", NO_CERTIFICATE, on_task(lambda task: task.pop("certificate"))),
    "all certificates removed": ("metadata", NO_CERTIFICATE, on_all(lambda task: task.pop("certificate"))),
    "an empty certificate": ("metadata", "certificate.row", put(certificate={})),
    "a key more in a certificate": ("metadata", "certificate.note", on_certificate(note="fine")),
    **{
        f"certificate.{key} dropped": ("metadata", f"certificate.{key}", without(key))
        for key in ("row", "column", "cells", "delexicalised", "mentions", "cue", "place", "hop", "over_specified")
    },
    "a mention of the certificate without its surface": (
        "metadata",
        "certificate.mentions.0",
        certify(lambda certificate: certificate["mentions"][0].pop("surface")),
    ),
    "another certificate.row": ("families", "certificate.row", other_side("row")),
    "another certificate.column": ("families", "certificate.column", other_side("column")),
    "certificate.row out of the block": ("metadata", "certificate.row", on_certificate(row=5)),
    "another certificate.cells": ("families", "certificate.cells", on_certificate(cells=9)),
    "another certificate.delexicalised": ("wording", "", on_certificate(delexicalised="Look at <document>.")),
    "certificate.cue is unknown": ("metadata", "certificate.cue", on_certificate(cue="smell")),
    "certificate.cue is null": ("metadata", "certificate.cue", on_certificate(cue=None)),
    "another certificate.place": ("families", "certificate.place", on_certificate(place="history")),
    "another certificate.place in a whole block": (
        "wording",
        "the conversation is to hold",
        on_all(lambda task: task["certificate"].update(place="history"), 12, 16),
    ),
    "certificate.hop is made up": ("metadata", "certificate.hop", on_certificate(hop="owner")),
    "another certificate.over_specified": (
        "metadata",
        "certificate.over_specified",
        certify(lambda certificate: certificate.update(over_specified=not certificate["over_specified"])),
    ),
    "another base_condition": ("metadata", "base_condition", put(base_condition="near_duplicate")),
    "base_condition is null": ("metadata", "base_condition", put(base_condition=None)),
    "another base_condition in a whole block": (
        "metadata",
        "condition",
        on_all(lambda task: task.update(base_condition="temporal"), 4, 8),
    ),
    "a risk annotated": ("metadata", "risk", put(risk="low")),
    "another domain": ("metadata", "domain", put(domain="weather")),
    "another split": ("metadata", "split", put(split="test")),
    "no split": ("metadata", "split", put(split=None)),
    "another family": ("families", "certificate.cells", put(family="aaaabbbbcccc")),
    "no family": ("metadata", "family", put(family=None)),
    "a telling family": ("metadata", "family", on_all(lambda task: task.update(family="the second"), 4, 8)),
    "another index": ("metadata", "index", put(index=-5)),
    "no index": ("metadata", "index", put(index=None)),
    "another visibility": ("metadata", "visibility", put(visibility="search")),
    "another difficulty": ("families", "difficulty", on_task(lambda t: t.update(difficulty=t["difficulty"] % 5 + 1))),
    "records of any shape": ("metadata", "typed", put(typed=False)),
    "task ids that name the label": (
        "metadata",
        "task_id",
        on_all(lambda task: task.update(task_id=task["label"] + task["task_id"])),
    ),
    "one intent dropped": ("families", "intent", one_forgotten),
    "an intent outside what is meant": ("proofs", "in mind", on_task(other_intent, "ambiguous")),
    "no user": ("metadata", "user", put(user=None)),
    "another user": ("metadata", "user.name", on_task(lambda task: task["user"].update(name="Somebody Else"))),
    "another sprint": ("families", "user", on_task(lambda task: task["user"].update(current_sprint="Sprint 2"))),
    "nothing the user may not touch": ("metadata", "permissions", put(permissions=None)),
    "another time": ("families", "now", put(now="2019-01-01T00:00:00+00:00")),
    "a time without offset": ("metadata", "now", naive("2019-01-01T00:00:00")),
    "no time": ("metadata", "now", naive("yesterday")),
    "a turn more": ("families", "do not say the same", put(history=[{"role": "user", "content": "Hello."}])),
    "a turn of another shape": ("metadata", "history", put(history=[{"role": "user", "text": "Hello."}])),
    "a record dropped": ("families", "not in the same world", on_task(without_a_folder)),
    "a form dropped": ("metadata", "mentions.0.form", on_mention(lambda mention: mention.pop("form"))),
    "all forms dropped": ("metadata", "mentions.0.form", on_all(no_forms)),
    "a mention dropped": ("metadata", "mentions", put(mentions=[])),
    "a menu of one tool": ("metadata", "tools", on_task(only_gold)),
    "all menus of one tool": ("metadata", "tools", on_all(only_gold)),
    "a menu in another order": ("families", "tools", on_task(lambda task: task["tools"].reverse())),
    "a task dropped": ("metadata", "index", drop(6)),
    "the last task dropped": ("header", "config.tasks", drop(-1)),
    "a task twice": ("duplicates", "again", twice),
    **{
        f"header: {name}": ("header", name, on_header(**{name: value}))
        for name, value in {
            "seed": 77,
            "pools": "mine",
            "source": "found",
            "config": {},
            "generator_version": 99,
        }.items()
    },
    "header: no generator_version": ("header", "generator_version", on_header(generator_version=None)),
    **{
        f"header: config.{name}": ("header", "config", on_config(**{name: value}))
        for name, value in {"seed": 77, "tasks": 17, "world_size": 50, "noise": "low", "mood": "good"}.items()
    },
    "header: both seeds": (
        "header",
        "another task",
        lambda lines: (on_header(seed=5)(lines), on_config(seed=5)(lines)),
    ),
    "header: config.difficulties": ("metadata", "difficulties", on_config(difficulties=[5])),
    "header: config.families": ("metadata", "family", on_config(families=False)),
    "header: config.split": ("metadata", "split", on_config(split="val")),
    "trailer: a count": ("trailer", "statistics.label", on_statistics(label={"resolvable": 999})),
    "trailer: distinct_instructions": (
        "trailer",
        "statistics.distinct_instructions",
        on_statistics(distinct_instructions=1),
    ),
    "trailer: distinct_2": ("trailer", "statistics.distinct_2", on_statistics(distinct_2=0.5)),
    "trailer: one dropped": ("trailer", "two_step_tasks", lambda lines: lines[-1]["statistics"].pop("two_step_tasks")),
    "trailer: none": ("trailer", "statistics.condition", lambda lines: lines[-1].update(statistics={})),
    "trailer: one more": ("trailer", "statistics.mood", on_statistics(mood={"good": 16})),
}
"""What was tampered with: the criterion that fails, words of its remark, and how it was done."""

IN_MANY: Mapping[str, tuple[str, str, Tampering]] = {
    "the gold tool is always first": ("position.menu", "", on_all(gold_first)),
    "no intents": ("intent", "", on_all(lambda task: task.pop("intent", None))),
}
"""The same, seen in the whole of a suite only."""


@pytest.mark.parametrize("name", [*TAMPERED, *IN_MANY])
def test_what_was_tampered_with_is_found(name, suites, tmp_path):
    criterion, words, tamper = {**TAMPERED, **IN_MANY}[name]
    lines = suites(60 if name in IN_MANY else 16)
    before = copy.deepcopy(lines)
    tamper(lines)
    assert lines != before
    (tmp_path / "suite.jsonl").write_bytes(sealed(lines))
    code, report = audit(tmp_path / "suite.jsonl")
    found = failed(report)
    assert code == 1
    assert criterion in found, found
    assert words in found[criterion]
    if criterion in ("header", "trailer"):
        assert re.search(rf"\b{criterion}\b", found[criterion]) or "settings" in found[criterion]
    elif name not in IN_MANY:
        assert any(task["task_id"] in found[criterion] for task in tasks_of(lines)), found[criterion]


# --- what an audit cannot see ---


def recounted(lines: Lines, path: Path) -> None:
    """Statistics as they are now, in the trailer."""
    path.write_bytes(sealed(lines))
    tally = Tally()
    for task in iterate_suite(path):
        tally.add(task)
    lines[-1]["statistics"] = tally.statistics()


def second_block(lines: Lines) -> Lines:
    return tasks_of(lines)[4:8]


def reworded(lines: Lines) -> None:
    block = second_block(lines)
    said = {word for task in block for word in re.findall(r"[a-z]{4,}", task["certificate"]["delexicalised"])}

    def is_outside(task: dict[str, Any], word: str) -> bool:
        text, spans = task["instruction"], [mention["span"] for mention in task["mentions"]]
        return text.count(word) == 1 and not any(begin <= text.index(word) < end for begin, end in spans)

    word = next(word for word in sorted(said) if all(is_outside(task, word) for task in block))
    for task in block:
        for holder, key in ((task, "instruction"), (task["certificate"], "delexicalised")):
            holder[key] = holder[key].replace(word, "q" * len(word))


def another_of_those_meant(lines: Lines) -> None:
    drawn_anew = (0, 10, 20, 30, 39)
    task = next(
        task
        for number, task in enumerate(tasks_of(lines))
        if number not in drawn_anew and any(isinstance(intent, str) for intent in task.get("intent", {}).values())
    )
    [(slot, intent)] = task["intent"].items()
    task["intent"][slot] = next(i for i in task["certificate"]["mentions"][0]["denotes"] if i != intent)


def forgotten(lines: Lines) -> None:
    for task in second_block(lines):
        task.pop("intent", None)


def rewritten_background(lines: Lines) -> None:
    for task in second_block(lines):
        for entity in task["entities"]:
            for message in entity.get("messages", ()):
                message["body"] += " Thanks."


def harder(lines: Lines) -> None:
    for task in second_block(lines):
        task["difficulty"] = 5 if task["difficulty"] != 5 else 4


def unwritten(lines: Lines) -> None:
    lines[0].update(source=None, generator_version=None, seed=None, pools=None, config={})
    for task in tasks_of(lines):
        task.update(index=None, domain="weather", certificate=None)


NOT_SEEN: Mapping[str, Tampering] = {
    "words outside the mentions": reworded,
    "which of those meant a user has in mind": another_of_those_meant,
    "that the user of one block has nothing in mind": forgotten,
    "background records": rewritten_background,
    "the difficulty of a block": harder,
    "the name of a suite": lambda lines: lines[0].update(name="another"),
    "ids": lambda lines: victim(lines).update(task_id="aaaabbbbcccc"),
    "that a generator wrote a suite": unwritten,
}
"""What was tampered with throughout, statistics and seal included, and is not found: docs/audit.md says so."""


@pytest.mark.parametrize("name", NOT_SEEN)
def test_what_an_audit_cannot_see(name, suites, tmp_path):
    lines = suites(40)
    before = copy.deepcopy(lines)
    NOT_SEEN[name](lines)
    assert lines != before
    path = tmp_path / "suite.jsonl"
    recounted(lines, path)
    path.write_bytes(sealed(lines))
    assert audit(path)[0] == 0


def test_the_documentation_says_what_an_audit_cannot_see():
    text = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
    _, _, listed = text.partition("## What an audit cannot see")
    listed = listed.partition("\n## ")[0]
    assert re.findall(r"^- \*\*(.+?)\*\*", listed, re.MULTILINE) == list(NOT_SEEN)


def test_without_forms_and_generator_nothing_is_claimed(suites, tmp_path):
    lines = suites(16)
    unwritten(lines)
    for task in tasks_of(lines):
        no_forms(task)
    lines[-1]["statistics"] = {}
    (tmp_path / "bare.jsonl").write_bytes(sealed(lines))
    done = CliRunner().invoke(app, ["audit", str(tmp_path / "bare.jsonl"), "--no-classifiers", "--workers", "1"])
    assert done.exit_code == 0
    assert "no criterion that applies fails; 0 of 16 labels could be proven" in done.stdout
    assert "every criterion" not in done.stdout
    assert done.stdout.count("the header names no generator") >= 3
