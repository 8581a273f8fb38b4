"""The chance to win from a state of the game: a table, how it is read, and the states that boards start from.

A state is what two sides have between two hands: scores, bags, and whose turn it is to bid first. The table
holds the chance of the side that bids first, for a grid of scores and bags of both sides; the other side has
the rest, so that the chances of both always add up to `EQUITY_ONE`, exactly. What lies between the points of
the grid is interpolated linearly.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import jit, jit_within
from spadesim.core.position import first_side
from spadesim.core.rng import START, below_n, stream_tag, words
from spadesim.core.scoring import DRAW, GOES_ON, end_reached

EQUITY_ONE = 1 << 20  # a chance of 1
STEP_BITS = 8
TABLE_ONE = EQUITY_ONE >> STEP_BITS  # the same in a table, whose numbers shall be small for the memory's sake
MAX_BAG_LIMIT = 100

# How the table's numbers lie: `chances[hand, own bags, own score, other bags, other score]`, flat, with the
# side that bids first as "own"; then `level[own bags, other bags]`, for level scores at the game's end.
GRID = np.dtype((np.record, [
    ("is_on", np.int64),  # 0: there is no table, and no chance to be told
    ("is_exact", np.int64),  # 1: each number of bags is a point, and nearly all scores are
    ("n_states", np.int64),  # of one side: scores times bags
    ("n_hands", np.int64),  # states by hands played; 1 where that does not matter
    ("n_scores", np.int64),
    ("n_bags", np.int64),
    ("lowest", np.int64),  # of the scores of the grid, at no bags; records have a `base` of their own
    ("step", np.int64),  # points between two of its scores
    ("n_starts", np.int64),
    ("offsets", np.int64, (MAX_BAG_LIMIT,)),  # by point of the bags' grid, what its scores lie above `lowest`
    ("tops", np.int64, (MAX_BAG_LIMIT,)),  # by point of the bags' grid, the last place of a game that goes on
    # For each number of bags, the point of the grid at or below it, and how far it is to the next point: a
    # numerator and a denominator.
    ("bag_points", np.int64, (MAX_BAG_LIMIT,)),
    ("bag_above", np.int64, (MAX_BAG_LIMIT,)),
    ("bag_gaps", np.int64, (MAX_BAG_LIMIT,)),
]))  # fmt: skip

# A state that boards start from: of the side that bids first, then of the other.
START_STATE = np.dtype((np.record, [
    ("scores", np.int64, (2,)),
    ("bags", np.int64, (2,)),
    ("hands", np.int64),  # hands played so far, where the rules count them
    ("chance", np.int64),  # of the side that bids first to win, out of the table
]))  # fmt: skip


class EquityTable(NamedTuple):
    """Chances to win, as the engine reads them.

    Parameters
    ----------
    grid : array of one GRID record
    chances : int16 array
        In units of 1 / `TABLE_ONE`, as the comment of `GRID` has them.
    starts : array of START_STATE records
        Realistic states; boards draw theirs from these with equal chances.
    """

    grid: npt.NDArray[np.void]
    chances: npt.NDArray[np.int16]
    starts: npt.NDArray[np.void]


def no_equity() -> EquityTable:
    """A table that knows nothing: chances do not change, and boards start level."""
    return EquityTable(np.zeros(1, dtype=GRID), np.zeros(1, dtype=np.int16), np.zeros(1, dtype=START_STATE))


@jit_within
def draw_start(position: Any, grid: Any, starts: Any) -> Any:
    """Put a board, which has just begun, into one of the start states, drawn by its seed and number alone.

    The chance to win of the side that bids first comes back.
    """
    w0, _, _, _ = words(position.seed, position.index, stream_tag(START, 0, 0), 0)
    start = starts[below_n(w0, grid.n_starts)]
    first = first_side(position)
    for k in range(2):
        side = first if k == 0 else 1 - first
        position.scores[side] = start.scores[k]
        position.bags[side] = start.bags[k]
    position.hand_no = start.hands
    return start.chance


@jit
def price_starts(positions: Any, grids: Any, chances: Any, starts: Any) -> None:
    """Write into every start state the chance to win of the side that bids first."""
    position, grid = positions[0], grids[0]
    first = first_side(position)
    for start in starts:
        for k in range(2):
            side = first if k == 0 else 1 - first
            position.scores[side] = start.scores[k]
            position.bags[side] = start.bags[k]
        position.hand_no = start.hands
        start.chance = chance_of_first(position, first, grid, chances)


@jit_within
def chance(position: Any, result: Any, side: Any, grid: Any, chances: Any) -> int:
    """The chance of a side to win, between two hands; 0 to `EQUITY_ONE`.

    Parameters
    ----------
    position : the table, its deal passed on to the next hand
    result : int
        How the game stands, as `scoring.game_over` says.
    side : int, 0 or 1
    grid : GRID record
    chances : int16 array, see `EquityTable`
    """
    if result == DRAW:
        return EQUITY_ONE // 2
    if result != GOES_ON:
        return EQUITY_ONE if result == side else 0
    first = first_side(position)
    of_first = chance_of_first(position, first, grid, chances)
    return of_first if first == side else EQUITY_ONE - of_first


@jit_within
def chance_of_first(position: Any, first: Any, grid: Any, chances: Any) -> Any:
    """The chance of the side that bids first, in a game that goes on."""
    scores, bags, other = position.scores, position.bags, 1 - first
    if scores[first] == scores[other] and end_reached(position.rules, scores):
        level = grid.n_hands * grid.n_states * grid.n_states
        row, column = bag_point(grid, bags[first]), bag_point(grid, bags[other])
        return np.int64(chances[level + row * grid.n_bags + column]) << STEP_BITS
    start = min(position.hand_no, grid.n_hands - 1) * grid.n_states * grid.n_states
    if grid.is_exact:
        # Nearly all states of nearly all games are points of such a grid.
        at, point = scores[first] - grid.lowest - grid.offsets[bags[first]], bags[first]
        other_at, other_point = scores[other] - grid.lowest - grid.offsets[bags[other]], bags[other]
        row, column = at // grid.step, other_at // grid.step
        is_on_grid = row * grid.step == at and column * grid.step == other_at
        is_inside = 0 <= row <= grid.tops[point] and 0 <= column <= grid.tops[other_point]
        if is_on_grid and is_inside:
            row, column = row + point * grid.n_scores, column + other_point * grid.n_scores
            return np.int64(chances[start + row * grid.n_states + column]) << STEP_BITS
    return between(grid, chances, start, scores[first], bags[first], scores[other], bags[other])


@jit
def bag_point(grid: Any, bags: Any) -> int:
    """The point of the bags' grid at or below a number of bags."""
    return grid.bag_points[bags] if grid.n_bags > 1 else 0


@jit
def place(grid: Any, point: Any, score: Any) -> Any:
    """Where a score lies at a point of the bags' grid: the index of the score below, and points above it."""
    far = score - grid.lowest - grid.offsets[point]
    at = far // grid.step
    if at < 0:
        return 0, 0
    if at >= grid.tops[point]:
        return grid.tops[point], 0
    return at, far - at * grid.step


@jit
def between(grid: Any, chances: Any, start: Any, own: Any, own_bags: Any, other: Any, other_bags: Any) -> Any:
    """A chance out of the table, interpolated in both scores and both numbers of bags.

    Parameters
    ----------
    grid : GRID record
    chances : int16 array
    start : int
        Where the part of the table for the hands played begins.
    own, own_bags, other, other_bags : int
        Scores and bags of the side that bids first and of the other one.
    """
    above: Any = np.int64(0)
    gap = other_above = other_gap = above
    if grid.n_bags > 1:
        above, gap = grid.bag_above[own_bags], grid.bag_gaps[own_bags]
        other_above, other_gap = grid.bag_above[other_bags], grid.bag_gaps[other_bags]
    row, column = bag_point(grid, own_bags), bag_point(grid, other_bags)
    here = in_column(grid, chances, start, own, row, other, column)
    if above == 0 and other_above == 0:
        return here
    next_row, next_column = row + (1 if above > 0 else 0), column + (1 if other_above > 0 else 0)
    gap, other_gap = max(gap, 1), max(other_gap, 1)
    right = in_column(grid, chances, start, own, row, other, next_column)
    under = in_column(grid, chances, start, own, next_row, other, column)
    last = in_column(grid, chances, start, own, next_row, other, next_column)
    upper = here * (other_gap - other_above) + right * other_above
    lower = under * (other_gap - other_above) + last * other_above
    return (upper * (gap - above) + lower * above) // (gap * other_gap)


@jit
def in_column(grid: Any, chances: Any, start: Any, own: Any, row: Any, other: Any, column: Any) -> Any:
    """A chance at points of the bags' grid, interpolated in both scores; parameters as `between`."""
    at, above = place(grid, row, own)
    other_at, other_above = place(grid, column, other)
    n, step = grid.n_scores, grid.step
    width = grid.n_bags * n
    here = start + (row * n + at) * width + column * n + other_at
    if above == 0 and other_above == 0:
        return np.int64(chances[here]) << STEP_BITS
    right = here + (1 if other_above > 0 else 0)
    down = width if above > 0 else 0
    upper = np.int64(chances[here]) * (step - other_above) + np.int64(chances[right]) * other_above
    lower = (
        np.int64(chances[here + down]) * (step - other_above) + np.int64(chances[right + down]) * other_above
    )
    return ((upper * (step - above) + lower * above) << STEP_BITS) // (step * step)
