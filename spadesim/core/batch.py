"""A range of games or boards, played by line-ups in every room of their seating, as integer tallies.

A *unit* is a set of games on the same deals (PAIRS, for they are mostly two) or one board (BOARDS). It is
played once in each room of the table's seating (`spadesim.core.seating`): with partners, A sits at seats 0
and 2 in the one and at 1 and 3 in the other. Unit `u` is a function of the seed and `u` alone, so any
division of the units into chunks gives the same totals. Several line-ups that play the same units side by
side come to what each of them comes to alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit, jit_within
from spadesim.core.board import (
    ANY_ROOM,
    NONE,
    SAME_ROOM,
    enter_board,
    enter_hand,
    open_board,
    play_sparing,
    reopen_board,
)
from spadesim.core.call import address_of
from spadesim.core.count import (
    UNIT,
    clear_unit,
    count_chances,
    count_game,
    count_parts,
    count_results,
    count_unit,
    went_alike,
)
from spadesim.core.equity import (
    EQUITY_ONE,
    GRID,
    START_STATE,
    EquityTable,
    chance,
    no_equity,
)
from spadesim.core.play import (
    DESK,
    NO_FAULT,
    REWROTE,
    play_hand,
    rewriter,
)
from spadesim.core.position import POSITION, end_hand, new_position, start_game
from spadesim.core.rows import BOOK_TYPE, NO_BOOK, Book
from spadesim.core.rules import Rules
from spadesim.core.scoring import GOES_ON
from spadesim.core.seating import seat_line_up, side_at
from spadesim.core.tally import TALLY
from spadesim.core.view import NOT_YET

PAIRS, BOARDS = range(2)
HAND_CAP = 1000  # the engine's safety stop for games that never end
MOST_TABLES = 64  # at which hands of a board are kept

TASK = np.dtype((np.record, [
    ("kind", np.int64),  # PAIRS or BOARDS
    ("seed", np.int64),
    ("first", np.int64),  # first unit
    ("count", np.int64),  # units
    ("hand_cap", np.int64),  # hands after which a game counts as unfinished
    ("scores", np.int64, (4,)),  # a board's scores and bags before the hand, by side of the seats
    ("bags", np.int64, (4,)),
    ("draws_start", np.int64),  # 1: boards start from states of the equity table instead
    ("skips", np.int64),  # 1: hands that can only go as others of their board are not played out
]))  # fmt: skip

# One unit's outcome from A's side, all rooms taken together; what a test of strength or a bootstrap reads.
OUTCOME = np.dtype((np.record, [
    ("equity", np.int64),  # change of A's chance to win, in units of 1 / EQUITY_ONE; 0 for games
    ("margin", np.int64),  # A's points minus B's
    ("priced", np.int64),  # the same with bags at their price, times the bag limit
    ("results", np.int64),  # games: A's result in room r as two bits from bit 2r on
    ("same", np.int64),  # 1 when all rooms went alike, card by card
]))  # fmt: skip

_SIGNATURE = types.void(
    *(
        types.Array(numba.from_dtype(dtype), 1, "C")
        for dtype in (POSITION, DESK, TASK, UNIT, OUTCOME, TALLY, GRID)
    ),
    types.Array(types.int16, 1, "C"),
    types.Array(numba.from_dtype(START_STATE), 1, "C"),
    BOOK_TYPE,
)


class Lineup(NamedTuple):
    """The bots of a duel by role: A's at its lower and its higher seat, then B's.

    At a table of single players A's lower and B's lower bot are those that play.

    Parameters
    ----------
    bids, plays : tuples of 4 compiled strategy functions
    params : float64 array of shape (2, 4, most parameters that any of them has)
        What the functions get as `p`: `bid`, and all others; without the first axis the same for both.
    keeps, blinds, exchanges : tuples of 4 compiled strategy functions
        Those that the table does not ask for may be None.
    differs_in_bids : bool
        Whether A's bots, which are not B's, do the same as B's at their place once both have bid alike.
    weaknesses : float64 array of shape (4, `spadesim.core.weakness.N_WEAKNESSES`), optional
        What makes each of them weaker, none unless given.
    after_bids : tuple of 2, optional
        What A's bots, and what B's, are after the bidding: where these are equal, they go alike once all have
        bid alike. None for not known.
    """

    bids: tuple[Any, ...]
    plays: tuple[Any, ...]
    params: npt.NDArray[np.float64]
    keeps: tuple[Any, ...] = (None,) * 4
    blinds: tuple[Any, ...] = (None,) * 4
    exchanges: tuple[Any, ...] = (None,) * 4
    differs_in_bids: bool = False
    weaknesses: npt.NDArray[np.float64] | None = None
    after_bids: tuple[object, object] | None = None

    def by_phase(self) -> tuple[tuple[Any, ...], ...]:
        """The functions of all roles in the order of the phases."""
        return self.bids, self.plays, self.keeps, self.blinds, self.exchanges


@jit
def no_answer(view: Any, p: Any) -> int:
    """What is asked where a strategy lacks a function: an answer that is never legal."""
    return -1


def new_task(kind: int, seed: int, first: int, count: int, hand_cap: int = HAND_CAP) -> Any:
    """A TASK record of `count` units from number `first` on; boards start level, without bags."""
    task = np.zeros(1, dtype=TASK)[0]
    task["kind"], task["seed"], task["first"] = kind, seed, first
    task["count"], task["hand_cap"] = count, hand_cap
    return task


@cache
def compile_engine() -> None:
    """Compile the engine, or read it from the cache: once, before any thread plays.

    Its machine code calls strategies by address, so it is the same for every line-up.
    """
    if COMPILED:
        engine: Any = run_units
        compile_safely(lambda: engine.compile(_SIGNATURE))
        engine.disable_compile()


def lay_out(desk: Any, lineup: Lineup) -> None:
    """Write a line-up's functions and parameters into a DESK record."""
    desk["calls"] = [
        [address_of(function or no_answer) for function in by_role] for by_role in lineup.by_phase()
    ]
    n = lineup.params.shape[-1]
    desk["n_params"] = n
    for name in ("params", "given"):
        desk[name][..., :n] = lineup.params
    desk["weakness"] = 0.0 if lineup.weaknesses is None else lineup.weaknesses
    desk["is_weak"] = desk["weakness"].any(axis=1)
    desk["forgotten_by"] = NOT_YET


def run_chunk(
    lineup: Lineup,
    rules: Rules,
    task: Any,
    outcomes: npt.NDArray[np.void] | None = None,
    equity: EquityTable | None = None,
    book: Book = NO_BOOK,
) -> tuple[npt.NDArray[np.void], Any]:
    """The tally of a range of units, and the FAULT record (code 0 when every answer was legal).

    Parameters
    ----------
    lineup : the four bots by role
    rules : Rules
    task : TASK record
    outcomes : array of OUTCOME records, one for each unit, optional
        To be written, in the order of the units.
    equity : EquityTable, optional
        What the change of win chance on a board is read from; without one it is 0.
    book : Book
        Where a row a seat and hand is written behind those that stand there, if there is room at all.

    Raises
    ------
    Exception
        Whatever a strategy raises.
    """
    found = run_together([lineup], rules, task, outcomes, equity, book)
    return found.tallies[0], found.fault


class Together(NamedTuple):
    """What several line-ups came to on the same units.

    Parameters
    ----------
    tallies : list of arrays of one TALLY record
        Of each line-up.
    fault : FAULT record
        Of the first answer that was not legal, which ends all play; code 0 without one.
    spared : list of int
        Of each, the hands that were counted and not played out: they could only go as others of their board.
    """

    tallies: list[npt.NDArray[np.void]]
    fault: Any
    spared: list[int]


def run_together(
    lineups: Sequence[Lineup],
    rules: Rules,
    task: Any,
    outcomes: npt.NDArray[np.void] | None = None,
    equity: EquityTable | None = None,
    book: Book = NO_BOOK,
) -> Together:
    """What line-ups come to on the same units, the same as for each of them alone.

    Parameters and errors as `run_chunk`, but `outcomes` has the shape (line-ups * units,): those of the first
    line-up in the order of the units, then those of the next. Rows of several line-ups cannot be told apart.
    """
    compile_engine()
    desks, tasks = np.zeros(len(lineups), dtype=DESK), np.zeros(1, dtype=TASK)
    for desk, lineup in zip(desks, lineups, strict=True):
        lay_out(desk, lineup)
    tasks[0] = task
    tasks[0]["skips"] = spares(lineups, rules) if task["skips"] else NONE
    tables = [new_position(rules) for _ in range(n_tables(len(lineups), tasks[0], rules))]
    positions = np.array(tables, dtype=POSITION)
    if outcomes is None:
        outcomes = np.zeros(0, dtype=OUTCOME)
    tallies, units = np.zeros(len(lineups), dtype=TALLY), np.zeros(1, dtype=UNIT)
    run_units(positions, desks, tasks, units, outcomes, tallies, *(equity or no_equity()), book)
    at_fault = int(np.argmax(desks["fault"]["code"] != NO_FAULT))
    found = [tallies[k : k + 1] for k in range(len(lineups))]
    return Together(found, desks[at_fault]["fault"], desks["n_spared"].tolist())


def spares(lineups: Sequence[Lineup], rules: Rules) -> int:
    """Which hands of a board need not be played out, `NONE`, `SAME_ROOM` or `ANY_ROOM`.

    A bot that meets itself alone is played in full: that proves something.
    """
    if rules.record()["has_prelude"]:
        return NONE
    if len(lineups) == 1:
        return ANY_ROOM if lineups[0].differs_in_bids else NONE
    kinds = {lineup.after_bids for lineup in lineups}
    kind = kinds.pop()
    if kinds or kind is None:
        return NONE
    return ANY_ROOM if kind[0] == kind[1] else SAME_ROOM


def n_tables(n_lineups: int, task: Any, rules: Rules) -> int:
    """At how many tables a task is played: two where no more could be of use."""
    if task["kind"] != BOARDS or task["skips"] == NONE or n_lineups == 1:
        return 2
    n_rooms = int(rules.record()["n_rooms"])
    if task["skips"] == ANY_ROOM:
        return min(n_lineups * n_rooms, MOST_TABLES)
    return n_rooms * min(n_lineups, MOST_TABLES // n_rooms)


@jit
def run_units(  # noqa: PLR0913, PLR0917 - compiled code takes its memory from outside, an array for each type
    positions: Any,
    desks: Any,
    tasks: Any,
    units: Any,
    outcomes: Any,
    tallies: Any,
    grids: Any,
    chances: Any,
    starts: Any,
    book: Any,
) -> Any:
    """Play the units of a task into tallies, and write outcomes and rows; stops at the first fault."""
    position, task, unit = positions[0], tasks[0], units[0]
    is_board, is_spared = task.kind == BOARDS, task.kind == BOARDS and task.skips != NONE
    grid = grids[0]
    for number in range(task.first, task.first + task.count):
        if is_board:
            open_board(position, task, number, grid, chances, starts, unit)
        for k in range(desks.size):
            desk, tally = desks[k], tallies[k]
            clear_unit(unit)
            for room in range(position.rules.n_rooms):
                seat_line_up(position.rules, room, desk.roles)
                at = 0
                if is_spared:
                    code, at = play_sparing(positions, task, number, room, desk, unit, tally, book)
                else:
                    code = play_room(position, task, number, room, desk, unit, tally, book)
                if code != NO_FAULT:
                    desk.fault.unit = number
                    desk.fault.room = room
                    return
                if grid.is_on and is_board:
                    count_equity(positions[at], grid, chances, room, desk.roles, unit)
            role = rewriter(desk)
            if role >= 0:
                desk.fault.code = REWROTE
                desk.fault.unit = number
                desk.fault.role = role
                return
            finish_unit(unit, task, number, position.rules, tally)
            if outcomes.size > 0:
                at_outcome = k * task.count + number - task.first
                write_outcome(unit, task.kind, position.rules.n_rooms, outcomes[at_outcome])


@jit_within
def finish_unit(unit: Any, task: Any, number: Any, rules: Any, tally: Any) -> Any:
    """Count a unit that has been played in all rooms."""
    if task.kind == PAIRS:
        count_results(unit, rules.n_rooms, tally)
    else:
        count_chances(unit, rules.n_rooms, tally)
    count_unit(unit, task.kind, number, rules, tally)


@jit
def write_outcome(unit: Any, kind: Any, n_rooms: Any, outcome: Any) -> Any:
    """Write what a finished unit came to."""
    margin = priced_margin = results = equity = np.int64(0)
    for room in range(n_rooms):
        equity += unit.equity[room]
        margin += unit.margin[room]
        priced_margin += unit.priced[room]
        if kind == PAIRS:
            results |= unit.result[room] << 2 * room
    outcome.equity = equity
    outcome.margin = margin
    outcome.priced = priced_margin
    outcome.results = results
    outcome.same = 1 if went_alike(unit, n_rooms) else 0


@jit
def count_equity(position: Any, grid: Any, chances: Any, room: Any, roles: Any, unit: Any) -> Any:
    """Count what a board's hand has changed in A's chance to win."""
    before = unit.chance if roles[0] < 2 else EQUITY_ONE - unit.chance
    side_of_a = 0 if roles[0] < 2 else 1
    unit.equity[room] = chance(position, unit.result[room], side_of_a, grid, chances) - before


@jit
def play_room(
    position: Any, task: Any, number: Any, room: Any, desk: Any, unit: Any, tally: Any, book: Any
) -> Any:
    """Play one room of a unit into its counts; 0, or the code of a fault."""
    if task.kind == BOARDS:
        reopen_board(position, unit)
        code = play_hand(position, desk)
        if code == NO_FAULT:
            enter_board(position, number, room, desk.roles, unit, tally, book)
        return code
    start_game(position, task.seed, number)
    low = high = np.int64(0)
    result = GOES_ON
    opener = np.int64(0)
    while result == GOES_ON and position.hand_no < task.hand_cap:
        code = play_hand(position, desk)
        if code != NO_FAULT:
            return code
        if position.hand_no == 0:
            opener = side_at(position, position.first_bidder)
        low, high = enter_hand(position, number, room, desk.roles, unit, tally, book, low, high)
        result = end_hand(position)
    unit.digest[room, 0] = low
    unit.digest[room, 1] = high
    count_game(position, result, room, desk.roles, unit, tally)
    if result != GOES_ON:
        count_parts(position, opener, unit)
    if 0 <= result < position.rules.n_sides:
        tally.opener_wins[0 if result == opener else 1] += 1
    return NO_FAULT
