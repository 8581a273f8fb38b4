"""What the solver tells of a position, by arrays of one record each: compiled once, called from Python.

`solve_root` gives the value and what each card is worth, `solve_line` how the hand goes on when everybody
plays as well as he can. All of it spends the nodes that `work.most_nodes` allows, and no more.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.cards import lowest
from spadesim.core.position import POSITION
from spadesim.core.solve import ANY, begin_at, best_value, play_card, reaches
from spadesim.core.solve_order import distinct
from spadesim.core.solve_ranks import cards_held
from spadesim.core.solve_table import UNKNOWN
from spadesim.core.solve_work import WORK
from spadesim.core.trick import legal_cards


def call(function: Any, *arguments: Any) -> Any:
    """What a function of this module returns, compiled before its first call."""
    if COMPILED and not function.signatures:
        compile_safely(lambda: function.compile(_SIGNATURES[function.__name__]))
    return function(*arguments)


_WORKS = types.Array(numba.from_dtype(WORK), 1, "C")
_POSITIONS = types.Array(numba.from_dtype(POSITION), 1, "C")
_INTS = types.Array(types.int64, 1, "C")
_TABLE = types.Array(types.int64, 2, "C")
_SIGNATURES = {
    "solve_value": types.int64(_WORKS, _INTS, _POSITIONS, types.int64, types.int64),
    "solve_root": types.int64(_WORKS, _INTS, _POSITIONS, types.int64, types.int64, _TABLE),
    "solve_line": types.int64(_WORKS, _INTS, types.int64, _TABLE),
}


@jit
def solve_value(works: Any, table: Any, positions: Any, is_points: Any, most_nodes: Any) -> int:
    """The value of a position alone; the lowest that it may be where the nodes do not suffice.

    Parameters as of `solve_root`; `work.best_first` gets the best card, -1 where all have been found alike.
    """
    work = works[0]
    position = positions[0]
    work.most_nodes = most_nodes
    begin_at(work, table, position, position.hands, position.turn, is_points)
    low, _ = best_value(work, table, ANY, 0, work.n_worths - 1, -1)
    return work.worths[low]


@jit
def root_cards(work: Any) -> int:
    """The cards that may be played at the root, as a mask."""
    return legal_cards(work.rules, work.hands[work.seat], work.led, work.broken)


@jit
def solve_root(works: Any, table: Any, positions: Any, is_points: Any, most_nodes: Any, found: Any) -> int:
    """Solve a position: the number of values that it may end with comes back.

    Parameters
    ----------
    works, table
        One record `WORK`, and a table from `solve_work.new_table`.
    positions : array of one POSITION record
        In the play, with a card to play.
    is_points : int
        As in `solve.begin_at`.
    most_nodes : int
        Cards to be played in the search, at most.
    found : int64[14, 3]
        Gets in row 0 the value's bounds and the best card found, in row 1 + k the bounds of the k-th card
        of `root_cards` from the lowest on and that card.
    """
    work = works[0]
    position = positions[0]
    work.most_nodes = most_nodes
    begin_at(work, table, position, position.hands, position.turn, is_points)
    high = work.n_worths - 1
    low, high = best_value(work, table, ANY, 0, high, -1)
    found[0, 0] = work.worths[low]
    found[0, 1] = work.worths[high]
    found[0, 2] = work.best_first
    cards = root_cards(work)
    hand = work.hands[work.seat]
    others = (cards_held(work) | work.on_table) & ~hand
    is_first_side = work.seat & 1 == 0
    k = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        k += 1
        only = stand_in(hand, others, card)
        # No card does better than the best one, as its side sees it.
        least = 0 if is_first_side else low
        most = high if is_first_side else work.n_worths - 1
        guess = most if is_first_side else least + 1
        at_least, at_most = best_value(work, table, only, least, most, guess)
        found[k, 0] = work.worths[at_least]
        found[k, 1] = work.worths[at_most]
        found[k, 2] = card
    return work.n_worths


@jit
def stand_in(hand: Any, others: Any, card: Any) -> int:
    """The card that the search plays instead of one that is next to it, as a mask."""
    found = distinct(hand, others)
    at = np.int64(1) << card
    while not found & at:
        at <<= 1
    return at


@jit
def solve_line(works: Any, table: Any, value: Any, line: Any) -> int:
    """Play on with cards that keep the value of the root; how many could be found comes back.

    Of several such cards the lowest is played. The root is behind the last card then.

    Parameters
    ----------
    works, table
        As `solve_root` left them.
    value : int
        The value of the root, which must be known.
    line : int64[52, 2]
        Gets seat and card of each play.
    """
    work = works[0]
    n = 0
    while work.n_left > 0:
        card = keeping_card(work, table, value)
        if card < 0:
            break
        line[n, 0] = work.seat
        line[n, 1] = card
        n += 1
        play_card(work, card)
    return n


@jit
def keeping_card(work: Any, table: Any, value: Any) -> int:
    """The lowest card of the seat in turn that keeps the value; -1 when the nodes do not suffice to find it.

    A seat of side 0 must still reach the value, one of side 1 must still hold it there. Among cards of equal
    rank order the one that follows suit comes first, for suits are tried from clubs up.
    """
    cards = root_cards(work)
    if cards & (cards - 1) == 0:
        return lowest(cards)
    hand = work.hands[work.seat]
    others = (cards_held(work) | work.on_table) & ~hand
    target = value if work.seat & 1 == 0 else next_worth(work, value)
    wanted = 1 - (work.seat & 1)
    if target > work.worths[work.n_worths - 1]:
        return lowest(cards)
    failed = np.int64(0)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        only = stand_in(hand, others, card)
        if only & failed:
            continue
        outcome = reaches(work, table, target, only)
        if outcome == UNKNOWN:
            return -1
        if outcome == wanted:
            return card
        failed |= only
    return -1


@jit
def next_worth(work: Any, value: Any) -> int:
    """The lowest value above another that the hand may end with; one more than all where there is none."""
    for k in range(work.n_worths):
        if work.worths[k] > value:
            return work.worths[k]
    return value + 1


def new_found() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """An array for `solve_root` to write to; rows that it leaves have the card -1."""
    return np.full((14, 3), -1, dtype=np.int64)
