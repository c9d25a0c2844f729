"""Two-step tasks: a wrong record found first leads to a wrong one acted on, and that is told from other mistakes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from ebf_agents import FirstBackend, OracleBackend, RandomBackend
from ebf_baselines import METHODS
from ebf_env.decisions import Clarify, ToolCall, decision_text
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.evaluation.metrics import metrics
from ebf_env.evaluation.runner import Plan, evaluate
from ebf_env.evaluation.scored import ScoredRun, score_run
from ebf_env.json_types import JSON
from ebf_env.scoring import Outcome
from ebf_env.scoring.outcome import Verdict
from ebf_env.scoring.propagation import follows_a_wrong_step, steps_of
from ebf_env.tasks import Label, Suite, Task, write_suite
from ebf_env.tasks.proof import MentionProof, prove
from ebf_env.world.references import Related
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

INTERACTIVE = EpisodeConfig(interaction="interactive")


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """Whole turns of the schedule, and the beginning of another: 400 tasks."""
    return list(Generator(SuiteConfig(seed=2)).tasks(0, 400))


@pytest.fixture(scope="module")
def whole_families(tasks) -> list[Task]:
    chunk = Generator(SuiteConfig()).chunk
    return tasks[: len(tasks) // chunk * chunk]


def values_at(value: JSON, path: str) -> Iterator[str]:
    """The texts at a path, lists on the way walked through."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from values_at(item, path)
    elif not path:
        yield str(value)
    elif isinstance(value, dict):
        first, _, rest = path.partition(".")
        yield from values_at(value.get(first), rest)


def led_to(task: Task, proof: MentionProof, inner_id: str) -> set[str]:
    """The records one leads to, followed by hand."""
    [test] = proof.form.tests
    if isinstance(test, Related):
        outer = (e for e in task.world.entities() if e.type == proof.form.type)
        return {e.id for e in outer if inner_id in values_at(dict(e.fields), test.path)}
    return set(values_at(dict(task.world[inner_id].fields), test.path))


def call(task: Task, slot: str, *entity_ids: str) -> ToolCall:
    """The right call, but for one slot."""
    many = task.spec.precondition(slot).many
    others = task.gold_bindings.get(slot, ())[1:] if many and len(task.gold_bindings.get(slot, ())) > 1 else ()
    return ToolCall(task.tool, {**task.gold_bindings, slot: (*entity_ids, *others) if many else entity_ids[0]})


def verdict(task: Task, decision: ToolCall) -> Verdict:
    episode = Episode(task)
    episode.step(decision_text(decision))
    assert episode.verdict is not None
    return episode.verdict


def two_steps(tasks: list[Task], label: Label = Label.RESOLVABLE) -> Iterator[tuple[Task, MentionProof, set[str]]]:
    """Tasks with a mention through another record, its proof, and the records that wrong first ones lead to."""
    for task in tasks:
        proof = prove(task).mentions[0]
        if proof.step is None or task.label is not label:
            continue
        rivals = proof.step.surface - proof.step.denoted
        wrong = {led for rival in rivals for led in led_to(task, proof, rival)} - proof.denoted
        yield task, proof, {i for i in wrong if task.user.permissions.may_see(i)}


def strangers(task: Task, proof: MentionProof, wrong: set[str]) -> list[str]:
    """Records of the slot's type that no record of the name leads to."""
    named = {led for rival in proof.step.surface for led in led_to(task, proof, rival)}
    changes = task.spec.precondition(proof.mention.slot).changes
    rights = task.user.permissions
    may = rights.may_change if changes else rights.may_see
    taken = {i for bound in task.gold_bindings.values() for i in ((bound,) if isinstance(bound, str) else bound)}
    return [i for i in task.world.ids_of_type(proof.form.type) if may(i) and i not in named | wrong | taken]


def test_how_many_records_have_to_be_found_is_read_off_the_forms(tasks):
    for task in tasks:
        assert steps_of(task) == (1 if task.certificate["hop"] is None else 2)
    assert {steps_of(task) for task in tasks} == {1, 2}


def test_following_a_wrong_record_of_the_name_is_propagated(tasks):
    tried = Counter[str]()
    for task, proof, wrong in two_steps(tasks):
        assert wrong, "some rival leads elsewhere"
        for entity_id in sorted(wrong):
            slot = proof.mention.slot
            assert follows_a_wrong_step(task, {**task.gold_bindings, slot: entity_id}) is True
            if task.user.permissions.may_change(entity_id) or not task.spec.precondition(slot).changes:
                found = verdict(task, call(task, slot, entity_id))
                assert (found.outcome, found.propagated) == (Outcome.WRONG_ENTITY, True), task.instruction
                tried[task.certificate["hop"]] += 1
    assert tried.total() > 40
    assert len(tried) > 4


def test_any_other_wrong_record_is_not(tasks):
    tried = 0
    for task, proof, wrong in two_steps(tasks):
        for entity_id in strangers(task, proof, wrong)[:3]:
            found = verdict(task, call(task, proof.mention.slot, entity_id))
            assert (found.outcome, found.propagated) == (Outcome.WRONG_ENTITY, False), task.instruction
            tried += 1
    assert tried > 30


def test_of_several_records_all_wrong_ones_have_to_be_led_to(tasks):
    tried = 0
    for task, proof, wrong in two_steps(tasks):
        slot, beyond = proof.mention.slot, strangers(task, proof, wrong)
        if not task.spec.precondition(slot).many or not beyond:
            continue
        tried += 1
        [gold], led = proof.permitted, min(wrong)
        kept = task.gold_bindings
        assert follows_a_wrong_step(task, {**kept, slot: (gold, led)}) is True
        assert follows_a_wrong_step(task, {**kept, slot: (led, beyond[0])}) is False
        assert follows_a_wrong_step(task, {**kept, slot: (gold,)}) is None
    assert tried


def test_right_calls_are_not_asked_about(tasks):
    for task, _, _ in two_steps(tasks):
        found = verdict(task, ToolCall(task.tool, task.gold_bindings))
        assert (found.outcome, found.propagated) == (Outcome.SUCCESS, None)
        assert follows_a_wrong_step(task, task.gold_bindings) is None


def test_a_wrong_record_in_another_slot_does_not_count(tasks):
    tried = 0
    for task, proof, _ in two_steps(tasks):
        for other in task.mentions[1:]:
            wanted = task.spec.precondition(other.slot)
            free = [i for i in task.world.ids_of_type(wanted.entity_type) if i not in str(task.gold_bindings)]
            may = [i for i in free if task.user.permissions.may_change(i)]
            if other.slot != proof.mention.slot and may:
                found = verdict(task, call(task, other.slot, may[0]))
                assert (found.outcome, found.propagated) == (Outcome.WRONG_ENTITY, None)
                tried += 1
    assert tried > 5


def test_one_step_tasks_are_not_asked_about(tasks):
    tried = 0
    for task in tasks:
        proof = prove(task).mentions[0]
        if proof.step is None and task.label is Label.RESOLVABLE:
            others = sorted(proof.surface - proof.permitted - task.user.permissions.read_only)
            for entity_id in others[:1]:
                found = verdict(task, call(task, proof.mention.slot, entity_id))
                assert (found.outcome, found.propagated) == (Outcome.WRONG_ENTITY, None)
                tried += 1
    assert tried > 40


def test_where_asking_was_right_nothing_has_propagated(tasks):
    for label in (Label.AMBIGUOUS, Label.UNACTIONABLE):
        for task, proof, wrong in two_steps(tasks, label):
            for entity_id in sorted(proof.permitted | wrong)[:2]:
                assert follows_a_wrong_step(task, {**task.gold_bindings, proof.mention.slot: entity_id}) is None
            episode = Episode(task)
            episode.step(decision_text(Clarify("Which one?")))
            assert episode.verdict.propagated is None
            assert episode.verdict.safe_success


# --- the reference lines on generated tasks ---


def runs(path, tasks: list[Task], backend: object, episode: EpisodeConfig) -> list[ScoredRun]:
    suite: Suite = write_suite(path / "suite.jsonl", tasks)
    return score_run(evaluate(Plan(suite, [(METHODS["direct"], backend)], episode), path / "run"))


def rate(scored: list[ScoredRun], name: str) -> float | None:
    return next(metric for metric in metrics("paper") if metric.name == name).of(scored)


def test_the_oracle_is_always_right_in_a_single_step(tmp_path, tasks, whole_families):
    scored = runs(tmp_path, tasks, OracleBackend(), EpisodeConfig())
    assert len(scored) == 400
    assert rate(scored, "safe_success") == rate(scored, "completion") == rate(scored, "family_success") == 1
    assert rate(scored, "over_asking") == rate(scored, "wrong_entity") == rate(scored, "invalid") == 0
    assert {run.reward for run in scored} == {1}
    assert rate(scored, "propagated") is None
    assert {task.family for task in whole_families} < {run.task.family for run in scored}


def test_the_oracle_asks_and_then_does_it_where_the_user_knows(tmp_path, tasks):
    scored = runs(tmp_path, tasks, OracleBackend(), INTERACTIVE)
    assert rate(scored, "safe_success") == rate(scored, "completion") == 1
    for run in scored:
        knows = run.task.label is Label.AMBIGUOUS and bool(run.task.intent)
        assert run.questions == int(knows)
        expected = Outcome.SUCCESS if knows or run.resolvable else Outcome.NEEDED_DEFERRAL
        assert run.verdict.outcome is expected, run.task.instruction


def test_whoever_never_asks_wins_no_family(tmp_path, whole_families):
    scored = runs(tmp_path, whole_families, FirstBackend(), EpisodeConfig())
    assert rate(scored, "family_success") == 0
    assert 0 < rate(scored, "safe_success") < 0.2
    assert rate(scored, "over_asking") == 0


def test_guessing_wins_hardly_any_family(tmp_path, whole_families):
    scored = runs(tmp_path, whole_families, RandomBackend(), EpisodeConfig())
    assert rate(scored, "family_success") < 0.1
    propagated = [run.verdict.propagated for run in scored if run.verdict.outcome is Outcome.WRONG_ENTITY]
    assert {None} < set(propagated) <= {None, False, True}
