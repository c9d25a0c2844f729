"""Backends by name: kinds such as ``oracle``, ``replay:FILE``, ``openai:MODEL``, and the entries of backends files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ebf_agents.asking import AlwaysAskBackend, NeverAskBackend, OracleQuestionBackend, WhichOneBackend
from ebf_agents.lexical import LexicalBackend
from ebf_agents.llm import BackendEntry, BackendOptions, LLMBackend, backends_in
from ebf_agents.llm.catalogue import nearest
from ebf_agents.regate import regate_backends
from ebf_agents.replay import Recording
from ebf_agents.resolver import ResolverBackend
from ebf_agents.scripted import FirstBackend, OracleBackend, RandomBackend
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.protocols import Backend

Maker = Callable[[str, BackendOptions], tuple[Backend, ...]]


def _replay(argument: str, _: BackendOptions) -> tuple[Backend, ...]:
    if not argument:
        raise ConfigurationError("the backend 'replay' needs a file: replay:FILE.csv")
    return Recording.read(argument).backends()


def _regate(argument: str, _: BackendOptions) -> tuple[Backend, ...]:
    if not argument:
        raise ConfigurationError("the backend 'regate' needs a run folder: regate:RUN")
    return regate_backends(argument)


def _openai(argument: str, options: BackendOptions) -> tuple[Backend, ...]:
    if not argument:
        raise ConfigurationError("the backend 'openai' needs a model: openai:MODEL")
    return _language_models(f"openai:{argument}", options.entry(argument), options)


def _plain(kind: Callable[[], Backend], name: str) -> Maker:
    def make(argument: str, _: BackendOptions) -> tuple[Backend, ...]:
        if argument:
            raise ConfigurationError(f"the backend {name!r} takes nothing after its name, got {argument!r}")
        return (kind(),)

    return make


BACKENDS: Mapping[str, Maker] = MappingProxyType(
    {
        "oracle": _plain(OracleBackend, "oracle"),
        "random": _plain(RandomBackend, "random"),
        "first": _plain(FirstBackend, "first"),
        "lexical": _plain(LexicalBackend, "lexical"),
        "resolver": _plain(ResolverBackend, "resolver"),
        "never_ask": _plain(NeverAskBackend, "never_ask"),
        "always_ask": _plain(AlwaysAskBackend, "always_ask"),
        "which_one": _plain(WhichOneBackend, "which_one"),
        "oracle_question": _plain(OracleQuestionBackend, "oracle_question"),
        "replay": _replay,
        "regate": _regate,
        "openai": _openai,
    }
)
"""Kind of backend to what makes it from the text after the colon."""

_ARGUMENTS: Mapping[str, str] = {"replay": ":FILE", "regate": ":RUN", "openai": ":MODEL"}


def backend_names(options: BackendOptions | None = None) -> tuple[str, ...]:
    """The words a backend's name can begin with: the kinds, and the entries of the backends files.

    Raises:
        ConfigurationError: the file of backends cannot be used.
    """
    return (*BACKENDS, *backends_in(options.backends_file if options else None))


def backends_named(spec: str, options: BackendOptions | None = None) -> tuple[Backend, ...]:
    """The backends a name stands for: one, one for each model of a recording, or one for each protocol asked for.

    Args:
        spec: ``KIND``, ``KIND:ARGUMENT``, the name of an entry of a backends file, or ``ENTRY:MODEL``.
        options: what else is known of language models.

    Raises:
        ConfigurationError: there is no such backend (the message lists the known ones), a key is missing, or the file
            of backends is wrong.
        ReplayError: a recording cannot be read.
    """
    options = options or BackendOptions()
    kind, _, argument = spec.partition(":")
    if kind in BACKENDS:
        return BACKENDS[kind](argument, options)
    entries = backends_in(options.backends_file)
    if kind not in entries:
        known = ", ".join([f"{name}{_ARGUMENTS.get(name, '')}" for name in BACKENDS] + list(entries))
        near = nearest(kind, [*BACKENDS, *entries])
        hint = f" (did you mean {near!r}?)" if near else ""
        raise ConfigurationError(f"unknown backend {spec!r}{hint}; known: {known}")
    entry = entries[kind].model_copy(update={"model": argument}) if argument else entries[kind]
    return _language_models(spec, entry, options)


def _language_models(name: str, entry: BackendEntry, options: BackendOptions) -> tuple[Backend, ...]:
    """One backend for each protocol asked for; where none was, one with the protocol of the entry."""
    if not options.protocols:
        return (LLMBackend(name, entry),)
    return tuple(
        LLMBackend(f"{name}+tools" if protocol == "tools" else name, entry.model_copy(update={"protocol": protocol}))
        for protocol in options.protocols
    )
