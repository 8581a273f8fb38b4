"""What every seat did in every hand, as columns: the engine writes a row a seat behind each finished hand.

A `Book` is the columns of a run's hands in a few arrays, one line of an array a column, so that each lies in
one piece of memory and is stored as it is. Cards of a trick are told by masks over tricks: bit k is trick k.

>>> book = new_book(8)
>>> column(book, "bid").dtype, column(book, "unit").dtype
(dtype('int8'), dtype('int64'))
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import jit
from spadesim.core.cards import SPADES_MASK, popcount
from spadesim.core.seating import side_at
from spadesim.core.trick import beats
from spadesim.core.view import MAX_TRICKS

NARROW = (  # int8
    "room",
    "seat",
    "role",  # which bot: A's at its lower and its higher seat, B's lower, B's higher
    "bid",
    "tricks",
    "forced",  # decisions with one legal choice
)
MIDDLE = (  # int32
    "hand",  # number of the hand in its game, from 0
    "score",  # of the side, before the hand
    "bags",  # of the side, before the hand
    "points",  # of the side, what the hand brought, penalties included
    "kept",  # first cards of the seat's turns of the draw that it kept, as a mask over turns
)
WIDE = (  # int64
    "unit",  # number of the board, pair or set
    "cards",  # the hand when the bidding began, as a mask
    "events",  # more counts in one number, see `EVENTS`
    "given",  # cards given in an exchange, as a mask
)
PRELUDE_ONLY = ("forced", "kept", "given")  # nothing of it where the bidding comes first
ROOM, SEAT, ROLE, BID, TRICKS, N_FORCED = range(len(NARROW))
HAND_NO, SCORE, BAGS, POINTS, KEPT = range(len(MIDDLE))
UNIT_NO, CARDS, EVENT_BITS, GIVEN = range(len(WIDE))

# name -> (lowest bit, bits) in `events`. As columns of their own they would cost more time than all others.
EVENTS = {
    "won": (0, 26),  # tricks won, as a mask over tricks
    "first_bidder": (26, 2),  # seat that bids first and leads to the first trick
    "is_set": (28, 1),  # 1 when the side's contract was not made
    "blind": (29, 1),  # 1 for a nil declared blind
    "new_bags": (30, 5),  # of the side, in this hand
    "penalties": (35, 5),  # bag penalties of the side, for this hand
    "free": (40, 6),  # decisions put to the bot
    "honours_lost": (46, 4),  # aces, kings and queens played to tricks that the side did not win
    "ruffs": (50, 5),  # tricks of another suit to which a spade was played
    "partner_ruffed": (55, 4),  # of these, those that the partner was winning at that time
}
(
    AT_WON, AT_FIRST, AT_SET, AT_BLIND, AT_NEW_BAGS, AT_PENALTIES, AT_FREE, AT_LOST, AT_RUFFS, AT_PARTNER,
) = (low for low, _ in EVENTS.values())  # fmt: skip

LOWEST_SPADE = 39  # every card from here up is one
HONOURS = sum(0b111 << (13 * suit + 10) for suit in range(4))  # aces, kings and queens, as a mask


class Book(NamedTuple):
    """The columns of some hands.

    Parameters
    ----------
    narrow : int8 array, a line for each of `NARROW`
    middle : int32 array, a line for each of `MIDDLE`
    wide : int64 array, a line for each of `WIDE`
    plays : uint8 array of shape (rows, tricks), the card that the seat played to each trick; (0, 1) for none
    written : int64 array of 1, how many rows
        More than there is room for means that the last ones are missing.
    """

    narrow: npt.NDArray[np.int8]
    middle: npt.NDArray[np.int32]
    wide: npt.NDArray[np.int64]
    plays: npt.NDArray[np.uint8]
    written: npt.NDArray[np.int64]


BOOK_TYPE = types.NamedTuple(
    [
        types.Array(types.int8, 2, "C"),
        types.Array(types.int32, 2, "C"),
        types.Array(types.int64, 2, "C"),
        types.Array(types.uint8, 2, "C"),
        types.Array(types.int64, 1, "C"),
    ],
    Book,
)


def new_book(rows: int, tricks: int = 0) -> Book:
    """An empty book.

    Parameters
    ----------
    rows : int
        How many there is room for; with 0 nothing is written.
    tricks : int
        Cards of a hand, to write every card that is played; 0 for none.
    """
    assert 0 <= tricks <= MAX_TRICKS
    return Book(
        np.empty((len(NARROW), rows), dtype=np.int8),
        np.empty((len(MIDDLE), rows), dtype=np.int32),
        np.empty((len(WIDE), rows), dtype=np.int64),
        np.empty((rows if tricks else 0, tricks or 1), dtype=np.uint8),
        np.zeros(1, dtype=np.int64),
    )


NO_BOOK = new_book(0)


def column(book: Book, name: str) -> npt.NDArray[Any]:
    """A column of a book by its name, all rows that there is room for; no copy."""
    for names, lines in ((NARROW, book.narrow), (MIDDLE, book.middle), (WIDE, book.wide)):
        if name in names:
            line: npt.NDArray[Any] = lines[names.index(name)]
            return line
    raise KeyError(name)


def column_names(has_prelude: bool) -> tuple[str, ...]:
    """The columns that a table has, those that say where a row belongs first."""
    names = ("unit", "hand", *NARROW, *MIDDLE[1:], *WIDE[1:])
    return tuple(name for name in names if has_prelude or name not in PRELUDE_ONLY)


def event(events: npt.NDArray[np.int64], name: str) -> npt.NDArray[np.int64]:
    """One of the counts in a column of `events`.

    >>> event(np.array([3 << 50 | 0b101]), "ruffs").tolist(), event(np.array([0b101]), "won").tolist()
    ([3], [5])
    """
    low, bits = EVENTS[name]
    return events >> low & (1 << bits) - 1


@jit
def write_hand(position: Any, number: Any, room: Any, roles: Any, book: Any) -> Any:
    """Write a scored hand behind the rows of a book, before it is entered.

    Parameters
    ----------
    position : the table
    number : int, of the unit
    room : int
    roles : int64 array of 4, by seat
    book : Book
    """
    start, n_players = book.written[0], position.n_players
    book.written[0] = start + n_players
    if start + n_players > book.wide.shape[1]:
        return
    narrow, middle, wide = book.narrow, book.middle, book.wide
    for seat in range(n_players):
        side, row = side_at(position, seat), start + seat
        wide[UNIT_NO, row] = number
        wide[CARDS, row] = position.dealt[seat]
        middle[HAND_NO, row] = position.hand_no
        middle[SCORE, row] = position.scores[side]
        middle[BAGS, row] = position.bags[side]
        middle[POINTS, row] = position.points[side]
        narrow[ROOM, row] = room
        narrow[SEAT, row] = seat
        narrow[ROLE, row] = roles[seat]
        narrow[BID, row] = position.bids[seat]
        narrow[TRICKS, row] = position.tricks[seat]
    write_events(position, wide, start)
    if position.rules.has_prelude:
        for seat in range(n_players):
            row = start + seat
            wide[EVENT_BITS, row] |= position.blind[seat] << AT_BLIND
            wide[GIVEN, row] = position.given[seat]
            middle[KEPT, row] = position.kept[seat]
            narrow[N_FORCED, row] = position.n_forced[seat]
    if book.plays.shape[0] > 0:
        write_plays(position, book.plays, start)


@jit
def write_events(position: Any, wide: Any, start: Any) -> Any:
    """Write the counts of events in play: who won which trick, who ruffed, which high cards were lost.

    Everything is gathered in ints over the whole hand and told apart by seat at the end: a branch for every
    card would cost more than all the rest. No pack gives all hands together more than 52 cards, so the won
    tricks of all seats fit one int.
    """
    n_players, n_tricks = position.n_players, position.trick_no
    if n_players == 4 and position.rules.n_sides == 2:
        won, ruffs, taken_0, taken_1, taken_2, taken_3, partner_ruffed = tricks_of_partners(position)
    else:
        won, ruffs, taken_0, taken_1, taken_2, taken_3, partner_ruffed = tricks_of_singles(position)
    for seat in range(n_players):
        side, dealt = side_at(position, seat), position.dealt[seat]
        taken = taken_0 if side == 0 else taken_1 if side == 1 else taken_2 if side == 2 else taken_3
        events = won >> (seat * n_tricks) & ((1 << n_tricks) - 1)
        events |= position.first_bidder << AT_FIRST | position.sets[side] << AT_SET
        events |= position.hand_bags[side] << AT_NEW_BAGS | position.periods[side] << AT_PENALTIES
        events |= position.n_free[seat] << AT_FREE | popcount(dealt & HONOURS & ~taken) << AT_LOST
        events |= popcount(dealt & ruffs) << AT_RUFFS | (partner_ruffed >> (8 * seat) & 0xF) << AT_PARTNER
        wide[EVENT_BITS, start + seat] = events


@jit
def tricks_of_partners(position: Any) -> Any:
    """What the tricks of four players in two sides came to, as masks over cards but where it says otherwise.

    Returns
    -------
    tuple of 7 int
        Who won, as bit seat * tricks + trick; the ruffs; the cards that each of four sides won; and at bit
        8 * seat how often a seat ruffed a trick that its partner was winning.
    """
    won = ruffs = taken_1 = partner_ruffed = zero = np.int64(0)
    history, n_tricks = position.history, position.trick_no
    for trick in range(n_tricks):
        winner, lead, first = position.winners[trick], history[4 * trick], 4 * trick
        won |= np.int64(1) << (winner * n_tricks + trick)
        # Written out, for a loop over the four would take half as long again.
        cards = (
            np.int64(1) << lead
            | np.int64(1) << history[first + 1]
            | np.int64(1) << history[first + 2]
            | np.int64(1) << history[first + 3]
        )
        taken_1 |= cards & -(winner & 1)
        if cards & SPADES_MASK and lead < LOWEST_SPADE:
            ruffs |= cards & SPADES_MASK
            partner_ruffed += partners_ruffed(position, trick)
    dealt = position.dealt[0] | position.dealt[1] | position.dealt[2] | position.dealt[3]
    return won, ruffs, dealt & ~taken_1, taken_1, zero, zero, partner_ruffed


@jit
def tricks_of_singles(position: Any) -> Any:
    """The same where everybody plays alone."""
    won = ruffs = taken_0 = taken_1 = taken_2 = taken_3 = zero = np.int64(0)
    n_players, n_tricks = position.n_players, position.trick_no
    for trick in range(n_tricks):
        winner, first = position.winners[trick], trick * n_players
        won |= np.int64(1) << (winner * n_tricks + trick)
        cards = np.int64(0)
        for k in range(n_players):
            cards |= np.int64(1) << position.history[first + k]
        taken_0 |= cards if winner == 0 else 0
        taken_1 |= cards if winner == 1 else 0
        taken_2 |= cards if winner == 2 else 0
        taken_3 |= cards if winner == 3 else 0
        if cards & SPADES_MASK and position.history[first] < LOWEST_SPADE:
            ruffs |= cards & SPADES_MASK
    return won, ruffs, taken_0, taken_1, taken_2, taken_3, zero


@jit
def partners_ruffed(position: Any, trick: Any) -> Any:
    """Who of four ruffed a trick that the partner was winning: 1 at bit 8 * seat."""
    first, leader = 4 * trick, position.leaders[trick]
    lead, second, third = position.history[first], position.history[first + 1], position.history[first + 2]
    is_seconds = beats(second, lead)
    found = np.int64(0)
    if third >= LOWEST_SPADE and not is_seconds:
        found += np.int64(1) << (8 * (leader + 2 & 3))
    if position.history[first + 3] >= LOWEST_SPADE and is_seconds and not beats(third, second):
        found += np.int64(1) << (8 * (leader + 3 & 3))
    return found


@jit
def write_plays(position: Any, plays: Any, start: Any) -> Any:
    """Write the card that each seat played to each trick."""
    n_players = position.n_players
    for trick in range(position.trick_no):
        seat = position.leaders[trick]
        for k in range(n_players):
            plays[start + seat, trick] = position.history[trick * n_players + k]
            seat = seat + 1 if seat + 1 < n_players else 0
