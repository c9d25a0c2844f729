"""Endless tasks in ``EntityBinding-v0``: drawn as they are asked for, the same for the same seed."""

from __future__ import annotations

import json
import pickle
from collections import Counter

import gymnasium as gym
import pytest
from gymnasium.utils.env_checker import check_env

import ebf_env
from ebf_env.decisions import decision_text
from ebf_env.envs.env import EntityBindingEnv, episode_index
from ebf_env.errors import ConfigurationError
from ebf_env.tasks import Label, Task, read_suite, reference_decision, write_suite
from ebf_env.world import TOOLS
from ebf_generators.config import SuiteConfig
from ebf_generators.generator import Generator
from ebf_generators.source import ENDLESS, GeneratedSource, config_from
from ebf_generators.suites import generate

SEARCHING = {"interaction": "interactive", "visibility": "search"}


def task_of(env: gym.Env) -> Task:
    return env.unwrapped.episode.task


def episodes(env: gym.Env, count: int, seed: int | None = None) -> list[str]:
    """The first observations of so many episodes."""
    seen = [env.reset(seed=seed)[0]]
    while len(seen) < count:
        env.step('{"decision": "DEFER", "reason": "next"}')
        seen.append(env.reset()[0])
    return seen


@pytest.fixture(scope="module")
def endless() -> gym.Env:
    return gym.make("EntityBinding-v0")


# --- seeds ---


def test_a_seed_gives_the_same_episodes_again_in_this_environment_and_another(endless):
    first = episodes(endless, 8, seed=3)
    assert len(set(first)) == 8
    assert episodes(endless, 8, seed=3) == first
    assert episodes(gym.make("EntityBinding-v0"), 8, seed=3) == first


def test_other_seeds_give_other_episodes(endless):
    seen = [episodes(endless, 5, seed=seed) for seed in (0, 1, 2, 2**31)]
    assert len({text for some in seen for text in some}) == 20


def test_without_a_seed_two_environments_go_different_ways():
    one, other = (episodes(gym.make("EntityBinding-v0"), 3) for _ in range(2))
    assert set(one).isdisjoint(other)


def test_the_suites_seed_is_another_than_the_episodes(endless):
    ours = episodes(endless, 4, seed=3)
    others = episodes(gym.make("EntityBinding-v0", seed=77), 4, seed=3)
    assert set(ours).isdisjoint(others)


def test_episodes_are_the_generators_tasks_one_after_the_other_from_where_the_seed_says(endless):
    generator = Generator(SuiteConfig())
    begin = episode_index(21, 0, ENDLESS)
    endless.reset(seed=21)
    for number in range(6):
        drawn = generator.task(begin + number)
        assert task_of(endless).task_id == drawn.task_id
        assert task_of(endless).world.digest == drawn.world.digest
        endless.reset()


def test_in_random_order_episodes_are_far_apart():
    env = gym.make("EntityBinding-v0", order="random")
    env.reset(seed=4)
    numbers = []
    for _ in range(5):
        numbers.append(task_of(env).index)
        env.reset()
    assert len({task // 1_000 for task in numbers}) == 5
    env.reset(seed=4)
    assert task_of(env).index == numbers[0]


def test_what_is_done_in_one_episode_does_not_change_the_next(endless):
    acted = [endless.reset(seed=9)[0]]
    for _ in range(5):
        endless.step(decision_text(reference_decision(task_of(endless))))
        acted.append(endless.reset()[0])
    assert acted == episodes(endless, 6, seed=9)


def test_a_task_that_was_met_can_be_asked_for_again(endless):
    first, _ = endless.reset(seed=5)
    task_id = task_of(endless).task_id
    endless.reset()
    assert endless.reset(options={"task_id": task_id})[0] == first
    with pytest.raises(ConfigurationError, match="no task 'never met'"):
        endless.reset(options={"task_id": "never met"})


def test_in_sequential_order_episodes_are_the_tasks_of_the_file_of_the_same_settings(tmp_path):
    settings = {"seed": 5, "split": "val", "difficulties": (1, 2), "noise": "keyboard=0.2,ocr=0.1"}
    generate(config_from({"tasks": 40, **settings}), tmp_path / "file.jsonl")
    written = read_suite(tmp_path / "file.jsonl").tasks
    env = gym.make("EntityBinding-v0", order="sequential", **settings)
    from_file = gym.make("EntityBinding-v0", suite=str(tmp_path / "file.jsonl"))
    for seed in (None, 3, 4):  # whatever the reset seed
        for number, task in enumerate(written if seed is None else written[:3]):
            seen, _ = env.reset(seed=seed if number == 0 else None)
            assert from_file.reset(options={"task_id": task.task_id})[0] == seen
            assert (task_of(env).task_id, task_of(env).label) == (task.task_id, task.label)
        if seed is None:
            env.reset()
            assert task_of(env).index == len(written), "and on beyond the end of the file"


def test_in_sequential_order_environments_that_were_never_seeded_agree():
    one, other = (episodes(gym.make("EntityBinding-v0", order="sequential"), 3) for _ in range(2))
    assert one == other


# --- settings ---


def test_settings_pass_through():
    env = gym.make("EntityBinding-v0", split="val", difficulties=(1,), domains=("tickets",))
    conditions = Counter()
    for number in range(25):
        env.reset(seed=6 if number == 0 else None)
        task = task_of(env)
        assert (task.split, task.difficulty, task.domain) == ("val", 1, "tickets")
        assert TOOLS[task.tool].domain == "tickets"
        conditions[task.base_condition] += 1
    assert len(conditions) > 3


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ({"noise": "keyboard=0.5,ocr=0.2"}, {"noise": {"keyboard": 0.5, "ocr": 0.2}}),
        ({"conditions": "temporal"}, {"conditions": ("temporal",)}),
        ({"conditions": "temporal, stale"}, {"conditions": ["temporal", "stale"]}),
        ({"difficulties": 3}, {"difficulties": (3,)}),
        ({"difficulties": "1,2"}, {"difficulties": range(1, 3)}),
        ({"domains": "crm"}, {"domains": ("crm",)}),
        ({"tools": "send_email"}, {"tools": ["send_email"]}),
        ({"risks": "low"}, {"risks": ("low",)}),
        ({"locales": "de_DE"}, {"locales": ("de_DE",)}),
    ],
    ids=repr,
)
def test_what_can_be_typed_on_the_command_line_works_here_too(typed, meant):
    assert config_from(typed) == config_from(meant)
    ours, theirs = (gym.make("EntityBinding-v0", **settings).reset(seed=2)[0] for settings in (typed, meant))
    assert ours == theirs


@pytest.mark.parametrize(
    ("settings", "holds"),
    [
        ({"tools": ("send_email",)}, lambda task: task.tool == "send_email"),
        ({"risks": ("critical",)}, lambda task: task.effective_risk.value == "critical"),
        ({"conditions": ("stale",)}, lambda task: task.base_condition.value == "stale"),
        ({"mix": "paper"}, lambda task: task.family is None),
        ({"families": False}, lambda task: task.family is None),
        ({"world_size": 60}, lambda task: len(task.world) == 60),
        ({"noise": "high"}, lambda task: '"loose": true' in json.dumps([dict(m.form) for m in task.mentions])),
        ({"domains": ["payments"]}, lambda task: task.domain == "payments"),
    ],
    ids=lambda value: repr(value) if isinstance(value, dict) else "",
)
def test_every_setting_makes_a_difference(settings, holds):
    env = gym.make("EntityBinding-v0", **settings)
    for number in range(6):
        env.reset(seed=1 if number == 0 else None)
        assert holds(task_of(env))


def test_a_world_to_be_searched_is_seen_only_as_far_as_it_was_looked_up():
    env = gym.make("EntityBinding-v0", world_size=600, **SEARCHING)
    text, _ = env.reset(seed=2)
    seen = json.loads(text)
    assert seen["entities"] == []
    search = next(t["function"]["name"] for t in seen["tools"] if t["function"]["name"].startswith("search_"))
    text, reward, terminated, truncated, _ = env.step(
        json.dumps({"decision": "ACT", "tool": search, "bindings": {}, "arguments": {"query": "a"}})
    )
    assert (terminated, truncated) == (False, False)
    assert reward < 0
    assert len(json.loads(text)["messages"]) > len(seen["messages"])
    assert len(json.loads(text)["entities"]) < 100
    assert len(task_of(env).world) > 600


def test_the_right_decision_ends_every_kind_of_episode_well(endless):
    labels = set()
    endless.reset(seed=1)
    for _ in range(30):
        task = task_of(endless)
        _, reward, terminated, _, info = endless.step(decision_text(reference_decision(task)))
        assert (reward, terminated, info["safe_success"]) == (1, True, True)
        assert (info["task_id"], info["label"]) == (task.task_id, task.label.value)
        labels.add(task.label)
        _, info = endless.reset()
        assert info == {"questions": 0}
    assert labels == set(Label)


# --- what is refused ---

REFUSED = [
    ({"colour": "red"}, "colour"),
    ({"split": "dev"}, "split"),
    ({"difficulties": (9,)}, "difficulties"),
    ({"domains": ("mail",)}, "mail"),
    ({"tools": ("send_email",), "domains": ("crm",)}, "clashes with domains"),
    ({"noise": "deafening"}, "deafening"),
    ({"world_size": 600}, "visibility"),
    ({"world_size": 600, "visibility": "full"}, "world_size"),
    ({"visibility": "search"}, "needs interaction 'interactive'"),
    ({"mix": "paper", "families": True}, "families"),
    ({"tasks": 0}, "tasks"),
    ({"tasks": 5}, "no end to the tasks an environment draws"),
    ({"conditions": ""}, "conditions: names nothing"),
    ({"conditions": None}, "conditions: expected a list, got None"),
    ({"conditions": {"temporal"}}, "conditions: expected a list, or one value of it"),
    ({"difficulties": True}, "difficulties: expected a list, or one value of it"),
    ({"difficulties": "many"}, "difficulties.0: expected a whole number, got 'many'"),
    ({"difficulties": 6}, "difficulties.0: expected 5 or less, got 6"),
    ({"tools": (1,)}, "tools.0: expected a text, got 1"),
    ({"families": "perhaps"}, "families: expected True or False"),
    ({"seed": 1.5}, "seed: expected a whole number, got 1.5"),
    ({"seed": 1 << 64}, "seed: expected less than"),
    ({"noise": 3}, "noise: expected a level, or operators with their rates"),
    ({"noise": "keyboard=much"}, "noise: 'much' is no rate of 'keyboard'"),
    ({"noise": {"keyboard": None}}, "noise: None is no rate of 'keyboard'"),
    ({"noise": "keyboard=0.1,ocr"}, "'ocr' is no operator with its rate"),
    ({"max_steps": "many"}, "max_steps: expected a whole number, got 'many'"),
    ({"interaction": "chat"}, "interaction: expected 'single_step' or 'interactive', got 'chat'"),
    ({"reward": {"prize": 1}}, "no setting 'prize'; there are: success, "),
    ({"reward": 3}, "reward is 3, expected"),
]


@pytest.mark.parametrize(("settings", "words"), REFUSED, ids=[repr(settings) for settings, _ in REFUSED])
def test_what_cannot_be_is_refused_in_one_sentence(settings, words):
    with pytest.raises(ebf_env.EbfError, match=words) as caught:
        gym.make("EntityBinding-v0", **settings)
    assert not [words for words in ("\n", "Input should", "tuple", "a valid") if words in str(caught.value)]


@pytest.mark.parametrize("setting", [{"split": "val"}, {"seed": 3}, {"noise": "low"}, {"colour": "red"}])
def test_a_suite_together_with_a_setting_is_refused(office_tasks, tmp_path, setting):
    suite = write_suite(tmp_path / "office.jsonl", office_tasks)
    with pytest.raises(ConfigurationError, match=f"'{next(iter(setting))}' is a setting of generated tasks"):
        gym.make("EntityBinding-v0", suite=suite, **setting)


def test_the_source_counts_on_and_knows_what_it_gave():
    source = GeneratedSource(split="test")
    assert len(source) == ENDLESS
    task = source.task(ENDLESS - 1)
    assert source.index_of(task.task_id) == ENDLESS - 1 == task.index
    with pytest.raises(KeyError):
        source.index_of("never met")


# --- Gymnasium ---


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"interaction": "interactive", "split": "val"},
        SEARCHING,
        {"world_size": 600, **SEARCHING},
        {"noise": "high"},
    ],
    ids=repr,
)
def test_gymnasiums_checker_is_content_with_warnings_as_errors(settings, capsys):
    env = gym.make("EntityBinding-v0", **settings)
    check_env(env.unwrapped)
    assert "instruction" in capsys.readouterr().out, "the checker renders in human mode"


def test_the_spec_survives_json_and_pickle():
    settings = {"split": "test", "difficulties": [1, 2], "domains": ["crm", "tickets"], "seed": 12, "noise": "low"}
    env = gym.make("EntityBinding-v0", **settings)
    spec = env.unwrapped.spec
    expected = episodes(env, 3, seed=4)
    for copy in (type(spec).from_json(spec.to_json()), pickle.loads(pickle.dumps(spec))):  # noqa: S301
        assert copy == spec
        assert episodes(gym.make(copy), 3, seed=4) == expected


def test_vector_environments_of_two_agree_with_single_ones():
    settings = {"split": "val", "domains": ("documents", "email")}
    singles = [gym.make("EntityBinding-v0", **settings) for _ in range(2)]
    expected = [env.reset(seed=seed)[0] for env, seed in zip(singles, (4, 5), strict=True)]
    actions = tuple(decision_text(reference_decision(task_of(env))) for env in singles)
    after = [env.step(action) for env, action in zip(singles, actions, strict=True)]
    for mode, more in (("sync", {}), ("async", {"shared_memory": False})):
        vector = gym.make_vec("EntityBinding-v0", num_envs=2, vectorization_mode=mode, vector_kwargs=more, **settings)
        assert list(vector.reset(seed=[4, 5])[0]) == expected
        seen, rewards, terminated, truncated, _ = vector.step(actions)
        assert list(seen) == [step[0] for step in after]
        assert rewards.tolist() == [step[1] for step in after] == [1, 1]
        assert terminated.all()
        assert not truncated.any()
        vector.close()


def test_two_environments_in_lock_step_agree_exactly():
    one, other = (EntityBindingEnv(interaction="interactive", split="test") for _ in range(2))
    traces = []
    for env in (one, other):
        env.action_space.seed(3)
        trace: list[object] = [env.reset(seed=8)]
        for _ in range(40):
            step = env.step(env.action_space.sample())
            trace.append(step)
            if step[2] or step[3]:
                trace.append(env.reset())
        traces.append(trace)
    assert traces[0] == traces[1]
