"""Registration with Gymnasium, without importing it.

``import ebf_env`` makes ``gym.make("EntityBinding-v0")`` work whichever of the two is imported first: the environments
are registered as soon as Gymnasium's registry exists. Until then nothing heavy is loaded, so that the command line
starts fast.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

ENVIRONMENTS = {"EntityBinding-v0": "ebf_env.envs.env:EntityBindingEnv"}
"""Environment id to entry point; the version in the id is the environment's own."""

_REGISTRY = "gymnasium.envs.registration"


def register_environments() -> None:
    """Register every environment now, or as soon as Gymnasium is imported."""
    if (registration := sys.modules.get(_REGISTRY)) is not None:
        _register(registration)
    elif not any(isinstance(finder, _OnImportOfRegistry) for finder in sys.meta_path):
        sys.meta_path.insert(0, _OnImportOfRegistry())


def _register(registration: ModuleType) -> None:
    for env_id, entry_point in ENVIRONMENTS.items():
        if env_id not in registration.registry:
            registration.register(id=env_id, entry_point=entry_point)


class _OnImportOfRegistry(MetaPathFinder):
    """Steps in once, when Gymnasium's registry is imported, and registers after it is loaded (as PEP 369 has it)."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The registry's own spec, its loader followed by the registration; None for every other module."""
        if fullname != _REGISTRY:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def load_and_register(module: ModuleType) -> None:
                load(module)
                _register(module)

            spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
