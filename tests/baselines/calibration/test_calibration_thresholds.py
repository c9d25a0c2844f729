"""Episodes, the grid, the path and the walk; from episodes to a certificate."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from simulated_gates import GRID, population

from ebf_baselines.calibration import (
    DEFAULT_GRID,
    RISK_SHARES,
    Episode,
    GateCertificate,
    Grid,
    ScorerId,
    SuiteId,
    certify,
    one_per_family,
    split_families,
    zero_error_size,
)
from ebf_baselines.calibration.binomial import p_value
from ebf_baselines.calibration.episodes import EpisodeTable
from ebf_baselines.calibration.grid import counts_acted
from ebf_baselines.calibration.learn_then_test import learn_then_test, path, walk
from ebf_env.errors import ConfigurationError
from ebf_env.world import RiskLevel

SCORER = ScorerId(name="rule", sha256="a" * 64)
SUITE = SuiteId(sha256="b" * 64, generator={"split": "val", "seed": 7})
UNITS = st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5, 1.0])


def episode(
    family: str, score: float = 0.9, *, margin: float = 0.9, wrong: bool = False, risk: RiskLevel = RiskLevel.LOW
) -> Episode:
    return Episode(family, risk, score, margin, wrong, resolvable=True)


def good(count: int, prefix: str = "f", risk: RiskLevel = RiskLevel.LOW) -> list[Episode]:
    return [episode(f"{prefix}{n}", risk=risk) for n in range(count)]


def certificate(
    tune: list[Episode],
    calibrate: list[Episode],
    *,
    alpha: float = 0.01,
    beta: float = 0.05,
    grid: Grid = DEFAULT_GRID,
    per_risk: bool = False,
) -> GateCertificate:
    return certify(tune, calibrate, alpha=alpha, beta=beta, scorer=SCORER, suite=SUITE, grid=grid, per_risk=per_risk)


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf])
@pytest.mark.parametrize("name", ["score", "margin"])
def test_what_is_no_score_is_refused(name: str, value: float):
    with pytest.raises(ConfigurationError, match=f"family 'f': expected a {name}"):
        Episode(
            **{"family": "f", "risk": RiskLevel.LOW, "score": 1.0, "margin": 1.0, name: value},
            would_be_wrong=False,
            resolvable=True,
        )


@pytest.mark.parametrize(
    ("tune", "calibrate"),
    [(["a", "b", "twice", "twice"], ["c"]), (["a"], ["twice", "twice"]), (["a", "twice"], ["twice"])],
)
def test_several_episodes_of_a_family_are_refused_by_name(tune: list[str], calibrate: list[str]):
    with pytest.raises(ConfigurationError, match=r"family 'twice' .* one_per_family"):
        certificate(list(map(episode, tune)), list(map(episode, calibrate)))


def test_one_of_each_family_is_chosen_evenly_and_by_seed():
    cells = [episode(family, score) for score in (0.1, 0.2, 0.3, 0.4) for family in ("x", "y")]
    chosen = [one_per_family(cells, seed) for seed in range(400)]
    assert all([each.family for each in pair] == ["x", "y"] for pair in chosen)
    assert chosen[3] == one_per_family(cells, 3)
    for place in (0, 1):
        counts = np.unique([pair[place].score for pair in chosen], return_counts=True)[1]
        assert len(counts) == 4
        assert counts.min() > 60
    assert len({(first.score, second.score) for first, second in chosen}) == 16


def test_splits_share_nothing_and_lose_nothing():
    episodes = good(50)
    tune, calibrate = split_families(episodes, 20, seed=1)
    assert len(tune) == 20
    assert sorted(e.family for e in tune + calibrate) == sorted(e.family for e in episodes)
    assert (tune, calibrate) == split_families(episodes, 20, seed=1)
    assert tune != split_families(episodes, 20, seed=2)[0]
    for size in (0, 50):
        with pytest.raises(ConfigurationError, match="tune: expected a number from 1 to 49"):
            split_families(episodes, size, seed=1)
    with pytest.raises(ConfigurationError, match="'f0'"):
        split_families([*episodes, episode("f0")], 20, seed=1)


@pytest.mark.parametrize("values", [(), (0.5, 0.5), (0.5, 0.4), (-0.1,), (1.1,), (math.nan,)])
@pytest.mark.parametrize("name", ["taus", "deltas"])
def test_a_grid_rises_within_0_and_1(name: str, values: tuple[float, ...]):
    with pytest.raises(ValueError, match=name):
        Grid.model_validate({name: values})


def test_the_default_grid_is_fine_near_1_and_never_acts_on_nothing():
    assert DEFAULT_GRID.taus[0] > 0
    assert DEFAULT_GRID.deltas[0] == 0
    assert max(np.diff(DEFAULT_GRID.taus)) <= 0.0500001
    assert sum(tau > 0.99 for tau in DEFAULT_GRID.taus) > 10


@given(st.lists(st.tuples(UNITS, UNITS, st.booleans()), max_size=30))
def test_cells_count_what_the_gate_acts_on(rows: list[tuple[float, float, bool]]):
    table = EpisodeTable.of([Episode(str(n), RiskLevel.LOW, *row, resolvable=True) for n, row in enumerate(rows)])
    grid = Grid(taus=(0.0, 0.25, 0.5, 1.0), deltas=(0.0, 0.25, 0.4))
    counts = counts_acted(table, table.wrong, grid)
    for i, tau in enumerate(grid.taus):
        for j, delta in enumerate(grid.deltas):
            assert counts[i, j] == sum(s >= tau and m >= delta and wrong for s, m, wrong in rows)


def test_the_path_goes_from_strict_to_lenient_along_the_best_trades():
    world = population(8, families=20_000)
    table = world.drawn(2_000, np.random.default_rng(0))
    tau, delta = path(table, GRID).T
    completed = counts_acted(table, table.right, GRID)
    wrong = counts_acted(table, table.wrong, GRID)
    along, errors = completed[tau, delta], wrong[tau, delta]
    assert len(tau) > 30
    assert 0 < along[0] < 0.05 * completed.max()
    assert errors[0] <= 3
    assert along[-1] == completed.max()
    assert (np.diff(along) > -0.02 * completed.max()).all()
    for reached, made in zip(along, errors, strict=True):
        assert made <= wrong[completed >= reached].min() + 0.02 * len(table)


def test_the_path_begins_deep_inside_where_nothing_errs():
    table = EpisodeTable.of([episode(str(n), n / 100, margin=n / 100) for n in range(101)])
    tau, delta = path(table, GRID).T
    assert (GRID.taus[tau[0]], GRID.deltas[delta[0]]) == (0.96, 0.96)
    assert (GRID.taus[tau[-1]], GRID.deltas[delta[-1]]) == (0.2, 0.2)


def test_of_cells_without_errors_the_path_takes_the_one_farther_from_them():
    rows = [(0.9, 0.1, False)] * 5 + [(0.5, 0.5, False)] * 5 + [(0.7, 0.1, True)] * 5
    table = EpisodeTable.of([episode(str(n), s, margin=m, wrong=wrong) for n, (s, m, wrong) in enumerate(rows)])
    grid = Grid(taus=(0.2, 0.4, 0.6, 0.8), deltas=(0.0, 0.2, 0.4), targets=2)
    errors = counts_acted(table, table.wrong, grid)
    assert errors[3, 0] == errors[1, 2] == 0
    assert path(table, grid).tolist() == [[1, 2], [1, 0]]


def test_the_path_of_what_completes_nothing_is_empty():
    assert path(EpisodeTable.of([]), GRID).shape == (0, 2)
    assert path(EpisodeTable.of([episode("f", wrong=True)]), GRID).shape == (0, 2)


@pytest.mark.parametrize(
    ("errors", "certified"),
    [([0, 0, 0], 3), ([0, 1, 0], 1), ([1, 0, 0], 0), ([0, 0, 9], 2), ([], 0)],
)
def test_the_walk_ends_before_the_first_cell_that_fails(errors: list[int], certified: int):
    assert walk(np.array(errors, np.int64), 299, 0.01, 0.05) == certified


def test_the_p_value_is_that_of_scipy_stats():
    for n, alpha in [(299, 0.01), (24_000, 0.007), (7, 0.5)]:
        errors = np.arange(0, n + 1, max(1, n // 300))
        assert p_value(errors, n, alpha) == pytest.approx(binom.cdf(errors, n, alpha), rel=1e-9, abs=1e-300)


@pytest.mark.parametrize(
    ("alpha", "beta", "size"), [(0.01, 0.05, 299), (0.005, 0.05, 598), (0.5, 0.25, 2), (0.9, 0.95, 1)]
)
def test_zero_error_sizes(alpha: float, beta: float, size: int):
    assert zero_error_size(alpha, beta) == size
    assert (1 - alpha) ** size <= beta < (1 - alpha) ** (size - 1)


def test_with_one_family_too_few_nothing_is_certified_and_it_says_why():
    enough = certificate(good(5, "t"), good(299))
    assert not enough.never_acts
    assert enough.acts(0.9, 0.9, RiskLevel.CRITICAL)
    assert not enough.acts(0.0, 0.9, RiskLevel.LOW)
    few = certificate(good(5, "t"), good(298))
    assert few.never_acts
    assert not few.acts(1.0, 1.0, RiskLevel.LOW)
    remark = "a wrong rate of at most 0.01 at beta 0.05 needs 299 calibration families even if none errs, there are 298"
    assert few.remarks == {"all": remark}


def test_where_the_strictest_gate_errs_nothing_is_certified_and_it_says_why():
    bad = [episode(f"c{n}", 1.0, margin=1.0, wrong=n < 30) for n in range(300)]
    found = certificate(good(5, "t"), bad)
    assert found.never_acts
    assert "the strictest thresholds err on 30 of 300, too many" in found.remarks["all"]
    nothing = certificate([episode("t", wrong=True)], bad)
    assert "no thresholds of the grid complete a task of the tune split" in nothing.remarks["all"]


def test_the_certificate_counts_what_its_thresholds_do():
    world = population(9, families=3_000).table
    rows = [
        Episode(str(n), RiskLevel.LOW, float(s), float(m), bool(w), bool(r))
        for n, (s, m, w, r) in enumerate(zip(world.score, world.margin, world.wrong, world.resolvable, strict=True))
    ]
    tune, calibrate = split_families(rows, 1_000, seed=0)
    made = certificate(tune, calibrate, alpha=0.05, grid=GRID)
    gate = made.thresholds["all"]
    assert gate.tau is not None
    assert (made.splits.tune, made.splits.calibrate, gate.n) == (1_000, 2_000, 2_000)
    assert gate.k == sum(e.would_be_wrong and gate.acts(e.score, e.margin) for e in calibrate)
    for split, completion in ((tune, gate.completion_tune), (calibrate, gate.completion_calibrate)):
        resolvable = [e for e in split if e.resolvable]
        done = sum(gate.acts(e.score, e.margin) and not e.would_be_wrong for e in resolvable)
        assert completion == done / len(resolvable)
    again = learn_then_test(EpisodeTable.of(tune), EpisodeTable.of(calibrate), alpha=0.05, beta=0.05, grid=GRID)
    assert (again.tau, again.delta, again.k) == (gate.tau, gate.delta, gate.k)


def test_completion_of_nothing_is_none():
    calibrate = [Episode(f"f{n}", RiskLevel.LOW, 0.1, 0.1, would_be_wrong=True, resolvable=False) for n in range(299)]
    gate = certificate(good(5, "t"), calibrate).thresholds["all"]
    assert gate.tau is not None
    assert (gate.completion_tune, gate.completion_calibrate) == (1.0, None)


def test_each_risk_level_has_thresholds_of_its_own():
    sizes = {RiskLevel.LOW: 546, RiskLevel.MEDIUM: 545, RiskLevel.HIGH: 600, RiskLevel.CRITICAL: 1_094}
    tune = [e for risk in RiskLevel for e in good(5, f"t{risk}", risk)]
    calibrate = [e for risk, size in sizes.items() for e in good(size, risk.value, risk)]
    made = certificate(tune, calibrate, per_risk=True)
    assert {risk: made.thresholds_for(risk).alpha for risk in RiskLevel} == {
        RiskLevel.LOW: 0.008, RiskLevel.MEDIUM: 0.008, RiskLevel.HIGH: 0.008, RiskLevel.CRITICAL: 0.004
    }  # fmt: skip
    assert {gate.beta for gate in made.thresholds.values()} == {0.0125}
    assert {risk: made.thresholds_for(risk).n for risk in RiskLevel} == sizes
    assert [risk for risk in RiskLevel if not made.acts(0.9, 0.9, risk)] == [RiskLevel.MEDIUM]
    assert "needs 546 calibration families even if none errs, there are 545" in made.remarks["medium"]
    assert not made.never_acts
    absent = certificate(tune, good(600), per_risk=True)
    assert set(absent.remarks) == {"medium", "high", "critical"}


def test_the_shares_of_alpha_never_exceed_it():
    assert set(RISK_SHARES) == set(RiskLevel)
    assert max(RISK_SHARES.values()) <= 1


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.05), (1.0, 0.05), (0.01, 0.0), (0.01, 1.0), (math.nan, 0.05)])
def test_what_is_no_rate_is_refused(alpha: float, beta: float):
    with pytest.raises(ConfigurationError, match="expected a number between 0 and 1"):
        certificate(good(5, "t"), good(299), alpha=alpha, beta=beta)
