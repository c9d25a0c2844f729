"""What the harness asks of methods, backends and policies. None of them ever gets a ``Task``."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from ebf_env.decisions import Decision
from ebf_env.envs.observation import Observation
from ebf_env.json_types import JSONObject


class Need(StrEnum):
    """What a diagnostic backend must be told beyond the observation. A backend under evaluation needs nothing."""

    GOLD_TOOL = "gold_tool"
    REFERENCE = "reference"
    TASK_ID = "task_id"


@dataclass(frozen=True, slots=True)
class Query:
    """One question to a backend.

    Attributes:
        observation: what the method shows: its tool menu, its candidates.
        method: the method's name.
        trial: number of the repetition, from 0.
        seed: for the backend's own randomness; depends on the run's seed, the task, the trial and the step alone.
        gold_tool: the right tool; only for backends that declare ``Need.GOLD_TOOL``.
        reference: the right decision; only for backends that declare ``Need.REFERENCE``.
        task_id: which task it is; only for backends that declare ``Need.TASK_ID``.
    """

    observation: Observation
    method: str
    trial: int
    seed: int
    gold_tool: str | None = None
    reference: Decision | None = None
    task_id: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a backend said.

    Attributes:
        text: its raw response.
        usage: tokens and the like, as the service reports them.
        notes: what happened on the way (a protocol that fell back, ...).
    """

    text: str
    usage: JSONObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()


class Backend(Protocol):
    """What fills in the decision: a model, a rule, a recording.

    Attributes:
        name: key of its records, e.g. ``oracle``.
        model: what answers, e.g. a model's id.
        needs: what it must be told beyond the observation.
        recorded: whether its answers are a recording, which methods' execution policies do not touch.
        concurrency: most questions it takes at once.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> str: ...  # noqa: D102
    @property
    def needs(self) -> frozenset[Need]: ...  # noqa: D102
    @property
    def recorded(self) -> bool: ...  # noqa: D102
    @property
    def concurrency(self) -> int: ...  # noqa: D102

    def config(self) -> JSONObject:
        """What identifies it in a run's configuration; never a key."""

    async def answer(self, query: Query) -> Answer:
        """Answer one question.

        Raises:
            ServiceError: the service failed; there is no verdict on the model.
        """


class Method(Protocol):
    """A tool-use method: tool menu, candidates shown, and execution policy."""

    @property
    def name(self) -> str:
        """Its name, e.g. ``direct``."""

    def show(self, observation: Observation) -> Observation:
        """What the backend gets to see: the tools of the menu and the candidates."""

    def decide(self, observation: Observation, proposal: Decision) -> Decision:
        """What becomes of the backend's proposal (paper, Algorithm 1, for the gated methods)."""


class Policy(Protocol):
    """Something that decides by itself, such as a trained network."""

    def act(self, observation: Observation) -> Decision:
        """The decision for an observation."""
