"""What a decision is worth: outcomes, the paper's equations, reward, and success read from the world itself."""

from ebf_env.scoring.clarity import QuestionScore, score_questions
from ebf_env.scoring.difference import succeeded_in_world
from ebf_env.scoring.formulation import (
    entity_binding_failure,
    entity_correct,
    is_ambiguous,
    multi_entity_failure,
    risk_weighted_ebf,
    tool_correct,
)
from ebf_env.scoring.outcome import Outcome, Verdict, judge
from ebf_env.scoring.reward import RewardConfig

__all__ = [
    "Outcome",
    "QuestionScore",
    "RewardConfig",
    "Verdict",
    "entity_binding_failure",
    "entity_correct",
    "is_ambiguous",
    "judge",
    "multi_entity_failure",
    "risk_weighted_ebf",
    "score_questions",
    "succeeded_in_world",
    "tool_correct",
]
