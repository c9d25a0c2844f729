"""What a condition is made of: the cues it turns on, and the shape of its contrast blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_env.tasks import Condition
from ebf_generators.cues import Cue

Counts = tuple[tuple[int, ...], ...]
"""For every instruction (row) and world (column), how many rivals meet what the instruction asks for."""

ONE_OR_TWO: Final[Counts] = ((1, 2), (2, 1))
NONE_OR_ONE: Final[Counts] = ((0, 1), (1, 0))
NONE_TO_TWO: Final[Counts] = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
ALWAYS_ONE: Final[Counts] = ((1, 1), (1, 1))


class Contrast(Enum):
    """What differs between the worlds of a block."""

    CUE = "cue"
    """How the values of a cue are dealt to rivals of one name."""

    NAME = "name"
    """Which of two names one record alone has."""

    PERMISSION = "permission"
    """Which of the rivals the user may not touch."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How tasks of a condition are made.

    Attributes:
        condition: the condition.
        shapes: counts of its blocks, taken in turn.
        contrast: what differs between the worlds of a block.
        borrows: conditions whose cues it uses beside its own.
        nearly: whether rivals have names that nearly are the same.
    """

    condition: Condition
    shapes: tuple[Counts, ...]
    contrast: Contrast = Contrast.CUE
    borrows: tuple[Condition, ...] = ()
    nearly: bool = False


_PLANS: Final[dict[Condition, Plan]] = {}
_CUES: Final[dict[Condition, dict[str, list[Cue]]]] = {}
PLANS: Final[Mapping[Condition, Plan]] = MappingProxyType(_PLANS)
"""The plans of all conditions, in the order of registration, which is that of the balanced mix."""


def register_condition(plan: Plan, *cues: Cue) -> None:
    """Add a condition, with the cues it turns on.

    Raises:
        ConfigurationError: it is there already.
    """
    if plan.condition in _PLANS:
        raise ConfigurationError(f"the condition {plan.condition.value!r} is registered twice")
    _PLANS[plan.condition] = plan
    for cue in cues:
        register_cue(plan.condition, cue)


def register_cue(condition: Condition, cue: Cue) -> None:
    """Add a cue to a condition.

    Raises:
        ConfigurationError: the type has a cue of that name in the condition.
    """
    known = _CUES.setdefault(condition, {}).setdefault(cue.type_name, [])
    if any(other.name == cue.name for other in known):
        raise ConfigurationError(f"{condition.value!r} has two cues {cue.name!r} of {cue.type_name!r}")
    known.append(cue)


def cues_of(condition: Condition, type_name: str) -> Sequence[tuple[Condition, Cue]]:
    """The cues a condition has for a type, each with the condition a task is of that one of them decides."""
    plan = _PLANS[condition]
    own = [(condition, cue) for cue in _CUES.get(condition, {}).get(type_name, ())]
    return own + [(other, cue) for other in plan.borrows for cue in _CUES.get(other, {}).get(type_name, ())]


def attribute_cues(type_name: str) -> Sequence[Cue]:
    """The cues of a type that may stand beside another one in a mention."""
    return [cue for cue in _CUES.get(Condition.NAME_COLLISION, {}).get(type_name, ()) if cue.joins]
