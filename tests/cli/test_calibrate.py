"""``ebf calibrate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ebf_agents.calibration import calibration_episodes
from ebf_baselines.calibration import read_certificate
from ebf_baselines.gating import resolver_id
from ebf_baselines.gating.scorer import certificate_for_resolver
from ebf_env.cli.app import app, main
from ebf_env.tasks import write_suite
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def suite(tmp_path_factory) -> Path:
    generator = Generator(SuiteConfig(split="val", seed=41, families=False))
    path = tmp_path_factory.mktemp("suite") / "val.jsonl"
    write_suite(path, (generator.task(number) for number in range(60)))
    return path


def test_it_writes_a_certificate_that_the_gate_takes(suite: Path, tmp_path: Path):
    out = tmp_path / "gate.json"
    done = RUNNER.invoke(app, ["calibrate", "--suite", str(suite), "--alpha", ".2", "--beta", ".2", "-o", str(out)])
    assert done.exit_code == 0, done.output
    certificate = certificate_for_resolver(out)
    assert certificate.scorer == resolver_id()
    assert certificate.splits.tune == 15
    assert certificate.splits.calibrate == 45
    assert "tau" in done.output
    assert "aurc" in done.output
    again = RUNNER.invoke(
        app, ["calibrate", "--suite", str(suite), "--alpha", ".2", "--beta", ".2", "-o", str(out), "--force", "--json"]
    )
    assert again.exit_code == 0, again.output
    told = json.loads(again.stdout)
    assert told["certificate"] == json.loads(out.read_text())
    assert read_certificate(out) == certificate
    assert set(told["on_the_calibration_split"]) >= {"n", "wrong", "completion", "aurc", "augrc", "ece"}


def test_too_few_families_certify_nothing_and_say_so(suite: Path, tmp_path: Path):
    out = tmp_path / "gate.json"
    done = RUNNER.invoke(app, ["calibrate", "--suite", str(suite), "--per-risk", "-o", str(out)])
    assert done.exit_code == 1
    certificate = read_certificate(out)
    assert certificate.never_acts
    assert set(certificate.thresholds) == {"low", "medium", "high", "critical"}
    assert "never acts" in done.output


def test_the_number_of_processes_has_no_effect(suite: Path, monkeypatch):
    from ebf_agents import calibration
    from ebf_env.tasks import iterate_suite

    monkeypatch.setattr(calibration, "_WORTH_PROCESSES", 1)
    assert list(calibration_episodes(iterate_suite(suite), 60, 2)) == list(
        calibration_episodes(iterate_suite(suite), 60)
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--suite", "SUITE", "--alpha", "0"], "alpha: expected a number between 0 and 1"),
        (["--suite", "SUITE", "--beta", "2"], "beta: expected a number between 0 and 1"),
        (["--suite", "SUITE", "--tune", "60"], "cannot be split"),
        (["--suite", "SUITE", "-o", "SUITE"], "is there already"),
        (["--suite", "nowhere.jsonl"], "nowhere.jsonl"),
        (["--suite", "TORN"], "no whole suite"),
    ],
)
def test_mistakes_are_told_in_one_sentence(suite: Path, tmp_path: Path, monkeypatch, capsys, arguments, sentence):
    torn = tmp_path / "torn.jsonl"
    torn.write_text("".join(suite.read_text().splitlines(keepends=True)[:3]))
    named = {"SUITE": str(suite), "TORN": str(torn)}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["ebf", "calibrate", *(named.get(a, a) for a in arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("error:") == 1
    assert "Traceback" not in told
