"""Endings of sampled worlds, solved: what a choice is worth when everybody sees all cards and plays his best.

A search calls `solve_world` by its address: it is compiled without the solver.
"""

from __future__ import annotations

from typing import Any

import numba
from numba import types

from spadesim.core._jit import jit
from spadesim.core.aims import enter_worth
from spadesim.core.position import POSITION, score_hand
from spadesim.core.search_worth import worth
from spadesim.core.solve import POINTS, begin_at, best_value
from spadesim.core.solve_play import stand_in
from spadesim.core.solve_ranks import cards_held, lay_patterns
from spadesim.core.solve_work import ENTRY, WAYS, WORK
from spadesim.core.view import PLAYING
from spadesim.core.worlds import WORLD

ONE = 1_000_000  # a chance of 1, as the solver's values are whole numbers
MEMO = 8 * WAYS * ENTRY  # numbers of the solver's table of positions
MOST_NODES = 100_000  # in a world; endings of four tricks take some hundreds

_FLOATS, _INTS = types.Array(types.float64, 1, "C"), types.Array(types.int64, 1, "C")
_WORKS = types.Array(numba.from_dtype(WORK), 1, "C")
_TABLES = types.Array(numba.from_dtype(POSITION), 1, "C")
SOLVE_SIGNATURE = types.int64(_WORKS, _INTS, _TABLES, types.int64, _INTS, _INTS, _FLOATS, _FLOATS)


@jit
def solve_world(
    works: Any, memo: Any, tables: Any, n: Any, choices: Any, alive: Any, scale: Any, values: Any
) -> int:
    """Write what each choice that is still looked at is worth, in a world, to the side in turn.

    Parameters
    ----------
    works : array of one WORK record
    memo : int64 array of `MEMO`
    tables : array of POSITION records
        The world at the place `worlds.WORLD`; the last one is scratch.
    n : int
        The world's number; with 0 the solver takes up the ending, the next ones deal other hands into it.
    choices, alive, values, scale : as `solve_choices` and `begin_ending` take them
    """
    if n == 0:
        begin_ending(works[0], memo, tables, WORLD, tables.size - 1, scale)
    solve_choices(works[0], memo, tables[WORLD].hands, choices, alive, values)
    return 1


@jit
def is_ending(view: Any, solve_from: Any) -> Any:
    """Whether the tricks left are to be solved: so many at the most, at a table of two pairs."""
    is_for_solver = view.n_players == 4 and view.rules.n_sides == 2 and view.phase == PLAYING
    return is_for_solver and view.rules.hand_size - view.trick_no <= solve_from


@jit
def begin_ending(work: Any, memo: Any, tables: Any, world: Any, ended: Any, scale: Any) -> Any:
    """Take up an ending, and price all ways in which it may end by the chance of side 0 to win.

    Parameters
    ----------
    work : WORK record
    memo : int64 array of `MEMO`
    tables : array of POSITION records
    world, ended : int, their places of a world and of a scratch; other worlds of the same view may follow
    scale : as `worth` takes it
    """
    table = tables[world]
    begin_at(work, memo, table, table.hands, table.turn, POINTS)
    work.n_worths = 0
    depth, limits, counters = work.depth, work.limits, work.counters
    for a in range(limits[0] + 1):
        for c in range(min(limits[2], depth - a) + 1):
            others = depth - a - c
            for b in range(0 if limits[3] else others, others + 1):
                tables[ended] = table
                won = tables[ended].tricks
                won[0] += a
                won[1] += b
                won[2] += c
                won[3] += others - b
                score_hand(tables[ended])
                chance = int(worth(tables[ended], 0, scale) * ONE)
                at = a * counters[0] + b * counters[1] + c * counters[2] + (others - b) * counters[3]
                work.ends[at] = chance
                enter_worth(work, chance)


@jit
def solve_choices(work: Any, memo: Any, hands: Any, choices: Any, alive: Any, values: Any) -> Any:
    """Write what each choice that is still looked at is worth, in a world, to the side in turn.

    Parameters
    ----------
    work, memo : as `begin_ending` left them
    hands : int64 array of 4, of the world
    choices, alive : int64 arrays, cards, and 1 for those looked at
    values : float64 array, written
    """
    for seat in range(4):
        work.hands[seat] = hands[seat]
    lay_patterns(work)
    memo[:] = 0
    work.n_nodes = 0
    work.most_nodes = MOST_NODES
    hand = hands[work.seat]
    others = (cards_held(work) | work.on_table) & ~hand
    guess = -1
    for k in range(choices.size):
        if alive[k]:
            only = stand_in(hand, others, choices[k])
            guess, _ = best_value(work, memo, only, 0, work.n_worths - 1, guess)
            chance = work.worths[guess] / ONE
            values[k] = 1.0 - chance if work.seat & 1 else chance
