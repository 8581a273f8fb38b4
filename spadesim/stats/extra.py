"""Where more boards help a ranking most: at the pair of neighbours about whom least is known.

"Until every pair is significant" never ends, for equal players never separate. So a question is closed when
two neighbours in the ranking are separated, or when their difference is surely smaller than anybody cares
about (the indifference zone); and no match gets more boards than a cap.
"""

from dataclasses import dataclass

import numpy as np

from spadesim.stats.common import MatchMoments
from spadesim.stats.matrix import Pairs
from spadesim.stats.ratings import Ratings, adjacent, solver, variances


@dataclass(frozen=True)
class RankingAim:
    """When a ranking is sure enough.

    Parameters
    ----------
    indifference : float, at least 0
        Differences of ratings that nobody cares about.
    block : int, at least 1
        Boards that are added to one match at a time, as far as the cap allows.
    cap : int
        The most boards that a match gets.
    """

    indifference: float
    block: int
    cap: int

    def size(self, played: int) -> int:
        """Boards of the next block of a match that has played so many; the last one may be shorter.

        >>> aim = RankingAim(0.0, 500, 1200)
        >>> aim.size(500), aim.size(1000), aim.size(1200)
        (500, 200, 0)
        """
        return max(0, min(self.block, self.cap - played))


def open_questions(ratings: Ratings, indifference: float) -> list[tuple[int, int]]:
    """Neighbours in the ranking that are neither separated nor surely close enough, the least certain first.

    Least certain is where the joint interval of the difference is widest beside what it has to tell: the
    difference seen, or the indifference zone where that is larger.
    """
    margins, sizes, separated = ratings.margins(), np.abs(ratings.differences), ratings.separated()
    found = []
    for i, j in adjacent(ratings.values):
        margin, size = float(margins[i, j]), float(sizes[i, j])
        if margin > 0 and not separated[i, j] and size + margin > indifference:
            found.append((max(size, indifference) / margin, i, j))
    return [(i, j) for _, i, j in sorted(found)]


def next_match(pairs: Pairs, moments: MatchMoments, ratings: Ratings, aim: RankingAim) -> int | None:
    """The match that should get the next block of boards; None when none should.

    For the least certain question it is the match whose block takes most off the variance of the difference;
    among players who all met, their own match. A question whose match is at the cap is left open, and the
    next one is looked at.
    """
    helps = solver(len(ratings.values), pairs, moments)
    n = moments.units
    taken = variances(moments) * (1 / n - 1 / (n + aim.block))
    for i, j in open_questions(ratings, aim.indifference):
        match = int(((helps[i] - helps[j]) ** 2 * taken).argmax())
        if aim.size(int(n[match])):
            return match
    return None
