"""Registration with Gymnasium, without importing it.

``import ebf_env`` makes ``gym.make("EntityBinding-v0")`` work whichever of the two is imported first: the environments
are registered as soon as Gymnasium's registry exists. Until then nothing heavy is loaded, so that the command line
starts fast.
"""

from __future__ import annotations

from types import ModuleType

from wrapt import register_post_import_hook

ENVIRONMENTS = {"EntityBinding-v0": "ebf_env.envs.env:EntityBindingEnv"}
"""Environment id to entry point; the version in the id is the environment's own."""


def register_environments() -> None:
    """Register every environment now, or as soon as Gymnasium is imported."""
    register_post_import_hook(_register, "gymnasium.envs.registration")


def _register(registration: ModuleType) -> None:
    for env_id, entry_point in ENVIRONMENTS.items():
        if env_id not in registration.registry:
            registration.register(id=env_id, entry_point=entry_point)
