import numpy as np
import pytest

from spadesim.stats.boards import (
    RoomSums,
    margin_per_hand,
    points_per_board,
    room_correlation,
    variance_factor,
)
from spadesim.stats.intervals import t_quantile
from tests.stats.given import hand_sums, known, room_sums


def test_points_by_hand() -> None:
    # x = (20-10)/2, (0+30)/2, (-40+40)/2, (50+10)/2 = 5, 15, 0, 30: mean 12.5, sd 13.23,
    # standard error 6.614, t(3) = 3.182.
    estimate = known(points_per_board(room_sums([20, 0, -40, 50], [-10, 30, 40, 10]), limit=1000))
    assert estimate.mean == 12.5
    assert (estimate.low, estimate.high) == pytest.approx((12.5 - 21.05, 12.5 + 21.05), abs=0.01)


def test_formulas_equal_numpy_on_single_boards() -> None:
    rng = np.random.default_rng(3)
    luck = rng.normal(0, 60, size=500)
    first, second = np.rint(luck + rng.normal(3, 30, 500)), np.rint(-luck + rng.normal(3, 30, 500))
    sums = room_sums(first, second)
    x = (first + second) / 2
    half = t_quantile(499) * x.std(ddof=1) / np.sqrt(500)
    estimate = known(points_per_board(sums, limit=1000))
    assert (estimate.mean, estimate.low) == pytest.approx((x.mean(), x.mean() - half))
    assert room_correlation(sums) == pytest.approx(np.corrcoef(first, second)[0, 1])
    unpaired = (first.var(ddof=1) + second.var(ddof=1)) / 4
    assert variance_factor(sums) == pytest.approx(unpaired / x.var(ddof=1))


def test_the_factor_is_1_over_1_plus_r_when_both_rooms_vary_alike() -> None:
    sums = room_sums([1, 2, 3, 4], [2, 1, 3, 4])
    assert variance_factor(sums) == pytest.approx(1 / (1 + (room_correlation(sums) or 0)))


def test_a_divisor_changes_the_unit_and_nothing_else() -> None:
    plain = known(points_per_board(room_sums([2, 4, 9], [1, 1, 1]), limit=100))
    tenfold = known(points_per_board(room_sums([20, 40, 90], [10, 10, 10]), limit=100, divisor=10))
    assert (tenfold.mean, tenfold.low, tenfold.high) == pytest.approx((plain.mean, plain.low, plain.high))


def test_boards_without_spread() -> None:
    # 1000 boards on which both bots scored alike: at most 0.368 % of boards differ, by 500 points each.
    estimate = known(points_per_board(room_sums([30, -70] * 500, [-30, 70] * 500), limit=500))
    assert estimate.mean == 0
    assert (estimate.low, estimate.high) == pytest.approx((-1.841, 1.841), abs=0.001)
    assert variance_factor(room_sums([30, -70] * 500, [-30, 70] * 500)) is None
    assert room_correlation(room_sums([30, -70] * 500, [-30, 70] * 500)) == -1


def test_one_board_and_none() -> None:
    nothing = RoomSums(0, (0, 0), (0, 0), 0)
    assert points_per_board(nothing, limit=500) is None
    one = known(points_per_board(room_sums([40], [20]), limit=500))
    assert one.mean == 30
    assert -500 <= one.low < -450
    assert 450 < one.high <= 500
    for statistic in (room_correlation, variance_factor):
        assert statistic(room_sums([40], [20])) is None
        assert statistic(nothing) is None
    assert room_correlation(room_sums([5, 5], [1, 2])) is None


def test_a_margin_per_hand_weighs_games_by_their_hands() -> None:
    # Two pairs: A's points less B's are 100 in 20 hands each and -10 in 10 hands: 90/30 = 3;
    # residuals 40, -40: variance 2 * 3200/900.
    estimate = known(margin_per_hand(*hand_sums([(300, 20), (40, 10)], [(200, 20), (50, 10)]), limit=500))
    assert estimate.mean == pytest.approx(3)
    assert estimate.high == pytest.approx(3 + t_quantile(1) * (2 * 3200 / 900) ** 0.5)
    assert margin_per_hand(*hand_sums([], []), limit=500) is None


def test_a_margin_per_hand_where_one_plays_more_hands() -> None:
    """Each bot's points count by its own hands; the variance is that of weighted residuals."""
    rng = np.random.default_rng(6)
    hands = rng.integers(5, 60, size=(2, 400))
    points = rng.normal(20, 9, size=hands.shape) * hands
    points = np.rint(points).astype(int)
    (a, b), (x, y) = hands, points
    estimate = known(margin_per_hand(*hand_sums(zip(x, a, strict=True), zip(y, b, strict=True)), limit=500))
    ours, theirs = x.sum() / a.sum(), y.sum() / b.sum()
    residuals = (x - ours * a) / a.sum() - (y - theirs * b) / b.sum()
    half = t_quantile(399) * np.sqrt(400 / 399 * (residuals**2).sum())
    assert estimate.mean == pytest.approx(ours - theirs)
    assert (estimate.low, estimate.high) == pytest.approx((estimate.mean - half, estimate.mean + half))


def test_six_rooms_equal_numpy_on_single_boards() -> None:
    rng = np.random.default_rng(9)
    luck = rng.normal(0, 40, size=300)
    signs = (1, 1, -1, -1, 1, -1)
    rooms = [np.rint(sign * luck + rng.normal(4, 20, size=300)) for sign in signs]
    sums = room_sums(*rooms, side_hands=12)
    x = np.sum(rooms, axis=0) / 12
    half = t_quantile(299) * x.std(ddof=1) / np.sqrt(300)
    estimate = known(points_per_board(sums, limit=1000))
    assert (estimate.mean, estimate.low) == pytest.approx((x.mean(), x.mean() - half))
    apart = sum(room.var(ddof=1) for room in rooms)
    assert variance_factor(sums) == pytest.approx(apart / (12 * x).var(ddof=1))
    covariance = np.cov(rooms)
    spread = np.sqrt(np.outer(np.diag(covariance), np.diag(covariance)))
    between = ~np.eye(6, dtype=bool)
    assert room_correlation(sums) == pytest.approx(covariance[between].sum() / spread[between].sum())


def test_rooms_that_always_cancel_leave_no_variance() -> None:
    rooms = [[30, -70, 5], [-30, 70, -5], [10, 20, 30], [-10, -20, -30], [0, 0, 0], [0, 0, 0]]
    sums = room_sums(*rooms, side_hands=9)
    assert known(points_per_board(sums, limit=500)).mean == 0
    assert variance_factor(sums) is None
