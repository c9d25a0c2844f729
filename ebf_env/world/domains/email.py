"""Email: threads with their messages, and the tools that write to them."""

from __future__ import annotations

from typing import Annotated, Literal

from ebf_env.world.domains.declare import may_take, needs, read_tool, search_tool, text
from ebf_env.world.entity import Detail, EntityModel, RecordPart, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Create, Delete, Now, Slot, Template
from ebf_env.world.tools.spec import ToolSpec, register_tool

DOMAIN = "email"


class Message(RecordPart):
    """One message of a thread."""

    sender: Annotated[str, Reference("person")] | None = None
    recipients: tuple[Annotated[str, Reference("person")], ...] | None = None
    sent_at: Timestamp | None = None
    body: str | None = None
    attachments: tuple[Annotated[str, Reference("document")], ...] | None = None
    continues: Annotated[str, Reference("email_thread")] | None = None
    forwarded_thread: Annotated[str, Reference("email_thread")] | None = None
    draft: bool | None = None


@entity_type("email_thread", domain=DOMAIN, label="subject")
class EmailThread(EntityModel):
    """A conversation by email."""

    subject: Text
    participants: tuple[Annotated[str, Reference("person")], ...] | None = None
    messages: Annotated[tuple[Message, ...] | None, Detail()] = None
    started_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    project: Annotated[str, Reference("project")] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    labels: tuple[str, ...] | None = None
    status: Literal["open", "archived", "draft", "sent"] = "open"


search_tool("search_email", DOMAIN, "Search email threads by subject, participant or text.", "email_thread")
read_tool("read_thread", DOMAIN, "Read all messages of one email thread.", "thread", "email_thread")

_BODY = text("body", "text of the message")
_SUBJECT = text("subject", "subject line")


def _message(**more: Template) -> Template:
    return {"sender": ActingUser(), "sent_at": Now(), "body": Argument("body"), **more}


register_tool(
    ToolSpec(
        "draft_email",
        "Write an email to somebody and keep it as a draft; nothing is sent.",
        DOMAIN,
        ActionType.DRAFT,
        RiskLevel.MEDIUM,
        (
            needs("recipient", "person", "whom the draft is addressed to"),
            may_take("thread", "email_thread", "thread it continues"),
        ),
        (_SUBJECT, _BODY),
        (
            Create(
                "email_thread",
                {
                    "subject": Argument("subject", "(no subject)"),
                    "participants": [ActingUser(), Slot("recipient")],
                    "messages": [
                        _message(recipients=[Slot("recipient")], continues=Slot("thread"), draft=True),
                    ],
                    "status": "draft",
                },
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "send_email",
        "Send an email to somebody, optionally within a thread and with documents attached.",
        DOMAIN,
        ActionType.SEND,
        RiskLevel.HIGH,
        (
            needs("recipient", "person", "whom the email goes to"),
            may_take("thread", "email_thread", "thread it continues"),
            may_take("attachments", "document", "documents to attach", many=True),
        ),
        (_SUBJECT, _BODY),
        (
            Create(
                "email_thread",
                {
                    "subject": Argument("subject", "(no subject)"),
                    "participants": [ActingUser(), Slot("recipient")],
                    "messages": [
                        _message(
                            recipients=[Slot("recipient")],
                            attachments=Slot("attachments"),
                            continues=Slot("thread"),
                        ),
                    ],
                    "status": "sent",
                },
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "reply_email_thread",
        "Reply to everybody in an email thread.",
        DOMAIN,
        ActionType.SEND,
        RiskLevel.HIGH,
        (
            needs("thread", "email_thread", "thread to reply in", changes=True),
            may_take("attachments", "document", "documents to attach", many=True),
        ),
        (_BODY,),
        (Append("thread", "messages", _message(attachments=Slot("attachments"))),),
    )
)

register_tool(
    ToolSpec(
        "forward_thread",
        "Forward an email thread to somebody.",
        DOMAIN,
        ActionType.SEND,
        RiskLevel.HIGH,
        (needs("thread", "email_thread", "thread to forward"), needs("recipient", "person", "whom it goes to")),
        (_BODY,),
        (
            Create(
                "email_thread",
                {
                    "subject": "Fwd:",
                    "participants": [ActingUser(), Slot("recipient")],
                    "messages": [_message(recipients=[Slot("recipient")], forwarded_thread=Slot("thread"))],
                    "status": "sent",
                },
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "delete_thread",
        "Delete an email thread for good.",
        DOMAIN,
        ActionType.DELETE,
        RiskLevel.CRITICAL,
        (needs("thread", "email_thread", "thread to delete", changes=True),),
        (),
        (Delete("thread"),),
    )
)
