"""Deals of the cards that a seat cannot see, uniform over all that agree with what it knows.

A seat knows how many cards everybody holds and who has failed to follow which suit. The unseen cards go to
*holders*: the other seats, and at a two-player table the cards that were never dealt. With no void shown
that is a shuffle. Otherwise the number of cards of each suit that each holder gets is drawn first, in
proportion to the number of deals behind it, and then which ones. The counts are exact: they fit int64, since
39! / 13!**3 is 8.4e16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import lowest, popcount, suit_mask
from spadesim.core.rng import REDEAL, shuffle, stream_tag, words
from spadesim.core.view import unseen_cards

MAX_HOLDERS = 3
UNDEALT = 3  # the seat number under which a two-player table's undealt cards come back


def _binomials() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    table = np.zeros((42, 42), dtype=np.int64)
    for n in range(42):
        table[n, 0] = 1
        for k in range(1, n + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


BINOMIALS = _binomials()


@jit
def cards_left(view: Any, seat: Any) -> int:
    """How many cards a seat holds."""
    return view.rules.hand_size - view.trick_no - (1 if view.trick[seat] >= 0 else 0)


@jit
def redeal(view: Any, key: Any, number: Any, hands: Any) -> Any:
    """Write one deal of the unseen cards into `hands`, uniform over all that the seat may hold possible.

    Parameters
    ----------
    view : the seat's view
    key : int, 0 to 2**63 - 1, of the random numbers, such as the view's own `rng_key`
    number : int, 0 or more; the same key and number give the same deal
    hands : int64 array of 4, by seat: the masks of all hands, the seat's own included; at a table of two,
        hands[UNDEALT] gets the cards that nobody holds

    Raises
    ------
    ValueError
        When no deal agrees with the view.
    """
    unseen = unseen_cards(view)
    for seat in range(4):
        hands[seat] = 0
    hands[view.seat] = view.hand
    seats = np.full(MAX_HOLDERS, UNDEALT, dtype=np.int64)
    sizes = np.zeros(MAX_HOLDERS, dtype=np.int64)
    barred = np.full(MAX_HOLDERS, unseen, dtype=np.int64)  # what each holder cannot have; a missing one: all
    list_holders(view, seats, sizes, barred)
    if sizes.sum() != popcount(unseen):
        raise ValueError("no deal of the unseen cards agrees with the hand sizes of this view")
    is_free = True
    for h in range(MAX_HOLDERS):
        if sizes[h] > 0 and barred[h] & unseen:
            is_free = False
    if is_free:
        deal_freely(unseen, seats, sizes, key, number, hands)
    else:
        deal_by_suit(unseen, seats, sizes, barred, key, number, hands)


@jit
def list_holders(view: Any, seats: Any, sizes: Any, barred: Any) -> Any:
    """Write who holds the unseen cards, how many, and which of them not."""
    n = 0
    for seat in range(view.n_players):
        if seat != view.seat:
            seats[n] = seat
            sizes[n] = cards_left(view, seat)
            barred[n] = 0
            for suit in range(4):
                if (view.voids[seat] >> suit) & 1:
                    barred[n] |= suit_mask(suit)
            n += 1
    n_undealt = popcount(view.rules.deck) - view.rules.n_dealt
    if n_undealt > 0:
        sizes[n] = n_undealt
        barred[n] = 0


@jit
def spread(cards: Any, into: Any) -> Any:
    """Write the cards of a mask into an array; how many comes back."""
    n = 0
    while cards:
        into[n] = lowest(cards)
        cards &= cards - 1
        n += 1
    return n


@jit
def deal_freely(unseen: Any, seats: Any, sizes: Any, key: Any, number: Any, hands: Any) -> Any:
    """Shuffle the unseen cards and hand them out."""
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    n = spread(unseen, deck)
    shuffle(deck, n, n, key, number, stream_tag(REDEAL, 0, 0), scratch)
    at = 0
    for h in range(MAX_HOLDERS):
        for k in range(at, at + sizes[h]):
            hands[seats[h]] |= np.int64(1) << deck[k]
        at += sizes[h]


@jit
def deal_by_suit(unseen: Any, seats: Any, sizes: Any, barred: Any, key: Any, number: Any, hands: Any) -> Any:
    """Hand out the unseen cards suit by suit, each suit's split drawn by the number of deals behind it."""
    ways = count_ways(unseen, sizes, barred)
    left = (sizes[0], sizes[1])
    deck = np.empty(64, dtype=np.int64)
    scratch = np.empty(67, dtype=np.int64)
    for suit in range(4):
        n = spread(unseen & suit_mask(suit), deck)
        total = ways[suit, left[0], left[1]]
        if total == 0:
            raise ValueError("no deal of the unseen cards agrees with the hand sizes and voids of this view")
        drawn = draw_below(total, key, number, stream_tag(REDEAL, 8 + suit, 0))
        a, b = split_at(drawn, ways, suit, n, left, barred)
        shuffle(deck, n, n, key, number, stream_tag(REDEAL, 1 + suit, 0), scratch)
        for k in range(n):
            h = 0 if k < a else (1 if k < a + b else 2)
            hands[seats[h]] |= np.int64(1) << deck[k]
        left = (left[0] - a, left[1] - b)


@jit
def count_ways(unseen: Any, sizes: Any, barred: Any) -> Any:
    """How many deals there are of the suits from each one on, by the room left with the first two holders.

    Returns
    -------
    int64 array of shape (5, sizes[0] + 1, sizes[1] + 1)
    """
    ways = np.zeros((5, sizes[0] + 1, sizes[1] + 1), dtype=np.int64)
    ways[4, 0, 0] = 1
    later = np.int64(0)
    for back in range(4):
        suit = 3 - back
        n = popcount(unseen & suit_mask(suit))
        later += n
        for first in range(sizes[0] + 1):
            for second in range(sizes[1] + 1):
                if 0 <= later - first - second <= sizes[2]:
                    left = (first, second)
                    total = np.int64(0)
                    for a in range(min(n, first) + 1):
                        for b in range(min(n - a, second) + 1):
                            total += split_ways(ways, suit, n, left, (a, b), barred)
                    ways[suit, first, second] = total
    return ways


@jit
def split_ways(ways: Any, suit: Any, n: Any, left: Any, split: Any, barred: Any) -> Any:
    """Deals in which the first two holders get the `split` of a suit's `n` cards and the third the rest.

    Parameters
    ----------
    left, split : pairs of int, the room left with the first two holders and what they get of the suit
    """
    cards = suit_mask(suit)
    a, b = split
    if (a > 0 and barred[0] & cards) or (b > 0 and barred[1] & cards) or (n > a + b and barred[2] & cards):
        return np.int64(0)
    return BINOMIALS[n, a] * BINOMIALS[n - a, b] * ways[suit + 1, left[0] - a, left[1] - b]


@jit
def split_at(place: Any, ways: Any, suit: Any, n: Any, left: Any, barred: Any) -> Any:
    """The split of a suit in which deal number `place` lies when all deals are counted through."""
    for a in range(min(n, left[0]) + 1):
        for b in range(min(n - a, left[1]) + 1):
            place -= split_ways(ways, suit, n, left, (a, b), barred)
            if place < 0:
                return a, b
    return 0, 0  # pragma: no cover - the counts add up to the total


@jit
def draw_below(n: Any, key: Any, number: Any, tag: Any) -> Any:
    """A uniform int in 0..n-1, n up to 2**61: 62 random bits, drawn again where they would favour some."""
    limit = (np.int64(1) << 62) // n * n
    block = 0
    while True:
        w0, w1, _, _ = words(key, number, tag, block)
        drawn = ((w0 >> 2) << 32) | w1
        if drawn < limit:
            return drawn % n
        block += 1
