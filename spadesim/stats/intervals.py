"""What every estimate here is made of: a value with its 95 % interval, and the quantiles behind it.

Quantiles come from `scipy.special`, which is imported where it is needed, so that only a command that gives
an interval waits for it.
"""

import math
from dataclasses import dataclass

LEVEL = 0.95
TAIL = (1 - LEVEL) / 2
Z = 1.959963984540054  # the standard normal's quantile at 1 - TAIL
Z_POWER = 0.8416212335729143  # and at 80 %, the chance to see what is there


@dataclass(frozen=True)
class Estimate:
    """A measured value and the interval that holds the true one in 95 of 100 runs.

    Parameters
    ----------
    mean : float
        The value measured.
    low, high : float
        The ends of the 95 % interval; `low <= mean <= high`.
    """

    mean: float
    low: float
    high: float

    def scaled(self, factor: float) -> "Estimate":
        """The same estimate in another unit (`factor` above 0) or from the other side (below 0)."""
        ends = sorted((self.low * factor, self.high * factor))
        return Estimate(self.mean * factor, ends[0], ends[1])

    def shifted(self, by: float) -> "Estimate":
        """The same estimate counted from another point."""
        return Estimate(self.mean + by, self.low + by, self.high + by)

    def complement(self) -> "Estimate":
        """The estimate of 1 minus the value: the other side's win rate."""
        return Estimate(1 - self.mean, 1 - self.high, 1 - self.low)

    def to_dict(self) -> dict[str, float]:
        """`mean`, `low` and `high` by name."""
        return {"mean": self.mean, "low": self.low, "high": self.high}


def t_quantile(df: float) -> float:
    """The quantile of Student's t that a 95 % interval needs.

    Parameters
    ----------
    df : float, above 0, degrees of freedom

    Examples
    --------
    >>> round(t_quantile(10), 3)
    2.228
    """
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - TAIL))


def t_interval(mean: float, variance: float, n: int) -> Estimate:
    """An estimate with its t interval.

    Parameters
    ----------
    mean : float
    variance : float, of the mean itself, not of the single values
    n : int, at least 2, independent units behind it
    """
    half = t_quantile(n - 1) * math.sqrt(variance)
    return Estimate(mean, mean - half, mean + half)


def wilson(share: float, n: float) -> tuple[float, float]:
    """The ends of Wilson's score interval for a proportion.

    Parameters
    ----------
    share : float, 0 to 1, the proportion seen
    n : float, above 0, trials; not a whole number where it is an effective sample size

    Notes
    -----
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the
    American Statistical Association 22 (1927); recommended by Brown, Cai and DasGupta, "Interval estimation
    for a binomial proportion", Statistical Science 16 (2001).

    Examples
    --------
    >>> low, high = wilson(20 / 20, 20)
    >>> round(low, 3), high
    (0.839, 1.0)
    """
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    # Rounding may leave an end a hair outside of where mathematics has it.
    return max(0.0, min(middle - half, share)), min(1.0, max(middle + half, share))


def unseen_share(n: int) -> float:
    """The largest share of units that could be unlike the `n` that were seen, all alike.

    What happens in a share q of all units stays unseen in n of them with probability (1-q)**n; the share
    that makes this 2.5 % is the upper end of the exact interval of Clopper and Pearson (Biometrika 26, 1934).

    Examples
    --------
    >>> round(unseen_share(1000), 5)
    0.00368
    """
    return 1.0 - math.pow(TAIL, 1 / n)


def without_spread(value: float, n: int, low: float, high: float) -> Estimate:
    """An estimate for units that all gave the same value, so that their spread says nothing.

    At most `unseen_share(n)` of all units are different; the interval lets them be as different as they can.

    Parameters
    ----------
    value : float, between `low` and `high`, what every unit gave
    n : int, at least 1, units
    low, high : float, the least and the greatest value that a unit can give
    """
    q = unseen_share(n)
    return Estimate(value, value - q * (value - low), value + q * (high - value))
