"""Which candidates a question offers: a split conformal set, which holds the one meant with a chosen probability.

Vovk et al., Algorithmic Learning in a Random World (2005); Angelopoulos and Bates, arXiv 2107.07511, section 1. The
nonconformity of a candidate is its negative score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from ebf_env.errors import ConfigurationError


def conformal_threshold(scores_of_gold: npt.ArrayLike, alpha: float) -> float:
    """The score from which on candidates are offered, so that the one meant is among them with 1 - alpha or more.

    It is the floor(alpha (n + 1))-th smallest score. The promise is marginal: over calibration mentions and a fresh one
    that are exchangeable, hence one mention a family.

    Args:
        scores_of_gold: shape (n,), what the entity meant scored in each calibration mention; ``-inf`` where it was not
            among the candidates, which no set of candidates can mend.
        alpha: greatest probability that it is not offered, in (0, 1).

    Raises:
        ConfigurationError: alpha is not between 0 and 1; a score is NaN; there are too few (fewer than 1 / alpha - 1);
            or the entity meant is too often not among the candidates.
    """
    scores = np.asarray(scores_of_gold, np.float64)
    if not 0 < alpha < 1:
        raise ConfigurationError(f"alpha: expected a number between 0 and 1, both excluded, got {alpha!r}")
    if scores.ndim != 1 or np.isnan(scores).any():
        raise ConfigurationError("scores_of_gold: expected a list of numbers")
    rank = math.floor(alpha * (len(scores) + 1) + 1e-9)
    if not rank:
        needed = math.ceil(1 / alpha - 1 - 1e-9)
        raise ConfigurationError(f"a conformal set at alpha {alpha:g} needs {needed} mentions, there are {len(scores)}")
    threshold = float(np.partition(scores, rank - 1)[rank - 1])
    if threshold == -math.inf:
        missing = int(np.isneginf(scores).sum())
        raise ConfigurationError(
            f"no set of candidates holds the one meant with probability {1 - alpha:g}: "
            f"it is not among them in {missing} of {len(scores)} mentions"
        )
    return threshold


def conformal_set(scores: Mapping[str, float], threshold: float) -> tuple[str, ...]:
    """The candidates of at least the threshold, best first, equal ones by id.

    It may be empty, or hold one: a question is worth asking only of two or more.

    Args:
        scores: candidate id to score, of the scorer the threshold was made with.
        threshold: from :func:`conformal_threshold`.
    """
    offered = [entity_id for entity_id, score in scores.items() if score >= threshold]
    return tuple(sorted(offered, key=lambda entity_id: (-scores[entity_id], entity_id)))
