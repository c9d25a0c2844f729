"""Whether probabilities mean what they say: reliability table, expected calibration error, Brier score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ebf_baselines.calibration.binomial import Proportion, clopper_pearson
from ebf_baselines.calibration.selective import require_pairs
from ebf_env.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Predictions of about one probability.

    Attributes:
        least: the least of them.
        most: the greatest.
        predicted: their mean.
        observed: how many came true, with the interval of Clopper and Pearson (for independent predictions).
    """

    least: float
    most: float
    predicted: float
    observed: Proportion

    @property
    def gap(self) -> float:
        """Mean prediction less observed share: positive where overconfident."""
        return self.predicted - self.observed.count / self.observed.n


def reliability_table(
    probabilities: npt.ArrayLike, outcomes: npt.ArrayLike, bins: int = 15, level: float = 0.95
) -> tuple[ReliabilityBin, ...]:
    """Predictions in bins of equal mass, rising.

    Equal predictions stay together (in the bin of the lowest rank among them), so that their order has no effect; a bin
    none falls into is left out.

    Args:
        probabilities: shape (n,), n at least 1, in [0, 1].
        outcomes: shape (n,), whether what was predicted came true.
        bins: how many, at least 1.
        level: of the intervals.

    Raises:
        ConfigurationError: lengths differ or are 0, a probability is not in [0, 1], or there are no bins.
    """
    predicted, came_true = _checked(probabilities, outcomes)
    if bins < 1:
        raise ConfigurationError(f"bins: expected 1 or more, got {bins}")
    which = np.searchsorted(np.sort(predicted), predicted, side="left") * bins // len(predicted)
    table = []
    for number in np.unique(which):
        inside, true = predicted[which == number], came_true[which == number]
        observed = clopper_pearson(int(true.sum()), len(true), level)
        table.append(ReliabilityBin(float(inside.min()), float(inside.max()), float(inside.mean()), observed))
    return tuple(table)


def expected_calibration_error(probabilities: npt.ArrayLike, outcomes: npt.ArrayLike, bins: int = 15) -> float:
    """Mean distance of predicted and observed over bins of equal mass, in [0, 1] (Nguyen, O'Connor, arXiv 1508.05154).

    Arguments and errors are those of :func:`reliability_table`. It is biased upwards: of right probabilities, too, n
    outcomes give about the square root of ``bins / n`` times a standard deviation.
    """
    table = reliability_table(probabilities, outcomes, bins)
    return sum(each.observed.n * abs(each.gap) for each in table) / sum(each.observed.n for each in table)


def brier_score(probabilities: npt.ArrayLike, outcomes: npt.ArrayLike) -> float:
    """Mean squared distance of probability and outcome (Brier, 1950; the form for two outcomes), in [0, 1].

    Raises:
        ConfigurationError: lengths differ or are 0, or a probability is not in [0, 1].
    """
    predicted, came_true = _checked(probabilities, outcomes)
    return float(np.mean((predicted - came_true) ** 2))


def _checked(
    probabilities: npt.ArrayLike, outcomes: npt.ArrayLike
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    predicted, came_true = np.asarray(probabilities, np.float64), np.asarray(outcomes, np.bool_)
    require_pairs(predicted, came_true)
    if predicted.min() < 0 or predicted.max() > 1:
        raise ConfigurationError("expected probabilities in [0, 1]")
    return predicted, came_true
