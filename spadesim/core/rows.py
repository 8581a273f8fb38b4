"""What every seat did in every hand, as columns: the engine writes a row a seat behind each finished hand.

A book is an array of blocks, each of which has room for `BLOCK_ROWS` rows column by column: a record, for
compiled code passes records on as one address, and an array a column would cost as much as what is written
into it. Cards of a trick are told by masks over tricks: bit k is trick k.

>>> book = new_book(8)
>>> column(book, "bid").dtype, column(book, "unit").dtype
(dtype('int8'), dtype('int64'))
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import SPADES_MASK, popcount
from spadesim.core.seating import side_at
from spadesim.core.trick import beats
from spadesim.core.view import MAX_TRICKS

BLOCK_ROWS = 12 * 5461  # whole hands of 2, 3 or 4; no power of two, or columns would share lines of the cache

COLUMNS = {  # of a book and on the disk
    "unit": np.int64,  # number of the board, pair or set
    "hand": np.int32,  # number of the hand in its game, from 0
    "sitting": np.int8,  # room, seat and role in one number, see `PACKED`
    "score": np.int32,  # of the side, before the hand
    "bags": np.int32,  # of the side, before the hand
    "points": np.int32,  # of the side, what the hand brought, penalties included
    "cards": np.int64,  # the hand when the bidding began, as a mask
    "events": np.int64,  # more counts in one number, see `PACKED`
    "forced": np.int8,  # decisions with one legal choice
    "kept": np.int32,  # first cards of the seat's turns of the draw that it kept, as a mask over turns
    "given": np.int64,  # cards given in an exchange, as a mask
}
PRELUDE_ONLY = ("forced", "kept", "given")  # nothing of it where the bidding comes first

BLOCK = np.dtype((np.record, [
    ("rows", np.int64),  # of the book, in its first block: more than there is room for means that some miss
    ("n_plays", np.int64),  # cards of a hand, where every card that is played is written, else 0
    *((name, kind, (BLOCK_ROWS,)) for name, kind in COLUMNS.items()),
    ("plays", np.uint8, (BLOCK_ROWS * MAX_TRICKS,)),  # that a seat played to each trick, seat by seat
]))  # fmt: skip
Book = npt.NDArray[np.void]
BOOK_TYPE = types.Array(numba.from_dtype(BLOCK), 1, "C")

# name -> (column, lowest bit, bits). As columns of their own they would cost more time than all others.
PACKED = {
    "role": ("sitting", 0, 2),  # which bot: A's at its lower and its higher seat, B's lower, B's higher
    "seat": ("sitting", 2, 2),
    "room": ("sitting", 4, 3),
    "won": ("events", 0, 26),  # tricks won, as a mask over tricks
    "first_bidder": ("events", 26, 2),  # seat that bids first and leads to the first trick
    "is_set": ("events", 28, 1),  # 1 when the side's contract was not made
    "blind": ("events", 29, 1),  # 1 for a nil declared blind
    "new_bags": ("events", 30, 5),  # of the side, in this hand
    "penalties": ("events", 35, 5),  # bag penalties of the side, for this hand
    "free": ("events", 40, 6),  # decisions put to the bot
    "honours_lost": ("events", 46, 4),  # aces, kings and queens played to tricks that the side did not win
    "ruffs": ("events", 50, 5),  # tricks of another suit to which a spade was played
    "partner_ruffed": ("events", 55, 4),  # of these, those that the partner was winning at that time
    "bid": ("events", 59, 5),
}
(
    AT_ROLE, AT_SEAT, AT_ROOM, AT_WON, AT_FIRST, AT_SET, AT_BLIND, AT_NEW_BAGS, AT_PENALTIES, AT_FREE,
    AT_LOST, AT_RUFFS, AT_PARTNER, AT_BID,
) = (low for _, low, _ in PACKED.values())  # fmt: skip
TRICKS = "tricks"  # worked out from `won`
_EVENTS = tuple(PACKED)[3:-1]

LOWEST_SPADE = 39  # every card from here up is one
HONOURS = sum(0b111 << (13 * suit + 10) for suit in range(4))  # aces, kings and queens, as a mask


def new_book(rows: int, tricks: int = 0) -> Book:
    """An empty book.

    Parameters
    ----------
    rows : int
        How many there is room for, rounded up to whole blocks; with 0 nothing is written.
    tricks : int
        Cards of a hand, to write every card that is played; 0 for none.
    """
    assert 0 <= tricks <= MAX_TRICKS
    book = np.empty(-(-rows // BLOCK_ROWS), dtype=BLOCK)
    book["rows"] = 0
    book["n_plays"] = tricks
    return book


NO_BOOK = new_book(0)


def n_rows(book: Book) -> int:
    """How many rows a book holds."""
    return int(book["rows"][0]) if len(book) else 0


def is_overfull(book: Book) -> bool:
    """Whether rows are missing for which there was no room."""
    return n_rows(book) > len(book) * BLOCK_ROWS


def column(book: Book, name: str) -> npt.NDArray[Any]:
    """What the rows of a book tell under a name: a column, or what is unpacked from one.

    Raises
    ------
    KeyError
        There is no such name.
    """
    source = source_of(name)
    if source not in COLUMNS:
        raise KeyError(name)
    return unpacked(book[source].reshape(-1)[: n_rows(book)], name)


def plays(book: Book) -> npt.NDArray[np.uint8]:
    """The cards played, of shape (rows, tricks)."""
    width = int(book["n_plays"][0])
    blocks = book["plays"][:, : BLOCK_ROWS * width]
    found: npt.NDArray[np.uint8] = blocks.reshape(-1, width)[: n_rows(book)]
    return found


def copy_rows(source: Book, rows: int, target: Book) -> None:
    """Copy the first rows of a book to the beginning of another one, or of itself further in front."""
    for number in range(-(-rows // BLOCK_ROWS)):
        n = min(BLOCK_ROWS, rows - number * BLOCK_ROWS)
        for name in COLUMNS:
            target[number][name][:n] = source[number][name][:n]
        n_plays = n * int(source[number]["n_plays"])
        target[number]["plays"][:n_plays] = source[number]["plays"][:n_plays]


def column_names(has_prelude: bool) -> tuple[str, ...]:
    """The columns that a table has, those that say where a row belongs first."""
    return tuple(name for name in COLUMNS if has_prelude or name not in PRELUDE_ONLY)


def value_names(has_prelude: bool) -> tuple[str, ...]:
    """Everything that a row tells by itself: columns, and what is unpacked from them."""
    own = [name for name in column_names(has_prelude) if name not in {"sitting", "events"}]
    return (*own[:2], "room", "seat", "role", "bid", TRICKS, *own[2:], *_EVENTS)


def source_of(name: str) -> str:
    """The column that a value of a row is told by, which may be one of its own.

    >>> source_of("ruffs"), source_of("tricks"), source_of("points")
    ('events', 'events', 'points')
    """
    return PACKED["won" if name == TRICKS else name][0] if name in {*PACKED, TRICKS} else name


def unpacked(column: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """What a row tells under a name, out of the column that `source_of` names.

    >>> events = np.array([3 << 50 | 0b101])
    >>> [unpacked(events, name).tolist() for name in ("ruffs", "won", "tricks")]
    [[3], [5], [2]]
    """
    if name == TRICKS:
        return np.bitwise_count(unpacked(column, "won")).astype(np.int8)
    if name not in PACKED:
        return column
    _, low, bits = PACKED[name]
    return (column >> low & (1 << bits) - 1).astype(np.int32 if name == "won" else np.int8)


@jit
def write_hand(position: Any, number: Any, room: Any, roles: Any, book: Any) -> Any:
    """Write a scored hand behind the rows of a book, before it is entered.

    Parameters
    ----------
    position : the table
    number : int, of the unit
    room : int
    roles : int64 array of 4, by seat
    book : Book, with at least one block
    """
    n_players = position.n_players
    first = book[0].rows
    book[0].rows = first + n_players
    if first + n_players > book.size * BLOCK_ROWS:
        return
    block, start = book[first // BLOCK_ROWS], first % BLOCK_ROWS
    for seat in range(n_players):
        side, row = side_at(position, seat), start + seat
        block.unit[row] = number
        block.hand[row] = position.hand_no
        block.sitting[row] = room << AT_ROOM | seat << AT_SEAT | roles[seat]
        block.score[row] = position.scores[side]
        block.bags[row] = position.bags[side]
        block.points[row] = position.points[side]
        block.cards[row] = position.dealt[seat]
    write_events(position, block, start)
    if position.rules.has_prelude:
        for seat in range(n_players):
            row = start + seat
            block.events[row] |= position.blind[seat] << AT_BLIND
            block.given[row] = position.given[seat]
            block.kept[row] = position.kept[seat]
            block.forced[row] = position.n_forced[seat]
    if block.n_plays > 0:
        write_plays(position, block, start)


@jit_within
def write_events(position: Any, block: Any, start: Any) -> Any:
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
        events |= position.bids[seat] << AT_BID | position.n_free[seat] << AT_FREE
        events |= popcount(dealt & HONOURS & ~taken) << AT_LOST
        events |= popcount(dealt & ruffs) << AT_RUFFS | (partner_ruffed >> (8 * seat) & 0xF) << AT_PARTNER
        block.events[start + seat] = events


@jit_within
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


@jit_within
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
def write_plays(position: Any, block: Any, start: Any) -> Any:
    """Write the card that each seat played to each trick."""
    n_players = position.n_players
    for trick in range(position.trick_no):
        seat = position.leaders[trick]
        for k in range(n_players):
            block.plays[(start + seat) * block.n_plays + trick] = position.history[trick * n_players + k]
            seat = seat + 1 if seat + 1 < n_players else 0
