import inspect
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import numpy
import pytest

from ebf_baselines import causal
from ebf_baselines.causal.contracts import bound, clarify, contract_of, done, seen
from ebf_baselines.causal.goal import GOALS, Deed, Goal, goal_of
from ebf_baselines.causal.goals import ranked_goals
from ebf_baselines.causal.menu import causal_menu, entity_aware
from ebf_baselines.registry import method_named
from ebf_env.envs.episode import Episode, EpisodeConfig
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.tasks import Task, import_paper_tasks
from ebf_env.world import TOOLS, Entity, ToolSpec
from ebf_env.world.risk import ActionType
from ebf_env.world.tools.foreign import foreign_tool
from ebf_env.world.tools.spec import EntityPrecondition
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    generator = Generator(SuiteConfig(split="train", seed=3, families=False))
    return [generator.task(number) for number in range(150)]


def seeing(instruction: str, tools: list[ToolSpec], *types: str, **more: object) -> Observation:
    entities = tuple(ObservedEntity(Entity(f"e{n}", kind, {"name": "x"})) for n, kind in enumerate(types))
    return replace(Observation(instruction, None, None, (), tuple(tools), entities), **more)  # type: ignore[arg-type]


def names(observation: Observation) -> set[str]:
    return {spec.name for spec in causal_menu(observation)}


def distractors(count: int) -> list[ToolSpec]:
    """Real tools under other names, for records nobody speaks of."""
    specs = [spec for spec in TOOLS.values() if spec.preconditions and not spec.is_read]
    made = []
    for number in range(count):
        spec = specs[number % len(specs)]
        kind = f"widget_{number % 7}"
        slots = tuple(replace(p, entity_type=kind) for p in spec.preconditions if p.required)
        verb = spec.name.split("_", 1)[0]
        made.append(
            foreign_tool(
                f"{verb}_widget_{number}", "Works on a widget.", slots, domain="else", action_type=spec.action_type
            )
        )
    return made


# --- contracts ---


def test_every_registered_tool_has_a_goal_of_its_own() -> None:
    goals = {spec.name: contract_of(spec).goals[0] for spec in TOOLS.values() if not spec.is_search}
    assert set(goals.values()) <= GOALS
    assert len(set(goals.values())) == len(goals)
    assert goals["share_document"] == Goal(Deed.SHARED, "document")
    assert goals["reply_email_thread"] == Goal(Deed.REPLIED, "email_thread")
    assert goals["hold_invoice"] == Goal(Deed.HELD, "invoice")
    assert contract_of(TOOLS["search_crm"]).goals == (
        Goal(Deed.FOUND, "customer_account"),
        Goal(Deed.FOUND, "opportunity"),
    )


def test_a_contract_says_what_a_tool_requires_and_produces() -> None:
    call, *rest = contract_of(TOOLS["share_document"]).actions()
    assert call.requires == {bound("share_document", "document"), bound("share_document", "recipient")}
    assert call.produces == {done(Goal(Deed.SHARED, "document"))}
    assert call.risk == TOOLS["share_document"].risk.weight
    assert {action.name for action in rest if not action.silent} == {
        clarify("share_document", "document"),
        clarify("share_document", "recipient"),
    }
    assert contract_of(TOOLS["search_documents"]).finds == ("document", "folder")


def test_foreign_tools_are_understood_by_their_words() -> None:
    wipe = foreign_tool(
        "wipe_file", "Erase a file.", (EntityPrecondition("file", "blob"),), domain="x", action_type=ActionType.OTHER
    )
    assert contract_of(wipe).goals == (Goal(Deed.DELETED, "document"),)
    camel = foreign_tool("cancelMeeting", "", (EntityPrecondition("it", "blob"),), domain="x")
    assert contract_of(camel).goals == (Goal(Deed.CANCELLED, "calendar_event"),)
    mystery = foreign_tool("frobnicate", "Frobnicates.", (EntityPrecondition("x", "blob"),), domain="x")
    assert contract_of(mystery).goals == (Goal(Deed.OTHER, "any"),)


def test_deeds_that_come_to_the_same_are_one_goal() -> None:
    assert goal_of(Deed.DELETED, "calendar_event") == goal_of(Deed.CANCELLED, "calendar_event")
    assert goal_of(Deed.READ, "spaceship") == Goal(Deed.READ, "any")


# --- the goal ---


@pytest.mark.parametrize(
    ("said", "goal"),
    [
        ("Call off tomorrow's sync.", "calendar_event.cancelled"),
        ("Push the launch meeting back to Friday.", "calendar_event.rescheduled"),
        ("Loop Priya in on the kickoff meeting.", "calendar_event.invited"),
        ("Please get rid of the old launch document for good.", "document.deleted"),
        ("Give Dana access to the pricing doc.", "document.shared"),
        ("Pass the renewal thread on to Sam.", "email_thread.forwarded"),
        ("Write Sam an email, but don't send it yet.", "email_thread.drafted"),
        ("Email Priya the launch update.", "email_thread.sent"),
        ("Put Maya in charge of the checkout bug.", "ticket.assigned"),
        ("Flag the login incident ticket to the on-call lead.", "ticket.escalated"),
        ("Book the Acme deal as won.", "opportunity.closed"),
        ("Put the invoice from Acme on hold.", "invoice.held"),
    ],
)
def test_everyday_requests_are_understood(said: str, goal: str) -> None:
    best = ranked_goals(said)[0]
    assert str(best.goal) == goal


def test_the_history_counts_where_the_instruction_only_points_to_it() -> None:
    pointing = "Read that one."
    assert ranked_goals(pointing)[0].goal != Goal(Deed.READ, "ticket")
    assert ranked_goals(pointing, ("This is about the checkout ticket.",))[0].goal == Goal(Deed.READ, "ticket")


def test_much_evidence_and_none() -> None:
    long = "Delete the document. " * 2_000
    best = ranked_goals(long)[0]
    assert best.goal == Goal(Deed.DELETED, "document")
    assert ranked_goals.__wrapped__(long) == ranked_goals(long)
    assert ranked_goals("") == ranked_goals("?!") == ()


def test_a_record_without_an_everyday_word_is_meant_only_where_no_other_is_spoken_of() -> None:
    merge = foreign_tool("delete_branch", "Deletes it.", (EntityPrecondition("it", "git_ref"),), domain="x")
    tools = [merge, TOOLS["delete_document"], TOOLS["close_ticket"]]
    assert contract_of(merge).goals == (Goal(Deed.DELETED, "any"),)
    assert "delete_branch" in names(seeing("Delete main.", tools, "git_ref", "document", "ticket"))
    assert names(seeing("Delete the launch document.", tools, "git_ref", "document", "ticket")) == {"delete_document"}


# --- the menu ---


def test_searches_come_first_where_nothing_is_in_sight_and_the_tool_once_it_is() -> None:
    tools = list(TOOLS.values())
    start = seeing("Share the launch document with Priya.", tools)
    assert names(start) == {"search_documents", "search_directory"}
    found = ({"role": "tool", "tool": "search_documents", "content": {}},)
    half = replace(start, messages=found, entities=seeing("", [], "document").entities)
    assert names(half) == {"search_documents", "search_directory"}
    both = (*found, {"role": "tool", "tool": "search_directory", "content": {}})
    assert names(replace(half, messages=both)) == {"search_documents", "search_directory", "share_document"}


def test_with_everything_in_sight_only_the_tool_is_shown() -> None:
    seen_all = seeing("Share the launch document with Priya.", list(TOOLS.values()), "document", "person")
    assert names(seen_all) == {"share_document"}


def test_what_is_not_understood_leaves_all_tools() -> None:
    tools = [TOOLS["share_document"], TOOLS["close_ticket"]]
    lost = seeing("Xyzzy!", tools, "document", "person", "ticket")
    assert causal_menu(lost) == tuple(tools)
    assert causal_menu(seeing("Share it.", [])) == ()


def test_a_slot_that_cannot_be_told_is_asked_for() -> None:
    contracts = [contract_of(TOOLS["share_document"])]
    state = frozenset({seen("document"), seen("person")})
    goal = Goal(Deed.SHARED, "document")
    assert [action.name for action in entity_aware(contracts, state, goal)] == ["share_document"]
    asking = entity_aware(contracts, state, goal, {"share_document.recipient"})
    assert [action.name for action in asking] == [clarify("share_document", "recipient")]
    assert entity_aware(contracts, frozenset(), goal) == ()


@pytest.mark.parametrize("count", [25, 100, 200])
def test_irrelevant_tools_change_nothing(tasks: list[Task], count: int) -> None:
    more = distractors(count)
    checked = 0
    for task in tasks[:60]:
        observation = Episode(task).observation
        menu = causal_menu(observation)
        if len(menu) == len(observation.tools):
            continue
        crowded = [*observation.tools, *more]
        crowded = [crowded[place] for place in numpy.random.default_rng(count).permutation(len(crowded))]
        assert names(replace(observation, tools=tuple(crowded))) == {spec.name for spec in menu}
        checked += 1
    assert checked > 50


def test_the_order_of_the_menu_does_not_matter(tasks: list[Task]) -> None:
    for task in tasks:
        observation = Episode(task).observation
        turned = replace(observation, tools=observation.tools[::-1])
        assert causal_menu(turned) == causal_menu(observation)[::-1]


def test_the_right_tool_is_nearly_always_shown(tasks: list[Task]) -> None:
    menus = [(task.tool, names(Episode(task).observation)) for task in tasks]
    assert sum(tool in menu for tool, menu in menus) >= 0.97 * len(tasks)
    assert sum(len(menu) for _, menu in menus) <= 3 * len(tasks)


def test_looking_things_up_step_by_step_reaches_the_right_tool() -> None:
    generator = Generator(SuiteConfig(split="train", seed=5, families=False, visibility="search"))
    reached = 0
    for number in range(40):
        task = generator.task(number)
        episode = Episode(task, EpisodeConfig(interaction="interactive"))
        made: set[str] = set()
        for _ in range(8):
            menu = causal_menu(episode.observation)
            if task.tool in {spec.name for spec in menu}:
                reached += 1
                break
            search = next((spec.name for spec in menu if spec.is_search and spec.name not in made), None)
            if search is None:
                break
            made.add(search)
            episode.step(f'{{"decision": "ACT", "tool": "{search}", "bindings": {{}}, "arguments": {{}}}}')
    assert reached >= 36


def test_the_papers_tasks_are_understood(paper_data: Path) -> None:
    suite = import_paper_tasks(paper_data / "tasks_60.jsonl")
    menus = [(task.tool, names(Episode(task).observation)) for task in suite.tasks]
    assert all(tool in menu for tool, menu in menus)
    assert sum(len(menu) for _, menu in menus) <= 1.5 * len(menus)


def test_decides_in_about_a_millisecond(tasks: list[Task]) -> None:
    seen_all = [Episode(task).observation for task in tasks]
    times = []
    for observation in seen_all:
        ranked_goals.cache_clear()
        began = process_time()
        causal_menu(observation)
        times.append(process_time() - began)
    assert median(times) < 0.005


def test_nothing_but_the_observation_is_read() -> None:
    assert list(inspect.signature(causal.causal_menu).parameters) == ["observation"]
    assert method_named("cmtf_only").menu is causal.causal_menu
