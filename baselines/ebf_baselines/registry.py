"""The methods by name: every module of ``ebf_baselines.methods`` defines one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ebf_baselines import methods
from ebf_baselines.method import ComposedMethod
from ebf_env.errors import ConfigurationError
from ebf_env.evaluation.report import PAPER_METHODS


def _found() -> Iterator[ComposedMethod]:
    for module in pkgutil.iter_modules(methods.__path__):
        yield importlib.import_module(f"{methods.__name__}.{module.name}").METHOD


def _place(method: ComposedMethod) -> tuple[int, str]:
    return PAPER_METHODS.index(method.name) if method.name in PAPER_METHODS else len(PAPER_METHODS), method.name


METHODS: Mapping[str, ComposedMethod] = MappingProxyType(
    {method.name: method for method in sorted(_found(), key=_place)}
)
"""Every method: those of the paper in its order, then others by name."""


def method_named(name: str) -> ComposedMethod:
    """The method of that name.

    Raises:
        ConfigurationError: there is none; the message lists the known ones.
    """
    if name not in METHODS:
        raise ConfigurationError(f"unknown method {name!r}; known: {', '.join(METHODS)}")
    return METHODS[name]
