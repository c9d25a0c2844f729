"""Thresholds with P(wrong rate <= alpha) >= 1 - beta: Learn-then-Test, ordered as in Pareto Testing.

Each cell of the grid is a hypothesis "its wrong rate is above alpha", which few errors on the calibration split refute
(Angelopoulos et al., arXiv 2110.01052, section 2). Hypotheses are tested in an order that the tune split alone gives
(Laufer-Goldshtein et al., arXiv 2210.07913, section 4), until the first that stands: fixed-sequence testing, where each
test has the whole beta and all cells before the first failure are certified together. Any order is valid; a good one
goes from strict to lenient along the best trade of wrong rate for completion.

The wrong rate is the share of *all* episodes on which the gate acts and is wrong, so that n is fixed beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import ndimage  # type: ignore[import-untyped]

from ebf_baselines.calibration.binomial import p_value, zero_error_size
from ebf_baselines.calibration.episodes import EpisodeTable
from ebf_baselines.calibration.grid import Grid, counts_acted

_SMOOTHING = 1.0
"""Cells: standard deviation of the Gaussian by which a cell's wrong rate is averaged with its neighbours'."""

_DECIMALS = 12
"""Smoothed rates that differ by less are equal, on every machine."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the test ends with: the most lenient thresholds certified, or none and why.

    Attributes:
        tau: least score that is acted on; None never acts.
        delta: least margin that is acted on; None likewise.
        n: episodes calibrated on.
        k: those of them that these thresholds act on and are wrong on.
        completion_tune: share of the tune split's resolvable episodes that are completed, None without any.
        completion_calibrate: the same of the calibration split.
        remark: why nothing is certified, as a clause for a sentence; None where something is.
    """

    tau: float | None
    delta: float | None
    n: int
    k: int
    completion_tune: float | None
    completion_calibrate: float | None
    remark: str | None = None


def path(tune: EpisodeTable, grid: Grid) -> npt.NDArray[np.int64]:
    """The order of tests: for each rising completion target, the cell of least smoothed wrong rate that reaches it.

    Of equal cells the one that completes less comes first, then the one of higher tau and delta, so that the path
    begins deep inside; it begins at 1/``targets`` of the highest completion, for a cell that completes nothing is not
    worth a test.

    Args:
        tune: episodes of the tune split.
        grid: the thresholds considered.

    Returns:
        Shape (P, 2), P at most ``grid.targets``: indices of tau and delta. No rows if nothing can be completed.
    """
    completed = counts_acted(tune, tune.right, grid)
    if completed.max() == 0:
        return np.empty((0, 2), np.int64)
    wrong = counts_acted(tune, tune.wrong, grid) / len(tune)
    smoothed = np.round(ndimage.gaussian_filter(wrong, _SMOOTHING, mode="nearest"), _DECIMALS)
    tau, delta = np.indices(completed.shape)
    best_first = np.lexsort((-delta.ravel(), -tau.ravel(), completed.ravel(), smoothed.ravel()))
    targets = np.arange(1, grid.targets + 1) * (completed.max() / grid.targets)
    targets[-1] = completed.max()
    reaches = completed.ravel()[best_first] >= targets[:, np.newaxis]
    chosen = best_first[np.unique(reaches.argmax(axis=1))]
    return np.column_stack(np.unravel_index(chosen, completed.shape)).astype(np.int64)


def walk(errors: npt.NDArray[np.int64], n: int, alpha: float, beta: float) -> int:
    """How many cells of a path are certified: those before the first that the binomial test does not pass.

    Args:
        errors: shape (P,), errors of each cell among the n episodes, in the order of the path.
        n: episodes calibrated on.
        alpha: greatest wrong rate.
        beta: greatest probability of certifying a cell whose rate is greater.
    """
    fails = p_value(errors, n, alpha) > beta
    return int(fails.argmax()) if fails.any() else len(fails)


def learn_then_test(
    tune: EpisodeTable, calibrate: EpisodeTable, *, alpha: float, beta: float, grid: Grid
) -> Thresholds:
    """The last cell of the tune split's path that the calibration split certifies.

    With probability 1 - beta or more over calibration splits of independent episodes, the gate is wrong on at most
    alpha of all episodes of the same distribution. Families are the caller's to check (see ``certify``).

    Args:
        tune: episodes that give the path.
        calibrate: other episodes, that walk it.
        alpha: greatest wrong rate.
        beta: greatest probability that the gate chosen has a greater one.
        grid: the thresholds considered, fixed before.

    Raises:
        ConfigurationError: alpha or beta is not between 0 and 1.
    """
    n, needed = len(calibrate), zero_error_size(alpha, beta)
    if n < needed:
        return _never(n, f"{_goal(alpha, beta)} needs {needed} calibration families even if none errs, there are {n}")
    cells = path(tune, grid)
    if not len(cells):
        return _never(n, "no thresholds of the grid complete a task of the tune split")
    errors = counts_acted(calibrate, calibrate.wrong, grid)[tuple(cells.T)]
    certified = walk(errors, n, alpha, beta)
    if not certified:
        return _never(n, f"the strictest thresholds err on {errors[0]} of {n}, too many for {_goal(alpha, beta)}")
    tau, delta = cells[certified - 1]
    return Thresholds(
        grid.taus[tau],
        grid.deltas[delta],
        n,
        int(errors[certified - 1]),
        _completion(tune, grid.taus[tau], grid.deltas[delta]),
        _completion(calibrate, grid.taus[tau], grid.deltas[delta]),
    )


def _never(n: int, remark: str) -> Thresholds:
    return Thresholds(None, None, n, 0, 0.0, 0.0, remark)


def _goal(alpha: float, beta: float) -> str:
    return f"a wrong rate of at most {alpha:g} at beta {beta:g}"


def _completion(table: EpisodeTable, tau: float, delta: float) -> float | None:
    acted = (table.score >= tau) & (table.margin >= delta)
    resolvable = int(table.resolvable.sum())
    return int((acted & table.right).sum()) / resolvable if resolvable else None
