import hashlib
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time

import numpy
import pytest

from ebf_baselines.causal import SURE, tool_posterior, tool_posterior_of
from ebf_baselines.causal.classifier import DEEDS, GOALS, PARTS, TYPES, WEIGHTS, judged, learned, write
from ebf_baselines.causal.features import EARLIER, NUMBER, UNKNOWN, features, key, known_only, tokens
from ebf_baselines.causal.goal import Deed, Goal
from ebf_baselines.causal.goals import ranked_goals
from ebf_env.envs.episode import Episode
from ebf_env.tasks import Task, import_paper_tasks
from ebf_env.world import TOOLS
from ebf_env.world.risk import ActionType
from ebf_env.world.tools.foreign import foreign_tool
from ebf_env.world.tools.spec import EntityPrecondition
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator

ALL = list(TOOLS.values())
WEIGHTS_SHA256 = "6b8c10c093a676c4997d2b97ef12f4fbb1558d5dae0f5de4e93b00f4a1d1d512"


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    generator = Generator(SuiteConfig(split="train", seed=7, families=False))
    return [generator.task(number) for number in range(150)]


def best(said: str, *before: str, **kinds: float) -> str:
    chances = tool_posterior_of(said, before, ALL, kinds)
    return max(chances, key=lambda tool: chances[tool])


def test_the_weights_are_those_that_were_measured() -> None:
    assert hashlib.sha256(WEIGHTS.read_bytes()).hexdigest() == WEIGHTS_SHA256
    assert WEIGHTS.stat().st_size < 2_000_000


def test_chances_are_of_tools_that_are_no_search_and_add_up_to_one_at_most(tasks: list[Task]) -> None:
    for task in tasks[:50]:
        observation = Episode(task).observation
        chances = tool_posterior(observation)
        assert set(chances) == {spec.name for spec in observation.tools if not spec.is_search}
        assert all(0 <= chance <= 1 for chance in chances.values())
        assert sum(chances.values()) <= 1 + 1e-9


def test_the_right_tool_is_nearly_always_the_most_probable(tasks: list[Task]) -> None:
    right, sure = [], []
    for task in tasks:
        chances = tool_posterior(Episode(task).observation)
        first = max(chances, key=lambda tool: chances[tool])
        right.append(first == task.tool)
        sure.append(chances[first] >= SURE)
    assert sum(right) >= 0.98 * len(tasks)
    assert sum(sure) >= 0.7 * len(tasks)


@pytest.mark.parametrize(
    ("said", "tool"),
    [
        ("Kill tomorrow's sync, nobody has time.", "cancel_event"),
        ("Zofia wants to read the pricing doc, can you make that possible?", "share_document"),
        ("Who's on the login bug?", "get_ticket"),
        ("The Acme deal is ours, they signed this morning!", "close_opportunity"),
        ("Word an email to Tom about the delay, but leave it in my drafts.", "draft_email"),
        ("Don't pay the invoice from Hartwell before I have checked it.", "hold_invoice"),
    ],
)
def test_everyday_requests_are_understood(said: str, tool: str) -> None:
    assert best(said) == tool


def test_the_tools_offered_decide_what_can_be_meant() -> None:
    said = "Please get rid of the old launch document for good."
    alone = tool_posterior_of(said, (), [TOOLS["delete_document"], TOOLS["close_ticket"]])
    assert alone["delete_document"] > 0.95
    other = tool_posterior_of(said, (), [TOOLS["schedule_event"]])
    assert other["schedule_event"] < 0.5
    assert tool_posterior_of(said, (), [TOOLS["search_email"]]) == tool_posterior_of(said, (), []) == {}


def test_types_of_record_found_in_the_text_are_evidence() -> None:
    said = "Get rid of the Robin overview."
    tools = [TOOLS[name] for name in ("delete_document", "delete_thread", "delete_customer_record", "cancel_event")]
    chances = {
        kind: tool_posterior_of(said, (), tools, {kind: 1.0})
        for kind in ("document", "email_thread", "customer_account", "calendar_event")
    }
    plain = tool_posterior_of(said, (), tools)
    for kind, tool in zip(chances, (spec.name for spec in tools), strict=True):
        assert chances[kind][tool] > plain[tool]
    assert tool_posterior_of(said, (), tools, {}) == plain


def test_what_was_said_before_counts() -> None:
    assert best("Delete it.", "This is about the mail thread on pricing.") == "delete_thread"


def test_neither_order_nor_irrelevant_tools_change_which_is_meant(tasks: list[Task]) -> None:
    widgets = [
        foreign_tool(f"polish_widget_{n}", "Polishes a widget.", (EntityPrecondition("it", "widget"),), domain="else")
        for n in range(40)
    ]
    for task in tasks[:60]:
        observation = Episode(task).observation
        plain = tool_posterior(observation)
        turned = tool_posterior(replace(observation, tools=observation.tools[::-1]))
        assert turned == pytest.approx(plain)
        crowded = tool_posterior(replace(observation, tools=(*widgets, *observation.tools)))
        first = max(plain, key=lambda tool: plain[tool])
        assert max(crowded, key=lambda tool: crowded[tool]) == first
        assert crowded[first] == pytest.approx(plain[first], abs=0.05)


def test_foreign_tools_are_judged_by_their_declaration() -> None:
    wipe = foreign_tool(
        "wipe_file", "Erase a file.", (EntityPrecondition("file", "blob"),), domain="x", action_type=ActionType.OTHER
    )
    tools = [wipe, TOOLS["share_document"], TOOLS["read_document"]]
    chances = tool_posterior_of("Erase the launch document.", (), tools)
    assert max(chances, key=lambda tool: chances[tool]) == "wipe_file"
    branch = foreign_tool("delete_branch", "Deletes it.", (EntityPrecondition("it", "git_ref"),), domain="x")
    chances = tool_posterior_of("Delete main.", (), [branch, TOOLS["close_ticket"]], {"git_ref": 1.0})
    assert chances["delete_branch"] > chances["close_ticket"]


def test_a_goal_that_was_not_learned_is_judged_by_its_parts() -> None:
    words = judged("Please delete the document.")
    assert words.logit(Goal(Deed.DELETED, "any")) > words.logit(Goal(Deed.SHARED, "any"))
    assert words.logit(Goal(Deed.DELETED, "document")) == words.goals[Goal(Deed.DELETED, "document")]


def test_the_papers_tasks_are_understood(paper_data: Path) -> None:
    suite = import_paper_tasks(paper_data / "tasks_60.jsonl")
    wrong = 0
    for task in suite.tasks:
        chances = tool_posterior(Episode(task).observation)
        wrong += max(chances, key=lambda tool: chances[tool]) != task.tool
    assert wrong <= 1


def test_decides_in_about_a_millisecond(tasks: list[Task]) -> None:
    seen = [Episode(task).observation for task in tasks]
    learned()
    times = []
    for observation in seen:
        ranked_goals.cache_clear()
        judged.cache_clear()
        began = process_time()
        tool_posterior(observation)
        times.append(process_time() - began)
    assert median(times) < 0.005


# --- features ---


def test_unknown_words_leave_one_placeholder_and_numbers_are_alike() -> None:
    words = tokens("Close tickets TCK-1042 and Foo bar's bug!")
    assert words[:4] == ["clos", "ticket", "tck", NUMBER]
    assert known_only(words, frozenset({"clos", "ticket", "bug"})) == ["clos", "ticket", UNKNOWN, "bug"]


def test_features_are_words_rows_and_pairs() -> None:
    found = features("Hold it.", ("The bill.",), frozenset({"hold", "it", "bill"}))
    assert found >= {"hold", "^ hold it", "hold it $", "^*it", f"{EARLIER}bill"}
    assert key("hold") == key("hold") != key("it")
    assert features("", (), frozenset()) == {"^ $"} or features("", (), frozenset()) == set()


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.npz"
    table = numpy.zeros((3, len(PARTS)), numpy.float32)
    table[:, :] = [[1.0], [-2.0], [0.001]]
    write(path, frozenset({"b", "a"}), ["x", "y", "z"], table, numpy.ones(len(GOALS)), numpy.array([1, 2, 3]), 2)
    first = path.read_bytes()
    weights = learned.__wrapped__(path)
    assert weights.vocabulary == {"a", "b"}
    assert set(weights.rows) == {key("x"), key("y")}
    assert numpy.allclose(weights.table * weights.scale, [[1.0], [-2.0]], atol=0.02)
    write(path, frozenset({"b", "a"}), ["x", "y", "z"], table, numpy.ones(len(GOALS)), numpy.array([1, 2, 3]), 2)
    assert path.read_bytes() == first


def test_every_goal_is_one_deed_and_one_type() -> None:
    assert PARTS.shape == (len(DEEDS) + len(TYPES), len(GOALS))
    assert (PARTS.sum(axis=0) == 2).all()
