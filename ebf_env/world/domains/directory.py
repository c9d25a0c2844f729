"""The directory: people inside and outside the company."""

from __future__ import annotations

from typing import Annotated, Literal

from ebf_env.world.domains.declare import search_tool
from ebf_env.world.entity import CalendarDate, EntityModel, Reference, Text, entity_type

DOMAIN = "directory"


@entity_type("person", domain=DOMAIN, label="name")
class Person(EntityModel):
    """Somebody with a mailbox: a colleague, or a contact at a customer or vendor."""

    name: Text
    email: Text
    title: str | None = None
    role: str | None = None
    team: str | None = None
    company: str | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    manager: Annotated[str, Reference("person")] | None = None
    location: str | None = None
    timezone: str | None = None
    start_date: CalendarDate | None = None
    aliases: tuple[str, ...] | None = None
    status: Literal["active", "on_leave", "left"] = "active"


search_tool("search_directory", DOMAIN, "Search people by name, role, team or company.", "person")
