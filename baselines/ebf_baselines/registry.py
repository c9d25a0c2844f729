"""The methods by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ebf_baselines.direct import direct
from ebf_baselines.method import ComposedMethod
from ebf_env.errors import ConfigurationError

METHODS: Mapping[str, ComposedMethod] = MappingProxyType({method.name: method for method in (direct,)})
"""Every method, in the order of the paper."""


def method_named(name: str) -> ComposedMethod:
    """The method of that name.

    Raises:
        ConfigurationError: there is none; the message lists the known ones.
    """
    if name not in METHODS:
        raise ConfigurationError(f"unknown method {name!r}; known: {', '.join(METHODS)}")
    return METHODS[name]
