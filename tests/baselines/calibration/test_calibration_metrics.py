"""Intervals, curves, reliability and the report: by hand, against scipy, and by identities."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from ebf_baselines.calibration import (
    Episode,
    ScorerId,
    SuiteId,
    brier_score,
    certify,
    clopper_pearson,
    expected_calibration_error,
    reliability_table,
    report_gate,
    risk_coverage,
)
from ebf_env.errors import ConfigurationError
from ebf_env.world import RiskLevel

PAIRS = st.lists(st.tuples(st.integers(0, 8).map(lambda n: n / 8), st.booleans()), min_size=1, max_size=40)


@pytest.mark.parametrize(("count", "n"), [(0, 10), (10, 10), (1, 10), (7, 299), (131, 20_000), (1, 1), (0, 1)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_are_those_of_scipy(count: int, n: int, level: float):
    expected = binomtest(count, n).proportion_ci(level, method="exact")
    found = clopper_pearson(count, n, level)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert found.value == count / n


def test_intervals_by_hand():
    assert clopper_pearson(0, 10).high == pytest.approx(1 - 0.025 ** (1 / 10))
    assert clopper_pearson(10, 10).low == pytest.approx(0.025 ** (1 / 10))
    nothing = clopper_pearson(0, 0)
    assert (nothing.value, nothing.low, nothing.high) == (None, 0.0, 1.0)


@pytest.mark.parametrize("rate", [0.003, 0.02, 0.3])
def test_intervals_cover_the_truth(rate: float):
    intervals = [clopper_pearson(k, 60) for k in range(61)]
    covered = sum(binom.pmf(k, 60, rate) for k, each in enumerate(intervals) if each.low <= rate <= each.high)
    assert covered >= 0.95


@pytest.mark.parametrize(("count", "n", "level"), [(-1, 5, 0.9), (6, 5, 0.9), (1, 5, 0.0), (1, 5, 1.0)])
def test_what_has_no_interval_is_refused(count: int, n: int, level: float):
    with pytest.raises(ConfigurationError, match="expected a number"):
        clopper_pearson(count, n, level)


def test_a_risk_coverage_curve_by_hand():
    curve = risk_coverage([0.9, 0.8, 0.7, 0.6], [False, True, False, True])
    assert curve.threshold.tolist() == [0.9, 0.8, 0.7, 0.6]
    assert curve.coverage.tolist() == [0.25, 0.5, 0.75, 1.0]
    assert curve.risk.tolist() == pytest.approx([0, 1 / 2, 1 / 3, 1 / 2])
    assert curve.generalized_risk.tolist() == [0, 0.25, 0.25, 0.5]
    assert curve.aurc == pytest.approx((0 + 1 / 4 + 5 / 12 + 5 / 12) / 4)
    assert curve.augrc == pytest.approx((0 + 0.125 + 0.25 + 0.375) / 4)


def test_towards_no_coverage_the_risk_stays_that_of_the_first_point():
    assert risk_coverage([0.9, 0.8], [True, False]).aurc == pytest.approx((1 + 0.75) / 2)
    assert risk_coverage([0.9], [True]).aurc == 1
    assert risk_coverage([0.9], [True]).augrc == 0.5


def test_equal_scores_are_answered_together():
    curve = risk_coverage([0.5, 0.5, 0.9, 0.5], [True, False, True, False])
    assert curve.coverage.tolist() == [0.25, 1.0]
    assert curve.risk.tolist() == [1.0, 0.5]
    assert curve.generalized_risk.tolist() == [0.25, 0.5]


@given(PAIRS)
def test_augrc_is_what_traub_and_others_show_it_to_be(pairs: list[tuple[float, bool]]):
    right = [score for score, wrong in pairs if not wrong]
    failed = [score for score, wrong in pairs if wrong]
    accuracy = len(right) / len(pairs)
    order = [(good > bad) + (good == bad) / 2 for good, bad in itertools.product(right, failed)]
    auroc = sum(order) / len(order) if order else 0.5
    expected = (1 - auroc) * accuracy * (1 - accuracy) + (1 - accuracy) ** 2 / 2
    assert risk_coverage(*zip(*pairs, strict=True)).augrc == pytest.approx(expected)


@given(PAIRS)
def test_a_curve_is_bounded_and_knows_no_order(pairs: list[tuple[float, bool]]):
    curve = risk_coverage(*zip(*pairs, strict=True))
    again = risk_coverage(*zip(*reversed(pairs), strict=True))
    assert curve.aurc == again.aurc
    assert curve.augrc == again.augrc
    assert 0 <= curve.augrc <= 0.5
    assert 0 <= curve.aurc <= 1
    assert curve.coverage[-1] == 1
    assert (np.diff(curve.coverage) > 0).all()
    assert (np.diff(curve.generalized_risk) >= 0).all()


def test_reliability_by_hand():
    probabilities, outcomes = [0.9, 0.2, 0.8, 0.1], [True, False, False, False]
    low, high = reliability_table(probabilities, outcomes, bins=2)
    assert (low.least, low.most, low.predicted) == pytest.approx((0.1, 0.2, 0.15))
    assert (high.least, high.most, high.predicted) == pytest.approx((0.8, 0.9, 0.85))
    assert (low.observed.value, high.observed.value) == (0.0, 0.5)
    assert (low.gap, high.gap) == pytest.approx((0.15, 0.35))
    assert expected_calibration_error(probabilities, outcomes, bins=2) == pytest.approx(0.25)
    assert brier_score(probabilities, outcomes) == pytest.approx((0.01 + 0.04 + 0.64 + 0.01) / 4)


def test_equal_predictions_share_a_bin():
    table = reliability_table([0.5] * 6 + [0.9] * 2, [True] * 3 + [False] * 3 + [True] * 2, bins=4)
    assert [(each.observed.count, each.observed.n) for each in table] == [(3, 6), (2, 2)]


@given(PAIRS, st.integers(1, 20))
def test_bins_hold_all_and_know_no_order(pairs: list[tuple[float, bool]], bins: int):
    table = reliability_table(*zip(*pairs, strict=True), bins)
    assert sum(each.observed.n for each in table) == len(pairs)
    assert len(table) <= bins
    assert all(low.most < high.least for low, high in itertools.pairwise(table))
    found = expected_calibration_error(*zip(*pairs, strict=True), bins)
    assert found == pytest.approx(expected_calibration_error(*zip(*reversed(pairs), strict=True), bins))
    assert 0 <= found <= 1


def test_bins_are_of_equal_mass_and_right_probabilities_have_little_error():
    rng = np.random.default_rng(0)
    probabilities = rng.random(30_000)
    outcomes = rng.random(30_000) < probabilities
    assert {each.observed.n for each in reliability_table(probabilities, outcomes)} == {2_000}
    assert expected_calibration_error(probabilities, outcomes) < 0.015
    assert expected_calibration_error(probabilities**2, outcomes) > 0.1
    assert brier_score(probabilities, outcomes) == pytest.approx(1 / 6, abs=0.005)


@pytest.mark.parametrize("function", [risk_coverage, reliability_table, expected_calibration_error, brier_score])
def test_what_are_no_pairs_is_refused(function):
    for values, truths in (([], []), ([0.5], [True, False]), ([math.nan], [True]), ([[0.5]], [[True]])):
        with pytest.raises(ConfigurationError, match="expected"):
            function(values, truths)


def test_probabilities_and_bins_are_checked():
    for function in (reliability_table, brier_score):
        with pytest.raises(ConfigurationError, match="probabilities"):
            function([1.5], [True])
    with pytest.raises(ConfigurationError, match="bins"):
        reliability_table([0.5], [True], bins=0)


def test_the_report_counts_by_hand():
    episodes = [Episode(f"c{n}", RiskLevel.LOW, 0.5, 0.5, would_be_wrong=False, resolvable=True) for n in range(400)]
    certificate = certify(
        [Episode("t", RiskLevel.LOW, 0.5, 0.5, would_be_wrong=False, resolvable=True)],
        episodes,
        alpha=0.01,
        beta=0.05,
        scorer=ScorerId(name="s", sha256="0" * 64),
        suite=SuiteId(sha256="0" * 64),
    )
    gate = certificate.thresholds["all"]
    assert (gate.tau, gate.delta) == (0.5, 0.5)
    fresh = [
        Episode("a", RiskLevel.LOW, 0.9, 0.9, would_be_wrong=False, resolvable=True),
        Episode("b", RiskLevel.HIGH, 0.8, 0.5, would_be_wrong=True, resolvable=True),
        Episode("c", RiskLevel.LOW, 0.7, 0.4, would_be_wrong=False, resolvable=True),
        Episode("d", RiskLevel.LOW, 0.5, 0.5, would_be_wrong=True, resolvable=False),
        Episode("e", RiskLevel.LOW, 0.4, 0.4, would_be_wrong=True, resolvable=False),
    ]
    report = report_gate(certificate, fresh, level=0.9)
    assert report.acted == clopper_pearson(3, 5, 0.9)
    assert report.wrong_rate == clopper_pearson(2, 5, 0.9)
    assert report.wrong_given_acted == clopper_pearson(2, 3, 0.9)
    assert report.completion == clopper_pearson(1, 3, 0.9)
    curve = risk_coverage([0.9, 0.8, 0.7, 0.5, 0.4], [False, True, False, True, True])
    assert (report.aurc, report.augrc) == (curve.aurc, curve.augrc)
    with pytest.raises(ConfigurationError, match="family 'a'"):
        report_gate(certificate, [*fresh, fresh[0]])
    with pytest.raises(ConfigurationError, match="no episodes"):
        report_gate(certificate, [])
