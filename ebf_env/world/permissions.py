"""What the acting user may see and change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Permissions:
    """The acting user's rights; everything not listed may be seen and changed.

    Attributes:
        hidden: ids of records the user may not see: no observation shows them, no search finds them, and binding one
        is the
            same as binding an id that does not exist.
        read_only: ids of records the user may see but not change; observations mark them ``"access": "view"``.
    """

    hidden: frozenset[str] = frozenset()
    read_only: frozenset[str] = frozenset()

    def may_see(self, entity_id: str) -> bool:
        """Whether the user may see the record."""
        return entity_id not in self.hidden

    def may_change(self, entity_id: str) -> bool:
        """Whether the user may change the record."""
        return entity_id not in self.hidden and entity_id not in self.read_only
