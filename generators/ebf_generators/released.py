"""The suites that are released: their configurations, and the hashes of what these have to give.

``ebf generate --release NAME`` draws one and fails if a hash differs, so that the same name is the same suite anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_generators.config import SuiteConfig


@dataclass(frozen=True, slots=True)
class Release:
    """A released suite.

    Attributes:
        config: what it is made of.
        sha256: hash of its task lines.
    """

    config: SuiteConfig
    sha256: str


RELEASES: Final[dict[str, Release]] = {
    "ebf-600": Release(
        SuiteConfig(tasks=600, split="test", mix="balanced"),
        "616b5e9f9a91b0aef57c06b0987c3c35db61708642a662af436f8f7ee9656d13",
    ),
    "ebf-60": Release(
        SuiteConfig(tasks=60, split="test", mix="paper"),
        "6944c523a66c5cd3544c5ce827b0719c4438e258bd5be5f75daf5b4022911432",
    ),
}
"""Name to release: 600 tasks in contrast families, and 60 single ones in the paper's shares of conditions."""


def release(name: str) -> Release:
    """The released suite of a name.

    Raises:
        ConfigurationError: there is none.
    """
    if name not in RELEASES:
        raise ConfigurationError(f"no suite {name!r} was released; known: {', '.join(RELEASES)}")
    return RELEASES[name]
