"""How a side's win rate changes with one of its settings, measured where it matters."""

import math
from bisect import insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from spadesim.match.crews import Workers
from spadesim.match.duel import Sides
from spadesim.match.matches import Counter, Matches, stretches
from spadesim.match.spec import MAX_UNITS, DuelSpec
from spadesim.stats.common import FloatArray
from spadesim.stats.intervals import Estimate, t_interval
from spadesim.strategy.parameters import Parameter, number_text

SURE = 3.0  # standard errors beyond which a difference is taken for one
GRID = 9  # settings that are looked at first
MOST_STEPS = 12
DIGITS = 4  # of a setting, as a share of its range: 0.1234 of 0 to 1


@dataclass(frozen=True)
class Point:
    """A setting and what the side won with it.

    Parameters
    ----------
    value : str
        The setting.
    units : int
        Pairs or sets of games.
    rate : Estimate
        The share of games won, over these units.
    """

    value: str
    units: int
    rate: Estimate


class Curve:
    """The win rate over a setting, on the same deals for every value of it.

    Parameters
    ----------
    parameter : Parameter
        A number, with its range.
    duel_at : function of str
        The duel, and its sides, for a value of the setting.
    workers : Workers
    counter : Counter

    Attributes
    ----------
    places : list of float
        Settings that were measured, in order.
    room : int
        Pairs or sets that may still be played.
    """

    def __init__(
        self,
        parameter: Parameter,
        duel_at: Callable[[str], tuple[DuelSpec, Sides]],
        workers: Workers,
        counter: Counter,
    ) -> None:
        assert parameter.low is not None
        assert parameter.high is not None
        self.parameter, self.duel_at, self.workers, self.counter = parameter, duel_at, workers, counter
        self.low, self.high = float(parameter.low), float(parameter.high)
        self.places: list[float] = []
        self.room = MAX_UNITS
        self._matches: dict[float, Matches] = {}
        self._scores: dict[float, list[FloatArray]] = {}

    def tidy(self, value: float) -> float:
        """The nearest setting that can be written shortly."""
        if self.parameter.is_whole:
            return float(min(max(round(value), self.low), self.high))
        step = 10.0 ** (math.ceil(math.log10(self.high - self.low)) - DIGITS)
        return min(max(round(round(value / step) * step, 12), self.low), self.high)

    def first_places(self) -> list[float]:
        """Settings spread over the range, both ends included."""
        return sorted({self.tidy(float(place)) for place in np.linspace(self.low, self.high, GRID)})

    def measure(self, value: float, units: int) -> float:
        """The win rate at a setting over the first `units` pairs or sets, as far as there is room.

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C; what was measured before stays.
        """
        parts = self._scores.setdefault(value, [])
        done = sum(len(part) for part in parts)
        for first, size in stretches(done, max(0, min(units - done, self.room))):
            parts.append(self.play(value, first, size))
            self.room -= size
        if value not in self.places:
            insort(self.places, value)
        return self.rate(value)

    def play(self, value: float, first: int, size: int) -> FloatArray:
        """The share won in each of some pairs or sets at a setting."""
        if value not in self._matches:
            spec, sides = self.duel_at(number_text(value))
            self._matches[value] = Matches([spec], [sides], self.workers, None, self.counter)
        score, _, finished = self._matches[value].play_one(0, first, size).T
        return np.asarray(np.where(finished > 0, score / np.maximum(finished, 1), 0.5))

    def units(self, value: float) -> int:
        """How many pairs or sets were played at a setting."""
        return sum(len(part) for part in self._scores[value])

    def scores(self, value: float) -> FloatArray:
        """The share won in each pair or set at a setting."""
        return np.concatenate(self._scores[value])

    def rate(self, value: float) -> float:
        """The win rate measured at a setting."""
        return float(self.scores(value).mean())

    def error(self, value: float) -> float:
        """Its standard error, never 0: units that all went alike may yet be followed by others."""
        scores = self.scores(value)
        return math.sqrt((float(scores.var()) + 0.25 / len(scores)) / len(scores))

    def is_above(self, a: float, b: float) -> bool:
        """Whether the rate at one setting is surely above that at another, on the deals of both."""
        n = min(self.units(a), self.units(b))
        differences = self.scores(a)[:n] - self.scores(b)[:n]
        error = math.sqrt((float(differences.var()) + 0.25 / n) / n)
        return float(differences.mean()) > SURE * error

    def spread(self, target: float) -> float:
        """The standard deviation of units where the rate is nearest to the target."""
        nearest = min(self.places, key=lambda place: abs(self.rate(place) - target))
        return max(self.error(nearest) * math.sqrt(self.units(nearest)), 0.05)

    def is_monotone(self) -> bool:
        """Whether no step between neighbours goes surely against the rest."""
        steps = list(zip(self.places, self.places[1:], strict=False))
        rises = any(self.is_above(b, a) for a, b in steps)
        falls = any(self.is_above(a, b) for a, b in steps)
        return not (rises and falls)

    def brackets(self, target: float) -> list[tuple[float, float]]:
        """Neighbours between which the rate passes the target."""
        steps = zip(self.places, self.places[1:], strict=False)
        return [(a, b) for a, b in steps if (self.rate(a) - target) * (self.rate(b) - target) <= 0]

    def points(self) -> tuple[Point, ...]:
        """All that was measured, in the order of the settings."""
        found = []
        for place in self.places:
            n, error = self.units(place), self.error(place)
            rate = t_interval(self.rate(place), error * error, max(n, 2))
            rate = replace(rate, low=max(0.0, rate.low), high=min(1.0, rate.high))
            found.append(Point(number_text(place), n, rate))
        return tuple(found)


def find_root(curve: Curve, target: float, bracket: tuple[float, float], units: int) -> float:
    """The setting in a bracket whose rate comes nearest to the target over so many units.

    The bracket is narrowed by interpolation, halved where that does not help: a step on ever more deals, and
    on all of them until the rate is the target within half of its standard error. Deals are the same at
    every setting, so that the measured curve is nearly as smooth as the true one.

    Parameters
    ----------
    curve : Curve
    target : float
    bracket : tuple of 2 float
        Settings between which the rate passes the target, on the deals that they have played.
    units : int
        Pairs or sets of games at the last settings.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C.
    """
    low, high = bracket
    for n in _ever_more(max(curve.units(low), curve.units(high)), units):
        low, high = _widened(curve, target, (low, high), n)
        low, high = _narrowed(curve, target, (low, high), n, MOST_STEPS if n == units else 1)
    return min((low, high), key=lambda place: abs(curve.rate(place) - target))


def _ever_more(done: int, units: int) -> Sequence[int]:
    """Units at each stage: four times as many as before, the last one all.

    >>> _ever_more(500, 6000)
    [2000, 6000]
    """
    stages = []
    while 4 * done < units:
        done *= 4
        stages.append(done)
    return [*stages, units]


def _widened(curve: Curve, target: float, bracket: tuple[float, float], n: int) -> tuple[float, float]:
    """The bracket, or its neighbours where more deals have moved the passage out of it.

    Where there is no passage any more, it holds a setting whose neighbours are both farther from the target.
    """
    low, high = bracket
    seen = set()
    while (low, high) not in seen:
        seen.add((low, high))
        at_low, at_high = (curve.measure(place, n) - target for place in (low, high))
        if at_low * at_high <= 0:
            return low, high
        at = curve.places.index(low), curve.places.index(high)
        is_beyond_low = abs(at_low) < abs(at_high)
        if is_beyond_low and at[0] > 0:
            low, high = curve.places[at[0] - 1], low
        elif not is_beyond_low and at[1] + 1 < len(curve.places):
            low, high = high, curve.places[at[1] + 1]
        else:
            break
    return low, high


def _narrowed(
    curve: Curve, target: float, bracket: tuple[float, float], n: int, steps: int
) -> tuple[float, float]:
    """A bracket with an end where the rate is near enough to the target, or so many steps nearer to it."""
    low, high = bracket
    for step in range(steps):
        at_low, at_high = (curve.measure(place, n) - target for place in (low, high))
        if at_low * at_high > 0 or min(abs(at_low), abs(at_high)) <= curve.error(low) / 2:
            break
        share = 0.5 if step % 3 == 2 or at_low == at_high else at_low / (at_low - at_high)
        middle = curve.tidy(low + min(max(share, 0.02), 0.98) * (high - low))
        if middle in (low, high):
            middle = curve.tidy((low + high) / 2)
        if middle in (low, high) or curve.room < n:
            break
        if (curve.measure(middle, n) - target) * at_low > 0:
            low = middle
        else:
            high = middle
    return low, high
