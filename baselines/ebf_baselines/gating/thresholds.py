"""When a gate acts: certified thresholds, or others that nothing is claimed of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Protocol

from ebf_env.errors import ConfigurationError
from ebf_env.world import RiskLevel


class Acts(Protocol):
    """What says whether a score and a margin suffice; certificates do."""

    def acts(self, score: float, margin: float, risk: RiskLevel) -> bool:
        """Whether to act.

        Args:
            score: least s1 over the mentions.
            margin: least s1 - s2 over the mentions, and of the tool.
            risk: of the tool that is called.
        """


@dataclass(frozen=True, slots=True)
class PlainThresholds:
    """Thresholds for all risks alike, with no guarantee.

    Attributes:
        tau: least score.
        delta: least margin.
    """

    tau: float = 0.7
    delta: float = 0.2

    def __post_init__(self) -> None:
        for name, value in (("tau", self.tau), ("delta", self.delta)):
            if not 0 <= value <= 1:
                raise ConfigurationError(f"{name}: expected a number from 0 to 1, got {value!r}")

    def acts(self, score: float, margin: float, risk: RiskLevel) -> bool:
        """Whether both suffice."""
        return score >= self.tau and margin >= self.delta


_PLAIN: Final = re.compile(r"(?P<tau>\d*\.?\d+)/(?P<delta>\d*\.?\d+)")


def thresholds_from(text: str) -> Acts:
    """Thresholds as they are written in a method's name: ``TAU/DELTA``, or the file of a certificate.

    Raises:
        ConfigurationError: it is neither, or the certificate is for another scorer than the resolver.
    """
    from ebf_baselines.gating.scorer import certificate_for_resolver

    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        return PlainThresholds(float(plain["tau"]), float(plain["delta"]))
    if not text:
        raise ConfigurationError("expected own, TAU/DELTA or a certificate's file after the colon")
    return certificate_for_resolver(text)
