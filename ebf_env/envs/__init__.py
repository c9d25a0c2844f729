"""Episodes and their Gymnasium face.

``Episode`` holds every rule and knows no gym; ``EntityBindingEnv`` (``ebf_env.envs.env``) is a thin face on it and the
only module here that imports Gymnasium together with ``spaces``.
"""

from ebf_env.envs.episode import Episode, EpisodeConfig, StepResult
from ebf_env.envs.observation import Observation, ObservedEntity
from ebf_env.envs.sources import SuiteSource, TaskSource

__all__ = ["Episode", "EpisodeConfig", "Observation", "ObservedEntity", "StepResult", "SuiteSource", "TaskSource"]
