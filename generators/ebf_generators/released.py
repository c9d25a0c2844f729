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
        "3229ef634072f08a92600a40a53c71c2b71b040647e381e95a714d740062a5d6",
    ),
    "ebf-60": Release(
        SuiteConfig(tasks=60, split="test", mix="paper"),
        "c88918f8cfa1bb6c31507956ce1754a22b9efa62275df896c0484b1c56621acb",
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
