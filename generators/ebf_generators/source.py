"""Endless tasks for an environment, drawn as they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from ebf_env.errors import ConfigurationError
from ebf_env.plain_words import first_fault_in_words
from ebf_env.tasks import Task
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

ENDLESS: Final = 1 << 40
"""How many tasks an endless source counts."""

REMEMBERED: Final = 10_000
"""How many tasks drawn before can be asked for by their ids."""


_KNOWN: Final = tuple(name for name in SuiteConfig.model_fields if name != "tasks")


def config_from(settings: Mapping[str, object]) -> SuiteConfig:
    """A configuration, with what is wrong in one sentence.

    Raises:
        ConfigurationError: an unknown setting, a wrong value, or settings that clash.
    """
    try:
        return SuiteConfig.model_validate(settings)
    except ValidationError as error:
        raise ConfigurationError(first_fault_in_words(error, _KNOWN)) from error


class GeneratedSource:
    """A task source that draws the tasks of a configuration by their numbers, without end.

    Args:
        settings: fields of :class:`SuiteConfig` but for ``tasks``.

    Raises:
        ConfigurationError: an unknown setting, a wrong value, or settings that clash.
    """

    def __init__(self, **settings: object) -> None:
        if "tasks" in settings:
            raise ConfigurationError(
                f"tasks: there is no end to the tasks an environment draws, so it takes no number of them, got "
                f"{settings['tasks']!r}; play as many episodes as are wanted"
            )
        self._generator = Generator(config_from(settings))
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return ENDLESS

    def task(self, index: int) -> Task:
        """The task of that number."""
        task = self._generator.task(index)
        self._numbers[task.task_id] = index
        if len(self._numbers) > REMEMBERED:
            del self._numbers[next(iter(self._numbers))]
        return task

    def index_of(self, task_id: str) -> int:
        """The number of a task that was drawn before; raises KeyError for another, or one long ago."""
        return self._numbers[task_id]
