"""EntityBinding: do tool-using agents act on the record the user meant?

``import ebf_env`` registers ``EntityBinding-v0`` with Gymnasium. The names below load their modules when they are first
used, so that importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ebf_env.registration import register_environments
from ebf_env.version import __version__

if TYPE_CHECKING:
    from ebf_env.decisions import Clarify, Defer, Evidence, Invalid, ToolCall, parse_decision
    from ebf_env.envs.env import EntityBindingEnv
    from ebf_env.envs.episode import Episode, EpisodeConfig
    from ebf_env.envs.observation import Observation
    from ebf_env.errors import EbfError
    from ebf_env.scoring import Outcome, RewardConfig, Verdict
    from ebf_env.tasks import Suite, Task, UserProfile, import_paper_tasks, read_suite, write_suite
    from ebf_env.world import Entity, RiskLevel, ToolSpec, World

_HOMES = {
    "Clarify": "ebf_env.decisions",
    "Defer": "ebf_env.decisions",
    "EbfError": "ebf_env.errors",
    "Entity": "ebf_env.world",
    "EntityBindingEnv": "ebf_env.envs.env",
    "Episode": "ebf_env.envs.episode",
    "EpisodeConfig": "ebf_env.envs.episode",
    "Evidence": "ebf_env.decisions",
    "Invalid": "ebf_env.decisions",
    "Observation": "ebf_env.envs.observation",
    "Outcome": "ebf_env.scoring",
    "RewardConfig": "ebf_env.scoring",
    "RiskLevel": "ebf_env.world",
    "Suite": "ebf_env.tasks",
    "Task": "ebf_env.tasks",
    "ToolCall": "ebf_env.decisions",
    "ToolSpec": "ebf_env.world",
    "UserProfile": "ebf_env.tasks",
    "Verdict": "ebf_env.scoring",
    "World": "ebf_env.world",
    "import_paper_tasks": "ebf_env.tasks",
    "parse_decision": "ebf_env.decisions",
    "read_suite": "ebf_env.tasks",
    "write_suite": "ebf_env.tasks",
}

__all__ = [
    "Clarify",
    "Defer",
    "EbfError",
    "Entity",
    "EntityBindingEnv",
    "Episode",
    "EpisodeConfig",
    "Evidence",
    "Invalid",
    "Observation",
    "Outcome",
    "RewardConfig",
    "RiskLevel",
    "Suite",
    "Task",
    "ToolCall",
    "ToolSpec",
    "UserProfile",
    "Verdict",
    "World",
    "__version__",
    "import_paper_tasks",
    "parse_decision",
    "read_suite",
    "write_suite",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ebf_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


register_environments()
