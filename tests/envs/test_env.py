from __future__ import annotations

import json
import pickle
import subprocess
import sys

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ebf_env
from ebf_env.decisions import Invalid, ToolCall, check_call, parse_decision
from ebf_env.envs.env import EntityBindingEnv, episode_index
from ebf_env.envs.spaces import DecisionSpace, ObservationSpace
from ebf_env.errors import ConfigurationError
from ebf_env.scoring import RewardConfig
from ebf_env.tasks import Suite, SuiteInfo, write_suite
from ebf_env.world import TOOLS

RIGHT = '{"decision": "ACT", "tool": "send_email", "bindings": {"recipient": "p2"}}'


@pytest.fixture(scope="module")
def suite_path(tmp_path_factory, office_tasks) -> str:
    path = tmp_path_factory.mktemp("suite") / "office.jsonl"
    write_suite(path, office_tasks, SuiteInfo("office"))
    return str(path)


@pytest.mark.parametrize("interaction", ["single_step", "interactive"])
@pytest.mark.parametrize("with_suite", [True, False])
def test_gymnasiums_checker_is_content(suite_path, interaction, with_suite, capsys):
    env = gym.make("EntityBinding-v0", suite=suite_path if with_suite else None, interaction=interaction)
    check_env(env.unwrapped)
    assert "instruction" in capsys.readouterr().out, "the checker renders in human mode"


def test_search_visibility_passes_the_checker_too(suite_path):
    env = gym.make("EntityBinding-v0", suite=suite_path, interaction="interactive", visibility="search")
    check_env(env.unwrapped, skip_render_check=True)


def play(env: gym.Env, seed: int, steps: int) -> list:
    env.action_space.seed(seed)
    observation, info = env.reset(seed=seed)
    trace: list = [observation, info]
    for _ in range(steps):
        action = env.action_space.sample()
        step = env.step(action)
        trace += [action, *step]
        if step[2] or step[3]:
            trace += list(env.reset())
    return trace


@pytest.mark.parametrize("interaction", ["single_step", "interactive"])
@pytest.mark.parametrize("order", ["sequential", "random"])
def test_two_environments_in_lock_step_agree_exactly(suite_path, interaction, order):
    envs = [gym.make("EntityBinding-v0", suite=suite_path, interaction=interaction, order=order) for _ in range(2)]
    assert play(envs[0], 7, 60) == play(envs[1], 7, 60)
    assert play(envs[0], 7, 60) == play(envs[1], 7, 60), "and again after a reset with a seed"
    assert play(envs[0], 7, 60) != play(envs[1], 8, 60)


def test_the_face_and_the_episode_agree(suite_path, office_tasks):
    from ebf_env.envs import Episode

    env = EntityBindingEnv(suite_path)
    for task in office_tasks:
        observation, _ = env.reset(options={"task_id": task.task_id})
        episode = Episode(task)
        assert observation == episode.observation.text()
        action = env.action_space.sample()
        result, step = episode.step(action), env.step(action)
        assert step == (result.observation.text(), result.reward, result.terminated, result.truncated, episode.info())


def test_a_suite_is_run_through_in_order_and_begun_anew_by_a_seed(suite_path, office_tasks):
    env = gym.make("EntityBinding-v0", suite=suite_path)

    def instruction(**kwargs) -> str:
        return json.loads(env.reset(**kwargs)[0])["instruction"]

    words = [task.instruction for task in office_tasks]
    assert [instruction() for _ in range(7)] == [*words, *words[:2]]
    assert instruction(seed=5) == words[0]
    assert instruction(options={"task_id": "task-4"}) == words[3]


def test_random_order_depends_on_seed_and_episode_number_alone(suite_path):
    def ids(seed: int, actions: int) -> list[str]:
        env = EntityBindingEnv(suite_path, order="random")
        env.action_space.seed(actions)
        env.reset(seed=seed)
        seen = []
        for _ in range(12):
            seen.append(env.episode.task.task_id)
            env.step(env.action_space.sample())
            env.reset()
        return seen

    assert ids(3, actions=1) == ids(3, actions=2)
    assert ids(3, actions=1) != ids(4, actions=1)


def test_episode_numbers_are_spread_evenly():
    counts = np.bincount([episode_index(11, number, 5) for number in range(5000)], minlength=5)
    assert counts.min() > 850
    assert [episode_index(seed, 0, 10**9) for seed in (1, 2)] != [episode_index(seed, 1, 10**9) for seed in (0, 1)]


def test_the_spec_survives_json_and_pickle(suite_path):
    env = gym.make(
        "EntityBinding-v0", suite=suite_path, interaction="interactive", reward={"question": 0.2}, max_steps=3
    )
    spec = env.unwrapped.spec
    for copy in (type(spec).from_json(spec.to_json()), pickle.loads(pickle.dumps(spec))):  # noqa: S301
        assert copy == spec
        again = gym.make(copy)
        assert again.reset(seed=1)[0] == env.reset(seed=1)[0]
        assert again.unwrapped.config.reward.question == 0.2


@pytest.mark.parametrize(
    "order",
    ["import ebf_env, gymnasium", "import gymnasium, ebf_env", "import gymnasium"],
)
def test_the_environment_is_found_whichever_is_imported_first(order):
    name = "ebf_env:EntityBinding-v0" if "ebf_env" not in order else "EntityBinding-v0"
    code = f"{order}\nenv = gymnasium.make({name!r})\nprint(env.reset(seed=0)[0][:14])"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == '{"instruction"'


def test_importing_the_package_loads_neither_gymnasium_nor_pydantic():
    code = "import ebf_env, sys; print([m for m in ('gymnasium', 'numpy', 'pydantic', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_samples_fit_the_current_episode(suite_path):
    env = EntityBindingEnv(suite_path)
    env.action_space.seed(0)
    kinds: dict[str, int] = {}
    for _ in range(300):
        env.reset()
        text = env.action_space.sample()
        assert text in env.action_space
        decision = parse_decision(text)
        kinds[type(decision).__name__] = kinds.get(type(decision).__name__, 0) + 1
        if isinstance(decision, ToolCall):
            task = env.episode.task
            assert not isinstance(check_call(decision, task.tools, task.world.get), Invalid)
    assert set(kinds) == {"ToolCall", "Clarify", "Defer"}
    assert min(kinds.values()) > 60


def test_samples_without_an_episode_fit_the_registered_tools():
    space = DecisionSpace(seed=3)
    for _ in range(200):
        decision = parse_decision(space.sample())
        assert not isinstance(decision, Invalid)
        if isinstance(decision, ToolCall):
            assert {p.slot for p in TOOLS[decision.tool].preconditions if p.required} == set(decision.bindings)


def test_spaces_hold_their_samples_and_refuse_what_is_none(suite_path):
    space = ObservationSpace(seed=1)
    for _ in range(20):
        assert space.sample() in space
    assert space == ObservationSpace()
    assert space != DecisionSpace()
    assert "{}" not in space
    assert "nonsense" not in space
    assert 3 not in DecisionSpace()
    assert "any text with blanks, ünïcode\nand newlines" in DecisionSpace()
    one, two = ObservationSpace(seed=5), ObservationSpace(seed=5)
    assert [one.sample() for _ in range(3)] == [two.sample() for _ in range(3)]
    with pytest.raises(ValueError, match="no character mask"):
        space.sample(mask=(None, None))


def test_vector_environments_agree_with_single_ones(suite_path):
    vector = gym.make_vec("EntityBinding-v0", num_envs=2, vectorization_mode="sync", vector_kwargs={}, suite=suite_path)
    observations, _ = vector.reset(seed=[4, 5])
    single = gym.make("EntityBinding-v0", suite=suite_path)
    assert observations[0] == single.reset(seed=4)[0]
    observations, rewards, terminated, truncated, _ = vector.step((RIGHT, RIGHT))
    assert rewards.tolist() == [single.step(RIGHT)[1]] * 2 == [1.0, 1.0]
    assert terminated.all()
    assert not truncated.any()
    vector.close()


def test_asynchronous_vector_environments_agree_too_and_refuse_shared_memory(suite_path):
    vector = gym.make_vec(
        "EntityBinding-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"shared_memory": False},
        suite=suite_path,
    )
    observations, _ = vector.reset(seed=[4, 5])
    assert observations[1] == gym.make("EntityBinding-v0", suite=suite_path).reset(seed=5)[0]
    vector.close()
    with pytest.raises(ValueError, match="shared_memory=False"):
        gym.make_vec("EntityBinding-v0", num_envs=2, vectorization_mode="async", suite=suite_path)


def test_actions_are_rewarded_and_the_verdict_comes_only_at_the_end(suite_path):
    env = gym.make("EntityBinding-v0", suite=suite_path)
    _, info = env.reset(seed=0)
    assert info == {"questions": 0}
    _, reward, terminated, truncated, info = env.step(RIGHT)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert info["outcome"] == "success"
    assert info["is_success"] is True
    assert info["condition"] == "name_collision"


def test_a_suite_object_and_a_reward_config_are_taken_as_they_are(office_tasks):
    env = EntityBindingEnv(Suite(SuiteInfo(), office_tasks, ""), reward=RewardConfig(success=3))
    env.reset()
    assert env.step(RIGHT)[1] == 3


def test_text_rendering_shows_what_a_person_needs(suite_path):
    env = gym.make("EntityBinding-v0", suite=suite_path, render_mode="ansi")
    env.reset(seed=0)
    before = env.render()
    for words in ("Email Alex from support.", "Alex Kumar", "team=Support", "send_email", "Dana Ruiz says"):
        assert words in before
    assert "verdict" not in before
    env.step(RIGHT)
    after = env.render()
    assert "success" in after
    assert "verdict" in after
    assert "decided: send_email(recipient = Alex Kumar (p2))" in after
    assert "owner=Alex Chen" in after, "ids of records in sight are shown by what those are called"
    assert "\x1b" not in after


def test_human_rendering_prints_as_it_happens(suite_path, capsys):
    env = gym.make("EntityBinding-v0", suite=suite_path, render_mode="human")
    env.reset(seed=0)
    assert "Email Alex from support." in capsys.readouterr().out
    env.step(RIGHT)
    after = capsys.readouterr().out
    assert "success" in after
    assert "records in sight" not in after, "records are printed once"


def test_records_cannot_send_escape_sequences_to_the_terminal(make_task, office):
    from ebf_env.world import Entity

    evil = office.derive(
        [Entity("p2", "person", {"name": "Al\x1b[2Jex [red]x[/red]", "email": "a@b", "status": "active"})]
    )
    env = EntityBindingEnv(Suite(SuiteInfo(), (make_task(world=evil),), ""), render_mode="ansi")
    env.reset()
    text = env.render()
    assert "\x1b" not in text
    assert "[red]x[/red]" in text


BAD = [
    ({"suite": "/nowhere.jsonl"}, "no such file"),
    ({"interaction": "sometimes"}, "interaction"),
    ({"visibility": "search"}, "needs interaction"),
    ({"visibility": "some", "interaction": "interactive"}, "visibility"),
    ({"max_steps": 0}, "max_steps"),
    ({"order": "backwards"}, "order"),
    ({"render_mode": "rgb_array"}, "render_mode"),
    ({"reward": {"succes": 1}}, "succes"),
    ({"reward": {"invalid": -1}}, "invalid"),
]


@pytest.mark.parametrize(("kwargs", "words"), BAD)
def test_bad_configuration_is_refused_in_one_sentence(kwargs, words):
    with pytest.raises(ebf_env.EbfError, match=words) as caught:
        EntityBindingEnv(**kwargs)
    assert "\n" not in str(caught.value)


def test_bad_options_and_wrong_order_of_calls_are_refused(suite_path):
    env = EntityBindingEnv(suite_path)
    with pytest.raises(ConfigurationError, match="reset"):
        env.step(RIGHT)
    with pytest.raises(ConfigurationError, match="no task 'x'"):
        env.reset(options={"task_id": "x"})
    with pytest.raises(ConfigurationError, match="no task"):
        env.reset(options={"task_id": ["task-1"]})
    with pytest.raises(ConfigurationError, match="unknown reset option 'taskid'"):
        env.reset(options={"taskid": "task-1"})
    env.reset()
    env.step(RIGHT)
    with pytest.raises(ConfigurationError, match="has ended"):
        env.step(RIGHT)
