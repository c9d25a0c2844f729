"""The backend without a model: the best string match."""

from __future__ import annotations

from ebf_agents.lexical import LexicalBackend
from ebf_baselines import METHODS
from ebf_env.decisions import Decision, Defer, ToolCall
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.evaluation.protocols import Query
from ebf_env.world import TOOLS, Entity

ALEX = Entity("p1", "person", {"name": "Alex Chen"})
KUMAR = Entity("p2", "person", {"name": "Alex Kumar"})
PLAN = Entity("d1", "document", {"title": "Launch plan"})
BUDGET = Entity("d2", "document", {"title": "Budget"})


def decided(instruction: str, tools: tuple[str, ...], *entities: Entity, messages=()) -> Decision:
    menu = tuple(TOOLS[name] for name in tools)
    shown = Observation(instruction, None, None, (), menu, tuple(map(ObservedEntity, entities)), messages)
    return LexicalBackend().decide(Query(shown, METHODS["direct"].prompt, 0, 0))


def test_it_calls_the_tool_and_binds_the_records_that_match_best():
    call = decided(
        "share the launch plan document with Alex Kumar", ("close_ticket", "share_document"), ALEX, KUMAR, BUDGET, PLAN
    )
    assert call == ToolCall("share_document", {"document": "d1", "recipient": "p2"})


def test_it_acts_even_where_nothing_matches_and_takes_the_first_then():
    assert decided("delete it", ("delete_document",), BUDGET, PLAN) == ToolCall("delete_document", {"document": "d2"})


def test_a_tool_that_nothing_in_sight_can_fill_gives_way_to_the_next_best():
    tools = ("cancel_event", "delete_document")
    assert decided("cancel the budget", tools, BUDGET, PLAN) == ToolCall("delete_document", {"document": "d2"})
    assert isinstance(decided("cancel it", ("cancel_event",), BUDGET), Defer)


def test_an_optional_slot_takes_what_is_named_in_full():
    tools = ("send_email",)
    plain = decided("send Alex Chen an email", tools, ALEX, PLAN, BUDGET)
    assert plain == ToolCall("send_email", {"recipient": "p1"})
    attached = decided("send Alex Chen an email with the launch plan", tools, ALEX, BUDGET, PLAN)
    assert attached == ToolCall("send_email", {"recipient": "p1", "attachments": ("d1",)})


def test_it_searches_once_where_nothing_is_in_sight():
    tools = ("search_email", "search_documents", "delete_document")
    search = decided("delete the launch plan", tools)
    assert search == ToolCall("search_documents", {}, {"query": "delete the launch plan"})
    messages = ({"role": "tool", "tool": "search_documents", "content": {}},)
    assert isinstance(decided("delete the launch plan", tools, messages=messages), Defer)


def test_an_empty_menu_is_deferred():
    assert isinstance(decided("delete it", ()), Defer)
