"""What hands bring the two sides, by where both of them stand before the hand.

A side's standing is how many tricks it is short of the target and how soon its bags cost it a penalty: near
the end a bot bids what it needs, and whoever is about to pay for bags plays otherwise. Where both may win in
this hand the last digits of the scores decide, so that every number of bags counts by itself. Games seldom
reach most pairs of standings: hands are played from such pairs until each has enough (`seldom_seen`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.hands import HAND_ROW
from spadesim.core.rules import Rules

Ints = npt.NDArray[np.int64]

SHORT = (24, 20, 17, 14, 12, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)  # tricks short of the target: bands of scores
CLOSE = 6  # tricks short of the target from which every number of bags counts
MOST_BAGS = 11  # limit up to which it does
LEFT = (6, 3, 1)  # bags until a penalty: groups of numbers of bags
ROUGHLY = (24, 13, 6)  # bands for pairs of standings with hardly any hands
ENOUGH = 100  # hands that tell what a pair of standings brings
SPREAD = (3242174889, 2447445414)  # 2^32 over the plastic number, and over its square: evenly spread pairs
N_WAYS = 3
Grid = tuple[int, int] | None
Kind = tuple[int, int, int]  # the way that standings are told apart, and those of both sides


class Standings:
    """Where sides stand, told apart in three ways: near the end, anywhere, and roughly. Numbers from 0.

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
        self.n_bags = max(self.limit, 1)
        self.n = (len(SHORT) + 1) * max(len(LEFT) + 1, min(self.n_bags, MOST_BAGS))

    def __call__(self, scores: Ints, bags: Ints) -> tuple[Ints, Ints, Ints]:
        """The standings of sides, in each way; -1 for sides that are not near the end."""
        band = np.searchsorted(self.borders, scores, side="right")
        is_close = (band > len(SHORT) - CLOSE) & (self.n_bags <= MOST_BAGS)
        close = np.where(is_close, band * self.n_bags + bags, -1)
        groups = np.zeros_like(bags)
        if self.limit:
            groups = np.sum([self.limit - bags <= left for left in LEFT], axis=0, dtype=np.int64)
        rough = np.searchsorted(self.rough, scores, side="right")
        return close, band * (len(LEFT) + 1) + groups, rough


class _Cells:
    """Which hands belong to each pair of standings.

    Parameters
    ----------
    own, other : int64 arrays, the standings of both sides at each hand, -1 for none
    n : int
        How many standings there are.
    """

    def __init__(self, own: Ints, other: Ints, n: int) -> None:
        cell = (own + 1) * (n + 1) + other + 1
        self.n, self.order = n, np.argsort(cell, kind="stable")
        self.ends = np.searchsorted(cell[self.order], np.arange((n + 1) ** 2 + 1))

    def __call__(self, own: int, other: int) -> Ints:
        """The hands of a pair, as indices."""
        cell = (own + 1) * (self.n + 1) + other + 1
        return self.order[self.ends[cell] : self.ends[cell + 1]]


class Yields:
    """What hands brought the side that bade first and the other one, counted.

    Parameters
    ----------
    rules : Rules
    rows : array with the fields of `spadesim.core.hands.HAND_ROW`
    grid : tuple of 2 int, optional
        A score of the grid and points between two, where not every score that occurs is on it.
    """

    def __init__(self, rules: Rules, rows: Any, grid: Grid = None) -> None:
        self.standings = Standings(rules)
        points, bags = (np.concatenate([*part.T]) for part in (self._points(rows, grid), rows["new_bags"]))
        many = int(bags.max()) + 1
        distinct, place = np.unique(points * many + bags, return_inverse=True)
        self.distinct = np.stack([distinct // many, distinct % many], axis=1)
        self.own, self.other = place[: len(rows)], place[len(rows) :]
        self._cells = _cells(self.standings, rows)

    def _points(self, rows: Any, grid: Grid) -> Ints:
        """What hands brought both sides; near the end, as from the grid's scores to where they led.

        For then the last digits settle who has won, and those of a grid are all the same.
        """
        points, scores = rows["points"], rows["scores"]
        if grid is None:
            return np.asarray(points)
        base, step = grid
        nearest = base + step * ((scores - base + step // 2) // step)
        is_near = (self.standings.rough[-1] <= scores).all(axis=1, keepdims=True)
        return np.asarray(points + np.where(is_near, scores - nearest, 0))

    def sides(self, scores: Ints, bags: Ints) -> list[list[int]]:
        """The standings of sides, each in every way."""
        return [
            list(side) for side in zip(*(way.tolist() for way in self.standings(scores, bags)), strict=True)
        ]

    def kind(self, own: list[int], other: list[int]) -> Kind:
        """The finest way to tell two sides' standings for which there are hands enough, and these standings.

        Parameters
        ----------
        own, other : list of 3 int
            The standings of a side in every way, out of `sides`.
        """
        for way in range(N_WAYS):
            if own[way] >= 0 and other[way] >= 0 and len(self._cells[way](own[way], other[way])) >= ENOUGH:
                return way, own[way], other[way]
        return N_WAYS, 0, 0

    def joint(self, kind: Kind) -> tuple[Ints, Ints, Ints]:
        """Yields of both sides, and how often they came together, where both stood like this.

        Parameters
        ----------
        kind : tuple of 3 int
            Out of `kind`.
        """
        way, own, other = kind
        found = self._cells[way](own, other) if way < N_WAYS else np.arange(len(self.own))
        n = len(self.distinct)
        key, count = np.unique(self.own[found] * n + self.other[found], return_counts=True)
        return key // n, key % n, count

    def decider(self) -> tuple[Ints, Ints, Ints]:
        """The same for a hand that decides between level scores."""
        last = [-1, -1, len(ROUGHLY)]
        return self.joint(self.kind(last, last))


def _cells(standings: Standings, rows: Any) -> list[_Cells]:
    sides = [standings(rows["scores"][:, k], rows["bags"][:, k]) for k in range(2)]
    return [_Cells(own, other, standings.n) for own, other in zip(*sides, strict=True)]


def seldom_seen(rules: Rules, rows: Any, enough: tuple[int, int]) -> npt.NDArray[np.void]:
    """States to play a hand from, so that every pair of standings has enough hands.

    Both sides' scores and bags are those of sides that stood so, evenly taken from all of them.

    Parameters
    ----------
    rules : Rules
    rows : array with the fields of `spadesim.core.hands.HAND_ROW`
        Hands of whole games.
    enough : tuple of 2 int
        Hands that each pair shall have near the end, and anywhere. A standing that never came up gets none.

    Returns
    -------
    array of HAND_ROW records
        `game` counts on from the last game.
    """
    usual, standings = rows[rows["extra"] == 0], Standings(rules)
    states = np.concatenate([np.zeros(0, dtype=HAND_ROW), *_wanting(standings, usual, 0, enough[0])])
    more = np.concatenate([usual, states])
    states = np.concatenate([states, *_wanting(standings, more, 1, enough[1])])
    states["game"] = int(rows["game"][-1]) + 1 + np.arange(len(states))
    return states


def _wanting(standings: Standings, rows: Any, way: int, enough: int) -> Iterator[npt.NDArray[np.void]]:
    """States of every pair of standings that has come up less often than that."""
    cells = _cells(standings, rows)[way]
    both = np.concatenate([standings(rows["scores"][:, k], rows["bags"][:, k])[way] for k in range(2)])
    order = np.argsort(both, kind="stable")
    ends = np.searchsorted(both[order], np.arange(standings.n + 1))
    sides = {k: order[ends[k] : ends[k + 1]] for k in range(standings.n) if ends[k] < ends[k + 1]}
    for own, own_side in sides.items():
        for other, other_side in sides.items():
            wanted = enough - len(cells(own, other))
            if wanted > 0:
                yield _states(rows, own_side, other_side, wanted)


def _states(rows: Any, own: Ints, other: Ints, n: int) -> npt.NDArray[np.void]:
    """So many states put together from sides of states."""
    states = np.zeros(n, dtype=HAND_ROW)
    for k, (pool, spread) in enumerate(zip((own, other), SPREAD, strict=True)):
        at = pool[(((np.arange(n) + 1) * spread & 0xFFFFFFFF) * len(pool)) >> 32]
        side, hand = at // len(rows), at % len(rows)
        states["scores"][:, k] = rows["scores"][hand, side]
        states["bags"][:, k] = rows["bags"][hand, side]
        if k == 0:
            states["hands"] = rows["hands"][hand]
    return states
