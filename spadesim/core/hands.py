"""What hands bring: whole games of one line-up, each hand as a row of integers, from the first bidder's side.

This is what a table of win chances is made of (`spadesim.match.equity`). It needs two sides.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.batch import HAND_CAP, Lineup, lay_out
from spadesim.core.play import DESK, NO_FAULT, play_hand
from spadesim.core.position import POSITION, end_hand, first_side, new_position, start_game
from spadesim.core.rules import Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.seating import seat_line_up

# A hand; pairs are of the side that bid first, and of the other.
HAND_ROW = np.dtype((np.record, [
    ("game", np.int64),
    ("hands", np.int64),  # played before it
    ("scores", np.int64, (2,)),  # before it
    ("bags", np.int64, (2,)),
    ("points", np.int64, (2,)),  # that it brought, bag penalties left out
    ("new_bags", np.int64, (2,)),
    ("extra", np.int64),  # 1: played because of level scores at the game's end
    ("won", np.int64),  # half games won in the end: 2, 1 for a draw, 0; -1 for a game that did not end
]))  # fmt: skip

_ARRAYS = [types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (POSITION, DESK, HAND_ROW)]
_GAME = types.int64(*_ARRAYS, types.int64, types.int64, types.int64)
_HANDS = types.int64(*_ARRAYS, types.int64, types.int64)


def play_games(
    lineup: Lineup, rules: Rules, seed: int, first: int, count: int, hand_cap: int = HAND_CAP
) -> npt.NDArray[np.void]:
    """Every hand of some whole games, in order.

    Parameters
    ----------
    lineup : Lineup
        Seated as in room 0.
    rules : Rules
        With two sides.
    seed, first, count : int
        Which deals, the number of the first game, and how many games.
    hand_cap : int
        Hands after which a game is given up.

    Returns
    -------
    array of HAND_ROW records

    Raises
    ------
    RuntimeError
        A bot broke the contract.
    """
    positions, desks = _table(record_game, _GAME, lineup, rules)
    rows, found = np.zeros(hand_cap, dtype=HAND_ROW), []
    for game in range(first, first + count):
        n = record_game(positions, desks, rows, seed, game, hand_cap)
        if n < 0:
            raise RuntimeError(f"a bot broke the contract in game {game} of seed {seed}")
        found.append(rows[:n].copy())
    return np.concatenate(found)


def _table(record: Any, signature: Any, lineup: Lineup, rules: Rules) -> tuple[Any, Any]:
    """A table with a line-up at it, and the function that will play there compiled."""
    if COMPILED and not record.signatures:
        compile_safely(lambda: record.compile(signature))
    positions, desks = np.zeros(1, dtype=POSITION), np.zeros(1, dtype=DESK)
    positions[0] = new_position(rules)
    lay_out(desks[0], lineup)
    return positions, desks


def play_hands(lineup: Lineup, rules: Rules, seed: int, rows: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """One hand from each of some states: these rows, with what their hands brought.

    Parameters
    ----------
    lineup : Lineup
        Seated as in room 0.
    rules : Rules
        With two sides.
    seed : int
        Which deals; a row's `game` is the number of its deal, and settles who deals.
    rows : array of HAND_ROW records
        `game`, `hands`, `scores`, `bags` and `extra` are read.

    Raises
    ------
    RuntimeError
        A bot broke the contract.
    """
    positions, desks = _table(record_hands, _HANDS, lineup, rules)
    found = rows.copy()
    done = record_hands(positions, desks, found, seed, len(found))
    if done < len(found):
        raise RuntimeError(f"a bot broke the contract in board {found['game'][done]} of seed {seed}")
    return found


@jit
def record_hands(positions: Any, desks: Any, rows: Any, seed: Any, n: Any) -> int:
    """Play a hand from the state of each row and complete it; how many were played without a fault."""
    position, desk = positions[0], desks[0]
    seat_line_up(position.rules, 0, desk.roles)
    for k in range(n):
        row = rows[k]
        start_game(position, seed, row.game)
        position.hand_no = row.hands
        position.in_tiebreak = row.extra
        first = first_side(position)
        for at in range(2):
            side = first if at == 0 else 1 - first
            position.scores[side] = row.scores[at]
            position.bags[side] = row.bags[at]
        if play_hand(position, desk) != NO_FAULT:
            return k
        write_result(position, first, row)
        row.won = -1
    return n


@jit
def write_result(position: Any, first: Any, row: Any) -> Any:
    """Write what a hand, just played, brought both sides."""
    for k in range(2):
        side = first if k == 0 else 1 - first
        penalty = position.periods[side] * position.rules.bag_penalty
        row.points[k] = position.points[side] + penalty
        row.new_bags[k] = position.hand_bags[side]


@jit
def record_game(positions: Any, desks: Any, rows: Any, seed: Any, game: Any, hand_cap: Any) -> int:
    """Play a game and write a row for each hand; how many there were, or -1 for a fault."""
    position, desk = positions[0], desks[0]
    seat_line_up(position.rules, 0, desk.roles)
    start_game(position, seed, game)
    result, n = GOES_ON, 0
    while result == GOES_ON and n < hand_cap:
        first = first_side(position)
        row = rows[n]
        row.game = game
        row.hands = n
        row.extra = position.in_tiebreak
        for k in range(2):
            side = first if k == 0 else 1 - first
            row.scores[k] = position.scores[side]
            row.bags[k] = position.bags[side]
        if play_hand(position, desk) != NO_FAULT:
            return -1
        write_result(position, first, row)
        row.won = first  # who bid first, until the game is over
        result = end_hand(position)
        n += 1
    for k in range(n):
        row = rows[k]
        if result == GOES_ON:
            row.won = -1
        elif result == DRAW:
            row.won = 1
        else:
            row.won = 2 if row.won == result else 0
    return n
