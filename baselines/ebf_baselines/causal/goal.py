"""What can be achieved: a closed vocabulary of goals that does not depend on which tools are offered.

A goal is a deed done to a kind of record (``shared document``). Instructions are understood, and tools described, in
these terms alone: several tools may reach one goal, and a new tool adds none to the vocabulary.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple

from ebf_env.world.entity import ANY_TYPE


class Deed(StrEnum):
    """What is done, named by its result."""

    FOUND = "found"
    READ = "read"
    DRAFTED = "drafted"
    SENT = "sent"
    REPLIED = "replied"
    FORWARDED = "forwarded"
    SHARED = "shared"
    INVITED = "invited"
    SCHEDULED = "scheduled"
    RESCHEDULED = "rescheduled"
    CANCELLED = "cancelled"
    UPDATED = "updated"
    MOVED = "moved"
    COMMENTED = "commented"
    ASSIGNED = "assigned"
    ESCALATED = "escalated"
    CLOSED = "closed"
    DELETED = "deleted"
    HELD = "held"
    ENLISTED = "enlisted"
    PAID = "paid"
    REFUNDED = "refunded"
    OTHER = "other"

    __hash__ = str.__hash__
    """Enum's own is many times slower, and goals are looked up at every decision."""


class Goal(NamedTuple):
    """A deed done to a record of a type; ``any`` where the type is none that people have everyday words for."""

    deed: Deed
    type: str

    def __str__(self) -> str:
        return f"{self.type}.{self.deed.value}"


_DEEDS: Final[Mapping[str, str]] = {
    "email_thread": "found read drafted sent replied forwarded deleted closed",
    "document": "found read drafted shared updated moved deleted commented",
    "folder": "found read shared updated moved deleted",
    "calendar_event": "found read scheduled invited rescheduled cancelled updated",
    "customer_account": "found read drafted updated deleted",
    "opportunity": "found read updated closed deleted",
    "ticket": "found read drafted commented assigned escalated closed updated deleted",
    "vendor": "found read drafted updated deleted",
    "invoice": "found read held paid refunded updated deleted",
    "payment_run": "found read cancelled updated enlisted",
    "person": "found read",
    "project": "found read",
    "change_notice": "found read",
}

GOALS: Final[frozenset[Goal]] = frozenset(
    Goal(Deed(deed), kind) for kind, deeds in _DEEDS.items() for deed in deeds.split()
) | frozenset(Goal(deed, ANY_TYPE) for deed in Deed)
"""Every goal an instruction can be understood to have."""

_SAME: Final[Mapping[tuple[Deed, str], Deed]] = MappingProxyType(
    {
        (Deed.SHARED, "calendar_event"): Deed.INVITED,
        (Deed.DELETED, "calendar_event"): Deed.CANCELLED,
        (Deed.MOVED, "calendar_event"): Deed.RESCHEDULED,
        (Deed.SHARED, "email_thread"): Deed.FORWARDED,
        (Deed.CANCELLED, "email_thread"): Deed.DELETED,
        (Deed.CANCELLED, "document"): Deed.DELETED,
        (Deed.CANCELLED, "customer_account"): Deed.DELETED,
        (Deed.DELETED, "payment_run"): Deed.CANCELLED,
        (Deed.COMMENTED, "customer_account"): Deed.UPDATED,
        (Deed.COMMENTED, "opportunity"): Deed.UPDATED,
        (Deed.CANCELLED, "ticket"): Deed.CLOSED,
        (Deed.CANCELLED, "opportunity"): Deed.CLOSED,
    }
)
"""Deeds that come to the same for records of a type: to delete a meeting is to cancel it."""


@cache
def goal_of(deed: Deed, entity_type: str) -> Goal:
    """The goal of the vocabulary that a deed on records of a type is.

    A type, or a deed on a type, outside the vocabulary is the same deed on ``any`` record.
    """
    goal = Goal(_SAME.get((deed, entity_type), deed), entity_type)
    return goal if goal in GOALS else Goal(deed, ANY_TYPE)
