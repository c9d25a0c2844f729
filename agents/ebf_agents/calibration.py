"""From the tasks of a suite to what a gate is calibrated on: the resolver's call on each, as the gate judges it."""

from __future__ import annotations

import itertools
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Final

from ebf_agents.resolver import propose
from ebf_baselines.calibration import Episode as CalibrationEpisode
from ebf_baselines.gating import sight_of
from ebf_baselines.gating.gate import judged
from ebf_env.decisions import ToolCall
from ebf_env.envs.episode import Episode
from ebf_env.scoring import Outcome
from ebf_env.tasks import Label, Task
from ebf_env.world import RiskLevel

WRONG: Final = frozenset({Outcome.WRONG_ENTITY, Outcome.WRONG_TOOL, Outcome.WRONG_TOOL_AND_ENTITY})
"""Outcomes that count as errors: wrong tools too, since they are executed as well."""

_BATCH: Final = 32
_WAITING: Final = 4
"""Batches per process that are read ahead."""

_WORTH_PROCESSES: Final = 200
"""Fewer tasks are judged before other processes have started."""


def calibration_episode(task: Task) -> CalibrationEpisode:
    """A task as the gate sees it, and what becomes of it if the gate lets the resolver's call through.

    The risk is that of the tool called, which is what a gate can know.

    Raises:
        ConfigurationError: the task is to be searched, not seen: a gate is calibrated on single decisions.
    """
    episode = Episode(task)
    observation = episode.observation
    proposal = propose(observation, observation.tools)
    spec = observation.tool(proposal.tool) if isinstance(proposal, ToolCall) else None
    family = task.family or f"task {task.task_id}"
    resolvable = task.label is Label.RESOLVABLE
    if not isinstance(proposal, ToolCall) or spec is None:
        return CalibrationEpisode(family, RiskLevel.LOW, 0.0, 0.0, False, resolvable)
    judgement = judged(sight_of(observation), proposal, spec)
    verdict = episode.step(judgement.call).verdict
    wrong = verdict is not None and verdict.outcome in WRONG
    return CalibrationEpisode(family, spec.risk, judgement.score, judgement.margin, wrong, resolvable)


def calibration_episodes(tasks: Iterable[Task], expected: int, workers: int = 1) -> Iterator[CalibrationEpisode]:
    """An episode for each task, in their order, whatever the number of processes.

    Args:
        tasks: the tasks.
        expected: about how many there are.
        workers: number of processes.
    """
    if workers <= 1 or expected < _WORTH_PROCESSES:
        yield from map(calibration_episode, tasks)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        waiting: deque[Future[list[CalibrationEpisode]]] = deque()
        try:
            for batch in _batched(tasks):
                waiting.append(pool.submit(_judge, batch))
                if len(waiting) >= _WAITING * workers:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _batched(tasks: Iterable[Task]) -> Iterator[Sequence[Task]]:
    rest = iter(tasks)
    while batch := list(itertools.islice(rest, _BATCH)):
        yield batch


def _judge(tasks: Sequence[Task]) -> list[CalibrationEpisode]:
    return list(map(calibration_episode, tasks))
