"""Pairs of games as engine testers count them, against figures that their programs print."""

import math

import pytest

from spadesim.stats.elo import Sample, elo, elo_interval, elo_stats, pair_counts, score_of
from spadesim.stats.intervals import t_quantile
from tests.stats.given import known, table


def test_published_elo_and_likelihood() -> None:
    stats = elo_stats((39, 2226, 31451, 2412, 40))
    assert stats is not None
    assert stats.elo.mean == pytest.approx(0.9029810488, abs=5e-11)
    assert (stats.elo.high - stats.elo.low) / 2 == pytest.approx(0.6625314860, abs=5e-11)
    assert stats.los == pytest.approx(0.9962220973, abs=5e-11)


def test_published_elo_with_a_t_interval() -> None:
    sample = Sample.of((39, 8843, 26675, 9240, 44))
    found = elo_interval(sample, t_quantile(sample.n - 1))
    assert (found.mean, found.high) == pytest.approx((1.5767629, 2.6071187), abs=5e-8)
    assert found.low == pytest.approx(0.5464344, abs=1e-6)


def test_ratios_by_hand() -> None:
    stats = elo_stats((1, 2, 4, 3, 6))
    assert stats is not None
    assert stats.pairs_ratio == 3
    assert stats.drawn_pairs == 0.25
    mean, square = (3 * 0.75 + 4 * 0.5 + 2 * 0.25 + 6) / 16, (3 * 0.5625 + 4 * 0.25 + 2 * 0.0625 + 6) / 16
    t = (mean - 0.5) / math.sqrt(2 * (square - mean**2))
    assert stats.normalised_elo is not None
    assert stats.normalised_elo.mean == pytest.approx(800 / math.log(10) * t)


def test_elo_turns_round_with_the_sides() -> None:
    one, other = elo_stats((5, 10, 50, 20, 15)), elo_stats((15, 20, 50, 10, 5))
    assert one is not None
    assert other is not None
    assert one.elo.mean == pytest.approx(-other.elo.mean)
    assert one.normalised_elo is not None
    assert other.normalised_elo is not None
    assert one.normalised_elo.high == pytest.approx(-other.normalised_elo.low)
    assert one.los == pytest.approx(1 - other.los)


@pytest.mark.parametrize("pairs", [(9, 0, 0, 0, 0), (0, 0, 9, 0, 0), (0, 0, 0, 0, 9), (0, 0, 1, 0, 0)])
def test_pairs_that_went_alike(pairs: tuple[int, int, int, int, int]) -> None:
    stats = known_stats(pairs)
    assert stats.elo.low <= stats.elo.mean <= stats.elo.high
    assert math.isfinite(stats.elo.low)
    assert math.isfinite(stats.elo.high)
    assert stats.normalised_elo is None  # there is no spread to count it in
    expected = {0: 0.0, 2: 0.5, 4: 1.0}[next(k for k, count in enumerate(pairs) if count)]
    by_number = {0.0: 0.5**10, 0.5: 0.5, 1.0: 1 - 0.5**10}  # nine that went one way
    assert stats.los == pytest.approx(by_number[expected])
    assert stats.elo.mean == pytest.approx(elo(expected), abs=1)


def known_stats(pairs: tuple[int, int, int, int, int]):  # type: ignore[no-untyped-def]
    return known(elo_stats(pairs))  # type: ignore[arg-type]


def test_nothing_played() -> None:
    assert elo_stats((0, 0, 0, 0, 0)) is None


def test_pairs_out_of_a_table_of_results() -> None:
    outcomes = table(WW=4, WL=3, LW=2, LL=1, DW=1, DD=5, LD=7, WU=9)
    assert pair_counts(outcomes) == (1, 7, 3 + 2 + 5, 1, 4)


@pytest.mark.parametrize("difference", [-1e9, -300, 0, 12.5, 900])
def test_elo_and_back(difference: float) -> None:
    assert elo(score_of(difference)) == pytest.approx(max(difference, elo(0)), abs=1e-6)
    assert 0 <= score_of(difference) <= 1
