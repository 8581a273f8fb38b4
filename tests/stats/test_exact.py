"""Exact answers where few units differ."""

import math

import numpy as np
import pytest

from spadesim.stats.exact import is_rarer, sign_test


def test_sign_test_by_counting() -> None:
    found = sign_test(9, 1)
    assert found.p_value == pytest.approx(2 * (10 + 1) / 2**10)
    assert found.share is not None
    low = found.share.low
    # The exact end: with this share as many as 9 of 10 are seen in 2.5 % of all runs.
    assert 10 * low**9 * (1 - low) + low**10 == pytest.approx(0.025)


def test_sign_test_without_anything() -> None:
    found = sign_test(0, 0)
    assert (found.p_value, found.share) == (1.0, None)
    assert sign_test(1, 0).p_value == 1
    assert sign_test(0, 60).p_value == pytest.approx(2 * 0.5**60)


def test_few_that_differ_are_not_overrated() -> None:
    """One board of a thousand differs by far: the t interval leaves out 0 far too often, this never."""
    rng = np.random.default_rng(1)
    wrong = [sign_test(*rng.multinomial(1000, (0.003, 0.003, 0.994))[:2]).p_value < 0.05 for _ in range(500)]
    assert np.mean(wrong) <= 0.05


@pytest.mark.parametrize("excess", [1.0, 1.5])
def test_rarity_may_be_asked_at_every_look(excess: float) -> None:
    rng = np.random.default_rng(2)
    share, wrong, runs = 0.002, 0, 1000
    for _ in range(runs):
        seen = np.cumsum(rng.binomial(500, share * excess, 40))
        wrong += any(is_rarer(int(m), 500 * (k + 1), share, 0.05) for k, m in enumerate(seen))
    assert wrong / runs <= 0.05


def test_rarity_is_found() -> None:
    needed = next(n for n in range(100, 10_000, 10) if is_rarer(0, n, 0.001, 0.05))
    assert 3 / 0.001 < needed < 5 / 0.001
    assert is_rarer(2, 20_000, 0.001, 0.05)
    assert not is_rarer(20, 20_000, 0.001, 0.05)
    assert not is_rarer(0, 0, 0.001, 0.05)
    assert not is_rarer(0, 10, 1.5, 0.05)
    assert not math.isnan(float(is_rarer(0, 10**12, 1e-12, 0.05)))
