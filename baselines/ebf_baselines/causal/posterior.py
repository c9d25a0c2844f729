"""Which tool is meant: a calibrated probability for each tool offered.

The words speak for goals (:mod:`ebf_baselines.causal.classifier`), a tool is as probable as the goal it reaches, and
goals that no tool offered reaches count little, since people mostly ask for what can be done. Whoever has looked into
the records can add which types of record the request names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import exp, log
from typing import Final

from ebf_baselines.causal.classifier import judged
from ebf_baselines.causal.contracts import contract_of
from ebf_baselines.causal.menu import said_before
from ebf_env.envs.observation import Observation
from ebf_env.world import ToolSpec

SHARPNESS: Final = 1.0
"""What logits are multiplied by: fitted on requests of writers who were left out of the training, each in turn, where 1
makes probabilities frequencies to within 0.02."""
ABSENT: Final = 0.02
"""How much a goal counts that no tool offered reaches."""
NAMED: Final = 0.5
"""What it counts that a slot's type is named."""
LEFT_OVER: Final = 0.3
"""What it counts that a type is named for which the tool has no slot."""
UNNAMED: Final = 0.1
"""The weight of a type that is not named: it may be pointed at."""

SURE: Final = 0.98
"""A most probable tool at least this probable was right in 99.5 % of requests of writers left out of the training."""


def tool_posterior(observation: Observation, kinds: Mapping[str, float] | None = None) -> dict[str, float]:
    """For each offered tool that is no search, the probability that the user means it.

    Args:
        observation: what the agent sees; only what the user said and which tools are offered is read.
        kinds: weights from 0 to 1 of the types of record that the request was found to name, by whoever has looked
            into the records; types left out have none. None or empty: nobody has looked.

    Returns:
        Probabilities by tool name, which add up to at most 1; the rest is that no tool offered is meant.
    """
    return tool_posterior_of(observation.instruction, said_before(observation), observation.tools, kinds)


def tool_posterior_of(
    text: str,
    said_before: Sequence[str],
    tools: Collection[ToolSpec],
    kinds: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """``tool_posterior`` of plain text, outside the environment.

    Args:
        text: what the user asks for.
        said_before: the user's earlier turns, oldest first.
        tools: the tools offered; those foreign to this package are read by their declaration.
        kinds: as for ``tool_posterior``.
    """
    meant = [spec for spec in tools if not spec.is_search]
    if not meant:
        return {}
    words = judged(text, tuple(said_before))
    goals = {spec.name: contract_of(spec).goals[0] for spec in meant}
    logits = {spec.name: SHARPNESS * (words.logit(goals[spec.name]) + _fit(spec, kinds)) for spec in meant}
    offered = frozenset(goals.values())
    absent = [SHARPNESS * logit for goal, logit in words.goals.items() if goal not in offered]
    highest = max(*logits.values(), *absent, 0.0)
    weights = {name: exp(logit - highest) for name, logit in logits.items()}
    total = sum(weights.values()) + ABSENT * sum(exp(logit - highest) for logit in absent)
    return {name: weight / total for name, weight in weights.items()}


def _fit(spec: ToolSpec, kinds: Mapping[str, float] | None) -> float:
    """How well the slots of a tool fit the types of record that are named."""
    if not kinds:
        return 0.0
    fit = sum(
        log(UNNAMED + (1 - UNNAMED) * kinds.get(precondition.entity_type, 0.0))
        for precondition in spec.preconditions
        if precondition.required
    )
    taken = {precondition.entity_type for precondition in spec.preconditions}
    left_over = sum(weight for kind, weight in kinds.items() if kind not in taken)
    return NAMED * fit - LEFT_OVER * left_over
