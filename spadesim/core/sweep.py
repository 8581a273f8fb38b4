"""One round of value iteration over the states of a game of two sides, compiled.

The states before a hand are the points of a grid (`spadesim.core.equity.GRID`); those after it are finer and
reach further, for a hand may bring any number of points and end the game. They are called *cells*: a point
of the bags' grid, what the score lies above the grid in units of `unit`, and the place on the grid.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import jit
from spadesim.core.scoring import ends_game

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


class Cells(NamedTuple):
    """How the states after a hand lie.

    Parameters
    ----------
    offsets : int64 array, by point of the bags' grid, what its scores lie above `base`
    tops : int64 array, by point of the bags' grid, the last place at which a game goes on
    base, step, unit : int
        Lowest score of the grid, points between two of its scores, and between two cells.
    n_scores, n_bags, n_fine : int
        Places and points of the grid; cells to a step.
    below, n_places : int
        Places that cells reach below the grid, and in all.
    opens : int64 array of shape (bags, parts of a step, 2)
        The first and the last place of each line at which a game goes on.
    """

    offsets: Ints
    tops: Ints
    base: int
    step: int
    unit: int
    n_scores: int
    n_bags: int
    n_fine: int
    below: int
    n_places: int
    opens: Ints


class Moves(NamedTuple):
    """Where what a hand brings a side (a *yield*) leads to, and how probable two sides' yields are together.

    Parameters
    ----------
    points, fine, shift : int64 arrays of shape (yields, points of the bags' grid, terms)
        The cell that it leads to from a point of the bags' grid: its point, its part of a step, and by how
        many places the score moves. Two terms where numbers of bags lie between points of the grid.
    weights : float32 array of the same shape
        What each of the two counts.
    bands : int64 array
        Places at which another joint distribution begins, from 0 to the number of places.
    kinds : int64 array of shape (bands, bags, bands, bags)
        By band and bags of the side that bids first, then of the other one: which joint distribution.
    starts : int64 array of shape (joint distributions, yields + 1)
        By the first bidder's yield, where its entries in `others` and `shares` begin.
    others : int64 array
        Yields of the other side.
    shares : float32 array
        How probable both are together.
    """

    points: Ints
    fine: Ints
    shift: Ints
    weights: Floats
    bands: Ints
    kinds: Ints
    starts: Ints
    others: Ints
    shares: Floats


@jit
def sweep(
    rules: Any, cells: Any, moves: Any, after: Any, level: Any, is_last: Any, part: Any, out: Any
) -> Any:
    """Add up the chances to win before a hand from those after it, for some of the other side's bags.

    Parameters
    ----------
    rules : record, from `Rules.record()`
    cells : Cells
    moves : Moves
    after : float32 array of shape (bags, scores, bags, scores)
        The chance of the side that bids first in the next hand, by the *other* side's state first.
    level : float32 array of shape (bags, bags)
        The same for level scores at the game's end.
    is_last : bool
        Whether the rules end the game after this hand.
    part : int64 array
        Points of the bags' grid of the other side, to be done.
    out : float32 array of shape (bags, scores, bags, scores), zeros
        Takes the chance of the side that bids first, its own state first.
    """
    row = np.zeros((cells.n_bags, cells.n_fine, cells.n_places), dtype=np.float32)
    mixed = np.zeros(cells.n_scores + 1, dtype=np.float32)
    flat_row, flat_out = row.reshape(-1), out.reshape(-1)
    begins = np.zeros(moves.points.shape, dtype=np.int64)
    for k in range(moves.points.shape[0]):
        for bags in range(cells.n_bags):
            for term in range(moves.points.shape[2]):
                line = moves.points[k, bags, term] * cells.n_fine + moves.fine[k, bags, term]
                begins[k, bags, term] = line * cells.n_places + cells.below + moves.shift[k, bags, term]
    firsts, leads = by_line(cells, moves)
    for line in range(cells.n_bags * cells.n_fine):
        for place in range(cells.n_places):
            is_ready = False
            for bags, k, term in leads[firsts[line] : firsts[line + 1]]:
                own = line * cells.n_places + place - begins[k, bags, term]
                weight = moves.weights[k, bags, term]
                if weight == 0 or not 0 <= own < cells.n_scores:
                    continue
                if not is_ready:
                    point, fine = line // cells.n_fine, line % cells.n_fine
                    fill_row(rules, cells, after, level, is_last, point, fine, place, mixed, row)
                    is_ready = True
                at = (bags * cells.n_scores + own) * cells.n_bags
                add_row(cells, moves, begins, flat_row, k, bags, own, weight, part, at, flat_out)


@jit
def by_line(cells: Any, moves: Any) -> Any:
    """The bags, yields and terms that lead to each line of cells: where a line's begin, and all of them."""
    n_lines, n_terms = cells.n_bags * cells.n_fine, moves.points.shape[2]
    firsts = np.zeros(n_lines + 1, dtype=np.int64)
    leads = np.zeros((moves.points.size, 3), dtype=np.int64)
    n = 0
    for line in range(n_lines):
        firsts[line] = n
        for bags in range(cells.n_bags):
            for k in range(moves.points.shape[0]):
                for term in range(n_terms):
                    if moves.points[k, bags, term] * cells.n_fine + moves.fine[k, bags, term] == line:
                        leads[n, 0], leads[n, 1], leads[n, 2] = bags, k, term
                        n += 1
    firsts[n_lines] = n
    return firsts, leads


@jit
def add_row(  # noqa: PLR0913, PLR0917 - the innermost loop but two, written out apart
    cells: Any,
    moves: Any,
    begins: Any,
    row: Any,
    k: Any,
    bags: Any,
    own: Any,
    weight: Any,
    part: Any,
    at: Any,
    out: Any,
) -> Any:
    """Add what a yield of the first bidder comes to, over all yields and states of the other side."""
    band = 0
    while moves.bands[band + 1] <= own:
        band += 1
    for other_band in range(moves.bands.size - 1):
        first, last = moves.bands[other_band], moves.bands[other_band + 1]
        for other in part:
            target = (at + other) * cells.n_scores
            starts = moves.starts[moves.kinds[band, bags, other_band, other]]
            for entry in range(starts[k], starts[k + 1]):
                j = moves.others[entry]
                share = moves.shares[entry] * weight
                for term in range(moves.points.shape[2]):
                    add_line(
                        row,
                        begins[j, other, term],
                        share * moves.weights[j, other, term],
                        target,
                        first,
                        last,
                        out,
                    )


@jit
def add_line(row: Any, begin: Any, share: Any, target: Any, first: Any, last: Any, out: Any) -> Any:
    """Add a share of a line of cells to a line of states."""
    for place in range(first, last):
        out[target + place] += share * row[begin + place]


@jit
def fill_row(  # noqa: PLR0913, PLR0917 - a cell has three parts
    rules: Any,
    cells: Any,
    after: Any,
    level: Any,
    is_last: Any,
    point: Any,
    fine: Any,
    place: Any,
    mixed: Any,
    row: Any,
) -> Any:
    """Write the chance of the side that bade first, for its own cell after the hand and every other cell.

    Parameters
    ----------
    rules, cells, after, level, is_last
        As for `sweep`.
    point, fine, place : int
        The cell of the side that bade first.
    mixed : float32 array, longer by 1 than the grid has scores
        Scratch.
    row : float32 array of shape (bags, parts of a step, places)
        Takes the chances.
    """
    score = score_at(cells, point, fine, place)
    is_end = is_last or ends_game(rules, score)
    at = min(max(place - cells.below, 0), cells.tops[point])
    share = np.float32(fine) / np.float32(cells.n_fine) if at == place - cells.below else np.float32(0)
    up = at + 1 if share > 0 and not is_end else at
    for other in range(cells.n_bags):
        draw = np.float32(0.5) if is_last else 1 - level[other, point]
        for k in range(cells.n_scores):
            mixed[k] = after[point, at, other, k] + share * (
                after[point, up, other, k] - after[point, at, other, k]
            )
        for other_fine in range(cells.n_fine):
            line = row[other, other_fine]
            if is_end:
                compare(cells, score, other, other_fine, draw, line)
            else:
                first, last = cells.opens[other, other_fine]
                theirs = np.float32(other_fine) / np.float32(cells.n_fine)
                fill_line(cells.below, first, last, theirs, mixed, line)


@jit
def compare(cells: Any, score: Any, other: Any, other_fine: Any, draw: Any, line: Any) -> Any:
    """Write who wins with a score at the end of the game, against every score of a line."""
    for place in range(cells.n_places):
        theirs = score_at(cells, other, other_fine, place)
        line[place] = draw if score == theirs else np.float32(1 if score > theirs else 0)


@jit
def fill_line(below: Any, first: Any, last: Any, share: Any, mixed: Any, line: Any) -> Any:
    """Write the rest of 1 for a line in whose places from `first` to `last` the game goes on.

    Below them the other side has lost, above them it has won; below the grid it stands as at its edge.
    """
    for place in range(first):
        line[place] = 1
    for place in range(first, min(below, last + 1)):
        line[place] = 1 - mixed[0]
    for place in range(max(below, first), last + 1):
        here = mixed[place - below]
        line[place] = 1 - (here + share * (mixed[place - below + 1] - here))
    for place in range(last + 1, line.size):
        line[place] = 0


@jit
def score_at(cells: Any, point: Any, fine: Any, place: Any) -> Any:
    """The score of a cell."""
    return cells.base + cells.offsets[point] + cells.step * (place - cells.below) + cells.unit * fine
