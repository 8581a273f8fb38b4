"""Game pairs as engine testers count them: five kinds of pairs, Elo, normalised Elo, who is likely better.

A pair of games on the same deals ends in one of five scores: 0, 1/4, 1/2, 3/4 or 1 of it. All that is said of
the strength of two bots is said of the mean and the spread of these scores; 2N games are never taken for 2N
results. Elo is the usual scale of winning rates; normalised Elo measures the same in units of the spread of a
game, so that how many games it takes to see a difference depends on it alone (M. Van den Bergh, "Comments on
normalized Elo", www.cantate.be/Fishtest/normalized_elo_practical.pdf).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from spadesim.stats.exact import less_sure
from spadesim.stats.intervals import Estimate, Z, without_spread

NELO_PER_SPREAD = 800 / math.log(10)  # normalised Elo of a game's mean that is off 1/2 by its whole spread
CLAMP = 1e-3  # Elo has no end, so winning rates are kept off 0 and 1 by this
EMPTY_CELL = 1e-3  # what fishtest, OpenBench and fastchess count for a kind of pair that was never seen
PAIR_KINDS = ("ll", "ld", "wl_dd", "wd", "ww")

Counts = Sequence[float]
"""Games by score: losses, draws, wins; or pairs of games by score: LL, LD, WL and DD, WD, WW."""


@dataclass(frozen=True)
class Sample:
    """Counted scores as a distribution.

    Parameters
    ----------
    n : float
        Games, or pairs of games, what was added to empty cells included.
    values : tuple of float
        The scores, 0 to 1.
    shares : tuple of float, each above 0
        How often each occurred.
    """

    n: float
    values: tuple[float, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, counts: Counts) -> "Sample":
        """The distribution of counts, empty cells at `EMPTY_CELL`."""
        filled = [max(float(count), EMPTY_CELL) for count in counts]
        n = math.fsum(filled)
        top = len(filled) - 1
        return cls(n, tuple(k / top for k in range(top + 1)), tuple(count / n for count in filled))

    @property
    def games_a_unit(self) -> int:
        """1 where single games were counted, 2 for pairs."""
        return (len(self.values) - 1) // 2

    @property
    def mean(self) -> float:
        """The mean score, 0 to 1."""
        return math.fsum(v * p for v, p in zip(self.values, self.shares, strict=True))

    @property
    def variance(self) -> float:
        """The variance of one unit's score."""
        mean = self.mean
        return math.fsum(p * (v - mean) ** 2 for v, p in zip(self.values, self.shares, strict=True))


@dataclass(frozen=True)
class EloStats:
    """The strength of A against B, from pairs of games.

    Parameters
    ----------
    pairs : tuple of 5 int
        Pairs with both games finished, by A's score: 0, 1/4, 1/2, 3/4, 1.
    elo : Estimate
    normalised_elo : Estimate or None
        None where all pairs ended alike, so that no spread was seen to count it in.
    los : float
        Likelihood of superiority: how surely A is the better one, 0 to 1, by the normal approximation; where
        few pairs were not split it is no surer than these are by their number.
    pairs_ratio : float or None
        Pairs won to pairs lost; None when none was lost.
    drawn_pairs : float
        Share of the pairs that were split evenly.
    """

    pairs: tuple[int, int, int, int, int]
    elo: Estimate
    normalised_elo: Estimate | None
    los: float
    pairs_ratio: float | None
    drawn_pairs: float

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, the pairs under the names of `PAIR_KINDS`."""
        return {
            "pairs": dict(zip(PAIR_KINDS, self.pairs, strict=True)),
            "elo": self.elo.to_dict(),
            "normalised_elo": self.normalised_elo.to_dict() if self.normalised_elo else None,
            "los": self.los,
            "pairs_ratio": self.pairs_ratio,
            "drawn_pairs": self.drawn_pairs,
        }


def pair_counts(outcomes: Any) -> tuple[int, int, int, int, int]:
    """The five kinds of pairs out of a table of both games' results (`stats.games.Outcomes`).

    Pairs with an unfinished game are left out.

    >>> pair_counts([[10, 0, 25, 0], [0, 3, 0, 0], [25, 0, 40, 7], [0, 0, 0, 0]])
    (10, 0, 53, 0, 40)
    """
    sums = [0] * 5
    for first in range(3):
        for second in range(3):
            sums[first + second] += int(outcomes[first][second])
    return sums[0], sums[1], sums[2], sums[3], sums[4]


def elo(score: float) -> float:
    """The Elo difference that a mean score of 0 to 1 stands for.

    >>> round(elo(0.55), 2), round(elo(1.0))
    (34.86, 1200)
    """
    score = min(max(score, CLAMP), 1 - CLAMP)
    return -400 * math.log10(1 / score - 1)


def score_of(elo_difference: float) -> float:
    """The mean score that an Elo difference stands for.

    >>> round(score_of(34.86), 4)
    0.55
    """
    return (1 + math.tanh(elo_difference / NELO_PER_SPREAD)) / 2


def elo_stats(pairs: tuple[int, int, int, int, int]) -> EloStats | None:
    """Elo and its company with 95 % intervals; None without pairs.

    When all pairs went alike, only the regulariser gives a spread; the likelihood of superiority is 1/2 when
    all were split.
    """
    total = sum(pairs)
    if total == 0:
        return None
    sample = Sample.of(pairs)
    lost, won = pairs[0] + pairs[1], pairs[3] + pairs[4]
    return EloStats(
        pairs=pairs,
        elo=measured_elo(pairs),
        normalised_elo=normalised_elo(pairs),
        los=less_sure(normal_cdf((sample.mean - 0.5) / math.sqrt(sample.variance / sample.n)), won, lost),
        pairs_ratio=won / lost if lost else None,
        drawn_pairs=pairs[2] / total,
    )


def measured_elo(counts: Counts) -> Estimate:
    """Elo with its 95 % interval, also where all games or pairs ended alike.

    Then the interval is that of the share of those that could have ended otherwise, see `without_spread`.

    Examples
    --------
    >>> found = measured_elo((0, 0, 100))
    >>> round(found.mean), round(found.low)
    (1200, 570)
    """
    seen = [kind for kind, count in enumerate(counts) if count > 0]
    if len(seen) > 1:
        return elo_interval(Sample.of(counts))
    share = without_spread(seen[0] / (len(counts) - 1), int(sum(counts)), 0.0, 1.0)
    return Estimate(elo(share.mean), elo(share.low), elo(share.high))


def elo_interval(sample: Sample, quantile: float = Z) -> Estimate:
    """Elo with the interval of the mean score, both taken over to the scale of Elo.

    Parameters
    ----------
    sample : Sample
    quantile : float
        Standard errors to each side: the normal's quantile, or that of Student's t.
    """
    half = quantile * math.sqrt(sample.variance / sample.n)
    return Estimate(elo(sample.mean), elo(sample.mean - half), elo(sample.mean + half))


def normalised_elo(counts: Counts, quantile: float = Z) -> Estimate | None:
    """Normalised Elo with its 95 % interval; None where all games or pairs ended alike.

    Parameters
    ----------
    counts : sequence of 3 or 5 numbers
    quantile : float
        Standard errors to each side, as for `elo_interval`.

    Notes
    -----
    The standard error of a standardised mean t is sqrt((1 + t**2 / 2) / n) for normal data, and more or less
    by its skewness and kurtosis; this is the delta method with the sample's own third and fourth moments.
    """
    if sum(count > 0 for count in counts) < 2:
        return None
    sample = Sample.of(counts)
    mean, spread = sample.mean, math.sqrt(sample.variance)
    t = (mean - 0.5) / spread
    cells = list(zip(sample.values, sample.shares, strict=True))
    skewness, kurtosis = (math.fsum(p * ((v - mean) / spread) ** k for v, p in cells) for k in (3, 4))
    error = math.sqrt(max(0.0, 1 - t * skewness + t * t * (kurtosis - 1) / 4) / sample.n)
    factor = NELO_PER_SPREAD / math.sqrt(sample.games_a_unit)
    half = quantile * error
    return Estimate(factor * t, factor * (t - half), factor * (t + half))


def normal_cdf(x: float) -> float:
    """The standard normal's distribution function."""
    return math.erfc(-x / math.sqrt(2)) / 2
