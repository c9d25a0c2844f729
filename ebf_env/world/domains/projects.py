"""Projects: what ties people, threads, documents, events, accounts and tickets together."""

from __future__ import annotations

from typing import Annotated, Literal

from ebf_env.world.entity import CalendarDate, Detail, EntityModel, Reference, Text, entity_type

DOMAIN = "projects"


@entity_type("project", domain=DOMAIN, label="name")
class Project(EntityModel):
    """A piece of work with a name, often a codename, that records of other systems belong to."""

    name: Text
    codename: str | None = None
    lead: Annotated[str, Reference("person")] | None = None
    members: tuple[Annotated[str, Reference("person")], ...] | None = None
    account: Annotated[str, Reference("customer_account")] | None = None
    status: Literal["planned", "active", "paused", "done"] = "active"
    start_date: CalendarDate | None = None
    end_date: CalendarDate | None = None
    description: Annotated[str | None, Detail()] = None
