"""Exact answers where few units differ, and the normal approximation would promise too much."""

import math
from dataclasses import dataclass

from spadesim.stats.intervals import LEVEL, Estimate


@dataclass(frozen=True)
class SignTest:
    """What the units that differ say when only their direction counts.

    Parameters
    ----------
    ahead, behind : int
        Units that A came out of ahead, and behind.
    p_value : float
        How often an imbalance at least as large would be seen, were either direction as likely.
    share : Estimate or None
        Share of the units that differ which A came out of ahead, with the exact interval of C. Clopper and
        E. Pearson (Biometrika 26, 1934); None when none differ.
    """

    ahead: int
    behind: int
    p_value: float
    share: Estimate | None


def sign_test(ahead: int, behind: int) -> SignTest:
    """The exact two-sided test that units which differ go either way alike.

    Of pairs of games, with those that A won both of against those that it lost both of, it is the exact test
    of Q. McNemar (Psychometrika 12, 1947).

    Examples
    --------
    >>> found = sign_test(9, 1)
    >>> round(found.p_value, 4), round(found.share.low, 3)
    (0.0215, 0.555)
    >>> sign_test(0, 0).p_value
    1.0
    """
    if ahead + behind == 0:
        return SignTest(ahead, behind, 1.0, None)
    from scipy.stats import binomtest

    found = binomtest(ahead, ahead + behind)
    low, high = found.proportion_ci(LEVEL)
    share = ahead / (ahead + behind)
    return SignTest(ahead, behind, float(found.pvalue), Estimate(share, float(low), float(high)))


def is_rarer(seen: int, n: int, share: float, error: float) -> bool:
    """Whether what was seen in few of `n` units is surely rarer than `share`; may be asked at every look.

    The likelihood of all shares below `share` alike, over that of `share` itself, exceeds 1 / error in no
    more than `error` of all runs, at whatever look, if what is counted is as frequent as that or more
    (J. Ville's inequality).

    Parameters
    ----------
    seen, n : int
    share : float, above 0; of 1 and more nothing is said
    error : float

    Examples
    --------
    >>> is_rarer(0, 4000, 0.001, 0.05), is_rarer(0, 5000, 0.001, 0.05), is_rarer(3, 11000, 0.001, 0.05)
    (False, True, True)
    """
    if share >= 1 or n == 0 or seen >= share * n:
        return False
    from scipy.special import betainc, betaln

    below = float(betainc(seen + 1, n - seen + 1, share))
    mixed = float(betaln(seen + 1, n - seen + 1)) + math.log(below / share)
    return mixed - seen * math.log(share) - (n - seen) * math.log1p(-share) >= -math.log(error)
