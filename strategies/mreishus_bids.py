"""Bids as the public project of mreishus does, and plays as medium.

Bids: the spades from the ace down that stand in a row; one for each two and a half other spades or part of
them, less 0.4; side aces, kings and queens by length; three quarters more, for the bots of that project bid
low; rounds down, from 1 to 7. Nil with at most three spades and no ace or king, when the partner has bid
four or more or not yet.
Plays: as medium.
Origin: the bidding of the public project of mreishus, from a description in words. That has no numbers for
the honours: they are chosen here so that the bids come out as published. A pull of the table's total to
eleven is left out, since no place bids otherwise than the others in the published figures.
Weakness: an honour counts little and every spade much, and nobody else's bid counts but the partner's.
"""

from spadesim.core.cards import ACE, KING, QUEEN, SPADES, popcount
from spadesim.strategies._field import (
    NOT_YET,
    bid_near,
    has,
    may_nil,
    partners_bid,
    play_on,
    ranks_of,
)
from spadesim.strategy import jit

MEMORY = False

WHOLE = 100  # a trick in percent
LOW_BIDS = 75  # added to every count
SPADES_IN_5 = 2  # tricks for five low spades
FEWER = 40  # less for all of them
MOST = 7
SOFT_FOR_NIL = 300
MOST_NIL_SPADES = 3
PARTNER_FOR_NIL = 4


@jit
def bid(view, p):
    """The count rounded down, or a nil."""
    hard = sure_spades(ranks_of(view.hand, SPADES))
    soft = soft_worth(view.hand, hard)
    if hard == 0 and soft <= SOFT_FOR_NIL and may_nil(view) and partner_carries(view) and is_low(view.hand):
        return 0
    return bid_near(view, min(hard + (soft + LOW_BIDS) // WHOLE, MOST))


@jit
def play(view, p):
    """As medium."""
    return play_on(view)


@jit
def sure_spades(spades):
    """How many spades from the ace down stand in a row."""
    n = 0
    while n <= ACE and has(spades, ACE - n):
        n += 1
    return n


@jit
def soft_worth(hand, hard):
    """Percent of tricks of all but the `hard` highest spades."""
    low = popcount(ranks_of(hand, SPADES)) - hard
    worth = WHOLE * ((SPADES_IN_5 * low + 4) // 5) - FEWER
    for suit in range(SPADES):
        worth += value_side(ranks_of(hand, suit))
    return worth


@jit
def value_side(ranks):
    """Percent of tricks of the ace, king and queen of a side suit."""
    length = popcount(ranks)
    worth = 0
    if has(ranks, ACE) and length <= 6:
        worth += 100 if length <= 3 else 50
    if has(ranks, KING) and 2 <= length <= 3:
        worth += 50
    if has(ranks, QUEEN) and 3 <= length <= 4:
        worth += 25
    return worth


# Nils


@jit
def partner_carries(view):
    """Whether the partner has bid enough for two, or not yet."""
    bid = partners_bid(view)
    return bid == NOT_YET or bid >= PARTNER_FOR_NIL


@jit
def is_low(hand):
    """Whether the hand has neither an ace nor a king, and few spades."""
    if popcount(ranks_of(hand, SPADES)) > MOST_NIL_SPADES:
        return False
    n_high = 0
    for suit in range(SPADES + 1):
        n_high += popcount(ranks_of(hand, suit) >> KING)
    return n_high == 0
