"""Exact answers where few units differ."""

import math

import numpy as np
import pytest

from spadesim.stats.exact import is_rarer, less_sure, sign_p_any_time, sign_test, sureness


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


def test_sureness_by_counting() -> None:
    assert sureness(3, 1) == pytest.approx(1 - (1 + 4 / 2) / 2**4)
    for ahead, behind in ((0, 0), (7, 7), (9, 1), (0, 5), (60, 20)):
        for is_watched in (False, True):
            both = (sureness(*counts, is_watched) for counts in ((ahead, behind), (behind, ahead)))
            assert sum(both) == pytest.approx(1)
    assert sureness(9, 1, is_watched=True) == pytest.approx(1 - 11 * 10 / 2**10 / 2)
    assert less_sure(0.999, 9, 1, is_watched=True) == sureness(9, 1, is_watched=True) < 0.975


def test_a_mean_is_no_surer_than_few_units_by_their_number() -> None:
    assert less_sure(0.8, 30, 3) == 0.8
    assert less_sure(0.999, 6, 4) == sureness(6, 4)
    assert less_sure(0.001, 4, 6) == sureness(4, 6)
    assert less_sure(0.999, 0, 0) == less_sure(0.999, 14, 52) == less_sure(0.001, 52, 14) == 0.5
    assert less_sure(0.999, 14, 86) == 0.999


def test_the_sign_test_for_any_time_by_all_ways_that_there_are() -> None:
    """A coin is tossed 60 times with a look after each: how likely the p value is ever below 5 %."""
    alive, fooled = {0: 1.0}, 0.0
    for n in range(1, 61):
        grown: dict[int, float] = {}
        for ahead, chance in alive.items():
            for now in (ahead, ahead + 1):
                grown[now] = grown.get(now, 0.0) + chance / 2
        gone = {ahead for ahead in grown if sign_p_any_time(ahead, n - ahead) < 0.05}
        fooled += sum(grown[ahead] for ahead in gone)
        alive = {ahead: chance for ahead, chance in grown.items() if ahead not in gone}
    assert 0.01 < fooled < 0.05


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
