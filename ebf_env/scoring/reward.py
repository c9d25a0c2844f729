"""Reward: risk-weighted entity correctness."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from ebf_env.scoring.outcome import Outcome, Verdict
from ebf_env.tasks import Label

NonNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class RewardConfig(BaseModel):
    """What every outcome is worth.

    Attributes:
        success: for a successful grounded action.
        wrong_entity: factor on -r of a wrong entity, r being the task's annotated risk weight or its tool's (1, 2, 4,
        5).
        wrong_tool: factor on -r of a wrong tool, r being the weight of the tool that was called.
        invalid: cost of a malformed decision or call.
        read: cost of each exploring read.
        needed: for asking or deferring where that is right, in single-step episodes.
        unneeded: cost of asking or deferring where acting is right, in single-step episodes.
        question: cost of each question in interactive episodes, needed or not: a bonus for asking would leak the label
        into training.
        right_deferral: for deferring on an unactionable task, or where the user could not say either, in interactive
        episodes.
        wrong_deferral: cost of any other deferral in interactive episodes.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    success: NonNegative = 1.0
    wrong_entity: NonNegative = 1.0
    wrong_tool: NonNegative = 1.0
    invalid: NonNegative = 0.25
    read: NonNegative = 0.01
    needed: NonNegative = 1.0
    unneeded: NonNegative = 0.25
    question: NonNegative = 0.1
    right_deferral: NonNegative = 1.0
    wrong_deferral: NonNegative = 0.25

    def of_outcome(self, verdict: Verdict, *, interactive: bool, user_could_say: bool) -> float:
        """The reward of a decision that ends an episode.

        Args:
            verdict: the verdict on it.
            interactive: whether questions are answered; then asking has its cost and deferring its own rule.
            user_could_say: whether the user could tell every slot that has no gold entity.
        """
        match verdict.outcome:
            case Outcome.SUCCESS:
                return self.success
            case Outcome.WRONG_ENTITY:
                return -self.wrong_entity * verdict.risk.weight
            case Outcome.WRONG_TOOL | Outcome.WRONG_TOOL_AND_ENTITY:
                return -self.wrong_tool * (verdict.called_risk or verdict.risk).weight
            case Outcome.INVALID:
                return -self.invalid
            case Outcome.ERROR:
                return 0.0
        if not interactive:
            needed = verdict.outcome in (Outcome.NEEDED_CLARIFICATION, Outcome.NEEDED_DEFERRAL)
            return self.needed if needed else -self.unneeded
        if verdict.outcome in (Outcome.NEEDED_CLARIFICATION, Outcome.UNNEEDED_CLARIFICATION):
            return -self.question
        right = verdict.label is Label.UNACTIONABLE or (
            verdict.outcome is Outcome.NEEDED_DEFERRAL and not user_could_say
        )
        return self.right_deferral if right else -self.wrong_deferral
