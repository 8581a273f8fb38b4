"""Bids as the public project GGZ does, and plays as medium.

Bids: the spades by the better of two counts, ruffs in short side suits or high and long spades, less with two
spades or fewer; side aces and kings, and queens beside them, by the chance that both opponents follow suit;
rounds by its place, most boldly as the last, which also pulls the table toward ten or eleven. Nil when the
lowest cards of all suits are low, and the partner has bid three or more or not yet.
Plays: as medium.
Origin: the bidding of the public project GGZ, from a description in words. That has no numbers for the side
suits and none for the risk of a nil: they are chosen here so that the bids come out as published.
Weakness: a nil rests on three cards of each suit, and the last bid on what a table usually makes.
"""

import numpy as np

from spadesim.core.cards import ACE, KING, QUEEN, SPADES, lowest, popcount
from spadesim.strategies._chances import CHANCE
from spadesim.strategies._field import (
    NOT_YET,
    bid_near,
    has,
    is_last,
    may_nil,
    n_bids,
    partners_bid,
    play_on,
    ranks_of,
    table_so_far,
)
from spadesim.strategy import jit

MEMORY = False

WHOLE = 100  # a trick in percent
RUFFS = (90, 70, 40)  # for a void, one card, two cards
FEW_SPADES = (100, 50, 20)  # less with none, one, two
FOURTH_SPADE = 75
BARE_QUEEN = 20  # less for the queen of spades among two spades or fewer
HIGH_PERCENT = 110  # of its chance that a side ace or king counts
ROUNDING = (50, 40, 30, 60)  # added before rounding down, by place in the bidding
FIRST_PULLED, LAST_PULLED = 7, 13
PULLS = (120, 90, 70, 20, 0, -30, -70)  # as the last, by the table's total from `FIRST_PULLED` on
PARTNER_FOR_NIL = 3
MOST_RISK = 1
MOST_NIL_SPADES = 3
SAFE_RANKS = np.array(((4, 7, 10), (5, 7, 8)), dtype=np.int64)  # side suits, spades: ranks without a risk


@jit
def bid(view, p):
    """The count rounded by its place, or a nil."""
    if may_nil(view) and partner_carries(view) and nil_risk(view.hand) <= MOST_RISK:
        return 0
    worth = value_spades(view.hand)
    for suit in range(SPADES):
        worth += value_side(ranks_of(view.hand, suit))
    if is_last(view):
        total = table_so_far(view) + max(1, (worth + WHOLE // 2) // WHOLE)
        worth += pull(total) if total <= LAST_PULLED else 0
    return bid_near(view, (worth + ROUNDING[min(n_bids(view), len(ROUNDING) - 1)]) // WHOLE)


@jit
def play(view, p):
    """As medium."""
    return play_on(view)


@jit
def pull(total):
    """What the last to bid adds to its count at a total of the table."""
    return PULLS[max(total - FIRST_PULLED, 0)]


@jit
def value_spades(hand):
    """Percent of tricks of the spades: ruffs or strength, whichever is more."""
    spades = ranks_of(hand, SPADES)
    length = popcount(spades)
    ruffs = 0
    for suit in range(SPADES):
        short = popcount(ranks_of(hand, suit))
        ruffs += RUFFS[short] if short < len(RUFFS) else 0
    strength = WHOLE * popcount(spades >> QUEEN)
    if has(spades, QUEEN) and length < len(FEW_SPADES):
        strength -= BARE_QUEEN
    if length > MOST_NIL_SPADES:
        strength += FOURTH_SPADE + WHOLE * (length - MOST_NIL_SPADES - 1)
    return max(ruffs, strength) - (FEW_SPADES[length] if length < len(FEW_SPADES) else 0)


@jit
def value_side(ranks):
    """Percent of tricks of a side suit's ace, king, and queen beside one of them."""
    length = popcount(ranks)
    has_ace, has_king = has(ranks, ACE), has(ranks, KING)
    high = CHANCE[0, length] if has_ace else 0
    if has_king and length > 1:
        high += CHANCE[1, length]
    is_backed = has(ranks, QUEEN) and (has_ace or has_king) and length > 2
    return high * HIGH_PERCENT // 100 + (CHANCE[2, length] if is_backed else 0)


# Nils


@jit
def partner_carries(view):
    """Whether the partner has bid enough for two, or not yet."""
    bid = partners_bid(view)
    return bid == NOT_YET or bid >= PARTNER_FOR_NIL


@jit
def nil_risk(hand):
    """How many ranks the lowest cards of all suits are too high."""
    spades = ranks_of(hand, SPADES)
    if popcount(spades) > MOST_NIL_SPADES or spades >= 1 << KING:
        return MOST_RISK + 1
    risk = 0
    for suit in range(SPADES + 1):
        ranks = ranks_of(hand, suit)
        for place in range(3):
            if ranks:
                risk += max(0, lowest(ranks) - SAFE_RANKS[suit // SPADES, place])
                ranks &= ranks - 1
    return risk
