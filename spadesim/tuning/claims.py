"""What may be said of a gain measured on a number of boards fixed beforehand, and how many a gain takes."""

import math

from spadesim.stats.exact import FEW_DIFFERENT, sign_test
from spadesim.stats.intervals import TAIL, Z_POWER, Estimate, Z, t_interval, without_spread
from spadesim.stats.moments import Moments


def estimate(sums: Moments, limit: float) -> Estimate:
    """The mean of some units with its 95 % interval.

    Parameters
    ----------
    sums : Moments
    limit : float
        The most that a unit can show.
    """
    if sums.n < 2 or sums.variance == 0:
        return without_spread(sums.mean, max(1, sums.n), -limit, limit)
    found = t_interval(sums.mean, sums.variance / (sums.n - 1), sums.n)
    return Estimate(found.mean, max(-limit, found.low), min(limit, found.high))


def is_sure(sums: Moments, gain: Estimate) -> bool:
    """Whether units leave no doubt about the sign of what they gained; of few, their number must agree.

    >>> few = Moments(100, 3.0, 1.0, 3, 0)
    >>> is_sure(few, estimate(few, 1.0))
    False
    """
    if gain.low <= 0 <= gain.high:
        return False
    if sums.different >= FEW_DIFFERENT:
        return True
    is_ahead = sums.ahead > sums.behind
    return is_ahead == (gain.mean > 0) and sign_test(sums.ahead, sums.behind).p_value < 2 * TAIL


def needed_boards(sums: Moments) -> int | None:
    """How many boards would show a true gain of the size seen in 4 of 5 cases; None for none above 0.

    >>> needed_boards(Moments(1000, 10.0, 1000.0, 300, 250))
    78481
    """
    if sums.mean <= 0 or sums.variance == 0:
        return None
    return math.ceil((Z + Z_POWER) ** 2 * sums.variance / sums.mean**2)


def detectable(sums: Moments, boards: int) -> float:
    """The gain that so many boards show in 4 of 5 cases, by the spread of others.

    >>> round(detectable(Moments(1000, 0.0, 1000.0, 300, 250), 78_489), 6)
    0.01
    """
    return (Z + Z_POWER) * math.sqrt(sums.variance / max(boards, 1))
