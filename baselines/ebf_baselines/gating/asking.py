"""The questions a gate asks: which record is meant, or which action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from ebf_baselines.clarification import Inquiry, Stated, ask
from ebf_baselines.gating.sight import Sight
from ebf_baselines.resolution.nodes import ValueCue
from ebf_baselines.resolution.resolver import Meaning, SlotMeaning
from ebf_env.decisions import Clarify
from ebf_env.world import ToolSpec
from ebf_env.world.binding import Binding

SHARE: Final = 0.05
"""Least posterior of a record that is offered, as a share of the best one's."""

MENTIONED: Final = 0.1
"""Least probability of an action that is named in a question about the action."""


def about_record(
    sight: Sight,
    spec: ToolSpec,
    slot: str,
    weights: Mapping[str, float],
    bound: Mapping[str, Binding],
    meaning: Meaning,
) -> Clarify:
    """The question which record is meant.

    Args:
        sight: what is known.
        spec: the tool that is to be called.
        slot: its slot.
        weights: ids of the records that come into question to how likely they are.
        bound: what other slots are bound to.
        meaning: the mention.
    """
    return ask(
        Inquiry(
            sight.store,
            slot,
            said(sight, meaning),
            weights,
            stated=stated(sight, meaning, weights),
            now=sight.now,
            tool=spec.name,
            bindings=bound,
        )
    )


def said(sight: Sight, meaning: Meaning) -> str:
    """A mention as it was said."""
    nodes = [] if meaning.ref is None else [n for n in meaning.ref.nodes if n.names] or meaning.ref.nodes
    return sight.texts[nodes[-1].text][nodes[-1].begin : nodes[-1].head_end] if nodes else ""


def stated(sight: Sight, meaning: Meaning, ids: Iterable[str]) -> list[Stated]:
    """What was said of a mention already: fields and values that candidates have because of it."""
    found: list[Stated] = []
    for entity_id in ids:
        record = sight.store.get(entity_id)
        for fact in meaning.facts.get(entity_id, ()):
            if record is not None and fact.source == entity_id and fact.path != record.label_field:
                found.append(Stated(fact.path, fact.value))
    for cue in () if meaning.ref is None else meaning.ref.cues:
        if isinstance(cue, ValueCue) and not cue.negated:
            found += [Stated(None, value.value) for value, _ in cue.values]
    return found


def likely(slot: SlotMeaning, meaning: Meaning) -> dict[str, float]:
    """The records that a mention may mean, best first; without those that another mention of the slot surely means."""
    others = {m.best for m in slot.meanings if m is not meaning and m.best is not None and m.margin > meaning.margin}
    scores = {i: p for i, p in meaning.scores.items() if i not in others}
    best = max(scores.values(), default=0.0)
    return {i: p for i, p in scores.items() if p >= SHARE * best and p > 0}


def about_action(sight: Sight, spec: ToolSpec) -> Clarify:
    """The question which action is meant."""
    found = sight.tool_probabilities
    rivals = [n for n, p in sorted(found.items(), key=lambda item: -item[1]) if n != spec.name and p >= MENTIONED]
    wanted = [_deed(name) for name in (spec.name, *rivals[:2])]
    if len(wanted) == 1:
        return Clarify(f"Do you want me to {wanted[0]}?", tool=spec.name)
    return Clarify(f"Do you want me to {', to '.join(wanted[:-1])} or to {wanted[-1]}?", tool=spec.name)


def _deed(tool: str) -> str:
    """What a tool does, in words read off its name: "close the ticket"."""
    verb, _, thing = tool.replace("_", " ").partition(" ")
    return f"{verb} the {thing}" if thing else verb
