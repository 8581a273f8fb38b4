"""The fingerprint of a run worked out once more, from rows that tell every card in the order played."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import compile_safely, jit
from spadesim.core.play import digest_hand
from spadesim.core.position import POSITION, new_position
from spadesim.core.rng import mix
from spadesim.core.rows import AT_BLIND, AT_FIRST
from spadesim.core.rules import Rules
from spadesim.core.tally import WORD, add_digest, new_tally
from spadesim.core.view import NOT_YET

CELLS = ("unit", "room", "bid", "points", "events", "kept", "given")  # columns of what is digested
UNIT, ROOM, BID, POINTS, EVENTS, KEPT, GIVEN = range(len(CELLS))


def fingerprint_of(
    rules: Rules, kind: int, cells: npt.NDArray[np.int64], plays: npt.NDArray[np.uint8]
) -> npt.NDArray[np.int64]:
    """The fingerprint, as two 32-bit words, of hands that stand one after the other.

    Parameters
    ----------
    rules : Rules
    kind : int
        `PAIRS` or `BOARDS` of `spadesim.core.batch`.
    cells : int64 array of shape (rows, columns of `CELLS`)
        Whole rooms, a row a seat.
    plays : uint8 array of shape (rows, tricks)
        The card that the seat played to each trick.
    """
    positions = np.zeros(1, dtype=POSITION)
    positions[0] = new_position(rules)
    tally = new_tally()
    compile_safely(lambda: digest_rows(positions, kind, cells, plays, tally))
    words: npt.NDArray[np.int64] = tally[0]["fingerprint"]
    return words


@jit
def digest_rows(positions: Any, kind: Any, cells: Any, plays: Any, tallies: Any) -> Any:
    """Add the digests of all rooms to a tally's fingerprint."""
    position, tally = positions[0], tallies[0]
    n_players = position.n_players
    low = high = np.int64(0)
    for start in range(0, cells.shape[0], n_players):
        lay_hand(position, cells, plays, start)
        low, high = digest_hand(position, low, high)
        after = start + n_players
        unit, room = cells[start, UNIT], cells[start, ROOM]
        if after == cells.shape[0] or cells[after, UNIT] != unit or cells[after, ROOM] != room:
            low, high = mix(low, high, unit & WORD, unit >> 32, room, kind)
            add_digest(tally, low, high)
            low = high = np.int64(0)


@jit
def lay_hand(position: Any, cells: Any, plays: Any, start: Any) -> Any:
    """Lay what a hand's digest is taken over on a table."""
    n_players = position.n_players
    for seat in range(4):
        position.bids[seat] = NOT_YET
        position.points[seat] = 0
    for seat in range(n_players):
        row = start + seat
        position.bids[seat] = cells[row, BID]
        position.kept[seat] = cells[row, KEPT]
        position.given[seat] = cells[row, GIVEN]
        position.blind[seat] = cells[row, EVENTS] >> AT_BLIND & 1
        if seat < position.rules.n_sides:
            position.points[seat] = cells[row, POINTS]
    leader = cells[start, EVENTS] >> AT_FIRST & 3
    n = 0
    for trick in range(plays.shape[1]):
        seat = leader
        for _ in range(n_players):
            position.history[n] = plays[start + seat, trick]
            n += 1
            seat = seat + 1 if seat + 1 < n_players else 0
        for seat in range(n_players):
            if cells[start + seat, EVENTS] >> trick & 1:
                leader = seat
    position.n_history = n
