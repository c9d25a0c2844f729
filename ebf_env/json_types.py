"""The JSON value type, and the one way the project writes JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
JSONObject: TypeAlias = Mapping[str, JSON]


def shown(value: object, most: int = 60) -> str:
    """A value as it may be quoted in a message: its repr, cut off so that no message grows with what was sent."""
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    return text if len(text) <= most else text[: most - 3] + "..."


def ascii_json(value: JSON) -> str:
    """Compact JSON in pure ASCII, keys in the order given (what observations, actions and files are made of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def canonical_json(value: JSON) -> str:
    """Compact ASCII JSON with sorted keys: equal values give equal text (what digests are taken of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True)
