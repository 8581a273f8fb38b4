"""Points on boards: each deal played in two rooms with the sides swapped.

A's margin (its points minus B's) is d0 in one room and d1 in the other. What the board says about the bots
is the mean x = (d0 + d1) / 2, in which the luck of the deal cancels. Boards are independent of each other;
rooms are not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from spadesim.stats.intervals import Estimate, t_interval, without_spread
from spadesim.stats.proportions import RatioSums, ratio


@dataclass(frozen=True)
class RoomSums:
    """All that is kept of the margins of two rooms.

    Parameters
    ----------
    n : int
        Boards (or pairs of games).
    margins : sequence of 2 int
        Sums of d0 and of d1.
    products : sequence of 3 int
        Sums of d0**2, d1**2 and d0 * d1.
    """

    n: int
    margins: Sequence[int]
    products: Sequence[int]

    def covariances(self) -> tuple[float, float, float]:
        """Sample variances of d0 and d1, and their covariance; needs n of 2 or more.

        The cancelling difference is taken in integers, where it is exact.
        """
        n, (s0, s1), (p00, p11, p01) = self.n, self.margins, self.products
        below = n * (n - 1)
        return (n * p00 - s0 * s0) / below, (n * p11 - s1 * s1) / below, (n * p01 - s0 * s1) / below


def points_per_board(sums: RoomSums, limit: float, divisor: int = 1) -> Estimate | None:
    """The mean of x over boards with its t interval; None without boards.

    Parameters
    ----------
    sums : RoomSums
    limit : float
        The largest |d| that a room can show, in the unit of the result. It matters only where all boards
        gave the same x (`without_spread`).
    divisor : int
        What the sums were multiplied by to be integers.
    """
    if sums.n == 0:
        return None
    mean = (sums.margins[0] + sums.margins[1]) / (2 * sums.n * divisor)
    variance = _variance_of_x(sums) if sums.n > 1 else 0.0
    if variance == 0:
        return without_spread(mean, sums.n, min(-limit, mean), max(limit, mean))
    return t_interval(mean, variance / sums.n / divisor**2, sums.n)


def _variance_of_x(sums: RoomSums) -> float:
    n, total, (p00, p11, p01) = sums.n, sums.margins[0] + sums.margins[1], sums.products
    return (n * (p00 + p11 + 2 * p01) - total * total) / (4 * n * (n - 1))


def room_correlation(sums: RoomSums) -> float | None:
    """The correlation of d0 and d1, -1 to 1; negative where the luck of the deal dominates.

    None with fewer than two boards, or when a room's margin never changed.
    """
    if sums.n < 2:
        return None
    v0, v1, c = sums.covariances()
    return max(-1.0, min(1.0, c / math.sqrt(v0 * v1))) if v0 > 0 and v1 > 0 else None


def variance_factor(sums: RoomSums) -> float | None:
    """How many times the variance of the mean would be larger without pairing, for as many hands played.

    Each room on deals of its own would give (v0 + v1) / 4n; paired it is (v0 + v1 + 2c) / 4n. With equal
    variances the factor is 1 / (1 + r), r the correlation of the rooms. None where the paired variance is 0
    (bots that play alike: pairing then removes all luck) or unknown.

    Examples
    --------
    Four boards with margins 3, -1, 5, 1 in one room and -1, 1, -5, 1 in the other:

    >>> round(variance_factor(RoomSums(4, (8, -4), (36, 28, -28))), 3)
    11.0
    """
    if sums.n < 2:
        return None
    v0, v1, _ = sums.covariances()
    paired = 4 * _variance_of_x(sums)
    return (v0 + v1) / paired if paired > 0 else None


def margin_per_hand(sums: RoomSums, hands: Sequence[int], limit: float) -> Estimate | None:
    """A's margin per hand as a ratio of sums over units, so that long games count by their hands.

    Parameters
    ----------
    sums : RoomSums
        Margins of whole games (or of boards).
    hands : sequence of 3 int
        Sums over units of (d0 + d1) * hands, hands and hands**2, hands counted in both rooms.
    limit : float
        The largest margin that a hand can show.
    """
    with_margin, total, squares = hands
    p00, p11, p01 = sums.products
    num = sums.margins[0] + sums.margins[1]
    return ratio(RatioSums(sums.n, num, total, p00 + p11 + 2 * p01, with_margin, squares), -limit, limit)
