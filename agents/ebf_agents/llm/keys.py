"""Keys: read from the environment, sent to the service, and shown nowhere."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from urllib.parse import quote

from ebf_env.errors import ConfigurationError

HIDDEN = "[key]"
"""What stands in a text where the key stood."""

NO_KEY = "none"
"""What the client is given for servers that need no key (it insists on one)."""

SHARED_PREFIX = 6
"""A token that begins with as many characters of the key is taken for the key, cut off or masked."""

_TOKEN = re.compile(r"[^\s\"'`<>(){}\[\],;:]+")
_MASKED = re.compile(r"\*{3,}|x{6,}|\u2022{3,}")
_USUAL_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|[A-Za-z_]{1,40}\d{0,2}")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The key of one service; its repr holds nothing of it."""

    value: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, variable: str | None) -> ApiKey:
        """The key that a variable holds; no key where no variable is named.

        Raises:
            ConfigurationError: the variable is not set, or holds what can be no key.
        """
        if variable is None:
            return cls()
        # somebody may have given the key itself for the variable's name
        shown = repr(variable) if _USUAL_NAME.fullmatch(variable) else "named for the API key"
        value = os.environ.get(variable, "").strip()
        if not value:
            raise ConfigurationError(f"the environment variable {shown} is not set; it has to hold the API key")
        if not value.isascii() or not value.isprintable() or " " in value:
            raise ConfigurationError(f"the environment variable {shown} holds blanks or characters that no key has")
        return cls(value)

    def hide(self, text: str) -> str:
        """The text without the key, however it is written."""
        if not self.value:
            return text
        for form in dict.fromkeys(
            (self.value, json.dumps(self.value)[1:-1], self.value.replace("/", "\\/"), quote(self.value, safe=""))
        ):
            text = text.replace(form, HIDDEN)
        return text

    def redact(self, text: str) -> str:
        """The text without the key, and without any word that looks like a part of it."""
        if not self.value:
            return text

        def shown(match: re.Match[str]) -> str:
            token = match[0]
            begins = len(self.value) >= SHARED_PREFIX and token.startswith(self.value[:SHARED_PREFIX])
            return HIDDEN if begins or _MASKED.search(token) else token

        return _TOKEN.sub(shown, self.hide(text))
