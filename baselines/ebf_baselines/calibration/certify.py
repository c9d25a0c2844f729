"""From episodes to a certificate: for all tasks alike, or for each risk level."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Final

from ebf_baselines.calibration.binomial import require_levels
from ebf_baselines.calibration.certificate import (
    CertifiedThresholds,
    GateCertificate,
    Key,
    ScorerId,
    SplitSizes,
    SuiteId,
)
from ebf_baselines.calibration.episodes import Episode, EpisodeTable, require_one_per_family
from ebf_baselines.calibration.grid import DEFAULT_GRID, Grid
from ebf_baselines.calibration.learn_then_test import learn_then_test
from ebf_env.world import RiskLevel

RISK_SHARES: Final[Mapping[RiskLevel, float]] = MappingProxyType(
    {RiskLevel.LOW: 0.8, RiskLevel.MEDIUM: 0.8, RiskLevel.HIGH: 0.8, RiskLevel.CRITICAL: 0.4}
)
"""What part of the overall alpha a risk level may use: .008 and .004 of 1 %."""


def certify(
    tune: Sequence[Episode],
    calibrate: Sequence[Episode],
    *,
    alpha: float,
    beta: float,
    scorer: ScorerId,
    suite: SuiteId,
    grid: Grid = DEFAULT_GRID,
    per_risk: bool = False,
) -> GateCertificate:
    """Thresholds under which the gate is wrong on at most alpha of all episodes, with probability 1 - beta.

    Scorer, grid, alpha, beta and the splits are to be fixed before any label of the calibration split is looked at, and
    nothing of the scorer may have been fitted on either split. Where nothing can be certified, the certificate never
    acts and its remark says why.

    Args:
        tune: one episode a family; they give the order in which thresholds are tested.
        calibrate: one episode a family, of none that ``tune`` has; they do the tests.
        alpha: greatest wrong rate, of all episodes.
        beta: greatest probability that the gate has a greater one.
        scorer: whose scores these are.
        suite: what the episodes are of.
        grid: the thresholds considered.
        per_risk: whether each risk level gets its own thresholds, at its share of alpha (``RISK_SHARES``) and a quarter
            of beta; then, with probability 1 - beta, all four rates keep to theirs.

    Raises:
        ConfigurationError: a family has more than one episode; alpha or beta is not between 0 and 1.
    """
    require_levels(alpha, beta)
    require_one_per_family(tune, calibrate)
    gates: dict[Key, CertifiedThresholds] = {}
    if per_risk:
        for risk, share in RISK_SHARES.items():
            gates[risk.value] = _gate(
                _of(risk, tune), _of(risk, calibrate), round(alpha * share, 12), beta / len(RISK_SHARES), grid
            )
    else:
        gates["all"] = _gate(tune, calibrate, alpha, beta, grid)
    return GateCertificate(
        alpha=alpha,
        beta=beta,
        scorer=scorer,
        suite=suite,
        splits=SplitSizes(tune=len(tune), calibrate=len(calibrate)),
        thresholds=gates,
        grid=grid,
    )


def _of(risk: RiskLevel, episodes: Iterable[Episode]) -> list[Episode]:
    return [episode for episode in episodes if episode.risk == risk]


def _gate(
    tune: Iterable[Episode], calibrate: Iterable[Episode], alpha: float, beta: float, grid: Grid
) -> CertifiedThresholds:
    found = learn_then_test(EpisodeTable.of(tune), EpisodeTable.of(calibrate), alpha=alpha, beta=beta, grid=grid)
    return CertifiedThresholds(alpha=alpha, beta=beta, **asdict(found))
