"""Writing a decision and reading it again gives the decision, however the text is wrapped on the way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ebf_env.decisions import (
    Clarify,
    Decision,
    Defer,
    Evidence,
    Invalid,
    Option,
    ToolCall,
    decision_text,
    parse_decision,
)

quick = settings(max_examples=15, deadline=None, derandomize=True)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SAID = TEXT.map(str.strip)
NAME = SAID.filter(bool)
SLOT = TEXT.map(lambda text: text.replace(":", "").strip()).filter(bool)
JSON_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECT = st.dictionaries(TEXT, JSON_VALUE, max_size=3)
BOUND = NAME | st.lists(NAME, min_size=1, max_size=3, unique=True).map(tuple)
BINDINGS = st.dictionaries(SLOT, BOUND, max_size=3)
EVIDENCE = st.builds(
    Evidence,
    st.none() | SLOT,
    st.none() | TEXT,
    st.none() | TEXT,
    st.none() | TEXT,
    JSON_VALUE,
    st.none() | st.floats(-1e9, 1e9),
    st.none() | TEXT,
)
SUPPORT = st.lists(EVIDENCE, max_size=3).map(tuple)
SCORES = st.dictionaries(SLOT, st.dictionaries(TEXT, st.floats(0, 1), min_size=1, max_size=3), max_size=2)
OPTION = st.builds(Option, TEXT, OBJECT)

DECISIONS: st.SearchStrategy[Decision] = st.one_of(
    st.builds(ToolCall, NAME, BINDINGS, OBJECT, SUPPORT, SCORES),
    st.builds(
        Clarify,
        SAID,
        st.none() | SLOT,
        st.lists(TEXT, max_size=3).map(tuple),
        st.lists(OPTION, max_size=3).map(tuple),
        st.none() | SAID,
        BINDINGS,
        SUPPORT,
        SCORES,
    ),
    st.builds(Defer, SAID, SUPPORT, SCORES),
)


@quick
@given(DECISIONS)
def test_a_decision_that_is_written_reads_as_itself_and_is_ascii_on_one_line(decision: Decision) -> None:
    text = decision_text(decision)
    assert parse_decision(text) == decision
    assert text.isascii()
    assert text.isprintable()
    assert isinstance(json.loads(text), dict)


@pytest.mark.parametrize("reason", ["", "no JSON object", 'quotes " and {braces}'])
def test_an_invalid_decision_that_is_written_is_invalid_again(reason: str) -> None:
    assert isinstance(parse_decision(decision_text(Invalid(reason))), Invalid)


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        (
            ToolCall("send_email", {"recipient": "p1", "attachments": ("d1", "d2")}, {"subject": "é"}),
            {
                "decision": "ACT",
                "tool": "send_email",
                "bindings": {"recipient": "p1", "attachments": ["d1", "d2"]},
                "arguments": {"subject": "é"},
            },
        ),
        (
            ToolCall(
                "t",
                {},
                evidence=(Evidence("recipient", "p1", "p1", "name", "Alex", 0.5, "same name"),),
                scores={"recipient": {"p1": 0.9}},
            ),
            {
                "decision": "ACT",
                "tool": "t",
                "bindings": {},
                "provenance": [
                    {
                        "slot": "recipient",
                        "entity_id": "p1",
                        "source_id": "p1",
                        "field": "name",
                        "value": "Alex",
                        "weight": 0.5,
                        "evidence": "same name",
                    }
                ],
                "scores": {"recipient": {"p1": 0.9}},
            },
        ),
        (
            Clarify("Which?", "recipient", ("team",), (Option("p1", {"team": "A"}),), "send_email"),
            {
                "decision": "CLARIFY",
                "tool": "send_email",
                "bindings": {},
                "clarification_question": "Which?",
                "slot": "recipient",
                "attributes": ["team"],
                "options": [{"entity_id": "p1", "values": {"team": "A"}}],
            },
        ),
        (Defer("not_permitted"), {"decision": "DEFER", "reason": "not_permitted"}),
    ],
)
def test_a_decision_is_written_in_the_format_of_the_paper_and_its_extensions(
    decision: Decision, expected: dict[str, object]
) -> None:
    assert json.loads(decision_text(decision)) == expected


# --- wrapping ---

WRAPPINGS = {
    "nothing": "{}",
    "a fence": "```json\n{}\n```",
    "a bare fence": "```\n{}\n```",
    "prose": "I'd say this isn't hard:\n\n{}\n\nLet me know!",
    "prose with braces": "The set {{a, b}} has {{}} and [x]. {} And } or { too.",
    "prose with a JSON object": 'Seen: {"id": "p1"} hence {} as {"id": "p1"} shows',
    "reasoning": '<think>{"decision": "DEFER"} or "not {</think>\n{}',
    "Windows line ends": "Here:\r\n```json\r\n{}\r\n```\r\n",
    "a byte order mark": "\ufeff{}",
    "a list": "[{}]",
    "itself": "{} and again {}",
}


def wrapped(wrapping: str, text: str) -> str:
    """The text in place of the last ``{}`` of the wrapping (of every one, if it says so twice alone)."""
    if wrapping.count("{}") > 1 and "again" in wrapping:
        return wrapping.replace("{}", text)
    before, _, after = wrapping.rpartition("{}")
    return before + text + after


@pytest.mark.parametrize("wrapping", WRAPPINGS.values(), ids=WRAPPINGS.keys())
def test_wrapping_a_decision_does_not_change_it(wrapping: str) -> None:
    @settings(max_examples=6, deadline=None, derandomize=True)
    @given(DECISIONS)
    def check(decision: Decision) -> None:
        assert parse_decision(wrapped(wrapping, decision_text(decision))) == decision

    check()


def with_trailing_commas(text: str, blank: str = "") -> str:
    """Compact JSON with a comma before every closing bracket that closes something."""
    result, in_string, escaped = "", False, False
    for char in text:
        if not in_string and char in "}]" and result[-1] not in "{[":
            result += blank + "," + blank
        if char == '"' and not escaped:
            in_string = not in_string
        escaped = in_string and char == "\\" and not escaped
        result += char
    return result


def test_trailing_commas_are_put_where_they_are_meant_to_be() -> None:
    assert with_trailing_commas('{"a":[1,{}],"b,]}":"\\\\\\"}"}') == '{"a":[1,{},],"b,]}":"\\\\\\"}",}'


@quick
@given(DECISIONS, st.sampled_from(["", " ", "\n", "\t \r\n"]))
def test_trailing_commas_do_not_change_a_decision(decision: Decision, blank: str) -> None:
    assert parse_decision(with_trailing_commas(decision_text(decision), blank)) == decision


@quick
@given(DECISIONS)
def test_laying_a_decision_out_over_lines_does_not_change_it(decision: Decision) -> None:
    value = json.loads(decision_text(decision))
    assert parse_decision(json.dumps(value, indent=2, ensure_ascii=False)) == decision
    assert parse_decision(json.dumps(value, indent="\t", sort_keys=True).replace("\n", "\r\n")) == decision


@quick
@given(DECISIONS, st.data())
def test_a_decision_that_is_cut_off_anywhere_is_invalid(decision: Decision, data: st.DataObject) -> None:
    text = decision_text(decision)
    end = data.draw(st.integers(0, len(text) - 1))
    assert isinstance(parse_decision(text[:end]), Invalid)
    assert isinstance(parse_decision(f"```json\n{text[:end]}\n```"), Invalid)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(DECISIONS, DECISIONS)
def test_two_decisions_are_read_only_if_they_are_the_same(one: Decision, other: Decision) -> None:
    read = parse_decision(f"{decision_text(one)}\n{decision_text(other)}")
    if decision_text(one) == decision_text(other):
        assert read == one
    else:
        assert isinstance(read, Invalid) or one == other


@quick
@given(st.builds(ToolCall, NAME, BINDINGS.filter(bool)), st.sampled_from([":person", " : person ", ":a:b", ":"]))
def test_a_type_suffix_on_every_slot_does_not_change_a_call(call: ToolCall, suffix: str) -> None:
    value = json.loads(decision_text(call))
    value["bindings"] = {slot + suffix: bound for slot, bound in value["bindings"].items()}
    assert parse_decision(json.dumps(value)) == call
