"""What a language model's backend consists of: one entry of a backends file, and what the command line adds to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue

ProtocolName: TypeAlias = Literal["json", "tools"]
"""How an answer is asked for: the paper's JSON format, or native tool calls."""

Structured: TypeAlias = Literal["auto", "json_schema", "json_object", "none"]
"""How the JSON protocol holds a model to its format; ``auto`` takes the strictest that the server accepts."""

ToolChoice: TypeAlias = Literal["required", "auto"]

OPENAI_URL = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OWN_KEYS = ("model", "messages", "tools", "tool_choice", "response_format", "stream", "n")


def _endpoint(url: str) -> str:
    """A base URL as it is used and recorded; what is wrong with it is said without repeating what might be a key."""
    expected = "expected a base URL such as 'http://localhost:8000/v1'"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError(f"{expected}, and this is none") from None
    if parts.scheme not in ("http", "https") or not host or re.search(r"\s", url):
        raise ValueError(f"{expected}, and this is none")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("a base URL holds no user, query or fragment (keys stand in environment variables)")
    if parts.path.rstrip("/").endswith("/chat/completions"):
        raise ValueError("a base URL ends before '/chat/completions'")
    return url.rstrip("/")


def _variable(name: str) -> str:
    if not _VARIABLE.fullmatch(name):
        raise ValueError("expected the name of an environment variable (the key itself is never written down)")
    return name


def _no_own_keys(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for key in _OWN_KEYS:
        if key in body:
            raise ValueError(f"{key!r} is set by the backend itself")
    return body


def _absent(value: object) -> object:
    """TOML has no null: the word ``default`` leaves the choice to the service."""
    return None if value == "default" else value


Endpoint = Annotated[str, AfterValidator(_endpoint)]
Variable = Annotated[str, AfterValidator(_variable)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Sampling(_Settings):
    """How answers are drawn; what is None is left out of the request.

    Attributes:
        temperature: 0 is greedy; ``"default"`` leaves it to the service (some models refuse the parameter).
        max_tokens: most tokens of an answer.
        top_p: nucleus sampling.
        seed: of the first trial; every further trial adds one.
    """

    temperature: Annotated[Annotated[float, Field(ge=0, le=2)] | None, BeforeValidator(_absent)] = 0.0
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    seed: int | None = None

    def request(self, trial: int = 0) -> dict[str, JsonValue]:
        """The fields of a request."""
        fields: dict[str, JsonValue] = self.model_dump(exclude_none=True)
        if self.seed is not None:
            fields["seed"] = self.seed + trial
        return fields


class Price(_Settings):
    """What tokens cost, in US dollars per million.

    Attributes:
        input: tokens of the prompt.
        output: tokens of the answer.
        cached_input: tokens of the prompt that the service had in its cache; None: as others.
    """

    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]
    cached_input: Annotated[float, Field(ge=0)] | None = None

    def of(self, prompt: int, completion: int, cached: int = 0) -> float:
        """The cost of one answer in US dollars."""
        for_cached = self.input if self.cached_input is None else self.cached_input
        tokens = (prompt - cached) * self.input + cached * for_cached + completion * self.output
        return round(tokens / 1_000_000, 9)


class BackendEntry(_Settings):
    """One model at one endpoint.

    Attributes:
        model: what the endpoint calls it.
        base_url: the endpoint, up to and including its version (``.../v1``).
        api_key_env: the environment variable that holds the key; None: no key is sent.
        protocol: how answers are asked for.
        structured: how the JSON protocol holds the model to its format.
        tool_choice: whether the tools protocol lets the model answer without a call.
        sampling: how answers are drawn.
        price: what tokens cost; None: costs are not recorded.
        concurrency: most requests at once.
        timeout: seconds to wait for an answer.
        max_retries: how often the client tries again after a failed connection, a timeout, 429 or 5xx.
        extra_body: further fields of every request.
        description: for people.
    """

    model: Annotated[str, Field(min_length=1)]
    base_url: Endpoint
    api_key_env: Variable | None = None
    protocol: ProtocolName = "json"
    structured: Structured = "auto"
    tool_choice: ToolChoice = "required"
    sampling: Sampling = Sampling()
    price: Price | None = None
    concurrency: Annotated[int, Field(ge=1, le=256)] = 4
    timeout: Annotated[float, Field(gt=0)] = 120.0
    max_retries: Annotated[int, Field(ge=0, le=20)] = 2
    extra_body: Annotated[dict[str, JsonValue], AfterValidator(_no_own_keys)] = {}
    description: str = ""


class BackendOptions(_Settings):
    """What the command line says about language models.

    Attributes:
        base_url: the endpoint of ``openai:MODEL``; None: OpenAI's own.
        api_key_env: the variable that holds its key; None: ``OPENAI_API_KEY`` for OpenAI's own endpoint, and no key for
            another.
        protocols: one backend for each; empty: the protocol of the entry.
        backends_file: a user's file of backends.
    """

    base_url: Endpoint | None = None
    api_key_env: Variable | None = None
    protocols: tuple[ProtocolName, ...] = ()
    backends_file: Path | None = None

    def entry(self, model: str) -> BackendEntry:
        """The entry that ``openai:MODEL`` stands for."""
        key = self.api_key_env or (OPENAI_KEY if self.base_url is None else None)
        return BackendEntry(model=model, base_url=self.base_url or OPENAI_URL, api_key_env=key)
