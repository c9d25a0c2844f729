"""Finite populations of episodes, whose wrong rates are known exactly because samples are drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from ebf_baselines.calibration.episodes import EpisodeTable
from ebf_baselines.calibration.grid import Grid, counts_acted

ALPHA, BETA = 0.05, 0.05
GRID = Grid(
    taus=tuple(round(n / 25, 2) for n in range(5, 26)), deltas=tuple(round(n / 25, 2) for n in range(25)), targets=50
)


def taken(table: EpisodeTable, rows: npt.NDArray[np.int64]) -> EpisodeTable:
    return EpisodeTable(table.score[rows], table.margin[rows], table.wrong[rows], table.resolvable[rows])


@dataclass(frozen=True)
class Population:
    """Families by cells, as tables of families * cells rows, family after family."""

    table: EpisodeTable
    cells: int

    @property
    def families(self) -> int:
        return len(self.table) // self.cells

    def wrong_rate(self, tau: float, delta: float) -> float:
        acted = (self.table.score >= tau) & (self.table.margin >= delta)
        return float((acted & self.table.wrong).mean())

    def drawn(self, families: int, rng: np.random.Generator, *, whole: bool = False) -> EpisodeTable:
        """One random cell of each of so many families, or all their cells."""
        first = rng.integers(self.families, size=families) * self.cells
        if whole:
            return taken(self.table, (first[:, np.newaxis] + np.arange(self.cells)).ravel())
        return taken(self.table, first + rng.integers(self.cells, size=families))


def population(seed: int, *, families: int = 50_000, cells: int = 1, harm: float = 1.0) -> Population:
    """Scores of mixed reliability; cells of a family share their score but for some noise, and whether they err."""
    rng = np.random.default_rng(seed)
    shape = (families, cells)
    score = np.clip(rng.beta(4, 1.2, (families, 1)) + rng.normal(0, 0.01, shape), 0, 1)
    margin = score * np.clip(rng.beta(3, 1.5, (families, 1)) + rng.normal(0, 0.01, shape), 0, 1)
    chance = harm * (0.01 + 0.6 * (1 - (score[:, :1] + margin[:, :1]) / 2) ** 1.3)
    wrong = np.broadcast_to(rng.random((families, 1)) < chance, shape)
    resolvable = rng.random(shape) < 0.7
    return Population(EpisodeTable(score.ravel(), margin.ravel(), wrong.ravel(), resolvable.ravel()), cells)


def most_violations(resamples: int, beta: float = BETA) -> int:
    """What a valid procedure exceeds once in a thousand times."""
    return int(binom.ppf(0.999, resamples, beta))


def rates(table: EpisodeTable, grid: Grid) -> npt.NDArray[np.float64]:
    return counts_acted(table, table.wrong, grid) / len(table)
