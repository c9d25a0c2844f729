"""Name collision: several records have the name, and an attribute of the one that is meant is said."""

from __future__ import annotations

from typing import Final

from ebf_env.tasks import Condition
from ebf_generators.company import Row
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.cues import Attribute, Negated, RelatedTo
from ebf_generators.hops import converse
from ebf_generators.phrasing.patterns import by_split
from ebf_generators.stage import Stage

TAGS: Final = (
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima",
)  # fmt: skip
ROOMS: Final = tuple(f"Room {number}" for number in range(11, 30))


def _job_title(stage: Stage, row: Row) -> None:
    del stage
    row["title"] = f"{row['team']} {row['role']}" if row.get("team") else str(row["role"]).capitalize()


def write_among_participants(stage: Stage, row: Row) -> None:
    """Make the messages of a thread go among its participants."""
    del stage
    participants = row["participants"]
    assert isinstance(participants, list)  # noqa: S101 -- dealt just before
    converse(row, [str(person) for person in participants])


TEAM: Final = Attribute(
    name="team",
    type_name="person",
    path="team",
    pool=lambda pools: pools.teams,
    fix=_job_title,
    post=by_split("from {v}; in {v} | on the {v} team; who is with {v} | who works for {v}; of the {v} group"),
)
ROLE: Final = Attribute(
    name="role",
    type_name="person",
    path="role",
    pool=lambda pools: pools.roles,
    fix=_job_title,
    post=by_split("the {v}; who is the {v} | our {v}; whose role is {v} | who works as {a} {v}; with the role of {v}"),
)
LOCATION: Final = Attribute(
    name="location",
    type_name="person",
    path="location",
    pool=lambda pools: pools.cities,
    post=by_split(
        "based in {v}; in the {v} office | who sits in {v}; at our {v} site | over in {v}; at the {v} branch"
    ),
)
SENSITIVITY: Final = Attribute(
    name="sensitivity",
    type_name="document",
    path="sensitivity",
    pool=lambda _: ("public", "internal", "confidential", "restricted"),
    post=by_split("marked {v}; that is marked {v} | classified as {v}; with the {v} marking | graded {v}; stamped {v}"),
)
TAG: Final = Attribute(
    name="tag",
    type_name="document",
    path="tags",
    many=True,
    pool=lambda _: TAGS,
    post=by_split(
        "tagged {v}; with the tag {v}"
        " | filed under the tag {v}; that carries the tag {v}"
        " | whose tag is {v}; under the {v} tag"
    ),
)
ROOM: Final = Attribute(
    name="room",
    type_name="calendar_event",
    path="location",
    pool=lambda _: ROOMS,
    post=by_split(
        "in {v}; that is in {v} | taking place in {v}; held in {v} | with {v} as its place; that meets in {v}"
    ),
)
EVENT_STATUS: Final = Attribute(
    name="status",
    type_name="calendar_event",
    path="status",
    pool=lambda _: ("confirmed", "tentative"),
    post=by_split(
        "that is {v}; with the status {v} | marked as {v}; whose status is {v} | listed as {v}; showing as {v}"
    ),
)
THREAD_LABEL: Final = Attribute(
    name="label",
    type_name="email_thread",
    path="labels",
    many=True,
    pool=lambda _: TAGS,
    post=by_split(
        "labelled {v}; with the label {v}"
        " | under the label {v}; that has the {v} label"
        " | whose label is {v}; sorted under {v}"
    ),
)
REGION: Final = Attribute(
    name="region",
    type_name="customer_account",
    path="region",
    pool=lambda pools: pools.regions,
    post=by_split(
        "in {v}; in the {v} region | whose region is {v}; listed under {v} | of the {v} region; that belongs to {v}"
    ),
)
TIER: Final = Attribute(
    name="tier",
    type_name="customer_account",
    path="tier",
    pool=lambda _: ("bronze", "silver", "gold", "platinum"),
    post=by_split(
        "on the {v} tier; under a {v} contract | at {v} level; in tier {v} | that has {v} rank; of the {v} class"
    ),
)
STAGE: Final = Attribute(
    name="stage",
    type_name="opportunity",
    path="stage",
    pool=lambda _: ("discovery", "proposal", "negotiation", "contract", "procurement", "legal review"),
    post=by_split(
        "in {v}; at the {v} stage | that has reached {v}; whose stage is {v} | currently in {v}; at stage {v}"
    ),
)
COMPONENT: Final = Attribute(
    name="component",
    type_name="ticket",
    path="component",
    pool=lambda pools: pools.components,
    post=by_split(
        "in the {v} component; on {v} | filed against {v}; about the {v} component | under component {v}; affecting {v}"
    ),
)
PRIORITY: Final = Attribute(
    name="priority",
    type_name="ticket",
    path="priority",
    pool=lambda _: ("P0", "P1", "P2", "P3"),
    post=by_split("with priority {v}; that is {v} | rated {v}; at priority {v} | of priority {v}; ranked {v}"),
)
PROJECT_STATUS: Final = Attribute(
    name="status",
    type_name="project",
    path="status",
    pool=lambda _: ("planned", "active", "paused", "done"),
    post=by_split(
        "that is {v}; with the status {v} | marked as {v}; whose status is {v} | listed as {v}; showing as {v}"
    ),
)
OWNED: Final = by_split(
    "that {v} owns; owned by {v} | in the possession of {v}; kept by {v} | in the hands of {v}; under the charge of {v}"
)
MINE: Final = by_split("that I own; owned by me | in my possession; kept by me | in my hands; under my charge")
FOLDER_OWNER: Final = RelatedTo(
    name="owner",
    type_name="folder",
    path="owner",
    anchor="person",
    post=OWNED,
    mine=MINE,
)
MANAGER: Final = RelatedTo(
    name="manager",
    type_name="person",
    path="manager",
    anchor="person",
    post=by_split(
        "who reports to {v}; working for {v} | managed by {v}; whose manager is {v} | who answers to {v}; under {v}"
    ),
    mine=by_split(
        "who reports to me; working for me | managed by me; whose manager I am | who answers to me; under me"
    ),
)
PARTICIPANT: Final = RelatedTo(
    name="participant",
    type_name="email_thread",
    path="participants",
    anchor="person",
    many=True,
    fix=write_among_participants,
    post=by_split(
        "with {v}; that includes {v}"
        " | involving {v}; with {v} among the participants"
        " | where {v} takes part; shared with {v}"
    ),
)

register_condition(
    Plan(Condition.NAME_COLLISION, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    TEAM,
    ROLE,
    LOCATION,
    MANAGER,
    SENSITIVITY,
    TAG,
    ROOM,
    Negated(
        name="not tentative",
        type_name="calendar_event",
        of=EVENT_STATUS,
        post=EVENT_STATUS.post,
        without=by_split(
            "that is not {v}; without the status {v}"
            " | not marked as {v}; whose status is not {v}"
            " | not listed as {v}; that does not show as {v}"
        ),
    ),
    THREAD_LABEL,
    PARTICIPANT,
    REGION,
    TIER,
    STAGE,
    COMPONENT,
    PRIORITY,
    Negated(
        name="not this component",
        type_name="ticket",
        of=COMPONENT,
        post=COMPONENT.post,
        without=by_split(
            "not in the {v} component; that is not on {v}"
            " | not filed against {v}; that is not about {v}"
            " | outside component {v}; not affecting {v}"
        ),
    ),
    PROJECT_STATUS,
    FOLDER_OWNER,
)
