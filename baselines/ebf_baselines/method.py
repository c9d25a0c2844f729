"""A method as a composition: any method runs with any backend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from ebf_env.decisions import Decision
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.evaluation.protocols import Prompt
from ebf_env.world import ToolSpec

ToolMenu: TypeAlias = Callable[[Observation], tuple[ToolSpec, ...]]
"""Which tools the backend sees."""

CandidateView: TypeAlias = Callable[[Observation], tuple[ObservedEntity, ...]]
"""Which records the backend sees."""

ExecutionPolicy: TypeAlias = Callable[[Observation, Decision], Decision]
"""What becomes of the backend's proposal."""


def every_tool(observation: Observation) -> tuple[ToolSpec, ...]:
    """The tools as offered."""
    return observation.tools


def every_candidate(observation: Observation) -> tuple[ObservedEntity, ...]:
    """The records as in sight."""
    return observation.entities


def as_proposed(_: Observation, proposal: Decision) -> Decision:
    """Execute what the backend proposes."""
    return proposal


@dataclass(frozen=True, slots=True)
class ComposedMethod:
    """Tool menu + candidates shown + execution policy (paper, section V-E).

    Attributes:
        prompt: what it tells a model; the method goes by its name.
        description: what it does, in one sentence.
        menu: which tools the backend sees.
        candidates: which records it sees.
        policy: what becomes of its proposal.
    """

    prompt: Prompt
    description: str
    menu: ToolMenu = every_tool
    candidates: CandidateView = every_candidate
    policy: ExecutionPolicy = as_proposed

    @property
    def name(self) -> str:
        """The method's name."""
        return self.prompt.name

    def show(self, observation: Observation) -> Observation:
        """What the backend gets to see."""
        tools, entities = self.menu(observation), self.candidates(observation)
        if tools == observation.tools and entities == observation.entities:
            return observation
        return replace(observation, tools=tools, entities=entities, _fixed_text=[])

    def decide(self, observation: Observation, proposal: Decision) -> Decision:
        """What becomes of the backend's proposal."""
        return self.policy(observation, proposal)
