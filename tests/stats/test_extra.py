"""Boards go where they settle the least certain question, and nowhere when all are settled."""

import numpy as np

from experiments.rating_coverage import board_values, moments_of
from spadesim.stats.common import MatchMoments
from spadesim.stats.extra import RankingAim, next_match, open_questions
from spadesim.stats.ratings import Ratings, features, gauntlet, least_squares, round_robin

AIM = RankingAim(indifference=0.0, block=500, cap=5000)


def looked(moments: MatchMoments, pairs: list[tuple[int, int]], n: int) -> Ratings:
    first = least_squares(n, pairs, moments)
    return Ratings(first.values, first.covariance, first.df, first)


def test_the_match_of_the_two_that_are_close_gets_the_boards() -> None:
    moments = moments_of(board_values(np.random.default_rng(1), (0.05, 0.0, 0.0005, -0.05), 2000))
    ratings = looked(moments, round_robin(4), 4)
    assert [set(pair) for pair in open_questions(ratings, 0.0)] == [{1, 2}]
    match = next_match(round_robin(4), moments, ratings, AIM)
    assert match == round_robin(4).index((1, 2))


def test_nobody_gets_boards_beyond_the_cap_or_when_all_is_sure() -> None:
    rng = np.random.default_rng(2)
    moments = moments_of(board_values(rng, (0.0, 0.0), 2000))
    ratings = looked(moments, [(0, 1)], 2)
    assert next_match([(0, 1)], moments, ratings, RankingAim(0.0, 500, 2000)) is None
    assert next_match([(0, 1)], moments, ratings, RankingAim(0.0, 500, 2001)) == 0
    far = moments_of(board_values(rng, (0.1, -0.1), 2000))
    assert next_match([(0, 1)], far, looked(far, [(0, 1)], 2), AIM) is None


def test_a_difference_within_the_indifference_zone_is_settled() -> None:
    moments = moments_of(board_values(np.random.default_rng(3), (0.0, 0.0), 4000))
    ratings = looked(moments, [(0, 1)], 2)
    width = float(ratings.margins()[0, 1] + abs(ratings.differences[0, 1]))
    assert open_questions(ratings, 0.9 * width) != []
    assert open_questions(ratings, 1.1 * width) == []


def test_in_a_gauntlet_boards_go_to_a_match_of_one_of_the_two() -> None:
    rng = np.random.default_rng(4)
    pairs = gauntlet(4, 0)
    values = np.stack([rng.normal(mean, 0.1, 2000) for mean in (0.1, 0.0505, 0.05)])
    moments = moments_of(values)
    match = next_match(pairs, moments, looked(moments, pairs, 4), AIM)
    assert match in (1, 2)
    assert match is not None
    moments.add_extra(match, features(rng.normal(0.05, 0.1, 500)))
    assert next_match(pairs, moments, looked(moments, pairs, 4), AIM) == 3 - match


def test_nothing_differed_so_nothing_is_asked() -> None:
    moments = moments_of(np.zeros((3, 100)))
    assert next_match(round_robin(3), moments, looked(moments, round_robin(3), 3), AIM) is None
