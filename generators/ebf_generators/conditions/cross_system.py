"""Cross-system: only a relation into a record of another system tells the records apart."""

from __future__ import annotations

from typing import Final

from ebf_env.tasks import Condition
from ebf_generators.conditions.condition import NONE_TO_TWO, ONE_OR_TWO, Plan, register_condition
from ebf_generators.conditions.name_collision import FOLDER_OWNER, MINE, OWNED, PARTICIPANT
from ebf_generators.cues import NamedBy, RelatedTo
from ebf_generators.hops import attach, converse, listing
from ebf_generators.phrasing.patterns import by_split

ON_PROJECT: Final = by_split(
    "for {v}; from the {v} project"
    " | that is part of {v}; under the heading of {v}"
    " | made for the {v} project; within {v}"
)
FOR_ACCOUNT: Final = by_split(
    "for {v}; about {v} | concerning {v}; to do with {v} | on the subject of {v}; belonging to {v}"
)


register_condition(
    Plan(Condition.CROSS_SYSTEM, (ONE_OR_TWO, ONE_OR_TWO, NONE_TO_TWO)),
    NamedBy(
        name="project",
        type_name="person",
        anchor="project",
        path="members",
        write=listing("members"),
        post=by_split(
            "from the {v} project; who is on {v}"
            " | staffed on {v}; who works on {v}"
            " | of the {v} crew; who belongs to {v}"
        ),
    ),
    NamedBy(
        name="invited",
        type_name="person",
        anchor="calendar_event",
        path="attendees",
        write=listing("attendees"),
        post=by_split(
            "who is invited to {v}; from {v}"
            " | who attends {v}; on the list for {v}"
            " | who comes to {v}; among the guests of {v}"
        ),
    ),
    NamedBy(
        name="copied",
        type_name="person",
        anchor="email_thread",
        path="participants",
        write=converse,
        post=by_split(
            "who is on {v}; party to {v} | who takes part in {v}; included in {v} | who gets {v}; reading along on {v}"
        ),
    ),
    RelatedTo(
        name="account",
        type_name="person",
        anchor="customer_account",
        path="account",
        post=by_split("at {v}; from {v} | of {v}; on the side of {v} | employed by {v}; who is at {v}"),
    ),
    RelatedTo(name="owner", type_name="document", anchor="person", path="owner", post=OWNED, mine=MINE),
    NamedBy(
        name="attached",
        type_name="document",
        anchor="email_thread",
        path="messages.attachments",
        write=attach,
        post=by_split(
            "attached to {v}; from {v} | that came with {v}; sent around in {v} | enclosed in {v}; carried by {v}"
        ),
    ),
    NamedBy(
        name="agenda",
        type_name="document",
        anchor="calendar_event",
        path="attachments",
        write=listing("attachments"),
        post=by_split(
            "attached to {v}; prepared for {v}"
            " | that goes with {v}; linked from {v}"
            " | enclosed with {v}; to be shown at {v}"
        ),
    ),
    *(
        RelatedTo(name="project", type_name=name, anchor="project", path="project", post=ON_PROJECT)
        for name in ("document", "folder", "email_thread", "calendar_event", "ticket")
    ),
    *(
        RelatedTo(name="account", type_name=name, anchor="customer_account", path="account", post=FOR_ACCOUNT)
        for name in ("document", "email_thread", "calendar_event", "ticket", "project")
    ),
    FOLDER_OWNER,
    PARTICIPANT,
    RelatedTo(
        name="organizer",
        type_name="calendar_event",
        anchor="person",
        path="organizer",
        post=by_split(
            "organized by {v}; called by {v} | set up by {v}; run by {v} | hosted by {v}; at the invitation of {v}"
        ),
        mine=by_split("organized by me; called by me | set up by me; run by me | hosted by me; at my invitation"),
    ),
    RelatedTo(
        name="reporter",
        type_name="ticket",
        anchor="person",
        path="reporter",
        post=by_split(
            "that {v} reported; reported by {v} | raised by {v}; filed by {v} | that came from {v}; brought up by {v}"
        ),
        mine=by_split(
            "that I reported; reported by me | raised by me; filed by me | that came from me; brought up by me"
        ),
    ),
    RelatedTo(
        name="assignee",
        type_name="ticket",
        anchor="person",
        path="assignee",
        post=by_split(
            "assigned to {v}; that {v} is working on"
            " | with {v} as assignee; being handled by {v}"
            " | on the desk of {v}; in the hands of {v}"
        ),
        mine=by_split(
            "assigned to me; that I am working on | with me as assignee; being handled by me | on my desk; in my hands"
        ),
    ),
    *(
        RelatedTo(
            name="owner",
            type_name=name,
            anchor="person",
            path="owner",
            post=by_split(
                "that {v} looks after; owned by {v}"
                " | handled by {v}; managed by {v}"
                " | in the care of {v}; under the responsibility of {v}"
            ),
            mine=by_split(
                "that I look after; owned by me | handled by me; managed by me | in my care; under my responsibility"
            ),
        )
        for name in ("customer_account", "opportunity")
    ),
    RelatedTo(
        name="lead",
        type_name="project",
        anchor="person",
        path="lead",
        post=by_split("that {v} leads; led by {v} | run by {v}; headed by {v} | under the lead of {v}; steered by {v}"),
        mine=by_split("that I lead; led by me | run by me; headed by me | under my lead; steered by me"),
    ),
    RelatedTo(
        name="proposal",
        type_name="opportunity",
        anchor="document",
        path="proposal",
        post=by_split(
            "with {v} as its proposal; based on {v}"
            " | resting on {v}; whose proposal is {v}"
            " | backed by {v}; drawn up in {v}"
        ),
    ),
)
