"""The Bayes rule, against expected rewards; conformal sets, against their coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom

from ebf_baselines.calibration import (
    acts_interactive,
    acts_single_step,
    conformal_set,
    conformal_threshold,
    least_posterior,
)
from ebf_baselines.calibration.bayes import UNNEEDED
from ebf_env.errors import ConfigurationError
from ebf_env.scoring.reward import RewardConfig
from ebf_env.world import RiskLevel

UNITS = st.floats(0, 1)
WEIGHTS = st.sampled_from([risk.weight for risk in RiskLevel])
REWARDS = RewardConfig()


@pytest.mark.parametrize(("weight", "least"), [(1, 1 - 0.1 / 2), (2, 1 - 0.1 / 3), (4, 1 - 0.1 / 5), (5, 1 - 0.1 / 6)])
def test_the_posterior_each_risk_asks_for(weight: int, least: float):
    assert least_posterior(weight, REWARDS.question) == pytest.approx(least)
    assert acts_interactive(least_posterior(weight, REWARDS.question), weight, REWARDS.question)
    assert not acts_interactive(least - 1e-9, weight, REWARDS.question)


@given(UNITS, WEIGHTS, UNITS)
def test_in_interactive_episodes_it_acts_iff_that_is_worth_more(p: float, weight: int, cost: float):
    act = p * REWARDS.success - (1 - p) * weight * REWARDS.wrong_entity
    ask = REWARDS.success - cost
    assume(abs(act - ask) > 1e-9)
    assert acts_interactive(p, weight, cost) is (act > ask)


@given(UNITS, UNITS, WEIGHTS)
def test_in_single_steps_it_acts_iff_that_is_worth_more(p: float, share: float, weight: int):
    q = (1 - p) * share
    act = p * REWARDS.success - (1 - p) * weight * REWARDS.wrong_entity
    ask = q * REWARDS.needed - (1 - q) * REWARDS.unneeded
    assume(abs(act - ask) > 1e-9)
    assert acts_single_step(p, q, weight) is (act > ask)
    assert REWARDS.unneeded == UNNEEDED


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_what_is_no_posterior_is_refused(p: float):
    with pytest.raises(ConfigurationError, match="p: expected a probability"):
        acts_interactive(p, 1, 0.1)
    with pytest.raises(ConfigurationError, match="p: expected a probability"):
        acts_single_step(p, 0.1, 1)
    with pytest.raises(ConfigurationError, match="q: expected a probability"):
        acts_single_step(0.1, p, 1)


def test_negative_weights_and_costs_are_refused():
    with pytest.raises(ConfigurationError, match="weight"):
        acts_interactive(0.5, -1, 0.1)
    with pytest.raises(ConfigurationError, match="cost"):
        acts_interactive(0.5, 1, -0.1)
    with pytest.raises(ConfigurationError, match="weight"):
        acts_single_step(0.5, 0.1, math.nan)


@pytest.mark.parametrize(("alpha", "threshold"), [(0.1, 0.1), (0.2, 0.2), (0.29, 0.2), (0.3, 0.3), (0.9, 0.9)])
def test_conformal_thresholds_by_hand(alpha: float, threshold: float):
    golds = [0.9, 0.1, 0.5, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6]
    assert conformal_threshold(golds, alpha) == threshold


def test_a_conformal_set_is_best_first():
    scores = {"b": 0.4, "a": 0.4, "c": 0.9, "d": 0.39}
    assert conformal_set(scores, 0.4) == ("c", "a", "b")
    assert conformal_set(scores, 0.95) == ()
    assert conformal_set({}, 0.1) == ()


@pytest.mark.parametrize(("n", "alpha"), [(19, 0.1), (50, 0.05), (199, 0.1)])
@pytest.mark.parametrize("decimals", [16, 1])
def test_conformal_sets_hold_the_one_meant(n: int, alpha: float, decimals: int):
    resamples = 4_000
    rng = np.random.default_rng(n)
    gold = np.round(rng.beta(3, 1, (resamples, n + 1)), decimals)
    missed = sum(
        not conformal_set({"gold": float(row[-1]), "other": 0.5}, conformal_threshold(row[:-1], alpha)).count("gold")
        for row in gold
    )
    assert missed <= binom.ppf(0.999, resamples, alpha)
    if decimals == 16:
        exact = math.floor(alpha * (n + 1) + 1e-9) / (n + 1)
        assert missed >= binom.ppf(0.001, resamples, exact)


def test_what_retrieval_misses_no_set_can_hold():
    golds = [-math.inf] * 2 + [0.5] * 17
    assert conformal_threshold(golds, 0.15) == 0.5
    with pytest.raises(ConfigurationError, match="not among them in 2 of 19 mentions"):
        conformal_threshold(golds, 0.1)


def test_conformal_input_is_checked():
    assert conformal_threshold([0.3] * 9, 0.1) == 0.3
    with pytest.raises(ConfigurationError, match="needs 9 mentions, there are 8"):
        conformal_threshold([0.3] * 8, 0.1)
    with pytest.raises(ConfigurationError, match="alpha"):
        conformal_threshold([0.3], 1.0)
    for scores in ([math.nan], [[0.3]]):
        with pytest.raises(ConfigurationError, match="scores_of_gold"):
            conformal_threshold(scores, 0.5)
