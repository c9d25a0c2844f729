"""The methods by name: every module of ``ebf_baselines.methods`` defines one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType, ModuleType

from ebf_baselines import methods
from ebf_baselines.method import ComposedMethod
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.report import PAPER_METHODS


def _found() -> Iterator[ComposedMethod]:
    for module in pkgutil.iter_modules(methods.__path__):
        yield _module(module.name).METHOD


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"{methods.__name__}.{name}")


def _place(method: ComposedMethod) -> tuple[int, str]:
    return PAPER_METHODS.index(method.name) if method.name in PAPER_METHODS else len(PAPER_METHODS), method.name


METHODS: Mapping[str, ComposedMethod] = MappingProxyType(
    {method.name: method for method in sorted(_found(), key=_place)}
)
"""Every method: those of the paper in its order, then others by name."""


def method_named(name: str) -> ComposedMethod:
    """The method of that name, or a variant of one: ``METHOD:ARGUMENT``, where the method has variants.

    Raises:
        ConfigurationError: there is none; the message lists the known ones.
    """
    if name in METHODS:
        return METHODS[name]
    plain, colon, argument = name.partition(":")
    if plain not in METHODS:
        raise ConfigurationError(f"unknown method {name!r}; known: {', '.join(METHODS)}")
    variant: Callable[[str], ComposedMethod] | None = getattr(_module(plain), "variant", None)
    if variant is None or not colon:
        raise ConfigurationError(f"the method {plain!r} takes nothing after its name, got {name!r}")
    return variant(argument)
