"""A range of games or boards, played by one line-up in every room of its seating, as integer tallies.

A *unit* is a set of games on the same deals (PAIRS, for they are mostly two) or one board (BOARDS). It is
played once in each room of the table's seating (`spadesim.core.seating`): with partners, A sits at seats 0
and 2 in the one and at 1 and 3 in the other. Unit `u` is a function of the seed and `u` alone, so any
division of the units into chunks gives the same totals.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core import tally as t
from spadesim.core._jit import COMPILED, compile_safely, jit, jit_within
from spadesim.core.call import address_of
from spadesim.core.cards import popcount
from spadesim.core.equity import (
    EQUITY_ONE,
    GRID,
    START_STATE,
    EquityTable,
    chance,
    chance_of_first,
    draw_start,
    no_equity,
)
from spadesim.core.play import (
    DESK,
    NO_FAULT,
    REWROTE,
    bid_on,
    digest_hand,
    play_hand,
    play_on,
    rewriter,
)
from spadesim.core.position import POSITION, end_hand, first_side, new_position, open_hand, start_game
from spadesim.core.rng import mix
from spadesim.core.rows import BOOK_TYPE, NO_BOOK, Book, write_hand
from spadesim.core.rules import DEAL_DRAW, Rules
from spadesim.core.scoring import DRAW, GOES_ON
from spadesim.core.seating import MAX_ROOMS, seat_line_up, side_at
from spadesim.core.tally import (
    DRAW_RESULT,
    LOSS,
    MAX_BID,
    N_LENGTHS,
    N_PLAYER_COUNTS,
    N_SIDE_COUNTS,
    OPENER,
    RATIO_PARTS,
    TALLY,
    UNFINISHED,
    WHOLE_GAME,
    WIN,
    add_digest,
    new_tally,
)

PAIRS, BOARDS = range(2)
HAND_CAP = 1000  # the engine's safety stop for games that never end

TASK = np.dtype((np.record, [
    ("kind", np.int64),  # PAIRS or BOARDS
    ("seed", np.int64),
    ("first", np.int64),  # first unit
    ("count", np.int64),  # units
    ("hand_cap", np.int64),  # hands after which a game counts as unfinished
    ("scores", np.int64, (4,)),  # a board's scores and bags before the hand, by side of the seats
    ("bags", np.int64, (4,)),
    ("draws_start", np.int64),  # 1: boards start from states of the equity table instead
    ("skips", np.int64),  # 1: a board is not played again where it could only go as in the first room
]))  # fmt: skip

UNIT = np.dtype((np.record, [
    ("sides", np.int64, (2, N_SIDE_COUNTS)),
    ("players", np.int64, (4, N_PLAYER_COUNTS)),
    ("hands", np.int64),
    ("led", np.int64),  # tricks of the hands' first leaders
    ("parts", np.int64, (OPENER + 1,)),  # games won by side of the table and by the opener, see TALLY
    ("margin", np.int64, (MAX_ROOMS,)),
    ("priced", np.int64, (MAX_ROOMS,)),
    ("equity", np.int64, (MAX_ROOMS,)),
    ("result", np.int64, (MAX_ROOMS,)),  # A's result of a game; what `end_hand` says of a board
    ("digest", np.int64, (MAX_ROOMS, 2)),
    ("scores", np.int64, (4,)),  # of a board, before the hand
    ("bags", np.int64, (4,)),
    ("hand_no", np.int64),
    ("dealer", np.int64),
    ("chance", np.int64),  # of side 0 to win, before the hand
]))  # fmt: skip

# One unit's outcome from A's side, all rooms taken together; what a test of strength or a bootstrap reads.
OUTCOME = np.dtype((np.record, [
    ("equity", np.int64),  # change of A's chance to win, in units of 1 / EQUITY_ONE; 0 for games
    ("margin", np.int64),  # A's points minus B's
    ("priced", np.int64),  # the same with bags at their price, times the bag limit
    ("results", np.int64),  # games: A's result in room r as two bits from bit 2r on
    ("same", np.int64),  # 1 when all rooms went alike, card by card
]))  # fmt: skip

CROSS = np.array(t.CROSS, dtype=np.int64)

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
        Whether A's bots do the same as B's at their place once both have bid alike.
    """

    bids: tuple[Any, ...]
    plays: tuple[Any, ...]
    params: npt.NDArray[np.float64]
    keeps: tuple[Any, ...] = (None,) * 4
    blinds: tuple[Any, ...] = (None,) * 4
    exchanges: tuple[Any, ...] = (None,) * 4
    differs_in_bids: bool = False

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
    compile_engine()
    positions = np.zeros(2, dtype=POSITION)
    positions[:] = [new_position(rules), new_position(rules)]
    desks, tasks, tally = np.zeros(1, dtype=DESK), np.zeros(1, dtype=TASK), new_tally()
    lay_out(desks[0], lineup)
    tasks[0] = task
    tasks[0]["skips"] &= lineup.differs_in_bids and not positions[0]["rules"]["has_prelude"]
    if outcomes is None:
        outcomes = np.zeros(0, dtype=OUTCOME)
    units = np.zeros(1, dtype=UNIT)
    run_units(positions, desks, tasks, units, outcomes, tally, *(equity or no_equity()), book)
    return tally, desks[0]["fault"]


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
    """Play the units of a task into the tally, and write outcomes and rows; stops at the first fault."""
    position, desk, task, unit, tally = positions[0], desks[0], tasks[0], units[0], tallies[0]
    grid = grids[0]
    for number in range(task.first, task.first + task.count):
        clear_unit(unit)
        if task.kind == BOARDS:
            open_board(position, task, number, grid, chances, starts, unit)
        for room in range(position.rules.n_rooms):
            seat_line_up(position.rules, room, desk.roles)
            at = 0
            if task.skips and task.kind == BOARDS and room > 0:
                code, at = play_differing(positions, task, number, room, desk, unit, tally, book)
            else:
                code = play_room(position, task, number, room, desk, unit, tally, book)
            if code != NO_FAULT:
                desk.fault.unit = number
                desk.fault.room = room
                return
            if grid.is_on and task.kind == BOARDS:
                count_equity(positions[at], grid, chances, room, desk.roles, unit)
        role = rewriter(desk)
        if role >= 0:
            desk.fault.code = REWROTE
            desk.fault.unit = number
            desk.fault.role = role
            return
        count_unit(unit, task.kind, number, position.rules, tally)
        if outcomes.size > 0:
            write_outcome(unit, task.kind, position.rules.n_rooms, outcomes[number - task.first])


@jit_within
def clear_unit(unit: Any) -> Any:
    """Begin a new unit's counts."""
    unit.hands = 0
    unit.led = 0
    for k in range(OPENER + 1):
        unit.parts[k] = 0
    for room in range(MAX_ROOMS):
        unit.margin[room] = 0
        unit.priced[room] = 0
        unit.equity[room] = 0
    for side in range(2):
        for k in range(N_SIDE_COUNTS):
            unit.sides[side, k] = 0
    for player in range(4):
        for k in range(N_PLAYER_COUNTS):
            unit.players[player, k] = 0


@jit
def went_alike(unit: Any, n_rooms: Any) -> Any:
    """Whether all rooms of a finished unit went alike, card by card."""
    for room in range(1, n_rooms):
        if unit.digest[0, 0] != unit.digest[room, 0] or unit.digest[0, 1] != unit.digest[room, 1]:
            return False
    return True


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


@jit
def play_differing(
    positions: Any, task: Any, number: Any, room: Any, desk: Any, unit: Any, tally: Any, book: Any
) -> Any:
    """Play a later room of a board as far as it can differ from the first one.

    The bots do the same as in the first room once they have bid alike; then that room's hand is counted
    again, for the sides that sit here.

    Returns
    -------
    tuple of 2 int
        0, or the code of a fault; and which of the two tables now stands behind this room's hand.
    """
    first, position = positions[0], positions[1]
    position.seed, position.index = task.seed, number
    reopen_board(position, unit)
    for seat in range(first.n_players):
        position.dealt[seat] = first.dealt[seat]
    open_hand(position)
    at, code = 1, bid_on(position, desk)
    if code == NO_FAULT and bid_alike(position, first):
        at = 0
        reopen_board(first, unit)
    elif code == NO_FAULT:
        code = play_on(position, desk)
    if code == NO_FAULT:
        enter_board(positions[at], number, room, desk.roles, unit, tally, book)
    return code, at


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
    if book.wide.shape[1] > 0:
        write_hand(position, number, room, roles, book)
    return digest_hand(position, low, high)


@jit
def count_game(position: Any, result: Any, room: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count a game's result and length."""
    tally.games += 1
    tally.lengths[min(position.hand_no, N_LENGTHS - 1)] += 1
    if result == GOES_ON:
        unit.result[room] = UNFINISHED
        return
    for side in range(position.rules.n_sides):
        unit.sides[roles[side] >> 1, t.GAMES] += 1
    if result == DRAW:
        unit.result[room] = level_result(position, roles)
        return
    unit.result[room] = WIN if roles[result] < 2 else LOSS


@jit
def count_parts(position: Any, opener: Any, unit: Any) -> Any:
    """Count whose a finished game is at the table: the best score's, or an equal part for level ones."""
    scores, n_sides = position.scores, position.rules.n_sides
    best, n_best = scores[0], 0
    for side in range(n_sides):
        if scores[side] > best:
            best, n_best = scores[side], 0
        n_best += 1 if scores[side] == best else 0
    for side in range(n_sides):
        if scores[side] == best:
            unit.parts[side] += WHOLE_GAME // n_best
            if side == opener:
                unit.parts[OPENER] += WHOLE_GAME // n_best


@jit
def level_result(position: Any, roles: Any) -> Any:
    """A's result of a game that ended with level best scores: a draw unless all of them are one bot's."""
    best = position.scores[0]
    for side in range(1, position.rules.n_sides):
        best = max(best, position.scores[side])
    n_best = n_best_of_a = 0
    for side in range(position.rules.n_sides):
        if position.scores[side] == best:
            n_best += 1
            n_best_of_a += 1 - (roles[side] >> 1)
    if 0 < n_best_of_a < n_best:
        return DRAW_RESULT
    return WIN if n_best_of_a > 0 else LOSS


@jit
def count_hand(position: Any, room: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count a scored hand, before it is entered."""
    tally.hands += 1
    unit.hands += 1
    unit.led += position.tricks[position.first_bidder]
    for seat in range(position.n_players):
        count_seat(position, seat, roles[seat], unit, tally)
    for side in range(position.rules.n_sides):  # a side's number is that of its first seat
        owner = roles[side] >> 1
        count_side(position, side, owner, unit, tally)
        sign = 1 - 2 * owner
        unit.margin[room] += sign * position.points[side]
        unit.priced[room] += sign * priced(position, side)
    if position.rules.has_prelude:
        count_prelude(position, roles, unit, tally)


@jit
def priced(position: Any, side: Any) -> int:
    """A side's points with each bag at its share of the penalty instead of the penalty, times the limit."""
    rules = position.rules
    if rules.bag_limit == 0:
        return position.points[side]
    without = position.points[side] + position.periods[side] * rules.bag_penalty
    return without * rules.bag_limit - position.hand_bags[side] * rules.bag_penalty


@jit_within
def count_seat(position: Any, seat: Any, player: Any, unit: Any, tally: Any) -> Any:
    """Count what one seat, at which the bot in role `player` sits, bid, won and decided."""
    owner = player >> 1
    bid = position.bids[seat]
    tricks = position.tricks[seat]
    unit.players[player, t.P_HANDS] += 1
    unit.players[player, t.P_BID] += bid
    unit.players[player, t.P_TRICKS] += tricks
    unit.players[player, t.P_FORCED] += position.n_forced[seat]
    unit.players[player, t.P_FREE] += position.n_free[seat]
    if bid == 0:
        unit.players[player, t.P_NIL_BIDS] += 1
        unit.players[player, t.P_NIL_MADE] += 1 if tricks == 0 else 0
    elif position.rules.n_sides < position.n_players and position.bids[(seat + 2) & 3] == 0:
        unit.players[player, t.P_COVERS] += 1
        unit.players[player, t.P_COVERS_MADE] += 1 if position.tricks[(seat + 2) & 3] == 0 else 0
    tally.bid_tricks[owner, min(bid, MAX_BID - 1), min(tricks, MAX_BID - 1)] += 1
    points = position.points[side_at(position, seat)]
    tally.seat_tricks[seat] += tricks
    tally.seat_points[seat] += points
    place = seat - position.first_bidder
    if place < 0:
        place += position.n_players
    tally.order_tricks[place] += tricks
    tally.order_tricks_squares[place] += tricks * tricks
    tally.order_points[place] += points


@jit
def count_prelude(position: Any, roles: Any, unit: Any, tally: Any) -> Any:
    """Count what was decided before the bidding, and what it was worth to draw first."""
    draws = position.rules.deal == DEAL_DRAW
    for seat in range(position.n_players):
        counts = unit.players[roles[seat]]
        if draws:
            counts[t.P_OFFERED] += position.rules.hand_size
            counts[t.P_KEPT] += popcount(position.kept[seat])
        if position.blind[seat] == 1:
            counts[t.P_BLIND_BIDS] += 1
            counts[t.P_BLIND_MADE] += 1 if position.tricks[seat] == 0 else 0
    if draws:
        first = position.dealer
        ahead = position.points[first] - position.points[1 - first]
        tally.draw_margin += ahead
        tally.draw_margin_squares += ahead * ahead


@jit_within
def count_side(position: Any, side: Any, owner: Any, unit: Any, tally: Any) -> Any:
    """Count what one side's hand came to."""
    unit.sides[owner, t.HANDS] += 1
    if position.contracts[side] > 0:
        unit.sides[owner, t.CONTRACTS] += 1
        unit.sides[owner, t.SETS] += position.sets[side]
    unit.sides[owner, t.BAGS] += position.hand_bags[side]
    unit.sides[owner, t.BAG_PENALTIES] += position.periods[side]
    unit.sides[owner, t.BOSTONS] += position.bostons[side]
    unit.sides[owner, t.POINTS] += position.points[side]
    tally.bags_hist[owner, min(position.hand_bags[side], MAX_BID - 1)] += 1


@jit
def count_unit(unit: Any, kind: Any, number: Any, rules: Any, tally: Any) -> Any:
    """Add a finished unit to the tally."""
    n_rooms = rules.n_rooms
    n_counts, n_ratios = t.N_USUAL_COUNTS, t.N_USUAL_RATIOS
    if rules.has_prelude:
        n_counts, n_ratios = N_SIDE_COUNTS, RATIO_PARTS.shape[0]
    tally.units += 1
    if kind == PAIRS:
        count_results(unit, n_rooms, tally)
    else:
        count_chances(unit, n_rooms, tally)
    count_margins(unit, n_rooms, tally)
    tally.led_products[0] += unit.led * unit.led
    tally.led_products[1] += unit.led * unit.hands
    tally.led_products[2] += unit.hands * unit.hands
    count_players(unit, tally)
    if rules.has_prelude:
        count_preludes(unit, tally)
    for k in range(len(t.CROSS)):
        tally.cross[k] += unit.sides[0, CROSS[k, 0]] * unit.sides[1, CROSS[k, 1]]
    for side in range(2):
        for k in range(n_counts):
            tally.sides[side, k] += unit.sides[side, k]
        for r in range(n_ratios):
            numerator = unit.sides[side, RATIO_PARTS[r, 0]]
            denominator = unit.sides[side, RATIO_PARTS[r, 1]]
            tally.ratio_products[side, r, 0] += numerator * numerator
            tally.ratio_products[side, r, 1] += numerator * denominator
            tally.ratio_products[side, r, 2] += denominator * denominator
    tally.identical += 1 if went_alike(unit, n_rooms) else 0
    for room in range(n_rooms):
        low, high = mix(unit.digest[room, 0], unit.digest[room, 1], number & t.WORD, number >> 32, room, kind)
        add_digest(tally, low, high)


@jit
def count_results(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add how a unit's games went to the tally."""
    if n_rooms == 2:
        tally.outcomes[unit.result[0], unit.result[1]] += 1
    finished = half_points = 0
    for room in range(n_rooms):
        tally.room_results[room, unit.result[room]] += 1
        if unit.result[room] != UNFINISHED:
            finished += 1
            half_points += unit.result[room]
    tally.shares[finished, half_points] += 1
    for k in range(OPENER + 1):
        tally.parts[k, 0] += unit.parts[k]
        tally.parts[k, 1] += unit.parts[k] * unit.parts[k]
        tally.parts[k, 2] += unit.parts[k] * finished


@jit
def count_players(unit: Any, tally: Any) -> Any:
    """Add a unit's counts by player to the tally and to those of its sides."""
    for player in range(4):
        side = player >> 1
        players = unit.players
        for k in range(t.N_USUAL_PLAYER_COUNTS):
            tally.players[player, k] += players[player, k]
        bid, tricks = players[player, t.P_BID], players[player, t.P_TRICKS]
        nils, made = players[player, t.P_NIL_BIDS], players[player, t.P_NIL_MADE]
        unit.sides[side, t.SEAT_HANDS] += players[player, t.P_HANDS]
        unit.sides[side, t.BID] += bid
        unit.sides[side, t.TRICKS] += tricks
        unit.sides[side, t.BID_ERROR] += tricks - bid
        unit.sides[side, t.FORCED] += players[player, t.P_FORCED]
        unit.sides[side, t.FREE] += players[player, t.P_FREE]
        unit.sides[side, t.NIL_BIDS] += nils
        unit.sides[side, t.NIL_MADE] += made
        unit.sides[1 - side, t.OPPONENT_NIL_BIDS] += nils
        unit.sides[1 - side, t.OPPONENT_NIL_SET] += nils - made


@jit
def count_preludes(unit: Any, tally: Any) -> Any:
    """Add a unit's counts of decisions before the bidding, the last ones of its players and sides."""
    for player in range(4):
        for k in range(N_PLAYER_COUNTS - t.N_USUAL_PLAYER_COUNTS):
            n = unit.players[player, t.N_USUAL_PLAYER_COUNTS + k]
            tally.players[player, t.N_USUAL_PLAYER_COUNTS + k] += n
            unit.sides[player >> 1, t.N_USUAL_COUNTS + k] += n


@jit
def count_margins(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add a unit's differences of points, A minus B, and their squares."""
    margin = priced_margin = np.int64(0)
    for room in range(n_rooms):
        m, p = unit.margin[room], unit.priced[room]
        margin += m
        priced_margin += p
        tally.margin[room] += m
        tally.margin_squares[room] += m * m
        tally.priced[room] += p
        tally.priced_squares[room] += p * p
    tally.level += 1 if margin == 0 else 0
    tally.margin_squares[MAX_ROOMS] += margin * margin
    tally.priced_squares[MAX_ROOMS] += priced_margin * priced_margin


@jit
def count_chances(unit: Any, n_rooms: Any, tally: Any) -> Any:
    """Add what a board has changed in A's chance to win, and its square."""
    change = np.int64(0)
    for room in range(n_rooms):
        e = unit.equity[room]
        change += e
        tally.equity[room] += e
        tally.equity_squares[room] += e * e
    tally.equity_squares[MAX_ROOMS] += change * change
    tally.boards_by_chance[LOSS if change < 0 else WIN if change > 0 else DRAW_RESULT] += 1
