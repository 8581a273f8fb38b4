"""Points on boards: each deal played in several rooms, so that both bots sit at every seat equally often.

A's margin (the points of A's side-hands minus those of B's) is d_r in room r. Over all rooms A and B play
as many side-hands each; what the board says about the bots is x, the sum of the margins over that number, in
which the luck of the deal cancels: A's mean points per side-hand minus B's. With partners, and at a table of
two, there are two rooms and x = (d_0 + d_1) / 2. Boards are independent of each other; rooms are not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from spadesim.stats.intervals import Estimate, t_interval, without_spread
from spadesim.stats.proportions import RatioSums


@dataclass(frozen=True)
class RoomSums:
    """All that is kept of the margins of the rooms.

    Parameters
    ----------
    n : int
        Boards (or sets of games).
    margins : sequence of int
        Sums of d_r, one for each room.
    squares : sequence of int
        Sums of d_r**2.
    whole : int
        The sum over boards of (d_0 + d_1 + ...)**2.
    side_hands : int
        Side-hands that each bot plays on a board.
    """

    n: int
    margins: Sequence[int]
    squares: Sequence[int]
    whole: int
    side_hands: int = 2

    @property
    def room_variances(self) -> list[float]:
        """The sample variance of each room's margin; needs n of 2 or more.

        The cancelling difference is taken in integers, where it is exact.
        """
        return [self._variance(s, p) for s, p in zip(self.margins, self.squares, strict=True)]

    @property
    def whole_variance(self) -> float:
        """The sample variance of the sum of all rooms' margins; needs n of 2 or more."""
        return self._variance(sum(self.margins), self.whole)

    def _variance(self, total: int, squares: int) -> float:
        return (self.n * squares - total * total) / (self.n * (self.n - 1))


def points_per_board(sums: RoomSums, limit: float, divisor: int = 1) -> Estimate | None:
    """The mean of x over boards with its t interval; None without boards.

    Parameters
    ----------
    sums : RoomSums
    limit : float
        The largest |x| that a board can show, in the unit of the result. It matters only where all boards
        gave the same x (`without_spread`).
    divisor : int
        What the sums were multiplied by to be integers.
    """
    if sums.n == 0:
        return None
    scale = sums.side_hands * divisor
    mean = sum(sums.margins) / (sums.n * scale)
    variance = sums.whole_variance / scale**2 if sums.n > 1 else 0.0
    if variance == 0:
        return without_spread(mean, sums.n, min(-limit, mean), max(limit, mean))
    return t_interval(mean, variance / sums.n, sums.n)


def room_correlation(sums: RoomSums) -> float | None:
    """The correlation of two rooms' margins, -1 to 1; negative where the luck of the deal dominates.

    With more than two rooms, the mean over all pairs of them, weighted by their spread. None with fewer than
    two boards, or when no two rooms' margins ever changed.
    """
    if sums.n < 2:
        return None
    variances = [variance for variance in sums.room_variances if variance > 0]
    if len(variances) < 2:
        return None
    spread = sum(math.sqrt(v) for v in variances) ** 2 - sum(variances)
    together = sums.whole_variance - sum(variances)
    return max(-1.0, min(1.0, together / spread))


def variance_factor(sums: RoomSums) -> float | None:
    """How many times the variance of the mean would be larger without pairing, for as many hands played.

    With each room on deals of its own the variances of the rooms add up; played on the same deals the
    variance is that of their sum. With two rooms of equal variance the factor is 1 / (1 + r), r their
    correlation. None where the paired variance is 0 (bots that play alike: pairing then removes all luck) or
    unknown.

    Examples
    --------
    Four boards with margins 3, -1, 5, 1 in one room and -1, 1, -5, 1 in the other:

    >>> round(variance_factor(RoomSums(4, (8, -4), (36, 28), 8)), 3)
    11.0
    """
    if sums.n < 2:
        return None
    paired = sums.whole_variance
    return sum(sums.room_variances) / paired if paired > 0 else None


def margin_per_hand(a: RatioSums, b: RatioSums, cross: Sequence[int], limit: float) -> Estimate | None:
    """A's points per side-hand minus B's, so that long games count by their hands.

    The variance is the linearised one of a difference of two ratios over the same units.

    Parameters
    ----------
    a, b : RatioSums
        Of points and side-hands of each bot.
    cross : sequence of 4 int
        Sums over units of A's points times B's, A's points times B's side-hands, A's side-hands times B's
        points, and A's side-hands times B's.
    limit : float
        The largest difference that a hand can show.
    """
    if a.den == 0 or b.den == 0:
        return None
    mean = a.num / a.den - b.num / b.den
    with_points, points_hands, hands_points, with_hands = cross
    products = (
        a.den * b.den * with_points - a.den * b.num * points_hands
        - a.num * b.den * hands_points + a.num * b.num * with_hands
    )  # fmt: skip
    residual = a.residual() * b.den**4 + b.residual() * a.den**4 - 2 * products * a.den**2 * b.den**2
    if a.n < 2 or residual == 0:
        return without_spread(mean, a.n, -limit, limit)
    variance = a.n / (a.n - 1) * (residual / (a.den**4 * b.den**4))
    estimate = t_interval(mean, variance, a.n)
    return Estimate(mean, max(-limit, estimate.low), min(limit, estimate.high))
