"""What a test that stopped itself says of the true value, with an interval that allows for the stop.

A sequential test that accepts "better" has stopped because it was ahead, so its mean is too high on average,
and the usual interval holds the true value less often than it says. The right question is: under which true
value would an outcome at least as good as this one be as likely as one at least as bad? Outcomes are ordered
as one would: failed early, failed late, still undecided, passed late, passed early. The answer is the median
unbiased estimate; asked for 2.5 and 97.5 % instead of a half it gives the ends of the interval (A. Tsiatis,
G. Rosner and C. Mehta, "Exact confidence intervals following a group sequential test", Biometrics 40, 1984).
The LLR is taken for a Brownian motion between two absorbing bounds, whose law is known exactly (D. Cox and H.
Miller, "The Theory of Stochastic Processes", 1965, section 5.7).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from spadesim.stats.elo import normal_cdf
from spadesim.stats.grouped import Times, is_coarse, worse_by_looks
from spadesim.stats.intervals import TAIL, Estimate
from spadesim.stats.sequential import Bounds

EARLY = 0.3  # of the squared distance of the bounds: before this the images converge faster, later the sines
TERMS = 8  # of either series; what is left out is below 1e-20
OVERSHOOT = 0.5826
NO_DRIFT = 1e-9
MAX_STEPS = 60
CLOSE = 1e-7  # standard errors
FAR = -35.0  # below this the distribution function is about to vanish
MOST_EXPONENT = 700.0
SLOWER = 1.5  # times that a test may go more slowly than one of normal means, and still be taken for one


@dataclass(frozen=True)
class Motion:
    """A Brownian motion from 0 between two absorbing bounds.

    Parameters
    ----------
    low, high : float
        The bounds, one below and one above 0.
    drift, variance : float
        Per unit of time.
    """

    low: float
    high: float
    drift: float
    variance: float

    @property
    def tilt(self) -> float:
        """The drift over the variance."""
        return self.drift / self.variance

    def worse(self, time: float, place: float) -> float:
        """The chance of an outcome no better than being at `place` at a time, for the first time at a bound.

        It is the chance to have been absorbed below by then, or to be neither absorbed nor above `place`.
        """
        width = self.high - self.low
        if time <= 0:
            return 0.0 if place < 0 else 1.0
        if self.variance * time < EARLY * width * width:
            chance = self._early(time, place)
        else:
            chance = self._late(time, place)
        return min(1.0, max(0.0, chance))

    def _early(self, time: float, place: float) -> float:
        """By images of the motion beyond the bounds."""
        spread, width = math.sqrt(self.variance * time), self.high - self.low
        alive = absorbed = 0.0
        for k in range(-TERMS, TERMS + 1):
            for centre, sign in ((2 * k * width, 1), (2 * self.low - 2 * k * width, -1)):
                ends = ((end - centre - self.drift * time) / spread for end in (place, self.low))
                above, below = (_weighted(self.tilt * centre, x) for x in ends)
                alive += sign * (above - below)
            absorbed += self._reaches(-self.low + 2 * k * width, time, spread)
        return alive + absorbed

    def _reaches(self, distance: float, time: float, spread: float) -> float:
        """One image's part of the chance to be absorbed below by a time."""
        far, sign = abs(distance), math.copysign(1.0, distance)
        pull = abs(self.tilt)
        moved = abs(self.drift) * time
        start = self.tilt * self.low
        return sign * (
            _weighted(start - pull * far, (moved - far) / spread)
            + _weighted(start + pull * far, (-moved - far) / spread)
        )

    def _late(self, time: float, place: float) -> float:
        """By the sines that a motion between two bounds is made of."""
        width, tilt = self.high - self.low, self.tilt
        slow = self.drift**2 / (2 * self.variance)
        alive = later = 0.0
        for k in range(1, 2 * TERMS):
            wave = k * math.pi / width
            decay = self.variance * wave * wave / 2 + slow
            weight = math.sin(-wave * self.low) * math.exp(-decay * time)
            turned = wave * (place - self.low)
            rising = math.exp(tilt * place) * (tilt * math.sin(turned) - wave * math.cos(turned))
            resting = -math.exp(tilt * self.low) * wave
            alive += 2 / width * weight * (rising - resting) / (tilt * tilt + wave * wave)
            later += self.variance / width * math.exp(tilt * self.low) * wave * weight / decay
        return self._falls() - later + alive

    def _falls(self) -> float:
        """The chance to be absorbed below, ever."""
        pull = 2 * self.tilt
        if abs(pull) * (self.high - self.low) < NO_DRIFT:
            return self.high / (self.high - self.low)
        if pull > 0:
            part = math.expm1(-pull * self.high) / math.expm1(-pull * (self.high - self.low))
            return math.exp(pull * self.low) * part
        return math.expm1(pull * self.high) / math.expm1(pull * (self.high - self.low))


def _weighted(exponent: float, x: float) -> float:
    """``exp(exponent)`` times the normal distribution function at `x`: huge, times tiny."""
    if x > FAR and abs(exponent) < MOST_EXPONENT:
        return math.exp(exponent) * normal_cdf(x)
    from scipy.special import log_ndtr

    return math.exp(min(MOST_EXPONENT, exponent + float(log_ndtr(x))))


@dataclass(frozen=True)
class Stopped:
    """Where a sequential test of a mean stands.

    Parameters
    ----------
    n : float
        Units seen.
    mean, variance : float
        Of the units' values.
    low, high : float
        The hypotheses.
    bounds : Bounds
    step : float
        Units between two looks; 0 for a test that always looks. Where looks are far apart their law is exact
        (`spadesim.stats.grouped`). Where they are close together the test is taken for one that always looks,
        at bounds wider by the 0.583 standard deviations of a step by which it runs past them on average
        (D. Siegmund, "Sequential Analysis", 1985, section 10.2).
    first : float
        Units at the first look, if it came later than after one step.
    llr : float, optional
        The log-likelihood ratio as the test saw it, where that is not the one of normal means.
    """

    n: float
    mean: float
    variance: float
    low: float
    high: float
    bounds: Bounds
    step: float = 0.0
    first: float = 0.0
    llr: float | None = None

    @property
    def wide(self) -> float:
        """The variance that the hypotheses give a unit, by which the LLR is counted.

        It is the one seen, but where nearly all units went alike: as the hypotheses have it they should not
        have, and the test goes far more slowly than one of normal means.
        """
        plain = self.n * (self.mean - (self.low + self.high) / 2) * (self.high - self.low) / self.variance
        if self.llr is None or self.llr * plain <= 0 or abs(plain) <= SLOWER * abs(self.llr):
            return self.variance
        return self.variance * plain / self.llr

    def worse(self, truth: float) -> float:
        """The chance of an outcome no better than this one, were `truth` the true mean."""
        if self.step:
            found = self._by_looks(truth)
            if found is not None:
                return found
        time, place = self._reached()
        return self._motion(truth).worse(time, place)

    def _by_looks(self, truth: float) -> float | None:
        """The same, exactly; None where the looks are so close together that the motion is the better law."""
        bounds, motion = self.bounds, self._motion(truth)
        deviation = math.sqrt(motion.variance * self.step)
        times = Times(max(self.first, self.step), self.step, self.n)
        if self.n > times.first and not is_coarse(bounds.high - bounds.low, deviation):
            return None
        place = self.n * self._motion(self.mean).drift
        return worse_by_looks(bounds.low, bounds.high, motion.drift, motion.variance, times, place)

    def _reached(self) -> tuple[float, float]:
        """When and where the LLR was, taken back to the bound if a batch carried it beyond.

        What carried it further than a batch's luck does was the drift, and so it was there sooner.
        """
        llr = self.n * self._motion(self.mean).drift
        for bound, seen in zip((self.bounds.low, self.bounds.high), self._seen(), strict=True):
            if llr / bound >= 1:
                return self.n * min(1.0, seen / llr), seen
        return self.n, llr

    def _seen(self) -> tuple[float, float]:
        """The bounds, wider by what a step overshoots them."""
        wider = OVERSHOOT * (self.high - self.low) * math.sqrt(self.step * self.variance) / self.wide
        return self.bounds.low - wider, self.bounds.high + wider

    def _motion(self, mean: float) -> Motion:
        gap = self.high - self.low
        drift = (mean - (self.low + self.high) / 2) * gap / self.wide
        return Motion(*self._seen(), drift, gap * gap * self.variance / self.wide**2)


def estimate_after_stop(
    stopped: Stopped, limits: tuple[float, float], scale: Callable[[float], float] = lambda mean: mean
) -> Estimate | None:
    """The median unbiased estimate of the mean with its 95 % interval; None where the values have no spread.

    Parameters
    ----------
    stopped : Stopped
    limits : tuple of 2 float
        The least and the greatest mean that is possible; no end of the interval lies beyond.
    scale : function
        From the mean to the scale of the result, rising; the mean itself when left out.
    """
    if stopped.n == 0 or stopped.variance <= 0:
        return None
    middle, low, high = (_solve(stopped, chance, limits) for chance in (0.5, 1 - TAIL, TAIL))
    return Estimate(scale(middle), scale(min(low, middle)), scale(max(high, middle)))


def _solve(stopped: Stopped, chance: float, limits: tuple[float, float]) -> float:
    """The true mean under which the chance of `Stopped.worse` is `chance`; it falls as the mean rises."""
    from scipy.optimize import brentq

    step = math.sqrt(stopped.variance / stopped.n)
    close = CLOSE * step
    start = min(max(stopped.mean, limits[0]), limits[1])
    is_above = stopped.worse(start) > chance
    near = far = start
    for _ in range(MAX_STEPS):
        far = min(near + step, limits[1]) if is_above else max(near - step, limits[0])
        if (stopped.worse(far) > chance) != is_above:
            return float(brentq(lambda mean: stopped.worse(mean) - chance, *sorted((near, far)), xtol=close))
        if far in limits:
            return far
        near, step = far, 1.3 * step
    return far
