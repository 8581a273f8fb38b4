"""The race of a sweep: all arms play the same boards, and those with little hope stop at fixed borders.

With a budget it is successive halving (Z. Karnin, T. Koren and O. Somekh, "Almost optimal exploration in
multi-armed bandits", ICML 2013): at each border the better half goes on, to twice the boards. With a width it
is a race of intervals (O. Maron and A. Moore, "Hoeffding races", NIPS 1994): at each border those stop whose
interval is narrow enough, and those that are surely worse than the best.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from spadesim.match.matches import stretches
from spadesim.stats.intervals import Estimate, without_spread
from spadesim.stats.multiple import Nested, apart_reach, holm, joint_reach, not_worse, p_values

FloatArray = npt.NDArray[np.float64]
Play = Callable[[Sequence[int], int, int], FloatArray]
"""Called with arms, the first board, and how many; returns the arms' gains, of shape (arms, boards)."""

FIRST_BORDER = 200  # boards that tell something of an arm
KEPT = 2  # arms that are never halved
MOST_VALUES = 50_000_000  # gains held in memory
CORRECTIONS = ("max-t", "holm")
BASELINE = 0  # the arm that all others are held against


@dataclass(frozen=True)
class RacePlan:
    """How long a race is, and who stops.

    Parameters
    ----------
    arms : int
        Besides the baseline, which is arm 0 and gains nothing.
    boards : int
        The most that an arm plays.
    is_race : bool
        Whether arms stop early.
    width : float or None
        Go on until every interval is no wider.
    limit : float
        The most that a board can show.

    Examples
    --------
    >>> RacePlan(21, 20_000).borders
    (1250, 2500, 5000, 10000, 20000)
    >>> RacePlan(21, 20_000).planned, RacePlan(21, 20_000, is_race=False).planned
    (90000, 420000)
    """

    arms: int
    boards: int
    is_race: bool = True
    width: float | None = None
    limit: float = 1.0

    @property
    def borders(self) -> tuple[int, ...]:
        """The numbers of boards at which is looked, rising, the last one the most of an arm."""
        if self.width is not None:
            doublings = max(0, int(math.log2(max(1, self.boards / FIRST_BORDER))))
        else:
            doublings = max(0, math.ceil(math.log2(max(1, self.arms) / KEPT))) if self.is_race else 0
            doublings = min(doublings, max(0, int(math.log2(max(1, self.boards / FIRST_BORDER)))))
        found = [-(-self.boards // 2**k) for k in range(doublings, -1, -1)]
        return tuple(found)

    @property
    def planned(self) -> int:
        """Boards of all arms together, without the baseline's; with a width, the most."""
        alive, done, total = self.arms, 0, 0
        for border in self.borders:
            total += alive * (border - done)
            done = border
            if self.is_race and self.width is None:
                alive = kept(alive)
        return total


def kept(alive: int) -> int:
    """How many of so many arms go on.

    >>> [kept(n) for n in (21, 3, 2, 1)]
    [11, 2, 2, 1]
    """
    return min(alive, max(KEPT, -(-alive // 2)))


class Race:
    """Plays a race, and says what came of it, also when it was broken off.

    Parameters
    ----------
    plan : RacePlan
    play : Play
    is_holm : bool
        Whether nothing is taken for known of how arms vary together.
    looked : function, optional
        Called with the race after each border.

    Attributes
    ----------
    sums : Nested
        Of all arms, the baseline first.
    alive : list of int
        Arms that play on.
    behind : set of int
        Arms that stopped because they did worse than others.
    worse : set of int
        Those of them that stopped because they were surely worse.
    """

    def __init__(
        self,
        plan: RacePlan,
        play: Play,
        is_holm: bool = False,
        looked: "Callable[[Race], None] | None" = None,
    ) -> None:
        self.plan, self.play, self.is_holm, self.looked = plan, play, is_holm, looked
        self.sums = Nested(plan.arms + 1)
        self.alive = list(range(1, plan.arms + 1))
        self.behind: set[int] = set()
        self.worse: set[int] = set()

    def run(self) -> None:
        """Play all of it, stretch by stretch; Ctrl-C leaves whole stretches."""
        done = 0
        for border in self.plan.borders:
            for first, size in self._pieces(done, border):
                values = self.play(self.alive, first, size)
                self.sums.add([BASELINE, *self.alive], np.vstack([np.zeros((1, size)), values]))
                vars(self).pop("reach", None)
            done = border
            if self.plan.width is not None:
                self._stop_decided(self.plan.width, is_last=border == self.plan.boards)
            elif self.plan.is_race and border != self.plan.boards:
                self._halve()
            if self.looked is not None:
                self.looked(self)
            if not self.alive:
                return

    def _pieces(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The boards between two borders in pieces that fit into memory: the first of each, and how many."""
        most = max(1, MOST_VALUES // len(self.alive))
        for begin, size in stretches(first, last - first):
            for done in range(0, size, most):
                yield begin + done, min(most, size - done)

    def left(self) -> int:
        """Boards that all arms will about play from now on, as far as their intervals tell."""
        n = self.sums.boards[self.alive]
        if self.plan.width is None:
            return int((self.plan.boards - n).sum())
        times = (2 * self.halves[self.alive] / self.plan.width) ** 2
        return int((np.minimum(n * times, self.plan.boards) - n).sum())

    def _halve(self) -> None:
        means = self.sums.means
        order = sorted(self.alive, key=lambda arm: -means[arm])  # stable: of equals the first ones stay
        self._stop(order[kept(len(order)) :], is_behind=True)

    def _stop_decided(self, width: float, is_last: bool) -> None:
        wide = 2 * self.halves > width
        self._stop([arm for arm in self.alive if not wide[arm]], is_behind=False)
        if self.plan.is_race and not is_last and self.alive:
            able = set(self.not_worse())
            self.worse.update(arm for arm in self.alive if arm not in able)
            self._stop(sorted(self.worse), is_behind=True)

    def _stop(self, arms: Sequence[int], is_behind: bool) -> None:
        if is_behind:
            self.behind.update(arms)
        self.alive = [arm for arm in self.alive if arm not in set(arms)]

    @property
    def boards(self) -> int:
        """The most boards that an arm has played."""
        return int(self.sums.boards.max(initial=0))

    @property
    def df(self) -> int:
        """Degrees of freedom at the first border."""
        return max(1, min(self.plan.borders[0], self.boards) - 1)

    @cached_property
    def reach(self) -> float:
        """Standard errors that hold all arms at all borders together."""
        looks = self.plan.borders
        if self.is_holm:
            return apart_reach(self.plan.arms * len(looks), self.df)
        return joint_reach(self.sums.correlation()[1:, 1:], looks, self.df)

    @property
    def halves(self) -> FloatArray:
        """Half the width of each arm's joint interval."""
        return self.sums.halves(self.reach, self.plan.limit)

    def gains(self) -> list[Estimate]:
        """Each arm's gain with an interval such that all of them hold together, in 95 of 100 sweeps."""
        means, halves, boards = self.sums.means, self.halves, self.sums.boards
        limit = self.plan.limit
        return [Estimate(0.0, 0.0, 0.0)] + [
            Estimate(float(means[arm]), float(means[arm] - halves[arm]), float(means[arm] + halves[arm]))
            if self.sums.different[arm]
            else without_spread(0.0, max(1, int(boards[arm])), -limit, limit)
            for arm in range(1, len(means))
        ]

    def p_values(self) -> list[float] | None:
        """Each arm's p value by Holm, 1 for the baseline; None when intervals decide."""
        if not self.is_holm:
            return None
        found = holm(p_values(self.sums, len(self.plan.borders))[1:])
        return [1.0, *found.tolist()]

    def winner(self) -> int:
        """The best of those that went on to the end, by the mean; the baseline when none is above it."""
        means = self.sums.means
        return max((arm for arm in range(len(means)) if arm not in self.behind), key=lambda arm: means[arm])

    def runner_up(self) -> int:
        """The best arm besides the baseline; of all arms where every one stopped behind the baseline."""
        means, arms = self.sums.means, range(1, len(self.sums.means))
        return max([arm for arm in arms if arm not in self.behind] or arms, key=lambda arm: means[arm])

    def not_worse(self) -> list[int]:
        """The arms that no other one surely beats: the best one is among them, in 95 of 100 sweeps.

        Neither on the boards that two have played, nor by ranges of gains of which one lies below the other.
        """
        gains = self.gains()
        floor = max(gain.low for gain in gains)
        able = [arm for arm, gain in enumerate(gains) if arm not in self.worse and gain.high >= floor]
        return not_worse(self.sums, self.plan.borders, self.df, able)
