"""Where the rooms of a board part: the first decision at which A's and B's bots did not choose alike.

Until there all rooms are alike, card by card, so that whoever decided knew the same in every room. It is
found in the rows that the engine writes of each hand (`spadesim.core.rows`).

The kind of a decision is told by what was at stake for the seat before it chose; the first that fits:

========  ============================================================================================
``draw``  a card of the stock was kept in one room and passed up in another
``nil``   one of the bids is a nil; a blind nil, or its exchange; a card of a seat whose own nil stands
``bid``   any other bid
``cover`` a card of a seat whose partner's nil stands
``set``   a card against the others: a nil of theirs stands, or the own contract is decided, theirs not
``bag``   a card when the contracts of all sides are decided, so that tricks are bags only
``play``  any other card: the own contract can still be made or lost
========  ============================================================================================

A nil stands as long as its bidder has won no trick. A contract is decided once it is made, or cannot be made
with the tricks that are left, the present one among them; a side that bid none has none to make.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.cards import popcount
from spadesim.core.prelude import N_TURNS
from spadesim.core.rows import (
    AT_BID,
    AT_BLIND,
    AT_FIRST,
    AT_ROLE,
    AT_WON,
    BLOCK_ROWS,
    BOOK_TYPE,
    Book,
)
from spadesim.core.rules import DEAL_DRAW, RULES, START_DEALER_LEFT, START_SECOND_DRAWER, Rules
from spadesim.core.scoring import counted_tricks, is_nil
from spadesim.core.view import BIDDING, DECLARING, EXCHANGING, KEEPING, NOT_YET, PLAYING

KINDS = ("bid", "nil", "cover", "set", "bag", "play", "draw", "none")
BID, NIL, COVER, SET, BAG, PLAY, DRAW, NONE = range(len(KINDS))

PARTING = np.dtype((np.record, [
    ("choice_a", np.int64),  # a bid, a card or another answer: of A's bot, where it sat at the seat
    ("choice_b", np.int64),
    ("kind", np.int8),  # an index into `KINDS`
    ("phase", np.int8),  # which kind of decision; all of the rest is -1 for NONE
    ("number", np.int8),  # the trick, or the seat's own turn of the draw, from 0; 0 elsewhere
    ("seat", np.int8),
    ("room_a", np.int8),  # the first room in which A's bot sat there, and B's
    ("room_b", np.int8),
]))  # fmt: skip

_SIGNATURE = types.void(
    BOOK_TYPE,
    types.Array(numba.from_dtype(RULES), 1, "C"),
    types.int64,
    types.Array(numba.from_dtype(PARTING), 1, "C"),
)


def compile_partings() -> None:
    """Compile what is compiled here, or read it from the cache, before any thread needs it."""
    function: Any = _find_all
    if COMPILED and not function.signatures:
        compile_safely(lambda: function.compile(_SIGNATURE))


def find_partings(book: Book, rules: Rules, n_boards: int, n_rooms: int) -> npt.NDArray[np.void]:
    """Where the rooms of each board part.

    Parameters
    ----------
    book : Book
        The rows of the boards, the cards of every seat among them, in the order that the engine writes them.
    rules : Rules
    n_boards, n_rooms : int

    Returns
    -------
    array of PARTING records, one for each board
    """
    compile_partings()
    partings = np.zeros(n_boards, dtype=PARTING)
    table = np.zeros(1, dtype=RULES)
    table[0] = rules.record()
    _find_all(book, table, n_rooms, partings)
    return partings


@jit
def _find_all(book: Any, table: Any, n_rooms: Any, partings: Any) -> Any:
    rules = table[0]
    for board in range(partings.size):
        parting = partings[board]
        parting.kind = NONE
        parting.choice_a = parting.choice_b = NOT_YET
        parting.phase = parting.number = parting.seat = parting.room_a = parting.room_b = NOT_YET
        find_parting(book, board * n_rooms * rules.players, rules, n_rooms, parting)


@jit
def find_parting(book: Any, base: Any, rules: Any, n_rooms: Any, parting: Any) -> Any:
    """Go through the decisions of a board in order, up to the first that rooms do not have in common.

    Parameters
    ----------
    book : Book
    base : int, the board's first row
    rules : record, from `Rules.record()`
    n_rooms : int
    parting : PARTING record, written where rooms part

    Returns
    -------
    bool
        Whether they do.
    """
    n = rules.players
    first = book[base // BLOCK_ROWS].events[base % BLOCK_ROWS] >> AT_FIRST & 3
    if rules.has_prelude and part_before(book, base, rules, n_rooms, first, parting):
        return True
    for k in range(n):
        if part_at(book, base, rules, n_rooms, BIDDING, 0, (first + k) % n, parting):
            return True
    leader = first
    for trick in range(rules.hand_size):
        for k in range(n):
            if part_at(book, base, rules, n_rooms, PLAYING, trick, (leader + k) % n, parting):
                return True
        for seat in range(n):
            if won_mask(book, base + seat) >> trick & 1:
                leader = seat
    return False


@jit
def part_before(book: Any, base: Any, rules: Any, n_rooms: Any, first: Any, parting: Any) -> Any:
    """The same for what is decided before the bidding; `first` bids first."""
    n = rules.players
    if rules.deal == DEAL_DRAW:
        after_dealer = 1 if rules.start_role in (START_DEALER_LEFT, START_SECOND_DRAWER) else 0
        for turn in range(N_TURNS):
            seat = (first + after_dealer + turn) % n  # of two
            if turn < n and part_at(book, base, rules, n_rooms, DECLARING, 0, seat, parting):
                return True
            if part_at(book, base, rules, n_rooms, KEEPING, turn // n, seat, parting):
                return True
    else:
        for k in range(n):
            if part_at(book, base, rules, n_rooms, DECLARING, 0, (first + k) % n, parting):
                return True
    n_parted = 0
    for k in range(n):
        if n_parted == 0 and part_at(book, base, rules, n_rooms, EXCHANGING, 0, (first + k) % n, parting):
            n_parted = 1
    return n_parted > 0


@jit
def part_at(
    book: Any, base: Any, rules: Any, n_rooms: Any, phase: Any, number: Any, seat: Any, parting: Any
) -> Any:
    """Whether rooms part at one decision, which then is written down."""
    n, other = rules.players, np.int64(-1)
    choice = choice_at(book, base + seat, phase, number)
    for room in range(1, n_rooms):
        if other < 0 and choice_at(book, base + room * n + seat, phase, number) != choice:
            other = np.int64(room)
    if other < 0:
        return False
    is_a_first = role_at(book, base + seat) < 2
    room_a, room_b = (np.int64(0), other) if is_a_first else (other, np.int64(0))
    parting.room_a, parting.room_b = room_a, room_b
    parting.choice_a = choice_at(book, base + room_a * n + seat, phase, number)
    parting.choice_b = choice_at(book, base + room_b * n + seat, phase, number)
    parting.phase, parting.number, parting.seat = phase, number, seat
    if phase == KEEPING:
        parting.kind = DRAW
    elif phase == BIDDING:
        parting.kind = NIL if is_nil(rules, min(parting.choice_a, parting.choice_b)) else BID
    elif phase == PLAYING:
        parting.kind = kind_of_card(book, base, rules, number, seat)
    else:
        parting.kind = NIL
    return True


@jit
def choice_at(book: Any, row: Any, phase: Any, number: Any) -> Any:
    """What the seat of a row chose at a decision."""
    block, at = book[row // BLOCK_ROWS], row % BLOCK_ROWS
    if phase == PLAYING:
        return np.int64(block.plays[at * block.n_plays + number])
    if phase == BIDDING:
        return block.events[at] >> AT_BID & 31
    if phase == KEEPING:
        return np.int64(block.kept[at] >> number & 1)
    if phase == DECLARING:
        return block.events[at] >> AT_BLIND & 1
    return block.given[at]


@jit
def role_at(book: Any, row: Any) -> Any:
    """Which bot sat at the seat of a row."""
    return np.int64(book[row // BLOCK_ROWS].sitting[row % BLOCK_ROWS]) >> AT_ROLE & 3


@jit
def won_mask(book: Any, row: Any) -> Any:
    """The tricks that the seat of a row won, as a mask."""
    return book[row // BLOCK_ROWS].events[row % BLOCK_ROWS] >> AT_WON & ((1 << 26) - 1)


@jit
def kind_of_card(book: Any, base: Any, rules: Any, trick: Any, seat: Any) -> Any:
    """The kind of a decision between cards, by the bids and the tricks won before it."""
    n, n_sides = rules.players, rules.n_sides
    before = (np.int64(1) << trick) - 1
    own_side = seat % n_sides
    need = np.zeros(4, dtype=np.int64)  # of each side, tricks that its contract lacks
    threatens_nil = covers = False
    for other in range(n):
        bid = choice_at(book, base + other, BIDDING, 0)
        won = popcount(won_mask(book, base + other) & before)
        side = other % n_sides
        need[side] += bid - counted_tricks(rules, bid, won)
        if is_nil(rules, bid) and won == 0:
            if other == seat:
                return NIL
            covers |= side == own_side
            threatens_nil |= side != own_side
    if covers:
        return COVER
    if threatens_nil:
        return SET
    left = rules.hand_size - trick
    if 0 < need[own_side] <= left:
        return PLAY
    for side in range(n_sides):
        if 0 < need[side] <= left:
            return SET
    return BAG
