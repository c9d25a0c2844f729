"""Documents and the folders they lie in."""

from __future__ import annotations

from typing import Annotated, Literal

from ebf_env.world.domains.declare import may_take, needs, read_tool, search_tool, text
from ebf_env.world.entity import Detail, EntityModel, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Create, Delete, Now, Slot, Update
from ebf_env.world.tools.spec import ToolSpec, register_tool

DOMAIN = "documents"


@entity_type("folder", domain=DOMAIN, label="name")
class Folder(EntityModel):
    """A folder of the document store."""

    name: Text
    parent: Annotated[str, Reference("folder")] | None = None
    owner: Annotated[str, Reference("person")] | None = None
    project: Annotated[str, Reference("project")] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    created_at: Timestamp | None = None


@entity_type("document", domain=DOMAIN, label="title")
class Document(EntityModel):
    """A document; ``previous_version`` links it to the one it replaces."""

    title: Text
    owner: Annotated[str, Reference("person")] | None = None
    folder: Annotated[str, Reference("folder")] | None = None
    version: str | None = None
    previous_version: Annotated[str, Reference("document")] | None = None
    status: Literal["draft", "in_review", "approved", "final", "archived"] | None = None
    created_at: Timestamp | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    project: Annotated[str, Reference("project")] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    sensitivity: Literal["public", "internal", "confidential", "restricted"] | None = None
    shared_with: tuple[Annotated[str, Reference("person")], ...] | None = None
    tags: tuple[str, ...] | None = None
    body: Annotated[str | None, Detail()] = None
    comments: Annotated[tuple[str, ...] | None, Detail()] = None


search_tool("search_documents", DOMAIN, "Search documents and folders by title, owner or text.", "document", "folder")
read_tool("read_document", DOMAIN, "Open one document.", "document", "document")

register_tool(
    ToolSpec(
        "draft_document",
        "Start a new draft document in a folder.",
        DOMAIN,
        ActionType.DRAFT,
        RiskLevel.MEDIUM,
        (
            needs("folder", "folder", "folder to put it in", changes=True),
            may_take("project", "project", "project it belongs to"),
        ),
        (text("title", "title of the document"), text("body", "text of the document")),
        (
            Create(
                "document",
                {
                    "title": Argument("title", "(untitled)"),
                    "owner": ActingUser(),
                    "folder": Slot("folder"),
                    "project": Slot("project"),
                    "status": "draft",
                    "created_at": Now(),
                    "body": Argument("body"),
                },
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "share_document",
        "Give somebody access to a document and tell them so.",
        DOMAIN,
        ActionType.SHARE,
        RiskLevel.HIGH,
        (
            needs("document", "document", "document to share", changes=True),
            needs("recipient", "person", "whom to share it with"),
        ),
        (),
        (Append("document", "shared_with", Slot("recipient")),),
    )
)

register_tool(
    ToolSpec(
        "update_document",
        "Edit a document.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (needs("document", "document", "document to edit", changes=True),),
        (text("title", "new title"), text("body", "new text")),
        (
            Update(
                "document",
                {"title": Argument("title"), "body": Argument("body"), "updated_at": Now(), "updated_by": ActingUser()},
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "move_document",
        "Move a document into another folder.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (
            needs("document", "document", "document to move", changes=True),
            needs("folder", "folder", "folder to move it to", changes=True),
        ),
        (),
        (Update("document", {"folder": Slot("folder")}),),
    )
)

register_tool(
    ToolSpec(
        "delete_document",
        "Delete a document for good.",
        DOMAIN,
        ActionType.DELETE,
        RiskLevel.CRITICAL,
        (needs("document", "document", "document to delete", changes=True),),
        (),
        (Delete("document"),),
    )
)
