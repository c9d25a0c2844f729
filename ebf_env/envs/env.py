"""``EntityBinding-v0``: the Gymnasium face of an episode."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import gymnasium as gym
import numpy as np

from ebf_env.envs.episode import Episode, EpisodeConfig, Interaction
from ebf_env.envs.sources import SuiteSource, TaskSource
from ebf_env.envs.spaces import DecisionSpace, ObservationSpace
from ebf_env.errors import ConfigurationError
from ebf_env.plain_words import first_fault_in_words
from ebf_env.scoring import RewardConfig
from ebf_env.tasks import Suite, UserProfile, read_suite
from ebf_env.tasks.task import Visibility

Order: TypeAlias = Literal["sequential", "random", "stream"]

GENERATOR = "ebf_generators.source:GeneratedSource"
"""Entry point of the source of endless tasks; a name, since the environment does not know the generator."""


class EntityBindingEnv(gym.Env[str, str]):
    """Bind what a user says to the right records of an enterprise, then act, ask, or leave it.

    ## Description
    A user gives one instruction ("Send Alex the latest launch plan"). The agent sees it with the records of the
    enterprise (people, email threads, documents, folders, events, accounts, opportunities, tickets, projects)
    and the tools it may call. Almost every call it could make is valid; the question is whether each mention is bound
    to the record the user meant, and whether the agent notices when the instruction does not single one out. The
    problem is that of Suresh Babu and Indukuri, "Entity Binding Failures in Tool-Augmented Agents" (arXiv:2606.30531).

    ## Action Space
    A text that holds one JSON object in the paper's response format:

        {"decision": "ACT" | "CLARIFY" | "DEFER", "tool": name, "bindings": {slot: id or [ids]}, "arguments": {...},
         "clarification_question": text, "provenance": [{"slot", "entity_id", "evidence"}], "slot": name,
         "attributes": [...], "options": [{"entity_id", "values"}], "reason": text, "scores": {slot: {id: p}}}

    Only `decision`, and what it needs, is mandatory. Code fences, prose around the object, trailing commas and the like
    are tolerated. `action_space.sample()` draws decisions that fit the current episode.

    ## Observation Space
    An ASCII JSON object with the keys `instruction, now, user, history, tools, entities, messages, step`. `tools` are
    OpenAI function schemas, `entities` flat records with `id` and `type` (`"access": "view"` marks one the user may not
    change), `messages` what was said and returned in this episode.

    ## Starting State
    What tasks there are is a matter of the suite, or, for generated ones, of the settings, `seed` among them. Which of
    them come is a matter of `order` and of the seed given to `reset`:

    * `"sequential"` (the default with a suite): the first task, the second, and so on, whatever the reset seed; for
      generated tasks, those of the file that `ebf generate` writes with the same settings.
    * `"stream"` (the default for generated tasks, which come in contrast blocks): one after the other, from a place
      that the reset seed says.
    * `"random"`: one drawn by reset seed and episode number.

    After `reset(seed=...)` the episodes are the same again. As everywhere in Gymnasium, an environment that was never
    reset with a seed draws one at random, so two of them go different ways, unless the order is sequential.
    `reset(options={"task_id": ...})` picks a task.

    ## Rewards
    `single_step`: +1 for the right tool on the right records, and for asking or deferring where that is right; -r for a
    wrong record and for a wrong tool, r being the risk weight (low 1, medium 2, high 4, critical 5); -0.25 for asking
    or deferring needlessly, and for what is malformed. `interactive`: a question costs 0.1 whether needed or not and
    what is done after the answer is rewarded; deferring earns +1 where nothing could be done or the user could not say
    either, else -0.25; every exploring read costs 0.01; a malformed decision costs 0.25 and may be mended. All of it is
    `RewardConfig`.

    ## Episode End
    `single_step`: with the first decision. `interactive`: with a call that writes, a read that is itself the task, or a
    deferral; truncated after `max_steps` decisions.

    ## Information
    `questions` always; at the end also `outcome`, `is_success`, `safe_success`, `risk_weighted_wrong_entity`,
    `task_id`, `label`, `condition`, `risk`, `asked`, `ask_needed`, `reason_right`. Nothing about the label is told
    before the end.

    ## Arguments
    * `suite`: path of a suite file, a `Suite`, or a `TaskSource`; None draws endless tasks.
    * `interaction`: `"single_step"` or `"interactive"`.
    * `visibility`: `"full"`, `"search"` (needs `"interactive"`), or None for what each task asks for.
    * `max_steps`: most decisions of an interactive episode, 20.
    * `reward`: a `RewardConfig`, or its fields as a mapping.
    * `user`: who answers questions, a `UserProfile` or its fields as a mapping (`{"answers": "words"}`).
    * `order`: `"sequential"`, `"random"` or `"stream"`.
    * `render_mode`: None, `"ansi"` (`render()` returns text) or `"human"` (printed as it happens).
    * Every further argument is a setting of the generated tasks, by the names of `SuiteConfig`: `seed`, `split`, `mix`,
    `families`, `conditions`, `domains`, `tools`, `risks`, `difficulties`, `world_size`, `noise`, `locales`. A list may
    be one value, or a text with commas, as on the command line. `tasks` is none of them, since there is no end to them.

    ## References
    arXiv:2606.30531.

    ## Version History
    * v0: initial version.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        suite: str | os.PathLike[str] | Suite | TaskSource | None = None,
        *,
        interaction: Interaction = "single_step",
        visibility: Visibility | None = None,
        max_steps: int = 20,
        reward: RewardConfig | Mapping[str, float] | None = None,
        user: UserProfile | Mapping[str, object] | None = None,
        order: Order | None = None,
        render_mode: Literal["ansi", "human"] | None = None,
        **settings: object,
    ) -> None:
        from pydantic import ValidationError

        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigurationError(f"render_mode is {render_mode!r}, expected None, 'ansi' or 'human'")
        if order not in (None, "sequential", "random", "stream"):
            raise ConfigurationError(f"order is {order!r}, expected 'sequential', 'random' or 'stream'")
        if not isinstance(reward, RewardConfig | Mapping | None):
            raise ConfigurationError(f"reward is {reward!r}, expected a RewardConfig, or its fields as a mapping")
        if not isinstance(user, UserProfile | Mapping | None):
            raise ConfigurationError(f"user is {user!r}, expected a UserProfile, or its fields as a mapping")
        try:
            rewards = reward if isinstance(reward, RewardConfig) else RewardConfig(**(reward or {}))
            profile = user if isinstance(user, UserProfile) else UserProfile.model_validate(dict(user or {}))
            self.config = EpisodeConfig(
                interaction=interaction, visibility=visibility, max_steps=max_steps, reward=rewards, user=profile
            )
        except ValidationError as error:
            known = UserProfile if error.title == UserProfile.__name__ else RewardConfig
            raise ConfigurationError(first_fault_in_words(error, known.model_fields)) from error
        if visibility == "search" and interaction != "interactive":
            raise ConfigurationError(
                "visibility 'search' needs interaction 'interactive', since a single step can look nothing up"
            )
        self.source = _source(suite, visibility, settings)
        if not len(self.source):
            raise ConfigurationError("the suite holds no task")
        self.order: Order = order or ("stream" if suite is None else "sequential")
        self.render_mode = render_mode
        self.observation_space = ObservationSpace()
        self.action_space = self._decisions = DecisionSpace()
        self._started = 0
        self._episode: Episode | None = None

    @property
    def episode(self) -> Episode:
        """The current episode.

        Raises:
            ConfigurationError: before the first reset.
        """
        if self._episode is None:
            raise ConfigurationError("call reset() before anything else")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: begins the sequence of episodes anew; unless the order is sequential it also says which tasks come.
            options: `{"task_id": id}` picks a task.

        Returns:
            The observation text and the info.

        Raises:
            ConfigurationError: an unknown option or task id.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._started = 0
        index = self._pick(options or {})
        self._started += 1
        self._episode = Episode(self.source.task(index), self.config)
        self._decisions.show(self._episode.observation)
        self._show()
        return self._episode.observation.text(), self._episode.info()

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Take a decision; a text that holds none costs a penalty.

        Raises:
            ConfigurationError: before the first reset, or after the episode has ended.
        """
        episode = self.episode
        result = episode.step(action if isinstance(action, str) else str(action))
        self._decisions.show(result.observation)
        self._show()
        return result.observation.text(), result.reward, result.terminated, result.truncated, episode.info()

    def render(self) -> str | None:
        """The episode as text (`"ansi"`); in `"human"` mode it is printed as it happens and None is returned."""
        if self.render_mode != "ansi":
            return None
        from ebf_env.envs.rendering import render_text

        return render_text(self.episode)

    def _pick(self, options: Mapping[str, Any]) -> int:
        unknown = sorted(options.keys() - {"task_id"})
        if unknown:
            raise ConfigurationError(f"unknown reset option {unknown[0]!r}; known: 'task_id'")
        if "task_id" in options:
            try:
                return self.source.index_of(options["task_id"])
            except (KeyError, TypeError) as error:
                raise ConfigurationError(f"the suite has no task {options['task_id']!r}") from error
        if self.order == "sequential":
            return self._started % len(self.source)
        _ = self.np_random  # seeds the environment where nobody has
        seed, size = self.np_random_seed or 0, len(self.source)
        if self.order == "stream":
            return (episode_index(seed, 0, size) + self._started) % size
        return episode_index(seed, self._started, size)

    def _show(self) -> None:
        if self.render_mode == "human":
            from ebf_env.envs.rendering import render_news, render_text

            text = render_news(self.episode) if self.episode.decisions else render_text(self.episode)
            encoding = sys.stdout.encoding or "utf-8"
            sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
            sys.stdout.flush()


def episode_index(seed: int, episode: int, size: int) -> int:
    """Which of `size` tasks episode number `episode` (from 0) of an environment seeded with `seed` is about."""
    return int(np.random.SeedSequence([seed % (1 << 64), episode]).generate_state(1, np.uint64)[0] % np.uint64(size))


def _source(
    suite: str | os.PathLike[str] | Suite | TaskSource | None,
    visibility: Visibility | None,
    settings: Mapping[str, object],
) -> TaskSource:
    if suite is None:
        module, _, name = GENERATOR.partition(":")
        more = {} if visibility is None else {"visibility": visibility}
        source: TaskSource = getattr(importlib.import_module(module), name)(**settings, **more)
        return source
    if settings:
        raise ConfigurationError(
            f"{next(iter(settings))!r} is a setting of generated tasks, which a suite clashes with"
        )
    if isinstance(suite, Suite):
        return SuiteSource(suite)
    if isinstance(suite, str | os.PathLike):
        return SuiteSource(read_suite(os.fspath(suite)))
    return suite
