"""The JSON value type, and the one way the project writes JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
JSONObject: TypeAlias = Mapping[str, JSON]


def ascii_json(value: JSON) -> str:
    """Compact JSON in pure ASCII, keys in the order given (what observations, actions and files are made of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def canonical_json(value: JSON) -> str:
    """Compact ASCII JSON with sorted keys: equal values give equal text (what digests are taken of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True)
