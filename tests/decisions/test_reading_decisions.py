"""A model's text and what is read in it: tolerant about packaging, strict about meaning, and never a guess."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ebf_env.decisions import Clarify, Decision, Defer, Evidence, Invalid, Option, ToolCall, parse_decision
from ebf_env.decisions.extraction import MAX_CHARS, MAX_DEPTH

SENT = '{"decision": "ACT", "tool": "send_email", "bindings": {"recipient": "p1"}}'
SEND = ToolCall("send_email", {"recipient": "p1"})
OTHER = '{"decision": "ACT", "tool": "send_email", "bindings": {"recipient": "p2"}}'
ASKED = '{"decision": "CLARIFY", "clarification_question": "Which Alex?"}'
ASK = Clarify("Which Alex?")


def act(**keys: object) -> str:
    """An ACT decision with more keys, as text."""
    return json.dumps({"decision": "ACT", "tool": "t", **keys})


def with_bindings(bindings: str) -> str:
    """An ACT decision whose bindings are this JSON text."""
    return f'{{"decision": "ACT", "tool": "t", "bindings": {bindings}}}'


# --- packaging that is tolerated ---

PACKAGING = {
    "plain": SENT,
    "blanks around": f" \n\t {SENT} \r\n ",
    "a fence": f"```json\n{SENT}\n```",
    "a fence without a language": f"```\n{SENT}\n```",
    "a fence on one line": f"```json {SENT}```",
    "a fence that is never closed": f"```json\n{SENT}",
    "prose before": f"Sure! Here is my decision:\n{SENT}",
    "prose after": f"{SENT}\nI chose p1 because it's the only match.",
    "quotes in prose": f'The user said "Alex" and \'Kim\'; "isn\'t it {SENT} "',
    "braces in prose": f"Candidates {{p1, p2}} and {{}} and {{ }} and [x], {{{{p}}}}. {SENT} So {{slot}} is p1.",
    "closing braces in prose": f"}} ]] }}}} {SENT} }} ]",
    "an open brace in prose": f"Use {{ and then {SENT} and {'{'} too {{",
    "backslashes in prose": f'C:\\path\\ \\" \\{{ {SENT} \\',
    "another JSON object before": f'The record is {{"id": "p1", "name": "Alex"}}. {SENT}',
    "another JSON object after": f'{SENT}\nEvidence: {{"id": "p1"}}',
    "a set in quotes before": f'Slots: {{"recipient"}}. {SENT}',
    "a JSON list around it": f"[{SENT}]",
    "two equal decisions": f"{SENT}\nFinal answer: {SENT}",
    "two equal decisions, keys in another order": SENT
    + '{"bindings": {"recipient": "p1"}, "tool": "send_email", "decision": "ACT"}',
    "two equal decisions, one in lower case": f"{SENT} {SENT.replace('ACT', 'act')}",
    "two equal decisions, one with a type suffix": f"{SENT} {SENT.replace('recipient', 'recipient:person')}",
    "two equal decisions, one with blanks": f"{SENT} {SENT.replace('send_email', ' send_email ').replace('p1', ' p1')}",
    "two equal decisions, one with its slots in a list": SENT
    + '{"decision": "act", "tool": "send_email", "bindings": [{"slot": "recipient:person", "id": "p1"}]}',
    "two equal decisions, one with empty keys": SENT
    + SENT[:-1].replace('"p1"', '"p1", "thread": null, "attachments": [""]')
    + ', "arguments": {}, "scores": {}, "provenance": []}',
    "a byte order mark": f"\ufeff{SENT}",
    "Windows line ends": "{\r\n"
    + '"decision": "ACT",\r\n"tool": "send_email",\r\n"bindings": {"recipient": "p1"}\r\n}',
    "old Mac line ends": SENT.replace(", ", ",\r"),
    "tabs": SENT.replace(" ", "\t"),
    "unicode in prose": f"Ich wähle „Alex“ → 決定 {SENT}。🎉",
    "half a surrogate pair in prose": f"\ud800 {SENT} \udfff",
    "null characters in prose": f"\0\0{SENT}\0",
    "reasoning": f"<think>Alex is p1.</think>{SENT}",
    "reasoning that holds another decision": f"<think>Perhaps {OTHER}?\nNo.</think>\n{SENT}",
    "reasoning that holds broken JSON": f'<think>{{"decision": "ACT", {{{{ [[ "</think>{SENT}',
    "reasoning in capitals": f"<THINK>{OTHER}</THINK>{SENT}",
    "reasoning under another name": f"<reasoning>{OTHER}</reasoning><scratchpad>{ASKED}</scratchpad>{SENT}",
    "reasoning that was opened in the prompt": f"Perhaps {OTHER}?\nNo.</think>\n{SENT}",
    "reasoning opened in the prompt, in capitals": f"{OTHER} {ASKED}</SCRATCHPAD>{SENT}",
    "reasoning opened in the prompt, and more": f"{OTHER}</think>{ASKED}</reasoning><think>{OTHER}</think>{SENT}",
    "an unknown decision in reasoning that was opened in the prompt": f'{{"x": 1}} {{"decision": 7}}</think>{SENT}',
    "reasoning that ends twice": f"<think>{OTHER}</think> {ASKED}</think>{SENT}",
    "reasoning that is never closed": f"<think>It must be p1. {SENT}",
    "many kinds of reasoning that are never closed": f"<think><thinking><reasoning><scratchpad><THINK>{SENT}",
    "several stretches of reasoning": f"<think>{OTHER}</think><think>{ASKED}</think>{SENT}<think>{OTHER}</think>",
    "a trailing comma": SENT[:-1] + ",}",
    "trailing commas at all levels": '{"decision": "ACT", "tool": "send_email", "x": [1 , ] , "bindings": '
    '{"recipient": "p1" , }\n,\n}',
    "a trailing comma and a fence": f"```json\n{SENT[:-1]},\n}}\n```",
    "decision in lower case": SENT.replace("ACT", "act"),
    "decision in mixed case": SENT.replace("ACT", "Act"),
    "decision with blanks": SENT.replace("ACT", "  ACT\\n"),
    "escaped letters": SENT.replace("ACT", "\\u0041CT").replace("decision", "d\\u0065cision"),
    "tool with blanks": SENT.replace("send_email", " send_email "),
    "a key given twice with the same value": SENT[:-1] + ', "tool": "send_email"}',
    "a key given twice, the same value with its keys in another order": SENT[:-1]
    + ', "x": {"a": [1, 2.5], "b": null}, "x": {"b": null, "a": [1, 2.5]}}',
    "decision given twice with the same value": SENT[:-1] + ', "decision": "ACT"}',
    "unknown keys": SENT[:-1] + ', "confidence": 0.9, "thoughts": {"x": [1, null, true]}}',
    "arguments that are null": SENT[:-1] + ', "arguments": null}',
    "provenance and scores that are null": SENT[:-1] + ', "provenance": null, "scores": null, "slot": null}',
    "nothing bound but the slot": SENT.replace('"p1"', '"p1", "thread": null, "attachments": []'),
}


@pytest.mark.parametrize("text", PACKAGING.values(), ids=PACKAGING.keys())
def test_packaging_does_not_change_the_decision(text: str) -> None:
    assert parse_decision(text) == SEND


# --- bindings ---

BINDINGS: dict[str, tuple[str, dict[str, object]]] = {
    "an id": ('{"recipient": "p1"}', {"recipient": "p1"}),
    "an id with blanks around it": ('{"recipient": " p1\\n"}', {"recipient": "p1"}),
    "an id in a list": ('{"recipient": ["p1"]}', {"recipient": ("p1",)}),
    "ids in a list": ('{"attendees": ["p1", " p2 ", "p3"]}', {"attendees": ("p1", "p2", "p3")}),
    "an id twice in a list": ('{"attendees": ["p1", "p2", "p1"]}', {"attendees": ("p1", "p2")}),
    "an id that is a number": ('{"recipient": 17}', {"recipient": "17"}),
    "ids that are numbers in a list": ('{"attendees": [17, -2, 0]}', {"attendees": ("17", "-2", "0")}),
    "an object with entity_id": ('{"recipient": {"entity_id": "p1"}}', {"recipient": "p1"}),
    "an object with id": ('{"recipient": {"id": "p1", "name": "Alex"}}', {"recipient": "p1"}),
    "an object with a number": ('{"recipient": {"id": 17}}', {"recipient": "17"}),
    "an object with a list": ('{"attendees": {"id": ["p1", "p2"]}}', {"attendees": ("p1", "p2")}),
    "objects in a list": ('{"attendees": [{"id": "p1"}, {"entity_id": "p2"}]}', {"attendees": ("p1", "p2")}),
    "an object whose id is null": ('{"recipient": {"id": null, "entity_id": "p1"}}', {"recipient": "p1"}),
    "null": ('{"recipient": null}', {}),
    "empty text": ('{"recipient": ""}', {}),
    "blanks": ('{"recipient": "  "}', {}),
    "an empty list": ('{"attendees": []}', {}),
    "a list of empty text": ('{"attendees": [""]}', {}),
    "a list of blanks and null": ('{"attendees": [" ", null]}', {}),
    "a list of objects with empty ids": ('{"attendees": [{"id": ""}, {"entity_id": null, "id": " "}]}', {}),
    "ids and empty text in a list": ('{"attendees": ["p1", null, "", "p2"]}', {"attendees": ("p1", "p2")}),
    "an object with empty text": ('{"recipient": {"entity_id": ""}}', {}),
    "some empty": ('{"recipient": "p1", "thread": null, "x": ""}', {"recipient": "p1"}),
    "a type suffix": ('{"recipient:person": "p1"}', {"recipient": "p1"}),
    "a type suffix with blanks": ('{" recipient : person ": "p1"}', {"recipient": "p1"}),
    "a longer suffix": ('{"attendees:person:many": ["p1"]}', {"attendees": ("p1",)}),
    "suffix and plain name that agree": ('{"recipient:person": "p1", "recipient": "p1"}', {"recipient": "p1"}),
    "suffix and plain name, one of them null": ('{"recipient:person": null, "recipient": "p1"}', {"recipient": "p1"}),
    "no bindings": ("{}", {}),
    "bindings that are null": ("null", {}),
    "an empty list of bindings": ("[]", {}),
    "a list of slots": (
        '[{"slot": "recipient", "entity_id": "p1"}, {"slot": "thread:email_thread", "id": "t1"}]',
        {"recipient": "p1", "thread": "t1"},
    ),
    "a list of slots with a list of ids": (
        '[{"slot": "attendees", "entity_id": ["p1", "p2"]}]',
        {"attendees": ("p1", "p2")},
    ),
    "a list of slots with null": ('[{"slot": "recipient", "entity_id": ""}]', {}),
    "a list of slots with a list of empty text": ('[{"slot": "attendees", "entity_id": [""]}]', {}),
    "a list that names a slot again": (
        '[{"slot": "attendees", "entity_id": "p2"}, {"slot": "attendees", "entity_id": "p1"}]',
        {"attendees": ("p2", "p1")},
    ),
    "a list that names a slot three times": (
        '[{"slot": "attendees:person", "id": ["p1", "p2"]}, {"slot": "x", "id": 7}, {"slot": "attendees", "id": "p3"}, '
        '{"slot": "attendees:person:many", "id": ["p2", "p4"]}]',
        {"attendees": ("p1", "p2", "p3", "p4"), "x": "7"},
    ),
    "a list that names a slot again with the same id": (
        '[{"slot": "recipient", "entity_id": "p1"}, {"slot": "recipient:person", "entity_id": "p1"}]',
        {"recipient": "p1"},
    ),
    "a list that names a slot again with nothing": (
        '[{"slot": "recipient", "entity_id": "p1"}, {"slot": "recipient", "entity_id": []}]',
        {"recipient": "p1"},
    ),
    "an id in another script": ('{"recipient": "人_1"}', {"recipient": "人_1"}),
    "an id as an escape": ('{"recipient": "\\u0070\\ud83d\\ude00"}', {"recipient": "p😀"}),
    "an id with a quote and a brace": ('{"recipient": "p\\"}1"}', {"recipient": 'p"}1'}),
}


@pytest.mark.parametrize(("text", "bindings"), BINDINGS.values(), ids=BINDINGS.keys())
def test_bindings_are_read_in_every_shape_models_write_them(text: str, bindings: dict[str, object]) -> None:
    decision = parse_decision(with_bindings(text))
    assert isinstance(decision, ToolCall)
    assert decision.bindings == bindings


@pytest.mark.parametrize(
    "bindings",
    [
        '{"recipient": true}',
        '{"recipient": 1.5}',
        '{"recipient": {}}',
        '{"recipient": {"name": "Alex"}}',
        '{"recipient": {"id": "p1", "entity_id": "p2"}}',
        '{"recipient": {"id": {"id": "p1"}}}',
        '{"attendees": [["p1"], ["p2"]]}',
        '{"attendees": ["p1", true]}',
        '{"attendees": ["p1", {"name": "Alex"}]}',
        '{"recipient:person": "p1", "recipient": "p2"}',
        '{"recipient": "p1", " recipient": "p2"}',
        '{"attendees": ["p1", "p2"], "attendees:person": "p1"}',
        '[{"slot": "attendees", "entity_id": "p1"}, {"slot": "attendees", "entity_id": true}]',
        '[{"slot": "attendees", "entity_id": ["p1", ["p2"]]}]',
        '["p1"]',
        '[{"entity_id": "p1"}]',
        '[{"slot": 1, "entity_id": "p1"}]',
        '[{"slot": "recipient"}]',
        '"p1"',
        "17",
        "true",
    ],
)
def test_bindings_that_do_not_name_one_meaning_are_invalid(bindings: str) -> None:
    decision = parse_decision(with_bindings(bindings))
    assert isinstance(decision, Invalid)
    assert "bound" in decision.reason or "'bindings'" in decision.reason


@pytest.mark.parametrize(
    "bindings",
    [
        '[{"slot": "recipient", "entity_id": "p1"}, {"slot": "thread", "entity_id": null}]',
        '{"recipient": "p1", "thread": {"entity_id": null}}',
        '{"recipient": "p1", "thread": [{"id": null}]}',
    ],
)
def test_an_object_whose_id_is_null_is_not_bound(bindings: str) -> None:
    assert parse_decision(with_bindings(bindings)) == ToolCall("t", {"recipient": "p1"})


# --- strings ---


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("line one\nline two", "line one\nline two"),
        ("a\tb", "a\tb"),
        ("a\r\nb", "a\r\nb"),
        ("bell \x07 null \x00 escape \x1b", "bell \x07 null \x00 escape \x1b"),
        ("\\n \\t \\\\ \\/ \\u00e9", "\n \t \\ / é"),
        ("a, ] and , } and ,] stay", "a, ] and , } and ,] stay"),
        ("{ [ ( } ] )", "{ [ ( } ] )"),
        ('\\"decision\\": \\"DEFER\\"', '"decision": "DEFER"'),
        ('{\\"decision\\": \\"DEFER\\"}', '{"decision": "DEFER"}'),
        ("```json", "```json"),
        ("\u2028 \u2029 \u0085", "\u2028 \u2029 \u0085"),
        ("日本語 🎉 é", "日本語 🎉 é"),
        ("\\ud83c\\udf89", "🎉"),
        ("ends in a backslash \\\\", "ends in a backslash \\"),
        ("<think>this</think> <THINKING>stays</THINKING>", "<think>this</think> <THINKING>stays</THINKING>"),
        ("an opening <think> alone", "an opening <think> alone"),
        ("a closing </think> alone, </reasoning>", "a closing </think> alone, </reasoning>"),
    ],
)
@pytest.mark.parametrize("trailing", ["", ","], ids=["strict", "with a trailing comma"])
def test_text_inside_strings_is_kept_as_it_is(written: str, read: str, trailing: str) -> None:
    text = f'{{"decision": "ACT", "tool": "t", "arguments": {{"body": "{written}"{trailing}}}}}'
    assert parse_decision(text) == ToolCall("t", arguments={"body": read})


@pytest.mark.parametrize(
    "arguments",
    [
        {"n": 9007199254740993},
        {"n": 10**4000},
        {"n": -0.5, "m": 1e308, "k": 5e-324},
        {"deep": {"er": [{"and": ["deeper", None, True]}]}},
        {"": ""},
        {"decision": "DEFER"},
    ],
    ids=lambda arguments: str(list(arguments)),
)
def test_arguments_are_kept_as_json(arguments: dict[str, object]) -> None:
    assert parse_decision(act(arguments=arguments)) == ToolCall("t", arguments=arguments)  # type: ignore[arg-type]


# --- what is not tolerated ---

UNREADABLE: dict[str, tuple[str, str]] = {
    "nothing": ("", "empty"),
    "blanks": (" \n\t", "empty"),
    "only reasoning": (f"<think>{SENT}</think>", "no JSON object"),
    "only reasoning that was opened in the prompt": (f"{SENT}</think>", "no JSON object"),
    "only reasoning, and prose": (f"<think>{SENT}</think>I will.", "no JSON object"),
    "prose": ("I will email Alex.", "no JSON object"),
    "a number": ("42", "no JSON object"),
    "a list of texts": ('["ACT", "send_email"]', "no JSON object"),
    "an empty object": ("{}", "no key 'decision'"),
    "an object without a decision": ('{"tool": "send_email"}', "no key 'decision'"),
    "a decision spelled in capitals": ('{"Decision": "DEFER"}', "no key 'decision'"),
    "a decision one level down": (f'{{"response": {SENT}}}', "no key 'decision'"),
    "an unknown decision": ('{"decision": "SEND"}', "'SEND'"),
    "a decision that only begins well": ('{"decision": "ACTION", "tool": "t"}', "'ACTION'"),
    "two decisions in one": ('{"decision": "ACT or CLARIFY", "tool": "t"}', "expected 'ACT', 'CLARIFY' or 'DEFER'"),
    "an empty decision": ('{"decision": "", "tool": "t"}', "expected 'ACT', 'CLARIFY' or 'DEFER'"),
    "a decision that is null": ('{"decision": null, "tool": "t"}', "None"),
    "a decision that is true": ('{"decision": true, "tool": "t"}', "True"),
    "a decision that is a list": ('{"decision": ["ACT"], "tool": "t"}', "['ACT']"),
    "acting without a tool": ('{"decision": "ACT", "bindings": {}}', "names no tool"),
    "acting with an empty tool": ('{"decision": "ACT", "tool": "  "}', "names no tool"),
    "acting with null": ('{"decision": "ACT", "tool": null}', "names no tool"),
    "a tool that is no text": ('{"decision": "ACT", "tool": {"name": "t"}}', "'tool'"),
    "a question that is no text": ('{"decision": "CLARIFY", "clarification_question": ["a"]}', "question"),
    "a reason that is no text": ('{"decision": "DEFER", "reason": 1}', "'reason'"),
    "arguments that are a list": ('{"decision": "ACT", "tool": "t", "arguments": ["a"]}', "'arguments'"),
    "arguments that are text": ('{"decision": "ACT", "tool": "t", "arguments": "{}"}', "'arguments'"),
    "two different decisions": (f"{SENT} {ASKED}", "2 different decisions"),
    "two different bindings": (f"{SENT}\nor\n{OTHER}", "2 different decisions"),
    "a list of different decisions": (f"[{SENT}, {OTHER}]", "2 different decisions"),
    "three different decisions": (f"{SENT} {SENT} {OTHER} {ASKED}", "3 different decisions"),
    "a decision and a broken one": (f'{SENT} {{"decision": "ACT", "tool": }}', "cannot be read"),
    "a broken decision and a good one": (f'{{"decision": ACT}} {SENT}', "cannot be read"),
    "the format echoed before the answer": (f'{{"decision": "ACT" | "CLARIFY", ...}} {SENT}', "cannot be read"),
    "a key twice with different values": (
        '{"decision": "ACT", "tool": "t", "tool": "u"}',
        "'tool' is given twice with different values",
    ),
    "the decision twice": ('{"decision": "ACT", "tool": "t", "decision": "DEFER"}', "'decision' is given twice"),
    "the decision twice in two cases": ('{"decision": "ACT", "tool": "t", "decision": "act"}', "given twice"),
    "one and true under one key": (act(arguments={"a": 1})[:-2] + ', "a": true}}', "'a' is given twice"),
    "zero and false under one key": (act(arguments={"a": [0]})[:-2] + ', "a": [false]}}', "'a' is given twice"),
    "null and nothing under one key": (act(arguments={"a": {"b": None}})[:-2] + ', "a": {}}}', "'a' is given twice"),
    "a slot twice": (with_bindings('{"recipient": "p1", "recipient": "p2"}'), "'recipient' is given twice"),
    "a key twice, deep inside": (act(arguments={"a": 1})[:-2] + ', "a": 2}}', "'a' is given twice"),
    "cut off after the opening": ('{"decision": "ACT"', "cut off"),
    "cut off in a string": ('{"decision": "ACT", "tool": "send_em', "cut off"),
    "cut off after an escape": ('{"decision": "ACT", "tool": "send\\', "cut off"),
    "cut off before the last brace": (SENT[:-1], "cut off"),
    "cut off inside a fence": (f"```json\n{SENT[:-2]}\n```", "cut off"),
    "a second decision that is cut off": (f'{SENT} {{"decision": "ACT", "tool', "cut off"),
    "a quote that is never closed": ('{"decision": "ACT, "tool": "t"}', "cut off"),
    "a stray quote before the decision": (f'{{" {SENT}', "cut off"),
    "mismatched brackets": ('{"decision": "ACT", "tool": ["t"}', "cut off"),
    "single quotes": ("{'decision': 'ACT', 'tool': 't'}", "no JSON object"),
    "bare keys": ('{decision: "ACT", tool: "t"}', "no JSON object"),
    "a Python constant": ('{"decision": "ACT", "tool": "t", "bindings": None}', "cannot be read"),
    "a comment": ('{"decision": "ACT", /* sure */ "tool": "t"}', "cannot be read"),
    "a missing comma": ('{"decision": "ACT" "tool": "t"}', "cannot be read"),
    "two commas": ('{"decision": "ACT",, "tool": "t"}', "cannot be read"),
    "two trailing commas": ('{"decision": "ACT", "tool": "t",,}', "cannot be read"),
    "a bad escape": ('{"decision": "ACT", "tool": "\\x41"}', "cannot be read"),
    "NaN": ('{"decision": "ACT", "tool": "t", "arguments": {"n": NaN}}', "NaN"),
    "Infinity": ('{"decision": "ACT", "tool": "t", "arguments": {"n": Infinity}}', "Infinity"),
    "minus Infinity": ('{"decision": "ACT", "tool": "t", "arguments": {"n": -Infinity,}}', "-Infinity"),
    "a number too large": ('{"decision": "ACT", "tool": "t", "arguments": {"n": 1e999}}', "1e999"),
    "a number too small": ('{"decision": "ACT", "tool": "t", "scores": {"n": {"a": -1e999}}}', "-1e999"),
    "a whole number of 5000 digits": (
        f'{{"decision": "ACT", "tool": "t", "arguments": {{"n": {"9" * 5000}}}}}',
        "cannot be read",
    ),
    "a number with a leading zero": ('{"decision": "ACT", "tool": "t", "arguments": {"n": 007}}', "cannot be read"),
    "half a surrogate pair as an escape": ('{"decision": "DEFER", "reason": "\\ud83d"}', "surrogate"),
    "the other half": ('{"decision": "DEFER", "reason": "x\\udc00"}', "surrogate"),
    "half a surrogate pair in a key": ('{"decision": "DEFER", "\\ud800": 1}', "surrogate"),
    "half a surrogate pair as it is": ('{"decision": "DEFER", "reason": "\ud800"}', "surrogate"),
    "nothing but open braces": ("{" * MAX_CHARS, "no JSON object"),
    "one character too many": (SENT + " " * (MAX_CHARS + 1 - len(SENT)), "characters"),
    "objects nested without end": ('{"a":' * 1000, "nested more than"),
    "lists nested without end": ('{"a":' + "[" * 100_000, "nested more than"),
    "a decision that holds too deep nesting": (act(arguments={})[:-2] + '"a":' + "[" * 70 + "]" * 70 + "}}", "nested"),
}


@pytest.mark.parametrize(("text", "word"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_understood_is_invalid_with_a_reason(text: str, word: str) -> None:
    decision = parse_decision(text)
    assert isinstance(decision, Invalid)
    assert word in decision.reason


def test_nesting_is_read_up_to_the_limit_and_not_beyond() -> None:
    def nested(levels: int) -> str:
        return act(x=0)[:-2] + "[" * (levels - 1) + "]" * (levels - 1) + "}"

    assert parse_decision(nested(MAX_DEPTH)) == ToolCall("t")
    assert isinstance(parse_decision(nested(MAX_DEPTH + 1)), Invalid)


def test_length_is_read_up_to_the_limit_and_not_beyond() -> None:
    assert parse_decision(SENT.ljust(MAX_CHARS)) == SEND
    assert isinstance(parse_decision(SENT.ljust(MAX_CHARS + 1)), Invalid)


@pytest.mark.parametrize("text", [SENT, ASKED, '{"decision":"DEFER","reason":"n\\u00e9 {[\\"]}"}'])
def test_every_beginning_of_a_decision_is_invalid(text: str) -> None:
    for end in range(len(text)):
        assert isinstance(parse_decision(text[:end]), Invalid)


# --- clarifying and deferring ---

QUESTIONS: list[tuple[dict[str, object], Decision]] = [
    ({}, Clarify()),
    ({"clarification_question": None}, Clarify()),
    ({"clarification_question": " Which? "}, Clarify("Which?")),
    ({"slot": "recipient:person"}, Clarify(slot="recipient")),
    ({"slot": ""}, Clarify()),
    ({"attributes": ["team", 3, "role", None]}, Clarify(attributes=("team", "role"))),
    ({"attributes": "team"}, Clarify()),
    (
        {"options": [{"entity_id": "p1", "values": {"team": "A"}}, {"id": "p2"}, "p3", 7, {"values": {}}]},
        Clarify(options=(Option("p1", {"team": "A"}), Option("p2"), Option("p3"))),
    ),
    (
        {"options": [{"entity_id": 17, "values": {"team": "A"}}, {"id": -2}, {"id": True}, {"id": 1.5}, {"id": None}]},
        Clarify(options=(Option("17", {"team": "A"}), Option("-2"))),
    ),
    ({"options": [{"entity_id": "p1", "values": "A"}]}, Clarify(options=(Option("p1"),))),
    ({"options": {"entity_id": "p1"}}, Clarify()),
    ({"tool": "send_email"}, Clarify(tool="send_email")),
    ({"bindings": {"thread:email_thread": "t1", "x": None}}, Clarify(bindings={"thread": "t1"})),
    ({"bindings": "NEEDS_CLARIFICATION"}, Clarify()),
    ({"bindings": {"recipient": True}}, Clarify()),
    ({"reason": "unsure", "arguments": ["x"]}, Clarify()),
]


@pytest.mark.parametrize(("keys", "expected"), QUESTIONS, ids=lambda value: str(value)[:50])
@pytest.mark.parametrize("word", ["CLARIFY", "clarify", " Clarify "])
def test_a_question_is_read_with_what_it_offers(keys: dict[str, object], expected: Decision, word: str) -> None:
    assert parse_decision(json.dumps({"decision": word, **keys})) == expected


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, Defer()),
        ({"reason": " not_permitted "}, Defer("not_permitted")),
        ({"reason": None, "tool": "t", "bindings": "whatever", "arguments": 3}, Defer()),
        ({"provenance": ["nobody is called so"]}, Defer(evidence=(Evidence(text="nobody is called so"),))),
        ({"scores": {"recipient": {"p1": 0.5}}}, Defer(scores={"recipient": {"p1": 0.5}})),
    ],
)
def test_a_deferral_is_read_with_its_reason(keys: dict[str, object], expected: Decision) -> None:
    assert parse_decision(json.dumps({"decision": "DEFER", **keys})) == expected


# --- provenance and scores ---

PROVENANCE: dict[str, tuple[object, tuple[Evidence, ...]]] = {
    "text": ("the only Alex", (Evidence(text="the only Alex"),)),
    "texts": (["a", "b"], (Evidence(text="a"), Evidence(text="b"))),
    "a record": (
        [{"slot": "recipient:person", "entity_id": "p1", "evidence": "same name"}],
        (Evidence("recipient", "p1", text="same name"),),
    ),
    "a record that is no list": (
        {"slot": "recipient", "entity_id": 17, "evidence": None},
        (Evidence("recipient", "17"),),
    ),
    "structured evidence": (
        [
            {
                "slot": "recipient",
                "entity_id": "p1",
                "evidence": [
                    {"source_id": "p1", "field": "name", "value": "Alex", "weight": 1},
                    "and a text",
                    {"value": {"n": [1]}, "weight": "heavy"},
                ],
            }
        ],
        (
            Evidence("recipient", "p1", "p1", "name", "Alex", 1.0),
            Evidence("recipient", "p1", text="and a text"),
            Evidence("recipient", "p1", value={"n": [1]}),
        ),
    ),
    "evidence that is one record": (
        [{"slot": "s", "evidence": {"source_id": "t1", "field": "subject"}}],
        (Evidence("s", None, "t1", "subject"),),
    ),
    "a flat record": (
        [{"slot": "s", "source_id": "t1", "field": "subject", "value": "Launch", "weight": 0.5}],
        (Evidence("s", None, "t1", "subject", "Launch", 0.5),),
    ),
    "a weight that is no number": ([{"weight": True}, {"weight": 10**400}], (Evidence(), Evidence())),
    "what is neither text nor record": ([3, None, True], ()),
    "a number": (3, ()),
    "null": (None, ()),
}


@pytest.mark.parametrize(("given_", "expected"), PROVENANCE.values(), ids=PROVENANCE.keys())
def test_provenance_is_read_in_every_shape(given_: object, expected: tuple[Evidence, ...]) -> None:
    decision = parse_decision(act(provenance=given_))
    assert isinstance(decision, ToolCall)
    assert decision.evidence == expected


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        ({"recipient": {"p1": 0.75, "p2": 0, "p3": 1}}, {"recipient": {"p1": 0.75, "p2": 0.0, "p3": 1.0}}),
        ({"recipient:person": {"p1": 0.5}}, {"recipient": {"p1": 0.5}}),
        (
            {"recipient": {"p1": 1.5, "p2": -0.1, "p3": True, "p4": "0.5", "p5": None, "p6": 0.5}},
            {"recipient": {"p6": 0.5}},
        ),
        ({"recipient": {"p1": 85}}, {}),
        ({"recipient": 0.9}, {}),
        ([0.9], {}),
        (None, {}),
    ],
    ids=str,
)
def test_scores_are_read_where_they_are_between_zero_and_one(given_: object, expected: dict[str, object]) -> None:
    decision = parse_decision(act(scores=given_))
    assert isinstance(decision, ToolCall)
    assert decision.scores == expected


# --- equal decisions ---


@pytest.mark.parametrize("key", ["bindings", "arguments", "scores"])
def test_decisions_are_equal_whatever_the_order_of_slots_arguments_and_scores(key: str) -> None:
    inner: dict[str, object] = {"p": {"i": 1, "j": 0.5}, "q": {"i": 1}} if key == "scores" else {"p": "1", "q": "2"}
    text, turned = act(**{key: inner}), act(**{key: dict(reversed(inner.items()))})
    assert parse_decision(text) == parse_decision(turned)
    assert parse_decision(f"{text} {turned}") == parse_decision(text)


def test_decisions_that_differ_in_what_they_do_are_different_though_python_holds_them_equal() -> None:
    for one, other in [(1, True), (0, False), (1, 1.0), ("1", 1), (None, "")]:
        decision = parse_decision(f"{act(arguments={'n': one})} {act(arguments={'n': other})}")
        assert decision == Invalid("the answer holds 2 different decisions")


# --- reasoning that was opened in the prompt ---


@pytest.mark.parametrize(
    "reasoning",
    [
        'The format is {"decision": "ACT" | "CLARIFY", ...}.',
        'Perhaps {"decision": "ACT", "tool": or',
        'The slots are {"recipient and',
        'I "quote { " and { "',
        '{"a":' * 100,
    ],
)
def test_reasoning_that_was_opened_in_the_prompt_may_hold_what_cannot_be_read(reasoning: str) -> None:
    assert parse_decision(f"<think>{reasoning}</think>{SENT}") == SEND
    assert parse_decision(f"{reasoning}</think>{SENT}") == SEND


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'{{"decision": ACT, "reason": "</think>"}} {SENT}', None),
        (f'<think>a <think>b</think> {{"decision": or}} </think>{SENT}', SEND),
    ],
    ids=["a tag inside an object that cannot be read", "reasoning opened twice, closed twice"],
)
def test_tags_count_as_they_do_where_everything_can_be_read(text: str, expected: Decision | None) -> None:
    decision = parse_decision(text)
    assert decision == expected if expected else isinstance(decision, Invalid)


# --- reasons ---

LONG = ["x" * 5_000, "'\"\\" * 2_000, "\0" * 5_000, "é" * 5_000]


@pytest.mark.parametrize(
    "make",
    [
        lambda s: json.dumps({"decision": s}),
        lambda s: json.dumps({"decision": [s, s]}),
        lambda s: json.dumps({"decision": "ACT", "tool": [s]}),
        lambda s: json.dumps({"decision": "DEFER", "reason": {s: s}}),
        lambda s: act(arguments=s),
        lambda s: act(bindings=s),
        lambda s: act(bindings={s: True}),
        lambda s: act(bindings={"recipient": {s: s}}),
        lambda s: act(bindings={f"{s}:a": "p1", s: "p2"}),
        lambda s: act(x=0)[:-1] + f", {json.dumps(s)}: 1, {json.dumps(s)}: 2}}",
        lambda s: act(x=0)[:-1] + f', "n": {"9" * len(s)}e9}}',
        lambda s: act(x=0)[:-1] + f', "n": {"9" * len(s)}}}',
        lambda s: act(x=0)[:-1] + f", {json.dumps(s)}}}",
        lambda s: f"{{{json.dumps(s)}: 1}}",
    ],
)
def test_a_reason_quotes_no_more_than_the_beginning_of_what_was_sent(make: Callable[[str], str]) -> None:
    for long in LONG:
        decision = parse_decision(make(long))
        assert isinstance(decision, Invalid)
        assert len(decision.reason) < 200
        assert "\n" not in decision.reason


# --- any text ---

FRAGMENTS = st.sampled_from(
    [
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        ",",
        ":",
        "\\",
        " ",
        "\n",
        "\0",
        "\ud800",
        "```json",
        "<think>",
        "</think>",
        '"decision"',
        '"ACT"',
        '"CLARIFY"',
        '"DEFER"',
        '"tool"',
        '"bindings"',
        '"provenance"',
        '"scores"',
        '"options"',
        '{"decision":',
        '{"decision":"DEFER"}',
        SENT,
        "null",
        "true",
        "NaN",
        "-Infinity",
        "1e999",
        "-0",
        "9" * 4400,
        '"t"',
        '{"id":"p1"}',
    ]
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(st.characters(), max_size=200))
@example("\ud800{}")
@example('{"decision":')
def test_no_text_makes_reading_raise(text: str) -> None:
    assert isinstance(parse_decision(text), ToolCall | Clarify | Defer | Invalid)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(FRAGMENTS, max_size=25).map("".join))
def test_no_heap_of_json_fragments_makes_reading_raise(text: str) -> None:
    decision = parse_decision(text)
    assert isinstance(decision, ToolCall | Clarify | Defer | Invalid)
    if isinstance(decision, Invalid):
        assert decision.reason.strip()
    else:
        assert '"decision"' in text


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["slot", "entity_id", "id", "evidence", "value", "weight", "values", "p1"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)
KEYS = [
    "tool",
    "bindings",
    "arguments",
    "clarification_question",
    "provenance",
    "slot",
    "attributes",
    "options",
    "reason",
    "scores",
]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(["ACT", "CLARIFY", "DEFER"]), st.dictionaries(st.sampled_from(KEYS), JSON_VALUES))
def test_no_values_under_the_known_keys_make_reading_raise(word: str, keys: dict[str, object]) -> None:
    decision = parse_decision(json.dumps({"decision": word, **keys}))
    expected = {"ACT": ToolCall, "CLARIFY": Clarify, "DEFER": Defer}[word]
    assert isinstance(decision, expected | Invalid)
