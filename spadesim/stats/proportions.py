"""Ratios of two counts over independent units, with the variance that clusters really have.

Hands of one game, and the two rooms of one deal, are not independent of each other; pairs of games and boards
are. So a ratio such as bags per hand or nils made per nil bid is the ratio of two sums over units, and its
variance is the linearised one of survey sampling: that of the residuals `num - ratio * den` over units
(W. G. Cochran, "Sampling Techniques", 3rd ed., 1977, sections 2.11 and 6.3).
"""

from dataclasses import dataclass

from spadesim.stats.intervals import (
    Estimate,
    Z,
    t_interval,
    t_quantile,
    wilson,
    without_spread,
)


@dataclass(frozen=True)
class RatioSums:
    """All that a ratio needs to know of its units.

    Parameters
    ----------
    n : int
        Units, those with a denominator of 0 included.
    num, den : int
        Sums of the numerators and of the denominators.
    num_num, num_den, den_den : int
        Sums over units of num**2, num * den and den**2.
    """

    n: int
    num: int
    den: int
    num_num: int
    num_den: int
    den_den: int

    def residual(self) -> int:
        """The sum of squared residuals times den**2, an exact integer: 0 means that there is no spread."""
        cross = 2 * self.num * self.den * self.num_den
        return self.num_num * self.den**2 - cross + self.num**2 * self.den_den


def ratio_variance(sums: RatioSums) -> float:
    """The linearised variance of the ratio `num / den`; needs n of 2 or more and a den other than 0."""
    return sums.n / (sums.n - 1) * (sums.residual() / sums.den**4)


def ratio(sums: RatioSums, low: float, high: float) -> Estimate | None:
    """The ratio of two sums with its t interval over units; None when the denominator is 0.

    Parameters
    ----------
    sums : RatioSums
    low, high : float
        The least and the greatest ratio that a unit can show. The interval is cut there; and where all units
        show the same ratio, so that no variance can be estimated, it is made of them (`without_spread`).
    """
    if sums.den == 0:
        return None
    value = sums.num / sums.den
    if sums.n < 2 or sums.residual() == 0:
        return without_spread(value, sums.n, low, high)
    estimate = t_interval(value, ratio_variance(sums), sums.n)
    return Estimate(value, max(low, estimate.low), min(high, estimate.high))


def effective_size(sums: RatioSums) -> float:
    """How many independent trials would tell as much about a proportion as these clustered ones.

    It is p(1-p) / variance, lowered for the uncertainty of a variance estimated from few units by (z/t)**2
    (E. L. Korn and B. I. Graubard, "Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data", Survey Methodology 24, 1998), and never more than the
    trials themselves. A proportion of 0 or 1 shows no variance, and neither does a single unit; then every
    unit counts as one trial, whatever its size: den**2 / den_den (L. Kish, "Survey Sampling", 1965, with
    perfectly correlated clusters).

    Parameters
    ----------
    sums : RatioSums with 0 <= num <= den and den above 0
    """
    share = sums.num / sums.den
    if sums.n < 2 or share in (0, 1):
        return sums.den**2 / sums.den_den
    if sums.residual() == 0:
        return sums.den
    size = share * (1 - share) / ratio_variance(sums) * (Z / t_quantile(sums.n - 1)) ** 2
    return min(size, sums.den)


def proportion(sums: RatioSums) -> Estimate | None:
    """A proportion with Wilson's interval at the effective sample size; None when there was no trial.

    The combination is what surveys use for rare outcomes in clusters (C. Franco, R. J. A. Little, T. A.
    Louis and E. V. Slud, "Comparative study of confidence intervals for proportions in complex sample
    surveys", Journal of Survey Statistics and Methodology 7, 2019).

    Examples
    --------
    Nils made in 20 boards with one nil each, 15 made:

    >>> made = proportion(RatioSums(n=20, num=15, den=20, num_num=15, num_den=15, den_den=20))
    >>> made.mean, round(made.low, 2), round(made.high, 2)
    (0.75, 0.51, 0.9)
    """
    if sums.den == 0:
        return None
    share = sums.num / sums.den
    return Estimate(share, *wilson(share, effective_size(sums)))
