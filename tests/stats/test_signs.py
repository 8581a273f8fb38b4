"""Where few boards differ, nothing is sure that their number does not say as well."""

import dataclasses

import numpy as np
import numpy.typing as npt

from experiments.rating_coverage import moments_of
from spadesim.stats.exact import sureness
from spadesim.stats.ratings import Ratings, gauntlet, heads, least_squares, round_robin
from spadesim.stats.signs import Signs

Values = npt.NDArray[np.float64]


def boards(*matches: list[float], n: int = 2000) -> Values:
    """Boards of several matches, of which some differ."""
    return np.array([differing + [0.0] * (n - len(differing)) for differing in matches])


def rated(n_players: int, pairs: list[tuple[int, int]], values: Values) -> Ratings:
    signs = Signs(n_players, pairs)
    signs.add_common(values)
    return dataclasses.replace(least_squares(n_players, pairs, moments_of(values)), signs=signs)


def test_a_few_great_gains_against_many_small_losses_are_not_sure() -> None:
    rng = np.random.default_rng(1)
    ratings = rated(2, [(0, 1)], boards([0.2 + 0.1 * rng.random() for _ in range(20)] + [-0.01] * 40))
    plain = dataclasses.replace(ratings, signs=None)
    assert plain.separated()[0, 1]
    assert plain.superiority()[0, 1] > 0.99
    assert not ratings.separated().any()
    assert ratings.superiority().tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_what_mean_and_number_both_say_is_sure() -> None:
    ratings = rated(2, [(0, 1)], boards([0.1] * 18 + [-0.1] * 2))
    assert ratings.separated().tolist() == [[False, True], [True, False]]
    assert 0.999 < ratings.superiority()[0, 1] <= sureness(18, 2)
    barely = rated(2, [(0, 1)], boards([0.1] * 9 + [-0.01] * 2))
    assert dataclasses.replace(barely, signs=None).separated()[0, 1]
    assert not barely.separated()[0, 1]


def test_who_looks_again_and_again_needs_more() -> None:
    ratings = rated(2, [(0, 1)], boards([0.1] * 13 + [-0.1] * 2))
    assert ratings.separated()[0, 1]
    assert not dataclasses.replace(ratings, first_look=ratings).separated()[0, 1]


def test_boards_count_for_players_who_never_met() -> None:
    """In a gauntlet two variants are told apart by what each makes of the same boards against the one."""
    pairs = gauntlet(3, 0)
    common = np.random.default_rng(2).normal(0, 0.1, 2000)
    other = common.copy()
    other[:12] -= 0.05
    signs = Signs(3, pairs)
    signs.add_common(np.stack([common, other]))
    assert (signs.ahead[2, 1], signs.ahead[1, 2]) == (12, 0)  # player 2 loses less to the one
    assert signs.few()[1, 2]
    assert not signs.few()[0].any()
    signs.add_extra(0, np.array([0.1, -0.1, -0.2]))
    assert signs.ahead[1, 2] == 0


def test_all_matches_have_a_say_in_a_round_robin() -> None:
    """Two who do alike against each other may be told apart by what they make of a third."""
    values = boards([0.0], [0.1] * 300, [-0.1] * 300)
    signs = Signs(3, round_robin(3))
    signs.add_common(values)
    assert signs.ahead.tolist() == [[0, 300, 300], [0, 0, 0], [0, 300, 0]]
    assert signs.won.tolist() == [0, 300, 0]
    assert signs.lost.tolist() == [0, 0, 300]


def test_a_match_that_few_boards_decide_is_sure_by_their_number_only() -> None:
    values = boards([0.3] * 8 + [-0.001] * 30, [0.1] * 20, [0.1, -0.1] * 10)
    signs = Signs(3, round_robin(3))
    signs.add_common(values)
    found = heads(moments_of(values))
    assert found.beats(3, round_robin(3))[0].tolist() == [False, True, True]
    found = dataclasses.replace(found, signs=signs)
    assert found.beats(3, round_robin(3))[0].tolist() == [False, False, True]


def test_equal_players_with_few_boards_are_rarely_separated() -> None:
    rng, wrong = np.random.default_rng(4), 0
    for _ in range(200):
        values = rng.standard_t(3, (3, 1000)) * (rng.random((3, 1000)) < 0.01)
        wrong += int(rated(3, round_robin(3), values).separated().any())
    assert wrong <= 16  # 5 % and two standard errors
