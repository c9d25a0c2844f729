"""A backend without a model: the best string match, always acting. The honest naive line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rapidfuzz import fuzz
from rapidfuzz.utils import default_process

from ebf_agents.scripted import ScriptedBackend
from ebf_env.decisions import Decision, Defer, ToolCall
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.evaluation.protocols import Query
from ebf_env.world import EntityPrecondition, ToolSpec
from ebf_env.world.binding import Binding


class LexicalBackend(ScriptedBackend):
    """Calls the tool whose name matches the instruction best, on the records whose names do.

    A mandatory slot takes the record of its type whose name matches the instruction best and that no earlier slot has
    taken; an optional one the record whose whole name the instruction holds, if there is one. Ties go to what comes
    first. Where nothing in sight can fill a mandatory slot, it searches once with the instruction's own words.
    """

    name: ClassVar[str] = "lexical"

    def decide(self, query: Query) -> Decision:
        """The best match; a search where nothing is in sight; a deferral where that found nothing."""
        observation = query.observation
        text = default_process(observation.instruction)
        acting = [spec for spec in observation.tools if not spec.is_search]
        spec = _best(acting, text)
        if spec is None:
            return Defer("no tool is on offer")
        bindings: dict[str, Binding] = {}
        taken: set[str] = set()
        for precondition in spec.preconditions:
            found = _record(observation, precondition, text, taken)
            if found is not None:
                taken.add(found.id)
                bindings[precondition.slot] = (found.id,) if precondition.many else found.id
            elif precondition.required:
                return _search(observation, spec, precondition)
        return ToolCall(spec.name, bindings)


def _best(specs: Iterable[ToolSpec], text: str) -> ToolSpec | None:
    return max(specs, key=lambda spec: fuzz.token_set_ratio(spec.name.replace("_", " "), text), default=None)


def _record(
    observation: Observation, precondition: EntityPrecondition, text: str, taken: set[str]
) -> ObservedEntity | None:
    left = [shown for shown in observation.candidates(precondition.entity_type) if shown.id not in taken]
    names = {shown.id: default_process(shown.entity.label) for shown in left}
    if not precondition.required:
        left = [shown for shown in left if names[shown.id] and f" {names[shown.id]} " in f" {text} "]
    return max(left, key=lambda shown: fuzz.token_set_ratio(names[shown.id], text), default=None)


def _search(observation: Observation, spec: ToolSpec, precondition: EntityPrecondition) -> Decision:
    asked = {message.get("tool") for message in observation.messages}
    for search in observation.tools:
        if search.finds(precondition.entity_type) and search.name not in asked:
            return ToolCall(search.name, {}, {"query": observation.instruction})
    return Defer(f"{spec.name}: nothing in sight can fill the slot {precondition.slot}")
