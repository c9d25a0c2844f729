"""Calibration of the gate: thresholds with a guarantee, the file that carries them, and what is reported of them."""

from ebf_baselines.calibration.bayes import acts_interactive, acts_single_step, least_posterior
from ebf_baselines.calibration.binomial import Proportion, clopper_pearson, zero_error_size
from ebf_baselines.calibration.certificate import (
    CertificateError,
    CertifiedThresholds,
    GateCertificate,
    ScorerId,
    ScorerMismatchError,
    SplitSizes,
    SuiteId,
    read_certificate,
)
from ebf_baselines.calibration.certify import RISK_SHARES, certify
from ebf_baselines.calibration.conformal import conformal_set, conformal_threshold
from ebf_baselines.calibration.episodes import Episode, one_per_family, split_families
from ebf_baselines.calibration.grid import DEFAULT_GRID, Grid
from ebf_baselines.calibration.reliability import (
    ReliabilityBin,
    brier_score,
    expected_calibration_error,
    reliability_table,
)
from ebf_baselines.calibration.report import GateReport, report_gate
from ebf_baselines.calibration.selective import RiskCoverage, risk_coverage

__all__ = [
    "DEFAULT_GRID",
    "RISK_SHARES",
    "CertificateError",
    "CertifiedThresholds",
    "Episode",
    "GateCertificate",
    "GateReport",
    "Grid",
    "Proportion",
    "ReliabilityBin",
    "RiskCoverage",
    "ScorerId",
    "ScorerMismatchError",
    "SplitSizes",
    "SuiteId",
    "acts_interactive",
    "acts_single_step",
    "brier_score",
    "certify",
    "clopper_pearson",
    "conformal_set",
    "conformal_threshold",
    "expected_calibration_error",
    "least_posterior",
    "one_per_family",
    "read_certificate",
    "reliability_table",
    "report_gate",
    "risk_coverage",
    "split_families",
    "zero_error_size",
]
