"""The hand-written suite that ships with the project: complete, true to its labels, and giving nothing away."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from importlib import resources
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ebf_env.decisions import Clarify, ToolCall
from ebf_env.envs.episode import Episode, EpisodeConfig
from ebf_env.envs.spaces import random_decision
from ebf_env.scoring import Outcome
from ebf_env.tasks import Condition, Label, Task, UserOracle, reference_decision, write_suite
from ebf_env.tasks.starter import starter_suite
from ebf_env.world import RiskLevel

SUITE = starter_suite()
TASKS = SUITE.tasks
SCRIPT = Path(__file__).parents[1] / "examples" / "starter_suite.py"

every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)


def with_label(label: Label) -> pytest.MarkDecorator:
    chosen = [task for task in TASKS if task.label is label]
    return pytest.mark.parametrize("task", chosen, ids=lambda task: task.task_id)


def shipped() -> bytes:
    return (resources.files("ebf_env.data") / "starter.jsonl").read_bytes()


# --- the file ---


def test_the_script_writes_what_is_shipped(tmp_path: Path) -> None:
    path = tmp_path / "starter.jsonl"
    subprocess.run([sys.executable, "-W", "error", str(SCRIPT), str(path)], check=True, capture_output=True)
    assert path.read_bytes() == shipped()


def test_it_survives_reading_and_writing(tmp_path: Path) -> None:
    path = tmp_path / "again.jsonl"
    assert write_suite(path, TASKS, SUITE.info).sha256 == SUITE.sha256
    assert path.read_bytes() == shipped()


def test_one_world_is_shared_by_nearly_all() -> None:
    [(_, sharing), *others] = Counter(task.world.digest for task in TASKS).most_common()
    assert sharing >= 38
    assert len(others) <= 2


# --- what it covers ---


def test_it_covers_every_condition_domain_and_risk() -> None:
    assert {task.condition for task in TASKS} == set(Condition)
    assert {task.domain for task in TASKS} == {"email", "calendar", "documents", "crm", "tickets"}
    assert {task.effective_risk for task in TASKS} == set(RiskLevel)


def test_its_sizes() -> None:
    assert len(TASKS) == 40
    assert Counter(task.label for task in TASKS) == {Label.RESOLVABLE: 24, Label.AMBIGUOUS: 11, Label.UNACTIONABLE: 5}
    assert len({task.tool for task in TASKS}) >= 20
    assert {len(task.bindings) for task in TASKS} == {1, 2, 3}
    assert {p.slot for task in TASKS for p in task.spec.preconditions if p.many and p.slot in task.bindings} == {
        "attachments",
        "attendees",
    }
    assert sum(bool(task.history) for task in TASKS) >= 6
    assert all(4 <= len(task.tools) <= 7 for task in TASKS)


def test_a_third_of_the_instructions_lack_the_verb_of_their_tool() -> None:
    lacking = [task for task in TASKS if task.tool.partition("_")[0] not in task.instruction.lower()]
    assert 0.3 <= len(lacking) / len(TASKS) <= 0.45


def test_people_are_hard_to_tell_apart() -> None:
    people = TASKS[0].world.of_type("person")
    names = Counter(person.label for person in people)
    assert max(names.values()) == 2
    assert Counter(name.split()[0] for name in names)["Alex"] == 2
    assert any("-" in name.split()[-1] for name in names)
    assert any(not name.isascii() for name in names)


# --- that its labels are true, as far as a machine can tell ---


@every_task
def test_mentions_are_what_the_bindings_say(task: Task) -> None:
    for slot, bound in task.bindings.items():
        golds = [mention.gold for mention in task.mentions if mention.slot == slot]
        if isinstance(bound, tuple) or len(golds) > 1:
            assert (None if None in golds else tuple(golds)) == bound
        else:
            assert golds == [bound]
    for one, next_one in pairwise(sorted(mention.span for mention in task.mentions)):
        assert one[1] <= next_one[0]
    assert task.split is None
    assert task.base_condition is not None


@every_task
def test_the_reference_decision_is_a_safe_success(task: Task) -> None:
    episode = Episode(task)
    verdict = episode.step(reference_decision(task)).verdict
    assert verdict is not None
    assert verdict.safe_success
    assert verdict.reason_right is not False


@with_label(Label.RESOLVABLE)
def test_gold_succeeds_by_verdict_and_in_the_world(task: Task) -> None:
    for interaction in ("single_step", "interactive"):
        episode = Episode(task, EpisodeConfig(interaction=interaction))
        result = episode.step(ToolCall(task.tool, task.gold_bindings))
        assert result.terminated
        assert result.verdict is not None
        assert result.verdict.outcome is Outcome.SUCCESS
        assert episode.succeeded_in_world()


@with_label(Label.RESOLVABLE)
def test_any_other_record_is_wrong_by_verdict_and_in_the_world(task: Task) -> None:
    for slot, gold in task.gold_bindings.items():
        precondition = task.spec.precondition(slot)
        assert precondition is not None
        others = set(task.world.ids_of_type(precondition.entity_type)) - {*((gold,) if isinstance(gold, str) else gold)}
        for other in others:
            if not task.user.permissions.may_change(other):
                continue
            episode = Episode(task)
            wrong = {**task.gold_bindings, slot: (other,) if precondition.many else other}
            result = episode.step(ToolCall(task.tool, wrong))
            assert result.verdict is not None
            assert result.verdict.outcome is Outcome.WRONG_ENTITY
            assert not episode.succeeded_in_world()


@with_label(Label.AMBIGUOUS)
def test_asking_settles_what_the_user_could_say(task: Task) -> None:
    episode = Episode(task, EpisodeConfig(interaction="interactive"))
    question = reference_decision(task)
    assert isinstance(question, Clarify)
    episode.step(question)
    assert not episode.ended
    if not UserOracle(task).could_say:
        assert episode.answered == {}
        return
    result = episode.step(reference_decision(task, episode.answered))
    assert result.verdict is not None
    assert result.verdict.outcome is Outcome.SUCCESS
    assert episode.succeeded_in_world()


def test_now_and_then_the_user_could_not_say_either() -> None:
    silent = [task for task in TASKS if task.label is Label.AMBIGUOUS and not UserOracle(task).could_say]
    assert 1 <= len(silent) <= 2


def test_what_is_not_permitted_exists() -> None:
    for task in TASKS:
        if task.condition is Condition.NOT_PERMITTED:
            family = [other for other in TASKS if other.family == task.family and other.label is Label.RESOLVABLE]
            [allowed] = [other for other in family if other.instruction == task.instruction]
            touched = set(allowed.gold_bindings.values()) - set(task.gold_bindings.values())
            assert all(isinstance(i, str) and not task.user.permissions.may_change(i) for i in touched)


# --- that nothing gives them away ---


def test_families_contrast() -> None:
    families: defaultdict[str | None, list[Task]] = defaultdict(list)
    for task in TASKS:
        families[task.family].append(task)
    assert None not in families
    for members in families.values():
        assert len(members) >= 2
        assert len({(task.label, repr(task.bindings)) for task in members}) == len(members)
        assert len({task.base_condition for task in members}) == 1


@every_task
def test_observations_name_no_label_condition_or_family(task: Task) -> None:
    text = Episode(task).observation.text().casefold()
    names = {*Label, *Condition, str(task.family), task.task_id, "gold", "only", "must not", "wrong"}
    for name in names:
        for form in {name, name.replace("_", " "), name.replace("_", "-")}:
            assert not re.search(rf"\b{re.escape(form)}\b", text), form


def test_ids_are_opaque_and_in_order() -> None:
    world = TASKS[0].world
    assert all(re.fullmatch(r"[a-z][2-9a-z]{5}", i) for i in world)
    assert list(world) == sorted(world)


def test_the_place_of_gold_varies() -> None:
    places: list[float] = []
    for task in TASKS:
        for slot, gold in task.gold_bindings.items():
            precondition = task.spec.precondition(slot)
            assert precondition is not None
            candidates = [e.id for e in Episode(task).observation.candidates(precondition.entity_type)]
            for entity_id in (gold,) if isinstance(gold, str) else gold:
                places.append(candidates.index(entity_id) / (len(candidates) - 1))
    assert len({round(place, 2) for place in places}) > len(places) / 4
    assert 0.3 < sum(places) / len(places) < 0.7
    tool_places = Counter([spec.name for spec in task.tools].index(task.tool) for task in TASKS)
    assert max(tool_places.values()) < len(TASKS) / 2


@pytest.mark.parametrize(
    "attribute",
    [lambda task: task.effective_risk, lambda task: task.domain],
    ids=["risk", "domain"],
)
def test_each_risk_and_domain_has_several_labels(attribute: Callable[[Task], str]) -> None:
    labels: defaultdict[str, Counter[Label]] = defaultdict(Counter)
    for task in TASKS:
        labels[attribute(task)][task.label] += 1
    assert all(len(counter) >= 2 for counter in labels.values())


@pytest.mark.parametrize(
    "attribute",
    [
        lambda task: task.effective_risk,
        lambda task: task.domain,
        lambda task: task.tool,
        lambda task: len(task.tools),
        lambda task: len(task.bindings),
        lambda task: str(task.user.id),
        lambda task: bool(task.history),
    ],
    ids=["risk", "domain", "tool", "tools", "slots", "user", "history"],
)
def test_no_attribute_alone_tells_the_label(attribute: Callable[[Task], object]) -> None:
    """The best guess of the label from the attribute is right no more often than always saying "resolvable"."""
    labels: defaultdict[object, Counter[Label]] = defaultdict(Counter)
    for task in TASKS:
        labels[attribute(task)][task.label] += 1
    best = sum(max(counter.values()) for counter in labels.values())
    assert best <= sum(task.label is Label.RESOLVABLE for task in TASKS)


def test_the_world_and_the_bindings_agree_on_every_decision_drawn_at_random() -> None:
    rng = np.random.default_rng(7)
    successes = 0
    for task in SUITE:
        ids = {name: task.world.ids_of_type(name) for name in task.world.types}
        for number in range(40):
            decision = reference_decision(task) if number == 0 else random_decision(rng, task.tools, ids)
            episode = Episode(task)
            verdict = episode.step(decision).verdict
            assert verdict is not None
            assert verdict.task_success == episode.succeeded_in_world()
            successes += verdict.task_success
    assert successes >= 24
