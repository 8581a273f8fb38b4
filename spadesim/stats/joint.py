"""Statements about several estimates that are true all together, in 95 of 100 tournaments.

Each of ten intervals holds its true value 95 times in 100, but all ten together do so less often. A joint
interval is as much wider as is needed for that. How much depends on how the estimates vary together: the
factor is the quantile of the largest |error| / standard error among them ("max T"), drawn from their joint
normal distribution. That is the Gaussian multiplier bootstrap over boards (Chernozhukov, Chetverikov and
Kato, Annals of Statistics 41, 2013) in closed form; P. H. Westfall and S. S. Young, "Resampling-Based
Multiple Testing" (1993), have the idea of max T.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from spadesim.stats.intervals import LEVEL, t_quantile

FloatArray = npt.NDArray[np.float64]

DRAWS = 10_000  # the chance that joint intervals hold is then 95 % within 0.2
SEED = 0
NOTHING = 1e-9  # a standard error this small beside the largest one is rounding
RELAXED = 3.0  # looks are cheapest when a difference has this many times the boards of the first look


def joint_quantile(covariance: FloatArray, df: float) -> float:
    """How many standard errors wide intervals must be to hold all true values at once, 95 times in 100.

    Parameters
    ----------
    covariance : float64 array, square
        Of the estimates; those without variance count for nothing.
    df : float, above 0
        Degrees of freedom behind the standard errors.

    Examples
    --------
    One estimate needs the usual quantile, and two that are the same need no more:

    >>> joint_quantile(np.ones((1, 1)), 10) == t_quantile(10)
    True
    >>> round(joint_quantile(np.ones((2, 2)), 1e6), 1), round(joint_quantile(np.eye(10), 1e6), 1)
    (2.0, 2.8)
    """
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    live = np.flatnonzero(errors > NOTHING * errors.max(initial=0.0))
    if len(live) < 2:
        return t_quantile(df)
    correlation = covariance[np.ix_(live, live)] / np.outer(errors[live], errors[live])
    root = np.linalg.cholesky(correlation + 1e-9 * np.eye(len(live)))
    normal, chi = _draws(len(live), df)
    largest = np.abs(root @ normal).max(axis=0) * chi
    return max(t_quantile(df), float(np.quantile(largest, LEVEL)))


@lru_cache(maxsize=4)
def _draws(size: int, df: float) -> tuple[FloatArray, FloatArray]:
    """Standard normal draws, always the same, and what makes each of them one of Student's t."""
    rng = np.random.default_rng(SEED)
    return rng.standard_normal((size, DRAWS)), np.sqrt(df / rng.chisquare(df, DRAWS))


def any_time(quantile: float, information: FloatArray | float) -> FloatArray:
    """The same quantile for somebody who looks again and again, and stops when it pleases.

    Parameters
    ----------
    quantile : float
        For one look, at a length fixed beforehand.
    information : float or float64 array, at least 1
        How many times the boards (the inverse of the variance) of the first look there are now.

    Returns
    -------
    float64 array
        The boundary of a normal mixture: an estimate without drift ever leaves it with no greater chance
        than it leaves `quantile` at one look (H. Robbins, Annals of Mathematical Statistics 41, 1970).

    Examples
    --------
    >>> any_time(1.96, np.array([1.0, 3.0, 100.0])).round(2).tolist()
    [3.17, 3.04, 3.41]
    """
    chance = math.erfc(quantile / math.sqrt(2))
    ratio = _mixed(chance, information)
    boundary: FloatArray = np.sqrt((1 + 1 / ratio) * (np.log1p(ratio) - 2 * math.log(chance)))
    return boundary


def _mixed(chance: float, information: FloatArray | float) -> FloatArray:
    """The variance of the mixture, in units of the estimate's own, for a chance to be wrong."""
    bend = -2 * math.log(chance)
    return (bend + math.log(1 + bend)) * np.asarray(information, dtype=np.float64) / RELAXED


def superiority(
    differences: FloatArray, errors: FloatArray, df: float, information: FloatArray | None = None
) -> FloatArray:
    """How sure it is that each difference is above 0: 1 minus the one-sided p value.

    Parameters
    ----------
    differences, errors : float64 arrays of one shape
        Estimates and their standard errors. A difference of nothing without an error is 1/2.
    df : float
    information : float64 array of that shape, each at least 1, or None
        For somebody who looks again and again, what `any_time` takes; None for one look. The p value is then
        half of the always valid one of the same mixture, so that it leaves 0.025 to 0.975 of a true 0 in no
        more than 5 of 100 cases, whenever one stops.

    Examples
    --------
    >>> superiority(np.array([0.0, 1.96, -5.0]), np.array([0.0, 1.0, 1.0]), 1e9).round(3).tolist()
    [0.5, 0.975, 0.0]
    >>> superiority(np.array([1.96, 3.04]), np.ones(2), 1e9, np.array([3.0, 3.0])).round(3).tolist()
    [0.729, 0.975]
    """
    from scipy.special import ndtri, stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(errors > 0, differences / errors, np.sign(differences) * np.inf)
    chance: FloatArray = np.where(differences == 0, 0.5, stdtr(df, np.nan_to_num(ratio)))
    if information is None:
        return chance
    size, grown = np.abs(ndtri(chance)), _mixed(1 - LEVEL, information)
    half = np.minimum(1.0, np.sqrt(grown + 1) * np.exp(-size * size * grown / (grown + 1) / 2)) / 2
    allowed: FloatArray = np.where(chance > 0.5, 1 - half, half)
    return allowed
