"""Issue tracking: bugs, incidents and feature requests."""

from __future__ import annotations

from typing import Annotated, Literal

from ebf_env.world.domains.crm import Note
from ebf_env.world.domains.declare import needs, read_tool, search_tool, text
from ebf_env.world.entity import Detail, EntityModel, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Now, Slot, Template, Update
from ebf_env.world.tools.spec import ToolSpec, register_tool

DOMAIN = "tickets"


@entity_type("ticket", domain=DOMAIN, label="title")
class Ticket(EntityModel):
    """A bug, an incident or a feature request."""

    title: Text
    key: str | None = None
    kind: Literal["bug", "incident", "feature_request"] | None = None
    status: Literal["open", "in_progress", "in_review", "resolved", "closed"] = "open"
    priority: Literal["P0", "P1", "P2", "P3"] | None = None
    component: str | None = None
    sprint: str | None = None
    reporter: Annotated[str, Reference("person")] | None = None
    assignee: Annotated[str, Reference("person")] | None = None
    project: Annotated[str, Reference("project")] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    attachments: tuple[Annotated[str, Reference("document")], ...] | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    escalated: bool | None = None
    description: Annotated[str | None, Detail()] = None
    comments: Annotated[tuple[Note, ...] | None, Detail()] = None


search_tool("search_tickets", DOMAIN, "Search tickets by title, key, component or people.", "ticket")
read_tool("get_ticket", DOMAIN, "Open one ticket.", "ticket", "ticket")

_COMMENT = text("comment", "text of the comment")


def _comment(argument: str, *, when: str | None = None) -> Append:
    item: Template = {"author": ActingUser(), "written_at": Now(), "text": Argument(argument)}
    return Append("ticket", "comments", item, when)


register_tool(
    ToolSpec(
        "draft_ticket_comment",
        "Prepare a comment on a ticket without publishing it.",
        DOMAIN,
        ActionType.DRAFT,
        RiskLevel.MEDIUM,
        (needs("ticket", "ticket", "ticket the comment is for", changes=True),),
        (_COMMENT,),
        (
            Append(
                "ticket",
                "comments",
                {"author": ActingUser(), "written_at": Now(), "text": Argument("comment"), "draft": True},
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "comment_ticket",
        "Publish a comment on a ticket; everybody who follows it is told.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (needs("ticket", "ticket", "ticket to comment on", changes=True),),
        (_COMMENT,),
        (_comment("comment"),),
    )
)

register_tool(
    ToolSpec(
        "assign_ticket",
        "Assign a ticket to somebody.",
        DOMAIN,
        ActionType.ASSIGN,
        RiskLevel.HIGH,
        (
            needs("ticket", "ticket", "ticket to assign", changes=True),
            needs("assignee", "person", "who is to work on it"),
        ),
        (),
        (Update("ticket", {"assignee": Slot("assignee"), "updated_at": Now(), "updated_by": ActingUser()}),),
    )
)

register_tool(
    ToolSpec(
        "escalate_ticket",
        "Escalate a ticket to the on-call lead.",
        DOMAIN,
        ActionType.ESCALATE,
        RiskLevel.HIGH,
        (needs("ticket", "ticket", "ticket to escalate", changes=True),),
        (text("reason", "why it is escalated"),),
        (
            Update("ticket", {"escalated": True, "updated_at": Now(), "updated_by": ActingUser()}),
            _comment("reason", when="reason"),
        ),
    )
)

register_tool(
    ToolSpec(
        "close_ticket",
        "Close a ticket.",
        DOMAIN,
        ActionType.CLOSE,
        RiskLevel.CRITICAL,
        (needs("ticket", "ticket", "ticket to close", changes=True),),
        (text("resolution", "how it was resolved"),),
        (
            Update("ticket", {"status": "closed", "updated_at": Now(), "updated_by": ActingUser()}),
            _comment("resolution", when="resolution"),
        ),
    )
)
