"""Reading takes time in proportion to the length of the text: ten times the text, ten times the time."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from timing import takes_at_most

from ebf_env.decisions import parse_decision
from ebf_env.decisions.extraction import MAX_CHARS, UnreadableError, json_objects


def acting(bindings: object) -> str:
    """A call with these bindings, as text."""
    return json.dumps({"decision": "ACT", "tool": "t", "bindings": bindings}, separators=(",", ":"))


TAG = "<scratchpad>"
CASES = ["".join(c.upper() if bits >> k & 1 else c for k, c in enumerate(TAG)) for bits in range(0, 1 << 11, 7)]

NASTY: dict[str, Callable[[int], str]] = {
    # reasoning
    "<think>": lambda n: "<think>" * (n // 7),
    "</think>": lambda n: "</think>" * (n // 8),
    "all opening tags": lambda n: "<think><thinking><reasoning><scratchpad>" * (n // 41),
    "opening tags and one closing tag of another kind": lambda n: "<think>" * (n // 7) + "</reasoning>",
    "opening tags and one closing tag": lambda n: "<think>" * (n // 7) + "</think>",
    "opening tags in many cases": lambda n: "".join(CASES[i % len(CASES)] for i in range(n // 12)),
    "stretches of reasoning": lambda n: "<think>x</think>" * (n // 16),
    "less-than signs": lambda n: "<" * n,
    "beginnings of tags": lambda n: "<thin" * (n // 5),
    "broken decisions that were reasoning": lambda n: '{"decision":DEFER}</think>' * (n // 26),
    "decisions that were reasoning": lambda n: '{"decision":"DEFER"}</think>' * (n // 28),
    # where objects begin and end
    "{": lambda n: "{" * n,
    "{ and blanks": lambda n: "{ " * (n // 2),
    '{"': lambda n: '{"' * (n // 2),
    '{"} ': lambda n: '{"} ' * (n // 4),
    '{"a":': lambda n: '{"a":' * (n // 5),
    "[": lambda n: '{"a":' + "[" * n,
    "{}": lambda n: "{}" * (n // 2),
    "an object and blanks": lambda n: "{" + " " * n,
    "blanks between braces": lambda n: ("{" + " " * 99) * (n // 100),
    "blanks": lambda n: " " * n,
    "quotes": lambda n: '{"a":' + '"' * n + "}",
    "backslashes": lambda n: '{"a":"' + "\\" * n,
    "nulls": lambda n: "\0" * n,
    "broken objects": lambda n: '{"a"} ' * (n // 6),
    # commas
    "commas": lambda n: '{"decision":"DEFER","x":[' + "," * n + "]}",
    "commas and blanks": lambda n: '{"decision":"DEFER","x":[' + ", " * (n // 2) + "]}",
    "commas and long blanks": lambda n: '{"decision":"DEFER","x":[' + ("1," + " " * 98) * (n // 100) + "]}",
    "blanks after a trailing comma": lambda n: '{"decision":"DEFER",' + " " * n + "}",
    "numbers and a trailing comma": lambda n: '{"decision":"DEFER","x":[' + "1," * (n // 2) + "]}",
    "trailing commas": lambda n: '{"decision":"DEFER","x":[' + "[1,]," * (n // 5) + "]}",
    "backslashes and a trailing comma": lambda n: '{"a":"' + "\\\\" * (n // 2) + '",}',
    "escaped quotes and a trailing comma": lambda n: '{"a":"' + '\\"' * (n // 2) + '",}',
    "a long string and a trailing comma": lambda n: '{"decision":"DEFER","reason":"' + "x" * n + '",}',
    # decisions
    "equal decisions": lambda n: '{"decision":"DEFER"}' * (n // 20),
    "different decisions": lambda n: "".join(f'{{"decision":"DEFER","reason":"{i:07}"}}' for i in range(n // 40)),
    "decisions written differently": lambda n: '{"decision":"DEFER"}{"decision":"defer","x":1}' * (n // 46),
    # what objects hold
    "digits": lambda n: '{"a":' + "1" * n + "}",
    "digits after the point": lambda n: '{"a":0.' + "1" * n + "}",
    "digits of an exponent": lambda n: '{"a":1e' + "1" * n + "}",
    "keys": lambda n: "{" + ",".join(f'"k{i:05}":1' for i in range(n // 11)) + "}",
    "one key again and again": lambda n: "{" + ",".join(['"k":1'] * (n // 6)) + "}",
    "one key again and again, holding much": lambda n: "{" + ",".join([f'"k":"{"x" * (n // 10)}"'] * 10) + "}",
    # what decisions hold
    "slots": lambda n: acting({f"s{i:05}": 1 for i in range(n // 11)}),
    "one slot with many suffixes": lambda n: acting({f"s:{i:05}": "p1" for i in range(n // 15)}),
    "colons": lambda n: acting({":" * n: "p1"}),
    "ids in a list": lambda n: acting({"attendees": [f"p{i:05}" for i in range(n // 9)]}),
    "one id again and again": lambda n: acting({"attendees": ["p1"] * (n // 5)}),
    "slots in a list": lambda n: acting([{"slot": f"s{i:05}", "id": "p1"} for i in range(n // 27)]),
    "one slot in a list again and again": lambda n: acting([{"slot": "s", "id": "p1"}] * (n // 22)),
    "one slot in a list, with other ids": lambda n: acting([{"slot": "s", "id": f"p{i:05}"} for i in range(n // 26)]),
    "bindings that cannot be read": lambda n: acting({"attendees": [[1]] * (n // 4)}),
    "scores": lambda n: json.dumps({"decision": "DEFER", "scores": {f"s{i:05}": {"a": 1} for i in range(n // 20)}}),
}


def assert_linear(make: Callable[[int], str], n: int) -> None:
    """Ten times the text takes about ten times as long; twice as long as that is forgiven, a hundred times is not."""
    short, long = make(n), make(10 * n)
    assert 8 * len(short) < len(long) < MAX_CHARS
    assert takes_at_most(lambda: parse_decision(long), 25, of=lambda: parse_decision(short), spare=0.001)


LARGE = {
    "<think>",
    "commas",
    "numbers and a trailing comma",
    "different decisions",
    '{"',
    "one slot in a list, with other ids",
}
"""What was once read in quadratic time is read up to the greatest length, for the larger part of it was linear."""


@pytest.mark.parametrize("name", NASTY)
def test_ten_times_the_text_takes_about_ten_times_as_long(name: str) -> None:
    assert_linear(NASTY[name], 19_000 if name in LARGE else 2_500)


def test_a_text_that_is_too_long_is_not_read_at_all() -> None:
    with pytest.raises(UnreadableError, match="200,001 characters, more than 200,000"):
        json_objects("{}" * (MAX_CHARS // 2) + "x", vital="decision")
