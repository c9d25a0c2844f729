"""The change feed: what has changed in the enterprise and has not reached every system yet.

A notice is newer than the record it is about: where the two differ, the notice says what is so. Real enterprises have
such lags between systems (a transfer known to human resources and not yet to the directory).
"""

from __future__ import annotations

from typing import Annotated

from ebf_env.world.domains.declare import search_tool
from ebf_env.world.entity import ANY_TYPE, EntityModel, Reference, Text, Timestamp, entity_type

DOMAIN = "changes"


@entity_type("change_notice", domain=DOMAIN, label="title")
class ChangeNotice(EntityModel):
    """A change of one field of a record that the record itself does not show yet."""

    title: Text
    record: Annotated[str, Reference(ANY_TYPE)]
    field: str
    value: str
    effective_at: Timestamp
    source: str | None = None


search_tool(
    "search_changes", DOMAIN, "Search changes that have not reached every system yet; they are newer.", "change_notice"
)
