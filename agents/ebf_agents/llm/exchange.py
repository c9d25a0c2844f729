"""What a protocol makes of a question, and of the message that comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ebf_agents.llm.settings import ProtocolName
from ebf_env.decisions import Decision
from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Query
from ebf_env.json_types import JSON, JSONObject

Message = Mapping[str, JSON]
"""One message of a chat, as the service takes it."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to hold the model to the protocol.

    Attributes:
        fields: what the request says of it (``response_format``, ``tools``, ...).
        notes: what a record says of it.
    """

    fields: JSONObject
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question as a chat.

    Attributes:
        messages: the chat so far.
        forms: ways to ask for an answer, the strictest first; the next is for servers that refuse the one before.
    """

    messages: tuple[Message, ...]
    forms: tuple[Form, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a message says.

    Attributes:
        text: the raw answer, as it is recorded.
        decision: what the protocol read in it; None: the text is read.
    """

    text: str
    decision: Decision | None = None


class ChatProtocol(Protocol):
    """A way to ask for decisions in chat completions."""

    @property
    def name(self) -> ProtocolName:
        """Its name."""

    def exchange(self, query: Query) -> Exchange:
        """The question as a chat; depends on the observation and the method's prompt alone."""

    def read(self, message: JSONObject, observation: Observation) -> Reading:
        """What an assistant's message says; never raises, whatever is in it."""


def content_of(message: JSONObject) -> str:
    """The text of a message: its content, or the texts of its parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "".join(text for text in texts if isinstance(text, str))
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) else ""


def without_records(content: JSON) -> JSON:
    """What a tool returned, with records as their ids: all records in sight stand in the first user message."""
    if not isinstance(content, Mapping):
        return content
    return {name: _ids(value) if name in ("results", "records") else value for name, value in content.items()}


def _ids(value: JSON) -> JSON:
    if not isinstance(value, list | tuple):
        return value
    return [item["id"] if isinstance(item, Mapping) and "id" in item else item for item in value]
