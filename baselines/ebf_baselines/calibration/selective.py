"""What is got by answering only where confidence is high: risk-coverage curves and the areas beneath them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ebf_env.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class RiskCoverage:
    """What remains if everything of at least a threshold is answered; one point for each distinct score.

    All arrays have shape (m,), from strict to lenient.

    Attributes:
        threshold: the score from which on it is answered, falling.
        coverage: share of all that is answered, rising to 1.
        risk: share of the answered that is wrong (selective risk).
        generalized_risk: share of all that is answered and wrong, rising (Traub et al., arXiv 2407.01032, section 3).
    """

    threshold: npt.NDArray[np.float64]
    coverage: npt.NDArray[np.float64]
    risk: npt.NDArray[np.float64]
    generalized_risk: npt.NDArray[np.float64]

    @property
    def aurc(self) -> float:
        """Area under risk over coverage (Geifman and El-Yaniv, arXiv 1705.08500), in [0, 1], by trapezoids.

        Towards a coverage of 0 the risk stays that of the first point, as in the code of Traub et al.
        """
        return _area(np.append(self.risk[:1], self.risk), np.append(0.0, self.coverage))

    @property
    def augrc(self) -> float:
        """Area under generalized risk over coverage (Traub et al., arXiv 2407.01032), in [0, 1/2].

        It is the mean risk of an undetected failure, and equals (1 - AUROC) a (1 - a) + (1 - a)^2 / 2 for accuracy a
        and the AUROC of telling right from wrong by the score.
        """
        return _area(np.append(0.0, self.generalized_risk), np.append(0.0, self.coverage))


def risk_coverage(scores: npt.ArrayLike, errors: npt.ArrayLike) -> RiskCoverage:
    """The risk-coverage curve; equal scores are answered together, so that order among them has no effect.

    Args:
        scores: shape (n,), n at least 1; confidence, of any scale.
        errors: shape (n,), whether each answer would be wrong.

    Raises:
        ConfigurationError: the two are not of one length, there are none, or a score is NaN.
    """
    confidence, wrong = np.asarray(scores, np.float64), np.asarray(errors, np.bool_)
    require_pairs(confidence, wrong)
    threshold, where = np.unique(-confidence, return_inverse=True)
    answered = np.bincount(where).cumsum()
    failed = np.bincount(where, weights=wrong).cumsum()
    return RiskCoverage(-threshold, answered / len(wrong), failed / answered, failed / len(wrong))


def _area(heights: npt.NDArray[np.float64], places: npt.NDArray[np.float64]) -> float:
    return float(np.sum(np.diff(places) * (heights[1:] + heights[:-1])) / 2)


def require_pairs(values: npt.NDArray[np.float64], truths: npt.NDArray[np.bool_]) -> None:
    """Refuse arrays that are no pairs.

    Raises:
        ConfigurationError: they are not of one shape (n,) with n at least 1, or a value is NaN.
    """
    if values.ndim != 1 or values.shape != truths.shape or not len(values):
        raise ConfigurationError(f"expected two lists of one length, got shapes {values.shape} and {truths.shape}")
    if np.isnan(values).any():
        raise ConfigurationError("expected numbers, got NaN among them")
