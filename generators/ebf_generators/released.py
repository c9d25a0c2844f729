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
        "a5afc7900a6b249dbefb3846ed0eb588b821dc0bc3e121e157f8790b767dc59b",
    ),
    "ebf-60": Release(
        SuiteConfig(tasks=60, split="test", mix="paper"),
        "1f15c5331c5489b4a94646fa10d4e48ef7487666502acf90636391ca67d5253b",
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
