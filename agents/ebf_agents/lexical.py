"""A backend without a model: the best string match, always acting. The honest naive line."""

from __future__ import annotations

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
    first. Where the best tool's records are not in sight, it searches for them once with the instruction's own words,
    or, where nothing searches for them, calls the next best tool.
    """

    name: ClassVar[str] = "lexical"

    def decide(self, query: Query) -> Decision:
        """The best match that can be called; a deferral where no tool can."""
        observation = query.observation
        text = default_process(observation.instruction)
        acting = [spec for spec in observation.tools if not spec.is_search]
        for spec in sorted(acting, key=lambda s: -fuzz.token_set_ratio(s.name.replace("_", " "), text)):
            found = _call(observation, spec, text)
            if found is not None:
                return found
        return Defer("nothing in sight can fill the slots of any tool on offer")


def _call(observation: Observation, spec: ToolSpec, text: str) -> ToolCall | None:
    """A call of a tool, or of a search for what it lacks; None where there is neither."""
    bindings: dict[str, Binding] = {}
    taken: set[str] = set()
    for precondition in spec.preconditions:
        found = _record(observation, precondition, text, taken)
        if found is not None:
            taken.add(found.id)
            bindings[precondition.slot] = (found.id,) if precondition.many else found.id
        elif precondition.required:
            return _search(observation, precondition.entity_type)
    return ToolCall(spec.name, bindings)


def _record(
    observation: Observation, precondition: EntityPrecondition, text: str, taken: set[str]
) -> ObservedEntity | None:
    left = [shown for shown in observation.candidates(precondition.entity_type) if shown.id not in taken]
    names = {shown.id: default_process(shown.entity.label) for shown in left}
    if not precondition.required:
        left = [shown for shown in left if names[shown.id] and f" {names[shown.id]} " in f" {text} "]
    return max(left, key=lambda shown: fuzz.token_set_ratio(names[shown.id], text), default=None)


def _search(observation: Observation, entity_type: str) -> ToolCall | None:
    asked = {message.get("tool") for message in observation.messages}
    for search in observation.tools:
        if search.finds(entity_type) and search.name not in asked:
            return ToolCall(search.name, {}, {"query": observation.instruction})
    return None
