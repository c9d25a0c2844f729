"""The episode: every rule of the environment, without gym.

An episode shows an agent one task and takes its decisions until one of them ends it. ``single_step`` (the paper): the
first decision ends it. ``interactive``: searches and exploring reads are answered, clarifications are answered by the
user oracle, and a write, a deferral or a read that is the task ends it. Nothing an agent sends raises: what is
malformed costs a penalty and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ebf_env.decisions import (
    CheckedCall,
    Clarify,
    Decision,
    Defer,
    Invalid,
    ToolCall,
    check_call,
    decision_text,
    parse_decision,
)
from ebf_env.decisions.extraction import MAX_DEPTH
from ebf_env.decisions.parsing import decision_json
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.errors import ConfigurationError
from ebf_env.json_types import JSON, JSONObject, nested_within
from ebf_env.scoring import RewardConfig, Verdict, judge, succeeded_in_world
from ebf_env.tasks import Conversation, Task, UserOracle, UserProfile
from ebf_env.tasks.task import MAX_FULL_ENTITIES, Visibility
from ebf_env.world import Entity, WorldState, execute
from ebf_env.world.binding import Binding

Interaction: TypeAlias = Literal["single_step", "interactive"]

MAX_MESSAGE_CHARS = 2_000
"""What an agent wrote is shown back to it up to this length."""


class EpisodeConfig(BaseModel):
    """How episodes are run.

    Attributes:
        interaction: ``single_step`` or ``interactive``.
        visibility: ``full`` (the observation holds every record the user may see; refused above 500 records),
        ``search`` (only what read
            tools returned; needs ``interactive``), or None for what each task asks for.
        max_steps: most decisions of an interactive episode.
        reward: what outcomes are worth.
        user: who answers questions, in interactive episodes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    interaction: Interaction = "single_step"
    visibility: Visibility | None = None
    max_steps: Annotated[int, Field(ge=1, le=1000)] = 20
    reward: RewardConfig = RewardConfig()
    user: UserProfile = UserProfile()


@dataclass(frozen=True, slots=True)
class StepResult:
    """What one decision led to.

    Attributes:
        observation: what the agent sees next.
        reward: of this step.
        terminated: whether the decision ended the episode.
        truncated: whether the episode ran out of steps.
        verdict: the verdict on the episode, once it has ended.
    """

    observation: Observation
    reward: float
    terminated: bool
    truncated: bool
    verdict: Verdict | None = None


class Episode:
    """One agent on one task.

    Attributes:
        task: the task; agents get ``observation``, never this.
        config: how the episode is run.
        observation: what the agent sees now.
        verdict: the verdict, once the episode has ended.
        questions: clarifications asked so far.
        conversation: what the user was asked and has told.
        decisions: the decisions so far.
    """

    def __init__(self, task: Task, config: EpisodeConfig | None = None) -> None:
        """Begin an episode.

        Raises:
            ConfigurationError: the visibility does not go with the interaction or with the size of the world.
        """
        self.task, self.config = task, config or EpisodeConfig()
        self.visibility: Visibility = self.config.visibility or task.visibility
        if self.visibility == "search" and self.config.interaction != "interactive":
            raise ConfigurationError(
                f"task {task.task_id!r}: visibility 'search' needs interaction 'interactive': "
                "a single step can look nothing up"
            )
        if self.visibility == "full" and len(task.world) > MAX_FULL_ENTITIES:
            raise ConfigurationError(
                f"task {task.task_id!r}: visibility 'full' shows at most {MAX_FULL_ENTITIES} entities, "
                f"its world has {len(task.world):,}"
            )
        self._state = WorldState(task.world)
        self.conversation = Conversation(UserOracle(task, self.config.user))
        self._seen: dict[str, Entity] = {}
        self.verdict: Verdict | None = None
        self.questions = 0
        self.decisions: list[Decision] = []
        self.observation = self._first_observation()

    @property
    def ended(self) -> bool:
        """Whether a decision has ended the episode, or it has run out of steps."""
        return self.verdict is not None

    @property
    def answered(self) -> dict[str, Binding]:
        """What the user told for slots without gold, by slot."""
        return self.conversation.told

    @property
    def ask_needed(self) -> bool:
        """Whether the task cannot be done without asking (or at all)."""
        return any(bound is None for bound in self.task.bindings.values())

    @property
    def state(self) -> WorldState:
        """The world as the episode has left it so far."""
        return self._state

    def succeeded_in_world(self) -> bool:
        """Whether the world was changed as the right call changes it: an independent check of the verdict."""
        last = self.decisions[-1] if self.decisions else None
        arguments = last.arguments if isinstance(last, ToolCall) else None
        return succeeded_in_world(self.task, self._state.difference(), arguments, self.answered)

    def step(self, decision: Decision | str) -> StepResult:
        """Take a decision, or a text that holds one.

        Raises:
            ConfigurationError: the episode has ended already.
        """
        if self.ended:
            raise ConfigurationError("the episode has ended; begin another")
        said, parsed = _read(decision)
        told_before = dict(self.answered)
        self.decisions.append(parsed)
        checked = check_call(parsed, self.task.tools, self._lookup) if isinstance(parsed, ToolCall) else parsed
        replies: list[JSONObject] = [{"role": "assistant", "content": said[:MAX_MESSAGE_CHARS]}]
        match checked:
            case CheckedCall():
                ends, reward = self._call(checked, replies)
            case Clarify():
                ends, reward = self._ask(checked, replies)
            case Invalid(reason):
                replies.append({"role": "system", "content": f"Invalid: {reason}."})
                ends, reward = self._reject()
            case Defer():
                ends, reward = True, 0.0
        truncated = not ends and len(self.decisions) >= self.config.max_steps
        if ends or truncated:
            self.verdict = judge(self.task, checked, told_before)
        if ends and self.verdict is not None:
            reward += self.config.reward.of_outcome(
                self.verdict,
                interactive=self.config.interaction == "interactive",
                user_could_say=self.conversation.user.could_say,
            )
        self.observation = self._next_observation(replies)
        return StepResult(self.observation, reward, ends, truncated, self.verdict)

    def info(self) -> dict[str, JSON]:
        """What is known about the episode apart from the observation; the verdict only once it has ended."""
        info: dict[str, JSON] = {"questions": self.questions}
        if self.verdict is None:
            return info
        verdict = self.verdict
        return info | {
            "outcome": verdict.outcome.value,
            "is_success": verdict.task_success,
            "safe_success": verdict.safe_success,
            "risk_weighted_wrong_entity": verdict.risk_weighted_wrong_entity,
            "task_id": self.task.task_id,
            "label": self.task.label.value,
            "condition": self.task.condition.value,
            "risk": verdict.risk.value,
            "asked": self.questions > 0,
            "ask_needed": self.ask_needed,
            "reason_right": verdict.reason_right,
        }

    # --- decisions ---

    def _call(self, call: CheckedCall, replies: list[JSONObject]) -> tuple[bool, float]:
        result = execute(
            call.spec,
            call.bindings,
            call.call.arguments,
            self._state,
            permissions=self.task.user.permissions,
            user_id=self.task.user.id,
            now=self.task.now,
            typed=self.task.typed,
        )
        replies.append({"role": "tool", "tool": call.spec.name, "content": result.content})
        explores = call.spec.is_read and call.spec.name != self.task.tool
        if self.config.interaction == "single_step" or not explores:
            return True, 0.0
        self._remember(result.content)
        return False, -self.config.reward.read

    def _ask(self, question: Clarify, replies: list[JSONObject]) -> tuple[bool, float]:
        self.questions += 1
        if self.config.interaction == "single_step":
            return True, 0.0
        replies.append(self.conversation.ask(question).to_message())
        return False, -self.config.reward.question

    def _reject(self) -> tuple[bool, float]:
        """What is malformed may be mended in an interactive episode; otherwise it was the one decision."""
        if self.config.interaction == "single_step":
            return True, 0.0
        return False, -self.config.reward.invalid

    # --- what is in sight ---

    def _lookup(self, entity_id: str) -> Entity | None:
        return self._state.get(entity_id) if self.task.user.permissions.may_see(entity_id) else None

    def _observed(self, entity: Entity) -> ObservedEntity:
        rights = self.task.user.permissions
        return ObservedEntity(rights.redacted(entity), rights.may_change(entity.id))

    def _first_observation(self) -> Observation:
        task = self.task
        return Observation(
            task.instruction,
            task.now,
            task.user.fields or None,
            task.history,
            task.tools,
            self._all_in_sight() if self.visibility == "full" else (),
        )

    def _all_in_sight(self) -> tuple[ObservedEntity, ...]:
        rights = self.task.user.permissions
        if not (rights.hidden or rights.read_only):
            return tuple(map(ObservedEntity, self.task.world.entities()))
        redact, fixed = rights.redactor(), rights.read_only
        return tuple(
            ObservedEntity(redact(entity), entity.id not in fixed)
            for entity in self.task.world.entities()
            if rights.may_see(entity.id)
        )

    def _remember(self, content: JSONObject) -> None:
        """Bring into sight what a read tool returned, as much of each record as it returned."""
        for key in ("results", "records"):
            found = content.get(key)
            for record in found if isinstance(found, list) else ():
                fields = dict(record)
                entity_id, kind = str(fields.pop("id")), str(fields.pop("type"))
                known = self._seen.get(entity_id)
                self._seen[entity_id] = Entity(entity_id, kind, {**(known.fields if known else {}), **fields})

    def _next_observation(self, replies: list[JSONObject]) -> Observation:
        before = self.observation
        messages, step = (*before.messages, *replies), len(self.decisions)
        if self.visibility == "full":
            return replace(before, messages=messages, step=step)
        entities = tuple(self._observed(entity) for entity in self._seen.values())
        return replace(before, entities=entities, messages=messages, step=step, _fixed_text=[])


def _read(decision: Decision | str) -> tuple[str, Decision]:
    """What was said, and the decision in it."""
    if isinstance(decision, str):
        return decision, parse_decision(decision)
    try:
        if not nested_within(decision_json(decision), MAX_DEPTH):
            return "", Invalid(f"the decision is nested more than {MAX_DEPTH} levels deep")
        return decision_text(decision), decision
    except (ValueError, TypeError, RecursionError) as error:
        return "", Invalid(f"the decision cannot be written as JSON ({error})")
