"""The binomial test and interval that everything said of error counts rests on.

Both are exact, hence hold for any n, but only of independent episodes: one of each family.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special  # type: ignore[import-untyped]

from ebf_env.errors import ConfigurationError


def p_value(errors: npt.ArrayLike, n: int, alpha: float) -> npt.NDArray[np.float64]:
    """P(at most so many errors among n | error rate alpha), for the hypothesis that the rate is above alpha.

    It is what ``scipy.stats.binom.cdf(errors, n, alpha)`` gives (``scipy.stats`` takes seconds to import).

    Args:
        errors: how many erred, 0 to n; any shape.
        n: episodes, acted on or not; with none the result is 1.
        alpha: the rate that is to be refuted, in (0, 1).

    Returns:
        Probabilities, of the shape of ``errors``.
    """
    return np.asarray(special.bdtr(np.asarray(errors, np.float64), n, alpha), np.float64)


def is_certified(errors: int, n: int, alpha: float, beta: float) -> bool:
    """Whether so many errors among n refute, at level beta, that the error rate is above alpha."""
    return bool(p_value(errors, n, alpha) <= beta)


def zero_error_size(alpha: float, beta: float) -> int:
    """The least n of which no error at all certifies alpha: the least with (1 - alpha)^n <= beta.

    299 for alpha .01, 598 for .005, at beta .05. With fewer episodes nothing can be certified.

    Raises:
        ConfigurationError: alpha or beta is not between 0 and 1.
    """
    require_levels(alpha, beta)
    n = math.floor(math.log(beta) / math.log1p(-alpha))
    while not is_certified(0, n, alpha, beta):
        n += 1
    return n


def require_levels(alpha: float, beta: float) -> None:
    """Refuse an error rate or a failure probability that is none.

    Raises:
        ConfigurationError: alpha or beta is not between 0 and 1, both excluded.
    """
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 1:
            raise ConfigurationError(f"{name}: expected a number between 0 and 1, both excluded, got {value!r}")


@dataclass(frozen=True, slots=True)
class Proportion:
    """A share of episodes with its confidence interval.

    Attributes:
        count: how many have the property.
        n: of how many.
        low: lower end of the interval.
        high: upper end.
    """

    count: int
    n: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share in [0, 1], None of nothing."""
        return self.count / self.n if self.n else None


def clopper_pearson(count: int, n: int, level: float = 0.95) -> Proportion:
    """The exact two-sided interval of Clopper and Pearson (Biometrika 26, 1934).

    Args:
        count: how many of the n have the property.
        n: independent episodes; of none the interval is [0, 1].
        level: probability, in (0, 1), with which the interval covers the truth, at the least. Each end alone does with
            (1 + level) / 2.

    Raises:
        ConfigurationError: the count is not within 0 and n, or the level not between 0 and 1.
    """
    if not 0 <= count <= n:
        raise ConfigurationError(f"count: expected a number from 0 to {n}, got {count}")
    if not 0 < level < 1:
        raise ConfigurationError(f"level: expected a number between 0 and 1, both excluded, got {level!r}")
    tail = (1 - level) / 2
    low = float(special.betaincinv(count, n - count + 1, tail)) if count else 0.0
    high = float(special.betaincinv(count + 1, n - count, 1 - tail)) if count < n else 1.0
    return Proportion(count, n, low, high)
