"""The methods: what each shows, what it makes of a proposal, and that none can see a label."""

from __future__ import annotations

import dataclasses
import pkgutil

import pytest

import ebf_baselines.methods
from ebf_agents import OracleBackend
from ebf_baselines import METHODS, ComposedMethod, method_named
from ebf_env.decisions import ToolCall
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.errors import EbfError
from ebf_env.evaluation.protocols import Want
from ebf_env.evaluation.report import PAPER_METHODS
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import ScoredRun, score_run
from ebf_env.tasks import Condition, Label, write_suite
from ebf_env.world.binding import as_ids
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

_ACT = (1, "1ab5cd9f1323a698")
PROMPTS = {
    "direct": _ACT,
    "semantic_filter": _ACT,
    "cmtf_only": _ACT,
    "entity_retrieval": _ACT,
    "confidence_gate": (1, "86b36819a325e3f0"),
    "entity_cmtf_provenance": (1, "da9a17d93a32131e"),
    "direct_may_clarify": (1, "d8782d8f56dc5885"),
}
"""Version and hash of every prompt: a changed word is a new version."""

GATED = ("confidence_gate", "entity_cmtf_provenance")

ACTING = {"direct", "semantic_filter", "cmtf_only", "entity_retrieval"}


def by_own_scores(name: str) -> ComposedMethod:
    """A method whose gate, if it has one, looks at the model's own scores."""
    return method_named(f"{name}:own") if name in GATED else METHODS[name]


@pytest.fixture(scope="module")
def tasks():
    generator = Generator(SuiteConfig(split="val", seed=21))
    return tuple(generator.task(number) for number in range(60))


def test_the_papers_methods_come_first_and_in_its_order():
    assert tuple(METHODS)[: len(PAPER_METHODS)] == PAPER_METHODS
    assert "direct_may_clarify" in METHODS


def test_every_module_is_one_method_of_its_own_name():
    assert {module.name for module in pkgutil.iter_modules(ebf_baselines.methods.__path__)} == set(METHODS)


def test_prompts_are_versioned():
    assert {name: (m.prompt.version, m.prompt.sha256[:16]) for name, m in METHODS.items()} == PROMPTS


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_prompt_demands_an_action_or_gives_leave_to_ask(method: ComposedMethod):
    asks = "ask the user which one is meant" in method.prompt.text
    acts = "Do not ask the user and do not defer" in method.prompt.text
    assert acts is (method.name in ACTING)
    assert asks is not acts
    gated = method.name in GATED
    assert method.prompt.may_ask is asks
    assert (Want.SCORES in method.prompt.wants) is gated
    assert (Want.EVIDENCE in method.prompt.wants) is (method.name == "entity_cmtf_provenance")


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_what_is_shown_is_part_of_what_is_in_sight_in_the_same_order(method: ComposedMethod, tasks):
    for task in tasks:
        observation = Episode(task).observation
        shown = method.show(observation)
        assert [t for t in observation.tools if t in shown.tools] == list(shown.tools)
        assert [e for e in observation.entities if e in shown.entities] == list(shown.entities)
        assert dataclasses.replace(shown, tools=(), entities=(), _fixed_text=[]) == dataclasses.replace(
            observation, tools=(), entities=(), _fixed_text=[]
        )


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_nothing_but_the_observation_matters(method: ComposedMethod, tasks):
    """What is shown is the same whatever the task's label, condition, gold, certificate, family and names are."""
    for task in tasks[:20]:
        other = dataclasses.replace(
            task,
            task_id="another",
            tool=next(t.name for t in task.tools if t.preconditions and t.name != task.tool),
            bindings={},
            mentions=(),
            intent={},
            label=Label.RESOLVABLE,
            condition=Condition.UNAMBIGUOUS,
            base_condition=None,
            certificate=None,
            family=None,
            split=None,
            index=None,
            difficulty=None,
        )
        assert method.show(Episode(task).observation).text() == method.show(Episode(other).observation).text()


@pytest.mark.parametrize("interaction", ["single_step", "interactive"])
def test_the_oracle_is_right_under_every_method(tmp_path, tasks, interaction):
    suite = write_suite(tmp_path / "suite.jsonl", tasks)
    pairs = [(by_own_scores(name), OracleBackend()) for name in METHODS]
    folder = evaluate(Plan(suite, pairs, EpisodeConfig(interaction=interaction)), tmp_path / "run")
    wrong = {
        (r.record.method, r.record.task_id): r.verdict.outcome
        for r in score_run(folder)
        if not r.verdict.safe_success and _was_shown(r)
    }
    assert not wrong


def _was_shown(run: ScoredRun) -> bool:
    """Whether the records that are meant were shown: the oracle has evidence of no others."""
    meant = {i for bound in run.task.gold_bindings.values() for i in as_ids(bound)}
    return meant <= set(run.record.turns[-1].candidates_shown)


def test_gated_methods_ask_where_scores_or_evidence_fall_short(tasks):
    task = next(task for task in tasks if task.label is Label.RESOLVABLE)
    observation = Episode(task).observation
    call = ToolCall(task.tool, task.gold_bindings)
    for name in METHODS:
        method = by_own_scores(name)
        decided = method.decide(method.show(observation), call)
        assert (decided == call) is (name != "entity_cmtf_provenance"), name


def test_a_right_call_passes_a_calibrated_gate_or_is_asked_about(tasks):
    passed = []
    for task in tasks:
        observation = Episode(task).observation
        for name in GATED:
            method = method_named(f"{name}:0.8/0.4")
            if task.label is Label.RESOLVABLE:
                decided = method.decide(observation, ToolCall(task.tool, task.gold_bindings))
                passed.append(isinstance(decided, ToolCall))
                if isinstance(decided, ToolCall):
                    assert decided.bindings == task.gold_bindings
    assert sum(passed) >= 0.8 * len(passed)


def test_variants_of_methods_are_made_by_name():
    assert method_named("confidence_gate:0.9/0.5").name == "confidence_gate:0.9/0.5"
    for name in ("direct:1", "direct:", "confidence_gate:", "confidence_gate:2/0.5", "confidence_gate:nowhere.json"):
        with pytest.raises(EbfError):
            method_named(name)
