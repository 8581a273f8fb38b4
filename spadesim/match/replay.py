"""Playing a board or a set of games once more, hand by hand, with everything that happened written down.

The engine itself plays: the same loop asks the same bots as in a duel. What it leaves on the table after each
hand is gone through once more, choice by choice, and read into a `Hand`.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Iterable, Iterator
from typing import Any

import numba
import numpy as np
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.batch import BOARDS, Lineup, lay_out
from spadesim.core.equity import GRID, START_STATE, draw_start
from spadesim.core.play import DESK, NO_FAULT, play_on
from spadesim.core.position import (
    POSITION,
    apply,
    end_hand,
    fill_view,
    legal_bids,
    new_position,
    open_hand,
    start_game,
    start_hand,
)
from spadesim.core.prelude import N_TURNS, prelude_legal
from spadesim.core.scoring import GOES_ON
from spadesim.core.seating import ROLES
from spadesim.core.trick import legal_cards
from spadesim.core.view import (
    BIDDING,
    DECLARING,
    EXCHANGING,
    HAND_OVER,
    KEEPING,
    MAX_TRICKS,
    NOT_YET,
    PLAYING,
    VIEW,
)
from spadesim.errors import UserError
from spadesim.match.equity_file import table_of
from spadesim.match.reading import STEP, read_hand, read_opening
from spadesim.match.record import Deal, Fault, Hand, Place, Replay, Room
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side, lineup, load_side

RAISED = -1  # beside the codes of `core.play`: the bot ended with an exception
MOST_STEPS = N_TURNS + 4 + 4 + 4 + 2 * MAX_TRICKS  # turns, blind nils, exchanges, bids, cards

_RECORDS = {
    dtype: types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (POSITION, DESK, VIEW, GRID, START_STATE)
}
_INTS = types.Array(types.int64, 1, "C")
_STEPS = types.Array(types.int64, 2, "C")


def replay(
    spec: DuelSpec, unit: int, *, deal: Deal | None = None, sides: tuple[Side, Side] | None = None
) -> Replay:
    """All rooms of a board or of a set of games, with every bid, card, trick and score.

    Parameters
    ----------
    spec : DuelSpec
        The duel: who, under which rules, from which scores, boards or games.
    unit : int
        Number of the board, pair or set, as `first` counts.
    deal : Deal, optional
        Given cards instead of dealt ones, for a board.
    sides : tuple of 2 Side, optional
        The sides of `spec`, if they have been loaded.

    Raises
    ------
    UserError
        A side cannot be loaded, or whole games were to be played on one deal. A bot that breaks the contract
        ends its room: `Room.fault` says how.
    """
    sides = sides or (load_side(spec.a), load_side(spec.b))
    (found,) = replays(spec, sides, [unit], deal)
    return found


def replays(
    spec: DuelSpec, sides: tuple[Side, Side], units: Iterable[int], deal: Deal | None = None
) -> Iterator[Replay]:
    """The replays of many boards or sets of games, one after the other; parameters as `replay`."""
    if deal is not None and spec.kind != BOARDS:
        raise UserError("A given deal is played as a board, not in whole games.")
    table = _Table(spec, lineup(*sides, spec.rules))
    for unit in units:
        rooms = tuple(table.room(unit, room, deal) for room in range(spec.n_rooms))
        yield Replay(spec, unit, sides, rooms, deal)


def replay_room(spec: DuelSpec, bots: Lineup, unit: int, room: int) -> Room:
    """One room of a unit, played by a line-up."""
    return _Table(spec, bots).room(unit, room)


class _Table:
    """A table at which rooms are played one after the other."""

    def __init__(self, spec: DuelSpec, bots: Lineup) -> None:
        self.spec = spec
        self.bots = bots  # their functions must live as long as the desk holds their addresses
        self.tables, self.desks = np.zeros(1, POSITION), np.zeros(1, DESK)
        self.tables[0] = new_position(spec.rules)
        lay_out(self.desks[0], bots)

    def room(self, unit: int, room: int, deal: Deal | None = None) -> Room:
        """Play a room to its end, the hand cap, or the end of its board."""
        position, task = self.tables[0], self.spec.task(unit, 1)
        desk = self.desks[0]
        desk["params"] = desk["given"]  # whatever a bot may have written there
        desk["roles"] = ROLES[int(position["rules"]["seating"]), room]
        _call(_start, self.tables, self.spec.seed, unit)
        if self.spec.kind == BOARDS:
            self._open_board(task, deal is None)
        hands: list[Hand] = []
        end, fault = GOES_ON, None
        while end == GOES_ON and fault is None and position["hand_no"] < task["hand_cap"]:
            hand, end, fault = self._hand(unit, room, deal)
            hands.append(hand)
            if self.spec.kind == BOARDS:
                end = GOES_ON
                break
        roles = tuple(desk["roles"][: self.spec.rules.players].tolist())
        return Room(room, tuple(hands), end, fault, roles)

    def _open_board(self, task: Any, is_dealt: bool) -> None:
        """Put the board that has begun into the state that it starts from in a duel; given cards, level."""
        position = self.tables[0]
        table = table_of(self.spec) if is_dealt and self.spec.draws_start else None
        if table is not None:
            _call(_draw, self.tables, table.grid, table.starts)
        else:
            position["scores"], position["bags"] = task["scores"], task["bags"]

    def _hand(self, unit: int, room: int, deal: Deal | None) -> tuple[Hand, int, Fault | None]:
        """Play the next hand: its record, how the game stands after it, and the fault that ended it."""
        if deal is not None:
            lay_cards(self.tables[0], deal)
        opening = read_opening(self.tables[0])
        fault = self._play(unit, room, is_dealt=deal is not None)
        steps = self._steps()
        end = GOES_ON if fault is not None else int(_call(_enter, self.tables))
        return read_hand(self.tables[0], opening, steps, fault is None), end, fault

    def _play(self, unit: int, room: int, is_dealt: bool) -> Fault | None:
        desk, position = self.desks[0], self.tables[0]
        try:
            code = int(_call(_play, self.tables, self.desks, is_dealt))
        except Exception as raised:  # whatever a user's bot raises
            return Fault(_place(position, desk, unit, room), RAISED, 0, raised)
        if code == NO_FAULT:
            return None
        return Fault(_place(position, desk, unit, room), code, int(desk["fault"]["choice"]), None)

    def _steps(self) -> list[list[int]]:
        """Every choice of the hand on the table, in order."""
        steps = np.zeros((MOST_STEPS, STEP), np.int64)
        n = int(_call(_retrace, self.tables.copy(), self.tables, steps))
        return [[int(value) for value in step] for step in steps[:n]]


def lay_cards(position: Any, deal: Deal) -> None:
    """Lay given cards, or a given stock, on a table between two hands."""
    position["dealer"] = deal.dealer
    if deal.stock:
        position["deck"][: len(deal.stock)] = deal.stock
    else:
        position["dealt"][: len(deal.hands)] = deal.hands


def _place(position: Any, desk: Any, unit: int, room: int) -> Place:
    seat = int(position["turn"])
    hand_no, trick_no, n_drawn, phase, legal = (
        int(position[name]) for name in ("hand_no", "trick_no", "n_drawn", "phase", "legal")
    )
    return Place(unit, room, hand_no, trick_no, n_drawn, seat, int(desk["roles"][seat]), phase, legal)


def stand_at(played: Replay, room: int, hand: Hand, n_choices: int) -> tuple[Any, Any]:
    """The table as it stood after some choices of a hand, and what the seat in turn knew there.

    Parameters
    ----------
    played : Replay
    room : int
    hand : Hand
        One of that room.
    n_choices : int
        Choices made so far; the hand must not be over with them.

    Returns
    -------
    tuple of POSITION record and VIEW record
    """
    tables, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    tables[0] = new_position(played.spec.rules)
    position = tables[0]
    _call(_start, tables, played.spec.seed, played.unit)
    lay_cards(position, Deal(hand.dealt, hand.dealer, hand.stock))
    position["hand_no"] = hand.number
    n_sides = len(hand.scores)
    position["scores"][:n_sides], position["bags"][:n_sides] = hand.scores, hand.bags
    made = [choice.choice for choice in hand.choices()[:n_choices]]
    _call(_repeat, tables, np.array(made, np.int64))
    _call(_look, tables, views)
    return position, views[0]


def _call(function: Any, *arguments: Any) -> Any:
    if COMPILED and not function.signatures:
        compile_safely(lambda: function.compile(_SIGNATURES[function.__name__]))
    return function(*arguments)


_TABLES, _DESKS, _VIEWS = _RECORDS[POSITION], _RECORDS[DESK], _RECORDS[VIEW]
_SIGNATURES = {
    "_start": types.void(_TABLES, types.int64, types.int64),
    "_draw": types.void(_TABLES, _RECORDS[GRID], _RECORDS[START_STATE]),
    "_play": types.int64(_TABLES, _DESKS, types.boolean),
    "_repeat": types.void(_TABLES, _INTS),
    "_retrace": types.int64(_TABLES, _TABLES, _STEPS),
    "_enter": types.int64(_TABLES),
    "_look": types.void(_TABLES, _VIEWS),
}


@jit
def _start(tables, seed, index):  # type: ignore[no-untyped-def]
    start_game(tables[0], seed, index)


@jit
def _draw(tables, grids, starts):  # type: ignore[no-untyped-def]
    draw_start(tables[0], grids[0], starts)


@jit
def _play(tables, desks, is_dealt):  # type: ignore[no-untyped-def]
    position = tables[0]
    if is_dealt:
        open_hand(position)
    else:
        start_hand(position)
    return play_on(position, desks[0])


@jit
def _repeat(tables, choices):  # type: ignore[no-untyped-def]
    """Make choices of a hand once more from its beginning, and leave what is legal next."""
    position = tables[0]
    open_hand(position)
    for k in range(choices.size):
        apply(position, choices[k])
    if position.phase != HAND_OVER:
        set_legal(position)


@jit
def _retrace(tables, truths, steps):  # type: ignore[no-untyped-def]
    """Make the choices of a hand once more, up to where its table stands; how many they were comes back.

    Each is written into a row of `steps`: phase, number, seat, choice, whether it was forced, and the card
    that was offered or the cards that were received, -1 for neither.
    """
    position, truth = tables[0], truths[0]
    open_hand(position)
    n = 0
    while n < steps.shape[0] and not is_at(position, truth):
        set_legal(position)
        seat, phase = position.turn, position.phase
        steps[n, 0] = phase
        steps[n, 1] = step_number(position)
        steps[n, 2] = seat
        steps[n, 3] = choice = choice_made(position, truth)
        steps[n, 4] = 1 if phase <= PLAYING and position.legal & (position.legal - 1) == 0 else 0
        steps[n, 5] = position.deck[2 * position.n_drawn] if phase == KEEPING else NOT_YET
        before = position.hands[seat]
        apply(position, choice)
        if phase == EXCHANGING:
            steps[n, 5] = position.hands[seat] & ~(before & ~choice)
        n += 1
    return n


@jit
def is_at(position, truth):  # type: ignore[no-untyped-def]
    """Whether a hand that is played once more has come to where the other table stands."""
    is_same_seat = position.phase == truth.phase and position.turn == truth.turn
    is_as_far = position.n_drawn == truth.n_drawn and position.n_bids == truth.n_bids
    return is_same_seat and is_as_far and position.n_history == truth.n_history


@jit
def step_number(position):  # type: ignore[no-untyped-def]
    """The trick, or the seat's own turn of the draw, from 0."""
    if position.phase == KEEPING:
        return position.n_drawn // position.n_players
    return position.trick_no


@jit
def choice_made(position, truth):  # type: ignore[no-untyped-def]
    """What the seat in turn chose in a hand that stands finished, or at its end, on another table."""
    seat = position.turn
    if position.phase == PLAYING:
        return truth.history[position.n_history]
    if position.phase == BIDDING:
        return truth.bids[seat]
    if position.phase == DECLARING:
        return truth.blind[seat]
    if position.phase == EXCHANGING:
        return truth.given[seat]
    return truth.kept[seat] >> (position.n_drawn // position.n_players) & 1


@jit
def set_legal(position):  # type: ignore[no-untyped-def]
    """Write what the seat in turn may choose from."""
    if position.phase == BIDDING:
        position.legal = legal_bids(position)
    elif position.phase == PLAYING:
        hand = position.hands[position.turn]
        position.legal = legal_cards(position.rules, hand, position.led_suit, position.broken)
    else:
        position.legal = prelude_legal(position)


@jit
def _enter(tables):  # type: ignore[no-untyped-def]
    return end_hand(tables[0])


@jit
def _look(tables, views):  # type: ignore[no-untyped-def]
    fill_view(tables[0], tables[0].turn, views[0])
    views[0].serial = 0  # as a bot sees it
