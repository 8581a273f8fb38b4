"""Playing a board or a pair of games once more, hand by hand, with everything that happened written down.

The engine itself plays: the same loop asks the same bots as in a duel. What it leaves on the table after each
hand is read into a `Hand`.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Iterable, Iterator
from typing import Any

import numba
import numpy as np
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.batch import BOARDS, Lineup, lay_out, seat_line_up
from spadesim.core.cards import N_CARD_BITS
from spadesim.core.play import DESK, NO_FAULT, play_on
from spadesim.core.position import (
    POSITION,
    apply,
    clear_hand,
    end_hand,
    fill_view,
    legal_bids,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.scoring import GOES_ON
from spadesim.core.trick import legal_cards
from spadesim.core.view import BIDDING, HAND_OVER, VIEW
from spadesim.errors import UserError
from spadesim.match.record import N_SEATS, Deal, Fault, Hand, Place, Replay, Room, read_hand, read_opening
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side, lineup, load_side

RAISED = -1  # beside the codes of `core.play`: the bot ended with an exception

_RECORDS = {dtype: types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (POSITION, DESK, VIEW)}
_INTS = types.Array(types.int64, 1, "C")


def replay(
    spec: DuelSpec, unit: int, *, deal: Deal | None = None, sides: tuple[Side, Side] | None = None
) -> Replay:
    """Both rooms of a board or of a pair of games, with every bid, card, trick and score.

    Parameters
    ----------
    spec : DuelSpec
        The duel: who, under which rules, from which scores, boards or games.
    unit : int
        Number of the board or pair, as `first` counts.
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
    """The replays of many boards or pairs, one after the other; parameters as `replay`."""
    if deal is not None and spec.kind != BOARDS:
        raise UserError("A given deal is played as a board, not in whole games.")
    table = _Table(spec, lineup(*sides))
    for unit in units:
        yield Replay(spec, unit, sides, (table.room(unit, 0, deal), table.room(unit, 1, deal)), deal)


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
        seat_line_up(room, desk["roles"])
        _call(_start, self.tables, self.spec.seed, unit)
        if self.spec.kind == BOARDS:
            position["scores"], position["bags"] = task["scores"], task["bags"]
        hands: list[Hand] = []
        end, fault = GOES_ON, None
        while end == GOES_ON and fault is None and position["hand_no"] < task["hand_cap"]:
            hand, end, fault = self._hand(unit, room, deal)
            hands.append(hand)
            if self.spec.kind == BOARDS:
                end = GOES_ON
                break
        return Room(room, tuple(hands), end, fault)

    def _hand(self, unit: int, room: int, deal: Deal | None) -> tuple[Hand, int, Fault | None]:
        """Play the next hand: its record, how the game stands after it, and the fault that ended it."""
        position = self.tables[0]
        if deal is not None:
            position["dealt"], position["dealer"] = deal.hands, deal.dealer
        opening = read_opening(position)
        fault = self._play(unit, room, is_dealt=deal is not None)
        forced = self._forced()
        end = GOES_ON if fault is not None else int(_call(_enter, self.tables))
        return read_hand(position, opening, forced, fault is None), end, fault

    def _play(self, unit: int, room: int, is_dealt: bool) -> Fault | None:
        desk, position = self.desks[0], self.tables[0]
        try:
            code = int(_call(_play, self.tables, self.desks, is_dealt))
        except Exception as raised:  # whatever a user's bot raises
            return Fault(_place(position, desk, unit, room), RAISED, 0, raised)
        if code == NO_FAULT:
            return None
        return Fault(_place(position, desk, unit, room), code, int(desk["fault"]["choice"]), None)

    def _forced(self) -> list[bool]:
        """Whether there was one legal choice, for every bid and card of the hand on the table."""
        made, marks = choices_on(self.tables[0]), np.zeros(N_SEATS + N_CARD_BITS, np.int64)
        _call(_repeat, self.tables, np.array(made, np.int64), marks)
        return [mark == 1 for mark in marks[: len(made)].tolist()]


def _place(position: Any, desk: Any, unit: int, room: int) -> Place:
    seat = int(position["turn"])
    hand_no, trick_no, phase, legal = (
        int(position[name]) for name in ("hand_no", "trick_no", "phase", "legal")
    )
    return Place(unit, room, hand_no, trick_no, seat, int(desk["roles"][seat]), phase, legal)


def choices_on(position: Any) -> list[int]:
    """Every bid and card of the hand on a table, in order."""
    first, n_bids, n_cards = (int(position[name]) for name in ("first_bidder", "n_bids", "n_history"))
    bids = position["bids"].tolist()
    cards: list[int] = position["history"][:n_cards].tolist()
    return [bids[(first + k) % N_SEATS] for k in range(n_bids)] + cards


def stand_at(played: Replay, room: int, hand: Hand, n_choices: int) -> tuple[Any, Any]:
    """The table as it stood after some choices of a hand, and what the seat in turn knew there.

    Parameters
    ----------
    played : Replay
    room : int
    hand : Hand
        One of that room.
    n_choices : int
        Bids and cards made so far; the hand must not be over with them.

    Returns
    -------
    tuple of POSITION record and VIEW record
    """
    tables, views = np.zeros(1, POSITION), np.zeros(1, VIEW)
    tables[0] = new_position(played.spec.rules)
    position = tables[0]
    _call(_start, tables, played.spec.seed, played.unit)
    position["hand_no"], position["dealer"], position["dealt"] = hand.number, hand.dealer, hand.dealt
    position["scores"][:2], position["bags"][:2] = hand.scores, hand.bags
    made = [choice.choice for choice in hand.choices()[:n_choices]]
    _call(_repeat, tables, np.array(made, np.int64), np.zeros(len(made), np.int64))
    _call(_look, tables, views)
    return position, views[0]


def _call(function: Any, *arguments: Any) -> Any:
    if COMPILED and not function.signatures:
        compile_safely(lambda: function.compile(_SIGNATURES[function.__name__]))
    return function(*arguments)


_TABLES, _DESKS, _VIEWS = _RECORDS[POSITION], _RECORDS[DESK], _RECORDS[VIEW]
_SIGNATURES = {
    "_start": types.void(_TABLES, types.int64, types.int64),
    "_play": types.int64(_TABLES, _DESKS, types.boolean),
    "_repeat": types.void(_TABLES, _INTS, _INTS),
    "_enter": types.int64(_TABLES),
    "_look": types.void(_TABLES, _VIEWS),
}


@jit
def _start(tables, seed, index):  # type: ignore[no-untyped-def]
    start_game(tables[0], seed, index)


@jit
def _play(tables, desks, is_dealt):  # type: ignore[no-untyped-def]
    position = tables[0]
    if is_dealt:
        clear_hand(position)
    else:
        start_hand(position)
    return play_on(position, desks[0])


@jit
def _repeat(tables, choices, marks):  # type: ignore[no-untyped-def]
    """Make the choices of a hand once more, mark those that were forced, and leave what is legal next."""
    position = tables[0]
    clear_hand(position)
    for k in range(choices.size):
        set_legal(position)
        marks[k] = 1 if position.legal & (position.legal - 1) == 0 else 0
        apply(position, choices[k])
    if position.phase != HAND_OVER:
        set_legal(position)


@jit
def set_legal(position):  # type: ignore[no-untyped-def]
    """Write what the seat in turn may bid or play."""
    if position.phase == BIDDING:
        position.legal = legal_bids(position)
    else:
        hand = position.hands[position.turn]
        position.legal = legal_cards(position.rules, hand, position.led_suit, position.broken)


@jit
def _enter(tables):  # type: ignore[no-untyped-def]
    return end_hand(tables[0])


@jit
def _look(tables, views):  # type: ignore[no-untyped-def]
    fill_view(tables[0], tables[0].turn, views[0])
    views[0].serial = 0  # as a bot sees it
