"""The tool menu of causal minimal tool filtering: what a cheapest plan towards the user's goal can begin with."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ebf_baselines.causal.contracts import Contract, clarify, contract_of, done, seen
from ebf_baselines.causal.goal import Goal
from ebf_baselines.causal.goals import RankedGoal, mentioned_types, near_best, ranked_goals
from ebf_baselines.causal.planning import Action, Facts, frontier
from ebf_baselines.causal.state import sight_of
from ebf_env.envs.observation import Observation
from ebf_env.world import ToolSpec

TURNS: Final = 3
"""How many of the user's last turns are read beside the instruction."""


def causal_menu(observation: Observation) -> tuple[ToolSpec, ...]:
    """T_entity: the tools that a cheapest plan towards an inferred goal can begin with (paper, section V-E).

    Goals that cannot be told apart give the union of their frontiers. Where no goal is recognised that a tool offered
    could reach, all tools are shown. Tools keep their order.
    """
    contracts = {spec.name: contract_of(spec) for spec in observation.tools}
    goals = near_best(inferred_goals(observation), {goal for contract in contracts.values() for goal in contract.goals})
    shown = _first_tools(observation, contracts, goals)
    return tuple(spec for spec in observation.tools if spec.name in shown) or observation.tools


def inferred_goals(observation: Observation) -> tuple[RankedGoal, ...]:
    """The goals the user may have, best first, by what they said alone: no tool and no record has a say in it."""
    return ranked_goals(observation.instruction, said_before(observation))


def said_before(observation: Observation) -> tuple[str, ...]:
    """The user's last turns before the instruction, oldest first."""
    said = (turn.get("content") for turn in observation.history if turn.get("role") == "user")
    return tuple(text for text in said if isinstance(text, str))[-TURNS:]


def entity_aware(
    contracts: Collection[Contract], state: Facts, goal: Goal, unresolved: Collection[str] = ()
) -> tuple[Action, ...]:
    """The frontier of one goal.

    Args:
        contracts: of the tools offered.
        state: the facts that hold.
        goal: what is to be achieved.
        unresolved: slots, as ``tool.slot``, whose record cannot be told from what is in sight: they are not bound by
            themselves, so that asking (``clarify``) is the step that binds them.
    """
    return _frontier(_actions(contracts, (), unresolved), state, goal)


def _first_tools(
    observation: Observation, contracts: dict[str, Contract], goals: tuple[RankedGoal, ...]
) -> frozenset[str]:
    """The names of the tools that plans for the goals begin with."""
    if not goals:
        return frozenset()
    sight = sight_of(observation, contracts)
    also_seen: tuple[str, ...] = ()
    if sight.is_looked_up:
        text = " ".join((*said_before(observation), observation.instruction))
        found = {kind for contract in contracts.values() if contract.is_search for kind in contract.finds}
        also_seen = tuple(kind for kind in mentioned_types(text) if kind in found)
    actions = _actions(contracts.values(), also_seen, ())
    owner = {clarify(c.tool, slot): c.tool for c in contracts.values() for slot, _ in c.slots}
    shown: set[str] = set()
    for ranked in goals:
        first = [action for state in sight.cases for action in _frontier(actions, state, ranked.goal)]
        shown.update(owner.get(action.name, action.name) for action in first)
        if not first:
            shown.update(contract.tool for contract in contracts.values() if ranked.goal in contract.goals)
    return frozenset(shown)


def _actions(
    contracts: Collection[Contract], also_seen: Collection[str], unresolved: Collection[str]
) -> tuple[Action, ...]:
    if not also_seen and not unresolved:
        return tuple(action for contract in contracts for action in contract.plain_actions)
    sight = frozenset(map(seen, also_seen))
    return tuple(action for contract in contracts for action in contract.actions(sight, unresolved))


def _frontier(actions: Collection[Action], state: Facts, goal: Goal) -> tuple[Action, ...]:
    return frontier(actions, state, frozenset({done(goal)}))
