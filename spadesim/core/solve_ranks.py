"""Cards by their order: who owns the highest card in play of a suit, who the next, and what spades are sure.

The solver looks at cards by their order among the cards of their suit that are still in play, as every
double-dummy solver since Ginsberg's and Haglund's has done. The tables here have a row for every set of cards
that a suit can have left, so that a trick's beginning is described by four look-ups.
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit, jit_within
from spadesim.core.cards import SPADES, SUIT_RANKS, lowest, popcount, suit_mask

TOP = 24  # where the owner of the highest card stands in a pattern of 13 owners of 2 bits
PATTERN_BITS = 26
FIELD = (
    13  # bits of a seat in `sure`: 5 for its surplus, 4 for the most of it, 4 for the rank that it rests on
)
SURPLUS_0 = 16


@jit
def lay_patterns(work: Any) -> None:
    """Write the patterns of all subsets of the cards in play at the root, and what spades are sure."""
    for suit in range(4):
        in_play = cards_held(work)
        in_play = (in_play >> (13 * suit)) & SUIT_RANKS
        _lay_suit(work, suit, in_play)


@jit
def _lay_suit(work: Any, suit: Any, in_play: Any) -> None:
    patterns = work.patterns[suit]
    patterns[0] = 0
    none = 0
    for seat in range(4):
        none |= SURPLUS_0 << (FIELD * seat)
    if suit == SPADES:
        work.sure[0] = none
    cards = 0
    while cards != in_play:
        cards = (cards - in_play) & in_play  # the next subset
        rank = lowest(cards)
        rest = cards & (cards - 1)
        owner = _owner(work, 13 * suit + rank)
        patterns[cards] = patterns[rest] | owner << (TOP - 2 * popcount(rest))
        if suit == SPADES:
            work.sure[cards] = _add_spade(work.sure[rest], owner, rank)


@jit_within
def cards_held(work: Any) -> Any:
    """The cards in all hands, as a mask."""
    hands = work.hands
    return hands[0] | hands[1] | hands[2] | hands[3]


@jit
def _owner(work: Any, card: Any) -> int:
    """Who holds a card at the root."""
    for seat in range(1, 4):
        if work.hands[seat] >> card & 1:
            return seat
    return 0


@jit
def _add_spade(sure: Any, owner: Any, rank: Any) -> int:
    """The surplus of every seat, with one more spade below all others.

    A seat's spades go to different tricks, and each wins its side a trick unless an opponent plays a higher
    one to it. So whatever happens, a seat wins as many tricks for its side as it has more spades than the
    opponents among the highest few.
    """
    found = 0
    for seat in range(4):
        field = (sure >> (FIELD * seat)) & ((1 << FIELD) - 1)
        surplus = field & 31
        most = (field >> 5) & 15
        at = field >> 9
        if owner == seat:
            surplus += 1
        elif (owner ^ seat) & 1:
            surplus -= 1
        if surplus - SURPLUS_0 > most:
            most = surplus - SURPLUS_0
            at = rank
        found |= (surplus | most << 5 | at << 9) << (FIELD * seat)
    return found


@jit_within
def sure_spades(sure: Any, seat: Any) -> Any:
    """How many tricks a seat's spades win its side, whatever is played."""
    return (sure >> (FIELD * seat + 5)) & 15


@jit_within
def sure_rank(sure: Any, seat: Any) -> Any:
    """The lowest of the spades that this rests on, as a mask."""
    return 1 << (39 + ((sure >> (FIELD * seat + 9)) & 15))


@jit_within
def top_mask(n: Any) -> Any:
    """The owners of the highest `n` cards in a pattern."""
    return ((1 << (2 * n)) - 1) << (PATTERN_BITS - 2 * n)


@jit_within
def n_ranked(ranks: Any, in_play: Any, suit: Any) -> Any:
    """How many cards of a suit are as high as the lowest whose rank has mattered; 0 where none has."""
    mattered = ranks & suit_mask(suit)
    if mattered == 0:
        return 0
    lowest_bit = mattered & -mattered
    return popcount(in_play & suit_mask(suit) & ~(lowest_bit - 1))


@jit_within
def lowest_ranked(n: Any, in_play: Any, suit: Any) -> Any:
    """The `n`-th highest card of a suit in play as a mask, nothing for `n` = 0."""
    if n == 0:
        return 0
    cards = in_play & suit_mask(suit)
    for _ in range(popcount(cards) - n):
        cards &= cards - 1
    return cards & -cards
