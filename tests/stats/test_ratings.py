"""Least squares, joint intervals, groups and circles, against slower and more obvious ways."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.rating_coverage import board_values, moments_of
from spadesim.stats.common import MatchMoments
from spadesim.stats.intervals import t_quantile
from spadesim.stats.joint import any_time, joint_quantile, superiority
from spadesim.stats.matrix import clear_triads, connected_parts, cyclic_triads, groups
from spadesim.stats.ratings import (
    N_FEATURES,
    Ratings,
    UnconnectedError,
    adjacent,
    design,
    features,
    gauntlet,
    heads,
    least_squares,
    round_robin,
)

STRENGTHS = (0.02, 0.01, 0.0, -0.03)


def test_ratings_are_those_of_plain_weighted_least_squares() -> None:
    values = board_values(np.random.default_rng(1), STRENGTHS, 4000)
    found = least_squares(4, round_robin(4), moments_of(values))
    root = np.sqrt(4000 / values.var(axis=1))
    plain, *_ = np.linalg.lstsq(
        design(4, round_robin(4)) * root[:, None], values.mean(axis=1) * root, rcond=None
    )
    assert found.values == pytest.approx(plain - plain.mean(), rel=1e-3)
    assert found.values.sum() == pytest.approx(0, abs=1e-12)


def test_errors_are_those_of_the_bootstrap_over_boards() -> None:
    """Boards, not matches, are drawn again: all matches' values of a board stay together.

    These players go in circles, so that the weights, which are estimated too, matter: as if they were known
    the errors would come out at 1.6 times as much.
    """
    rng = np.random.default_rng(2)
    circles = 0.06 * np.array([1, -1, 0, 1, 0, 0])
    values = board_values(rng, STRENGTHS, 4000, 0.2, circles)
    found = least_squares(4, round_robin(4), moments_of(values))
    again = []
    for _ in range(1000):
        drawn = values[:, rng.integers(0, 4000, 4000)]
        again.append(least_squares(4, round_robin(4), moments_of(drawn)).values)
    covariance = np.cov(np.transpose(again))
    assert found.errors == pytest.approx(np.sqrt(np.diag(covariance)), rel=0.06)
    assert found.covariance == pytest.approx(covariance, abs=0.1 * covariance.max())


def test_luck_that_matches_share_is_not_counted_as_knowledge() -> None:
    """Two matches against the same opponent with the same noise: their difference is known, they are not."""
    rng = np.random.default_rng(3)
    noise = rng.normal(0, 0.1, 5000)
    values = np.stack([0.02 + noise, 0.01 + noise])
    found = least_squares(3, gauntlet(3, 0), moments_of(values), anchor=0)
    assert found.values == pytest.approx([0, -0.02, -0.01], abs=0.006)
    assert found.difference_errors[1, 2] < 1e-4
    assert found.errors[1] == pytest.approx(0.1 / np.sqrt(5000), rel=0.05)
    assert found.superiority()[2, 1] > 0.999


def test_who_looked_before_is_told_less_surely() -> None:
    """Of each pair, match and player for itself as well, by how much more is known than at the first look."""
    rng, close = np.random.default_rng(7), (0.01, 0.005, 0.0, -0.015)
    moments, pairs = moments_of(board_values(rng, close, 500)), round_robin(4)
    first, first_heads = least_squares(4, pairs, moments), heads(moments)
    moments.add_extra(0, features(board_values(rng, close, 1500)[0]))
    plain, plain_heads = least_squares(4, pairs, moments), heads(moments)
    ratings, own = replace(plain, first_look=first), replace(plain_heads, first_look=first_heads)
    reach = any_time(t_quantile(499), (first_heads.errors / plain_heads.errors) ** 2)
    assert [one.high - one.mean for one in own.alone()] == pytest.approx(own.errors * reach)
    assert (own.margins() > plain_heads.margins()).all()
    for wide, narrow in zip(ratings.alone(), plain.alone(), strict=True):
        assert wide.high > narrow.high
        assert wide.low < narrow.low
    sure, usual = (found.superiority() - 0.5 for found in (ratings, plain))
    assert (np.abs(sure) <= np.abs(usual)).all()
    assert 0 < sure[0, 2] < usual[0, 2]
    assert (sure * usual >= 0).all()
    assert sure == pytest.approx(-sure.T)


def test_sure_of_a_pair_is_what_its_interval_at_any_look_leaves_out() -> None:
    information = np.array([1.0, 3.0, 50.0])
    reach = any_time(1.959963984540054, information)
    assert superiority(reach, np.ones(3), 1e9, information) == pytest.approx(0.975)
    assert superiority(-reach, np.ones(3), 1e9, information) == pytest.approx(0.025)


def test_an_anchor_is_exact_and_differences_do_not_depend_on_it() -> None:
    moments = moments_of(board_values(np.random.default_rng(4), STRENGTHS, 500))
    free, tied = (least_squares(4, round_robin(4), moments, anchor) for anchor in (None, 2))
    assert (tied.values[2], tied.errors[2]) == (0, 0)
    assert tied.differences == pytest.approx(free.differences)
    assert tied.difference_errors == pytest.approx(free.difference_errors)
    assert tied.joint()[2].low == tied.joint()[2].high == 0


def test_more_boards_of_one_match_are_worth_what_they_would_be_anywhere() -> None:
    """Boards of a single match beside the common ones: as sure as a match of that many boards."""
    rng = np.random.default_rng(5)
    values = board_values(rng, (0.01, -0.01), 9000)
    together = least_squares(2, [(0, 1)], moments_of(values))
    moments = moments_of(values[:, :1000])
    for first in range(1000, 9000, 2000):
        moments.add_extra(0, features(values[0, first : first + 2000]))
    apart = least_squares(2, [(0, 1)], moments)
    assert apart.values == pytest.approx(together.values)
    assert apart.errors == pytest.approx(together.errors, rel=0.03)


def test_matches_without_any_difference_leave_an_honest_error() -> None:
    values = board_values(np.random.default_rng(6), (0.02, 0.0, 0.0), 1000)
    values[2] = 0.0  # the last two always played alike against each other
    found = least_squares(3, round_robin(3), moments_of(values))
    assert np.isfinite(found.values).all()
    assert 0 < found.difference_errors[1, 2] < found.difference_errors[0, 1]
    assert not found.separated()[1, 2]


def test_nothing_differed_anywhere() -> None:
    found = least_squares(3, round_robin(3), moments_of(np.zeros((3, 100))))
    assert (found.values == 0).all()
    assert (found.errors == 0).all()
    assert not found.separated().any()
    assert (found.superiority() == 0.5).all()


def test_one_board_says_nothing_and_breaks_nothing() -> None:
    found = least_squares(3, round_robin(3), moments_of(np.array([[0.2], [0.1], [-0.1]])))
    assert np.isfinite(found.values).all()
    assert not found.separated().any()


def test_players_that_are_not_linked_are_refused() -> None:
    moments = moments_of(np.ones((2, 10)))
    with pytest.raises(UnconnectedError):
        least_squares(4, [(0, 1), (2, 3)], moments)
    assert connected_parts(4, [(0, 1), (2, 3)]) == [{0, 1}, {2, 3}]
    assert connected_parts(4, [(0, 1), (2, 3), (3, 0)]) == [{0, 1, 2, 3}]


def test_the_joint_quantile_lies_between_one_statement_and_bonferroni() -> None:
    from scipy.stats import norm

    several = joint_quantile(np.eye(20), 1e9)
    assert several == pytest.approx(norm.ppf((1 + 0.95 ** (1 / 20)) / 2), abs=0.03)  # exact when independent
    alike = joint_quantile(np.full((20, 20), 0.9) + 0.1 * np.eye(20), 1e9)
    assert t_quantile(1e9) < alike < several - 0.3
    assert joint_quantile(np.eye(20), 5) > several + 1
    assert joint_quantile(np.zeros((3, 3)), 9) == t_quantile(9)


def test_superiority_of_both_sides_adds_up() -> None:
    difference, error = np.array([0.3, -1.0, 0.0]), np.array([0.2, 0.0, 0.0])
    there, back = superiority(difference, error, 50), superiority(-difference, error, 50)
    assert there + back == pytest.approx(np.ones(3))
    assert there[1:].tolist() == [0.0, 0.5]


def test_groups_are_the_largest_sets_without_a_separated_pair() -> None:
    separated = np.zeros((5, 5), dtype=bool)
    for i, j in ((0, 2), (0, 3), (0, 4), (1, 4), (2, 4)):
        separated[i, j] = separated[j, i] = True
    assert groups(separated) == [(0, 1), (1, 2, 3), (3, 4)]
    assert groups(np.zeros((3, 3), dtype=bool)) == [(0, 1, 2)]
    assert groups(~np.eye(3, dtype=bool)) == [(0,), (1,), (2,)]


def test_circles_need_three_sure_results() -> None:
    beats = np.zeros((4, 4), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3)):
        beats[i, j] = True
    assert cyclic_triads(beats) == [(0, 1, 2)]
    assert clear_triads(beats) == 2
    beats[2, 0] = False
    assert cyclic_triads(beats) == []


def test_heads_are_sure_only_where_they_are() -> None:
    values = board_values(np.random.default_rng(8), (0.05, 0.0, 0.0), 3000)
    beats = heads(moments_of(values)).beats(3, round_robin(3))
    assert beats.tolist() == [[False, True, True], [False] * 3, [False] * 3]


def test_neighbours_in_the_ranking() -> None:
    assert adjacent([1.0, 1.0, 5.0]) == [(2, 0), (0, 1)]


def test_looking_before_makes_intervals_wider() -> None:
    covariance = np.diag([1.0, 1.0])
    now = Ratings(np.zeros(2), covariance / 3, 1e6, Ratings(np.zeros(2), covariance, 1e6))
    fixed = Ratings(np.zeros(2), covariance / 3, 1e6)
    assert now.margins()[0, 1] == pytest.approx(
        float(any_time(1.96, 3.0)) / 1.96 * fixed.margins()[0, 1], rel=1e-4
    )
    assert now.joint()[0].high > fixed.joint()[0].high


def test_an_estimate_without_drift_rarely_leaves_the_any_time_boundary() -> None:
    """20,000 walks of 1 to 100 times the first look, seen 100 times: at most 5 % leave it."""
    walks = np.random.default_rng(9).standard_normal((20_000, 100)).cumsum(axis=1)
    looks = np.arange(1, 101)
    ratios = np.abs(walks) / np.sqrt(looks)
    assert (ratios > any_time(1.959964, looks.astype(np.float64))).any(axis=1).mean() < 0.05
    assert (ratios > 1.959964).any(axis=1).mean() > 0.3


def test_moments_do_not_depend_on_how_boards_come() -> None:
    values = features(board_values(np.random.default_rng(10), STRENGTHS, 300))
    whole, parts = MatchMoments(6, N_FEATURES), MatchMoments(6, N_FEATURES)
    whole.add_common(values)
    for first in (0, 1, 100):
        parts.add_common(values[:, first : {0: 1, 1: 100, 100: 300}[first]])
    assert parts.covariance() == pytest.approx(whole.covariance())
    assert parts.means == pytest.approx(whole.means)
