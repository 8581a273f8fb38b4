"""What hands bring the two sides, by where both of them stand before the hand.

A side's standing is how many tricks it is short of the target and how soon its bags cost it a penalty: near the
end a bot bids what it needs, and whoever is about to pay for bags plays otherwise. Games seldom reach most pairs
of standings, so hands are played from such pairs until each has enough (`seldom_seen`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.hands import HAND_ROW
from spadesim.core.rules import Rules

Ints = npt.NDArray[np.int64]

SHORT = (24, 20, 17, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # tricks short of the target: bands of scores
LEFT = (6, 3, 1)  # bags until a penalty: groups of numbers of bags
ROUGHLY = (24, 13, 6)  # bands for pairs of standings with hardly any hands
ENOUGH = 100  # hands that tell what a pair of standings brings
ENOUGH_ROUGHLY = 1000
SPREAD = (3242174889, 2447445414)  # 2^32 over the plastic number, and over its square: evenly spread pairs


class Standings:
    """Where sides stand: numbers from 0, of a band of scores and a group of numbers of bags.

    Parameters
    ----------
    rules : Rules
    """

    def __init__(self, rules: Rules) -> None:
        self.limit = rules.bag_limit
        self.borders, self.rough = (
            np.array([rules.target - tricks * rules.trick_value for tricks in bands])
            for bands in (SHORT, ROUGHLY)
        )
        self.n_groups = len(LEFT) + 1 if self.limit else 1
        self.n = (len(SHORT) + 1) * self.n_groups

    def groups(self, bags: Ints) -> Ints:
        """The groups of numbers of bags, from 0 for the fewest."""
        if not self.limit:
            return np.zeros_like(bags)
        return np.sum([self.limit - bags <= left for left in LEFT], axis=0, dtype=np.int64)

    def of(self, scores: Ints, bags: Ints) -> Ints:
        """The standings of sides with such scores and bags."""
        band = np.searchsorted(self.borders, scores, side="right")
        return np.asarray(band * self.n_groups + self.groups(bags), dtype=np.int64)


class _Cells:
    """Which hands belong to each pair of numbers.

    Parameters
    ----------
    own, other : int64 arrays, one number of each hand
    n : int
        How many numbers there are.
    """

    def __init__(self, own: Ints, other: Ints, n: int) -> None:
        cell = own * n + other
        self.n, self.order = n, np.argsort(cell, kind="stable")
        self.ends = np.searchsorted(cell[self.order], np.arange(n * n + 1))

    def __call__(self, own: int, other: int) -> Ints:
        """The hands of a pair, as indices."""
        cell = own * self.n + other
        return self.order[self.ends[cell] : self.ends[cell + 1]]

    def sizes(self) -> Ints:
        """How many hands each pair has, of shape (n, n)."""
        return np.diff(self.ends).reshape(self.n, self.n)


class Yields:
    """What hands brought the side that bade first and the other one, counted.

    Parameters
    ----------
    rules : Rules
    rows : array with the fields of `spadesim.core.hands.HAND_ROW`
    """

    def __init__(self, rules: Rules, rows: Any) -> None:
        pairs = [np.stack([rows["points"][:, k], rows["new_bags"][:, k]], axis=1) for k in range(2)]
        self.distinct, place = np.unique(np.concatenate(pairs), axis=0, return_inverse=True)
        place = place.reshape(-1)
        self.own, self.other = place[: len(rows)], place[len(rows) :]
        self.standings = Standings(rules)
        sides = range(2)
        exact = [self.standings.of(rows["scores"][:, k], rows["bags"][:, k]) for k in sides]
        rough = [np.searchsorted(self.standings.rough, rows["scores"][:, k], side="right") for k in sides]
        self._exact = _Cells(*exact, self.standings.n)
        self._rough = _Cells(*rough, len(ROUGHLY) + 1)
        self._rough_band = np.searchsorted(self.standings.rough, self.standings.borders, side="right")

    def joint(self, own: int, other: int) -> tuple[Ints, Ints, Ints]:
        """Yields of both sides, and how often they came together, where both stood like this.

        Standings that were hardly ever met take all hands about as near the target, or all there are.
        """
        found = self._exact(own, other)
        if len(found) < ENOUGH:
            found = self._rough(self._rough_of(own), self._rough_of(other))
        return self._count(found)

    def decider(self) -> tuple[Ints, Ints, Ints]:
        """The same for a hand that decides between level scores."""
        return self._count(self._rough(len(ROUGHLY), len(ROUGHLY)))

    def _rough_of(self, standing: int) -> int:
        band = standing // self.standings.n_groups
        return int(self._rough_band[band - 1]) if band else 0

    def _count(self, found: Ints) -> tuple[Ints, Ints, Ints]:
        if len(found) < ENOUGH_ROUGHLY and len(found) < ENOUGH:
            found = self._exact.order
        n = len(self.distinct)
        key, count = np.unique(self.own[found] * n + self.other[found], return_counts=True)
        return key // n, key % n, count


def seldom_seen(rules: Rules, rows: Any, enough: int) -> npt.NDArray[np.void]:
    """States to play a hand from, so that every pair of standings has enough hands.

    Both sides' scores and bags are those of sides that stood so, evenly taken from all of them.

    Parameters
    ----------
    rules : Rules
    rows : array with the fields of `spadesim.core.hands.HAND_ROW`
        Hands of whole games.
    enough : int
        Hands that each pair shall have; pairs of which a side never stood so get none.

    Returns
    -------
    array of HAND_ROW records
        `game` counts on from the last game.
    """
    usual, standings = rows[rows["extra"] == 0], Standings(rules)
    stood = [standings.of(usual["scores"][:, k], usual["bags"][:, k]) for k in range(2)]
    sizes = _Cells(*stood, standings.n).sizes()
    both = np.concatenate(stood)
    order = np.argsort(both, kind="stable")
    ends = np.searchsorted(both[order], np.arange(standings.n + 1))
    sides = [order[ends[k] : ends[k + 1]] for k in range(standings.n)]
    found = [
        _states(usual, sides[own], sides[other], enough - int(sizes[own, other]))
        for own in range(standings.n)
        for other in range(standings.n)
        if sizes[own, other] < enough and sides[own].size and sides[other].size
    ]
    states = np.concatenate([np.zeros(0, dtype=HAND_ROW), *found])
    states["game"] = int(rows["game"][-1]) + 1 + np.arange(len(states))
    return states


def _states(usual: Any, own: Ints, other: Ints, n: int) -> npt.NDArray[np.void]:
    """So many states put together from sides of states."""
    states = np.zeros(n, dtype=HAND_ROW)
    for k, (pool, spread) in enumerate(zip((own, other), SPREAD, strict=True)):
        at = pool[(((np.arange(n) + 1) * spread & 0xFFFFFFFF) * len(pool)) >> 32]
        side, hand = at // len(usual), at % len(usual)
        states["scores"][:, k] = usual["scores"][hand, side]
        states["bags"][:, k] = usual["bags"][hand, side]
        if k == 0:
            states["hands"] = usual["hands"][hand]
    return states
