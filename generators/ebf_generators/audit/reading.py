"""Reading a suite once, line by line, and measuring its tasks in one process or several."""

from __future__ import annotations

import itertools
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from ebf_env.json_types import JSON, JSONObject
from ebf_env.tasks import SuiteInfo, Task, iterate_suite
from ebf_env.tasks.lines import HeaderLine, TrailerLine, loads
from ebf_env.tasks.suite import raw_lines
from ebf_generators.audit.header import GENERATED
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
        info: what its header says.
        lines: number of lines between header and trailer: the number of tasks, where no worlds are shared.
        statistics: what its trailer says of the tasks.
    """

    path: Path
    info: SuiteInfo
    lines: int
    statistics: Mapping[str, JSON]

    @property
    def name(self) -> str:
        """The suite's name."""
        return self.info.name

    @property
    def config(self) -> JSONObject:
        """Its generator's configuration."""
        return self.info.config

    @property
    def generated(self) -> bool:
        """Whether the suite says in any way that a generator wrote it, so that more can be asked of it."""
        info = self.info
        return info.source == GENERATED or any(
            part is not None for part in (info.generator_version, info.seed, info.pools)
        )

    @property
    def single_cells(self) -> bool:
        """Whether the suite samples single cells of contrast blocks, as the paper's mix does."""
        return self.config.get("mix") == "paper" or self.config.get("families") is False

    @property
    def noisy(self) -> bool:
        """Whether what is said may have mistakes in it."""
        return self.config.get("noise", "none") not in ("none", {})


def survey(path: str | Path) -> Survey:
    """Look at a suite's header and trailer, and count its lines.

    Raises:
        SuiteError: the file is no suite.
    """
    path = Path(path)
    next(iterate_suite(path), None)
    first = last = b""
    count = 0
    for count, raw in raw_lines(path):  # noqa: B007 -- the last number is what is wanted
        first, last = first or raw, raw
    header = HeaderLine.model_validate(loads(first))
    info = SuiteInfo(header.name, header.source, header.generator_version, header.seed, header.pools, header.config)
    return Survey(path, info, max(count - 2, 0), _statistics(last))


def _statistics(trailer: bytes) -> Mapping[str, JSON]:
    """What a trailer says of the tasks; nothing where it cannot be read, which reading the tasks will tell."""
    try:
        return TrailerLine.model_validate(loads(trailer)).statistics
    except (ValueError, RecursionError, ValidationError):
        return {}


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
