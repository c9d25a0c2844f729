"""Backends: what fills in a decision."""

from ebf_agents.lexical import LexicalBackend
from ebf_agents.llm import BackendOptions, LLMBackend
from ebf_agents.registry import BACKENDS, backend_names, backends_named
from ebf_agents.replay import Recording, ReplayBackend
from ebf_agents.scripted import FirstBackend, OracleBackend, RandomBackend

__all__ = [
    "BACKENDS",
    "BackendOptions",
    "FirstBackend",
    "LLMBackend",
    "LexicalBackend",
    "OracleBackend",
    "RandomBackend",
    "Recording",
    "ReplayBackend",
    "backend_names",
    "backends_named",
]
