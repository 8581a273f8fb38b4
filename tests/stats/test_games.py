import math

import numpy as np
import pytest

from spadesim.stats.games import (
    game_stats,
    opener_win_rate,
    pairs_to_decide,
    seat_win_rate,
    set_stats,
    share_interval,
    variance_factor,
    win_rate,
)
from spadesim.stats.intervals import Estimate
from tests.stats.given import known, ratio_sums, shares_of, table


def elo(share: float) -> float:
    return -400 * math.log10(1 / share - 1)


def test_counts_by_hand() -> None:
    stats = game_stats(table(WW=4, WL=3, LW=2, LL=1, DW=1, UD=1))
    assert (stats.pairs, stats.games) == (12, 24)
    assert (stats.wins, stats.draws, stats.losses, stats.unfinished) == (14, 2, 7, 1)
    assert known(stats.win_rate).mean == pytest.approx(15 / 23)
    assert stats.worst_case == (15 / 24, 16 / 24)


@pytest.mark.parametrize(
    ("pairs", "low", "mean", "high"),
    [
        ((39, 2226, 31451, 2412, 40), 0.9029810 - 0.6625315, 0.9029810, 0.9029810 + 0.6625315),
        ((39, 8843, 26675, 9240, 44), 0.5464344, 1.5767629, 2.6071187),
    ],
)
def test_published_pair_counts_of_engine_tests(
    pairs: tuple[int, ...], low: float, mean: float, high: float
) -> None:
    """Counts of pairs by score with the Elo difference and interval that chess engine testers publish."""
    ll, ld, even, dw, ww = pairs
    rate = known(win_rate(table(LL=ll, LD=ld, WL=even, DW=dw, WW=ww)))
    assert elo(rate.mean) == pytest.approx(mean, abs=1e-6)
    assert (elo(rate.low), elo(rate.high)) == pytest.approx((low, high), abs=3e-4)


def test_the_interval_is_over_pairs_not_over_games() -> None:
    """When both games of a pair always end alike, 2N games tell no more than N."""
    together = known(win_rate(table(WW=500, LL=500)))
    apart = known(win_rate(table(WW=250, WL=250, LW=250, LL=250)))
    assert together.high - together.low == pytest.approx(2 * 0.0310, abs=2e-4)
    assert apart.high - apart.low == pytest.approx(2 * 0.0310 / math.sqrt(2), abs=2e-4)


def test_rooms_do_not_matter_to_the_win_rate() -> None:
    assert win_rate(table(WL=7, DW=3, WU=1)) == win_rate(table(LW=7, WD=3, UW=1))


@pytest.mark.parametrize("pairs", [1, 2, 10, 1000, 10**6])
@pytest.mark.parametrize("name", ["WW", "LL", "WL", "DD", "WD"])
def test_pairs_that_all_went_alike_leave_doubt(name: str, pairs: int) -> None:
    rate = known(win_rate(table(**{name: pairs})))
    assert 0 <= rate.low <= rate.mean <= rate.high <= 1
    assert rate.high - rate.low > 1 / (pairs + 2)
    assert rate.high - rate.low < 7 / (pairs + 6)


def test_no_game_finished() -> None:
    stats = game_stats(table(UU=5))
    assert stats.win_rate is None
    assert stats.variance_factor is None
    assert stats.worst_case == (0.0, 1.0)
    assert not stats.is_decidable
    nothing = game_stats(table())
    assert nothing.win_rate is None
    assert nothing.worst_case is None
    assert not nothing.is_decidable


def test_unfinished_games_above_half_a_percent_hide_the_winner() -> None:
    assert game_stats(table(WW=99, UU=0, WU=1)).is_decidable  # 1 in 200
    assert not game_stats(table(WW=98, UU=1, WL=1)).is_decidable  # 2 in 200


def test_a_half_finished_pair_counts_as_one_game() -> None:
    assert known(win_rate(table(WW=1, LL=1, WU=1))).mean == 3 / 5
    assert win_rate(table(WL=50, WU=2, UU=30)) == win_rate(table(WL=50, WU=2))


def test_what_pairing_bought() -> None:
    assert variance_factor(table(WW=250, WL=250, LW=250, LL=250)) == 1
    assert variance_factor(table(WW=500, LL=500)) == 0.5
    assert variance_factor(table(WL=450, LW=450, WW=50, LL=50)) == pytest.approx(1 / (1 - 0.8))
    assert variance_factor(table(WL=50, LW=50)) is None
    assert variance_factor(table(WW=1)) is None


def test_the_factor_equals_the_correlation_of_single_results() -> None:
    rng = np.random.default_rng(8)
    results = rng.multivariate_normal([0, 0], [[1, -0.6], [-0.6, 1]], size=3000) > 0
    outcomes = np.zeros((4, 4), dtype=int)
    np.add.at(outcomes, (2 * results[:, 0], 2 * results[:, 1]), 1)
    v0, v1 = results.var(axis=0)
    paired = results.mean(axis=1).var() * 4
    assert variance_factor(outcomes.tolist()) == pytest.approx((v0 + v1) / paired)


def test_seats_are_judged_through_both_rooms() -> None:
    """Seats 0 and 2 win both games when A wins in room 0 and loses in room 1."""
    assert known(seat_win_rate(table(WL=30, LW=10, WW=5))).mean == pytest.approx((60 + 5) / 90)
    assert known(seat_win_rate(table(WU=3))).mean == 1


def test_the_opener() -> None:
    # 100 pairs split: whoever led the first hand won 130 of the 200 games.
    rate = known(opener_win_rate(table(WL=60, LW=40), won=130, lost=70))
    assert rate.mean == 0.65
    assert rate.high - rate.mean == pytest.approx(1.96 * math.sqrt(101) / 203, abs=1e-3)
    # Pairs won twice by one side say that leading did not matter.
    alike = known(opener_win_rate(table(WW=5000, LL=5000), won=10_000, lost=10_000))
    assert alike.mean == 0.5
    assert 0 < alike.high - alike.low < 0.001
    assert opener_win_rate(table(), 0, 0) is None
    assert known(opener_win_rate(table(DD=1), 0, 0)).mean == 0.5


def test_how_many_pairs_a_difference_needs() -> None:
    # sd of a pair's score 0.5, difference 0.01: ((1.96 + 0.8416) * 0.5 / 0.01)**2 = 19,622 pairs.
    half = 1.959964 * 0.5 / math.sqrt(1000)
    assert pairs_to_decide(Estimate(0.51, 0.51 - half, 0.51 + half), 1000) == pytest.approx(19_622, abs=2)
    assert pairs_to_decide(Estimate(0.5, 0.4, 0.6), 1000) is None


def test_sets_by_hand() -> None:
    # Three sets: all six won; three won, two lost, one drawn; one won, four lost, one unfinished.
    sets = [[2] * 6, [2, 2, 2, 0, 0, 1], [2, 0, 0, 0, 0, 3]]
    stats = set_stats(*shares_of(sets, 6))
    assert (stats.pairs, stats.games) == (3, 18)
    assert (stats.wins, stats.draws, stats.losses, stats.unfinished) == (10, 1, 6, 1)
    assert known(stats.win_rate).mean == pytest.approx(10.5 / 17)
    assert stats.worst_case == (10.5 / 18, 11.5 / 18)


def test_sets_of_two_say_what_pairs_say() -> None:
    rng = np.random.default_rng(2)
    results = rng.choice(4, size=(500, 2), p=[0.4, 0.05, 0.5, 0.05])
    outcomes = np.zeros((4, 4), dtype=int)
    np.add.at(outcomes, (results[:, 0], results[:, 1]), 1)
    pairs, sets = game_stats(outcomes.tolist()), set_stats(*shares_of(results, 2))
    assert (sets.games, sets.wins, sets.draws) == (pairs.games, pairs.wins, pairs.draws)
    assert (sets.losses, sets.unfinished, sets.worst_case) == (
        pairs.losses,
        pairs.unfinished,
        pairs.worst_case,
    )
    assert sets.win_rate == pairs.win_rate


def test_the_interval_is_over_sets_not_over_games() -> None:
    """Where the deal decides all six games, a set tells no more than one game."""
    together = [[2] * 6] * 300 + [[0] * 6] * 300
    apart = [[2, 0, 2, 0, 2, 0]] * 300 + [[0, 2, 0, 2, 2, 0]] * 300
    wide, narrow = (known(set_stats(*shares_of(sets, 6)).win_rate) for sets in (together, apart))
    assert wide.high - wide.low == pytest.approx(2 * 1.96 * math.sqrt(0.25 / 600), rel=0.01)
    assert narrow.high - narrow.low < (wide.high - wide.low) / 6


def test_what_sets_bought() -> None:
    rng = np.random.default_rng(3)
    wins = (rng.normal(size=(2000, 1)) + rng.normal(size=(2000, 6)) > 0).astype(int)
    factor = set_stats(*shares_of(2 * wins, 6)).variance_factor
    apart = wins.var(axis=0, ddof=1).sum()
    assert factor == pytest.approx(apart / wins.sum(axis=1).var(ddof=1))
    assert set_stats(*shares_of([[2] * 6] * 5, 6)).variance_factor is None


def test_sets_with_no_game_finished() -> None:
    stats = set_stats(*shares_of([[3] * 6] * 4, 6))
    assert (stats.win_rate, stats.variance_factor, stats.worst_case) == (None, None, (0.0, 1.0))
    nothing = set_stats(*shares_of([], 6))
    assert (nothing.win_rate, nothing.worst_case, nothing.games) == (None, None, 0)


@pytest.mark.parametrize("sets", [1, 2, 10, 1000])
@pytest.mark.parametrize("won", [0, 6, 3])
def test_sets_that_all_went_alike_leave_doubt(won: int, sets: int) -> None:
    rate = known(set_stats(*shares_of([[2] * won + [0] * (6 - won)] * sets, 6)).win_rate)
    assert 0 <= rate.low <= rate.mean <= rate.high <= 1
    assert rate.high - rate.low > 1 / (sets + 2)
    pair = known(share_interval(ratio_sums([2 * won // 3] * sets, [2] * sets)))
    # What is added to the sets seen is as much of a set as of a pair.
    assert (rate.low, rate.high) == pytest.approx((pair.low, pair.high))
