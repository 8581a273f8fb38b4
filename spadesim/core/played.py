"""What the cards of recorded hands tell beyond the rows: why bags were taken, and which spades were drawn.

A bag is a trick that its side does not need: one that counts for a contract made before it, or a trick of a
failed nil where the rules make those bags. It is told of the seat that won the trick, under the first of
these causes that fits:

=============  =========================================================================================
``of_nil``     the seat had bid nil
``forced``     no other legal card of the seat would have left the trick to another side: the other cards
               of the trick as they were; after a lead of another suit, whatever the others had played
``to_set``     another side's contract was undecided: not made, and not out of reach with the tricks left,
               this one among them
``avoidable``  none of these: it brought nothing, and another card would have left it to others
=============  =========================================================================================

All bags of a hand are told, so they add up to what the scores say (`spadesim.core.scoring`).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.cards import SPADES, highest, lowest, suit_mask, suit_of
from spadesim.core.rows import AT_BID, AT_FIRST, LOWEST_SPADE
from spadesim.core.rules import BAGS, RULES, Rules
from spadesim.core.scoring import counted_tricks, is_nil
from spadesim.core.trick import breaks_spades, legal_cards

COLUMNS = ("bags_of_nil", "bags_forced", "bags_to_set", "bags_avoidable", "spades_led", "spades_drawn")
OF_NIL, FORCED, TO_SET, AVOIDABLE, SPADES_LED, SPADES_DRAWN = range(len(COLUMNS))

NONE = -1  # the strength of a card that cannot win, and of one that is not there

# A hand as it is read back: the cards that each seat still has, and those of the trick.
TABLE = np.dtype((np.record, [
    ("n_players", np.int64),
    ("n_sides", np.int64),
    ("leader", np.int64),
    ("winner", np.int64),
    ("broken", np.int64),
    ("left", np.int64),  # tricks that are left, the one that is played among them
    ("hands", np.int64, (4,)),  # by seat, the cards of this trick among them
    ("trick", np.int64, (4,)),  # by seat
    ("bids", np.int64, (4,)),  # by seat
    ("contracts", np.int64, (4,)),  # by side
    ("counted", np.int64, (4,)),  # by side, tricks that counted so far
]))  # fmt: skip

_SIGNATURE = types.void(
    types.Array(numba.from_dtype(RULES), 1, "C"),
    types.Array(types.int64, 1, "C"),
    types.Array(types.uint8, 2, "C"),
    types.Array(numba.from_dtype(TABLE), 1, "C"),
    types.Array(types.int8, 2, "C"),
)


def read_plays(
    rules: Rules, events: npt.NDArray[np.int64], plays: npt.NDArray[np.uint8]
) -> npt.NDArray[np.int8]:
    """What the cards of some hands tell, a row a seat.

    Parameters
    ----------
    rules : Rules
    events : int64 array of shape (rows,)
        The column of that name, see `spadesim.core.rows`: whole hands, the seats of each in order.
    plays : uint8 array of shape (rows, tricks)
        The card that the seat played to each trick.

    Returns
    -------
    int8 array of shape (len(COLUMNS), rows)
        Counts in the order of `COLUMNS`.
    """
    read: Any = _read_all
    if COMPILED and not read.signatures:
        compile_safely(lambda: read.compile(_SIGNATURE))
    found = np.zeros((len(COLUMNS), len(events)), dtype=np.int8)
    tables, records = np.zeros(1, dtype=TABLE), np.zeros(1, dtype=RULES)
    records[0] = rules.record()
    _read_all(
        records,
        np.require(events, requirements=["C", "W"]),
        np.require(plays, requirements=["C", "W"]),
        tables,
        found,
    )
    return found


@jit
def _read_all(rules: Any, events: Any, plays: Any, tables: Any, found: Any) -> Any:
    """`read_plays` into `found`."""
    table, n_players = tables[0], rules[0].players
    table.n_players, table.n_sides = n_players, rules[0].n_sides
    for start in range(0, events.size - n_players + 1, n_players):
        _read_hand(rules[0], events, plays, start, table, found)


@jit
def _read_hand(rules: Any, events: Any, plays: Any, start: Any, table: Any, found: Any) -> Any:
    """Count what the cards of one hand tell."""
    n_players, n_tricks = table.n_players, plays.shape[1]
    table.leader = events[start] >> AT_FIRST & 3
    table.broken = 0
    for side in range(4):
        table.contracts[side] = table.counted[side] = table.hands[side] = 0
    for seat in range(n_players):
        table.bids[seat] = events[start + seat] >> AT_BID
        table.contracts[_side(table, seat)] += table.bids[seat]
        for trick in range(n_tricks):
            table.hands[seat] |= np.int64(1) << plays[start + seat, trick]
    for trick in range(n_tricks):
        table.left = n_tricks - trick
        for seat in range(n_players):
            table.trick[seat] = plays[start + seat, trick]
            if events[start + seat] >> trick & 1:
                table.winner = seat
        _count_spades(table, start, found)
        _count_bag(rules, table, start, found)
        _end_trick(rules, table)


@jit
def _side(table: Any, seat: Any) -> Any:
    return seat & 1 if table.n_sides == 2 else seat


@jit
def _count_spades(table: Any, start: Any, found: Any) -> Any:
    """Count a lead of a spade, and those that others played to it."""
    leader = table.leader
    if table.trick[leader] < LOWEST_SPADE:
        return
    row = start + leader
    found[SPADES_LED, row] += 1
    for seat in range(table.n_players):
        if _side(table, seat) != _side(table, leader) and table.trick[seat] >= LOWEST_SPADE:
            found[SPADES_DRAWN, row] += 1


@jit
def _count_bag(rules: Any, table: Any, start: Any, found: Any) -> Any:
    """Count the trick that is played if it is a bag."""
    winner = table.winner
    side, bid = _side(table, winner), table.bids[winner]
    counts = counted_tricks(rules, bid, 1)
    is_over = counts and table.counted[side] >= table.contracts[side]
    table.counted[side] += counts
    if is_nil(rules, bid):
        if is_over or rules.failed_nil_tricks == BAGS:
            found[OF_NIL, start + winner] += 1
    elif is_over:
        cause = FORCED if not can_leave(rules, table) else TO_SET if _is_open(table) else AVOIDABLE
        found[cause, start + winner] += 1


@jit
def _is_open(table: Any) -> Any:
    """Whether the contract of a side is undecided; that of the side that has won a bag is not."""
    n_open = 0
    for side in range(table.n_sides):
        missing = table.contracts[side] - table.counted[side]
        n_open += 1 if 0 < missing <= table.left else 0
    return n_open > 0


@jit
def _end_trick(rules: Any, table: Any) -> Any:
    """Take the cards of the trick out of the hands; its winner leads the next one."""
    led, seat = table.trick[table.leader], table.leader
    for _ in range(table.n_players):
        card = table.trick[seat]
        table.broken |= breaks_spades(rules, card, suit_of(led))
        table.hands[seat] &= ~(np.int64(1) << card)
        seat = seat + 1 if seat + 1 < table.n_players else 0
    table.leader = table.winner


@jit
def can_leave(rules: Any, table: Any) -> Any:
    """Whether the winner of the trick had a legal card that would have left it to another side."""
    winner, leader = table.winner, table.leader
    led, hand = suit_of(table.trick[leader]), table.hands[winner]
    ours, theirs = _best_of_others(table, led)
    if winner != leader:
        weakest = _weakest(legal_cards(rules, hand, led, table.broken), led)
        return max(weakest, ours) < theirs
    legal = legal_cards(rules, hand, -1, table.broken)
    n_losing = 1 if max(lowest(legal & suit_mask(led)), ours) < theirs else 0
    for suit in range(4):
        cards = legal & suit_mask(suit)
        if cards and _is_lost(table, suit, lowest(cards)):
            n_losing += 1
    return n_losing > 0


@jit
def _best_of_others(table: Any, led: Any) -> Any:
    """The strongest cards of the trick that the winner's side played beside its own, and that others did."""
    side = _side(table, table.winner)
    ours = theirs = np.int64(NONE)
    for seat in range(table.n_players):
        strength = _strength(table.trick[seat], led)
        if seat != table.winner and _side(table, seat) == side:
            ours = max(ours, strength)
        elif seat != table.winner:
            theirs = max(theirs, strength)
    return ours, theirs


@jit
def _strength(card: Any, led: Any) -> Any:
    """A card's number where it can win a trick in which a suit is led, else `NONE`."""
    suit = suit_of(card)
    return card if suit in (led, SPADES) else NONE


@jit
def _weakest(legal: Any, led: Any) -> Any:
    """The least strength among some cards."""
    helpless = legal & ~suit_mask(led) & ~suit_mask(SPADES)
    return np.int64(NONE) if helpless else np.int64(lowest(legal))


@jit
def _is_lost(table: Any, suit: Any, card: Any) -> Any:
    """Whether a lead of the winner's goes to another side, whatever everybody plays to it."""
    side = _side(table, table.winner)
    best: Any = np.int64(card)
    for seat in range(table.n_players):
        if seat != table.winner and _side(table, seat) == side:
            following = table.hands[seat] & suit_mask(suit)
            best = max(best, highest(following or table.hands[seat] & suit_mask(SPADES)))
    n_above = 0
    for seat in range(table.n_players):
        following = table.hands[seat] & suit_mask(suit)
        reply = _weakest(following or table.hands[seat], suit)
        n_above += 1 if _side(table, seat) != side and reply > best else 0
    return n_above > 0
