"""Patterns of phrases, in a short form: alternatives apart by ``;``, the three splits by ``|``.

``by_split("from {v}; in {v} | on the {v} team | of the {v} crew")`` gives train two patterns, val and test one each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ebf_env.errors import ConfigurationError
from ebf_generators.pools import SPLITS, Split


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns of phrases, by split."""

    train: tuple[str, ...] = ()
    val: tuple[str, ...] = ()
    test: tuple[str, ...] = ()

    def __getitem__(self, split: Split) -> tuple[str, ...]:
        return {"train": self.train, "val": self.val, "test": self.test}[split]


NONE: Final = Patterns()
"""No pattern in any split."""


def by_split(text: str) -> Patterns:
    """The patterns of a short form.

    Raises:
        ConfigurationError: not three splits, or a split without a pattern, or a pattern in two splits.
    """
    parts = [tuple(pattern.strip() for pattern in part.split(";") if pattern.strip()) for part in text.split("|")]
    if len(parts) != len(SPLITS) or not all(parts):
        raise ConfigurationError(f"expected patterns for {', '.join(SPLITS)}, apart by '|', in {text!r}")
    everything = [pattern for part in parts for pattern in part]
    if len(set(everything)) < len(everything):
        raise ConfigurationError(f"a pattern is there twice in {text!r}")
    return Patterns(*parts)


def by_all(text: str) -> Patterns:
    """Patterns that every split has: plain grammar ("the latest", a possessive), no way of putting things."""
    patterns = tuple(pattern.strip() for pattern in text.split(";"))
    return Patterns(patterns, patterns, patterns)
