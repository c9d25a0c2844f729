"""A real language model, small enough for a test: Qwen2.5-Coder 0.5B behind llama.cpp's own server on loopback.

It is set up by a script that lies beside the project, not in it; ``EBF_LOCAL_LLM`` names a folder where it has been set
up already. Where neither is there, or the weights cannot be had, these tests are skipped and say so. What the model
answers is not compared with anything: small models bind badly, and not alike on different machines.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ebf_agents.llm import BackendEntry, LLMBackend
from ebf_baselines import METHODS
from ebf_env.decisions import Clarify, ToolCall, parse_decision
from ebf_env.envs import EpisodeConfig
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import score_run
from ebf_env.json_types import ascii_json
from ebf_env.scoring import Outcome
from ebf_env.tasks import Suite, write_suite
from ebf_env.world.binding import as_ids

ROOT = Path(__file__).parents[2]
SETUP = ROOT.parent / "shared" / "tools" / "setup_local_llm.sh"
MODEL = "qwen2.5-coder-0.5b-instruct-q4_k_m"
CONTEXT = "8192"

pytestmark = pytest.mark.local_llm


@pytest.fixture(scope="module")
def local_llm() -> Path:
    """The folder of a server and its weights, set up once."""
    folder = Path(os.environ.get("EBF_LOCAL_LLM", ROOT / ".local-llm"))
    if not (folder / "models" / f"{MODEL}.gguf").exists():
        if not SETUP.exists():
            pytest.skip("no local language model: set EBF_LOCAL_LLM to a folder with serve.py, venv and models")
        done = subprocess.run(
            ["bash", str(SETUP), str(folder), "0.5b"],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "SKIP_SMOKE": "1"},
            timeout=900,
        )
        if done.returncode:
            pytest.skip(f"the weights of a local language model could not be had: {done.stdout[-300:]}")
    return folder


@pytest.fixture(scope="module")
def url(local_llm: Path) -> Iterator[str]:
    command = [local_llm / "venv/bin/python", local_llm / "serve.py", local_llm / "models" / f"{MODEL}.gguf"]
    server = subprocess.Popen([*map(str, command), "--port", "0", "--ctx", CONTEXT], stdout=subprocess.PIPE, text=True)
    try:
        ready = next((line for line in server.stdout if line.startswith("READY")), "")
        assert ready, "the server did not start"
        yield ready.split()[1]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
        server.stdout.close()


@pytest.fixture
def suite(tmp_path: Path, office_tasks) -> Suite:
    """A few tasks over a handful of records, since every token takes its time here."""
    return write_suite(tmp_path / "suite.jsonl", office_tasks[:3])


@pytest.mark.parametrize(("protocol", "method"), [("json", "direct_may_clarify"), ("tools", "cmtf_only")])
def test_a_real_model_answers_in_both_protocols(tmp_path, suite, url, protocol, method):
    entry = BackendEntry.model_validate(
        {
            "model": MODEL,
            "base_url": url,
            "protocol": protocol,
            "structured": "json_schema",
            "sampling": {"max_tokens": 400},
            "concurrency": 1,
            "timeout": 600,
        }
    )
    plan = Plan(suite, [(METHODS[method], LLMBackend("local", entry))], EpisodeConfig())
    scored = score_run(evaluate(plan, tmp_path / "run"))
    assert len(scored) == len(suite.tasks)
    for run in scored:
        assert run.record.error is None
        [turn] = run.record.turns
        assert turn.prompt.startswith(f"{method}/1 {protocol}/")
        assert turn.usage["prompt_tokens"] > 300
        assert any("constrained" in note for note in turn.notes)
        proposal = parse_decision(ascii_json(turn.proposal or turn.decision))
        if protocol == "json":  # the grammar lets nothing else through, unless the answer is cut off
            assert run.verdict.outcome is not Outcome.INVALID or turn.usage["finish_reason"] == "length"
        if isinstance(proposal, ToolCall):
            assert proposal.tool in turn.tools_shown
            assert {i for bound in proposal.bindings.values() for i in as_ids(bound)} <= set(turn.candidates_shown)
        if isinstance(proposal, Clarify):
            assert {option.entity_id for option in proposal.options} <= set(turn.candidates_shown)
