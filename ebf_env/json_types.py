"""The JSON value type, and the one way the project writes JSON."""

from __future__ import annotations

import codecs
import json
import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import orjson

JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
JSONObject: TypeAlias = Mapping[str, JSON]


def no_constant(name: str) -> float:
    """For ``json.loads(parse_constant=...)``: NaN and infinities are no JSON.

    Raises:
        ValueError: always.
    """
    raise ValueError(f"{name} is no JSON number")


def finite(text: str) -> float:
    """For ``json.loads(parse_float=...)``: a number that a float can hold.

    Raises:
        ValueError: it is too large.
    """
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {shown(text)} is too large")
    return value


def nested_within(value: object, depth: int) -> bool:
    """Whether lists and objects are nested at most that deep; does not recurse, whatever it is given."""
    level: list[object] = [value]
    for _ in range(depth + 1):
        level = [
            item
            for container in level
            if isinstance(container, Mapping | list | tuple)
            for item in (container.values() if isinstance(container, Mapping) else container)
        ]
        if not level:
            return True
    return False


def shown(value: object, most: int = 60) -> str:
    """A value as it may be quoted in a message: its repr, cut off so that no message grows with what was sent."""
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    return text if len(text) <= most else text[: most - 3] + "..."


def ascii_json(value: JSON) -> str:
    """Compact JSON in pure ASCII, keys in the order given (what observations, actions and files are made of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def quick_ascii_json(value: JSON) -> str:
    """The same for what is rendered again and again; numbers may be spelled differently (``1e16`` for ``1e+16``).

    Not for files, whose bytes must not depend on a library's spelling.
    """
    try:
        text = orjson.dumps(value).decode("utf-8")
    except (TypeError, ValueError):  # whole numbers of more than 64 bits, halves of surrogate pairs
        return ascii_json(value)
    return text if text.isascii() else text.encode("ascii", _JSON_ESCAPES).decode("ascii")


_JSON_ESCAPES = "ebf-json-escapes"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_JSON_ESCAPES, _escaped)


def canonical_json(value: JSON) -> str:
    """Compact ASCII JSON with sorted keys: equal values give equal text (what digests are taken of)."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False, sort_keys=True)
