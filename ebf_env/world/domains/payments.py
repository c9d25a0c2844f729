"""Payments: vendors, what they invoice, and the runs in which invoices are paid."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ebf_env.world.domains.crm import Note
from ebf_env.world.domains.declare import needs, read_tool, search_tool, text
from ebf_env.world.entity import CalendarDate, Detail, EntityModel, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Now, Slot, Template, Update
from ebf_env.world.tools.spec import ToolSpec, register_tool

DOMAIN = "payments"


@entity_type("vendor", domain=DOMAIN, label="name")
class Vendor(EntityModel):
    """A supplier; a subsidiary or regional branch names its ``parent``."""

    name: Text
    vendor_number: str | None = None
    category: str | None = None
    country: str | None = None
    owner: Annotated[str, Reference("person")] | None = None
    parent: Annotated[str, Reference("vendor")] | None = None
    status: Literal["onboarding", "active", "blocked", "inactive"] = "active"
    notes: Annotated[tuple[Note, ...] | None, Detail()] = None


@entity_type("invoice", domain=DOMAIN, label="title")
class Invoice(EntityModel):
    """What a vendor asks to be paid; ``approver`` decides on it, ``document`` is the paper it came with."""

    title: Text
    number: str | None = None
    vendor: Annotated[str, Reference("vendor")] | None = None
    amount: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    currency: str | None = None
    status: Literal["received", "approved", "scheduled", "on_hold", "paid", "refunded", "void"] = "received"
    approver: Annotated[str, Reference("person")] | None = None
    project: Annotated[str, Reference("project")] | None = None
    document: Annotated[str, Reference("document")] | None = None
    issued_at: Timestamp | None = None
    due_date: CalendarDate | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    notes: Annotated[tuple[Note, ...] | None, Detail()] = None


@entity_type("payment_run", domain=DOMAIN, label="title")
class PaymentRun(EntityModel):
    """Invoices that are paid together on one day."""

    title: Text
    scheduled_for: CalendarDate | None = None
    status: Literal["planned", "released", "void"] = "planned"
    invoices: tuple[Annotated[str, Reference("invoice")], ...] | None = None
    owner: Annotated[str, Reference("person")] | None = None
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None


search_tool("search_payments", DOMAIN, "Search vendors, invoices and payment runs.", "vendor", "invoice", "payment_run")
read_tool("get_invoice", DOMAIN, "Open one invoice.", "invoice", "invoice")
read_tool("get_vendor", DOMAIN, "Open one vendor.", "vendor", "vendor")


def _update(slot: str, **fields: Template) -> Update:
    return Update(slot, {**fields, "updated_at": Now(), "updated_by": ActingUser()})


def _added_note(argument: str) -> Append:
    item: Template = {"author": ActingUser(), "written_at": Now(), "text": Argument(argument)}
    return Append("invoice", "notes", item, when=argument)


register_tool(
    ToolSpec(
        "draft_vendor_note",
        "Prepare a note on a vendor without publishing it.",
        DOMAIN,
        ActionType.DRAFT,
        RiskLevel.MEDIUM,
        (needs("vendor", "vendor", "vendor the note is about", changes=True),),
        (text("note", "text of the note"),),
        (
            Append(
                "vendor",
                "notes",
                {"author": ActingUser(), "written_at": Now(), "text": Argument("note"), "draft": True},
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "hold_invoice",
        "Put an invoice on hold; it is not paid until somebody clears it.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (needs("invoice", "invoice", "invoice to put on hold", changes=True),),
        (text("reason", "why it is held"),),
        (_update("invoice", status="on_hold"), _added_note("reason")),
    )
)

register_tool(
    ToolSpec(
        "add_invoice_to_run",
        "Add an invoice to a payment run, to be paid with it.",
        DOMAIN,
        ActionType.UPDATE,
        RiskLevel.HIGH,
        (
            needs("invoice", "invoice", "invoice to add", changes=True),
            needs("payment_run", "payment_run", "payment run to add it to", changes=True),
        ),
        (),
        (
            Append("payment_run", "invoices", Slot("invoice")),
            _update("payment_run"),
            _update("invoice", status="scheduled"),
        ),
    )
)

register_tool(
    ToolSpec(
        "pay_invoice",
        "Pay an invoice at once, outside any payment run; the money leaves the company.",
        DOMAIN,
        ActionType.OTHER,
        RiskLevel.CRITICAL,
        (needs("invoice", "invoice", "invoice to pay", changes=True),),
        (text("note", "note on the payment"),),
        (_update("invoice", status="paid"), _added_note("note")),
    )
)

register_tool(
    ToolSpec(
        "refund_invoice",
        "Refund an invoice: have the vendor return what was paid.",
        DOMAIN,
        ActionType.OTHER,
        RiskLevel.CRITICAL,
        (needs("invoice", "invoice", "invoice to refund", changes=True),),
        (text("reason", "why the money is asked back"),),
        (_update("invoice", status="refunded"), _added_note("reason")),
    )
)

register_tool(
    ToolSpec(
        "void_payment_run",
        "Void a payment run; nothing in it is paid.",
        DOMAIN,
        ActionType.CANCEL,
        RiskLevel.CRITICAL,
        (needs("payment_run", "payment_run", "payment run to void", changes=True),),
        (),
        (_update("payment_run", status="void"),),
    )
)
