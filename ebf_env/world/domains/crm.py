"""Customer records: accounts (with parents and subsidiaries) and the opportunities on them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ebf_env.world.domains.declare import needs, read_tool, search_tool, text
from ebf_env.world.entity import CalendarDate, Detail, EntityModel, RecordPart, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Delete, Now, Update
from ebf_env.world.tools.spec import ToolParameter, ToolSpec, register_tool

DOMAIN = "crm"


class Note(RecordPart):
    """A remark somebody left on a record."""

    author: Annotated[str, Reference("person")] | None = None
    written_at: Timestamp | None = None
    text: str | None = None
    draft: bool | None = None


@entity_type("customer_account", domain=DOMAIN, label="name")
class CustomerAccount(EntityModel):
    """A customer; a subsidiary or regional account names its ``parent``."""

    name: Text
    account_number: str | None = None
    parent: Annotated[str, Reference("customer_account")] | None = None
    region: str | None = None
    tier: str | None = None
    industry: str | None = None
    owner: Annotated[str, Reference("person")] | None = None
    contacts: tuple[Annotated[str, Reference("person")], ...] | None = None
    status: Literal["prospect", "active", "at_risk", "churned"] = "active"
    renewal_date: CalendarDate | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    notes: Annotated[tuple[Note, ...] | None, Detail()] = None


@entity_type("opportunity", domain=DOMAIN, label="name")
class Opportunity(EntityModel):
    """A deal on an account: new business, a renewal or an expansion."""

    name: Text
    account: Annotated[str, Reference("customer_account")] | None = None
    owner: Annotated[str, Reference("person")] | None = None
    kind: Literal["new_business", "renewal", "expansion"] | None = None
    stage: str | None = None
    status: Literal["open", "closed"] = "open"
    amount: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    currency: str | None = None
    close_date: CalendarDate | None = None
    proposal: Annotated[str, Reference("document")] | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    notes: Annotated[tuple[Note, ...] | None, Detail()] = None


search_tool("search_crm", DOMAIN, "Search customer accounts and opportunities.", "customer_account", "opportunity")
read_tool("get_account", DOMAIN, "Open one customer account.", "account", "customer_account")
read_tool("get_opportunity", DOMAIN, "Open one opportunity.", "opportunity", "opportunity")

_NOTE = text("note", "text of the note")


def _added_note(slot: str) -> Append:
    return Append(slot, "notes", {"author": ActingUser(), "written_at": Now(), "text": Argument("note")}, when="note")


register_tool(
    ToolSpec(
        "draft_account_note",
        "Prepare a note on a customer account without publishing it.",
        DOMAIN,
        ActionType.DRAFT,
        RiskLevel.MEDIUM,
        (needs("account", "customer_account", "account the note is about", changes=True),),
        (_NOTE,),
        (
            Append(
                "account",
                "notes",
                {"author": ActingUser(), "written_at": Now(), "text": Argument("note"), "draft": True},
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "update_customer_record",
        "Update a customer account.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (needs("account", "customer_account", "account to update", changes=True),),
        (
            text("status", "new status: prospect, active, at_risk or churned"),
            text("tier", "new tier"),
            text("region", "new region"),
            ToolParameter("renewal_date", "date", "new renewal date"),
            _NOTE,
        ),
        (
            Update(
                "account",
                {
                    "status": Argument("status"),
                    "tier": Argument("tier"),
                    "region": Argument("region"),
                    "renewal_date": Argument("renewal_date"),
                    "updated_at": Now(),
                    "updated_by": ActingUser(),
                },
            ),
            _added_note("account"),
        ),
    )
)

register_tool(
    ToolSpec(
        "update_opportunity",
        "Update an opportunity.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (needs("opportunity", "opportunity", "opportunity to update", changes=True),),
        (
            text("stage", "new stage"),
            ToolParameter("amount", "number", "new amount"),
            ToolParameter("close_date", "date", "new expected close date"),
            _NOTE,
        ),
        (
            Update(
                "opportunity",
                {
                    "stage": Argument("stage"),
                    "amount": Argument("amount"),
                    "close_date": Argument("close_date"),
                    "updated_at": Now(),
                    "updated_by": ActingUser(),
                },
            ),
            _added_note("opportunity"),
        ),
    )
)

register_tool(
    ToolSpec(
        "close_opportunity",
        "Close an opportunity as won or lost.",
        DOMAIN,
        ActionType.CLOSE,
        RiskLevel.CRITICAL,
        (needs("opportunity", "opportunity", "opportunity to close", changes=True),),
        (text("stage", "'won' or 'lost'"),),
        (
            Update(
                "opportunity",
                {"stage": Argument("stage"), "status": "closed", "updated_at": Now(), "updated_by": ActingUser()},
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "delete_customer_record",
        "Delete a customer account for good.",
        DOMAIN,
        ActionType.DELETE,
        RiskLevel.CRITICAL,
        (needs("account", "customer_account", "account to delete", changes=True),),
        (),
        (Delete("account"),),
    )
)
