"""Made-up tournaments with known truth, for the tests of ratings."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from spadesim.stats.davidson import N_FEATURES as GAME_FEATURES
from spadesim.stats.davidson import expected_shares
from spadesim.stats.moments import Moments
from spadesim.stats.ratings import N_FEATURES, design, features, round_robin

FloatArray = npt.NDArray[np.float64]


def moments_of(values: FloatArray) -> Moments:
    """The moments of values of shape (matches, boards)."""
    moments = Moments(len(values), N_FEATURES)
    moments.add_common(features(values))
    return moments


def board_values(
    rng: np.random.Generator,
    strengths: Sequence[float],
    boards: int,
    differing: float = 1.0,
    circles: FloatArray | None = None,
) -> FloatArray:
    """Values of shape (matches, boards) of a round robin, with luck that the matches share.

    Parameters
    ----------
    rng : Generator
    strengths : sequence of float
        True ratings, whose differences are the means.
    boards : int
    differing : float
        The share of the boards on which a match shows any difference.
    circles : float64 array of shape (matches,), optional
        What the matches' true means differ from the difference of strengths.
    """
    pairs = round_robin(len(strengths))
    rows = design(len(strengths), pairs)
    means = rows @ np.asarray(strengths) + (0 if circles is None else circles)
    luck = rng.normal(0, 0.08, (boards, len(strengths))) @ rows.T
    own = 0.06 * rng.standard_t(6, (boards, len(pairs)))
    wide = np.where(np.arange(len(pairs)) % 2, 1.0, 0.5)  # some matches are noisier than others
    values = (rng.random((boards, len(pairs))) < differing) * (wide * (luck + own) + means / differing)
    return np.asarray(values.T)


def game_moments(
    rng: np.random.Generator, log_strengths: Sequence[float], draw: float, n_pairs: int, deal: float = 0.6
) -> Moments:
    """The moments of pairs of games by Davidson's model, in which all matches share their deals.

    Parameters
    ----------
    rng : Generator
    log_strengths : sequence of float
    draw : float, Davidson's v
    n_pairs : int
        Pairs of games in each match.
    deal : float, 0 to 1
        How much the deal decides; the second game has it turned round.
    """
    pairs = round_robin(len(log_strengths))
    score, drawn = expected_shares(design(len(log_strengths), pairs) @ np.asarray(log_strengths), draw)
    moments = Moments(len(pairs), GAME_FEATURES)
    moments.add_common(_games(rng, score, drawn, n_pairs, deal))
    return moments


def _games(
    rng: np.random.Generator, score: FloatArray, drawn: FloatArray, n_pairs: int, deal: float
) -> FloatArray:
    from scipy.special import ndtr

    luck = deal * rng.standard_normal((n_pairs, 1, 1)) * np.array([1, -1])
    noise = rng.standard_normal((n_pairs, len(score), 2))
    uniform = ndtr(luck + np.sqrt(1 - deal**2) * noise)
    lost = (1 - score - drawn / 2)[:, None]
    result = (uniform > lost) / 2 + (uniform > lost + drawn[:, None]) / 2
    played = np.full(result.shape[:2], 2.0)
    return np.moveaxis(np.stack([result.sum(2), (result == 0.5).sum(2), played], axis=-1), 1, 0)
