"""How a gate does on episodes it was not calibrated on: a report, never a guarantee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ebf_baselines.calibration.binomial import Proportion, clopper_pearson
from ebf_baselines.calibration.certificate import GateCertificate
from ebf_baselines.calibration.episodes import Episode, require_one_per_family
from ebf_baselines.calibration.selective import risk_coverage
from ebf_env.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class GateReport:
    """A gate on fresh episodes; proportions carry Clopper-Pearson intervals.

    Attributes:
        acted: share of all episodes that are acted on.
        wrong_rate: share of all episodes that are acted on wrongly: what alpha bounds.
        wrong_given_acted: the same of those acted on, P(wrong | acted); alpha does not bound it.
        completion: share of resolvable episodes that are completed.
        aurc: area under the risk-coverage curve of the scores, whatever the thresholds.
        augrc: area under that of the generalized risk.
    """

    acted: Proportion
    wrong_rate: Proportion
    wrong_given_acted: Proportion
    completion: Proportion
    aurc: float
    augrc: float


def report_gate(certificate: GateCertificate, episodes: Sequence[Episode], *, level: float = 0.95) -> GateReport:
    """What a certified gate does on fresh episodes.

    Args:
        certificate: the gate.
        episodes: one a family, not calibrated or tuned on; of one risk level, for a report on that.
        level: of the two-sided intervals; at .9 the upper end alone holds with .95.

    Raises:
        ConfigurationError: a family has several episodes (their intervals would be too narrow), or there are none.
    """
    if not episodes:
        raise ConfigurationError("there are no episodes to report on")
    require_one_per_family(episodes)
    acted = [e for e in episodes if certificate.acts(e.score, e.margin, e.risk)]
    wrong = sum(e.would_be_wrong for e in acted)
    completed = sum(e.resolvable and not e.would_be_wrong for e in acted)
    curve = risk_coverage([e.score for e in episodes], [e.would_be_wrong for e in episodes])
    return GateReport(
        acted=clopper_pearson(len(acted), len(episodes), level),
        wrong_rate=clopper_pearson(wrong, len(episodes), level),
        wrong_given_acted=clopper_pearson(wrong, len(acted), level),
        completion=clopper_pearson(completed, sum(e.resolvable for e in episodes), level),
        aurc=curve.aurc,
        augrc=curve.augrc,
    )
