"""The guarantee, on resamples of populations whose truth is known; procedures that lack it must fail the same test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom
from simulated_gates import ALPHA, BETA, GRID, Population, most_violations, population, rates

from ebf_baselines.calibration import Episode, ScorerId, SuiteId, certify
from ebf_baselines.calibration.binomial import is_certified
from ebf_baselines.calibration.episodes import EpisodeTable
from ebf_baselines.calibration.grid import counts_acted
from ebf_baselines.calibration.learn_then_test import learn_then_test, path
from ebf_env.world import RiskLevel

RESAMPLES = 1_000
TUNE, CALIBRATE = 1_000, 800

Rule = Callable[[EpisodeTable, EpisodeTable], tuple[float, float] | None]


def certified(tune: EpisodeTable, calibrate: EpisodeTable) -> tuple[float, float] | None:
    found = learn_then_test(tune, calibrate, alpha=ALPHA, beta=BETA, grid=GRID)
    return None if found.tau is None or found.delta is None else (found.tau, found.delta)


def along_the_path(passes: Callable[[npt.NDArray[np.int64], int], npt.NDArray[np.bool_]]) -> Rule:
    """The last cell of the path before the first that does not pass some test."""

    def rule(tune: EpisodeTable, calibrate: EpisodeTable) -> tuple[float, float] | None:
        cells = path(tune, GRID)
        errors = counts_acted(calibrate, calibrate.wrong, GRID)[tuple(cells.T)]
        passed = int(np.logical_and.accumulate(passes(errors, len(calibrate))).sum())
        if not passed:
            return None
        tau, delta = cells[passed - 1]
        return GRID.taus[tau], GRID.deltas[delta]

    return rule


by_empirical_rate = along_the_path(lambda errors, n: errors <= ALPHA * n)
by_the_wrong_side = along_the_path(lambda errors, n: binom.sf(errors - 1, n, ALPHA) > BETA)


def violations(
    rule: Rule,
    truth: Population,
    *,
    tuned_on: Population | None = None,
    calibrated_on: Population | None = None,
    families: int = CALIBRATE,
    whole: bool = False,
    seed: int = 0,
) -> int:
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(RESAMPLES):
        tune = (tuned_on or truth).drawn(TUNE, rng)
        chosen = rule(tune, (calibrated_on or truth).drawn(families, rng, whole=whole))
        count += chosen is not None and truth.wrong_rate(*chosen) > ALPHA
    return count


@pytest.fixture(scope="module")
def single() -> Population:
    return population(1, families=8_000)


@pytest.fixture(scope="module")
def blocks() -> Population:
    return population(2, families=2_000, cells=4)


def test_the_population_has_gates_on_both_sides_of_alpha(single: Population):
    truth = rates(single.table, GRID)
    assert truth.min() < ALPHA / 5
    assert truth.max() > 2 * ALPHA
    assert np.unique(truth[(truth > 0.8 * ALPHA) & (truth < 1.2 * ALPHA)]).size > 20


def test_the_guarantee_holds(single: Population):
    assert violations(certified, single) <= most_violations(RESAMPLES)


def test_the_guarantee_holds_on_one_task_of_each_family(blocks: Population):
    assert violations(certified, blocks) <= most_violations(RESAMPLES)


def test_the_guarantee_holds_whatever_the_tune_split_was(single: Population):
    shuffled = np.random.default_rng(4).permutation(len(single.table))
    nonsense = Population(replace(single.table, wrong=single.table.wrong[shuffled]), cells=1)
    assert violations(certified, single, tuned_on=nonsense) <= most_violations(RESAMPLES)


def test_thresholds_picked_by_empirical_rate_fail_the_same_test(single: Population):
    assert violations(by_empirical_rate, single) > most_violations(RESAMPLES)


def test_families_taken_as_independent_fail_the_same_test(blocks: Population):
    assert violations(certified, blocks, families=CALIBRATE // 4, whole=True) > most_violations(RESAMPLES)


def test_the_wrong_side_of_the_test_fails_the_same_test(single: Population):
    assert violations(by_the_wrong_side, single) > most_violations(RESAMPLES)


def test_under_shift_nothing_is_promised(single: Population):
    harder = population(5, families=8_000, harm=1.6)
    assert violations(certified, harder, tuned_on=single, calibrated_on=single) > most_violations(RESAMPLES)


def test_what_is_certified_is_of_use(single: Population):
    rng = np.random.default_rng(6)
    allowed = rates(single.table, GRID) <= ALPHA
    best = (counts_acted(single.table, single.table.right, GRID) * allowed).max() / single.table.resolvable.sum()
    found = [
        learn_then_test(single.drawn(TUNE, rng), single.drawn(CALIBRATE, rng), alpha=ALPHA, beta=BETA, grid=GRID)
        for _ in range(50)
    ]
    assert np.mean([each.completion_calibrate for each in found]) > 0.6 * best


@pytest.mark.parametrize(("alpha", "n"), [(0.007, 24_000), (0.01, 299), (0.05, 800)])
def test_no_cell_whose_rate_is_too_great_passes_more_often_than_beta(alpha: float, n: int):
    most = max(k for k in range(int(alpha * n) + 1) if is_certified(k, n, alpha, BETA))
    assert binom.cdf(most + 1, n, alpha) > BETA
    for rate in (alpha, alpha * 1.001, alpha * 1.1, alpha * 2):
        assert binom.cdf(most, n, rate) <= BETA


def test_with_risk_levels_all_of_them_keep_to_their_rates():
    alpha, resamples, sizes = 0.1, 200, (600, 2_000)
    rng = np.random.default_rng(7)
    worlds = {risk: population(10 + i, families=4_000) for i, risk in enumerate(RiskLevel)}
    episodes = [
        Episode(f"{risk} {row}", risk, *map(float, (t.score[row], t.margin[row])), bool(t.wrong[row]), True)
        for risk, world in worlds.items()
        for t in [world.table]
        for row in range(len(t))
    ]
    violated = acting = 0
    for _ in range(resamples):
        rows = rng.choice(len(episodes), sum(sizes), replace=False)
        drawn = [episodes[row] for row in rows]
        certificate = certify(
            drawn[: sizes[0]],
            drawn[sizes[0] :],
            alpha=alpha,
            beta=BETA,
            scorer=ScorerId(name="s", sha256="0" * 64),
            suite=SuiteId(sha256="1" * 64),
            grid=GRID,
            per_risk=True,
        )
        gates = [(worlds[risk], certificate.thresholds_for(risk)) for risk in RiskLevel]
        acting += sum(gate.tau is not None for _, gate in gates)
        violated += any(
            gate.tau is not None and gate.delta is not None and world.wrong_rate(gate.tau, gate.delta) > gate.alpha
            for world, gate in gates
        )
    assert violated <= most_violations(resamples)
    assert acting > 3 * resamples
