"""What a fit learns from: decisions to bid, out of recorded runs or played for it, and what came of them.

A decision is held by the cards, the bids and the score of its hand. The view that its seat had is laid out
anew whenever a bot is asked about it, which takes less time than reading it from memory.
"""

# Compiled functions carry no types that a checker could follow.
# mypy: allow-untyped-calls

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, jit
from spadesim.core.batch import lay_out
from spadesim.core.call import address_of, ask
from spadesim.core.cards import SPADES_MASK, popcount
from spadesim.core.equity import EQUITY_ONE, GRID, START_STATE, EquityTable, chance, draw_start, no_equity
from spadesim.core.play import DESK
from spadesim.core.position import (
    POSITION,
    advance,
    apply,
    deal_hands,
    end_hand,
    fill_view,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.rules import Rules
from spadesim.core.seating import side_at
from spadesim.core.view import BIDDING, HAND_OVER, VIEW, is_legal
from spadesim.errors import UserError
from spadesim.strategy import Side, lineup

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Equity = EquityTable | None

A_ROLE, B_ROLE = 0, 2
FAULT = -1
MOST_SPADES = 4  # of a hand that is made to bid nil
SPADE_HONOURS = 7 << 49  # queen, king and ace, which it has not


@dataclass(frozen=True)
class Hands:
    """Hands as they were bid and played.

    Parameters
    ----------
    seeds, units, numbers : array of int, shape (n,)
        Where each was dealt: the seed, the game or board, and the hand in it, from 0.
    dealers : array of int, shape (n,)
    cards, bids, tricks : array of int, shape (n, 4)
        By seat: a mask, the bid, the tricks won.
    scores, bags : array of int, shape (n, 4)
        By side, before the hand.
    """

    seeds: Ints
    units: Ints
    numbers: Ints
    dealers: Ints
    cards: Ints
    bids: Ints
    tricks: Ints
    scores: Ints
    bags: Ints

    def __len__(self) -> int:
        return len(self.units)

    def take(self, which: Any) -> "Hands":
        """Some of the hands, by what numpy takes for an index."""
        return Hands(*(np.ascontiguousarray(getattr(self, one.name)[which]) for one in fields(self)))


def joined(parts: Sequence[Hands]) -> Hands:
    """The hands of several parts, one after the other."""
    return Hands(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Hands)))


@dataclass(frozen=True)
class Decisions:
    """Bids that a bot had to make: a seat in each of some hands.

    Parameters
    ----------
    rules : Rules
    hands : Hands
    seats : array of int, shape (n,)
        Whose bid of each hand it is.
    """

    rules: Rules
    hands: Hands
    seats: Ints

    def __len__(self) -> int:
        return len(self.seats)

    @property
    def tricks(self) -> Ints:
        """What the seats won."""
        return self.hands.tricks[np.arange(len(self)), self.seats]

    @property
    def cards(self) -> Ints:
        """What the seats held."""
        return self.hands.cards[np.arange(len(self)), self.seats]

    def take(self, which: Any) -> "Decisions":
        """Some of the decisions."""
        return Decisions(self.rules, self.hands.take(which), np.ascontiguousarray(self.seats[which]))

    def answers(self, function: Any, rows: Floats) -> Ints:
        """What a function ``f(view, p) -> int`` says at each decision, for each of several `p`.

        Parameters
        ----------
        function : a jitted function of the strategies' signature
        rows : float64 array of shape (m, parameters)

        Returns
        -------
        array of int, shape (m, n)

        Raises
        ------
        Exception
            Whatever the function raises.
        """
        found = np.zeros((len(rows), len(self)), dtype=np.int64)
        tables, sights = np.zeros(1, POSITION), np.zeros(1, VIEW)
        tables[0] = new_position(self.rules)
        h = self.hands
        places = np.stack([h.seeds, h.units, h.numbers, h.dealers, self.seats], axis=1)
        hands = np.stack([h.cards, h.bids, h.scores, h.bags])
        address = np.int64(address_of(function))
        _call(_ask_about, tables, sights, places, hands, address, np.ascontiguousarray(rows), found)
        return found


@dataclass(frozen=True)
class Nils:
    """Nils, and what became of them.

    Parameters
    ----------
    decisions : Decisions
    made : array of bool, shape (n,)
    gains : array of float, shape (n,), or None
        What its side gained over the bid that the bot makes when it may bid no nil, on the same deal: chance
        to win, or points where the rules have no table of chances; None where nobody played that.
    """

    decisions: Decisions
    made: npt.NDArray[np.bool_]
    gains: Floats | None = None

    def __len__(self) -> int:
        return len(self.made)

    def take(self, which: Any) -> "Nils":
        """Some of the nils."""
        gains = None if self.gains is None else self.gains[which]
        return Nils(self.decisions.take(which), self.made[which], gains)


def joined_nils(parts: Sequence[Nils]) -> Nils:
    """The nils of several parts, all played or all recorded, one after the other."""
    first = parts[0].decisions
    hands = joined([part.decisions.hands for part in parts])
    seats = np.concatenate([part.decisions.seats for part in parts])
    gains = [part.gains for part in parts if part.gains is not None]
    made = np.concatenate([part.made for part in parts])
    return Nils(Decisions(first.rules, hands, seats), made, np.concatenate(gains) if gains else None)


def play_hands(bots: tuple[Side, Side], rules: Rules, boards: range, seed: int, equity: Equity) -> Hands:
    """Boards from scores that occur in games, every seat bidding and playing as its bot does.

    Parameters
    ----------
    bots : two Side
        The first has the seat of the board's number, and its partner's.
    rules : Rules
    boards : range
        Their numbers.
    seed : int
    equity : EquityTable or None
        Which scores those are; without one, every board is the beginning of a game.

    Raises
    ------
    UserError
        A bot gives an illegal answer.
    """
    return _played(bots, rules, boards, seed, equity, False)[0]


def play_nils(bots: tuple[Side, Side], rules: Rules, boards: range, seed: int, equity: Equity) -> Nils:
    """Boards on which a seat of the first side bids nil whatever it holds, and the same with its next bid.

    A hand with queen, king or ace of spades, or more than four spades, bids none, and its board is left out;
    so is one on which the partner bids nil as well.

    Parameters
    ----------
    bots : two Side
        The first has the seat and its partner, the second the others.
    rules, boards, seed, equity
        As for `play_hands`.
    """
    hands, gains = _played(bots, rules, boards, seed, equity, True)
    decisions = Decisions(rules, hands, hands.units % rules.players)
    return Nils(decisions, decisions.tricks == 0, gains)


def _played(
    bots: tuple[Side, Side], rules: Rules, boards: range, seed: int, equity: Equity, has_nils: bool
) -> tuple[Hands, Floats]:
    tables, desks = np.zeros(1, POSITION), np.zeros(1, DESK)
    tables[0] = new_position(rules)
    lay_out(desks[0], lineup(*bots, rules))
    n = len(boards)
    places, gains, reached = np.zeros((n, 4), dtype=np.int64), np.zeros(n), np.zeros(1, dtype=np.int64)
    rows = np.zeros((5, n, 4), dtype=np.int64)
    bag = rules.bag_penalty / rules.bag_limit if rules.bag_limit else 0.0
    table = equity or no_equity()
    _call(
        _play, tables, desks, seed, boards.start, has_nils, bag, table.grid, table.chances, table.starts,
        places, rows, gains, reached,
    )  # fmt: skip
    if reached[0] == FAULT:
        raise UserError(
            f"{bots[0].name} or {bots[1].name} gave an illegal answer: spadesim strategies check tells more."
        )
    found = slice(int(reached[0]))
    units, numbers, dealers = (np.ascontiguousarray(places[found, k]) for k in range(3))
    each = (np.ascontiguousarray(row[found]) for row in rows)
    return Hands(np.full(len(units), seed, dtype=np.int64), units, numbers, dealers, *each), gains[found]


def _call(function: Any, *arguments: Any) -> Any:
    if COMPILED and not function.signatures:
        function.compile(_SIGNATURES[function.__name__])
    return function(*arguments)


_RECORDS = {
    dtype: types.Array(numba.from_dtype(dtype), 1, "C") for dtype in (VIEW, POSITION, DESK, GRID, START_STATE)
}
_INTS, _TABLE = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")
_TABLES = types.Array(types.int64, 3, "C")
_REALS, _ROWS = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
_SIGNATURES = {
    "_ask_about": types.void(
        _RECORDS[POSITION], _RECORDS[VIEW], _TABLE, _TABLES, types.int64, _ROWS, _TABLE
    ),
    "_play": types.void(
        _RECORDS[POSITION], _RECORDS[DESK], types.int64, types.int64, types.boolean, types.float64,
        _RECORDS[GRID], types.Array(types.int16, 1, "C"), _RECORDS[START_STATE], _TABLE,
        _TABLES, _REALS, _INTS,
    ),
}  # fmt: skip


@jit
def _ask_about(tables, sights, places, hands, address, rows, found):  # type: ignore[no-untyped-def]
    position, sight = tables[0], sights[0]
    for k in range(places.shape[0]):
        start_game(position, places[k, 0], places[k, 1])
        position.hand_no = places[k, 2]
        position.dealer = places[k, 3]
        for side in range(4):
            position.scores[side] = hands[2, k, side]
            position.bags[side] = hands[3, k, side]
        deal_hands(position, hands[0, k])
        while advance(position) == BIDDING and position.turn != places[k, 4]:
            apply(position, hands[1, k, position.turn])
        fill_view(position, places[k, 4], sight)
        for row in range(rows.shape[0]):
            found[row, k] = ask(address, sight, rows[row])


@jit
def _play(tables, desks, seed, first, has_nils, bag, grids, chances, starts, places, rows, gains, reached):  # type: ignore[no-untyped-def]  # noqa: PLR0913, PLR0917
    position, desk, grid = tables[0], desks[0], grids[0]
    n = 0
    for board in range(first, first + gains.size):
        seat = board % position.n_players
        _open(position, seed, board, grid, starts)
        usual, is_sound = 0.0, True
        if not has_nils:
            is_sound = _play_on(position, desk, seat, False, False)
        else:
            hand = position.dealt[seat]
            if hand & SPADE_HONOURS or popcount(hand & SPADES_MASK) > MOST_SPADES:
                continue
            is_sound = _play_on(position, desk, seat, True, False)
            if is_sound:
                usual = _value(position, seat, bag, grid, chances)
                _open(position, seed, board, grid, starts)
                is_sound = _play_on(position, desk, seat, True, True)
        if not is_sound:
            reached[0] = FAULT
            return
        if has_nils and position.rules.n_sides < position.n_players and position.bids[(seat + 2) & 3] == 0:
            continue
        places[n, 0] = board
        places[n, 1] = position.hand_no
        places[n, 2] = position.dealer
        for k in range(4):
            rows[0, n, k] = position.dealt[k]
            rows[1, n, k] = position.bids[k]
            rows[2, n, k] = position.tricks[k]
            rows[3, n, k] = position.scores[k]
            rows[4, n, k] = position.bags[k]
        if has_nils:  # last, for it changes the score
            gains[n] = _value(position, seat, bag, grid, chances) - usual
        n += 1
    reached[0] = n


@jit
def _open(position, seed, board, grid, starts):  # type: ignore[no-untyped-def]
    """Begin a board."""
    start_game(position, seed, board)
    if grid.n_starts > 0:
        draw_start(position, grid, starts)
    start_hand(position)


@jit
def _play_on(position, desk, seat, is_asked_otherwise, is_nil):  # type: ignore[no-untyped-def]
    """Play a hand, whether legally; a seat is asked for a bid that is no nil, and may bid nil after all."""
    own = side_at(position, seat)
    while advance(position) != HAND_OVER:
        turn = position.turn
        role = A_ROLE if side_at(position, turn) == own else B_ROLE
        fill_view(position, turn, desk.sight)
        is_it = is_asked_otherwise and position.phase == BIDDING and turn == seat
        if is_it:
            desk.sight.legal = desk.sight.legal & ~np.int64(1)
        answer = ask(desk.calls[position.phase, role], desk.sight, desk.params[min(position.phase, 1), role])
        if is_it and is_nil:
            answer = 0
        elif is_it and (answer <= 0 or (desk.sight.legal >> answer) & 1 == 0):
            answer = 1
        if not is_legal(position, answer):
            return False
        apply(position, answer)
    return True


@jit
def _value(position, seat, bag, grid, chances):  # type: ignore[no-untyped-def]
    """What a finished hand is worth to a seat's side; entering it leaves the score for the next one."""
    own, value = side_at(position, seat), 0.0
    n_sides = position.rules.n_sides
    if not grid.is_on:
        for side in range(n_sides):
            points = position.points[side] - bag * position.hand_bags[side]
            value += points if side == own else -points / (n_sides - 1)
        return value
    result = end_hand(position)
    return chance(position, result, own, grid, chances) / EQUITY_ONE
