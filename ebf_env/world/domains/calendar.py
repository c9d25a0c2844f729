"""The calendar: events, single and of a series."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import ValidationInfo, field_validator

from ebf_env.json_types import JSON
from ebf_env.world.domains.declare import needs, read_tool, search_tool, text
from ebf_env.world.entity import Detail, Entity, EntityModel, Reference, Text, Timestamp, entity_type
from ebf_env.world.risk import ActionType, RiskLevel
from ebf_env.world.tools.effects import ActingUser, Append, Argument, Call, Create, Now, Slot, SlotEffect, Update
from ebf_env.world.tools.spec import ToolParameter, ToolSpec, register_tool

DOMAIN = "calendar"


@entity_type("calendar_event", domain=DOMAIN, label="title")
class CalendarEvent(EntityModel):
    """A meeting or another appointment; instances of a recurring one share ``series``."""

    title: Text
    start: Timestamp | None = None
    end: Timestamp | None = None
    organizer: Annotated[str, Reference("person")] | None = None
    attendees: tuple[Annotated[str, Reference("person")], ...] | None = None
    series: str | None = None
    location: str | None = None
    project: Annotated[str, Reference("project")] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    attachments: tuple[Annotated[str, Reference("document")], ...] | None = None
    status: Literal["confirmed", "tentative", "cancelled"] = "confirmed"
    updated_at: Timestamp | None = None
    updated_by: Annotated[str, Reference("person")] | None = None
    description: Annotated[str | None, Detail()] = None

    @field_validator("end")
    @classmethod
    def _ends_after_it_starts(cls, end: str | None, info: ValidationInfo) -> str | None:
        start = info.data.get("start")
        if start and end and datetime.fromisoformat(end) <= datetime.fromisoformat(start):
            raise ValueError(f"end {end!r} is not after start {start!r}")
        return end


@dataclass(frozen=True, slots=True)
class MoveEvent(SlotEffect):
    """Move an event to a new time; where only its beginning is given, it keeps its length."""

    slot: str

    def apply(self, call: Call) -> None:
        """Move the event."""
        for entity_id in call.ids(self.slot):
            entity = call.state[entity_id]
            times = {name: call.arguments[name] for name in ("start", "end") if name in call.arguments}
            if "start" in times and "end" not in times and (end := _kept_length(entity, times["start"])) is not None:
                times["end"] = end
            changes = {**times, **call.fill_fields({"updated_at": Now(), "updated_by": ActingUser()})}
            call.write(Entity(entity.id, entity.type, {**entity.fields, **changes}))
            call.log("update", entity_id, changes)


def _kept_length(event: Entity, start: JSON) -> str | None:
    """When an event moved to ``start`` ends; None where that cannot be told."""
    moments = (event.get("start"), event.get("end"), start)
    try:
        began, ended, begins = (datetime.fromisoformat(str(moment)) for moment in moments)
        return (begins + (ended - began)).isoformat()
    except (ValueError, TypeError, OverflowError):
        return None


search_tool("search_calendar", DOMAIN, "Search calendar events by title, people or place.", "calendar_event")
read_tool("get_event", DOMAIN, "Open one calendar event.", "event", "calendar_event")

_START = ToolParameter("start", "date-time", "when it begins")
_END = ToolParameter("end", "date-time", "when it ends")

register_tool(
    ToolSpec(
        "schedule_event",
        "Put a new event into the calendar and invite people to it.",
        DOMAIN,
        ActionType.SCHEDULE,
        RiskLevel.HIGH,
        (needs("attendees", "person", "whom to invite", many=True),),
        (text("title", "title of the event"), _START, _END, text("location", "where it takes place")),
        (
            Create(
                "calendar_event",
                {
                    "title": Argument("title", "(no title)"),
                    "organizer": ActingUser(),
                    "attendees": Slot("attendees"),
                    "start": Argument("start"),
                    "end": Argument("end"),
                    "location": Argument("location"),
                },
            ),
        ),
    )
)

register_tool(
    ToolSpec(
        "invite_attendee",
        "Invite one more person to a calendar event.",
        DOMAIN,
        ActionType.SHARE,
        RiskLevel.HIGH,
        (needs("event", "calendar_event", "event", changes=True), needs("attendee", "person", "whom to invite")),
        (),
        (Append("event", "attendees", Slot("attendee")),),
    )
)

register_tool(
    ToolSpec(
        "reschedule_event",
        "Move a calendar event to another time; everybody invited is told.",
        DOMAIN,
        ActionType.RESCHEDULE,
        RiskLevel.HIGH,
        (needs("event", "calendar_event", "event to move", changes=True),),
        (_START, _END),
        (MoveEvent("event"),),
    )
)

register_tool(
    ToolSpec(
        "cancel_event",
        "Cancel a calendar event; everybody invited is told.",
        DOMAIN,
        ActionType.CANCEL,
        RiskLevel.CRITICAL,
        (needs("event", "calendar_event", "event to cancel", changes=True),),
        (),
        (Update("event", {"status": "cancelled", "updated_at": Now(), "updated_by": ActingUser()}),),
    )
)
