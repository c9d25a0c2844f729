"""Tools as causal actions: what each requires and produces, read off its declaration.

Facts are ``seen(type)``: a record of the type is in sight; ``bound(tool.slot)``: the slot can be filled; and
``done(goal)``. A search produces ``seen`` of what it finds; a tool requires ``bound`` of its mandatory slots P_E(t) and
produces ``done`` of the goal it reaches. Binding a slot is no step of its own: it happens in the call, once records
are in sight. Where it does not (the record meant cannot be told), ``clarify`` is the step that produces ``bound``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ebf_baselines.causal.goal import Deed, Goal, goal_of
from ebf_baselines.causal.lexicon import DEEDS, NOUNS
from ebf_baselines.causal.planning import Action, Fact, Facts
from ebf_baselines.causal.words import PhraseBook, Sentence, sentences
from ebf_env.world import ToolSpec
from ebf_env.world.entity import ENTITY_TYPES
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import Create, Delete, Effect, Invoke, Search, Touch, View

ASKING_COST: Final = 3
"""What a question costs beside a call's one for itself and one for each slot."""

_DEEDS_OF: Final[dict[ActionType, tuple[Deed, ...]]] = {
    ActionType.RETRIEVE: (Deed.READ,),
    ActionType.DRAFT: (Deed.DRAFTED,),
    ActionType.SEND: (Deed.SENT, Deed.REPLIED, Deed.FORWARDED),
    ActionType.SHARE: (Deed.SHARED, Deed.INVITED),
    ActionType.UPDATE: (Deed.UPDATED, Deed.MOVED, Deed.COMMENTED, Deed.HELD, Deed.ENLISTED),
    ActionType.ASSIGN: (Deed.ASSIGNED,),
    ActionType.RESCHEDULE: (Deed.RESCHEDULED,),
    ActionType.CLOSE: (Deed.CLOSED,),
    ActionType.DELETE: (Deed.DELETED,),
    ActionType.CANCEL: (Deed.CANCELLED,),
    ActionType.SCHEDULE: (Deed.SCHEDULED,),
    ActionType.ESCALATE: (Deed.ESCALATED,),
    ActionType.OTHER: (Deed.OTHER, *(deed for deed in Deed if deed not in (Deed.OTHER, Deed.FOUND))),
}
"""The deeds an action type stands for, the plainest first; the tool's words tell which it is."""


@dataclass(frozen=True)
class Contract:
    """A tool as a causal action.

    Attributes:
        tool: the tool's name.
        goals: what it achieves: one goal, or for a search one for each type it finds.
        slots: the type each mandatory slot takes.
        finds: the types of record it brings into sight.
        risk: its risk weight r(t).
        is_search: whether it looks records up by words.
    """

    tool: str
    goals: tuple[Goal, ...]
    slots: tuple[tuple[str, str], ...]
    finds: tuple[str, ...]
    risk: int
    is_search: bool = False

    @cached_property
    def plain_actions(self) -> tuple[Action, ...]:
        """``actions`` where only records of a slot's own type must be in sight, and every slot binds by itself."""
        return tuple(self.actions())

    def actions(self, also_seen: Facts = frozenset(), unresolved: Collection[str] = ()) -> Iterator[Action]:
        """The call itself, and the binding of each slot it needs.

        Args:
            also_seen: what must be in sight, beside records of the slot's type, to tell which one is meant.
            unresolved: slots, as ``tool.slot``, that bind only by asking.
        """
        required = frozenset(bound(self.tool, slot) for slot, _ in self.slots)
        produced = frozenset((*map(seen, self.finds), *map(done, self.goals)))
        yield Action(self.tool, required, produced, self.risk, 1 + len(self.slots))
        for slot, kind in self.slots:
            product, sight = frozenset({bound(self.tool, slot)}), frozenset({seen(kind)})
            if f"{self.tool}.{slot}" not in unresolved:
                yield Action(f"bind({self.tool}.{slot})", sight | also_seen, product, silent=True)
            yield Action(clarify(self.tool, slot), sight, product, RiskLevel.LOW.weight, 1 + ASKING_COST)


def seen(entity_type: str) -> Fact:
    """A record of the type is in sight."""
    return f"seen({entity_type})"


def bound(tool: str, slot: str) -> Fact:
    """The slot of the tool can be filled."""
    return f"bound({tool}.{slot})"


def done(goal: Goal) -> Fact:
    """The goal is reached."""
    return f"done({goal})"


def clarify(tool: str, slot: str) -> str:
    """The name of the action that asks the user which record a slot is about."""
    return f"clarify({tool}.{slot})"


def contract_of(spec: ToolSpec) -> Contract:
    """The contract of a tool, be it known or foreign; kept, since declarations do not change."""
    kept = _KEPT.get(id(spec))
    if kept is not None:
        return kept[1]
    if len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    contract = _derived(spec)
    _KEPT[id(spec)] = (spec, contract)
    return contract


_MOST_KEPT: Final = 4096
_KEPT: Final[dict[int, tuple[ToolSpec, Contract]]] = {}
"""By identity, since effects hold mappings and do not hash; the declaration is kept, so that no other takes its id."""

_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PLAINNESS: Final = (0.1, 0.2, 1.0, 1.0)
_deeds: Final = PhraseBook[Deed]().add(DEEDS.items(), _PLAINNESS)
_nouns: Final = PhraseBook[str](str).add(NOUNS.items(), _PLAINNESS)


def _derived(spec: ToolSpec) -> Contract:
    slots = tuple((p.slot, p.entity_type) for p in spec.preconditions if p.required)
    finds = tuple(kind for effect in spec.effects for kind in _brought_into_sight(effect, spec))
    if spec.is_search:
        goals = tuple(dict.fromkeys(goal_of(Deed.FOUND, kind) for kind in finds))
    else:
        goals = (goal_of(_deed(spec), _type(spec)),)
    return Contract(spec.name, goals, slots, finds, spec.risk.weight, spec.is_search)


def _brought_into_sight(effect: Effect, spec: ToolSpec) -> tuple[str, ...]:
    match effect:
        case Search(types):
            return types or _named_types(spec) or tuple(ENTITY_TYPES)
        case View(slot) if (precondition := spec.precondition(slot)) is not None:
            return (precondition.entity_type,)
    return ()


def _deed(spec: ToolSpec) -> Deed:
    """What a tool does: its action type says it roughly, its name and then its description more closely."""
    if any(isinstance(effect, Delete) for effect in spec.effects):
        return Deed.DELETED
    possible = _DEEDS_OF[spec.action_type]
    for text in _texts(spec):
        found = [match for match in _deeds.matches(text.stems) if match.meaning in possible]
        if found:
            closest = min(found, key=lambda m: (m.weight < 1, m.begin, -m.words, possible.index(m.meaning)))
            return closest.meaning
    return possible[0]


def _type(spec: ToolSpec) -> str:
    """The type of record a tool's deed is done to: made or changed by its effects, named, or needed."""
    for effect in spec.effects:
        if isinstance(effect, Create):
            return effect.type
        slot = None if isinstance(effect, Touch | Invoke) else effect.target
        if slot is not None and (precondition := spec.precondition(slot)) is not None:
            return precondition.entity_type
    return next(iter((*_named_types(spec), *(p.entity_type for p in spec.preconditions))), "")


def _named_types(spec: ToolSpec) -> tuple[str, ...]:
    """The types of record a tool's name speaks of, or else its description; people come last."""
    for text in _texts(spec):
        found = dict.fromkeys(match.meaning for match in _nouns.matches(text.words) if match.weight >= 1)
        if found:
            return tuple(sorted(found, key=lambda kind: kind == "person"))
    return ()


def _texts(spec: ToolSpec) -> tuple[Sentence, ...]:
    """A tool's name (``close_ticket``, ``closeTicket``) and the sentences of its description."""
    return *sentences(_CAPITAL.sub(" ", spec.name)), *sentences(spec.description)
