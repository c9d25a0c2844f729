"""Asking a chat completions endpoint: one client for a run, falling back where a server refuses a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, cast

from ebf_agents.llm.exchange import Exchange, Form
from ebf_agents.llm.failures import BadAnswerError, Diagnosis, Failure, Refusal, error_in, parsed
from ebf_agents.llm.keys import NO_KEY, ApiKey
from ebf_agents.llm.settings import BackendEntry
from ebf_env.json_types import JSONObject

if TYPE_CHECKING:
    from collections.abc import Iterable

    import openai
    from openai.types.chat import ChatCompletionMessageParam


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        message: the assistant's message as the server sent it.
        finish_reason: why it ended.
        usage: the server's own account of tokens.
        form: the form in which it was asked for.
        requests: HTTP requests it took, repetitions and refusals included.
    """

    message: JSONObject
    finish_reason: str | None
    usage: JSONObject
    form: Form
    requests: int


class ChatService:
    """One endpoint, asked through the ``openai`` client.

    The client belongs to the event loop it is made in, so it is made when the service is entered (``async with``) and
    closed when it is left; a question asked outside is asked through a client of its own.
    """

    def __init__(self, entry: BackendEntry, key: ApiKey) -> None:
        self._entry, self._key = entry, key
        self._diagnosis = Diagnosis(entry, key)
        self._client: openai.AsyncOpenAI | None = None
        self._form = 0  # forms before this one were refused
        self._proven = False  # whether the endpoint has answered with a completion

    async def __aenter__(self) -> ChatService:
        """Make the client of this run."""
        self._client = self._make_client()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def ask(self, exchange: Exchange, fields: JSONObject) -> Reply:
        """Ask, in the strictest form that the server takes.

        A form that was refused is not tried again once a later one was answered.

        Args:
            exchange: the chat, and the forms.
            fields: further fields of the request.

        Raises:
            ServiceError: the service failed.
            ConfigurationError: no request like this can succeed.
        """
        if self._client is not None:
            return await self._ask(self._client, exchange, fields)
        async with self._make_client() as client:
            return await self._ask(client, exchange, fields)

    async def _ask(self, client: openai.AsyncOpenAI, exchange: Exchange, fields: JSONObject) -> Reply:
        number, requests, first = min(self._form, len(exchange.forms) - 1), 0, None
        while True:
            outcome = await self._send(client, exchange, exchange.forms[number], fields, requests)
            if isinstance(outcome, Reply):
                self._form, self._proven = max(self._form, number), True
                return outcome
            first = first or outcome
            if outcome.refusal is Refusal.NO or number + 1 == len(exchange.forms):
                # what only the last form met was not about the form
                raise (outcome if first.refusal is Refusal.CLEAR else first).error
            number, requests = max(number + 1, min(self._form, len(exchange.forms) - 1)), requests + 1

    async def _send(
        self, client: openai.AsyncOpenAI, exchange: Exchange, form: Form, fields: JSONObject, before: int
    ) -> Reply | Failure:
        import openai

        try:
            raw = await client.chat.completions.with_raw_response.create(
                model=self._entry.model,
                messages=cast("Iterable[ChatCompletionMessageParam]", exchange.messages),
                extra_body={**form.fields, **fields},
            )
            return self._reply(raw.http_response.text, form, before + 1 + raw.retries_taken)
        except openai.APIError as error:
            return self._diagnosis.of(error)
        except BadAnswerError as error:
            return error.failure

    def _reply(self, body: str, form: Form, requests: int) -> Reply:
        """The completion in a body, from which the key is taken out first, should a server repeat it."""
        body = self._key.hide(body)
        content = parsed(body)
        if not isinstance(content, Mapping):
            raise BadAnswerError(self._diagnosis.no_completion(body, proven=self._proven))
        if (status := error_in(content)) is not None:
            raise BadAnswerError(self._diagnosis.of_status(status, body))
        choices = content.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, Mapping) else None
        if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
            raise BadAnswerError(self._diagnosis.no_completion(body, proven=self._proven))
        usage, reason = content.get("usage"), choice.get("finish_reason")
        return Reply(
            message,
            reason if isinstance(reason, str) else None,
            usage if isinstance(usage, Mapping) else {},
            form,
            requests,
        )

    def _make_client(self) -> openai.AsyncOpenAI:
        import openai

        return openai.AsyncOpenAI(
            api_key=self._key.value or NO_KEY,
            base_url=self._entry.base_url,
            timeout=self._entry.timeout,
            max_retries=self._entry.max_retries,
        )
