"""What an agent sees: an allow-list of the task and of what happened so far, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from ebf_env.json_types import JSON, JSONObject, quick_ascii_json
from ebf_env.world import Entity, ToolSpec
from ebf_env.world.entity import ANY_TYPE

OBSERVATION_KEYS = ("instruction", "now", "user", "history", "tools", "entities", "messages", "step")
"""The keys of an observation, in order; no other key ever appears."""


@dataclass(frozen=True, slots=True)
class ObservedEntity:
    """A record as the acting user sees it.

    Attributes:
        entity: the record.
        may_change: whether the user may change it; a record they may not is shown with ``"access": "view"``.
    """

    entity: Entity
    may_change: bool = True

    @property
    def id(self) -> str:
        """The record's id."""
        return self.entity.id

    @property
    def type(self) -> str:
        """The record's type."""
        return self.entity.type

    def to_json(self) -> dict[str, JSON]:
        """The record as one flat JSON object."""
        shown = self.entity.to_json()
        if not self.may_change:
            shown["access"] = "view"
        return shown

    @property
    def text(self) -> str:
        """``to_json`` as ASCII JSON."""
        if self.may_change:
            return self.entity.text
        if "access" in self.entity.fields:
            return quick_ascii_json(self.to_json())
        return f'{self.entity.text[:-1]},"access":"view"}}'


@dataclass(frozen=True)
class Observation:
    """What an agent sees before a decision.

    Attributes:
        instruction: what the user asks for.
        now: the time it is said at.
        user: who says it.
        history: earlier turns of the conversation.
        tools: the tools offered.
        entities: the records in sight: all the user may see, or those looked up so far.
        messages: what was said and returned in this episode.
        step: decisions made so far.
    """

    instruction: str
    now: str | None
    user: JSONObject | None
    history: tuple[JSONObject, ...]
    tools: tuple[ToolSpec, ...]
    entities: tuple[ObservedEntity, ...]
    messages: tuple[JSONObject, ...] = ()
    step: int = 0
    _fixed_text: list[str] = field(default_factory=list, compare=False, repr=False)

    def candidates(self, entity_type: str) -> tuple[ObservedEntity, ...]:
        """The records in sight that can fill a slot of that type, in order."""
        return tuple(e for e in self.entities if entity_type in (e.type, ANY_TYPE))

    def ids_by_type(self) -> dict[str, list[str]]:
        """Ids of the records in sight by type, in order; under ``any`` all of them."""
        ids: dict[str, list[str]] = {}
        for entity in self.entities:
            ids.setdefault(entity.type, []).append(entity.id)
            ids.setdefault(ANY_TYPE, []).append(entity.id)
        return ids

    def tool(self, name: str) -> ToolSpec | None:
        """The offered tool of that name, or None."""
        return next((spec for spec in self.tools if spec.name == name), None)

    def to_json(self) -> dict[str, JSON]:
        """The observation as a JSON object with exactly ``OBSERVATION_KEYS``."""
        return {
            "instruction": self.instruction,
            "now": self.now,
            "user": self.user,
            "history": list(self.history),
            "tools": [spec.function_schema() for spec in self.tools],
            "entities": [entity.to_json() for entity in self.entities],
            "messages": list(self.messages),
            "step": self.step,
        }

    def text(self) -> str:
        """The observation as ASCII JSON: what the environment returns."""
        if not self._fixed_text:
            said = quick_ascii_json({name: getattr(self, name) for name in ("instruction", "now", "user", "history")})
            tools = ",".join(spec.schema_text for spec in self.tools)
            records = ",".join([shown.text for shown in self.entities])
            self._fixed_text.append(f'{said[:-1]},"tools":[{tools}],"entities":[{records}]')
        messages = quick_ascii_json(self.messages) if self.messages else "[]"
        return f'{self._fixed_text[0]},"messages":{messages},"step":{self.step}}}'
