"""Reading a suite once, line by line, and measuring its tasks in one process or several."""

from __future__ import annotations

import gzip
import itertools
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ebf_env.json_types import JSONObject
from ebf_env.tasks import Task, iterate_suite
from ebf_env.tasks.lines import HeaderLine, loads
from ebf_generators.audit.measuring import Batch, Measurer, Settings

_BATCH = 32
_WAITING = 4
"""Batches per process that are read ahead: what is read and not yet measured stays bounded."""

_WORTH_PROCESSES = 400
"""Fewer tasks are measured before other processes have started."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a suite file before its tasks are read.

    Attributes:
        path: the file.
        name: the suite's name.
        config: its generator's configuration.
        lines: number of lines between header and trailer: the number of tasks, where no worlds are shared.
    """

    path: Path
    name: str
    config: JSONObject
    lines: int

    @property
    def single_cells(self) -> bool:
        """Whether the suite samples single cells of contrast blocks, as the paper's mix does."""
        return self.config.get("mix") == "paper" or self.config.get("families") is False


def survey(path: str | Path) -> Survey:
    """Look at a suite's header and count its lines.

    Raises:
        SuiteError: the file is no suite.
    """
    path = Path(path)
    next(iterate_suite(path), None)
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
        header = HeaderLine.model_validate(loads(stream.readline()))
        lines = sum(1 for _ in stream)
    return Survey(path, header.name, header.config, max(lines - 1, 0))


def first_tasks(tasks: Iterable[Task], most: int | None) -> Iterator[tuple[int, Task]]:
    """The first tasks with their numbers; a family that has begun is read to its end."""
    family: str | None = None
    for number, task in enumerate(tasks):
        if most is not None and number >= most and (family is None or task.family != family):
            return
        family = task.family
        yield number, task


def measure_all(tasks: Iterable[tuple[int, Task]], expected: int, settings: Settings, workers: int) -> Iterator[Batch]:
    """Measure tasks; what comes out, and in what order, does not depend on the number of processes.

    Args:
        tasks: the tasks with their numbers.
        expected: about how many there are.
        settings: how they are measured.
        workers: number of processes.
    """
    batches = _batched(tasks)
    if workers <= 1 or expected < _WORTH_PROCESSES:
        measurer = Measurer(settings)
        yield from map(measurer.measure, batches)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(settings,)) as pool:
        waiting: deque[Future[Batch]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_measure, batch))
                if len(waiting) >= _WAITING * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _batched(tasks: Iterable[tuple[int, Task]]) -> Iterator[Sequence[tuple[int, Task]]]:
    rest = iter(tasks)
    while batch := list(itertools.islice(rest, _BATCH)):
        yield batch


_MEASURER: list[Measurer] = []
"""The one measurer of a worker process."""


def _start(settings: Settings) -> None:
    _MEASURER[:] = [Measurer(settings)]


def _measure(batch: Sequence[tuple[int, Task]]) -> Batch:
    return _MEASURER[0].measure(batch)
