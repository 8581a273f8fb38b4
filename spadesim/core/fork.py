"""Two choices at one decision, both played on to the end of the hand, on re-deals of what was not seen.

A re-deal is uniform over the deals that agree with what the seat knows (`spadesim.core.redeal`). It counts
when the bids so far recur, each asked anew of the bot that sits there, and when every card played so far is
legal in it. Then both choices are played on by the same bots. What bots draw by lot they draw anew for each
re-deal. The bids and cards of the seat itself stand: on its own cards, which it keeps, it knew no more. What
others decided before the bidding stands as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.batch import Lineup, lay_out
from spadesim.core.equity import GRID, EquityTable, chance, no_equity
from spadesim.core.play import DESK, NO_FAULT, decide, play_on
from spadesim.core.position import (
    POSITION,
    apply,
    apply_bid,
    apply_card,
    clear_trick,
    end_hand,
    fill_view,
    legal_bids,
)
from spadesim.core.redeal import hide_again, redeal
from spadesim.core.trick import legal_cards
from spadesim.core.view import BIDDING, NOT_YET, PLAYING, VIEW

TRUTH, DEALT, READY, PLAYED = range(4)  # the table at the decision, dealt anew, there again, played on
TRIED, ACCEPTED, CODE, ROOM = range(4)  # of the counts

_TABLES, _DESKS, _VIEWS, _GRIDS = (
    types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (POSITION, DESK, VIEW, GRID)
)
_INTS, _MANY = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
_SIGNATURE = types.void(
    _TABLES, _DESKS, _VIEWS, _INTS, types.int64, _GRIDS, types.Array(types.int16, 1, "C"), _INTS, _MANY
)


class Tried(NamedTuple):
    """What came of re-deals.

    Parameters
    ----------
    tried, accepted : int
        Re-deals, and those among them that counted.
    chances, points : int64 arrays, one number for each that counted
        What A has more by the first choice than by the second, summed over the rooms: of its chance to win,
        in units of 1 / `EQUITY_ONE`, and of its points less the others'.
    fault : tuple of int, or None
        The code of what a bot did wrong, the seat whose it was, and the index of the room.
    """

    tried: int
    accepted: int
    chances: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    fault: tuple[int, int, int] | None


def compile_forks() -> None:
    """Compile what is compiled here, or read it from the cache, before any thread needs it."""
    function: Any = _try_all
    if COMPILED and not function.signatures:
        compile_safely(lambda: function.compile(_SIGNATURE))


def try_redeals(
    position: Any,
    choices: tuple[int, int],
    lineup: Lineup,
    rooms: npt.NDArray[np.int64],
    *,
    wanted: int,
    most: int,
    equity: EquityTable | None = None,
) -> Tried:
    """Re-deal what the seat in turn cannot see until so many re-deals counted, or so many were tried.

    Parameters
    ----------
    position : POSITION record
        The table at the decision.
    choices : tuple of 2 int
        Both legal there.
    lineup : Lineup
        Its functions must live as long as this runs.
    rooms : int64 array of shape (rooms, 4)
        Which role sits at each seat, for every line-up by which both choices are played on; a re-deal counts
        when the bids recur in all of them.
    wanted, most : int
        Re-deals that count, and re-deals in all, at the most.
    equity : EquityTable, optional
        Without one no chances are told.

    Raises
    ------
    Exception
        Whatever a strategy raises.
    """
    compile_forks()
    tables, views = np.zeros(4, dtype=POSITION), np.zeros(1, dtype=VIEW)
    tables[TRUTH] = position
    desks = np.zeros(len(rooms), dtype=DESK)
    for desk, roles in zip(desks, rooms, strict=True):
        lay_out(desk, lineup)
        desk["roles"] = roles
    counts, found = np.zeros(4, dtype=np.int64), np.zeros((wanted, 2), dtype=np.int64)
    table = equity or no_equity()
    _try_all(tables, desks, views, np.array(choices), most, table.grid, table.chances, counts, found)
    tried, accepted, code, room = counts.tolist()
    fault = (code, int(desks[room]["fault"]["seat"]), room) if code != NO_FAULT else None
    return Tried(tried, accepted, found[:accepted, 0], found[:accepted, 1], fault)


@jit
def _try_all(  # noqa: PLR0913, PLR0917 - compiled code takes its memory from outside
    tables: Any,
    desks: Any,
    views: Any,
    choices: Any,
    most: Any,
    grids: Any,
    chances: Any,
    counts: Any,
    found: Any,
) -> Any:
    truth, work, view = tables[TRUTH], tables[DEALT], views[0]
    fill_view(truth, truth.turn, view)
    key, hands = view.rng_key, np.empty(4, dtype=np.int64)
    while counts[TRIED] < most and counts[ACCEPTED] < found.shape[0]:
        number = counts[TRIED]
        counts[TRIED] += 1
        redeal(view, key, number, hands)
        tables[DEALT] = truth
        hide_again(work, truth.turn, hands, key, number)
        work.seed, work.index = key, number  # which the bots' lots hang on
        for seat in range(4):
            work.rng_keys[seat] = NOT_YET
        if is_as_before(tables, desks, counts):
            play_both(tables, desks, choices, grids[0], chances, counts, found[counts[ACCEPTED]])
            counts[ACCEPTED] += 1
        if counts[CODE] != NO_FAULT:
            return


@jit
def is_as_before(tables: Any, desks: Any, counts: Any) -> Any:
    """Whether a re-deal counts; the table `READY` then stands at the decision, as it does in every room."""
    truth, ready = tables[TRUTH], tables[READY]
    n_alike = 0
    for room in range(desks.size):
        if n_alike == room:
            copy_to(tables, DEALT, READY)
            n_alike += 1 if recurs(ready, truth, desks[room], counts) else 0
            counts[ROOM] = room
    return n_alike == desks.size


@jit
def copy_to(tables: Any, source: Any, target: Any) -> Any:
    """Put a table into the state of another; the copy has a serial of its own, as a new hand has."""
    tables[TRUTH].serial += 1
    tables[target] = tables[source]
    tables[target].serial = tables[TRUTH].serial


@jit
def recurs(table: Any, truth: Any, desk: Any, counts: Any) -> Any:
    """Whether a hand that was dealt anew comes to the same decision; the table is taken there."""
    if truth.phase not in (BIDDING, PLAYING):
        return True
    take_back(table, truth)
    for _ in range(truth.n_bids):
        seat = table.turn
        table.legal = legal_bids(table)
        if seat == truth.turn or table.legal & (table.legal - 1) == 0:
            apply_bid(table, truth.bids[seat])
            continue
        counts[CODE] = decide(table, BIDDING, desk)
        if counts[CODE] != NO_FAULT or table.bids[seat] != truth.bids[seat]:
            return False
    for k in range(truth.n_history):
        card, hand = truth.history[k], table.hands[table.turn]
        if not legal_cards(table.rules, hand, table.led_suit, table.broken) >> card & 1:
            return False
        apply_card(table, card)
    table.legal = truth.legal
    return True


@jit
def take_back(table: Any, truth: Any) -> Any:
    """Take all cards and bids of a hand back, so that its bidding begins with the hands as they are."""
    n = table.n_players
    for k in range(truth.n_history):
        table.hands[(truth.leaders[k // n] + k % n) % n] |= np.int64(1) << truth.history[k]
    table.phase = BIDDING
    table.turn = table.leader = table.leaders[0] = table.first_bidder
    table.n_bids = table.trick_no = table.broken = table.played = table.n_history = 0
    clear_trick(table)
    for seat in range(4):
        table.dealt[seat] = table.hands[seat]
        table.bids[seat] = NOT_YET
        table.tricks[seat] = table.voids[seat] = 0


@jit
def play_both(
    tables: Any, desks: Any, choices: Any, grid: Any, chances: Any, counts: Any, values: Any
) -> Any:
    """Play both choices on in every room; what A has more by the first one is written into `values`."""
    played = tables[PLAYED]
    for room in range(desks.size):
        desk = desks[room]
        for k in range(2):
            copy_to(tables, READY, PLAYED)
            apply(played, choices[k])
            counts[CODE] = play_on(played, desk)
            counts[ROOM] = room
            if counts[CODE] != NO_FAULT:
                return
            sign = 1 - 2 * k
            for side in range(played.rules.n_sides):
                values[1] += sign * (1 - 2 * (desk.roles[side] >> 1)) * played.points[side]
            result = end_hand(played)
            if grid.is_on:
                side_of_a = 0 if desk.roles[0] < 2 else 1
                values[0] += sign * chance(played, result, side_of_a, grid, chances)
