"""Whole games on the same deals: in pairs, the sides swapped, or in as many rooms as a seating has.

What a pair of games says is one number, A's score over both games divided by two: 0, 1/4, 1/2, 3/4 or 1.
Pairs are independent of each other; the two games of a pair are not, so 2N games are never counted as 2N
results. At tables of three or four single players a *set* of six games takes the place of a pair.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from spadesim.stats.intervals import TAIL, Z_POWER, Estimate, Z
from spadesim.stats.proportions import RatioSums

LOSS, DRAW, WIN, UNFINISHED = range(4)
UNFINISHED_LIMIT = 0.005  # above this share, what the unfinished games hide may decide
PRIOR_WEIGHT = 0.5

Outcomes = Sequence[Sequence[int]]
"""Pairs by A's result in room 0 (rows) and in room 1 (columns): loss, draw, win, unfinished."""


@dataclass(frozen=True)
class GameStats:
    """What the games of a duel came to, from A's side.

    Parameters
    ----------
    pairs, games : int
        Pairs played and games in them, unfinished ones included.
    wins, draws, losses, unfinished : int
        Games by A's result.
    win_rate : Estimate or None
        A's share of the finished games, a draw as half a win; None when no game was finished.
    worst_case : tuple of 2 float, or None
        The same share over all games if A had lost, or won, every unfinished one; None without games.
    variance_factor : float or None
        How many times the variance of the win rate would be larger for as many games on deals of their own.
    """

    pairs: int
    games: int
    wins: int
    draws: int
    losses: int
    unfinished: int
    win_rate: Estimate | None
    worst_case: tuple[float, float] | None
    variance_factor: float | None

    @property
    def is_decidable(self) -> bool:
        """Whether few enough games were unfinished for a verdict."""
        return self.win_rate is not None and is_decidable(self.unfinished, self.games)


def is_decidable(unfinished: int, games: int) -> bool:
    """Whether so few games were unfinished, 0.5 % at most, that they do not hide who is better."""
    return unfinished <= UNFINISHED_LIMIT * games


def game_stats(outcomes: Outcomes) -> GameStats:
    """What a table of outcomes says.

    Parameters
    ----------
    outcomes : 4 x 4 ints, see `Outcomes`

    Examples
    --------
    Of 100 pairs A won both games of 40, one game of 50 and none of 10:

    >>> stats = game_stats([[10, 0, 25, 0], [0, 0, 0, 0], [25, 0, 40, 0], [0, 0, 0, 0]])
    >>> stats.wins, stats.win_rate.mean, round(stats.win_rate.low, 2), round(stats.win_rate.high, 2)
    (130, 0.65, 0.58, 0.71)
    """
    rows = [[int(count) for count in row] for row in outcomes]
    by_result = [sum(rows[k]) + sum(row[k] for row in rows) for k in range(4)]
    return _stats(sum(map(sum, rows)), by_result, win_rate(rows), variance_factor(rows))


def set_stats(shares: Outcomes, room_results: Sequence[Sequence[int]]) -> GameStats:
    """What sets of games say that were played in any number of rooms.

    Parameters
    ----------
    shares : sequence of sequences of int
        Sets by their finished games (rows) and A's half points in these, 2 for a win (columns), both from 0.
    room_results : sequence of 4 int for each room
        Games by A's result.
    """
    rows = [[int(count) for count in row] for row in shares]
    by_result = [sum(int(room[result]) for room in room_results) for result in range(4)]
    rate = share_interval(_share_sums(rows), len(room_results))
    return _stats(sum(map(sum, rows)), by_result, rate, _set_variance_factor(rows, room_results))


def _stats(sets: int, by_result: Sequence[int], rate: Estimate | None, factor: float | None) -> GameStats:
    """What pairs or sets of games come to, from the number of games by A's result."""
    games, score = sum(by_result), by_result[WIN] + by_result[DRAW] / 2
    return GameStats(
        pairs=sets,
        games=games,
        wins=by_result[WIN],
        draws=by_result[DRAW],
        losses=by_result[LOSS],
        unfinished=by_result[UNFINISHED],
        win_rate=rate,
        worst_case=(score / games, (score + by_result[UNFINISHED]) / games) if games else None,
        variance_factor=factor,
    )


def _share_sums(rows: Sequence[Sequence[int]]) -> RatioSums:
    cells = [(y, d, count) for d, row in enumerate(rows) for y, count in enumerate(row) if count and d]
    return RatioSums(
        sum(count for *_, count in cells),
        *(sum(f(y, d) * count for y, d, count in cells) for f in _PRODUCTS),
    )


_PRODUCTS: tuple[Callable[[int, int], int], ...] = (
    lambda y, d: y,
    lambda y, d: d,
    lambda y, d: y * y,
    lambda y, d: y * d,
    lambda y, d: d * d,
)


def _set_variance_factor(
    rows: Sequence[Sequence[int]], room_results: Sequence[Sequence[int]]
) -> float | None:
    """The rooms' variances added up over the variance of sets with all games finished."""
    apart = sum(_variance(list(enumerate(room[:UNFINISHED]))) for room in room_results)
    paired = _variance(list(enumerate(rows[len(room_results)])))
    return apart / paired if paired > 0 else None


def _variance(counted: Sequence[tuple[int, int]]) -> float:
    """The sample variance of values with their counts, 0 for fewer than two."""
    n, total, squares = (sum(int(c) * v**k for v, c in counted) for k in range(3))
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0


def win_rate(outcomes: Outcomes) -> Estimate | None:
    """A's share of the finished games with a 95 % interval over pairs; None when no game was finished.

    A pair with one finished game counts as that one game. Interval: `share_interval`.
    """
    return share_interval(_sums(outcomes))


def seat_win_rate(outcomes: Outcomes) -> Estimate | None:
    """The share won by the side at seats 0 and 2, which is A's in room 0 and B's in room 1."""
    swapped = [[row[WIN], row[DRAW], row[LOSS], row[UNFINISHED]] for row in outcomes]
    return win_rate(swapped)


def opener_win_rate(outcomes: Outcomes, won: int, lost: int) -> Estimate | None:
    """The share won by the side that led a game's first hand, with an interval over pairs.

    Both games of a pair open from the same seat, so for one room A led and for the other B. Their sum of
    scores is off 1 by as much as A's two results differ; that gives the variance, about 1/2, without
    knowing which was which.

    Parameters
    ----------
    outcomes : 4 x 4 ints, see `Outcomes`
    won, lost : int, finished games won by the side that led first, and against it
    """
    finished = _sums(outcomes).den
    if finished == 0:
        return None
    share = 0.5 + (won - lost) / (2 * finished)
    squares = 0.0
    for first, second, count in _cells(outcomes):
        scores = [result / 2 for result in (first, second) if result != UNFINISHED]
        off = scores[0] - scores[1] if len(scores) == 2 else sum(scores) - len(scores) / 2
        squares += count * off * off
    # As in `share_interval`, half a pair lost, split and won beside those seen: off 1 by 1, 0 and 1.
    half = Z * math.sqrt(squares + 2 * PRIOR_WEIGHT) / (finished + 6 * PRIOR_WEIGHT)
    return Estimate(share, max(0.0, share - half), min(1.0, share + half))


def share_interval(sums: RatioSums, n_rooms: int = 2) -> Estimate | None:
    """A share of games with its 95 % interval over pairs, which is sound also where all pairs went alike.

    Parameters
    ----------
    sums : RatioSums
        Over pairs; `num` counts half points (0, 1 or 2 a game), `den` finished games.
    n_rooms : int
        Games on the same deals: 2 in a pair, more in a set.

    Notes
    -----
    The usual t interval over pairs has no width when all pairs show the same score, and far too little when
    almost all do: with a true win rate of 99.5 % it misses in 37 of 100 matches of 100 pairs. So half a
    pair lost, half a pair split and half a pair won are added to those seen, which is Jeffreys' prior on
    these three (for a single proportion see Brown, Cai and DasGupta, Statistical Science 16, 2001). Mean
    and linearised variance of the share are taken from the enlarged sample, and the interval is that of the
    beta distribution which has them, so that it never leaves 0 to 1. From a few hundred pairs with some
    spread on it equals the t interval to three digits. The mean reported is that of the pairs seen.
    """
    if sums.den == 0:
        return None
    from scipy.special import betaincinv

    n = sums.n + 3 * PRIOR_WEIGHT
    once, twice = PRIOR_WEIGHT * n_rooms, PRIOR_WEIGHT * n_rooms**2
    num, den = sums.num / 2 + 1.5 * once, sums.den + 3 * once
    num_num = sums.num_num / 4 + 1.25 * twice  # scores of no game, half of them and all
    num_den = sums.num_den / 2 + 1.5 * twice
    den_den = sums.den_den + 3 * twice
    share = num / den
    variance = n / (n - 1) * (num_num - 2 * share * num_den + share * share * den_den) / (den * den)
    weight = max(share * (1 - share) / variance - 1, 1e-9)
    ends = [float(betaincinv(share * weight, (1 - share) * weight, tail)) for tail in (TAIL, 1 - TAIL)]
    mean = sums.num / 2 / sums.den
    return Estimate(mean, min(mean, ends[0]), max(mean, ends[1]))


def variance_factor(outcomes: Outcomes) -> float | None:
    """How many times the variance of the win rate would be larger for as many games on deals of their own.

    1 / (1 + r) with r the correlation of A's results in the two rooms, when both rooms vary alike; over
    pairs with both games finished. None when the pairs' scores do not vary, or with fewer than two pairs.
    """
    n, s0, s1, p00, p11, p01 = (0,) * 6
    for first, second, count in _cells(outcomes):
        if UNFINISHED not in (first, second):
            n += count
            s0, s1 = s0 + count * first, s1 + count * second
            p00, p11 = p00 + count * first**2, p11 + count * second**2
            p01 += count * first * second
    apart = n * (p00 + p11) - s0 * s0 - s1 * s1
    paired = apart + 2 * (n * p01 - s0 * s1)
    return apart / paired if paired > 0 else None


def pairs_to_decide(estimate: Estimate, pairs: int, level: float = 0.5) -> float | None:
    """Pairs in all that would separate a difference of the size seen from `level`, four times in five.

    Parameters
    ----------
    estimate : Estimate
        A win rate (or points a board) after `pairs` pairs.
    pairs : int
        How many gave it.
    level : float
        What no difference looks like: 0.5 for a win rate, 0 for points.

    Returns
    -------
    float or None
        ((z_0.975 + z_0.8) * sd / difference)**2, the sample size of a two-sided 5 % test with 80 % power;
        None when there is no difference to confirm.
    """
    difference = estimate.mean - level
    if difference == 0:
        return None
    error = (estimate.high - estimate.low) / (2 * Z)
    return pairs * ((Z + Z_POWER) * error / difference) ** 2


def _cells(outcomes: Outcomes) -> Iterator[tuple[int, int, int]]:
    """A's results in both rooms and how many pairs had them."""
    for first, row in enumerate(outcomes):
        for second, count in enumerate(row):
            if count:
                yield first, second, int(count)


def _sums(outcomes: Outcomes) -> RatioSums:
    """Sums over the pairs with a finished game; a result's number is its half points."""
    n = num = den = num_num = num_den = den_den = 0
    for first, second, count in _cells(outcomes):
        points = [result for result in (first, second) if result != UNFINISHED]
        y, d = sum(points), len(points)
        n += count if d else 0
        num, den = num + count * y, den + count * d
        num_num, num_den, den_den = num_num + count * y * y, num_den + count * y * d, den_den + count * d * d
    return RatioSums(n, num, den, num_num, num_den, den_den)
