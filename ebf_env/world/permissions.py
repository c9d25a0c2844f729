"""What the acting user may see and change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ebf_env.json_types import JSON, quick_ascii_json
from ebf_env.world.entity import Entity


@dataclass(frozen=True, slots=True)
class Permissions:
    """The acting user's rights; everything not listed may be seen and changed.

    Attributes:
        hidden: ids of records the user may not see: no observation shows them or names them, no search finds them, and
            binding one is the same as binding an id that does not exist.
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

    def redacted(self, entity: Entity) -> Entity:
        """The record without the ids of hidden ones in its fields."""
        return self.redactor()(entity)

    def redactor(self) -> Callable[[Entity], Entity]:
        """``redacted`` for many records: the text of most shows at once that they name no hidden one."""
        if not self.hidden:
            return lambda entity: entity
        written = [quick_ascii_json(entity_id) for entity_id in self.hidden]
        alike = all(entity_id.isascii() and entity_id.isprintable() for entity_id in self.hidden)

        def redact(entity: Entity) -> Entity:
            text = entity.text
            for quoted in written:
                if quoted in text or not alike:  # what is unprintable may be spelled in several ways
                    return Entity(entity.id, entity.type, self._kept(entity.fields))
            return entity

        return redact

    def _kept(self, fields: Mapping[str, JSON]) -> dict[str, JSON]:
        return {name: self._without_hidden(value) for name, value in fields.items() if not self._names_hidden(value)}

    def _names_hidden(self, value: JSON) -> bool:
        return isinstance(value, str) and value in self.hidden

    def _without_hidden(self, value: JSON) -> JSON:
        if isinstance(value, Mapping):
            return self._kept(value)
        if isinstance(value, list | tuple):
            return [self._without_hidden(item) for item in value if not self._names_hidden(item)]
        return value
