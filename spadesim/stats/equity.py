"""The chance to win from every state of a game of two sides, by value iteration over what hands bring.

A game is a chain: the scores and bags of both sides and who bids first, then a hand, then the next such
state. What a hand of a reference bot brings is taken from games that it played against itself; with it, the
chance to win from a state is the mean chance from the states that may follow. That is solved by going over
all states again and again until nothing changes (value iteration; R. Bellman, "Dynamic Programming", 1957;
in backgammon such tables are called match equity tables).

The states before a hand are kept on a grid. Where the points of the rules allow it, the grid holds every
state that can occur: with tens of points and a bag counting 1, bags tell the last digit of a score. Otherwise
its scores lie `step` apart and whatever lies between is interpolated. What a hand brings depends on how near
the target both sides are, and how many bags they have (`spadesim.stats.yields`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.equity import GRID, MAX_BAG_LIMIT
from spadesim.core.rules import Rules
from spadesim.core.scoring import bag_periods, bags_after, ends_game
from spadesim.core.sweep import Cells, Moves, sweep
from spadesim.stats.yields import Grid, Yields

MAX_STATES = 900  # of one side; the table holds their square
MAX_BAG_POINTS = 11
MAX_HANDS = 20  # hands that a limit may count; a game hardly ever reaches a higher one
LOWEST_SHARE = 0.0005  # of visited scores that may lie below the grid of a game without a floor
CLOSE_ENOUGH = 5e-5
MAX_SWEEPS = 200
NICE_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)

Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Lattice:
    """The grid of one side's states.

    Parameters
    ----------
    base, step, n_scores : int
        Lowest score at no bags, points between two scores, and how many there are.
    bags : int64 array
        The numbers of bags that are points of the grid.
    offsets, tops : int64 arrays
        By number of bags: what its scores lie above `base`, and the last place at which a game goes on.
    is_exact : bool
        Whether every state that can occur is a point of the grid, save for scores below it.
    """

    base: int
    step: int
    n_scores: int
    bags: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    tops: npt.NDArray[np.int64]
    is_exact: bool

    @property
    def grid(self) -> Grid:
        """A score of the grid and points between two, as `spadesim.stats.yields` has it."""
        return None if self.is_exact else (self.base, self.step)


@dataclass(frozen=True)
class Solution:
    """Chances to win, as floats.

    Parameters
    ----------
    lattice : Lattice
    chances : float32 array of shape (hands, bags, scores, bags, scores)
        Of the side that bids first, its own state first.
    level : float32 array of shape (bags, bags)
        The same for level scores at the game's end.
    sweeps : int
        Rounds of the iteration.
    last_change : float
        The largest change of a chance in the last round.
    """

    lattice: Lattice
    chances: npt.NDArray[np.float32]
    level: npt.NDArray[np.float32]
    sweeps: int
    last_change: float


def n_counted_hands(rules: Rules) -> int:
    """How many numbers of hands played a table tells apart; 1 where games have no limit, or a far one."""
    return rules.max_hands if 0 < rules.max_hands <= MAX_HANDS else 1


def lattice_for(rules: Rules, scores: npt.NDArray[np.int64]) -> Lattice:
    """The grid for a game.

    Parameters
    ----------
    rules : Rules
    scores : int64 array
        Scores that occurred, to see how low a game without a floor goes.
    """
    low, high = _open_scores(rules, scores)
    limit = rules.bag_limit
    n_bags = min(limit, MAX_BAG_POINTS) if limit else 1
    bags = np.round(np.linspace(0, max(limit - 1, 0), n_bags)).astype(np.int64)
    unit = _unit(rules)
    is_exact = n_bags == max(limit, 1) and (high - low) // unit * n_bags <= MAX_STATES
    if is_exact:
        step, base = unit, -(-(low - unit + 1) // unit) * unit if low % unit else low
        offsets = rules.overtrick_value * bags % step
        n_scores = int((high - base) // step + 1)
    else:
        least = math.ceil((high - low) * n_bags / MAX_STATES)
        step = next((nice for nice in NICE_STEPS if nice >= least), least)
        top = rules.target - (step + 1) // 2  # what a bot bids changes at whole steps below the target
        base, offsets = top - step * math.ceil((top - low) / step), np.zeros(n_bags, dtype=np.int64)
        n_scores = int((high - base) // step + 2)  # one more than are read, for what lies above the last
    tops = (high - base - offsets) // step
    return Lattice(int(base), step, n_scores, bags, offsets, tops, bool(is_exact))


def grid_record(rules: Rules, lattice: Lattice, n_starts: int) -> npt.NDArray[np.void]:
    """The grid as the engine reads it: an array of one GRID record."""
    record = np.zeros(1, dtype=GRID)
    grid = record[0]
    grid["is_on"], grid["n_hands"], grid["n_starts"] = 1, n_counted_hands(rules), n_starts
    grid["n_scores"], grid["n_bags"] = lattice.n_scores, len(lattice.bags)
    grid["n_states"], grid["is_exact"] = lattice.n_scores * len(lattice.bags), 0
    if lattice.is_exact and len(lattice.bags) == rules.bag_limit:
        grid["is_exact"] = 1
    grid["lowest"], grid["step"] = lattice.base, lattice.step
    grid["offsets"][: len(lattice.bags)], grid["tops"][: len(lattice.bags)] = lattice.offsets, lattice.tops
    bags = np.arange(MAX_BAG_LIMIT)
    points = np.clip(np.searchsorted(lattice.bags, bags, side="right") - 1, 0, len(lattice.bags) - 1)
    above = bags - lattice.bags[points]
    gaps = lattice.bags[np.minimum(points + 1, len(lattice.bags) - 1)] - lattice.bags[points]
    grid["bag_points"] = points
    grid["bag_above"], grid["bag_gaps"] = np.where(gaps > 0, above, 0), np.maximum(gaps, 1)
    return record


def _open_scores(rules: Rules, scores: npt.NDArray[np.int64]) -> tuple[int, int]:
    """The lowest and the highest score at which a game goes on; without a floor, the lowest usual one."""
    high = rules.target - 1 if rules.target_inclusive else rules.target
    if rules.floor is not None:
        return rules.floor + (1 if rules.floor_inclusive else 0), high
    usual = int(np.quantile(scores, LOWEST_SHARE)) if scores.size else 0
    return min(usual, -10 * rules.trick_value), high


def _unit(rules: Rules) -> int:
    """The points that every score is a multiple of, once what the number of bags tells is taken off."""
    values = [rules.trick_value, rules.boston_bonus]
    if rules.nil_allowed:
        values += [rules.nil_value, rules.nil_penalty]
    if rules.blind_nil != "off":
        values += [rules.blind_nil_value, rules.blind_nil_penalty]
    if rules.bag_limit:
        values.append(rules.bag_penalty)
    carries = rules.bag_limit and rules.bag_rollover == "carry"
    values.append(rules.overtrick_value * (rules.bag_limit if carries else 1))
    return math.gcd(*values)


def solve(
    rules: Rules, rows: Any, workers: int = 1, progress: Progress | None = None, more: Any = None
) -> Solution:
    """The chance to win from every state, for the side that bids first.

    Parameters
    ----------
    rules : Rules
        With two sides.
    rows : array with the fields of `spadesim.core.hands.HAND_ROW`
        What hands brought, from whole games.
    workers : int
        Threads; never changes the result.
    progress : function, optional
        Called with rounds done and, roughly, rounds in all.
    more : array like `rows`, optional
        What hands brought that were played from states of their own.
    """
    lattice = lattice_for(rules, rows["scores"])
    yields = Yields(rules, rows if more is None else np.concatenate([rows, more]), lattice.grid)
    cells = _cells(rules, lattice, yields)
    moves = _moves(rules, lattice, cells, yields)
    level = _level(rules, lattice, yields)
    n_hands = n_counted_hands(rules)
    shape = (len(lattice.bags), lattice.n_scores) * 2
    chances = np.zeros((n_hands, *shape), dtype=np.float32)
    step = _Step(rules, cells, moves, level, workers)
    if n_hands > 1:
        after = np.zeros(shape, dtype=np.float32)
        for hand in reversed(range(n_hands)):
            chances[hand] = after = step(after, is_last=hand == n_hands - 1)
        return Solution(lattice, chances, level, n_hands, 0.0)
    found, change, n = _first_guess(rules, lattice), 1.0, 0
    while change > CLOSE_ENOUGH and n < MAX_SWEEPS:
        better = step(found, is_last=False)
        change, found, n = float(np.abs(better - found).max()), better, n + 1
        if progress is not None:
            progress(n, max(n + 1, 20))
    chances[0] = found
    return Solution(lattice, chances, level, n, change)


class _Step:
    """One round, the bags of the other side shared out among threads."""

    def __init__(self, rules: Rules, cells: Cells, moves: Moves, level: Any, workers: int) -> None:
        self.rules, self.cells, self.moves, self.level = rules.record(), cells, moves, level
        self.parts = [part for part in np.array_split(np.arange(cells.n_bags), workers) if part.size]

    def __call__(self, after: npt.NDArray[np.float32], is_last: bool) -> npt.NDArray[np.float32]:
        out = np.zeros_like(after)
        after = np.ascontiguousarray(after.transpose(2, 3, 0, 1))
        work: Any = sweep

        def do(part: Any) -> None:
            work(self.rules, self.cells, self.moves, after, self.level, is_last, part, out)

        do(self.parts[0][:0])  # compiles
        with ThreadPoolExecutor(len(self.parts)) as pool:
            list(pool.map(do, self.parts))
        for point, top in enumerate(self.cells.tops):  # beyond the end: never read
            out[point, top + 1 :] = out[point, top]
            out[:, :, point, top + 1 :] = out[:, :, point, top : top + 1]
        return out


def _first_guess(rules: Rules, lattice: Lattice) -> npt.NDArray[np.float32]:
    """A chance that grows with the lead, and the more the nearer the end is."""
    scores = lattice.base + lattice.offsets[:, None] + lattice.step * np.arange(lattice.n_scores)
    own, other = scores[:, :, None, None], scores[None, None]
    left = np.maximum(2 * rules.target - own - other, rules.trick_value) / rules.trick_value
    lead = (own - other) / rules.trick_value
    return np.asarray(1 / (1 + np.exp(-lead / (1.5 * np.sqrt(left)))), dtype=np.float32)


def _cells(rules: Rules, lattice: Lattice, yields: Yields) -> Cells:
    """Cells that reach as far as any hand that was seen."""
    unit = _unit(rules) if not lattice.is_exact else lattice.step
    unit = math.gcd(unit, lattice.step)
    worst = rules.bag_penalty * (2 + int(yields.distinct[:, 1].max()) // max(rules.bag_limit, 1))
    below = (int(-yields.distinct[:, 0].min()) + worst) // lattice.step + 2
    above = int(yields.distinct[:, 0].max()) // lattice.step + 3
    n_places, n_fine = below + lattice.n_scores + above, lattice.step // unit
    record = rules.record()
    opens = np.zeros((len(lattice.bags), n_fine, 2), dtype=np.int64)
    for point, offset in enumerate(lattice.offsets.tolist()):
        for fine in range(n_fine):
            scores = lattice.base + offset + unit * fine + lattice.step * (np.arange(n_places) - below)
            goes_on = np.flatnonzero([not ends_game(record, score) for score in scores.tolist()])
            opens[point, fine] = goes_on[0], goes_on[-1]
    return Cells(
        offsets=lattice.offsets,
        tops=lattice.tops,
        base=lattice.base,
        step=lattice.step,
        unit=unit,
        n_scores=lattice.n_scores,
        n_bags=len(lattice.bags),
        n_fine=n_fine,
        below=below,
        n_places=n_places,
        opens=opens,
    )


def _moves(rules: Rules, lattice: Lattice, cells: Cells, yields: Yields) -> Moves:
    n, n_bags = len(yields.distinct), len(lattice.bags)
    terms = 1 if n_bags == max(rules.bag_limit, 1) else 2
    points, fine, shift = np.zeros((3, n, n_bags, terms), dtype=np.int64)
    weights = np.zeros((n, n_bags, terms), dtype=np.float32)
    for k, (brought, new_bags) in enumerate(yields.distinct.tolist()):
        for at, bags in enumerate(lattice.bags.tolist()):
            gain, after = after_hand(rules, brought, bags, new_bags)
            for term, (point, weight) in enumerate(_bag_points(lattice, after)):
                far = lattice.offsets[at] + gain - lattice.offsets[point]
                points[k, at, term], weights[k, at, term] = point, weight
                shift[k, at, term] = far // lattice.step
                fine[k, at, term] = far % lattice.step // cells.unit
    borders = yields.standings.borders
    bands = np.searchsorted(lattice.base + lattice.step * np.arange(lattice.n_scores), borders)
    bands = np.unique(np.concatenate([[0], bands, [lattice.n_scores]]))
    return Moves(points, fine, shift, weights, bands, *_joint(yields, lattice, bands))


def after_hand(rules: Rules, brought: int, bags: int, new_bags: int) -> tuple[int, int]:
    """What a hand adds to a side's score, penalties taken, and the bags it has then.

    Parameters
    ----------
    rules : Rules
    brought : int
        Points without bag penalties.
    bags, new_bags : int
        Before the hand, and brought by it.
    """
    record = rules.record()
    penalty = int(bag_periods(record, bags, new_bags)) * rules.bag_penalty
    return brought - penalty, int(bags_after(record, bags, new_bags))


def _bag_points(lattice: Lattice, bags: int) -> list[tuple[int, float]]:
    """The points of the bags' grid around a number of bags, and what each counts."""
    if len(lattice.bags) == 1:
        return [(0, 1.0)]
    point = int(np.searchsorted(lattice.bags, bags, side="right")) - 1
    if lattice.bags[point] == bags:
        return [(point, 1.0)]
    gap = int(lattice.bags[point + 1] - lattice.bags[point])
    above = (bags - int(lattice.bags[point])) / gap
    return [(point, 1 - above), (point + 1, above)]


def _joint(yields: Yields, lattice: Lattice, bands: Ints) -> tuple[Any, Any, Any, Any]:
    """The joint distributions of all states, and each as rows of a sparse table."""
    n, n_bags = len(yields.distinct), len(lattice.bags)
    scores = np.repeat(lattice.base + lattice.step * bands[:-1], n_bags)
    sides = yields.sides(scores, np.tile(lattice.bags, len(bands) - 1))
    found: dict[tuple[int, int, int], int] = {}
    kinds = [[found.setdefault(yields.kind(own, other), len(found)) for other in sides] for own in sides]
    starts, others, shares, begin = np.zeros((len(found), n + 1), dtype=np.int64), [], [], 0
    for k, kind in enumerate(found):
        own, other, count = yields.joint(kind)
        starts[k] = begin + np.searchsorted(own, np.arange(n + 1))
        others.append(other)
        shares.append(count / count.sum())
        begin += len(own)
    shape = (len(bands) - 1, n_bags) * 2
    return (
        np.array(kinds).reshape(shape),
        starts,
        np.concatenate(others),
        np.concatenate(shares).astype(np.float32),
    )


def _level(rules: Rules, lattice: Lattice, yields: Yields) -> npt.NDArray[np.float32]:
    """The first bidder's chance where one more hand decides between level scores.

    A further draw counts half. That the hand may take both below the target again is left out.
    """
    own, other, count = yields.decider()
    n = len(lattice.bags)
    level = np.zeros((n, n), dtype=np.float32)
    gains = np.array([
        [after_hand(rules, brought, bags, new_bags)[0] for brought, new_bags in yields.distinct.tolist()]
        for bags in lattice.bags.tolist()
    ])  # fmt: skip
    for row in range(n):
        for column in range(n):
            lead = gains[row][own] - gains[column][other]
            level[row, column] = (count * ((lead > 0) + 0.5 * (lead == 0))).sum() / count.sum()
    return level
