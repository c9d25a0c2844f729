"""Account collision: the records belong to accounts of one corporate family (parent, subsidiaries, regions)."""

from __future__ import annotations

from typing import Final

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.cues import OfFamily, WithinFamily
from ebf_generators.phrasing.patterns import by_split

CONTACT: Final = by_split("at {v}; from {v} | of {v}; on the side of {v} | employed by {v}; who is at {v}")
ABOUT: Final = by_split("for {v}; about {v} | concerning {v}; to do with {v} | on the subject of {v}; belonging to {v}")

register_condition(
    Plan(Condition.ACCOUNT_COLLISION, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    WithinFamily(
        name="region in family",
        type_name="customer_account",
        path="region",
        pool=lambda pools: pools.regions,
        post=by_split(
            "in {v}; in the {v} region | whose region is {v}; listed under {v} | of the {v} region; that belongs to {v}"
        ),
    ),
    WithinFamily(
        name="tier in family",
        type_name="customer_account",
        path="tier",
        pool=lambda _: ("bronze", "silver", "gold", "platinum"),
        post=by_split(
            "on the {v} tier; under a {v} contract | at {v} level; in tier {v} | that has {v} rank; of the {v} class"
        ),
    ),
    OfFamily(name="family", type_name="person", post=CONTACT),
    *(
        OfFamily(name="family", type_name=name, post=ABOUT)
        for name in ("document", "folder", "email_thread", "calendar_event", "ticket", "project", "opportunity")
    ),
)
