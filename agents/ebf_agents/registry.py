"""Backends by name: ``oracle``, ``random``, ``first``, ``replay:FILE``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ebf_agents.replay import Recording
from ebf_agents.scripted import FirstBackend, OracleBackend, RandomBackend
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Backend


def _replay(argument: str) -> tuple[Backend, ...]:
    if not argument:
        raise ConfigurationError("the backend 'replay' needs a file: replay:FILE.csv")
    return Recording.read(argument).backends()


def _plain(kind: Callable[[], Backend], name: str) -> Callable[[str], tuple[Backend, ...]]:
    def make(argument: str) -> tuple[Backend, ...]:
        if argument:
            raise ConfigurationError(f"the backend {name!r} takes nothing after its name, got {argument!r}")
        return (kind(),)

    return make


BACKENDS: Mapping[str, Callable[[str], tuple[Backend, ...]]] = MappingProxyType(
    {
        "oracle": _plain(OracleBackend, "oracle"),
        "random": _plain(RandomBackend, "random"),
        "first": _plain(FirstBackend, "first"),
        "replay": _replay,
    }
)
"""Kind of backend to what makes it from the text after the colon."""


def backends_named(spec: str) -> tuple[Backend, ...]:
    """The backends a name stands for: one, or one for each model of a recording.

    Raises:
        ConfigurationError: the kind is unknown; the message lists the known ones.
        ReplayError: a recording cannot be read.
    """
    kind, _, argument = spec.partition(":")
    if kind not in BACKENDS:
        known = ", ".join(f"{name}:FILE" if name == "replay" else name for name in BACKENDS)
        raise ConfigurationError(f"unknown backend {spec!r}; known: {known}")
    return BACKENDS[kind](argument)
