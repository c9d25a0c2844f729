"""A task as an agent sees it first, worked out once for all criteria."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ebf_env.envs import Episode, EpisodeConfig, Observation, ObservedEntity
from ebf_env.json_types import JSON, JSONObject, quick_ascii_json
from ebf_env.tasks import Task
from ebf_env.tasks.task import MAX_FULL_ENTITIES
from ebf_env.world.entity import ANY_TYPE

_SHOWN_WHOLE = EpisodeConfig(interaction="single_step", visibility="full")
_LOOKED_UP = EpisodeConfig(interaction="interactive", visibility="search", max_steps=1)
"""For a world too large to be shown: one decision, judged as the last of an interactive episode is."""

Scalar: TypeAlias = bool | int | float | str


@dataclass(frozen=True)
class Sight:
    """A task, and what an agent sees of it before the first decision.

    Attributes:
        task: the task.
        position: its number in the file, from 0.
    """

    task: Task
    position: int

    @cached_property
    def whole(self) -> bool:
        """Whether the world is small enough to be shown whole."""
        return len(self.task.world) <= MAX_FULL_ENTITIES

    def episode(self) -> Episode:
        """A fresh episode of one decision."""
        return Episode(self.task, _SHOWN_WHOLE if self.whole else _LOOKED_UP)

    @cached_property
    def observation(self) -> Observation:
        """The first observation."""
        return self.episode().observation

    @cached_property
    def text(self) -> str:
        """The first observation as text."""
        return self.observation.text()

    @cached_property
    def records(self) -> tuple[ObservedEntity, ...]:
        """The records shown, in order; of a world too large for that, those that set it apart from the shared one."""
        if self.whole:
            return self.observation.entities
        rights = self.task.user.permissions
        put, _ = self.task.world.overlay()
        return tuple(ObservedEntity(rights.redacted(e), rights.may_change(e.id)) for e in put if rights.may_see(e.id))

    @cached_property
    def records_text(self) -> str:
        """These records as text."""
        return quick_ascii_json([record.to_json() for record in self.records])

    @cached_property
    def types(self) -> Mapping[str, str]:
        """Type of every one of these records, by id."""
        return {record.id: record.type for record in self.records}

    def ids_for(self, slot: str) -> tuple[str, ...]:
        """Ids of the records the user may see that can fill a slot of the gold tool, in order."""
        precondition = self.task.spec.precondition(slot)
        kind = precondition.entity_type if precondition else ANY_TYPE
        if self.whole:
            return tuple(record.id for record in self.observation.candidates(kind))
        world, rights = self.task.world, self.task.user.permissions
        return tuple(i for i in (world if kind == ANY_TYPE else world.ids_of_type(kind)) if rights.may_see(i))


def leaves(value: JSON, path: str = "") -> Iterator[tuple[str, Scalar]]:
    """Every single value within a JSON value, after the fields that lead to it; lists are walked through."""
    if isinstance(value, bool | int | float | str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from leaves(item, f"{path}.{name}" if path else name)
    elif value is not None:
        for item in value:
            yield from leaves(item, path)


def texts_of(turns: Iterable[JSONObject]) -> list[str]:
    """What was said in the turns of a conversation."""
    return [value for turn in turns for path, value in leaves(turn) if isinstance(value, str) and path != "role"]
