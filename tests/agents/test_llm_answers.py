"""Answers of a server: both protocols, what is recorded, and what is fallen back to."""

from __future__ import annotations

import json

import pytest

from ebf_agents.llm.json_protocol import JsonProtocol
from ebf_agents.llm.tools_protocol import ToolsProtocol
from ebf_env.decisions import Clarify, Defer, Invalid, Option, ToolCall, parse_decision
from tests.agents.llm_helpers import ACT, PROMPT, WANTING, ask, backend_at, observation_of, query_of
from tests.agents.stub_server import StubServer, completion, tool_calls

CONSTRAINED = "ids constrained to the candidates shown"
NO_SCHEMA = "json_schema refused by the server; json_object used"
NO_JSON = "json_schema and json_object refused by the server; plain text used"


def format_of(body: dict[str, object]) -> str | None:
    return body["response_format"]["type"] if "response_format" in body else None  # type: ignore[index]


# --- the JSON protocol ---


def test_the_json_protocol_sends_a_schema_and_records_the_answer(resolvable):
    with StubServer(lambda _: completion(ACT)) as server:
        backend = backend_at(server.url, price={"input": 1, "output": 10}, sampling={"max_tokens": 50, "seed": 3})
        (answer,) = ask(backend, query_of(resolvable, trial=2))
    (request,) = server.requests
    assert server.paths == ["/v1/chat/completions"]
    assert set(request) == {"model", "messages", "response_format", "temperature", "max_tokens", "seed"}
    assert (request["model"], request["temperature"], request["max_tokens"], request["seed"]) == ("stub-1", 0, 50, 5)
    assert "anyOf" in request["response_format"]["json_schema"]["schema"]
    assert (answer.text, answer.decision) == (ACT, None), "whoever runs the episode reads the text"
    assert answer.notes == (CONSTRAINED,)
    assert answer.usage == {
        "prompt_tokens": 100,
        "completion_tokens": 10,
        "finish_reason": "stop",
        "requests": 1,
        "cost_usd": 0.0002,
    }
    assert answer.prompt is not None
    assert answer.prompt.startswith("direct/1 json/2 ")


def test_a_cost_that_is_not_known_is_not_recorded(resolvable):
    without_usage = {**completion(ACT), "usage": None}
    with StubServer(lambda _: without_usage) as server:
        (answer,) = ask(backend_at(server.url, price={"input": 1, "output": 1}), query_of(resolvable))
    assert answer.usage == {"finish_reason": "stop", "requests": 1}
    with StubServer(lambda _: completion(ACT)) as server:
        (answer,) = ask(backend_at(server.url), query_of(resolvable))
    assert "cost_usd" not in answer.usage


def test_cached_tokens_and_their_price(resolvable):
    usage = {"prompt_tokens": 1000, "completion_tokens": 0, "prompt_tokens_details": {"cached_tokens": 900}}
    with StubServer(lambda _: {**completion(ACT), "usage": usage}) as server:
        price = {"input": 1, "output": 1, "cached_input": 0.1}
        (answer,) = ask(backend_at(server.url, price=price), query_of(resolvable))
    assert answer.usage["cached_tokens"] == 900
    assert answer.usage["cost_usd"] == pytest.approx(0.00019)


def test_an_answer_that_was_cut_off_is_noted(resolvable):
    with StubServer(lambda _: completion('{"decision":"A', finish_reason="length")) as server:
        (answer,) = ask(backend_at(server.url), query_of(resolvable))
    assert answer.notes == (CONSTRAINED, "the answer was cut off at the greatest number of tokens")
    assert isinstance(parse_decision(answer.text), Invalid)


@pytest.mark.parametrize("status", [400, 404, 422, 501])
@pytest.mark.parametrize("message", ["response_format.json_schema is not supported", "Bad request"])
def test_a_server_that_refuses_schemas_is_asked_for_an_object(resolvable, status, message):
    def answer(body):
        return (status, {"error": {"message": message}}) if format_of(body) == "json_schema" else completion(ACT)

    with StubServer(answer) as server:
        backend = backend_at(server.url)
        answers = ask(backend, query_of(resolvable), query_of(resolvable))
        answers += ask(backend, query_of(resolvable))
    assert [format_of(r) for r in server.requests] == ["json_schema"] + ["json_object"] * 3, "remembered for good"
    assert [a.notes for a in answers] == [(NO_SCHEMA,)] * 3
    assert [a.usage["requests"] for a in answers] == [2, 1, 1]


def test_a_server_that_refuses_both_is_asked_for_plain_text(resolvable):
    def answer(body):
        refused = (400, {"message": "'response_format' not understood"})
        return refused if "response_format" in body else completion(f"Here you are: {ACT}")

    with StubServer(answer) as server:
        first, second = ask(backend_at(server.url), query_of(resolvable), query_of(resolvable))
    assert [format_of(r) for r in server.requests] == ["json_schema", "json_object", None, None]
    assert first.notes == second.notes == (NO_JSON,)
    assert parse_decision(first.text) == ToolCall("send_email", {"recipient": "p2"})


@pytest.mark.parametrize("structured", ["json_schema", "json_object", "none"])
def test_a_form_that_was_asked_for_is_kept(resolvable, structured):
    with StubServer(lambda _: completion(ACT)) as server:
        (answer,) = ask(backend_at(server.url, structured=structured), query_of(resolvable))
    assert format_of(server.requests[0]) == (None if structured == "none" else structured)
    assert answer.notes == ((CONSTRAINED,) if structured == "json_schema" else ())


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": None}, ""),
        ({"content": None, "refusal": "I will not."}, "I will not."),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab"),
        ({"content": 7}, ""),
        ({}, ""),
    ],
)
def test_whatever_a_message_holds_is_an_answer(resolvable, message, text):
    for protocol in (JsonProtocol(), ToolsProtocol()):
        assert protocol.read(message, observation_of(resolvable)).text == text
    reading = ToolsProtocol().read(message, observation_of(resolvable))
    assert isinstance(reading.decision, Invalid)


# --- the tools protocol ---


def test_the_tools_protocol_offers_tools_and_reads_the_call(several):
    arguments = {"recipient": "p3", "attachments": ["d1", "d2"], "subject": "Plans"}
    with StubServer(lambda _: tool_calls(("send_email", arguments))) as server:
        (answer,) = ask(backend_at(server.url, protocol="tools"), query_of(several))
    (request,) = server.requests
    assert "response_format" not in request
    assert request["tool_choice"] == "required"
    assert [t["function"]["name"] for t in request["tools"]][-2:] == ["clarify", "defer"]
    assert answer.decision == ToolCall(
        "send_email", {"recipient": "p3", "attachments": ("d1", "d2")}, {"subject": "Plans"}
    )
    recorded = json.loads(answer.text)
    assert list(recorded) == ["content", "tool_calls"]
    assert json.loads(recorded["tool_calls"][0]["function"]["arguments"]) == arguments
    assert "id" not in recorded["tool_calls"][0], "drawn anew each time"
    assert answer.notes == (CONSTRAINED,)
    assert answer.prompt is not None
    assert " tools/2 " in answer.prompt


@pytest.mark.parametrize(
    ("calls", "decision"),
    [
        (
            [("clarify", {"question": "Which Alex?", "slot": "recipient", "options": ["p1", "p2"]})],
            Clarify("Which Alex?", "recipient", options=(Option("p1"), Option("p2"))),
        ),
        ([("clarify", {})], Clarify()),
        ([("defer", {"reason": "no_referent"})], Defer("no_referent")),
        ([("send_email", {"recipient": "p2"})] * 2, ToolCall("send_email", {"recipient": "p2"})),
        ([("send_email", '{"recipient": "p2",}')], ToolCall("send_email", {"recipient": "p2"})),
        ([("search_directory", "")], ToolCall("search_directory")),
        ([("send_email", {"recipient": ["p2"]})], ToolCall("send_email", {"recipient": ("p2",)})),
        ([("send_email", {"recipient": None})], ToolCall("send_email")),
        ([("close_ticket", {"ticket": "k1"})], ToolCall("close_ticket", {"ticket": "k1"})),  # not in the menu
        ([("fly_to_moon", {"who": "p2"})], ToolCall("fly_to_moon", {}, {"who": "p2"})),
        ([("send_email", {"recipient": "p2", "to": "p1"})], ToolCall("send_email", {"recipient": "p2"}, {"to": "p1"})),
        (
            [("send_email", {"recipient": "p2"}), ("send_email", {"recipient": "p1"})],
            Invalid("the answer holds 2 different tool calls, expected one"),
        ),
        (
            [("send_email", "p2")],
            Invalid("the arguments of the call of 'send_email' are no JSON object"),
        ),
        (
            [("send_email", '["p2"]')],
            Invalid("the arguments of the call of 'send_email' are no JSON object"),
        ),
        (
            [("send_email", '{"recipient": "p')],
            Invalid("the arguments of the call of 'send_email' are no JSON object"),
        ),
        (
            [("send_email", '{"a":' + "[" * 90_000 + "]" * 90_000 + "}")],
            Invalid("the arguments of the call of 'send_email' are no JSON object"),
        ),
    ],
)
def test_calls_are_read_as_decisions(resolvable, calls, decision):
    message = tool_calls(*calls)["choices"][0]["message"]
    reading = ToolsProtocol().read(message, observation_of(resolvable))
    if decision == ToolCall("send_email", {"recipient": ("p2",)}):
        assert isinstance(reading.decision, ToolCall)
        assert reading.decision.bindings["recipient"] in ("p2", ("p2",))
    else:
        assert reading.decision == decision


@pytest.mark.parametrize(
    "calls",
    [[{}], [{"function": None}], [{"function": {"name": 3}}], [{"function": {"name": "x", "arguments": 3}}]],
)
def test_calls_that_are_none_are_invalid(resolvable, calls):
    reading = ToolsProtocol().read({"content": None, "tool_calls": calls}, observation_of(resolvable))
    assert isinstance(reading.decision, Invalid)


def test_arguments_sent_as_an_object_are_read_too(resolvable):
    calls = [{"function": {"name": "send_email", "arguments": {"recipient": "p2"}}}]
    reading = ToolsProtocol().read({"content": "", "tool_calls": calls}, observation_of(resolvable))
    assert reading.decision == ToolCall("send_email", {"recipient": "p2"})


def test_scores_and_provenance_come_with_the_call(resolvable):
    arguments = {
        "recipient": "p2",
        "scores": [
            {"slot": "recipient", "entity_id": "p2", "score": 0.9},
            {"slot": "recipient", "entity_id": "p1", "score": 0.1},
            "noise",
        ],
        "provenance": [
            {"slot": "recipient", "entity_id": "p2", "source_id": "p2", "field": "team", "value": "Support"}
        ],
    }
    with StubServer(lambda _: tool_calls(("send_email", arguments))) as server:
        (answer,) = ask(backend_at(server.url, protocol="tools"), query_of(resolvable, WANTING))
    assert isinstance(answer.decision, ToolCall)
    assert answer.decision.scores == {"recipient": {"p2": 0.9, "p1": 0.1}}
    assert (answer.decision.evidence[0].field, answer.decision.evidence[0].value) == ("team", "Support")
    assert answer.decision.arguments == {}


def test_an_answer_in_words_counts_if_it_holds_a_decision(resolvable):
    with StubServer(lambda _: completion(f"Sure: {ACT}")) as server:
        (answer,) = ask(backend_at(server.url, protocol="tools"), query_of(resolvable))
    assert (answer.text, answer.decision) == (f"Sure: {ACT}", ToolCall("send_email", {"recipient": "p2"}))


def test_a_server_that_refuses_required_calls_is_asked_without(resolvable):
    def answer(body):
        if body["tool_choice"] == "required":
            return 400, {"error": {"message": "tool_choice 'required' is not supported", "param": "tool_choice"}}
        return tool_calls(("defer", {"reason": "no_referent"}))

    with StubServer(answer) as server:
        first, second = ask(backend_at(server.url, protocol="tools"), query_of(resolvable), query_of(resolvable))
    assert [r["tool_choice"] for r in server.requests] == ["required", "auto", "auto"]
    assert first.notes == second.notes == (CONSTRAINED, "tool_choice required refused by the server; auto used")
    assert first.decision == Defer("no_referent")


def test_a_backend_can_be_asked_outside_of_a_run_and_from_several_event_loops(resolvable):
    import asyncio

    with StubServer(lambda _: completion(ACT)) as server:
        backend = backend_at(server.url)
        for _ in range(2):
            assert asyncio.run(backend.answer(query_of(resolvable, PROMPT))).text == ACT
            assert ask(backend, query_of(resolvable))[0].text == ACT
