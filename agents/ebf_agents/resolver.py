"""A backend without a model: it reads the instruction, and calls the tool on the records that are denoted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ebf_agents.scripted import ScriptedBackend
from ebf_agents.searching import must_search, next_reading, next_search
from ebf_baselines.gating import ResolverGate, Sight, sight_of
from ebf_baselines.gating.conversation import Exchange, answered, exchanges
from ebf_baselines.gating.evidence import evidence_for
from ebf_baselines.gating.judging import leading
from ebf_baselines.gating.policy import ruled_out
from ebf_baselines.resolution.resolver import SlotMeaning
from ebf_env.decisions import Decision, Defer, Evidence, ToolCall
from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Need, Query, Want
from ebf_env.world import EntityPrecondition, ToolSpec
from ebf_env.world.binding import Binding

_GATE: Final = ResolverGate()


class ResolverBackend(ScriptedBackend):
    """Calls the likeliest tool on the likeliest records, with scores and evidence.

    Where a method gates scores, it reads everything in sight, as the gate does, and proposes its best guess. Where a
    method lets it ask and does not gate, it decides by its own gate. Elsewhere it acts on its best guess.
    """

    name = "resolver"
    needs = frozenset({Need.SIGHT})

    def decide(self, query: Query) -> Decision:
        """The decision for a question."""
        gated = Want.SCORES in query.prompt.wants
        observation = query.observation
        if gated and query.sight is not None:
            observation = query.sight
        menu = query.observation.tools
        if must_search(observation):
            looking = next_search(observation) or next_reading(observation)
            if looking is not None:
                return looking
        proposal = propose(observation, menu)
        if query.prompt.may_ask and not gated:
            return _GATE(observation, proposal)
        return proposal


def propose(observation: Observation, menu: tuple[ToolSpec, ...]) -> Decision:
    """The best guess, of the tools in the menu.

    Args:
        observation: what is in sight, with every tool on offer.
        menu: the tools that may be called; where none of them acts, all on offer.
    """
    sight = sight_of(observation)
    gone = ruled_out(observation)
    probabilities = sight.tools_left(gone)
    acting = [
        spec
        for spec in (*menu, *observation.tools)
        if not spec.is_search and (spec in menu or _none_acts(menu)) and spec.name not in gone
    ]
    if not acting:
        return Defer("there is no tool on offer that acts")
    spec = max(acting, key=lambda one: probabilities.get(one.name, 0.0))
    talk = tuple(exchanges(observation.messages))
    return call_of(sight, spec, talk)


def _none_acts(menu: tuple[ToolSpec, ...]) -> bool:
    return all(spec.is_search for spec in menu)


def call_of(sight: Sight, spec: ToolSpec, talk: tuple[Exchange, ...] = ()) -> Decision:
    """The call of a tool on the records that are most likely meant."""
    slots: Mapping[str, SlotMeaning] = sight.bind(spec)
    if talk:
        slots = answered(sight.store, slots, talk)
    bindings: dict[str, Binding] = {}
    for slot, meaning in slots.items():
        bound = meaning.binding
        if bound is None and meaning.precondition.required:
            bound = _any(sight, meaning.precondition)
        if bound is not None:
            bindings[slot] = bound
    evidence: list[Evidence] = [e for slot, m in slots.items() for e in evidence_for(sight.store, slot, m)]
    return ToolCall(spec.name, bindings, {}, tuple(evidence), {slot: leading(m) for slot, m in slots.items()})


def _any(sight: Sight, precondition: EntityPrecondition) -> Binding | None:
    """Some record of the type, for who has to act on something."""
    fitting = (r.id for r in sight.store.records if precondition.accepts(r.type))
    found = next(fitting, None)
    return None if found is None else (found,) if precondition.many else found
