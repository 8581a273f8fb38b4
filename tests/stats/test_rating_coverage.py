"""Intervals of ratings hold the truth, in a small part of what the experiment counts."""

import numpy as np
import pytest

from experiments.rating_coverage import CASES, coverage, is_ever_separated, is_falsely_circular, misled
from spadesim.stats.extra import RankingAim

pytestmark = pytest.mark.slow

RUNS = 500
A_FEW = (
    "boards: 5 players, 500 boards, all differ",
    "boards: 2 players, 5,000 boards, 5 % differ",
    "games: the same with 9 % draws",
)


@pytest.mark.parametrize("name", A_FEW)
def test_intervals_hold_the_truth(name: str) -> None:
    """0.95 with four standard errors of 500 runs on either side."""
    for held in coverage(CASES[name](), RUNS):
        assert 0.911 <= held <= 0.989


def test_equal_players_hardly_ever_separate_however_often_somebody_looks() -> None:
    rng = np.random.default_rng(3)
    aim = RankingAim(indifference=0.0, block=200, cap=1000)
    assert np.mean([is_ever_separated(rng, 3, 200, aim) for _ in range(100)]) < 0.11


def test_what_a_grown_tournament_says_of_each_pair_is_no_surer_than_it_may_be() -> None:
    """For a length fixed beforehand one entry in five would be sure, and as many intervals would miss."""
    rng = np.random.default_rng(5)
    aim = RankingAim(indifference=0.0, block=100, cap=2500)
    found = np.mean([misled(rng, 4, 200, aim) for _ in range(20)], axis=0)
    assert (found <= 0.05).all()


def test_equal_players_rarely_beat_each_other_for_sure() -> None:
    rng = np.random.default_rng(4)
    assert np.mean([is_falsely_circular(rng, 4, 500) for _ in range(RUNS)]) < 0.09
