"""When acting is worth more than asking, for a posterior that is calibrated.

Both rules compare expected rewards under the default ``RewardConfig``: +1 for acting rightly, -weight for acting on a
wrong entity. They give thresholds for each risk level without calibration; a certificate corrects a posterior that is
not what it claims to be.
"""

from __future__ import annotations

from typing import Final

from ebf_env.errors import ConfigurationError

UNNEEDED: Final = 0.25
"""Cost of asking where acting is right, in single-step episodes."""


def least_posterior(weight: float, cost: float) -> float:
    """The posterior from which on acting is worth more than asking first: 1 - cost / (1 + weight).

    Args:
        weight: r(t), what acting on a wrong entity costs, at least 0.
        cost: of a question, at least 0.

    Raises:
        ConfigurationError: weight or cost is negative.
    """
    for name, value in (("weight", weight), ("cost", cost)):
        if not value >= 0:
            raise ConfigurationError(f"{name}: expected 0 or more, got {value!r}")
    return 1 - cost / (1 + weight)


def acts_interactive(p: float, weight: float, cost: float) -> bool:
    """Whether to act at once where a question would be answered, and the task then done rightly.

    Acting is worth p - (1 - p) weight, asking 1 - cost.

    Args:
        p: posterior that all the call binds is what is meant.
        weight: r(t), at least 0.
        cost: of a question, at least 0.

    Raises:
        ConfigurationError: p is not in [0, 1], or weight or cost is negative.
    """
    _require_probability("p", p)
    return p >= least_posterior(weight, cost)


def acts_single_step(p: float, q: float, weight: float) -> bool:
    """Whether to act where the first decision ends the episode.

    Acting is worth p - (1 - p) weight, asking q - .25 (1 - q).

    Args:
        p: posterior that all the call binds is what is meant, and acting right.
        q: posterior that asking is needed; p + q is at most 1.
        weight: r(t), at least 0.

    Raises:
        ConfigurationError: p or q is not in [0, 1], or the weight is negative.
    """
    _require_probability("p", p)
    _require_probability("q", q)
    if not weight >= 0:
        raise ConfigurationError(f"weight: expected 0 or more, got {weight!r}")
    return p - (1 - p) * weight >= q - UNNEEDED * (1 - q)


def _require_probability(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ConfigurationError(f"{name}: expected a probability in [0, 1], got {value!r}")
