"""Finding the JSON objects in a model's answer: past reasoning, prose and code fences, mending trailing commas.

Every step is linear in the length of the answer, whatever is in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ebf_env.json_types import JSON, JSONObject, canonical_json, finite, no_constant, shown

MAX_CHARS = 200_000
"""Longer answers are invalid unread."""

MAX_DEPTH = 64
"""Answers nested deeper are invalid."""

_TAGS = "think|thinking|reasoning|scratchpad"
_LANDMARK = re.compile(rf"\{{(?=\s*[\"}}])|<(?P<close>/?)(?P<tag>{_TAGS})>", re.IGNORECASE)
_TAG = re.compile(rf"<(?P<close>/?)(?P<tag>{_TAGS})>", re.IGNORECASE)
_TRAILING = re.compile(r"\s*[}\]]")


class UnreadableError(ValueError):
    """Why a text is no decision.

    Attributes:
        position: where in the text what cannot be read begins, or ends where its end is known.
    """

    position: int = 0


def json_objects(text: str, *, vital: str) -> list[JSONObject]:
    """The outermost JSON objects of an answer that have the key ``vital``.

    What stands between reasoning tags is left out, and so is everything before a closing tag that was never opened
    (some
    chat templates open it in the prompt). Objects without the key are passed over.

    Raises:
        UnreadableError: there is none, one is cut off, or one that speaks of the key cannot be read.
    """
    if len(text) > MAX_CHARS:
        raise UnreadableError(f"the answer has {len(text):,} characters, more than {MAX_CHARS:,}")
    if not text.strip():
        raise UnreadableError("the answer is empty")
    try:
        return _objects_with(text, vital)
    except UnreadableError as error:
        answer = _after_unopened_reasoning(text, error.position)
        if answer is None:
            raise
        return _objects_with(answer, vital)


def _objects_with(text: str, vital: str) -> list[JSONObject]:
    found: list[JSONObject] = []
    problem: str | None = None
    for chunk, end in _outermost(text):
        if chunk is None:
            found, problem = [], None
            continue
        try:
            value = loads_tolerantly(chunk)
        except UnreadableError as error:
            if f'"{vital}"' in chunk:
                error.position = end
                raise
            problem = problem or str(error)
            continue
        if vital in value:
            found.append(value)
        else:
            problem = problem or f"the JSON object has no key {vital!r}"
    if not found:
        raise UnreadableError(problem or "the answer holds no JSON object")
    return found


def _after_unopened_reasoning(text: str, position: int) -> str | None:
    """What follows the last closing tag after a position that was never opened; None where there is no such tag."""
    opened: set[str] = set()
    end: int | None = None
    for tag in _TAG.finditer(text):
        name = tag["tag"].lower()
        if not tag["close"]:
            opened.add(name)
        elif name in opened:
            opened.remove(name)
        elif tag.start() >= position:
            end = tag.end()
    return None if end is None else text[end:]


def _outermost(text: str) -> Iterator[tuple[str | None, int]]:
    """Every outermost ``{...}`` that begins like a JSON object, and its end; None where all before was reasoning."""
    position = 0
    never_closed: set[str] = set()
    while landmark := _LANDMARK.search(text, position):
        position = landmark.end()
        tag = landmark["tag"]
        if tag is None:
            end = _closing(text, landmark.start())
            yield text[landmark.start() : end + 1], end + 1
            position = end + 1
        elif landmark["close"]:
            yield None, position
        elif tag.lower() not in never_closed:
            closing = re.compile(f"</{tag}>", re.IGNORECASE).search(text, position)
            if closing is None:
                never_closed.add(tag.lower())
            else:
                position = closing.end()


def _closing(text: str, start: int) -> int:
    """Where the object that begins at ``start`` ends."""
    depth, in_string, position = 0, False, start
    while position < len(text):
        char = text[position]
        if in_string:
            if char == "\\":
                position += 1
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
            if depth > MAX_DEPTH:
                raise _at(start, f"the JSON object is nested more than {MAX_DEPTH} levels deep")
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return position
        position += 1
    raise _at(start, "the JSON object is cut off")


def _at(position: int, reason: str) -> UnreadableError:
    error = UnreadableError(reason)
    error.position = position
    return error


def loads_tolerantly(chunk: str) -> JSONObject:
    """A JSON object; raw control characters in strings and trailing commas are taken.

    Raises:
        UnreadableError: it cannot be read, or says two things of one key.
    """
    try:
        value = _loads(chunk)
    except json.JSONDecodeError as first:
        try:
            value = _loads(_without_trailing_commas(chunk))
        except json.JSONDecodeError:
            raise UnreadableError(f"the JSON object cannot be read: {first.msg} at character {first.pos}") from first
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise UnreadableError("the JSON object holds half of a Unicode surrogate pair") from error
    return value


def _loads(chunk: str) -> JSONObject:
    try:
        value: JSONObject = json.loads(
            chunk, strict=False, object_pairs_hook=_unique_keys, parse_constant=no_constant, parse_float=finite
        )
    except (json.JSONDecodeError, UnreadableError):
        raise
    except ValueError as error:  # a number that is none, or of thousands of digits
        raise UnreadableError(f"the JSON object cannot be read: {error}") from error
    return value


def _unique_keys(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    result: dict[str, JSON] = {}
    for key, value in pairs:
        if key in result and canonical_json(result[key]) != canonical_json(value):
            raise UnreadableError(f"the key {shown(key)} is given twice with different values")
        result[key] = value
    return result


def _without_trailing_commas(chunk: str) -> str:
    kept: list[str] = []
    in_string, position = False, 0
    while position < len(chunk):
        char = chunk[position]
        if in_string and char == "\\":
            kept.append(chunk[position : position + 2])
            position += 2
            continue
        if char == '"':
            in_string = not in_string
        if char != "," or in_string or not _TRAILING.match(chunk, position + 1):
            kept.append(char)
        position += 1
    return "".join(kept)
