"""A decision given as an object is taken as its text would be: what could not be written is invalid, never an error."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import pytest

from ebf_env.decisions import Clarify, Decision, Defer, Evidence, Invalid, Option, ToolCall, decision_text
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.scoring import Outcome
from ebf_env.tasks import Task
from ebf_env.world import Difference
from ebf_env.world.binding import Binding

INTERACTIVE = EpisodeConfig(interaction="interactive")
RIGHT = ToolCall("send_email", {"recipient": "p2"})

deep: list[object] = []
for _ in range(5_000):
    deep = [deep]

UNWRITABLE: dict[str, Decision] = {
    "not a number": dataclasses.replace(RIGHT, arguments={"subject": math.nan}),
    "infinity": dataclasses.replace(RIGHT, arguments={"body": math.inf}),
    "minus infinity, deep inside": dataclasses.replace(RIGHT, arguments={"no such argument": [{"a": -math.inf}]}),
    "a score that is no number": dataclasses.replace(RIGHT, scores={"recipient": {"p2": math.nan}}),
    "evidence that is no number": dataclasses.replace(RIGHT, evidence=(Evidence(value=math.nan),)),
    "evidence of infinite weight": dataclasses.replace(RIGHT, evidence=(Evidence(weight=math.inf),)),
    "a question with an option that is no number": Clarify("?", options=(Option("p2", {"n": math.nan}),)),
    "a deferral with a score that is no number": Defer("?", scores={"recipient": {"p2": math.nan}}),
    "a set": dataclasses.replace(RIGHT, arguments={"body": {"a"}}),  # type: ignore[dict-item]
    "an object of no kind": dataclasses.replace(RIGHT, arguments={"body": object()}),  # type: ignore[dict-item]
    "a number of thousands of digits": dataclasses.replace(RIGHT, arguments={"n": 10**5000}),
    "nesting without end": dataclasses.replace(RIGHT, arguments={"n": deep}),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("decision", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_decision_that_cannot_be_written_is_invalid_and_changes_nothing(decision: Decision, resolvable: Task) -> None:
    episode = Episode(resolvable)
    result = episode.step(decision)
    assert result.terminated
    assert result.verdict is not None
    assert result.verdict.outcome is Outcome.INVALID
    assert result.reward == -0.25
    assert isinstance(episode.decisions[-1], Invalid)
    assert episode.state.difference() == Difference()
    assert result.observation.text().isascii()


@pytest.mark.parametrize("decision", UNWRITABLE.values(), ids=UNWRITABLE.keys())
def test_a_decision_that_cannot_be_written_may_be_mended(decision: Decision, resolvable: Task) -> None:
    episode = Episode(resolvable, INTERACTIVE)
    first = episode.step(decision)
    assert (first.terminated, first.reward, first.verdict) == (False, -0.25, None)
    assert "Invalid: the decision " in str(first.observation.messages[-1])
    last = episode.step(RIGHT)
    assert last.verdict is not None
    assert last.verdict.outcome is Outcome.SUCCESS
    assert episode.succeeded_in_world()


def test_a_slot_bound_to_no_ids_is_not_bound_in_an_episode_either(resolvable: Task) -> None:
    bindings: dict[str, Binding] = {"recipient": "p2", "thread": (), "attachments": ()}
    for decision in (ToolCall("send_email", bindings), decision_text(ToolCall("send_email", bindings))):
        episode = Episode(resolvable)
        verdict = episode.step(decision).verdict
        assert verdict is not None
        assert verdict.outcome is Outcome.SUCCESS
        assert episode.succeeded_in_world()


SAME_CALL: dict[str, tuple[Decision | str, Decision | str]] = {
    "as an object and as text": (RIGHT, decision_text(RIGHT)),
    "one id and a list of one": (RIGHT, ToolCall("send_email", {"recipient": ("p2",)})),
    "with and without a type suffix": (
        decision_text(RIGHT),
        '{"decision": "act", "tool": "send_email", "bindings": {"recipient:person": "p2"}}',
    ),
}


@pytest.mark.parametrize(("one", "other"), SAME_CALL.values(), ids=SAME_CALL.keys())
def test_one_call_written_in_two_ways_has_one_effect(
    one: Decision | str, other: Decision | str, resolvable: Task
) -> None:
    episodes = Episode(resolvable), Episode(resolvable)
    verdicts = [episode.step(decision).verdict for episode, decision in zip(episodes, (one, other), strict=True)]
    assert verdicts[0] == verdicts[1]
    assert episodes[0].state.difference() == episodes[1].state.difference()


def test_an_id_given_twice_to_a_slot_that_takes_many_is_given_once(make_task: Callable[..., Task]) -> None:
    task = make_task(bindings={"recipient": "p3", "attachments": ("d1", "d2")})
    episode = Episode(task)
    verdict = episode.step(ToolCall("send_email", {"recipient": "p3", "attachments": ("d1", "d2", "d1")})).verdict
    assert verdict is not None
    assert verdict.task_success is episode.succeeded_in_world() is True


@pytest.mark.parametrize(
    "call",
    [
        ToolCall("send_email", {"recipient": 5}),  # type: ignore[dict-item]
        ToolCall("send_email", {"recipient": ({"a": 1},)}),  # type: ignore[dict-item]
        ToolCall("send_email", {"recipient": ["p1"]}),  # type: ignore[dict-item]
        ToolCall("send_email", {"recipient": "p2"}, {"body": object()}),  # type: ignore[dict-item]
    ],
)
def test_calls_of_the_wrong_types_are_invalid_and_raise_nothing(make_task: Callable[..., Task], call: ToolCall) -> None:
    verdict = Episode(make_task()).step(call).verdict
    assert verdict is not None
    assert verdict.outcome is Outcome.INVALID
