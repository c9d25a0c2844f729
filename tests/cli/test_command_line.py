from __future__ import annotations

import dataclasses
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ebf_env.tasks import SuiteInfo, write_suite

EBF = [sys.executable, "-m", "ebf_env.cli.app"]


def ebf(*args: object, cwd: Path | None = None, **more: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        **more,
        "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        "COLUMNS": "200",
        "NO_COLOR": "1",
    }
    return subprocess.run([*EBF, *map(str, args)], capture_output=True, text=True, cwd=cwd, env=env, check=False)


@pytest.fixture
def suite(tmp_path: Path, office_tasks) -> Path:
    write_suite(tmp_path / "office.jsonl", office_tasks)
    return tmp_path / "office.jsonl"


def test_help_answers_at_once():
    """Half a second of processor time; a slower machine is measured against what its own libraries need to start."""
    best = min(processor_seconds(*EBF, "--help") for _ in range(4))
    libraries = min(
        processor_seconds(sys.executable, "-c", "import typer, typer.rich_utils, rich.table") for _ in range(4)
    )
    assert best < max(0.5, 3 * libraries), f"ebf --help took {best:.2f} s, starting its libraries {libraries:.2f} s"


def test_help_loads_nothing_heavy():
    code = (
        "import sys\nfrom ebf_env.cli.app import app\n"
        "try: app(['--help'])\nexcept SystemExit: pass\n"
        "sys.stderr.write(' '.join(sorted({m.split('.')[0] for m in sys.modules})))"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env).stderr
    assert not {"gymnasium", "numpy", "scipy", "pydantic", "openai", "faker", "rapidfuzz"} & set(loaded.split())


def processor_seconds(*command: str) -> float:
    """Processor time a command takes, whatever else the machine does."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_several_runs_are_reported_beside_each_other(tmp_path, office_tasks):
    suite, other = tmp_path / "s.jsonl", tmp_path / "o.jsonl"
    write_suite(suite, office_tasks)
    write_suite(other, office_tasks[:2])
    for name, where, backend in (("a", suite, "first"), ("b", suite, "random"), ("c", other, "first")):
        ebf("evaluate", where, "--backend", backend, "--out", tmp_path / name)
    done = ebf("report", tmp_path / "a", tmp_path / "b", "--by", "backend", "--format", "json")
    assert {row["backend"]: row["runs"] for row in json.loads(done.stdout)} == dict.fromkeys(
        ("first", "random"), len(office_tasks)
    )
    assert "is in two of the folders" in ebf("report", tmp_path / "a", tmp_path / "a").stderr
    assert "is about another suite than" in ebf("report", tmp_path / "a", tmp_path / "c").stderr


@pytest.mark.parametrize("command", ["evaluate", "report", "import-paper"])
def test_every_command_has_help_with_an_example(command):
    done = ebf(command, "--help")
    assert done.returncode == 0
    assert f"Example: ebf {command}" in done.stdout


def test_version_and_no_arguments():
    from ebf_env import __version__

    assert ebf("--version").stdout == f"ebf {__version__}\n"
    assert ebf().returncode == 2


def test_evaluate_then_report_in_every_format(suite, tmp_path):
    out = tmp_path / "run"
    done = ebf(
        "evaluate", suite, "--method", "direct", "--backend", "oracle,first", "--backend", "random", "--out", out
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"The run lies in {out}" in done.stdout
    assert "oracle" in done.stdout
    rows = json.loads(ebf("report", out, "--by", "backend", "--format", "json").stdout)
    assert [(row["backend"], row["runs"]) for row in rows] == [("first", 5), ("oracle", 5), ("random", 5)]
    assert rows[1]["safe_success"] == 1.0
    text = ebf("report", out, "--by", "backend", "--format", "csv").stdout.splitlines()
    assert text[0].startswith("backend,runs,resolvable_runs,errors,task_success,safe_success,wrong_tool,wrong_entity")
    table = ebf("report", out, "--by", "condition,risk", "--profile", "conditional").stdout
    assert "true_ambiguity" in table
    assert "the runs each metric is defined on" in table


def test_evaluate_json_and_the_default_folder(suite, tmp_path):
    done = ebf("evaluate", suite, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)[0]["completion"] == 1.0
    [folder] = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("suite-")
    assert ebf("evaluate", suite, cwd=tmp_path).returncode == 0
    assert [folder] == list((tmp_path / "runs").iterdir()), "the same configuration is the same folder"


def test_the_starter_suite_has_a_name(tmp_path):
    done = ebf("evaluate", "starter", "--limit", "3", "--out", tmp_path / "run")
    assert done.returncode == 0
    assert "3 tasks" in done.stdout


def test_errors_end_with_one_and_say_how_to_go_on(suite, tmp_path):
    answers = tmp_path / "a.csv"
    answers.write_text('task_id,method,model,raw_response\ntask-1,direct,m,"{""decision"": ""DEFER""}"\n')
    done = ebf("evaluate", suite, "--backend", f"replay:{answers}", "--out", tmp_path / "run")
    assert done.returncode == 1
    assert "4 run(s) failed" in done.stderr
    assert "tries them again" in done.stderr


def test_several_tables_and_a_backend_file_with_commas_in_its_name(suite, tmp_path):
    answers = tmp_path / "a,b, c.csv"
    rows = "".join(f'task-{n},direct,m,"{{""decision"": ""DEFER""}}"\n' for n in range(1, 6))
    answers.write_text(f"task_id,method,model,raw_response\n{rows}")
    done = ebf(
        "evaluate",
        suite,
        "-b",
        f"oracle,replay:{answers}",
        "--by",
        "backend",
        "--by",
        "label",
        "--out",
        tmp_path / "my run",
    )
    assert done.returncode == 0
    assert done.stdout.count("succ.") == 4, "two tables, two columns each"
    assert "replay:m" in done.stdout
    assert "my run'" in done.stdout, "a path with a blank is quoted"


def test_a_suites_name_cannot_lead_a_run_elsewhere(tmp_path, office_tasks):
    write_suite(tmp_path / "s.jsonl", office_tasks, SuiteInfo("../../evil"))
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert ebf("evaluate", tmp_path / "s.jsonl", cwd=inner).returncode == 0
    assert [p.name for p in inner.iterdir()] == ["runs"]


def test_a_terminal_that_knows_ascii_only_gets_escapes(suite, tmp_path):
    answers = tmp_path / "a.csv"
    rows = "".join(f'task-{n},direct,m/é,"{{""decision"": ""DEFER""}}"\n' for n in range(1, 6))
    answers.write_text(f"task_id,method,model,raw_response\n{rows}", encoding="utf-8")
    ebf("evaluate", suite, "-b", f"replay:{answers}", "--out", tmp_path / "run")
    for form in ("table", "csv"):
        env = {"PYTHONIOENCODING": "ascii"}
        done = ebf("report", tmp_path / "run", "--by", "model", "--format", form, **env)
        assert (done.returncode, done.stderr) == (0, "")
        assert "m/\\xe9" in done.stdout


def test_an_incomplete_run_is_called_so(suite, tmp_path):
    ebf("evaluate", suite, "--out", tmp_path / "run")
    records = tmp_path / "run" / "records.jsonl"
    records.write_text("".join(records.read_text().splitlines(keepends=True)[:3]))
    done = ebf("report", tmp_path / "run")
    assert done.returncode == 0
    assert "3 of 5 runs are recorded" in done.stderr


BAD = [
    (["evaluate", "{suite}", "--out", "{suite}/run"], "office.jsonl"),
    (["evaluate", "{suite}", "--out", "/proc/nowhere"], "/proc/nowhere: the run folder cannot be made"),
    (["evaluate", "{suite}", "--method", "fly"], "unknown method 'fly'; known: direct"),
    (["evaluate", "{suite}", "--backend", "gpt"], "unknown backend 'gpt'; known: oracle, random, first, lexical"),
    (["evaluate", "{suite}", "--backend", "replay:none.csv"], "none.csv: there is no such file"),
    (["evaluate", "none.jsonl"], "none.jsonl: there is no such file"),
    (["evaluate", "{suite}", "--visibility", "search"], "needs interaction 'interactive'"),
    (["evaluate", "{suite}", "--by", "colour"], "cannot be grouped by 'colour'"),
    (["report", "{tmp}"], "no run folder"),
    (["report", "{suite}"], "no run folder"),
    (["import-paper", "{suite}", "--out", "{tmp}/x.jsonl"], "needs no import"),
    (["import-paper", "{suite}", "--out", "{tmp}/x.csv"], "ends in .jsonl"),
]


@pytest.mark.parametrize(("args", "words"), BAD)
def test_a_users_mistake_is_one_sentence_and_exit_code_2(suite, tmp_path, args, words):
    before = sorted(p.name for p in tmp_path.iterdir())
    done = ebf(*(a.format(suite=suite, tmp=tmp_path) for a in args), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert words in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == before, "nothing is written"


def test_a_broken_suite_is_refused_with_file_line_and_field(suite, tmp_path):
    lines = suite.read_text().splitlines(keepends=True)
    suite.write_text("".join([*lines[:3], lines[2], *lines[3:]]))
    done = ebf("evaluate", suite, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert f"{suite}, line 4, field task_id: the task id 'task-1' was used before, in line 3" in done.stderr
    assert not (tmp_path / "run").exists()


def test_a_run_of_another_configuration_is_refused(suite, tmp_path):
    out = tmp_path / "run"
    ebf("evaluate", suite, "--out", out)
    done = ebf("evaluate", suite, "--backend", "first", "--out", out)
    assert done.returncode == 2
    assert "another configuration" in done.stderr
    assert "oracle" in done.stderr


def test_import_paper_writes_a_suite_and_never_silently_replaces_another(tmp_path):
    row = {
        "task_id": "a",
        "domain": "email",
        "instruction": "Email Alex.",
        "gold_tool": "send_email",
        "gold_bindings": {"recipient": "p1"},
        "ambiguity": "unambiguous",
        "entities": [{"id": "p1", "type": "person"}],
        "tools": ["send_email"],
        "colour": "red",
    }
    tasks, out = tmp_path / "t.jsonl", tmp_path / "s.jsonl"
    tasks.write_text(json.dumps(row) + "\n")
    done = ebf("import-paper", tasks, "--out", out)
    assert done.returncode == 0
    assert "1 tasks written" in done.stdout
    assert "colour" in done.stdout
    assert ebf("import-paper", tasks, "--out", out).returncode == 0, "the same again changes nothing"
    written = out.read_bytes()
    tasks.write_text(json.dumps({**row, "instruction": "Mail Alex."}) + "\n")
    refused = ebf("import-paper", tasks, "--out", out)
    assert refused.returncode == 2
    assert "holds something else" in refused.stderr
    assert out.read_bytes() == written
    assert json.loads(ebf("import-paper", tasks, "--out", out, "--force", "--json").stdout)["tasks"] == 1
    assert out.read_bytes() != written


def test_an_interrupted_run_is_kept_and_gone_on_with(office_tasks, tmp_path):
    many = tuple(dataclasses.replace(office_tasks[0], task_id=f"task-{n}") for n in range(4000))
    write_suite(tmp_path / "many.jsonl", many)
    out = tmp_path / "run"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    command = [*EBF, "evaluate", str(tmp_path / "many.jsonl"), "--backend", "first", "--out", str(out)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    records = out / "records.jsonl"
    deadline = time.monotonic() + 60
    while not (records.exists() and records.stat().st_size > 5000) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in errors
    kept = len(records.read_text().splitlines())
    assert 0 < kept < 4000
    done = ebf("evaluate", tmp_path / "many.jsonl", "--backend", "first", "--out", out, "--json")
    assert json.loads(done.stdout)[0]["runs"] == 4000
    assert len(records.read_text().splitlines()) == 4000
