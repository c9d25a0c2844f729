"""A person in the agent's place: what they see, how what they type is read, and how a verdict is explained to them."""

from ebf_env.envs.human.explanation import disagreement
from ebf_env.envs.human.saved import SavedAnswer, ScoredAnswer, read_saved, score_saved
from ebf_env.envs.human.session import Session

__all__ = ["SavedAnswer", "ScoredAnswer", "Session", "disagreement", "read_saved", "score_saved"]
