"""Running methods and backends over a suite."""

from __future__ import annotations

import asyncio
import hashlib
import platform
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from pydantic import JsonValue

from ebf_env.decisions import Decision, parse_decision
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs.episode import Episode, EpisodeConfig
from ebf_env.errors import ConfigurationError, ServiceError
from ebf_env.evaluation.protocols import Answer, Backend, Method, Need, Query
from ebf_env.evaluation.record import Object, RunRecord, TurnRecord
from ebf_env.evaluation.run_folder import RunFolder, RunInfo
from ebf_env.tasks import Suite, Task, UserProfile, reference_decision
from ebf_env.version import __version__


@dataclass(frozen=True, slots=True)
class Cell:
    """One run to be made: a task, a method, a backend, and the number of the repetition."""

    task: Task
    method: Method
    backend: Backend
    trial: int

    @property
    def key(self) -> tuple[str, int, str, str]:
        """The key of its record."""
        return self.task.task_id, self.trial, self.method.name, self.backend.name


@dataclass(frozen=True)
class Plan:
    """What an evaluation consists of.

    Attributes:
        suite: the tasks.
        pairs: the methods and backends to combine, in order.
        episode: how episodes are run.
        trials: repetitions of every run.
        limit: only that many tasks from the beginning of the suite; None: all.
        seed: for the backends' own randomness.
        by_task: all pairs of one task before the next task; no other record comes of it, but a server that keeps what
            prompts begin with can answer sooner.
    """

    suite: Suite
    pairs: Sequence[tuple[Method, Backend]]
    episode: EpisodeConfig = field(default_factory=EpisodeConfig)
    trials: int = 1
    limit: int | None = None
    seed: int = 0
    by_task: bool = False

    def __post_init__(self) -> None:
        if not self.pairs:
            raise ConfigurationError("nothing to evaluate: no method and backend were given")
        keys = [(method.name, backend.name) for method, backend in self.pairs]
        if len(set(keys)) != len(keys):
            raise ConfigurationError("a method and backend were given twice")
        if self.trials < 1:
            raise ConfigurationError(f"trials is {self.trials}, expected 1 or more")
        if self.limit is not None and self.limit < 1:
            raise ConfigurationError(f"limit is {self.limit}, expected 1 or more")
        if not len(self.suite):
            raise ConfigurationError("the suite holds no task")

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks to run."""
        return self.suite.tasks[: self.limit]

    def cells(self) -> Iterable[Cell]:
        """Every run, in order: pair by pair, trial by trial, task by task; or tasks first, if so asked."""
        if self.by_task:
            for task in self.tasks:
                for method, backend in self.pairs:
                    for trial in range(self.trials):
                        yield Cell(task, method, backend, trial)
            return
        for method, backend in self.pairs:
            for trial in range(self.trials):
                for task in self.tasks:
                    yield Cell(task, method, backend, trial)

    @property
    def size(self) -> int:
        """How many runs there are."""
        return len(self.pairs) * self.trials * len(self.tasks)

    @property
    def _usual(self) -> set[str]:
        """Settings of episodes that go without saying: runs recorded before there were others can be resumed."""
        return {"user"} if self.episode.user == UserProfile() else set()

    def info(self) -> RunInfo:
        """What ``run.json`` says of it."""
        config: Object = {
            "runs": [[method.name, backend.name] for method, backend in self.pairs],
            "backends": {
                backend.name: cast("JsonValue", dict(backend.config()))
                for backend in {b.name: b for _, b in self.pairs}.values()
            },
            "episode": self.episode.model_dump(mode="json", exclude={"reward", *self._usual}),
            "trials": self.trials,
            "limit": self.limit,
            "seed": self.seed,
        }
        suite: Object = {"name": self.suite.info.name, "sha256": self.suite.sha256, "tasks": len(self.suite)}
        return RunInfo(
            config=config, suite=suite, versions={"ebf_env": __version__, "python": platform.python_version()}
        )


def evaluate(plan: Plan, out: str | Path, *, on_record: Callable[[RunRecord], None] | None = None) -> RunFolder:
    """Run what is not there yet, and record it.

    Args:
        plan: what to run.
        out: the run folder; one that the same plan began is resumed, runs that ended in an error are tried again.
        on_record: called after every record.

    Returns:
        The folder with all records.

    Raises:
        RunFolderError: the folder belongs to another plan.
        ConfigurationError: an episode cannot be run as asked (found before anything is written).
    """
    for task in plan.tasks:
        Episode(task, plan.episode)
    folder = RunFolder.create_or_resume(out, plan.info(), plan.suite)
    with folder.writing():
        missing = [cell for cell in plan.cells() if (r := folder.record(cell.key)) is None or r.error is not None]
        try:
            _finish(_run_all(plan, folder, missing, on_record))
        except ExceptionGroup as group:
            raise group.exceptions[0] from group
    return folder


def _finish(work: Coroutine[None, None, None]) -> None:
    """Run a coroutine to its end, also where an event loop is running already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(asyncio.run, work).result()


async def _run_all(
    plan: Plan, folder: RunFolder, cells: list[Cell], on_record: Callable[[RunRecord], None] | None
) -> None:
    queues: dict[str, asyncio.Queue[Cell]] = {}
    for cell in cells:
        queues.setdefault(cell.backend.name, asyncio.Queue()).put_nowait(cell)

    async def work(queue: asyncio.Queue[Cell]) -> None:
        while not queue.empty():
            cell = queue.get_nowait()
            before = folder.record(cell.key)
            record = await run_cell(cell, plan.episode, plan.seed, attempt=before.attempt + 1 if before else 1)
            folder.append(record)
            if on_record is not None:
                on_record(record)
            await asyncio.sleep(0)  # lets other backends, and a cancellation, have their turn

    backends = {cell.backend.name: cell.backend for cell in cells}
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        for backend in backends.values():
            if isinstance(backend, AbstractAsyncContextManager):
                await stack.enter_async_context(backend)
        for name, queue in queues.items():
            for _ in range(min(max(1, backends[name].concurrency), queue.qsize())):
                group.create_task(work(queue))


async def run_cell(cell: Cell, config: EpisodeConfig, seed: int, *, attempt: int = 1) -> RunRecord:
    """Run one episode and record it; a service that fails gives a record with ``error`` and no verdict."""
    episode = Episode(cell.task, config)
    turns: list[TurnRecord] = []
    error: str | None = None
    while not episode.ended:
        try:
            turns.append(await _turn(cell, episode, seed))
        except ServiceError as failure:
            error = str(failure)
            break
    return RunRecord(
        task_id=cell.task.task_id,
        trial=cell.trial,
        method=cell.method.name,
        backend=cell.backend.name,
        model=cell.backend.model,
        attempt=attempt,
        turns=turns,
        error=error,
    )


async def _turn(cell: Cell, episode: Episode, seed: int) -> TurnRecord:
    method, backend, observation = cell.method, cell.backend, episode.observation
    shown = observation if backend.recorded else method.show(observation)
    query = Query(
        shown,
        method.prompt,
        cell.trial,
        _seed_of(seed, cell, len(episode.decisions)),
        gold_tool=cell.task.tool if Need.GOLD_TOOL in backend.needs else None,
        reference=_reference(episode) if Need.REFERENCE in backend.needs else None,
        task_id=cell.task.task_id if Need.TASK_ID in backend.needs else None,
        sight=observation if Need.SIGHT in backend.needs else None,
    )
    began = time.perf_counter()
    answer: Answer = await backend.answer(query)
    seconds = time.perf_counter() - began
    proposal = answer.decision if answer.decision is not None else parse_decision(answer.text)
    decision = proposal if backend.recorded else method.decide(observation, proposal)
    episode.step(decision)
    return TurnRecord(
        raw_response=answer.text,
        decision=_plain(decision),
        proposal=None if decision == proposal else _plain(proposal),
        tools_shown=[spec.name for spec in shown.tools],
        candidates_shown=[entity.id for entity in shown.entities],
        prompt=answer.prompt,
        usage=cast("Object", dict(answer.usage)),
        notes=list(answer.notes),
        seconds=round(seconds, 6),
    )


def _reference(episode: Episode) -> Decision:
    return reference_decision(
        episode.task,
        episode.answered,
        interactive=episode.config.interaction == "interactive",
        silent=episode.conversation.silent,
        offering=episode.conversation.user.ground.denoted,
    )


def _plain(decision: Decision) -> Object:
    return cast("Object", decision_json(decision))


def _seed_of(seed: int, cell: Cell, step: int) -> int:
    """A seed that depends on the run's seed, the task, the trial and the step, and on nothing else."""
    text = f"{seed}/{cell.task.task_id}/{cell.trial}/{step}"
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
