"""The grid of thresholds, fixed before anything is looked at, and what each of its cells does to episodes."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Final

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ebf_baselines.calibration.episodes import EpisodeTable

Unit = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]

_LEVELS: Final = (
    *(round(n / 20, 2) for n in range(1, 19)),
    *(round(n / 100, 2) for n in range(91, 100)),
    *(round(n / 1000, 3) for n in range(991, 1000)),
    0.9995,
    0.9999,
    0.99999,
    0.999999,
)


class Grid(BaseModel):
    """All thresholds that are considered.

    Attributes:
        taus: thresholds on the score, rising.
        deltas: thresholds on the margin, rising.
        targets: into how many equal steps the way to the highest completion is cut.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    taus: Annotated[tuple[Unit, ...], Field(min_length=1)] = _LEVELS
    deltas: Annotated[tuple[Unit, ...], Field(min_length=1)] = (0.0, *_LEVELS)
    targets: Annotated[int, Field(ge=1)] = 100

    @field_validator("taus", "deltas")
    @classmethod
    def _rise(cls, values: tuple[float, ...]) -> tuple[float, ...]:
        if any(low >= high for low, high in pairwise(values)):
            raise ValueError("expected numbers that rise from each to the next")
        return values


DEFAULT_GRID: Final = Grid()
"""Even steps up to .9, then ever finer ones towards 1; a score of 0 never acts."""


def counts_acted(table: EpisodeTable, which: npt.NDArray[np.bool_], grid: Grid) -> npt.NDArray[np.int64]:
    """How many of some episodes each cell acts on.

    Args:
        table: n episodes.
        which: shape (n,), those to count.
        grid: T taus and D deltas.

    Returns:
        Shape (T, D), whole numbers that fall along both axes.
    """
    passed_taus = np.searchsorted(grid.taus, table.score[which], side="right")
    passed_deltas = np.searchsorted(grid.deltas, table.margin[which], side="right")
    shape = (len(grid.taus) + 1, len(grid.deltas) + 1)
    exact = np.bincount(passed_taus * shape[1] + passed_deltas, minlength=shape[0] * shape[1]).reshape(shape)
    return exact[::-1, ::-1].cumsum(axis=0).cumsum(axis=1)[::-1, ::-1][1:, 1:].astype(np.int64)
