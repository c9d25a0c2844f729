"""The schemas that constrain ids: closed, valid, and no larger than what is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from ebf_agents.llm.functions import functions
from ebf_agents.llm.schema import AnswerSchema
from ebf_env.envs.observation import Observation
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Want
from ebf_env.world import TOOLS
from ebf_env.world.tools.foreign import foreign_tool
from tests.agents.llm_helpers import observation_of

EVERYTHING = frozenset(Want)
NOTHING: frozenset[Want] = frozenset()


def nodes(schema: object) -> Iterator[Mapping[str, object]]:
    """Every schema in a schema, properties' names left aside."""
    if isinstance(schema, list):
        for item in schema:
            yield from nodes(item)
    elif isinstance(schema, dict):
        yield schema
        for key, value in schema.items():
            yield from nodes(list(value.values()) if key in ("properties", "$defs") else value)


def check(schema: Mapping[str, object], root: Mapping[str, object]) -> None:
    for node in nodes(schema):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in root["$defs"]
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert set(node["required"]) <= set(node["properties"])
        if node.get("type") == "string":
            assert "maxLength" in node or node["enum"]
            assert len(set(node.get("enum", []))) == len(node.get("enum", []))
        if node.get("type") == "array":
            assert 1 <= node["maxItems"] <= 30
        assert "x-entity-type" not in node
        assert any(key in node for key in ("type", "const", "anyOf", "$ref")), node


def branch(schema: Mapping[str, object], tool: str) -> Mapping[str, object]:
    return next(b for b in schema["anyOf"] if b["properties"].get("tool", {}).get("const") == tool)


@pytest.mark.parametrize("wants", [NOTHING, EVERYTHING])
@pytest.mark.parametrize("name", ["resolvable", "critical", "several"])
def test_schemas_are_closed_throughout(request, name, wants):
    observation = observation_of(request.getfixturevalue(name))
    schema = AnswerSchema(observation, wants).build()
    check(schema, schema)
    for function in functions(observation, wants):
        check(function["function"]["parameters"], function["function"]["parameters"])
    assert json.loads(json.dumps(schema)) == schema


def test_ids_are_those_of_the_type_shown(several):
    schema = AnswerSchema(observation_of(several), NOTHING).build()
    properties = branch(schema, "send_email")["properties"]
    assert list(properties)[:3] == ["decision", "tool", "bindings"], "what is decided first is asked for first"
    bindings = properties["bindings"]
    assert bindings["required"] == ["recipient"]
    ids = {
        slot: schema["$defs"][(s.get("items") or s)["$ref"].split("/")[-1]]
        for slot, s in bindings["properties"].items()
    }
    assert ids["recipient"]["enum"] == ["p1", "p2", "p3"]
    assert ids["attachments"]["enum"] == ["d1", "d2"]
    assert bindings["properties"]["attachments"]["maxItems"] == 2
    assert [b["properties"]["decision"]["const"] for b in schema["anyOf"]][-2:] == ["CLARIFY", "DEFER"]
    ask = schema["anyOf"][-2]["properties"]
    assert ask["options"]["items"]["enum"] == ["p1", "p2", "p3", "d1", "d2", "t1"], "what no slot takes is no option"


def test_scores_and_provenance_are_asked_for_where_wanted(resolvable):
    observation = observation_of(resolvable)
    assert "scores" not in branch(AnswerSchema(observation, NOTHING).build(), "send_email")["properties"]
    schema = branch(AnswerSchema(observation, EVERYTHING).build(), "send_email")
    assert schema["required"] == ["decision", "tool", "bindings", "scores", "provenance"]
    scores = schema["properties"]["scores"]
    assert scores["required"] == ["recipient"]
    assert list(scores["properties"]["recipient"]["properties"]) == ["p1", "p2", "p3"]
    by_name = {f["function"]["name"]: f["function"]["parameters"] for f in functions(observation, EVERYTHING)}
    assert {"scores", "provenance"} <= set(by_name["send_email"]["required"])
    assert "scores" not in by_name["search_directory"]["properties"]
    assert "scores" not in by_name["clarify"]["properties"]


def test_a_tool_with_a_slot_that_nothing_can_fill_is_left_out(make_task):
    task = make_task(tools=("send_email", "assign_ticket", "search_directory"))
    observation = observation_of(task)
    few = Observation(
        "x", None, None, (), observation.tools, tuple(e for e in observation.entities if e.type == "person")
    )
    names = [b["properties"]["tool"]["const"] for b in AnswerSchema(few, NOTHING).build()["anyOf"][:-2]]
    assert names == ["send_email", "search_directory"], "assign_ticket lacks a ticket"
    assert list(branch(AnswerSchema(few, NOTHING).build(), "send_email")["properties"]["bindings"]["properties"]) == [
        "recipient"
    ]
    assert [f["function"]["name"] for f in functions(few, NOTHING)] == [
        "send_email",
        "search_directory",
        "clarify",
        "defer",
    ]
    nothing = Observation("x", None, None, (), observation.tools, ())
    schema = AnswerSchema(nothing, EVERYTHING).build()
    check(schema, schema)
    assert "$defs" not in schema
    assert "options" not in schema["anyOf"][-2]["properties"]


def test_a_slot_of_any_type_takes_every_id(office, make_task):
    from ebf_env.world.tools.spec import EntityPrecondition

    tool = foreign_tool("tag", "Tag a record.", (EntityPrecondition("record", "any"),), domain="email")
    observation = observation_of(make_task())
    wide = Observation("x", None, None, (), (tool,), observation.entities)
    schema = AnswerSchema(wide, NOTHING).build()
    (ids,) = schema["$defs"].values()
    assert ids["enum"] == [e.id for e in observation.entities]
    assert functions(wide, NOTHING)[0]["function"]["parameters"]["properties"]["record"]["enum"] == ids["enum"]


def test_a_tool_named_like_one_of_the_protocols_own_is_refused():
    tool = foreign_tool("defer", "Put off.", (), domain="email")
    with pytest.raises(ConfigurationError, match="'defer'"):
        functions(Observation("x", None, None, (), (tool,), ()), NOTHING)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_registered_tool_has_closed_schemas(name, office, make_task):
    observation = observation_of(make_task())
    offered = Observation("x", None, None, (), (TOOLS[name],), observation.entities)
    schema = AnswerSchema(offered, EVERYTHING).build()
    check(schema, schema)
    for function in functions(offered, EVERYTHING):
        check(function["function"]["parameters"], function["function"]["parameters"])
