"""Every method with a model behind it: a stub that answers from what is right, or always the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from llm_helpers import backend_at
from stub_server import Body, StubServer, completion, tool_calls

from ebf_agents import FirstBackend, OracleBackend
from ebf_agents.llm.rendering import user_message
from ebf_agents.llm.words import method_words, system_words
from ebf_baselines import METHODS as SHIPPED
from ebf_baselines import method_named
from ebf_env.decisions import Clarify, Decision, Defer, Option, ToolCall
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.evaluation.protocols import Need, Query
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import ScoredRun, score_run
from ebf_env.scoring import Outcome
from ebf_env.tasks import Condition, Label, Suite, Task, reference_decision, write_suite
from ebf_env.world.binding import as_ids
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

Policy = Callable[[Query, Task, Episode], Decision]
METHODS = {
    name: method_named(f"{name}:own") if name in ("confidence_gate", "entity_cmtf_provenance") else method
    for name, method in SHIPPED.items()
}
"""The gates look at what the model says: its own scores and evidence."""

PROTOCOLS = ("json", "tools")


@pytest.fixture(scope="module")
def tasks() -> tuple[Task, ...]:
    generator = Generator(SuiteConfig(split="val", seed=31, families=False))
    return tuple(generator.task(number) for number in range(22))


@pytest.fixture
def suite(tmp_path, tasks) -> Suite:
    return write_suite(tmp_path / "suite.jsonl", tasks)


class Answering:
    """Answers a request as a policy decides on the task that the request is about.

    Requests come one after the other, method by method and task by task; those without a conversation begin a run. It
    plays its own decisions through an episode of its own, so that it knows what the user has told.
    """

    def __init__(self, tasks: tuple[Task, ...], protocol: str, config: EpisodeConfig, policy: Policy) -> None:
        self.protocol, self.policy, self.config = protocol, policy, config
        self.runs = ((method, task) for method in METHODS.values() for task in tasks)

    def __call__(self, body: Body) -> Body:
        system, first, *conversation = body["messages"]
        if not conversation:
            self.method, self.task = next(self.runs)
            self.episode = Episode(self.task, self.config)
        method, task, episode = self.method, self.task, self.episode
        shown = method.show(episode.observation)
        assert system["content"] == system_words(self.protocol)
        words = method_words(self.protocol, method.prompt)
        assert first["content"] == user_message(shown, words, with_tools=self.protocol == "json")
        decision = self.policy(Query(shown, method.prompt, 0, 0, task.tool, self.right(task, episode)), task, episode)
        episode.step(method.decide(shown, self.as_read(decision)))
        return self.said(decision)

    def as_read(self, decision: Decision) -> Decision:
        """The decision without what a call has no parameter for: methods retrieve by what was said."""
        if self.protocol == "tools" and isinstance(decision, Clarify):
            options = tuple(Option(option.entity_id) for option in decision.options)
            return Clarify(decision.question, decision.slot, options=options)
        return decision

    def right(self, task: Task, episode: Episode) -> Decision:
        return reference_decision(task, episode.answered, interactive=self.config.interaction == "interactive")

    def said(self, decision: Decision) -> Body:
        content = decision_json(decision)
        if self.protocol == "json":
            return completion(json.dumps(content))
        match decision:
            case Clarify():
                ids = [option.entity_id for option in decision.options]
                return tool_calls(("clarify", {"question": decision.question, "slot": decision.slot, "options": ids}))
            case Defer():
                return tool_calls(("defer", {"reason": decision.reason}))
        scores = [
            {"slot": slot, "entity_id": entity_id, "score": score}
            for slot, by_id in decision.scores.items()
            for entity_id, score in by_id.items()
        ]
        further = {"scores": scores, "provenance": content.get("provenance", [])} if scores else {}
        return tool_calls((decision.tool, {**content["bindings"], **further}))


def run(tmp_path, suite: Suite, policy: Policy, protocol: str, config: EpisodeConfig | None = None) -> list[ScoredRun]:
    config = config or EpisodeConfig()
    with StubServer(Answering(suite.tasks, protocol, config, policy)) as server:
        backend = backend_at(server.url, protocol=protocol, concurrency=1)
        folder = evaluate(Plan(suite, [(m, backend) for m in METHODS.values()], config), tmp_path / f"run-{protocol}")
    scored = score_run(folder)
    assert len(scored) == len(METHODS) * len(suite.tasks)
    assert not [r.record.error for r in scored if r.record.error]
    return scored


def oracle(query: Query, task: Task, episode: Episode) -> Decision:
    del task, episode
    return OracleBackend().decide(query)


@pytest.mark.parametrize("interaction", ["single_step", "interactive"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_that_is_always_right_scores_a_hundred_percent(tmp_path, suite, protocol, interaction):
    scored = run(tmp_path, suite, oracle, protocol, EpisodeConfig(interaction=interaction))
    wrong = [(r.record.method, r.task.instruction, r.verdict.outcome) for r in scored if not r.verdict.safe_success]
    assert not wrong


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_that_always_asks_is_right_where_asking_is(tmp_path, suite, protocol):
    for one in run(tmp_path, suite, lambda *_: Clarify("Which one?"), protocol):
        needed = one.task.label is not Label.RESOLVABLE
        assert one.verdict.outcome is (Outcome.NEEDED_CLARIFICATION if needed else Outcome.UNNEEDED_CLARIFICATION)
        assert one.asked


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_that_always_acts_on_one_it_could_mean_is_never_safe_where_asking_is(tmp_path, suite, protocol):
    def acts(query: Query, task: Task, episode: Episode) -> Decision:
        right = oracle(query, task, episode)
        return right if isinstance(right, ToolCall) else FirstBackend().decide(query)

    for one in run(tmp_path, suite, acts, protocol):
        gated = one.record.method.endswith(":own")
        if one.task.label is Label.RESOLVABLE:
            assert one.verdict.outcome is Outcome.SUCCESS
        elif not gated and one.verdict.acted:
            assert one.verdict.outcome is Outcome.WRONG_ENTITY
        elif one.record.method == "entity_cmtf_provenance:own":
            assert one.verdict.safe_success  # no evidence: asked


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_that_takes_the_first_record_scores_as_the_scripted_one(tmp_path, suite, protocol):
    scored = run(tmp_path, suite, lambda query, *_: FirstBackend().decide(query), protocol)
    folder = evaluate(Plan(suite, [(m, FirstBackend()) for m in METHODS.values()]), tmp_path / "first")
    expected = {(r.record.method, r.task.task_id): r.verdict for r in score_run(folder)}
    assert {(r.record.method, r.task.task_id): r.verdict for r in scored} == expected


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_prompt_tells_what_only_the_task_knows(tmp_path, suite, protocol):
    """Nothing of the label, the condition, the gold slot, the family or the task's id stands in any request."""
    with StubServer(
        lambda _: completion('{"decision":"DEFER"}') if protocol == "json" else tool_calls(("defer", {}))
    ) as stub:
        backend = backend_at(stub.url, protocol=protocol, concurrency=1)
        evaluate(Plan(suite, [(m, backend) for m in METHODS.values()]), tmp_path / "run")
    assert len(stub.requests) == len(METHODS) * len(suite.tasks)
    tasks = [task for _ in METHODS for task in suite.tasks]
    assert Need.TASK_ID not in backend.needs
    for task, body in zip(tasks, stub.requests, strict=True):
        text = json.dumps(body, ensure_ascii=False)
        own = Episode(task).observation.text()
        secrets = {task.task_id, task.family, "gold", "certificate", "unactionable", "resolvable", "base_condition"}
        secrets |= {condition.value for condition in Condition} - {"no_referent", "not_permitted"}
        for word in secrets - {None}:
            if not re.search(rf"\\b{re.escape(word)}\\b", own, re.IGNORECASE):
                assert not re.search(rf"\\b{re.escape(word)}\\b", text, re.IGNORECASE), (word, task.task_id)
        hidden = task.user.permissions.hidden
        assert not [entity_id for entity_id in hidden if entity_id in text]
        assert {i for bound in task.bindings.values() for i in as_ids(bound)} <= {e.id for e in task.world.entities()}


def test_a_plan_may_run_all_methods_of_a_task_before_the_next(suite):
    pairs = [(method, FirstBackend()) for method in METHODS.values()]
    usual, by_task = Plan(suite, pairs, trials=2), Plan(suite, pairs, trials=2, by_task=True)
    keys = [cell.key for cell in by_task.cells()]
    assert sorted(keys) == sorted(cell.key for cell in usual.cells())
    assert list(dict.fromkeys(key[0] for key in keys[: 2 * len(pairs)])) == [suite.tasks[0].task_id]
    assert by_task.info() == usual.info()  # one resumes the other
