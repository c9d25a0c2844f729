"""The resolver backend: best guesses, its own gate, answers, and looking records up; and regating a finished run."""

from __future__ import annotations

import asyncio
import json

import pytest

from ebf_agents import backends_named
from ebf_agents.resolver import ResolverBackend
from ebf_agents.searching import MOST, MOST_OPENED
from ebf_baselines import METHODS, method_named
from ebf_baselines.gating import PlainThresholds, ResolverGate, sight_of
from ebf_baselines.gating.evidence import is_held, unheld
from ebf_env.decisions import Clarify, Defer, Evidence, ToolCall
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Query
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import score_run
from ebf_env.tasks import Label, UserProfile, write_suite
from ebf_env.world import TOOLS, Entity
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

GATED = ("confidence_gate:0.8/0.4", "entity_cmtf_provenance:0.8/0.4")
BACKEND = ResolverBackend()


def drawn(count: int, **settings: object):
    generator = Generator(SuiteConfig(split="val", seed=31, families=False, **settings))
    return tuple(generator.task(number) for number in range(count))


@pytest.fixture(scope="module")
def tasks():
    return drawn(40)


def ask(observation: Observation, method: str):
    prompt = method_named(method).prompt
    return BACKEND.decide(Query(method_named(method).show(observation), prompt, 0, 0, sight=observation))


@pytest.mark.parametrize("method", ["direct", "semantic_filter", "cmtf_only", "entity_retrieval", *GATED])
def test_it_always_proposes_a_scored_call_with_evidence_of_every_binding(tasks, method: str):
    for task in tasks:
        observation = Episode(task).observation
        call = ask(observation, method)
        assert isinstance(call, ToolCall)
        assert call.scores
        shown = method_named(method).show(observation)
        store = sight_of(observation if method in GATED else shown).store
        assert unheld(store, call.evidence) is None
        assert all(0 <= p <= 1 for scores in call.scores.values() for p in scores.values())


def test_it_decides_by_its_own_gate_where_it_may_ask(tasks, monkeypatch):
    monkeypatch.setattr("ebf_agents.resolver._GATE", ResolverGate(PlainThresholds(0.8, 0.4)))
    decisions = [(task.label, ask(Episode(task).observation, "direct_may_clarify")) for task in tasks]
    assert any(isinstance(decision, Clarify) for label, decision in decisions if label is Label.AMBIGUOUS)
    assert any(isinstance(decision, ToolCall) for label, decision in decisions if label is Label.RESOLVABLE)


def test_nothing_is_read_twice(tasks, monkeypatch):
    read = []
    from ebf_baselines.gating import sight

    real = sight.Reading
    monkeypatch.setattr(sight, "Reading", lambda *args: read.append(1) or real(*args))
    observation = Episode(tasks[0]).observation
    method = method_named(GATED[0])
    method.decide(observation, ask(observation, GATED[0]))
    assert len(read) == 1


@pytest.mark.parametrize("interaction", ["single_step", "interactive"])
def test_gated_it_is_seldom_wrong_and_mostly_done(tmp_path, tasks, interaction):
    suite = write_suite(tmp_path / "suite.jsonl", tasks)
    pairs = [(method_named(name), BACKEND) for name in GATED]
    config = EpisodeConfig(interaction=interaction, user=UserProfile(answers="words"))
    runs = score_run(evaluate(Plan(suite, pairs, config), tmp_path / "run"))
    assert sum(run.verdict.wrong_entity or run.verdict.wrong_tool for run in runs) <= 0.05 * len(runs)
    done = [run.verdict.task_success for run in runs if run.resolvable]
    assert sum(done) >= 0.8 * len(done)
    assert not any(run.verdict.outcome.value == "invalid" for run in runs)


def test_no_question_is_asked_twice_in_an_episode(tmp_path, tasks):
    suite = write_suite(tmp_path / "suite.jsonl", tasks)
    users = (UserProfile(), UserProfile(answers="words", dont_know=0.5, neither=0.3, paraphrase=1.0, patience=2))
    for number, user in enumerate(users):
        config = EpisodeConfig(interaction="interactive", user=user)
        folder = evaluate(Plan(suite, [(method_named(GATED[0]), BACKEND)], config), tmp_path / f"run{number}")
        for record in folder.records():
            asked = [turn.decision.get("clarification_question") for turn in record.turns]
            questions = [question for question in asked if question]
            assert len(questions) == len(set(questions))
            assert record.turns[-1].decision["decision"] in ("ACT", "DEFER")


@pytest.mark.parametrize("size", [40, 600])
def test_it_searches_within_bounds_and_never_the_same_twice(tmp_path, size: int):
    tasks = drawn(8, visibility="search", world_size=size)
    suite = write_suite(tmp_path / "suite.jsonl", tasks)
    config = EpisodeConfig(interaction="interactive", max_steps=40)
    folder = evaluate(Plan(suite, [(method_named(GATED[0]), BACKEND)], config), tmp_path / "run")
    for record in folder.records():
        calls = [turn.decision for turn in record.turns if turn.decision["decision"] == "ACT"]
        made = [json.dumps([call["tool"], call.get("bindings"), call.get("arguments")]) for call in calls]
        assert len(made) == len(set(made))
        assert len(made) <= MOST + MOST_OPENED + 1
        assert any(call["tool"] == "search_changes" for call in calls)
    runs = score_run(folder)
    assert sum(run.verdict.wrong_entity for run in runs) <= 1


def test_a_withdrawn_record_is_not_permitted_and_a_missing_one_has_no_referent():
    person = Entity("p1", "person", {"name": "Maria Lopez", "email": "m@x.example", "team": "Launch"})
    notice = Entity(
        "n1",
        "change_notice",
        {
            "title": "Your access to the entry for Zelda Quill was withdrawn.",
            "record": "p1",
            "field": "access",
            "value": "withdrawn",
            "effective_at": "2026-03-01T00:00:00+00:00",
        },
    )
    other = Entity("p2", "person", {"name": "Sam Okoro", "email": "s@x.example", "team": "Support"})
    entities = tuple(map(ObservedEntity, (person, other, notice)))

    def said(instruction: str):
        seen = Observation(instruction, "2026-03-03T12:00:00+00:00", None, (), (TOOLS["send_email"],), entities)
        return ResolverGate(PlainThresholds(0.7, 0.3))(seen, ToolCall("send_email", {"recipient": "p1"}))

    assert said("Send an email to Maria who is with Support") == Defer("no_referent")
    assert said("Send an email to Zelda Quill") == Defer("not_permitted")


def test_false_evidence_fails_the_run_and_true_evidence_does_not(tasks):
    method = method_named(GATED[1])
    done = 0
    for task in tasks:
        observation = Episode(task).observation
        call = ask(observation, GATED[1])
        assert isinstance(call, ToolCall)
        decision = method.decide(observation, call)
        if not isinstance(decision, ToolCall):
            continue
        done += 1
        store = sight_of(observation).store
        bound = {i for b in decision.bindings.values() for i in ([b] if isinstance(b, str) else b)}
        assert bound == {e.entity_id for e in decision.evidence}
        assert all(is_held(store, e.source_id, e.field, e.value) for e in decision.evidence)
        some = next(iter(bound))
        lie = Evidence(None, some, some, "team", "The Moon")
        for claims in ((lie,), (*call.evidence, lie)):
            refused = method.decide(observation, ToolCall(call.tool, call.bindings, {}, claims, call.scores))
            assert isinstance(refused, Defer)
            assert refused.reason.startswith("unverified_evidence")
        words = ToolCall(call.tool, call.bindings, {}, (Evidence(None, some, text="trust me"),), call.scores)
        assert isinstance(method.decide(observation, words), ToolCall)
    assert done


# --- regating ---


def test_regating_a_finished_run_gives_what_the_gate_makes_of_its_proposals(tmp_path, tasks):
    suite = write_suite(tmp_path / "suite.jsonl", tasks[:15])
    first = evaluate(Plan(suite, [(METHODS["direct"], BACKEND)]), tmp_path / "first")
    (again,) = backends_named(f"regate:{tmp_path / 'first'}")
    assert again.name == "regate:resolver"
    strict, lenient = (method_named(name) for name in ("confidence_gate:0.999/0.9", GATED[0]))
    second = evaluate(Plan(suite, [(strict, again), (lenient, again)]), tmp_path / "second")
    assert {r.method: r.backend for r in second.records()} == dict.fromkeys((strict.name, lenient.name), again.name)
    assert not any(run.verdict.acted for run in score_run(second) if run.record.method == strict.name)
    direct = {r.task_id: r.turns[0].decision for r in first.records()}
    for record in second.records():
        turn = record.turns[0]
        assert (turn.proposal or turn.decision)["tool"] == direct[record.task_id]["tool"]


def test_a_run_that_cannot_be_regated_is_refused(tmp_path, tasks):
    suite = write_suite(tmp_path / "suite.jsonl", tasks[:1])
    evaluate(
        Plan(suite, [(METHODS["direct"], BACKEND)], EpisodeConfig(interaction="interactive")), tmp_path / "interactive"
    )
    with pytest.raises(ConfigurationError, match="interactive"):
        backends_named(f"regate:{tmp_path / 'interactive'}")
    with pytest.raises(ConfigurationError, match="needs a run folder"):
        backends_named("regate")
    evaluate(Plan(suite, [(METHODS["direct"], BACKEND)]), tmp_path / "plain")
    (again,) = backends_named(f"regate:{tmp_path / 'plain'}")
    other = write_suite(tmp_path / "other.jsonl", tasks[1:2])
    folder = evaluate(Plan(other, [(METHODS["direct"], again)]), tmp_path / "other")
    assert [record.error is not None for record in folder.records()] == [True]


# --- odd observations ---


@pytest.mark.parametrize("instruction", ["", "送信してください", "SEND IT NOW", "asdf"])
def test_it_copes_with_nothing_in_sight(instruction: str):
    seen = Observation(instruction, None, None, (), (TOOLS["send_email"], TOOLS["search_directory"]), ())
    for method in ("direct", *GATED):
        decision = ask(seen, method)
        assert isinstance(decision, ToolCall | Defer | Clarify)
    none = Observation(instruction, "not a time", {}, ({"role": "user"},), (), ())
    assert isinstance(ask(none, "direct"), Defer)
    assert asyncio.run(BACKEND.answer(Query(none, METHODS["direct"].prompt, 0, 0))).text
