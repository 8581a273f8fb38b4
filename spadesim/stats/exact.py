"""Exact answers where few units differ, and the normal approximation would promise too much."""

import math
from dataclasses import dataclass

from spadesim.stats.intervals import TAIL, Estimate


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
    from scipy.special import bdtr, betaincinv  # not scipy.stats, which takes half a second to import

    n = ahead + behind
    low = float(betaincinv(ahead, behind + 1, TAIL)) if ahead else 0.0
    high = float(betaincinv(ahead + 1, behind, 1 - TAIL)) if behind else 1.0
    p_value = min(1.0, 2 * float(bdtr(min(ahead, behind), n, 0.5)))
    return SignTest(ahead, behind, p_value, Estimate(ahead / n, low, high))


FEW_DIFFERENT = 100  # units that differ, below which a normal approximation promises too much


def sureness(ahead: int, behind: int, is_watched: bool = False) -> float:
    """How sure it is that units which differ go A's way rather than the other, 0 to 1.

    1 minus the one-sided p value of the sign test, what was seen itself counted half, so that both sides'
    chances add up to 1 (H. O. Lancaster, Journal of the American Statistical Association 56, 1961).

    Parameters
    ----------
    ahead, behind : int
    is_watched : bool
        Whether somebody has looked before, and gone on because of what there was to see; then the p value is
        half of `sign_p_any_time`.

    Examples
    --------
    >>> sureness(0, 0), sureness(1, 0), round(sureness(9, 1), 4), round(sureness(9, 1, True), 4)
    (0.5, 0.75, 0.9941, 0.9463)
    """
    from scipy.special import bdtr

    if is_watched:
        half = sign_p_any_time(ahead, behind) / 2
        return 1 - half if ahead > behind else half

    n = ahead + behind
    if ahead < behind:
        return 1 - sureness(behind, ahead)
    fewer = float(bdtr(behind - 1, n, 0.5)) if behind else 0.0
    return 1 - (fewer + float(bdtr(behind, n, 0.5))) / 2


def less_sure(chance: float, ahead: int, behind: int, is_watched: bool = False) -> float:
    """A normal approximation's chance that A is better, no surer than few units that differ are by number.

    Where mean and number point to different sides it is 1/2: nobody knows. `is_watched` as for `sureness`.

    Examples
    --------
    >>> less_sure(0.9999, 9, 1) == sureness(9, 1), less_sure(0.9, 1, 9), less_sure(0.9999, 90, 20)
    (True, 0.5, 0.9999)
    """
    if ahead + behind >= FEW_DIFFERENT:
        return chance
    by_number = sureness(ahead, behind, is_watched)
    if (chance > 0.5) != (by_number > 0.5):
        return 0.5
    return min(chance, by_number) if chance > 0.5 else max(chance, by_number)


def sign_p_any_time(ahead: int, behind: int) -> float:
    """The p value of the sign test for somebody who looks after every unit, and stops when it pleases.

    The likelihood of 1/2, over that of all shares alike: it is ever below p in no more than p of all runs in
    which either direction is as likely (J. Ville's inequality; H. Robbins, "Statistical methods related to
    the law of the iterated logarithm", Annals of Mathematical Statistics 41, 1970).

    Examples
    --------
    >>> round(sign_p_any_time(9, 1), 3), round(sign_p_any_time(12, 0), 4)
    (0.107, 0.0032)
    """
    from scipy.special import betaln

    log_ratio = -(ahead + behind) * math.log(2) - float(betaln(ahead + 1, behind + 1))
    return min(1.0, math.exp(min(0.0, log_ratio)))


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
