"""Intervals and p values that may be looked at any time keep their promise over all looks together."""

import numpy as np
import pytest

from spadesim.stats.anytime import LEAST_DIFFERENT, always_valid_p, anytime_interval
from spadesim.stats.moments import Moments
from tests.stats.given import known

LIMITS = (-1.0, 1.0)
LOOKS = np.unique(np.geomspace(200, 20_000, 60).astype(int))


def runs_of_moments(runs: int) -> list[list[Moments]]:
    """Moments of made-up boards at every look: two of three are level, the rest far from normal."""
    rng = np.random.default_rng(4)
    found = []
    for _ in range(runs):
        values = rng.standard_t(4, LOOKS[-1]) * (rng.random(LOOKS[-1]) < 1 / 3) * 0.05
        sums, squares = np.cumsum(values), np.cumsum(values * values)
        found.append([Moments(int(n), sums[n - 1], squares[n - 1], int(n) // 3, 0) for n in LOOKS])
    return found


def test_errors_over_all_looks() -> None:
    left_at, p_small, naive = 0, 0, 0
    runs = runs_of_moments(300)
    for looks in runs:
        intervals = [known(anytime_interval(moments, LIMITS)) for moments in looks]
        left_at += any(not found.low <= 0 <= found.high for found in intervals)
        p_small += min(map(always_valid_p, looks)) < 0.05
        naive += any(abs(m.mean) > 1.96 * np.sqrt(m.variance / m.n) for m in looks)
    assert left_at == p_small
    assert left_at / len(runs) < 0.05
    assert naive / len(runs) > 0.25  # what peeking at the usual interval does


def test_width_against_the_usual_interval() -> None:
    moments = Moments(10_000, 0.0, 100.0, 3000, 3000)
    found = known(anytime_interval(moments, LIMITS))
    usual = 1.96 * np.sqrt(moments.variance / moments.n)
    assert found.high / usual == pytest.approx(1.55, abs=0.06)


def test_too_few_that_differ_are_no_basis() -> None:
    few = Moments(10**6, 1.0, 1.0, LEAST_DIFFERENT - 1, 0)
    assert anytime_interval(few, LIMITS) is None
    assert always_valid_p(few) == 1
    assert anytime_interval(Moments(), LIMITS) is None


def test_values_all_alike_and_limits() -> None:
    alike = Moments.of([1.0] * 100)
    assert always_valid_p(alike) == 0
    assert anytime_interval(alike, LIMITS) is None
    assert known(anytime_interval(Moments(60, 0.0, 60.0, 30, 30), (-0.1, 0.1))).high == 0.1
