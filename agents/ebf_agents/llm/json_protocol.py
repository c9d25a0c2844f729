"""The JSON protocol: the paper's answer format, held to by as much as the server can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from ebf_agents.llm.exchange import Exchange, Form, Message, Reading, content_of, without_records
from ebf_agents.llm.rendering import compact_json, sendable, user_message
from ebf_agents.llm.schema import CONSTRAINED, AnswerSchema
from ebf_agents.llm.settings import ProtocolName, Structured
from ebf_agents.llm.words import REMARK, RESULT, UNREADABLE, method_words, system_words
from ebf_env.envs.observation import Observation
from ebf_env.evaluation.protocols import Query
from ebf_env.json_types import JSONObject

_OBJECT: Final[JSONObject] = {"response_format": {"type": "json_object"}}


@dataclass(frozen=True, slots=True)
class JsonProtocol:
    """Asks for one JSON object with the decision.

    Attributes:
        structured: how the model is held to the format; ``auto`` goes down from the strictest.
    """

    structured: Structured = "auto"
    name: ClassVar[ProtocolName] = "json"

    def exchange(self, query: Query) -> Exchange:
        """The question as a chat, and the forms in which an answer can be asked for."""
        observation = query.observation
        first = user_message(observation, method_words("json", query.prompt), with_tools=True)
        messages: list[Message] = [
            {"role": "system", "content": sendable(system_words("json"))},
            {"role": "user", "content": first},
            *_conversation(observation),
        ]
        return Exchange(tuple(messages), self._forms(query))

    def read(self, message: JSONObject, observation: Observation) -> Reading:
        """The message's text; whoever runs the episode reads the decision out of it."""
        return Reading(content_of(message))

    def _forms(self, query: Query) -> tuple[Form, ...]:
        if self.structured == "none":
            return (Form({}),)
        if self.structured == "json_object":
            return (Form(_OBJECT),)
        schema = AnswerSchema(query.observation, query.prompt.wants).build()
        strict = Form(
            {"response_format": {"type": "json_schema", "json_schema": {"name": "decision", "schema": schema}}},
            (CONSTRAINED,),
        )
        if self.structured == "json_schema":
            return (strict,)
        return (
            strict,
            Form(_OBJECT, ("json_schema refused by the server; json_object used",)),
            Form({}, ("json_schema and json_object refused by the server; plain text used",)),
        )


def _conversation(observation: Observation) -> Iterator[Message]:
    for message in observation.messages:
        content = message.get("content")
        match message.get("role"):
            case "assistant":
                yield {"role": "assistant", "content": sendable(str(content or UNREADABLE))}
            case "tool":
                result = compact_json(without_records(content))
                yield {"role": "user", "content": sendable(RESULT.format(tool=message.get("tool"), content=result))}
            case "system":
                yield {"role": "user", "content": sendable(REMARK.format(content=content))}
            case _:
                yield {"role": "user", "content": sendable(str(content))}
