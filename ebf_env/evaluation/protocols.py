"""What the harness asks of methods, backends and policies. None of them ever gets a ``Task``."""

from __future__ import annotations

import hashlib
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
    SIGHT = "sight"
    """Everything the agent may see, beside what the method shows of it: for backends that share the reading of a gate,
    which retrieves its own candidates. It tells nothing that a method could not have shown."""


class Want(StrEnum):
    """What a method asks a model to give beside its decision."""

    SCORES = "scores"
    """For every mandatory slot, how likely each candidate is the one that is meant."""

    EVIDENCE = "evidence"
    """For every binding, the records and fields that support it."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a method tells a model before it sees the observation: a versioned template.

    Attributes:
        name: the method's name.
        version: raised with every change of the text.
        text: the words.
        wants: what is asked for beside the decision.
        may_ask: whether the words give leave to ask and to defer.
    """

    name: str
    version: int
    text: str
    wants: frozenset[Want] = frozenset()
    may_ask: bool = False

    @property
    def sha256(self) -> str:
        """Hash of the words and of what is asked for."""
        content = "\n".join([self.text, *sorted(self.wants)])
        return hashlib.sha256(content.encode("utf-8")).hexdigest()


@dataclass(frozen=True, slots=True)
class Query:
    """One question to a backend.

    Attributes:
        observation: what the method shows: its tool menu, its candidates.
        prompt: what the method tells a model.
        trial: number of the repetition, from 0.
        seed: for the backend's own randomness; depends on the run's seed, the task, the trial and the step alone.
        gold_tool: the right tool; only for backends that declare ``Need.GOLD_TOOL``.
        reference: the right decision; only for backends that declare ``Need.REFERENCE``.
        task_id: which task it is; only for backends that declare ``Need.TASK_ID``.
        sight: everything the agent may see; only for backends that declare ``Need.SIGHT``.
    """

    observation: Observation
    prompt: Prompt
    trial: int
    seed: int
    gold_tool: str | None = None
    reference: Decision | None = None
    task_id: str | None = None
    sight: Observation | None = None

    @property
    def method(self) -> str:
        """The method's name."""
        return self.prompt.name


@dataclass(frozen=True, slots=True)
class Answer:
    """What a backend said.

    Attributes:
        text: its raw response.
        usage: tokens and the like, as the service reports them.
        notes: what happened on the way (a protocol that fell back, ...).
        decision: the decision in it, where the backend's protocol says how to read it; None: it is read out of the
            text.
        prompt: what tells the prompt apart, for backends that are prompted: template, version and hash of all words
            that do not depend on the observation.
    """

    text: str
    usage: JSONObject = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    decision: Decision | None = None
    prompt: str | None = None


class Backend(Protocol):
    """What fills in the decision: a model, a rule, a recording.

    One that is an asynchronous context manager as well is entered before its first question of a run and left after its
    last, in the event loop that the questions are asked in.

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

    @property
    def prompt(self) -> Prompt:
        """What it tells a model."""

    def show(self, observation: Observation) -> Observation:
        """What the backend gets to see: the tools of the menu and the candidates."""

    def decide(self, observation: Observation, proposal: Decision) -> Decision:
        """What becomes of the backend's proposal (paper, Algorithm 1, for the gated methods).

        Args:
            observation: everything in sight, of which the backend was shown a part.
            proposal: what the backend proposes.
        """


class Policy(Protocol):
    """Something that decides by itself, such as a trained network."""

    def act(self, observation: Observation) -> Decision:
        """The decision for an observation."""
