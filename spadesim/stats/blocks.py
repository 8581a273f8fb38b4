"""Intervals from sums over blocks of a run: for any ratio, and for whatever is worked out from sums.

A run's units (boards, pairs or sets of games) are independent of each other; the seats, rooms and hands of a
unit are not. Cut into 64 blocks of units in their order, a run is 64 independent samples, whatever dependence
there is within units: leaving out one block at a time tells how far a figure varies (the
delete-one-group jackknife: J. Shao and D. Tu, "The Jackknife and Bootstrap", Springer, 1995; P. S. Kott, "The
delete-a-group jackknife", Journal of Official Statistics 17, 2001), and 63 degrees of freedom cost 2 % of an
interval's width.

Arrays have their blocks on the last axis.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.stats.intervals import TAIL, Estimate
from spadesim.stats.joint import joint_quantile

N_BLOCKS = 64
NOTHING = 1e-10  # a deviation this small, beside the value or beside 1, is rounding
COPIES = 2.0  # rows that surely tell the same: the two rooms of a deal, where both sides are one bot

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Intervals:
    """Values with their 95 % intervals.

    Parameters
    ----------
    mean : array of float
        NaN where there is nothing to divide by.
    low, high : array of float
        The ends; NaN where nothing is told of how far the value varies: a single block has it, or it stays
        the same whichever block is left out.
    """

    mean: Array
    low: Array
    high: Array

    def at(self, place: Any = ()) -> Estimate | None:
        """One of them; None where there is no value. Without an interval both ends are NaN."""
        mean, low, high = (float(values[place]) for values in (self.mean, self.low, self.high))
        return None if np.isnan(mean) else Estimate(mean, low, high)


def ratios(numerators: Array, denominators: Array, among: int = 1) -> Intervals:
    """Ratios of sums, with t intervals by leaving out a block at a time.

    Parameters
    ----------
    numerators, denominators : arrays of number, blocks last
        Sums over each block. Blocks with a denominator of 0 count as not there.
    among : int
        As of `jackknife`.

    Examples
    --------
    Points in 2, 2 and 4 hands of three blocks:

    >>> found = ratios(np.array([20, 30, 50]), np.array([2, 2, 4]))
    >>> float(found.mean), float(found.low.round(1)), float(found.high.round(1))
    (12.5, 8.4, 16.6)
    """
    return jackknife((numerators, denominators), _divided, _there(denominators), among)


def differences(first: tuple[Array, Array], second: tuple[Array, Array]) -> Intervals:
    """Differences of two ratios of sums over the same blocks, which may depend on each other.

    Parameters
    ----------
    first, second : tuple of two arrays, blocks last
        Numerators and denominators; the second is taken from the first.
    """
    present = _there(first[1]) | _there(second[1])
    return jackknife((*first, *second), lambda a, b, c, d: _divided(a, b) - _divided(c, d), present)


def jackknife(
    sums: tuple[Array, ...], function: Callable[..., Array], present: Array, among: int = 1
) -> Intervals:
    """What a function makes of sums over all blocks, with t intervals by leaving out a block at a time.

    Parameters
    ----------
    sums : tuple of arrays of number, blocks last
    function : function of as many arrays
        Given the sums over blocks, for one or for many choices of blocks at once (along the last axis), it
        returns the values; NaN where there is none.
    present : array of bool, blocks last
        Which blocks have something to tell.
    among : int, at least 1
        How many such intervals are to hold at once, 95 times in 100 (Bonferroni): what is picked out of many
        is told with one of these.

    Notes
    -----
    With m blocks present the variance is (m-1)/m times the sum of squares of the values without one block,
    about their mean, and t has m-1 degrees of freedom. Without a value where one block is left out, there is
    no interval; nor where the value is the same whichever is left out: blocks that agree by chance look just
    as those that always do, and an interval without any width would be sure of what it cannot tell.
    """
    totals = [np.asarray(part, dtype=np.float64).sum(axis=-1, keepdims=True) for part in sums]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = function(*totals)[..., 0]
        without = function(*(total - part for total, part in zip(totals, sums, strict=True)))
        m = present.sum(axis=-1)
        values = np.where(present, without, 0.0)
        middle = values.sum(axis=-1, keepdims=True) / np.maximum(m, 1)[..., None]
        squares = np.where(present, (without - middle) ** 2, 0.0).sum(axis=-1)
        deviation = np.sqrt((m - 1) / np.maximum(m, 1) * squares)
        half = _t(m - 1, among) * deviation
    varies = deviation > NOTHING * np.maximum(1.0, np.abs(mean))
    half = np.where((m > 1) & varies, half, np.nan)
    return Intervals(mean, mean - half, mean + half)


def jointly(sums: tuple[Array, ...], function: Callable[..., Array], present: Array) -> Intervals:
    """What a function makes of sums over all blocks, with intervals that hold all at once, 95 times in 100.

    Parameters
    ----------
    sums : tuple of arrays of number, blocks last
    function : function of as many arrays
        As of `jackknife`; it returns an array of shape (values, choices of blocks).
    present : array of bool, of blocks
        Which blocks have something to tell.

    Notes
    -----
    The covariance of the values is that of leaving out a block at a time, and the intervals are as many
    standard errors wide as `spadesim.stats.joint.joint_quantile` says; with less than two blocks to a value
    they are Bonferroni's. Values that one block alone tells, and those that are the same whichever block is
    left out, have no interval.
    """
    totals = [np.asarray(part, dtype=np.float64).sum(axis=-1, keepdims=True) for part in sums]
    kept = [total - np.asarray(part)[..., present] for total, part in zip(totals, sums, strict=True)]
    with np.errstate(divide="ignore", invalid="ignore"):
        mean, without = function(*totals)[..., 0], function(*kept)
    m = int(present.sum())
    half = np.full_like(mean, np.nan)
    told = np.isfinite(mean) & np.isfinite(without).all(axis=-1) & (m > 1)
    if told.any():
        errors = without[told] - without[told].mean(axis=-1, keepdims=True)
        covariance = (m - 1) / m * errors @ errors.T
        enough = m > 2 * told.sum()  # for a correlation of each pair to be told
        quantile = joint_quantile(covariance, m - 1) if enough else _t(m - 1, told.sum())
        deviations = np.sqrt(np.diag(covariance))
        varies = deviations > NOTHING * np.maximum(1.0, np.abs(mean[told]))
        half[told] = np.where(varies, quantile * deviations, np.nan)
    return Intervals(mean, mean - half, mean + half)


def shares(hits: Array, trials: Array, among: int = 1) -> Intervals:
    """Proportions, with Wilson's intervals at the size that independent trials would need to tell as much.

    Parameters
    ----------
    hits, trials : arrays of int, blocks last
        Sums over each block, ``0 <= hits <= trials``.
    among : int
        As of `jackknife`.

    Notes
    -----
    The variance that leaving out a block at a time shows, over that of independent trials, is the design
    effect, at least 1; n trials count as n / deff, lowered for the uncertainty of few blocks by (z/t)**2 (see
    `spadesim.stats.proportions.effective_size`). A share of 0 or 1 shows no variance: it is given the
    greatest design effect of `COPIES` and what the other shares together show. One block has no interval.

    Examples
    --------
    >>> found = shares(np.array([[3, 4, 5, 3]]), np.array([[5, 5, 5, 5]]))
    >>> [round(float(value[0]), 2) for value in (found.mean, found.low, found.high)]
    [0.75, 0.4, 0.93]
    """
    from scipy.special import ndtri

    hits, trials = np.asarray(hits, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    n, blocks = trials.sum(axis=-1), _there(trials).sum(axis=-1)
    plain = ratios(hits, trials)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = plain.mean
        # Blocks that agree show no variance, and count as independent trials.
        variance = np.nan_to_num((plain.high - plain.mean) / _t(blocks - 1)) ** 2
        effect = np.maximum(variance * n / (share * (1 - share)), 1.0)
        mixed = (share > 0) & (share < 1) & (blocks > 1)
        common = (effect * n)[mixed].sum() / n[mixed].sum() if mixed.any() else COPIES
        effect = np.where(mixed, effect, max(common, COPIES))
        z = float(ndtri(1 - TAIL / among))
        size = n / effect * (z / _t(blocks - 1, among)) ** 2
        low, high = _wilson(share, size, z)
    return Intervals(share, np.where(blocks > 1, low, np.nan), np.where(blocks > 1, high, np.nan))


def _wilson(share: Array, n: Array, z: float) -> tuple[Array, Array]:
    """The ends of Wilson's interval, as `spadesim.stats.intervals.wilson`, for arrays and any quantile."""
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return np.maximum(0.0, np.minimum(middle - half, share)), np.minimum(
        1.0, np.maximum(middle + half, share)
    )


def _divided(numerators: Array, denominators: Array) -> Array:
    quotients: Array = np.where(denominators != 0, numerators / denominators, np.nan)
    return quotients


def _there(denominators: Array) -> Array:
    present: Array = np.asarray(denominators) != 0
    return present


def _t(df: Array | int, among: int = 1) -> Array:
    """Student's quantiles, for an interval that is one of several."""
    from scipy.special import stdtrit

    quantiles: Array = stdtrit(np.maximum(df, 1), 1 - TAIL / among)
    return quantiles
