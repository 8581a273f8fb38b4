"""Sequential tests: look as the results come in, and stop as soon as they are clear, without being fooled.

Two hypotheses are held against each other: the true value is `low`, or it is `high`. The log-likelihood ratio
(LLR) of what was seen rises when `high` explains it better, and falls when `low` does. A. Wald ("Sequential
tests of statistical hypotheses", Annals of Mathematical Statistics 16, 1945) showed that stopping at
``log(beta / (1 - alpha))`` or ``log((1 - beta) / alpha)`` keeps both errors: accepting `high` though `low` is
true no more often than `alpha`, and the other way round `beta`. Where the distribution is not known it is
estimated under either hypothesis (the generalised test, GSPRT: X. Li, J. Liu and Z. Ying, "Generalized
sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33, 2014).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spadesim.errors import UserError
from spadesim.stats.elo import NELO_PER_SPREAD, Counts, Sample, score_of
from spadesim.stats.moments import Moments

ROUNDS = 50
CLOSE = 1e-8  # near the end of the range a root is found no better than this


@dataclass(frozen=True)
class Bounds:
    """Where a sequential test ends.

    Parameters
    ----------
    low, high : float
        At or below `low` the low hypothesis is accepted, at or above `high` the high one.

    Examples
    --------
    >>> bounds = Bounds.of(0.05, 0.05)
    >>> round(bounds.low, 3), round(bounds.high, 3)
    (-2.944, 2.944)
    """

    low: float
    high: float

    @classmethod
    def of(cls, alpha: float, beta: float) -> "Bounds":
        """Wald's bounds for the chance to accept `high` wrongly, and to accept `low` wrongly."""
        return cls(math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha))


def llr_of_means(moments: Moments, low: float, high: float) -> float:
    """The LLR that the mean is `high` against `low`, for values whose spread has to be estimated.

    ``n / 2 * log((v + (mean - low)**2) / (v + (mean - high)**2))`` with v their variance: the generalised
    likelihood ratio of normal data, whose variance is estimated under either hypothesis. It serves any
    values by the central limit theorem. 0 without units; infinite when the values have no spread at all.
    """
    mean, variance = moments.mean, moments.variance
    from_low, from_high = (variance + (mean - value) ** 2 for value in (low, high))
    if moments.n == 0 or from_low == from_high:
        return 0.0
    if from_low == 0 or from_high == 0:
        return -math.inf if from_low == 0 else math.inf
    return moments.n / 2 * math.log(from_low / from_high)


def llr_logistic(counts: Counts, low: float, high: float) -> float:
    """The LLR of two Elo differences by the exact GSPRT for counted scores.

    Parameters
    ----------
    counts : games by score (3 numbers), or pairs of games (5), see `spadesim.stats.elo.Counts`
    low, high : float
        The hypotheses, in Elo.

    Raises
    ------
    UserError
        A hypothesis of thousands of Elo, which is certain defeat or victory to a computer.
    """
    sample = Sample.of(counts)
    means = score_of(low), score_of(high)
    fits = [_tilted(sample, [value - mean for value in sample.values]) for mean in means]
    if fits[0] is None or fits[1] is None:
        raise UserError(f"Elo {low:g} and {high:g} are too far away for a test; stay within 4000.")
    return _log_ratio(sample, fits[0], fits[1])


def llr_normalised(counts: Counts, low: float, high: float) -> float:
    """The LLR of two normalised Elo differences by the exact GSPRT for counted scores.

    Hypotheses so far from what was seen that no distribution on these scores has them are compared by
    `llr_normalised_approximate` instead, which has no such limit.

    Parameters
    ----------
    counts, low, high
        As for `llr_logistic`, the hypotheses in normalised Elo.
    """
    sample = Sample.of(counts)
    factor = math.sqrt(sample.games_a_unit) / NELO_PER_SPREAD
    fits = [_with_t_value(sample, value * factor) for value in (low, high)]
    if fits[0] is None or fits[1] is None:
        return llr_normalised_approximate(counts, low, high)
    return _log_ratio(sample, fits[0], fits[1])


def llr_normalised_approximate(counts: Counts, low: float, high: float) -> float:
    """The same for normal data, of which mean and spread are all that counts.

    With t the mean's distance from 1/2 in spreads of one game: ``games / 2 * log((1 + (t - t_low)**2) /
    (1 + (t - t_high)**2))``.
    """
    sample = Sample.of(counts)
    games = sample.games_a_unit
    t = (sample.mean - 0.5) / math.sqrt(games * sample.variance)
    from_low, from_high = (1 + (t - value / NELO_PER_SPREAD) ** 2 for value in (low, high))
    return sample.n * games / 2 * math.log(from_low / from_high)


def _log_ratio(sample: Sample, low: Sequence[float], high: Sequence[float]) -> float:
    terms = (p * math.log(h / g) for p, g, h in zip(sample.shares, low, high, strict=True))
    return sample.n * math.fsum(terms)


def _tilted(sample: Sample, excess: Sequence[float]) -> list[float] | None:
    """The likeliest distribution under which the mean of `excess` is 0; None when there is none.

    It is p / (1 + theta * excess), with theta such that the mean is 0 (M. Van den Bergh, "Maximum likelihood
    for multinomial distributions of given mean", www.cantate.be/Fishtest/support_MLE_multinomial.pdf).
    """
    from scipy.optimize import brentq

    least, most = min(excess), max(excess)
    if not least < 0 < most:
        return None
    cells = list(zip(sample.shares, excess, strict=True))

    def mean(theta: float) -> float:
        return math.fsum(p * e / (1 + theta * e) for p, e in cells)

    ends = -1 / most, -1 / least
    inset = 1e-13 * (ends[1] - ends[0])
    low, high = ends[0] + inset, ends[1] - inset
    if not mean(low) > 0 > mean(high):
        return None
    theta = brentq(mean, low, high, xtol=1e-15, rtol=1e-14)
    return [p / (1 + theta * e) for p, e in cells]


def _with_t_value(sample: Sample, t: float) -> list[float] | None:
    """The likeliest distribution whose mean is `t` spreads off 1/2; None when the search for it fails.

    Searched round by round, with the condition made linear at the last round's mean and spread (M. Van den
    Bergh, "Comments on normalized Elo", section 4).
    """
    shares: list[float] | None = [1 / len(sample.values)] * len(sample.values)
    for _ in range(ROUNDS):
        assert shares is not None
        mean = math.fsum(v * p for v, p in zip(sample.values, shares, strict=True))
        spread = math.sqrt(math.fsum(p * (v - mean) ** 2 for v, p in zip(sample.values, shares, strict=True)))
        before = shares
        shares = _tilted(
            sample, [v - 0.5 - t * spread * (1 + ((v - mean) / spread) ** 2) / 2 for v in sample.values]
        )
        if shares is None:
            return None
        if max(abs(p - q) for p, q in zip(shares, before, strict=True)) < CLOSE:
            return shares
    return None


class Test:
    """A sequential test that remembers where it has been; once it has ended it stays so.

    Parameters
    ----------
    bounds : Bounds
    llr : function of Moments
        What is looked at.

    Attributes
    ----------
    value : float
        The LLR at the last look, or at the look that ended the test.
    accepted : str or None
        "low" or "high" once the test has ended.
    """

    __test__ = False  # not for pytest, which takes classes by their name

    def __init__(self, bounds: Bounds, llr: Callable[[], float]) -> None:
        self.bounds = bounds
        self._llr = llr
        self.value = 0.0
        self.accepted: str | None = None

    def look(self) -> str | None:
        """Look at what has come in, and return what is accepted, None for nothing yet."""
        if self.accepted is None:
            self.value = self._llr()
            if self.value >= self.bounds.high:
                self.accepted = "high"
            elif self.value <= self.bounds.low:
                self.accepted = "low"
        return self.accepted


@dataclass(frozen=True)
class Expected:
    """How a sequential test goes when the truth is known.

    Parameters
    ----------
    effect : float
        The true value.
    accepts_high : float
        The chance that the high hypothesis is accepted.
    units : float
        Units until the end, on average.
    """

    effect: float
    accepts_high: float
    units: float


def expected(effect: float, low: float, high: float, spread: float, bounds: Bounds) -> Expected:
    """How a sequential test of `low` against `high` goes when the true value is `effect`.

    Wald's approximations, which leave out that a test overshoots its bounds: real tests are a little longer
    and err a little less often.

    Parameters
    ----------
    effect, low, high : float
        In the same unit.
    spread : float
        Standard deviation of one unit's value.
    bounds : Bounds

    Examples
    --------
    >>> middle = expected(0.5, 0, 1, 10, Bounds.of(0.05, 0.05))
    >>> middle.accepts_high, round(middle.units)
    (0.5, 867)
    """
    a, b = bounds.low, bounds.high
    scale = (spread / (high - low)) ** 2
    h = (2 * effect - low - high) / (high - low)
    if abs(h) < 1e-6:
        return Expected(effect, -a / (b - a), -a * b * scale)
    # As differences of powers of e that cannot overflow, whatever the sign of h is.
    share = (
        math.expm1(-h * a) / math.expm1(-h * a + h * b) * math.exp(h * b)
        if h < 0
        else (-math.expm1(h * a) / -math.expm1(h * (a - b)))
    )
    return Expected(effect, share, 2 / h * (b * share + a * (1 - share)) * scale)


def expected_table(
    low: float, high: float, spread: float, bounds: Bounds, steps: Sequence[float] = (-1, 0, 0.5, 1, 2)
) -> list[Expected]:
    """`expected` at true values from one distance below `low` to one above `high`."""
    return [expected(low + step * (high - low), low, high, spread, bounds) for step in steps]


def fixed_length(effect: float, spread: float, alpha: float, power: float, sides: int = 2) -> float:
    """Units that show a true value of `effect` with a chance of `power`, for a length chosen beforehand.

    Parameters
    ----------
    effect, spread : float
        The true value (0 is no difference) and the standard deviation of one unit's value.
    alpha : float
        The chance to find a difference where there is none.
    power : float
    sides : int
        2 for a test in both directions, 1 for one.

    Examples
    --------
    >>> round(fixed_length(2, 20, 0.05, 0.9))
    1051
    """
    from scipy.special import ndtri

    quantiles = ndtri(1 - alpha / sides) + ndtri(power)
    return float((quantiles * spread / effect) ** 2)
