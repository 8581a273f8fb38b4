"""Estimates after a stop: published figures, exact laws against simulation, and what an interval promises."""

import math

import numpy as np
import pytest

from spadesim.stats.elo import NELO_PER_SPREAD, Sample, elo
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import Bounds, Test, llr_logistic, llr_of_means
from spadesim.stats.stopped import Motion, Stopped, estimate_after_stop
from tests.stats.given import known

FIVE = Bounds.of(0.05, 0.05)


def test_published_estimate_after_a_stop() -> None:
    sample = Sample.of((39, 2226, 31451, 2412, 40))
    spread = math.sqrt(2 * sample.variance)
    low, high = (0.5 + value / NELO_PER_SPREAD * spread for value in (0.764, 3.439))
    stopped = Stopped(sample.n, sample.mean, sample.variance, low, high, FIVE)
    found = known(estimate_after_stop(stopped, (0, 1), elo))
    assert found.mean == pytest.approx(0.8651598534, abs=5e-9)
    assert (found.low, found.high) == pytest.approx((0.16827, 1.54058), abs=5e-6)
    assert stopped.worse(0.5) == pytest.approx(0.9919993674, abs=1e-10)


@pytest.mark.parametrize("drift", [-2.0, -0.3, 0.0, 1e-12, 0.5, 2.0])
def test_both_series_are_one_law(drift: float) -> None:
    motion = Motion(-1.5, 2.5, drift, 1.0)
    for time in (1.0, 3.0, 5.0):
        for place in (-1.5, -0.4, 0.0, 1.7, 2.5):
            assert motion._early(time, place) == pytest.approx(motion._late(time, place), abs=1e-7)


def test_law_of_a_walk_between_bounds() -> None:
    rng = np.random.default_rng(1)
    step, runs = 0.002, 20_000
    motion, time = Motion(-1.5, 2.5, 0.3, 1.0), 3.0
    # The expected overshoot of a step of a walk (D. Siegmund) moves the bounds of a walk inwards.
    shift = 0.5826 * math.sqrt(step)
    place, end = np.zeros(runs), np.zeros(runs)
    for _ in range(round(time / step)):
        alive = end == 0
        place[alive] += 0.3 * step + math.sqrt(step) * rng.standard_normal(alive.sum())
        end[alive & (place <= motion.low + shift)] = -1
        end[alive & (place >= motion.high - shift)] = 1
    for where in (-1.5, -0.5, 0.5, 2.5):
        seen = ((end == -1) | ((end == 0) & (place <= where))).mean()
        assert motion.worse(time, where) == pytest.approx(seen, abs=0.013)


def test_law_at_its_ends() -> None:
    motion = Motion(-1.0, 2.0, 0.0, 1.0)
    assert motion.worse(0.0, 0.5) == 1
    assert motion.worse(1e6, -1.0) == pytest.approx(2 / 3)
    assert motion.worse(1e6, 2.0) == pytest.approx(2 / 3)
    assert Motion(-1.0, 2.0, -9.0, 1.0).worse(50.0, 0.0) == pytest.approx(1)
    assert Motion(-1.0, 2.0, 9.0, 1.0).worse(50.0, 0.0) == pytest.approx(0, abs=1e-7)


@pytest.mark.parametrize("truth", [0.0, 0.005])
def test_interval_holds_the_truth_after_a_stop(truth: float) -> None:
    """The interval holds the truth, the estimate is as often too high as too low; the mean is not."""
    rng = np.random.default_rng(11)
    held, above, runs = 0, 0, 250
    means = []
    for _ in range(runs):
        moments = Moments()
        test = Test(FIVE, lambda: llr_of_means(moments, 0, 0.01))  # noqa: B023
        while test.look() is None:
            batch = rng.normal(truth, 0.1, 20)
            moments += Moments(20, batch.sum(), (batch * batch).sum(), 10, 10)
        stopped = Stopped(moments.n, moments.mean, moments.variance, 0, 0.01, FIVE, step=20)
        found = known(estimate_after_stop(stopped, (-1, 1)))
        held += found.low <= truth <= found.high
        above += found.mean > truth
        means.append(moments.mean)
    assert held / runs >= 0.93
    assert 0.4 <= above / runs <= 0.6
    if truth == 0:
        assert np.mean(means) < -0.0005


def test_nothing_to_estimate_from() -> None:
    assert estimate_after_stop(Stopped(0, 0.0, 0.0, 0, 1, FIVE), (-1, 1)) is None
    assert estimate_after_stop(Stopped(9, 0.0, 0.0, 0, 1, FIVE), (-1, 1)) is None


def test_far_away_ends_within_the_limits() -> None:
    for mean in (-1.0, 0.9999, 1.0):
        found = known(estimate_after_stop(Stopped(1000, mean, 1e-4, 0, 0.001, FIVE), (-1, 1)))
        assert -1 <= found.low <= found.mean <= found.high <= 1


@pytest.mark.parametrize("truth", [0.069, 0.037, 0.02])
def test_differences_far_beyond_the_hypotheses_are_told_as_they_are(truth: float) -> None:
    """The first batches carry the test far beyond its bound, the drift more than their luck.

    Of 300 intervals 285 should hold the truth; with fewer than 273 the chance is below 0.1 %. Half of the
    estimates should lie above it; fewer than 121, or more than 179, come up in 0.1 %.
    """
    rng, spread, step = np.random.default_rng(3), 0.12, 500
    holds = above = 0
    for _ in range(300):
        n, total = 0, 0.0
        while True:
            total += rng.normal(truth * step, spread * math.sqrt(step))
            n += step
            if not FIVE.low < 0.001 / spread**2 * (total - 0.0005 * n) < FIVE.high:
                break
        found = known(
            estimate_after_stop(Stopped(n, total / n, spread**2, 0.0, 0.001, FIVE, step, step), (-1, 1))
        )
        holds += found.low <= truth <= found.high
        above += found.mean > truth
    assert holds >= 273
    assert 121 <= above <= 179


@pytest.mark.parametrize("share", [0.01, 0.03, 0.2])
def test_pairs_that_nearly_all_go_alike_are_told_as_they_go(share: float) -> None:
    """One side loses both games of a pair but for a few: the exact test goes far more slowly than the normal.

    Of 300 intervals 285 should hold the truth; as the few are whole numbers, some 95 % fewer do: with fewer
    than 264 it would be below 92 % with 99.9 %.
    """
    rng, truth, holds = np.random.default_rng(4), (share - 1) / 2, 0
    for _ in range(300):
        n = n_split = 0
        llr = 0.0
        while n_split < 2 or FIVE.low < llr < FIVE.high:
            n, n_split = n + 100, n_split + int(rng.binomial(100, share))
            llr = llr_logistic((n - n_split, 0, n_split, 0, 0), elo(0.5), elo(0.51))
        mean = (n_split / n - 1) / 2
        variance = n_split / n * (1 - n_split / n) / 4
        stopped = Stopped(n, mean, variance, 0.0, 0.01, FIVE, 100, 100, llr)
        found = known(estimate_after_stop(stopped, (-0.5, 0.5)))
        assert found.mean == pytest.approx(mean, abs=0.002)
        holds += found.low <= truth <= found.high
    assert holds >= 264
