"""Looking ahead: choices tried in sampled worlds, each played out by a model, and which comes out best.

A strategy calls the search by the address that its model holds, and the search its solver in the same way:
each of the three is compiled once, without the others, and stays compiled when a strategy is edited.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from spadesim.core._jit import jit
from spadesim.core.call import by_address
from spadesim.core.model import model_at, play_out
from spadesim.core.position import POSITION, apply
from spadesim.core.redeal import plan_deals
from spadesim.core.search_ends import MEMO, SOLVE_SIGNATURE
from spadesim.core.search_worth import BEHIND, worth
from spadesim.core.solve_work import WORK
from spadesim.core.view import VIEW, VIEW_TYPE
from spadesim.core.worlds import N_KEPT, N_WORLD_TABLES, WORLD, draw_world, lay_out_worlds, weigh_keeping

PLAYED = N_WORLD_TABLES
JUDGING, WATCHING = range(2)  # sights: of the model that judges worlds, and of the one that plays them out
FIRST_LOOK = 4  # worlds after which choices that fall behind are first dropped
TINY = 1e-9

_FLOATS, _INTS = types.Array(types.float64, 1, "C"), types.Array(types.int64, 1, "C")
_SUMS = types.Array(types.float64, 2, "C")
SEARCH_SIGNATURE = types.int64(VIEW_TYPE, types.int64, _FLOATS, _INTS, types.int64, _INTS, _FLOATS, _SUMS)
call_search, call_solver = by_address(SEARCH_SIGNATURE), by_address(SOLVE_SIGNATURE)


@jit
def try_out(
    view: Any, handle: Any, how: Any, choices: Any, at_prior: Any, limits: Any, scale: Any, sums: Any
) -> Any:
    """As `search`, which is called by the address that the model holds."""
    arguments = (view, handle, how, choices, at_prior, limits, scale, sums)
    return call_search(model_at(handle).search, arguments) == 1


@jit
def search(
    view: Any, handle: Any, how: Any, choices: Any, at_prior: Any, limits: Any, scale: Any, sums: Any
) -> int:
    """Play every choice out in sampled worlds.

    Parameters
    ----------
    view : the view of the seat in turn, bidding or playing
    handle : int, the model
    how : float64 array of 4, how worlds are drawn, see `spadesim.core.worlds`
    choices : int64 array, legal bids or cards
    at_prior : int, the place of the choice that the others are compared with
    limits : int64 array of 2
        How many worlds at the most, and 1 where they are solved instead, see `spadesim.core.search_ends`.
    scale : float64 array of 4, see `worth`
    sums : float64 array of shape (2, choices), written: what each choice is worth more than the prior one on
        the average, and the standard error of that; `-1` and 0 for choices that were dropped

    Returns
    -------
    int
        1, or 0 where no world agrees with the view.
    """
    worlds, is_solved = limits[0], limits[1]
    tables, sights = np.zeros(N_WORLD_TABLES + 1, dtype=POSITION), np.zeros(2, dtype=VIEW)
    own, values = np.zeros(4, dtype=np.int64), np.zeros(choices.size)
    raw, alive = np.zeros((2, choices.size)), np.ones(choices.size, dtype=np.int64)
    draws = np.zeros(N_KEPT + 1)
    works, memo = np.zeros(is_solved, dtype=WORK), np.zeros(MEMO * is_solved, dtype=np.int64)
    lay_out_worlds(view, tables, own)
    weigh_keeping(view, how, own, draws)
    plan = plan_deals(view)
    serial = np.int64(1) << 50
    look = FIRST_LOOK
    n = 0
    while n < worlds and alive.sum() > 1:
        if not draw_world(view, plan, handle, how, n, tables, sights[JUDGING], own, draws):
            return 0
        if is_solved:
            ending = (works, memo, tables, n, choices, alive, scale, values)
            call_solver(model_at(handle).solve, ending)
        for k in range(choices.size):
            if alive[k] and not is_solved:
                serial += 1
                tables[PLAYED] = tables[WORLD]
                tables[PLAYED].serial = serial
                apply(tables[PLAYED], choices[k])
                play_out(handle, tables[PLAYED], sights[WATCHING])
                values[k] = worth(tables[PLAYED], view.side, scale)
        n += 1
        for k in range(choices.size):
            if alive[k]:
                more = values[k] - values[at_prior]
                raw[0, k] += more
                raw[1, k] += more * more
        if n in (look, worlds):
            average(raw, n, alive, sums)
            drop(alive, at_prior, scale[BEHIND], sums)
            look *= 2
    return 1


@jit
def average(raw: Any, n: Any, alive: Any, sums: Any) -> Any:
    """Means and standard errors out of sums and sums of squares."""
    for k in range(alive.size):
        if alive[k]:
            mean = raw[0, k] / n
            sums[0, k] = mean
            sums[1, k] = np.sqrt(max(raw[1, k] / n - mean * mean, 0.0) / max(n - 1, 1))


@jit
def drop(alive: Any, at_prior: Any, dropped: Any, sums: Any) -> Any:
    """Leave out the choices that are surely behind the best; the prior one stays, to compare with."""
    best = at_prior
    for k in range(alive.size):
        if alive[k] and sums[0, k] > sums[0, best]:
            best = k
    for k in range(alive.size):
        far = sums[0, best] - sums[0, k]
        error = np.sqrt(sums[1, k] * sums[1, k] + sums[1, best] * sums[1, best])
        if alive[k] and k not in (at_prior, best) and far > dropped * error:
            alive[k] = 0
            sums[0, k], sums[1, k] = -1.0, 0.0


@jit
def best_of(sums: Any, at_prior: Any, sure: Any, margin: Any) -> Any:
    """The place of the best choice: the prior one unless another is better by enough.

    Parameters
    ----------
    sums : float64 array of shape (2, choices), from `try_out`
    at_prior : int
    sure : float, standard errors by which another choice must be better
    margin : float, 0 to 1, the chance to win that it must gain besides
    """
    best = at_prior
    for k in range(sums.shape[1]):
        is_better = sums[0, k] > max(sums[1, k] * sure + margin, TINY)
        if is_better and sums[0, k] > sums[0, best]:
            best = k
    return best
