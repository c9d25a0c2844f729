from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

import ebf_env
from ebf_agents import FirstBackend, OracleBackend, RandomBackend, Recording, ReplayBackend, backends_named
from ebf_agents.replay import with_newlines
from ebf_baselines import METHODS, ComposedMethod, method_named
from ebf_env.decisions import Clarify, Defer, ToolCall, decision_text, parse_decision
from ebf_env.envs import EpisodeConfig, Observation
from ebf_env.errors import ConfigurationError, ReplayError, RunFolderError, ServiceError
from ebf_env.evaluation.protocols import Answer, Need, Prompt, Query
from ebf_env.evaluation.record import RunRecord, TurnRecord
from ebf_env.evaluation.run_folder import RunFolder, same_runs
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import score_record, score_run
from ebf_env.scoring import Outcome
from ebf_env.tasks import Suite, Task, write_suite

direct = METHODS["direct"]
INTERACTIVE = EpisodeConfig(interaction="interactive")


@pytest.fixture
def suite(tmp_path: Path, office_tasks) -> Suite:
    return write_suite(tmp_path / "office.jsonl", office_tasks)


def outcomes(folder: RunFolder) -> dict[str, str]:
    return {run.record.task_id: run.verdict.outcome.value for run in score_run(folder)}


class Flaky(FirstBackend):
    """Fails on the questions whose numbers it is given."""

    name = "flaky"

    def __init__(self, *failing: int) -> None:
        self.failing, self.asked = failing, 0

    async def answer(self, query: Query) -> Answer:
        self.asked += 1
        if self.asked in self.failing:
            raise ServiceError("503 Service Unavailable")
        return await super().answer(query)


class Spy(RandomBackend):
    """Keeps what it is asked."""

    name = "spy"

    def __init__(self) -> None:
        self.queries: list[Query] = []

    def decide(self, query: Query):
        self.queries.append(query)
        return super().decide(query)


@pytest.mark.parametrize("episode", [EpisodeConfig(), INTERACTIVE])
def test_the_oracle_is_always_right(tmp_path, suite, episode):
    folder = evaluate(Plan(suite, [(direct, OracleBackend())], episode), tmp_path / "run")
    scored = score_run(folder)
    assert all(run.verdict.safe_success for run in scored)
    if episode.interaction == "interactive":
        assert outcomes(folder)["task-2"] == "success", "it asks, is told, and acts"
        assert {run.record.task_id: run.questions for run in scored}["task-2"] == 1


def test_first_takes_the_first_candidate_of_each_slot(tmp_path, suite):
    folder = evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run")
    assert outcomes(folder) == {
        "task-1": "wrong_entity",
        "task-2": "wrong_entity",
        "task-3": "wrong_entity",
        "task-4": "success",
        "task-5": "wrong_entity",
    }


def test_first_does_not_bind_one_record_to_two_slots(make_task):
    task = make_task(
        tools=("assign_ticket", "search_tickets"), tool="assign_ticket", bindings={"ticket": "k1", "assignee": "p2"}
    )
    episode_view = observation_of(task)
    decision = FirstBackend().decide(Query(episode_view, direct.prompt, 0, 0, gold_tool="assign_ticket"))
    assert decision == ToolCall("assign_ticket", {"ticket": "k1", "assignee": "p1"})
    empty = Observation("x", None, None, (), task.tools, ())
    assert isinstance(FirstBackend().decide(Query(empty, direct.prompt, 0, 0, gold_tool="assign_ticket")), Defer)


def observation_of(task: Task) -> Observation:
    from ebf_env.envs import Episode

    return Episode(task).observation


def test_random_has_its_expectation(make_task):
    observation = observation_of(make_task())
    decisions = [RandomBackend().decide(Query(observation, direct.prompt, 0, seed)) for seed in range(6000)]
    share = sum(d == ToolCall("send_email", {"recipient": "p2"}) for d in decisions) / 6000
    assert share == pytest.approx(1 / 3 / 6 / 3, abs=0.006), "act 1/3, one of six tools, one of three people"
    assert decisions[:50] == [RandomBackend().decide(Query(observation, direct.prompt, 0, seed)) for seed in range(50)]


def test_only_diagnostic_backends_are_told_more_than_the_observation(tmp_path, suite):
    assert OracleBackend.needs == {Need.REFERENCE}
    assert FirstBackend.needs == {Need.GOLD_TOOL}
    assert RandomBackend.needs == frozenset()
    assert ReplayBackend.needs == {Need.TASK_ID}
    spy = Spy()
    evaluate(Plan(suite, [(direct, spy)]), tmp_path / "run")
    assert len(spy.queries) == 5
    for query in spy.queries:
        assert (query.gold_tool, query.reference, query.task_id) == (None, None, None)


def test_a_run_depends_on_its_seed_and_not_on_order_or_what_else_is_run(tmp_path, suite):
    alone = evaluate(Plan(suite, [(direct, RandomBackend())], trials=3), tmp_path / "alone")
    beside = evaluate(Plan(suite, [(direct, FirstBackend()), (direct, RandomBackend())], trials=3), tmp_path / "beside")
    other = evaluate(Plan(suite, [(direct, RandomBackend())], trials=3, seed=1), tmp_path / "other")
    again = evaluate(Plan(suite, [(direct, RandomBackend())], trials=3), tmp_path / "again")
    assert same_runs(alone, again)
    assert not same_runs(alone, other)
    random_runs = {r.key: r.substance() for r in beside.records() if r.backend == "random"}
    assert random_runs == {r.key: r.substance() for r in alone.records()}
    assert len({r.turns[0].raw_response for r in alone.records() if r.task_id == "task-1"}) > 1, "trials differ"


def test_a_service_that_fails_gives_errors_that_a_resume_tries_again(tmp_path, suite):
    plan = Plan(suite, [(direct, Flaky(2, 4))])
    first = evaluate(plan, tmp_path / "run")
    assert [run.verdict.outcome for run in score_run(first)].count(Outcome.ERROR) == 2
    whole = evaluate(Plan(suite, [(direct, Flaky())]), tmp_path / "whole")
    assert not same_runs(first, whole)
    resumed = evaluate(Plan(suite, [(direct, Flaky())]), tmp_path / "run")
    assert [run.verdict.outcome for run in score_run(resumed)].count(Outcome.ERROR) == 0
    assert sorted(r.attempt for r in resumed.records()) == [1, 1, 1, 2, 2]
    assert same_runs(resumed, whole)
    assert len((tmp_path / "run" / "records.jsonl").read_text().splitlines()) == 7


def test_a_run_that_was_killed_goes_on_and_equals_one_that_was_not(tmp_path, suite):
    plan = Plan(suite, [(direct, FirstBackend()), (direct, RandomBackend())])
    whole = evaluate(plan, tmp_path / "whole")

    class KilledError(Exception):
        pass

    count = 0

    def die(_: RunRecord) -> None:
        nonlocal count
        count += 1
        if count == 4:
            raise KilledError

    with pytest.raises(KilledError):
        evaluate(plan, tmp_path / "run", on_record=die)
    records = tmp_path / "run" / "records.jsonl"
    torn = records.read_bytes()[:-25]
    assert not torn.endswith(b"\n")
    records.write_bytes(torn)
    assert 3 <= torn.count(b"\n") <= 4
    assert len(RunFolder.open(tmp_path / "run").records()) == torn.count(b"\n"), "the torn line is dropped"
    resumed = evaluate(plan, tmp_path / "run")
    assert same_runs(resumed, whole)
    assert len(resumed.records()) == 10


def test_another_configuration_is_refused_with_the_difference(tmp_path, suite, office_tasks):
    evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run")
    before = (tmp_path / "run" / "records.jsonl").read_bytes()
    for plan, words in [
        (Plan(suite, [(direct, FirstBackend())], limit=2), "limit is null there, 2 was asked"),
        (Plan(suite, [(direct, OracleBackend())]), '"oracle"'),
        (Plan(suite, [(direct, FirstBackend())], INTERACTIVE), '"interactive"'),
        (Plan(write_suite(tmp_path / "two.jsonl", office_tasks[:2]), [(direct, FirstBackend())]), "suite is"),
    ]:
        with pytest.raises(RunFolderError, match="another configuration") as caught:
            evaluate(plan, tmp_path / "run")
        assert words in str(caught.value)
    assert (tmp_path / "run" / "records.jsonl").read_bytes() == before


def test_a_suite_exchanged_in_the_folder_is_refused(tmp_path, suite, office_tasks):
    folder = evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run")
    write_suite(tmp_path / "run" / "suite.jsonl.gz", office_tasks[::-1])
    with pytest.raises(RunFolderError, match="not the suite the run was begun with"):
        score_run(folder)


def test_only_one_evaluation_writes_to_a_folder_at_a_time(tmp_path, suite):
    plan = Plan(suite, [(direct, FirstBackend())])
    folder = evaluate(plan, tmp_path / "run")
    with folder.writing(), pytest.raises(RunFolderError, match="another evaluation is writing"):
        evaluate(plan, tmp_path / "run")
    evaluate(plan, tmp_path / "run")


def test_a_folder_whose_making_was_interrupted_is_made_anew(tmp_path, suite):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "suite.jsonl.gz").write_bytes(b"half")
    assert len(evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run").records()) == 5


def test_looking_at_a_run_changes_nothing_in_it(tmp_path, suite):
    evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run")
    records = tmp_path / "run" / "records.jsonl"
    records.write_bytes(records.read_bytes()[:-9])
    before = records.read_bytes()
    assert len(score_run(RunFolder.open(tmp_path / "run"))) == 4
    assert records.read_bytes() == before


def test_runs_go_on_inside_a_running_event_loop(tmp_path, suite):
    async def notebook() -> int:
        return len(evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run").records())

    assert asyncio.run(notebook()) == 5


def test_a_run_of_another_version_is_not_gone_on_with(tmp_path, suite):
    plan = Plan(suite, [(direct, FirstBackend())])
    evaluate(plan, tmp_path / "run")
    info = tmp_path / "run" / "run.json"
    info.write_text(info.read_text().replace(f'"ebf_env": "{ebf_env.__version__}"', '"ebf_env": "0.0.0"'))
    with pytest.raises(RunFolderError, match="version of ebf_env"):
        evaluate(plan, tmp_path / "run")


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path, suite):
    (tmp_path / "stuff").mkdir()
    (tmp_path / "stuff" / "thesis.tex").write_text("x")
    for place in (tmp_path / "stuff", tmp_path / "office.jsonl"):
        with pytest.raises(RunFolderError, match="choose another place"):
            evaluate(Plan(suite, [(direct, FirstBackend())]), place)
    assert [p.name for p in (tmp_path / "stuff").iterdir()] == ["thesis.tex"]


def test_an_episode_that_cannot_be_run_is_refused_before_anything_is_written(tmp_path, suite):
    with pytest.raises(ConfigurationError, match="needs interaction"):
        evaluate(Plan(suite, [(direct, FirstBackend())], EpisodeConfig(visibility="search")), tmp_path / "run")
    assert not (tmp_path / "run").exists()


BROKEN_FOLDERS = [
    ("run.json", "{", "not valid JSON"),
    ("run.json", '{"format_version": 9, "config": {}, "suite": {}}', "format version 9"),
    ("run.json", '{"suite": {}}', "field config"),
    (
        "run.json",
        '{"config": {"episode": {"interaction": "zz"}}, "suite": {"sha256": "SHA"}}',
        "config.episode.interaction",
    ),
    ("run.json", "[" * 100_000, "not valid JSON"),
    ("run.json", '{"format": "x", "config": {}, "suite": {}}', "field format"),
    ("run.json", '{"config": {}, "suite": {"sha256": "SHA"}}', "field config.episode: is missing"),
    ("records.jsonl", '{"task_id": "x"}\n', "line 1, field trial"),
    (
        "records.jsonl",
        '{"task_id": "task-1", "trial": 7, "method": "direct", "backend": "first", "model": "m", "turns": []}\n',
        "the configuration does not ask for direct with first, trial 7",
    ),
    ("records.jsonl", "nonsense\n", "line 1: not valid JSON"),
    (
        "records.jsonl",
        '{"task_id": "x", "trial": 0, "method": "direct", "backend": "first", "model": "m", "turns": []}\n',
        "the suite has no task 'x'",
    ),
    (
        "records.jsonl",
        '{"task_id": "task-1", "trial": 0, "method": "direct", "backend": "first", "model": "m", "turns": []}\n',
        "do not end the episode",
    ),
]


@pytest.mark.parametrize(("name", "content", "words"), BROKEN_FOLDERS)
def test_a_damaged_run_folder_is_refused_in_one_sentence(tmp_path, suite, name, content, words):
    evaluate(Plan(suite, [(direct, FirstBackend())]), tmp_path / "run")
    (tmp_path / "run" / name).write_text(content.replace("SHA", suite.sha256))
    with pytest.raises(RunFolderError) as caught:
        score_run(RunFolder.open(tmp_path / "run"))
    assert words in str(caught.value)


def test_records_hold_what_was_shown_and_said_and_no_score(tmp_path, suite):
    folder = evaluate(Plan(suite, [(direct, OracleBackend())]), tmp_path / "run")
    [first] = [r for r in folder.records() if r.task_id == "task-1"]
    [turn] = first.turns
    assert turn.tools_shown[0] == "send_email"
    assert turn.candidates_shown == list(suite["task-1"].world)
    assert json.loads(turn.raw_response) == turn.decision
    raw = (tmp_path / "run" / "records.jsonl").read_text()
    for word in ("outcome", "success", "reward", "label", "condition", "gold"):
        assert word not in raw


def test_scores_are_derived_from_the_decisions(resolvable):
    def record(*decisions) -> RunRecord:
        turns = [TurnRecord(raw_response="", decision=json.loads(decision_text(d))) for d in decisions]
        return RunRecord(task_id="task-1", trial=0, method="m", backend="b", model="x", turns=turns)

    right = ToolCall("send_email", {"recipient": "p2"})
    assert score_record(resolvable, record(right), EpisodeConfig()).verdict.outcome is Outcome.SUCCESS
    asked = score_record(resolvable, record(Clarify("?"), right), INTERACTIVE)
    assert (asked.verdict.outcome, asked.questions) == (Outcome.SUCCESS, 1)
    assert asked.reward == pytest.approx(0.9)
    invalid = score_record(resolvable, record(parse_decision("what?")), EpisodeConfig())
    assert invalid.verdict.outcome is Outcome.INVALID
    with pytest.raises(ValueError, match="go on after"):
        score_record(resolvable, record(right, right), EpisodeConfig())


def test_a_method_shows_a_menu_and_decides_what_is_executed(tmp_path, suite):
    cautious = ComposedMethod(
        Prompt("cautious", 1, ""),
        "shows sending alone, and nobody; asks always",
        menu=lambda o: tuple(t for t in o.tools if t.name == "send_email"),
        candidates=lambda _: (),
        policy=lambda _, proposal: Clarify("sure?", tool=proposal.tool) if isinstance(proposal, ToolCall) else proposal,
    )
    spy = Spy()
    folder = evaluate(Plan(suite, [(cautious, OracleBackend()), (cautious, spy)]), tmp_path / "run")
    assert all(len(q.observation.tools) <= 1 and q.observation.entities == () for q in spy.queries)
    assert '"entities":[]' in spy.queries[0].observation.text()
    [record] = [r for r in folder.records() if r.task_id == "task-1" and r.backend == "oracle"]
    assert record.turns[0].proposal["decision"] == "ACT"
    assert record.turns[0].decision["decision"] == "CLARIFY"
    assert record.turns[0].tools_shown == ["send_email"]


def test_backends_that_take_several_questions_at_once_lose_none(tmp_path, suite):
    class Slow(RandomBackend):
        name = "slow"
        concurrency = 4
        running = most = 0

        async def answer(self, query: Query) -> Answer:
            Slow.running += 1
            Slow.most = max(Slow.most, Slow.running)
            await asyncio.sleep(0.001 * (query.seed % 5))
            Slow.running -= 1
            return await super().answer(query)

    folder = evaluate(Plan(suite, [(direct, Slow())], trials=4), tmp_path / "run")
    assert len(folder.records()) == 20
    assert Slow.most == 4


def test_names_are_resolved_or_the_known_ones_listed():
    assert method_named("direct") is METHODS["direct"]
    with pytest.raises(ConfigurationError, match="unknown method 'x'; known: direct"):
        method_named("x")
    with pytest.raises(ConfigurationError, match="known: oracle, random, first, lexical, "):
        backends_named("gpt")
    with pytest.raises(ConfigurationError, match="needs a file"):
        backends_named("replay")
    with pytest.raises(ConfigurationError, match="takes nothing after"):
        backends_named("oracle:x")
    assert [b.name for b in backends_named("first")] == ["first"]


def test_a_plan_that_makes_no_sense_is_refused(suite):
    with pytest.raises(ConfigurationError, match="nothing to evaluate"):
        Plan(suite, [])
    with pytest.raises(ConfigurationError, match="given twice"):
        Plan(suite, [(direct, FirstBackend()), (direct, FirstBackend())])
    with pytest.raises(ConfigurationError, match="limit"):
        Plan(suite, [(direct, FirstBackend())], limit=0)
    with pytest.raises(ConfigurationError, match="trials"):
        Plan(suite, [(direct, FirstBackend())], trials=0)


# --- recordings ---


def recording(tmp_path: Path, text: str) -> Recording:
    path = tmp_path / "answers.csv"
    path.write_text(text, encoding="utf-8")
    return Recording.read(path)


def test_recorded_answers_are_given_by_task_method_model_and_trial(tmp_path, suite):
    clarify, act = (
        '{""decision"": ""CLARIFY""}',
        '{""decision"": ""ACT"", ""tool"": ""send_email"", ""bindings"": {""recipient"": ""p2""}}',
    )
    text = "model,raw_response,task_id,method\n"
    text += f'm1,"{clarify}",task-1,direct\nm1,"{act}",task-1,direct\nm2,"{act}",task-1,direct\n'
    backends = recording(tmp_path, text).backends()
    assert [b.model for b in backends] == ["m1", "m2"]
    folder = evaluate(Plan(suite, [(direct, b) for b in backends], trials=2, limit=1), tmp_path / "run")
    got = {(r.record.model, r.record.trial): r.verdict.outcome for r in score_run(folder)}
    assert got == {
        ("m1", 0): Outcome.UNNEEDED_CLARIFICATION,
        ("m1", 1): Outcome.SUCCESS,
        ("m2", 0): Outcome.SUCCESS,
        ("m2", 1): Outcome.ERROR,
    }


def test_recorded_answers_bypass_execution_policies(tmp_path, suite):
    act = '{""decision"": ""ACT"", ""tool"": ""send_email"", ""bindings"": {""recipient"": ""p2""}}'
    [backend] = recording(tmp_path, f'task_id,method,model,raw_response\ntask-1,never,m,"{act}"\n').backends()
    never = ComposedMethod(Prompt("never", 1, ""), "defers always", menu=lambda _: (), policy=lambda *_: Defer("no"))
    folder = evaluate(Plan(suite, [(never, backend)], limit=1), tmp_path / "run")
    assert outcomes(folder) == {"task-1": "success"}


@pytest.mark.parametrize(
    ("recorded", "restored"),
    [
        (r'{\n  "decision": "DEFER"\n}', '{\n  "decision": "DEFER"\n}'),
        (r"```json\n{\"a\": 1}\n```", r"```json\n{\"a\": 1}\n```"),
        (r'{"decision": "DEFER", "reason": "a\nb"}', r'{"decision": "DEFER", "reason": "a\nb"}'),
        (r'{"decision": "DEFER", "reason": "C:\\new"}', r'{"decision": "DEFER", "reason": "C:\\new"}'),
        ("no newline", "no newline"),
    ],
)
def test_newlines_written_as_two_characters_are_restored_where_the_text_needs_it(recorded, restored):
    assert with_newlines(recorded) == restored


BAD_RECORDINGS = [
    ("task_id,method,model\na,b,c\n", "column 'raw_response' is missing"),
    ("", "column 'task_id' is missing"),
    ("task_id,method,model,raw_response\n", "no recorded answer"),
    ("task_id,method,model,raw_response\na,b\n", "line 2: the row has too few columns"),
    ('task_id,method,model,raw_response\na,b,c,"open\n', "not valid CSV"),
    ("task_id,method,model,raw_response\na,direct,m,Sure, here: nothing\n", "line 2: the row has too many columns"),
]


@pytest.mark.parametrize(("text", "words"), BAD_RECORDINGS)
def test_a_file_that_is_no_recording_is_refused_in_one_sentence(tmp_path, text, words):
    with pytest.raises(ReplayError, match=words):
        recording(tmp_path, text)


def test_unusual_line_breaks_inside_an_answer_belong_to_it(tmp_path):
    text = "task_id,method,model,raw_response\na,direct,m,one\x0ctwo\u2028three\x85four\n"
    assert recording(tmp_path, text).answers == {("m", "direct", "a"): ("one\x0ctwo\u2028three\x85four",)}


def test_a_missing_recording_is_named(tmp_path):
    with pytest.raises(ReplayError, match="no such file"):
        backends_named(f"replay:{tmp_path / 'none.csv'}")
