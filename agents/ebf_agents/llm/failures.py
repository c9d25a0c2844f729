"""What went wrong with a request: whose fault it is, in one sentence that holds no key.

A fault of the service (no connection, 429, 5xx) leaves one run without a verdict. A fault of the configuration (a wrong
key, an unknown model, an endpoint that is none) would repeat itself with every request and ends the evaluation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from ebf_agents.llm.keys import ApiKey
from ebf_agents.llm.settings import BackendEntry
from ebf_env.errors import ConfigurationError, ServiceError
from ebf_env.json_types import JSON, JSONObject

if TYPE_CHECKING:
    import openai

MAX_QUOTED: Final = 240
"""As much of a server's message is quoted."""

REFUSAL_STATUS: Final = (400, 404, 422, 501)
"""How servers answer to a request whose form they do not take."""

_FORM = re.compile(r"response_format|json_schema|json_object|grammar|structured|guided|tool_choice", re.IGNORECASE)
_UNKNOWN_MODEL = re.compile(
    r"not (found|exist|a valid|valid|supported|available|loaded|served)|n't exist|unknown|invalid|no such|try pulling",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(r"context (length|size|window)|maximum context|too long|too many tokens|exceed", re.IGNORECASE)
_PARAMETERS: Final = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "seed", "tools", "tool_choice")


class Refusal(StrEnum):
    """Whether a request may have been refused for the form in which it asks for an answer."""

    NO = "no"
    PERHAPS = "perhaps"
    CLEAR = "clear"


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that brought no answer.

    Attributes:
        error: what to raise.
        refusal: whether asking in another form may help.
    """

    error: ServiceError | ConfigurationError
    refusal: Refusal = Refusal.NO


class BadAnswerError(Exception):
    """An answer that cannot be used.

    Attributes:
        failure: why.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__()
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Tells failures of one backend apart.

    Attributes:
        entry: what is asked where.
        key: what no sentence may hold.
    """

    entry: BackendEntry
    key: ApiKey

    def of(self, error: openai.APIError) -> Failure:
        """What an exception of the client means."""
        import openai

        if isinstance(error, openai.APITimeoutError):
            return Failure(ServiceError(f"{self._where} did not answer within {self.entry.timeout:g} s"))
        if isinstance(error, openai.APIConnectionError):
            reason = self.quoted(str(error.__cause__ or "")) or "connection failed"
            return Failure(ServiceError(f"{self._where} cannot be reached: {reason}"))
        if isinstance(error, openai.APIStatusError):
            return self.of_status(error.status_code, error.response.text)
        return Failure(ServiceError(f"{self._where} failed: {self.quoted(error.message)}"))

    def of_status(self, status: int, body: str) -> Failure:
        """What an HTTP status, with the body that came with it, means."""
        content = parsed(body)
        raw, code, param = _complaint(content, body)
        said = self.quoted(raw)
        answered = f"{self._where} answered {status}" + (f": {said}" if said else "")
        if status in (401, 403):
            variable = self.entry.api_key_env
            advice = f"is the key in {variable} right?" if variable else "no key is sent, since no variable is named"
            return Failure(ConfigurationError(f"{answered} ({advice})"))
        if status == 429:
            return Failure(ServiceError(answered))
        if status >= 500 and status != 501:
            return Failure(ServiceError(answered), Refusal.CLEAR if _FORM.search(raw) else Refusal.NO)
        if self._names_unknown_model(raw, code, param):
            return Failure(ConfigurationError(f"{self._where} does not know the model {self.entry.model!r}: {said}"))
        if status == 405 or (status == 404 and content is None):
            return Failure(ConfigurationError(f"there is no chat completions endpoint at {self._where} ({status})"))
        if status in REFUSAL_STATUS:
            return self._refused(status, raw, param, answered)
        return Failure(ServiceError(answered))

    def no_completion(self, body: str, *, proven: bool) -> Failure:
        """What an answer that holds no chat completion means: a wrong endpoint, unless it has answered before."""
        what = "a web page" if body.lstrip()[:1] == "<" else "something that is no chat completion"
        if proven:
            return Failure(ServiceError(f"{self._where} answered with {what}"))
        return Failure(ConfigurationError(f"{self._where} answers with {what}; is the base URL right?"))

    def quoted(self, text: str) -> str:
        """A server's words on one line, cut short, without the key."""
        line = " ".join(self.key.redact(text).split())
        return line if len(line) <= MAX_QUOTED else line[: MAX_QUOTED - 3] + "..."

    @property
    def _where(self) -> str:
        return self.entry.base_url

    def _names_unknown_model(self, said: str, code: str, param: str) -> bool:
        if "model_not_found" in code or (param == "model" and _UNKNOWN_MODEL.search(said)):
            return True
        named = self.entry.model.lower() in said.lower() or re.match(r"model:", said)
        return bool(named and (_UNKNOWN_MODEL.search(said) or re.match(r"model:", said)) and not _TOO_LONG.search(said))

    def _refused(self, status: int, said: str, param: str, answered: str) -> Failure:
        if _TOO_LONG.search(said) and not _FORM.search(said):
            return Failure(ServiceError(answered))
        about_form = bool(_FORM.search(said) or _FORM.search(param))
        sent = [*_PARAMETERS, *self.entry.extra_body]
        named = next((name for name in sent if re.search(rf"\b{re.escape(name)}\b", f"{param} {said}")), None)
        if about_form:
            return Failure(ConfigurationError(answered), Refusal.CLEAR)
        if named:
            return Failure(ConfigurationError(answered))
        return Failure(ConfigurationError(answered) if status == 404 else ServiceError(answered), Refusal.PERHAPS)


def parsed(body: str) -> JSON:
    """A body as JSON; None where it is none."""
    try:
        value: JSON = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value


def _complaint(content: JSON, body: str) -> tuple[str, str, str]:
    """Message, code and parameter of an error body, in any of the shapes that servers give it."""
    if not isinstance(content, Mapping):
        text = re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", body, flags=re.DOTALL | re.IGNORECASE)
        return text, "", ""
    error = content.get("error", content)
    if not isinstance(error, Mapping):
        return _text(error), "", ""
    message = next((error[key] for key in ("message", "detail", "error", "Message") if error.get(key)), None)
    return _text(message if message is not None else error), _text(error.get("code")), _text(error.get("param"))


def _text(value: JSON) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def error_in(content: JSONObject) -> int | None:
    """The status of an error that came with HTTP 200, as gateways send it; None where there is none."""
    error = content.get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 500
