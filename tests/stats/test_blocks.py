"""Intervals from blocks: known cases, and how often they hold the truth."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.stats.blocks import N_BLOCKS, differences, jackknife, jointly, ratios, shares
from spadesim.stats.intervals import t_interval, wilson

Array = npt.NDArray[Any]
RUNS = (
    3000  # simulated for each case: a coverage of 95 % is seen to within 0.8 percentage points in 95 of 100
)
RNG = np.random.default_rng(20)


def test_blocks_of_a_size_give_the_t_interval_of_their_means() -> None:
    means = np.arange(N_BLOCKS) % 7
    found = ratios(means * 5, np.full(N_BLOCKS, 5)).at()
    expected = t_interval(means.mean(), means.var(ddof=1) / N_BLOCKS, N_BLOCKS)
    assert found is not None
    assert found.to_dict() == pytest.approx(expected.to_dict())


def test_blocks_without_a_denominator_count_as_not_there() -> None:
    few = ratios(np.array([3, 5, 4]), np.array([1, 2, 1])).at()
    among_many = ratios(np.array([0, 3, 0, 5, 4, 0]), np.array([0, 1, 0, 2, 1, 0])).at()
    assert few == among_many


def test_one_block_or_none_has_no_interval() -> None:
    for of in (ratios, shares):
        alone = of(np.array([0, 3]), np.array([0, 4])).at()
        assert alone is not None
        assert alone.mean == 0.75
        assert np.isnan([alone.low, alone.high]).all()
        assert of(np.array([0, 0]), np.array([0, 0])).at() is None


def test_rows_that_tell_the_same_twice_do_not_count_twice() -> None:
    trials = np.full(N_BLOCKS, 1000)
    hits = RNG.binomial(trials, 0.3)
    once, twice = shares(hits, trials).at(), shares(hits * 2, trials * 2).at()
    assert once is not None
    assert twice is not None
    assert twice.high - twice.low == pytest.approx(once.high - once.low, rel=0.15)
    assert once.high - once.low >= np.subtract(*wilson(0.3, trials.sum())[::-1])


def test_shares_of_none_and_all_have_an_interval() -> None:
    trials = np.full(N_BLOCKS, 10)
    none, every = (shares(hits, trials).at() for hits in (trials * 0, trials))
    assert none is not None
    assert every is not None
    assert none.mean == none.low == 0
    assert 3 / 640 < none.high < 10 / 640
    assert (every.mean, every.high) == (1, 1)
    assert every.low == pytest.approx(1 - none.high)


def test_a_difference_over_the_same_blocks_is_free_of_what_they_share() -> None:
    luck, trials = RNG.normal(0, 50, N_BLOCKS), np.full(N_BLOCKS, 1.0)
    own = np.random.default_rng(19).normal(0, 1e-3, N_BLOCKS)
    found = differences((luck + 2 + own, trials), (luck, trials)).at()
    assert found is not None
    assert found.to_dict() == pytest.approx({"mean": 2, "low": 2, "high": 2}, abs=1e-3)


@pytest.mark.parametrize("n_blocks", [2, N_BLOCKS])
def test_blocks_that_agree_are_not_sure(n_blocks: int) -> None:
    """They may agree by chance: then there is no interval; shares have Wilson's of independent trials."""
    sizes = np.arange(1, n_blocks + 1) * 2
    trick = np.array([0.1, 7.0, 1e6])[:, None]
    means = ratios(trick * sizes, sizes)
    assert means.mean == pytest.approx(trick[:, 0])
    assert np.isnan([means.low, means.high]).all()
    assert np.isnan(differences((3 * sizes, sizes), (sizes, sizes)).low)
    assert np.isnan(jointly((trick * sizes, sizes), np.divide, sizes > 0).low).all()
    half = shares(sizes // 2, sizes).at()
    assert half is not None
    assert half.low < 0.5 < half.high


@pytest.mark.parametrize("n_blocks", [2, 3, 4, 8])
@pytest.mark.parametrize("per_block", [1, 3, 20])
def test_few_blocks_hold_the_truth_wherever_they_tell_an_interval(n_blocks: int, per_block: float) -> None:
    """Of 3,000 runs with points of nils, in 93 of 100 of those with an interval, less three errors of 0.5."""
    source = np.random.default_rng(17)
    for chance in (0.5, 0.8, 0.95):
        hands = source.poisson(per_block, (RUNS, n_blocks))
        points = 200 * source.binomial(hands, chance) - 100 * hands
        found, truth = ratios(points, hands), 200 * chance - 100
        told = np.isfinite(found.low)
        assert ((found.low <= truth) & (found.high >= truth))[told].mean() > 0.915
        assert (found.high > found.low)[told].all()


def test_intervals_for_as_many_as_there_are_hold_at_once() -> None:
    """Ten shares and ten means of 16 blocks each: all hold in 95 of 100 of 1,000 runs, within 2."""
    source, size = np.random.default_rng(18), (1000, 10, 16)
    hits = source.binomial(30, 0.6, size)
    for found in (shares(hits, np.full(size, 30), 10), ratios(hits, np.full(size, 30), 10)):
        held = ((found.low <= 0.6) & (found.high >= 0.6)).all(axis=-1).mean()
        assert held >= 0.93
    assert not np.array_equal(found.low, ratios(hits, np.full(size, 30)).low)


def test_any_function_of_sums_has_an_interval() -> None:
    sums = RNG.normal(10, 1, (2, N_BLOCKS))
    found = jackknife((sums[0], sums[1]), np.divide, np.ones(N_BLOCKS, bool)).at()
    assert found == ratios(sums[0], sums[1]).at()


def _clustered(chance: float, per_block: float) -> tuple[Array, Array]:
    """Hits and trials of `RUNS` runs: as many trials to a block as luck gives, half of them seen twice."""
    single, double = (RNG.poisson(per_block, (RUNS, N_BLOCKS)) for _ in range(2))
    hits = RNG.binomial(single, chance) + 2 * RNG.binomial(double, chance)
    return hits, single + 2 * double


@pytest.mark.parametrize(
    ("chance", "per_block"), [(0.5, 0.3), (0.5, 5), (0.9, 5), (0.98, 20), (0.02, 20), (0.01, 4), (0.001, 200)]
)
def test_shares_hold_the_truth_in_93_to_97_of_100_runs(chance: float, per_block: float) -> None:
    low, high = 0.93, 0.97
    hits, trials = _clustered(chance, per_block)
    found = _one_by_one(hits, trials)
    assert low <= ((found[0] <= chance) & (chance <= found[1])).mean() <= high


def _one_by_one(hits: Array, trials: Array) -> tuple[Array, Array]:
    """The ends for each run by itself, so that none borrows the design effect of another."""
    ends = [shares(*run) for run in zip(hits, trials, strict=True)]
    return np.array([float(e.low) for e in ends]), np.array([float(e.high) for e in ends])


@pytest.mark.parametrize("per_block", [1, 20, 400])
def test_means_hold_the_truth_in_93_to_97_of_100_runs(per_block: float) -> None:
    """Points of nils: 100 or -100, more hands in some blocks than in others, each seen by both partners."""
    hands = RNG.poisson(per_block, (RUNS, N_BLOCKS))
    points = 200 * RNG.binomial(hands, 0.8) - 100 * hands
    found = ratios(2 * points, 2 * hands)
    assert 0.93 <= ((found.low <= 60) & (found.high >= 60)).mean() <= 0.97


def test_differences_hold_the_truth_in_93_to_97_of_100_runs() -> None:
    """Two bots on the same deals, whose luck they share."""
    luck = RNG.normal(0, 3, (RUNS, N_BLOCKS))
    hands = RNG.poisson(30, (2, RUNS, N_BLOCKS))
    tricks = hands * (3 + luck * 0.1) + RNG.normal(0, 1, hands.shape) * np.sqrt(hands)
    found = differences((tricks[0] + 0.2 * hands[0], hands[0]), (tricks[1], hands[1]))
    assert 0.93 <= ((found.low <= 0.2) & (found.high >= 0.2)).mean() <= 0.97


def test_joint_intervals_hold_all_at_once() -> None:
    """Sixteen values that vary together: all are held in 95 of 100 cases, and alone by fewer of them."""
    runs, n_values, jointly_held, alone_held = 400, 16, 0, 0
    root = RNG.normal(size=(n_values, n_values)) / 4 + np.eye(n_values)
    sizes, present = np.full((n_values, N_BLOCKS), 10.0), np.ones(N_BLOCKS, dtype=bool)
    for _ in range(runs):
        sums = root @ RNG.normal(size=(n_values, N_BLOCKS)) + 20
        found = jointly((sums, sizes), lambda above, below: above / below, present)
        jointly_held += bool(((found.low <= 2) & (found.high >= 2)).all())
        one = ratios(sums, sizes)
        alone_held += bool(((one.low <= 2) & (one.high >= 2)).all())
    assert 0.92 <= jointly_held / runs <= 0.98  # three standard errors about 95 %
    assert alone_held / runs < 0.8


def test_joint_intervals_of_few_blocks_and_of_none() -> None:
    sums, present = np.array([[3.0, 5.0, 4.0], [2.0, 2.0, 2.0]]), np.ones(3, dtype=bool)
    found = jointly((sums, np.ones((2, 3))), lambda above, below: above / below, present)
    alone = ratios(sums, np.ones((2, 3)))
    # Two values by three blocks tell no correlation: Bonferroni's quantile, t(2) at 1 - 0.025 / 2.
    assert (found.high - found.mean)[0] / (alone.high - alone.mean)[0] == pytest.approx(
        6.205 / 4.303, rel=1e-3
    )
    assert np.isnan(found.low[1])  # the same whichever block is left out
    one = jointly((sums[:, :1], np.ones((2, 1))), lambda above, below: above / below, present[:1])
    assert one.mean.tolist() == [3, 2]
    assert np.isnan(one.low).all()
