"""Intervals that hold at every look at once, so that one may watch a run, and stop it at any moment.

A 95 % interval keeps its promise once, at a length chosen beforehand. A *confidence sequence* keeps it for
all lengths together: in 95 of 100 runs the true value is inside from the first look to the last. The price is
width, some 1.6 times that of the usual interval near the length that it is tuned for (I. Waudby-Smith, D.
Arbour, R. Sinha, E. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic confidence
sequences", Annals of Statistics 52, 2024). Read as a test it is the mixture sequential probability ratio test
(H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of Mathematical
Statistics 41, 1970).
"""

import math

from spadesim.stats.intervals import LEVEL, Estimate
from spadesim.stats.moments import Moments

TUNED_FOR = 10_000  # units at which the interval is narrowest against the usual one
LEAST_DIFFERENT = 50  # with fewer units that differ, the spread seen says too little


def _mixing(tuned_for: int, alpha: float) -> float:
    """The variance of the mixture that makes the interval narrowest at a length, in units of one value's."""
    bend = -2 * math.log(alpha)
    return (bend + math.log(1 + bend)) / tuned_for


def anytime_reach(n: int, level: float = LEVEL, tuned_for: int = TUNED_FOR) -> float:
    """How many standard errors of the mean the interval reaches to each side, after `n` units.

    >>> round(anytime_reach(10_000), 2), round(anytime_reach(1000), 2)
    (3.04, 3.86)
    """
    alpha = 1 - level
    grown = n * _mixing(tuned_for, alpha)
    return math.sqrt(2 * (grown + 1) / grown * math.log(math.sqrt(grown + 1) / alpha))


def anytime_interval(
    moments: Moments, limits: tuple[float, float], level: float = LEVEL, tuned_for: int = TUNED_FOR
) -> Estimate | None:
    """The mean with an interval that may be looked at any time.

    Parameters
    ----------
    moments : Moments
    limits : tuple of 2 float
        The least and the greatest mean that is possible.
    level : float
    tuned_for : int
        Units at which it is narrowest; to be chosen before anything is seen.

    Returns
    -------
    Estimate or None
        None as long as fewer than `LEAST_DIFFERENT` units differ, or all values are the same.

    Examples
    --------
    >>> found = anytime_interval(Moments(10_000, 100.0, 100.0, 60, 40), (-1, 1))
    >>> found.mean, round(found.low, 4), round(found.high, 4)
    (0.01, 0.007, 0.013)
    """
    if moments.different < LEAST_DIFFERENT or moments.variance == 0:
        return None
    half = anytime_reach(moments.n, level, tuned_for) * math.sqrt(moments.variance / moments.n)
    return Estimate(moments.mean, max(limits[0], moments.mean - half), min(limits[1], moments.mean + half))


def always_valid_p(moments: Moments, tuned_for: int = TUNED_FOR) -> float:
    """The p value of no difference that may be looked at any time; 1 while too few units differ.

    The least over all looks is a p value as well. It is below 5 % when `anytime_interval` leaves out 0.
    """
    if moments.different < LEAST_DIFFERENT:
        return 1.0
    if moments.variance == 0:
        return 0.0
    grown = moments.n * _mixing(tuned_for, 1 - LEVEL)
    pull = moments.n * moments.mean**2 / moments.variance * grown / (2 * (grown + 1))
    return min(1.0, math.sqrt(grown + 1) * math.exp(-pull))
