"""Sequential tests: published log-likelihood ratios, Wald's bounds, and what degenerate results come to."""

import math

import numpy as np
import pytest

from spadesim.errors import UserError
from spadesim.stats.moments import Moments
from spadesim.stats.sequential import (
    Bounds,
    Test,
    expected,
    fixed_length,
    llr_logistic,
    llr_normalised,
    llr_normalised_approximate,
    llr_of_means,
)

PAIRS = (39, 2226, 31451, 2412, 40)
FIVE = Bounds.of(0.05, 0.05)


def test_published_ratios_of_pairs() -> None:
    assert llr_logistic(PAIRS, 0.2, 0.9) == pytest.approx(2.1625425800, abs=5e-11)
    assert llr_normalised(PAIRS, 0.764, 3.439) == pytest.approx(2.1629408696, abs=5e-11)
    assert llr_normalised_approximate(PAIRS, 0.764, 3.439) == pytest.approx(2.1628434585, abs=5e-11)
    assert llr_normalised((39, 8843, 26675, 9240, 44), 0.5, 2.5) == pytest.approx(2.9416752080, abs=5e-11)
    assert llr_normalised((379, 10170, 21828, 10640, 343), 0, 2) == pytest.approx(2.9454954309, abs=5e-11)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "hypotheses", "printed"),
    [(36433, 36027, 68692, (0, 2), 0.92), (10871, 10650, 20431, (-1.75, 0.25), 2.30)],
)
def test_published_ratios_of_games(
    wins: int, losses: int, draws: int, hypotheses: tuple[float, float], printed: float
) -> None:
    assert round(llr_normalised((losses, draws, wins), *hypotheses), 2) == printed


def test_published_ratios_of_games_in_elo_and_of_games_all_won() -> None:
    assert round(llr_logistic((21184, 40708, 21404), 0.5, 2.5), 2) == -1.57
    # All won: a distribution on 0 and 1 alone, of which t = 10 / 347.4 and t = 0 leave no doubt. fastchess
    # prints 120.56; its roots are looser.
    t = 10 / (800 / math.log(10))
    share = 0.5 + t / math.sqrt(1 + t * t) / 2
    assert llr_normalised((0, 0, 4250), 0, 10) == pytest.approx(4250 * math.log(share / 0.5), abs=0.001)
    assert llr_normalised((0, 0, 4250), 0, 10) == pytest.approx(120.56, abs=0.02)


@pytest.mark.parametrize("llr", [llr_logistic, llr_normalised])
def test_pairs_that_went_alike_never_hang_and_point_the_right_way(llr) -> None:  # type: ignore[no-untyped-def]
    for n in (1, 10, 1000, 10**6):
        assert llr((n, 0, 0, 0, 0), 0, 5) < 0 < llr((0, 0, 0, 0, n), 0, 5)
        assert llr((0, 0, n, 0, 0), -5, 5) == pytest.approx(0, abs=1e-6 * n)
    assert llr((0, 0, 0, 0, 0), 0, 5) == pytest.approx(0, abs=1e-4)


@pytest.mark.parametrize("far", [100, 900, 3000])
def test_hypotheses_far_away_get_an_answer(far: float) -> None:
    for pairs in (PAIRS, (1000, 0, 0, 0, 0), (0, 0, 3, 0, 0)):
        for llr in (llr_logistic, llr_normalised):
            assert math.isfinite(llr(pairs, -far, far))
    for llr in (llr_logistic, llr_normalised):
        assert llr(PAIRS, far - 1, far) < 0 < llr(PAIRS, -far, 1 - far)


def test_hypotheses_beyond_all_reason_are_refused() -> None:
    with pytest.raises(UserError, match="too far away"):
        llr_logistic(PAIRS, 0, 10**6)


def test_ratio_of_means_is_that_of_normal_data() -> None:
    values = np.random.default_rng(1).normal(0.3, 2, 500)
    moments = Moments.of(values)

    def likelihood(mean: float) -> float:
        spread = math.sqrt(((values - mean) ** 2).mean())
        return float(-len(values) * math.log(spread))

    assert llr_of_means(moments, -0.1, 0.4) == pytest.approx(likelihood(0.4) - likelihood(-0.1))


def test_ratio_of_means_without_spread() -> None:
    assert llr_of_means(Moments(), 0, 1) == 0
    assert llr_of_means(Moments.of([0.0] * 9), -1, 1) == 0
    assert llr_of_means(Moments.of([0.0] * 9), 0, 1) == -math.inf
    assert llr_of_means(Moments.of([1.0] * 9), 0, 1) == math.inf


def test_moments_add_up() -> None:
    values = np.random.default_rng(3).normal(size=1000).round(1)
    whole, parts = Moments.of(values), Moments.of(values[:300]) + Moments.of(values[300:])
    assert (whole.n, whole.ahead, whole.behind) == (parts.n, parts.ahead, parts.behind)
    assert whole.different == (values != 0).sum()
    assert (parts.mean, parts.variance) == pytest.approx((values.mean(), values.var()))


def test_a_test_that_has_ended_stays_so() -> None:
    values = iter([1.0, 3.0, -9.0])
    test = Test(FIVE, lambda: next(values))
    assert [test.look() for _ in range(3)] == [None, "high", "high"]
    assert test.value == 3.0


@pytest.mark.parametrize("effect", [-30.0, -1.0, 0.0, 0.2, 0.5, 0.8, 1.0, 2.0, 30.0])
def test_expected_length_against_a_walk(effect: float) -> None:
    """A random walk of small steps is what the formulas are about."""
    spread, low, high = 10.0, 0.0, 1.0
    found = expected(effect, low, high, spread, FIVE)
    other = expected(high - effect, low, high, spread, FIVE)
    assert found.accepts_high == pytest.approx(1 - other.accepts_high)
    assert found.units == pytest.approx(other.units)
    if not 0 <= effect <= 1:
        return
    rng = np.random.default_rng(7)
    llr, length = np.zeros(4000), np.zeros(4000)
    going = np.ones(4000, dtype=bool)
    while going.any():
        steps = rng.normal(effect, spread, going.sum())
        llr[going] += (high - low) * (steps - (low + high) / 2) / spread**2
        length[going] += 1
        going = (llr > FIVE.low) & (llr < FIVE.high)
    assert (llr > 0).mean() == pytest.approx(found.accepts_high, abs=0.03)
    assert length.mean() == pytest.approx(found.units, rel=0.10)


def test_the_ends_of_a_design_are_its_errors() -> None:
    bounds = Bounds.of(0.02, 0.1)
    assert expected(0, 0, 1, 10, bounds).accepts_high == pytest.approx(0.02)
    assert expected(1, 0, 1, 10, bounds).accepts_high == pytest.approx(0.9)


def test_fixed_length_has_its_power() -> None:
    n = fixed_length(1.0, 10.0, 0.05, 0.9)
    z = 1.0 * math.sqrt(n) / 10.0
    rng = np.random.default_rng(2)
    assert (rng.normal(z, 1, 100_000) > 1.959964).mean() == pytest.approx(0.9, abs=0.004)
    assert fixed_length(1.0, 10.0, 0.05, 0.9, sides=1) < n


@pytest.mark.parametrize("truth", [0.0, 0.02])
def test_error_rates_on_values_mostly_zero(truth: float) -> None:
    """1,500 runs on a shape like that of boards: two of three are 0; looked at every 100 units."""
    rng = np.random.default_rng(5)
    wrong, runs = 0, 1500
    for _ in range(runs):
        moments, accepted = Moments(), None
        test = Test(FIVE, lambda: llr_of_means(moments, 0, 0.02))  # noqa: B023
        while accepted is None:
            batch = rng.standard_t(4, 100) * (rng.random(100) < 1 / 3) * 0.15 + truth
            moments += Moments(100, batch.sum(), (batch * batch).sum(), 50, 50)
            accepted = test.look()
        wrong += accepted != ("high" if truth else "low")
    assert wrong / runs < 0.06
