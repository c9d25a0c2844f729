"""Backends: what fills in a decision."""

from ebf_agents.registry import BACKENDS, backends_named
from ebf_agents.replay import Recording, ReplayBackend
from ebf_agents.scripted import FirstBackend, OracleBackend, RandomBackend

__all__ = [
    "BACKENDS",
    "FirstBackend",
    "OracleBackend",
    "RandomBackend",
    "Recording",
    "ReplayBackend",
    "backends_named",
]
