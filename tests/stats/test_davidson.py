"""Bradley and Terry's model with ties, against the formula written out and a general optimiser."""

import numpy as np
import pytest
from scipy.optimize import minimize

from experiments.rating_coverage import game_moments
from spadesim.stats.common import FloatArray, MatchMoments
from spadesim.stats.davidson import DRAWS, ELO, GAMES, N_FEATURES, SCORE, davidson, expected_shares
from spadesim.stats.ratings import UnconnectedError, round_robin


def test_the_formula() -> None:
    p, q, v = 3.0, 0.7, 0.4
    total = p + q + v * np.sqrt(p * q)
    score, drawn = expected_shares(np.log([p / q, q / p]), v)
    assert drawn == pytest.approx([v * np.sqrt(p * q) / total] * 2)
    assert score == pytest.approx([p / total + drawn[0] / 2, q / total + drawn[0] / 2])


@pytest.mark.parametrize("draw", [0.0, 0.3])
def test_the_fit_is_that_of_a_general_optimiser(draw: float) -> None:
    moments = game_moments(np.random.default_rng(1), (1.0, 0.3, 0.0, -1.0), draw, 300)
    found = davidson(4, round_robin(4), moments, 2, None)
    counts = moments.means * moments.units[:, None]

    def unlikelihood(parameters: FloatArray) -> float:
        strength, v, total = np.exp(parameters[:4]), np.exp(parameters[4]) if draw else 0.0, 0.0
        for (i, j), (score, drawn, games) in zip(round_robin(4), counts, strict=True):
            root = v * np.sqrt(strength[i] * strength[j])
            whole = strength[i] + strength[j] + root
            # Half a pair lost, split and won more, as three halves of a pair: 1.5 wins, 1.5 losses.
            wins, losses = score - drawn / 2 + 1.5, games - score - drawn / 2 + 1.5
            total += wins * np.log(strength[i] / whole) + losses * np.log(strength[j] / whole)
            total += drawn * np.log(root / whole) if draw else 0.0
        return float(parameters[:4].sum() ** 2 - total)

    best = minimize(unlikelihood, np.zeros(4 + bool(draw)), tol=1e-10).x
    assert found.elo.values == pytest.approx(ELO * best[:4], abs=0.02)
    assert found.draw == pytest.approx(np.exp(best[4]) if draw else 0.0, rel=1e-3)


def test_errors_are_the_spread_over_many_tournaments() -> None:
    rng = np.random.default_rng(2)
    elo = [davidson(3, round_robin(3), game_moments(rng, (0.5, 0, -0.5), 0.1, 400), 2, None).elo
           for _ in range(600)]  # fmt: skip
    spread = np.cov(np.transpose([one.values for one in elo]))
    assert np.mean([one.covariance for one in elo], axis=0) == pytest.approx(spread, rel=0.2)
    assert np.mean([one.errors for one in elo], axis=0) == pytest.approx(np.sqrt(np.diag(spread)), rel=0.07)


def test_shares_of_two_players_are_those_seen() -> None:
    moments = game_moments(np.random.default_rng(3), (0.4, -0.4), 0.2, 20_000)
    found = davidson(2, [(0, 1)], moments, 2, None)
    assert found.expected()[0, 1] == pytest.approx(moments.means[0, SCORE] / 2, abs=1e-4)
    assert found.expected()[0, 0] == 0.5


def test_twenty_to_nothing_is_finite_and_says_so_with_its_interval() -> None:
    record = np.zeros((1, 10, N_FEATURES))
    record[..., SCORE] = record[..., GAMES] = 2
    moments = MatchMoments(1, N_FEATURES)
    moments.add_common(record)
    found = davidson(2, [(0, 1)], moments, 2, 1).elo
    ends = found.alone()[0]
    assert 200 < ends.mean < 1000
    assert 0 < ends.low < ends.mean - 200
    assert found.values[1] == found.errors[1] == 0


def test_only_draws_are_level() -> None:
    record = np.zeros((1, 50, N_FEATURES))
    record[..., SCORE], record[..., DRAWS], record[..., GAMES] = 1, 2, 2
    moments = MatchMoments(1, N_FEATURES)
    moments.add_common(record)
    found = davidson(2, [(0, 1)], moments, 2, None)
    assert found.elo.values == pytest.approx([0, 0], abs=1e-9)
    assert found.draw > 10


def test_unfinished_games_count_for_nobody() -> None:
    moments, fewer = (game_moments(np.random.default_rng(5), (0.5, -0.5), 0.0, 200) for _ in range(2))
    fewer.add_common(np.zeros((1, 100, N_FEATURES)))
    one, other = (davidson(2, [(0, 1)], part, 2, None) for part in (moments, fewer))
    assert other.elo.values == pytest.approx(one.elo.values)


def test_players_that_are_not_linked_are_refused() -> None:
    moments = MatchMoments(2, N_FEATURES)
    moments.add_common(np.ones((2, 4, N_FEATURES)))
    with pytest.raises(UnconnectedError):
        davidson(4, [(0, 1), (2, 3)], moments, 2, None)
