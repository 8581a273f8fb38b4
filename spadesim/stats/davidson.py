"""Strengths out of games won, drawn and lost: Bradley and Terry's model with Davidson's ties.

The better of two players with strengths p and q wins with chance p / (p + q + v sqrt(pq)), and they draw with
chance v sqrt(pq) / (p + q + v sqrt(pq)); R. R. Davidson, Journal of the American Statistical Association 65
(1970). The fit takes the games as if they were independent, but its errors do not: games on the same deals
are related, within a pair of games and between matches, and the covariance of the estimates is taken over
deals (the "sandwich" of P. J. Huber, Berkeley Symposium 5, 1967).
"""

import math
from dataclasses import dataclass

import numpy as np

from spadesim.stats.common import FloatArray, MatchMoments
from spadesim.stats.games import PRIOR_WEIGHT
from spadesim.stats.matrix import Pairs, connected_parts
from spadesim.stats.ratings import Ratings, UnconnectedError, centring, degrees, design

SCORE, DRAWS, GAMES = range(3)  # the features of a pair of games
N_FEATURES = 3
ELO = 400 / math.log(10)  # Elo points for a factor of e in strength
MAX_STEPS = 100
SMALL_STEP = 1e-10
LONGEST_STEP = 2.0


@dataclass(frozen=True, eq=False)
class Strengths:
    """The fitted model.

    Parameters
    ----------
    elo : Ratings
        Strengths on the scale of Elo: 400 points are ten to one.
    draw : float, at least 0
        v: how likely draws are. 0 where none was seen.
    """

    elo: Ratings
    draw: float

    def expected(self) -> FloatArray:
        """The row's expected share of games against the column, a draw as half a win; 1/2 on the diagonal."""
        return expected_shares(self.elo.differences / ELO, self.draw)[0]


def expected_shares(differences: FloatArray, draw: float) -> tuple[FloatArray, FloatArray]:
    """The expected score of a game, a draw as 1/2, and the chance of a draw.

    Parameters
    ----------
    differences : float64 array
        Logarithms of the ratio of the strengths.
    draw : float

    Examples
    --------
    >>> score, drawn = expected_shares(np.array([0.0, np.log(4.0)]), 0.5)
    >>> score.round(3).tolist(), drawn.round(3).tolist()
    ([0.5, 0.75], [0.2, 0.167])
    """
    half = np.exp(-np.abs(differences) / 2)
    drawn = draw * half / (1 + half * half + draw * half)
    better = 1 / (1 + half * half + draw * half) + drawn / 2
    return np.where(differences >= 0, better, 1 - better), drawn


def davidson(
    n_players: int, pairs: Pairs, moments: MatchMoments, n_rooms: int, anchor: int | None
) -> Strengths:
    """Strengths by maximum likelihood.

    Half a pair of games lost, half a pair split and half a pair won are added to each match, as in
    `spadesim.stats.games.share_interval`, so that a record of 20 to 0 gives a finite strength and an honest
    interval.

    Parameters
    ----------
    n_players : int
    pairs : sequence of (int, int)
    moments : MatchMoments
        Of each pair of games: the first player's score, its draws, and its finished games.
    n_rooms : int
        Games in a pair, or in a set.
    anchor : int or None
        The player whose strength is 0 Elo; None: their mean is.

    Raises
    ------
    UnconnectedError
        Some players met nobody that the others met.
    """
    if len(connected_parts(n_players, pairs)) > 1:
        raise UnconnectedError("these players are not linked by matches")
    rows = design(n_players, pairs)
    totals = moments.means * moments.units[:, None] + PRIOR_WEIGHT * n_rooms * np.array([1.5, 0, 3])
    theta, log_draw = _fit(rows, totals)
    bread = np.asarray(np.linalg.inv(-_hessian(rows, totals, theta, log_draw)), dtype=np.float64)
    gradient, counts = _per_unit(rows, theta, log_draw), moments.units
    moves = bread @ gradient.reshape(-1, gradient.shape[-1] * len(pairs)) * np.repeat(counts, N_FEATURES)
    together: FloatArray = moves @ moments.covariance() @ moves.T + _prior_spread(bread, gradient, n_rooms)
    shift = ELO * centring(n_players, anchor)
    covariance = shift @ together[:n_players, :n_players] @ shift.T
    draw = math.exp(log_draw) if log_draw is not None else 0.0
    return Strengths(Ratings(shift @ theta, covariance, degrees(moments)), draw)


def _fit(rows: FloatArray, totals: FloatArray) -> tuple[FloatArray, float | None]:
    """The parameters at the greatest likelihood, by Newton's method with steps cut short.

    The logarithm of v is None where no game was drawn, for v is 0 then.
    """
    has_draws = totals[:, DRAWS].sum() > 0
    theta = np.zeros(rows.shape[1] + has_draws)
    for _ in range(MAX_STEPS):
        strengths, log_draw = _split(theta, rows)
        step = np.linalg.solve(-_hessian(rows, totals, strengths, log_draw), _gradient(rows, totals, theta))
        size = float(np.abs(step).max())
        theta = theta + step * min(1.0, LONGEST_STEP / max(size, SMALL_STEP))
        if size < SMALL_STEP:
            break
    return _split(theta, rows)


def _split(theta: FloatArray, rows: FloatArray) -> tuple[FloatArray, float | None]:
    n = rows.shape[1]
    return theta[:n], float(theta[n]) if len(theta) > n else None


def _chances(rows: FloatArray, theta: FloatArray, log_draw: float | None) -> tuple[FloatArray, FloatArray]:
    return expected_shares(rows @ theta, math.exp(log_draw) if log_draw is not None else 0.0)


def _gradient(rows: FloatArray, totals: FloatArray, parameters: FloatArray) -> FloatArray:
    theta, log_draw = _split(parameters, rows)
    score, drawn = _chances(rows, theta, log_draw)
    by_player = rows.T @ (totals[:, SCORE] - totals[:, GAMES] * score)
    if log_draw is None:
        return by_player
    return np.append(by_player, (totals[:, DRAWS] - totals[:, GAMES] * drawn).sum())


def _hessian(rows: FloatArray, totals: FloatArray, theta: FloatArray, log_draw: float | None) -> FloatArray:
    """Second derivatives of the log likelihood; a part that nothing depends on keeps it invertible.

    The score of a game, 0, 1/2 or 1, and whether it was drawn are the model's sufficient statistics, so the
    derivatives are their variances and covariances.
    """
    score, drawn = _chances(rows, theta, log_draw)
    games, won = totals[:, GAMES], score - drawn / 2
    variance = won + drawn / 4 - score * score
    normal = rows.T @ (rows * (games * variance)[:, None])
    normal += games.sum() / rows.shape[1] ** 2
    if log_draw is None:
        return -normal
    cross = rows.T @ (games * drawn * (0.5 - score))
    corner = (games * drawn * (1 - drawn)).sum()
    return -np.block([[normal, cross[:, None]], [cross[None, :], np.array([[corner]])]])


def _per_unit(rows: FloatArray, theta: FloatArray, log_draw: float | None) -> FloatArray:
    """How a unit's features move the gradient; shape (parameters, matches, features)."""
    score, drawn = _chances(rows, theta, log_draw)
    moves = np.zeros((rows.shape[1] + (log_draw is not None), len(rows), N_FEATURES))
    moves[: rows.shape[1], :, SCORE] = rows.T
    moves[: rows.shape[1], :, GAMES] = -rows.T * score
    if log_draw is not None:
        moves[-1, :, DRAWS] = 1.0
        moves[-1, :, GAMES] = -drawn
    return moves


def _prior_spread(bread: FloatArray, gradient: FloatArray, n_rooms: int) -> FloatArray:
    """What the added half pairs, lost, split and won, have of spread about the fit."""
    spread = np.zeros((len(bread), len(bread)))
    for score in (0.0, n_rooms / 2, float(n_rooms)):
        unit = np.array([score, 0.0, n_rooms])
        moves = bread @ (gradient @ unit)
        spread += PRIOR_WEIGHT * moves @ moves.T
    return spread
