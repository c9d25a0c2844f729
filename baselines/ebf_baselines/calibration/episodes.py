"""What a gate is calibrated on: one episode of each family, under a scorer that is fixed before.

Tasks of one contrast block succeed and fail together. A test that takes them as independent certifies gates that are
not as good as it says, so more than one episode of a family is refused; choosing one is left to who calibrates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from ebf_env.errors import ConfigurationError
from ebf_env.world import RiskLevel


@dataclass(frozen=True, slots=True)
class Episode:
    """One task as the gate sees it, and what became of it if the gate let it act.

    A gate with thresholds (tau, delta) acts iff ``score >= tau and margin >= delta``.

    Attributes:
        family: the contrast block; a task of none is its own family and needs a name of its own.
        risk: of acting wrongly.
        score: least s1 over the mentions the task requires, in [0, 1]; 0 where a mention has no candidate at all.
        margin: least s1 - s2 over them, in [0, 1].
        would_be_wrong: whether acting binds a wrong entity, or acts where asking or deferring is right.
        resolvable: whether acting is right if the entities are: completion is measured on these.

    Raises:
        ConfigurationError: score or margin is not in [0, 1] (NaN included).
    """

    family: str
    risk: RiskLevel
    score: float
    margin: float
    would_be_wrong: bool
    resolvable: bool

    def __post_init__(self) -> None:
        for name, value in (("score", self.score), ("margin", self.margin)):
            if not 0 <= value <= 1:
                raise ConfigurationError(f"family {self.family!r}: expected a {name} in [0, 1], got {value!r}")


@dataclass(frozen=True, slots=True)
class EpisodeTable:
    """Episodes as arrays of shape (n,), for counting; it does not know families, and checks nothing.

    Attributes:
        score: as in :class:`Episode`.
        margin: likewise.
        wrong: likewise (``would_be_wrong``).
        resolvable: likewise.
    """

    score: npt.NDArray[np.float64]
    margin: npt.NDArray[np.float64]
    wrong: npt.NDArray[np.bool_]
    resolvable: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, episodes: Iterable[Episode]) -> Self:
        """The table of some episodes, in their order."""
        rows = [(e.score, e.margin, e.would_be_wrong, e.resolvable) for e in episodes]
        score, margin, wrong, resolvable = np.array(rows, np.float64).reshape(-1, 4).T
        return cls(score, margin, wrong.astype(np.bool_), resolvable.astype(np.bool_))

    def __len__(self) -> int:
        return len(self.score)

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Whether acting completes the task."""
        return self.resolvable & ~self.wrong


def require_one_per_family(*splits: Iterable[Episode]) -> None:
    """Refuse episodes that are not independent.

    Raises:
        ConfigurationError: two episodes, of one split or of two, are of one family, which is named.
    """
    seen: set[str] = set()
    for split in splits:
        for episode in split:
            if episode.family in seen:
                raise ConfigurationError(
                    f"family {episode.family!r} has more than one episode, and episodes of one family are not "
                    "independent; choose one of each with one_per_family(episodes, seed)"
                )
            seen.add(episode.family)


def one_per_family(episodes: Iterable[Episode], seed: int) -> list[Episode]:
    """One episode of each family, each of its episodes with equal chance, in the order families first appear.

    What is certified on them holds for a random task of a random family: families count alike, whatever their size.
    """
    families: dict[str, list[Episode]] = {}
    for episode in episodes:
        families.setdefault(episode.family, []).append(episode)
    rng = np.random.default_rng(seed)
    return [members[rng.integers(len(members))] for members in families.values()]


def split_families(episodes: Sequence[Episode], tune: int, seed: int) -> tuple[list[Episode], list[Episode]]:
    """A random tune split of the given size, and the rest to calibrate on.

    Args:
        episodes: one of each family.
        tune: how many are to tune with; a thousand or more give a good path (for each risk level, if levels are
            calibrated apart). The guarantee holds with any number.
        seed: of the choice, to be fixed before any label is looked at.

    Raises:
        ConfigurationError: a family has several episodes, or a split would be empty.
    """
    require_one_per_family(episodes)
    if not 0 < tune < len(episodes):
        raise ConfigurationError(f"tune: expected a number from 1 to {len(episodes) - 1}, got {tune}")
    order = np.random.default_rng(seed).permutation(len(episodes))
    return [episodes[i] for i in sorted(order[:tune])], [episodes[i] for i in sorted(order[tune:])]
