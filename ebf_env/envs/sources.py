"""Where an environment's tasks come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ebf_env.tasks import Suite, Task


class TaskSource(Protocol):
    """Numbered tasks: a suite, or a generator that makes the task of any number."""

    def __len__(self) -> int:
        """How many tasks there are; a generator gives a very large number."""

    def task(self, index: int) -> Task:
        """The task of that number, 0 <= index < len(self); the same number always gives the same task."""

    def index_of(self, task_id: str) -> int:
        """The number of the task of that id; raises KeyError where there is none."""


class SuiteSource:
    """The tasks of a suite, in its order."""

    def __init__(self, tasks: Suite | Sequence[Task]) -> None:
        self._tasks = tuple(tasks)
        self._numbers = {task.task_id: number for number, task in enumerate(self._tasks)}

    def __len__(self) -> int:
        return len(self._tasks)

    def task(self, index: int) -> Task:
        """The task of that number."""
        return self._tasks[index]

    def index_of(self, task_id: str) -> int:
        """The number of the task of that id; raises KeyError where there is none."""
        return self._numbers[task_id]
