"""One board: opened, bid, and played out, or counted again where it can only go as it has gone before.

Whose bots do the same after the bidding come to the same hand once they have bid alike. So a board's hands
that were played out are kept until the next board, and a hand whose bids are those of one of them is that
hand: it is counted for the sides that sit here, and not played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit, jit_within
from spadesim.core.count import count_hand
from spadesim.core.equity import EQUITY_ONE, chance_of_first, draw_start
from spadesim.core.play import NO_FAULT, bid_on, digest_hand, play_on
from spadesim.core.position import end_hand, first_side, open_hand, start_game, start_hand
from spadesim.core.rows import write_hand
from spadesim.core.seating import MAX_ROOMS

# Which hands of a board go alike once they have been bid alike: none, those of different line-ups in the same
# room, or all of them.
NONE, SAME_ROOM, ANY_ROOM = range(3)


@jit_within
def open_board(position: Any, task: Any, number: Any, grid: Any, chances: Any, starts: Any, unit: Any) -> Any:
    """Begin a board, and write into its unit the state that it starts from in every room."""
    start_game(position, task.seed, number)
    first = first_side(position)
    of_first = EQUITY_ONE // 2
    if task.draws_start and grid.n_starts > 0:
        of_first = draw_start(position, grid, starts)
    else:
        for side in range(4):
            position.scores[side] = task.scores[side]
            position.bags[side] = task.bags[side]
        if grid.is_on:
            of_first = chance_of_first(position, first, grid, chances)
    unit.chance = of_first if first == 0 else EQUITY_ONE - of_first
    for side in range(4):
        unit.scores[side] = position.scores[side]
        unit.bags[side] = position.bags[side]
    unit.hand_no = position.hand_no
    unit.dealer = position.dealer
    for room in range(MAX_ROOMS):
        unit.n_kept[room] = 0


@jit_within
def reopen_board(position: Any, unit: Any) -> Any:
    """Put a table at which a board was opened into the state that it starts from."""
    position.dealer = unit.dealer
    position.hand_no = unit.hand_no
    position.in_tiebreak = 0
    for side in range(4):
        position.scores[side] = unit.scores[side]
        position.bags[side] = unit.bags[side]


@jit
def play_sparing(
    positions: Any, task: Any, number: Any, room: Any, desk: Any, unit: Any, tally: Any, book: Any
) -> Any:
    """Bid a room of a board, and play it out unless it can only go as a hand of this board that is kept.

    Parameters
    ----------
    positions : tables; those for the rooms that go alike lie side by side
        The first one is where the board was opened. When all are in use the last one is used again.

    Returns
    -------
    tuple of 2 int
        0, or the code of a fault; and which of the tables now stands behind this room's hand.
    """
    group, size = np.int64(0), positions.size
    if task.skips == SAME_ROOM:
        group, size = room, size // positions[0].rules.n_rooms
    begin, n_kept = group * size, unit.n_kept[group]
    fresh = begin + min(n_kept, size - 1)
    code = bid_at(positions, fresh, task, number, desk, unit)
    if code != NO_FAULT:
        return code, fresh
    at = begin
    while at < fresh and not bid_alike(positions[fresh], positions[at]):
        at += 1
    if at < fresh:
        desk.n_spared += 1
        reopen_board(positions[at], unit)
    else:
        code = play_on(positions[fresh], desk)
        unit.n_kept[group] = min(n_kept + 1, size)
    if code == NO_FAULT:
        enter_board(positions[at], number, room, desk.roles, unit, tally, book)
    return code, at


@jit
def bid_at(positions: Any, at: Any, task: Any, number: Any, desk: Any, unit: Any) -> Any:
    """Deal a board at one of its tables, the cards of the first one, and bid it; `NO_FAULT`, or a code."""
    first, position = positions[0], positions[at]
    reopen_board(position, unit)
    if unit.n_kept[0] == 0:
        start_hand(position)
    else:
        position.seed, position.index = task.seed, number
        for seat in range(first.n_players):
            position.dealt[seat] = first.dealt[seat]
        open_hand(position)
    return bid_on(position, desk)


@jit
def bid_alike(position: Any, other: Any) -> Any:
    """Whether two tables have the same bids."""
    n_different = 0
    for seat in range(position.n_players):
        n_different += 1 if position.bids[seat] != other.bids[seat] else 0
    return n_different == 0


@jit_within
def enter_board(position: Any, number: Any, room: Any, roles: Any, unit: Any, tally: Any, book: Any) -> Any:
    """Count and enter the only hand of a board."""
    zero = np.int64(0)
    low, high = enter_hand(position, number, room, roles, unit, tally, book, zero, zero)
    unit.result[room] = end_hand(position)
    unit.digest[room, 0] = low
    unit.digest[room, 1] = high


@jit_within
def enter_hand(  # noqa: PLR0913, PLR0917
    position: Any,
    number: Any,
    room: Any,
    roles: Any,
    unit: Any,
    tally: Any,
    book: Any,
    low: Any,
    high: Any,
) -> Any:
    """Count a hand that is over, before it is entered; the room's digest with it taken in."""
    count_hand(position, room, roles, unit, tally)
    if book.size > 0:
        write_hand(position, number, room, roles, book)
    return digest_hand(position, low, high)
