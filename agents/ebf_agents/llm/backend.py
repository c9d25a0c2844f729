"""A language model as a backend."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import ClassVar

from ebf_agents.llm.exchange import ChatProtocol
from ebf_agents.llm.json_protocol import JsonProtocol
from ebf_agents.llm.keys import ApiKey
from ebf_agents.llm.service import ChatService, Reply
from ebf_agents.llm.settings import BackendEntry
from ebf_agents.llm.tools_protocol import ToolsProtocol
from ebf_agents.llm.words import FORMAT_VERSIONS, prompt_label
from ebf_env.evaluation.protocols import Answer, Need, Query
from ebf_env.json_types import JSON, JSONObject

NOTE_OF_FINISH: Mapping[str, str] = {
    "length": "the answer was cut off at the greatest number of tokens",
    "content_filter": "the service filtered the answer",
}
"""Ends of an answer that a record notes."""


class LLMBackend:
    """A model behind an OpenAI-compatible endpoint.

    It sees the observation and the method's prompt, and nothing else. Entered as an asynchronous context manager, as
    the runner does, it keeps one client for the whole run.

    Attributes:
        name: key of its records.
        entry: model, endpoint and settings.
    """

    needs: ClassVar[frozenset[Need]] = frozenset()
    recorded: ClassVar[bool] = False

    def __init__(self, name: str, entry: BackendEntry) -> None:
        """Make a backend; nothing is sent.

        Raises:
            ConfigurationError: the variable that holds the key is not set.
        """
        self.name, self.entry = name, entry
        self._protocol: ChatProtocol = (
            JsonProtocol(entry.structured) if entry.protocol == "json" else ToolsProtocol(entry.tool_choice)
        )
        self._service = ChatService(entry, ApiKey.from_environment(entry.api_key_env))

    def __repr__(self) -> str:
        return f"LLMBackend({self.name!r}, model={self.model!r}, endpoint={self.entry.base_url!r})"

    async def __aenter__(self) -> LLMBackend:
        """Make the client of this run, in the running event loop."""
        await self._service.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        await self._service.__aexit__(kind, error, trace)

    @property
    def model(self) -> str:
        """What the endpoint calls the model."""
        return self.entry.model

    @property
    def concurrency(self) -> int:
        """Most requests at once."""
        return self.entry.concurrency

    def config(self) -> JSONObject:
        """What identifies it in a run's configuration: all that answers depend on, and no key."""
        entry = self.entry
        held: dict[str, JSON] = (
            {"structured": entry.structured} if entry.protocol == "json" else {"tool_choice": entry.tool_choice}
        )
        return {
            "kind": "openai",
            "model": entry.model,
            "endpoint": entry.base_url,
            "protocol": entry.protocol,
            "format": FORMAT_VERSIONS[entry.protocol],
            **held,
            "sampling": entry.sampling.model_dump(exclude_none=True),
            "extra_body": dict(entry.extra_body),
        }

    async def answer(self, query: Query) -> Answer:
        """Ask the model.

        Raises:
            ServiceError: the service failed; there is no verdict on the model.
            ConfigurationError: no request can succeed: wrong key, unknown model, wrong endpoint.
        """
        exchange = self._protocol.exchange(query)
        reply = await self._service.ask(exchange, {**self.entry.sampling.request(query.trial), **self.entry.extra_body})
        reading = self._protocol.read(reply.message, query.observation)
        ended = NOTE_OF_FINISH.get(reply.finish_reason or "")
        return Answer(
            reading.text,
            self._usage(reply),
            (*reply.form.notes, *([ended] if ended else [])),
            reading.decision,
            prompt_label(self._protocol.name, query.prompt),
        )

    def _usage(self, reply: Reply) -> JSONObject:
        prompt, completion = reply.usage.get("prompt_tokens"), reply.usage.get("completion_tokens")
        details = reply.usage.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
        usage: dict[str, JSON] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "cached_tokens": cached,
            "finish_reason": reply.finish_reason,
            "requests": reply.requests,
        }
        if self.entry.price is not None and isinstance(prompt, int) and isinstance(completion, int):
            usage["cost_usd"] = self.entry.price.of(prompt, completion, cached if isinstance(cached, int) else 0)
        return {name: value for name, value in usage.items() if value is not None}
