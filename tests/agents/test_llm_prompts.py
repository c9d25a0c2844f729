"""What a model reads: complete, unmistakable, and the same whatever the label."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ebf_agents.llm import LLMBackend
from ebf_agents.llm.json_protocol import JsonProtocol
from ebf_agents.llm.rendering import fields_text, offset_of, plain, record_line, records_text, tool_line, user_message
from ebf_agents.llm.tools_protocol import ToolsProtocol
from ebf_agents.llm.words import FORMAT_VERSIONS, format_sha256, prompt_label
from ebf_baselines import METHODS
from ebf_env.envs import Episode, EpisodeConfig
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.evaluation.protocols import Need, Prompt, Query, Want
from ebf_env.tasks import Condition, Label
from ebf_env.world import TOOLS, Entity
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator
from tests.agents.llm_helpers import PROMPT, WANTING, observation_of, query_of, read_fields, read_record, read_value

PROTOCOLS = [JsonProtocol(), ToolsProtocol()]


def test_the_words_of_the_formats_are_versioned():
    """A change of the words is a new version in FORMAT_VERSIONS; then renew the hashes."""
    assert {name: (FORMAT_VERSIONS[name], format_sha256(name)[:16]) for name in FORMAT_VERSIONS} == {
        "json": (2, "62d704260c1924c1"),
        "tools": (2, "4b35f2d0e2f5da74"),
    }


def test_a_prompts_label_changes_with_every_fixed_word():
    assert prompt_label("json", PROMPT).startswith("direct/1 json/2 ")
    labels = {
        prompt_label(protocol, prompt)
        for protocol in ("json", "tools")
        for prompt in (PROMPT, WANTING, Prompt("direct", 1, "Other words."), Prompt("direct", 2, PROMPT.text))
    }
    assert len(labels) == 8
    assert len(prompt_label("json", PROMPT).rsplit(" ", 1)[1]) == 12


def test_an_observation_as_a_model_reads_it(resolvable):
    text = user_message(observation_of(resolvable), "Do it well.", with_tools=True)
    assert text.startswith("Time: 2026-03-11T10:15:00+01:00\nUser: id=p3; name=Dana Ruiz\n\nRecords:\nperson:\n")
    assert "\np1 | Alex Chen | email=alex.chen@example.com; team=Launch" in text
    assert "\n\nTools:\nsend_email(" in text
    assert text.endswith("\n\nDo it well.\n\nThe user now says: Email Alex from support.")
    assert "Conversation" not in text
    assert "Tools" not in user_message(observation_of(resolvable), "Do it well.", with_tools=False)
    empty = Observation("Do it.", None, None, ({"role": "user", "content": "Hi."},), (), ())
    assert user_message(empty, "Do it well.", with_tools=True) == (
        "Conversation before:\nuser: Hi.\n\nRecords:\nnone in sight yet\n\nDo it well.\n\nThe user now says: Do it."
    )


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_prompts_of_one_task_begin_alike_down_to_its_records(resolvable, protocol):
    """So that a server that keeps what prompts begin with reads the records once for all methods."""
    seen = {method.name: method.show(observation_of(resolvable)) for method in METHODS.values()}
    alike = [name for name, shown in seen.items() if shown.entities == observation_of(resolvable).entities]
    assert len(alike) >= 4
    chats = [protocol.exchange(Query(seen[name], METHODS[name].prompt, 0, 0)).messages for name in alike]
    assert len({chat[0]["content"] for chat in chats}) == 1
    records = records_text(observation_of(resolvable))
    assert len({chat[1]["content"].partition(records)[0] for chat in chats}) == 1
    assert all(records in chat[1]["content"] for chat in chats)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Launch plan", "Launch plan"),
        ("a=b, c | d", '"a=b, c | d"'),
        ("x; y=z", '"x; y=z"'),
        ("two\nlines", '"two\\nlines"'),
        ("a\u2028b", '"a\\u2028b"'),
        ("12", '"12"'),
        ("true", '"true"'),
        ("", '""'),
        (" x", '" x"'),
        ("[x", '"[x"'),
        ("Jos\u00e9", "Jos\u00e9"),
        (12, "12"),
        (1.5, "1.5"),
        (None, "null"),
        (True, "true"),
        ("a | b", '"a | b"'),
        ("2026-07-21", "2026-07-21"),
        ("2026-07-21T12:30:00+02:00", "2026-07-21 12:30"),
        ("2026-07-21T12:30:01+02:00", "2026-07-21T12:30:01+02:00"),
        ("2026-07-21T12:30:00+01:00", "2026-07-21T12:30:00+01:00"),
        ("2026-07-21T12:30:00", "2026-07-21T12:30:00"),
        ("2026-07-21 12:30", '"2026-07-21 12:30"'),
        ([], "[]"),
        (["p1", "p2"], "[p1,p2]"),
        (["a,b", "c]", "", "1", 1], '["a,b","c]","","1",1]'),
        ({"a": [1], "b c": "d, e"}, '{a=[1]; "b c"=d, e}'),
        ([{"at": "2026-07-21T12:30:00+02:00", "to": ["p1"]}, {}], "[{at=2026-07-21 12:30; to=[p1]},{}]"),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_values_are_written_so_that_they_can_be_read_in_one_way(value, text):
    assert plain(value, "+02:00") == text
    assert value == "\ud800" or read_value(text, "+02:00") == value


def test_times_are_shown_as_they_stand_where_there_is_no_offset_to_leave_out():
    assert plain("2026-07-21T12:30:00+02:00") == "2026-07-21T12:30:00+02:00"
    assert [offset_of(now) for now in ("2026-03-11T10:15:00+01:00", "2026-03-11T10:15:00Z", "2026-03-11", None)] == [
        "+01:00",
        "Z",
        "",
        "",
    ]


TEXTS = (
    st.text(max_size=12)
    | st.text('a1 ;,|=[]{}":\\', max_size=6)
    | st.from_regex(r"\A2026-0[1-9]-1\d[T ]12:30(:0[01](\+02:00|Z)?)?\Z")
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_fields_can_be_read_back(fields):
    text = fields_text(fields, "+02:00")
    assert text.isprintable()
    assert read_fields(text, "+02:00") == fields


def test_records_of_generated_tasks_can_be_read_back():
    generator = Generator(SuiteConfig(split="val", seed=31, families=False, noise="high"))
    for number in range(12):
        observation = observation_of(generator.task(number))
        offset = offset_of(observation.now)
        lines = [line for line in records_text(observation).split("\n") if " | " in line]
        assert len(lines) == len(observation.entities)
        read = {entity_id: read_record(line, offset) for line in lines for entity_id in [line.partition(" | ")[0]]}
        for shown in observation.entities:
            label, fields = read[shown.id]
            told = shown.to_json()
            assert label == shown.entity.label
            assert fields.items() <= told.items()
            assert {told[name] for name in told.keys() - fields.keys()} <= {shown.id, shown.type, label}


def test_a_record_is_one_line_and_complete(office):
    line = record_line(ObservedEntity(office["t1"], may_change=False))
    assert line.startswith("t1 | Launch | participants=[p1,p3]; messages=[{sender=p1; ")
    assert line.endswith("; access=view")
    for entity in office.entities():
        for name in entity.fields:
            assert f"{name}=" in record_line(ObservedEntity(entity)) or entity.fields[name] == entity.label
    odd = Entity("x1", "gadget", {"name": "A\nB | C", "note": "p9 | Fake | email=x"})
    assert record_line(ObservedEntity(odd)) == 'x1 | "A\\nB | C" | note="p9 | Fake | email=x"'
    assert record_line(ObservedEntity(Entity("x2", "gadget", {"size": 3}))) == "x2 | - | size=3"


def test_a_tool_is_one_line():
    assert tool_line(TOOLS["send_email"]).startswith(
        "send_email(recipient: person, thread?: email_thread, attachments[]?: document) {"
    )
    assert tool_line(TOOLS["search_directory"]).startswith("search_directory() {query, limit, offset} - ")


def test_halves_of_surrogate_pairs_can_be_sent(make_task):
    observation = dataclasses.replace(observation_of(make_task()), instruction="Email \ud800.", _fixed_text=[])
    for protocol in PROTOCOLS:
        for message in protocol.exchange(Query(observation, PROMPT, 0, 0)).messages:
            json.dumps(message, ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("prompt", [PROMPT, WANTING])
def test_a_request_does_not_depend_on_what_only_the_task_knows(make_task, protocol, prompt):
    one = make_task()
    other = dataclasses.replace(
        one,
        task_id="another",
        tool="draft_email",
        bindings={"recipient": None},
        label=Label.UNACTIONABLE,
        condition=Condition.NO_REFERENT,
        base_condition=Condition.NEAR_DUPLICATE,
        family="f9",
        split="test",
        index=77,
    ).check()
    observation = observation_of(one)
    first = protocol.exchange(Query(observation, prompt, 0, 1))
    told = Query(observation_of(other), prompt, 3, 999, gold_tool="x", task_id="y")
    assert repr(protocol.exchange(told)) == repr(first)
    assert LLMBackend.needs == frozenset[Need]()


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_methods_words_stand_after_the_records(method, resolvable):
    prompt = METHODS[method].prompt
    for protocol in PROTOCOLS:
        system, first, *_ = protocol.exchange(query_of(resolvable, prompt)).messages
        assert (system["role"], first["role"]) == ("system", "user")
        assert prompt.text not in system["content"]
        _, found, rest = first["content"].partition(f"\n\n{prompt.text}\n\n")
        assert found
        for want in Want:
            word = {Want.SCORES: "likely records", Want.EVIDENCE: "provenance"}[want]
            assert (word in rest) == (want in prompt.wants)


# --- the conversation of an interactive episode ---


@pytest.fixture
def talked(ambiguous) -> Observation:
    episode = Episode(ambiguous, EpisodeConfig(interaction="interactive"))
    episode.step('{"decision":"ACT","tool":"search_directory","arguments":{"query":"alex"}}')
    episode.step("gibberish")
    episode.step('{"decision":"CLARIFY","clarification_question":"Which?","slot":"recipient","options":["p1","p2"]}')
    assert not episode.ended
    return episode.observation


def test_the_json_protocol_shows_the_conversation_as_text(talked):
    first, *said = JsonProtocol().exchange(Query(talked, PROMPT, 0, 0)).messages[1:]
    assert [m["role"] for m in said] == ["assistant", "user"] * 3
    assert said[0]["content"].startswith('{"decision":"ACT","tool":"search_directory"')
    assert said[1]["content"] == ('Result of search_directory: {"status":"ok","total":2,"results":["p1","p2"]}'), (
        "records stand in the first message"
    )
    assert said[3]["content"].startswith("[system] Invalid: ")
    assert said[5]["content"] == "The 2nd: Alex Kumar."
    assert "p2 | Alex Kumar" in first["content"]


def test_the_tools_protocol_shows_it_as_calls_and_results(talked):
    said = ToolsProtocol().exchange(Query(talked, PROMPT, 0, 0)).messages[2:]
    assert [m["role"] for m in said] == ["assistant", "tool", "assistant", "user", "assistant", "tool"]
    call = said[0]["tool_calls"][0]
    assert call["function"] == {"name": "search_directory", "arguments": '{"query":"alex"}'}
    assert call["id"] == said[1]["tool_call_id"]
    assert said[1]["content"] == '{"status":"ok","total":2,"results":["p1","p2"]}'
    assert said[2]["content"] == "gibberish"
    assert said[4]["tool_calls"][0]["function"] == {
        "name": "clarify",
        "arguments": '{"question":"Which?","slot":"recipient","options":["p1","p2"]}',
    }
    assert said[5]["content"] == "The 2nd: Alex Kumar."
    assert said[5]["tool_call_id"] == said[4]["tool_calls"][0]["id"]


def test_records_found_by_searching_stand_in_the_first_message(make_task):
    task = make_task(visibility="search")
    episode = Episode(task, EpisodeConfig(interaction="interactive"))
    before = JsonProtocol().exchange(Query(episode.observation, PROMPT, 0, 0))
    assert "none in sight yet" in before.messages[1]["content"]
    episode.step('{"decision":"ACT","tool":"search_directory","arguments":{"query":"alex"}}')
    after = JsonProtocol().exchange(Query(episode.observation, PROMPT, 0, 0))
    assert "p2 | Alex Kumar | " in after.messages[1]["content"]
