"""Bids as the public project Trickster does, and plays as medium.

Bids: ruffs in short side suits by its lowest spades, its other spades by the cards that guard them, side
aces, kings and queens by length; rounds down, at least 1. Nil with a count below 1, at most three spades, no
ace, and in each suit as many cards below the queen as from the queen up.
Plays: as medium.
Origin: the bidding of the public project Trickster, from a description in words.
Weakness: looks at no other bid but its partner's nil.
"""

from spadesim.core.cards import ACE, KING, QUEEN, SPADES, highest, popcount
from spadesim.strategies._field import bid_near, may_nil, missing_above, play_on, ranks_of, without_lowest
from spadesim.strategy import jit

MEMORY = False

QUARTERS = 4  # to a trick
RUFFS = (8, 4, 1)  # quarters for a void, one card, two cards
GUARDED = (4, 3, 1)  # quarters for a spade with enough lower ones, one too few, two too few
MOST_NIL_SPADES = 3


@jit
def bid(view, p):
    """The count rounded down, or a nil."""
    quarters = estimate(view.hand)
    if may_nil(view) and quarters < QUARTERS and is_nil(view.hand):
        return 0
    return bid_near(view, quarters // QUARTERS)


@jit
def play(view, p):
    """As medium."""
    return play_on(view)


@jit
def estimate(hand):
    """Quarter tricks that a hand counts."""
    spades = ranks_of(hand, SPADES)
    ruffs = 0
    quarters = 0
    for suit in range(SPADES):
        ranks = ranks_of(hand, suit)
        length = popcount(ranks)
        if length < len(RUFFS):
            ruffs += RUFFS[length]
        quarters += value_side(ranks, length)
    ruffs = min(ruffs, QUARTERS * popcount(spades))
    spent = (ruffs + QUARTERS // 2) // QUARTERS
    return quarters + ruffs + value_spades(spades, without_lowest(spades, spent))


@jit
def value_spades(spades, left):
    """The quarters of the spades that ruff nothing, by what is missing above each and held below it."""
    quarters = 0
    while left:
        top = highest(left)
        left ^= 1 << top
        short = missing_above(spades, top) - popcount(left)
        quarters += GUARDED[max(short, 0)] if short < len(GUARDED) else 0
    return quarters


@jit
def value_side(ranks, length):
    """The quarters of the ace, king and queen of a side suit."""
    quarters = 0
    if (ranks >> ACE) & 1:
        quarters += 4 if length <= 6 else 2
    if (ranks >> KING) & 1 and length > 1:
        quarters += 4 if length <= 5 else 1
    if (ranks >> QUEEN) & 1 and 3 <= length <= 4:
        quarters += 2
    return quarters


@jit
def is_nil(hand):
    """Whether there is no ace, no long spades, and a low card for every high one of its suit."""
    if popcount(ranks_of(hand, SPADES)) > MOST_NIL_SPADES:
        return False
    for suit in range(SPADES + 1):
        ranks = ranks_of(hand, suit)
        n_high = popcount(ranks >> QUEEN)
        if (ranks >> ACE) & 1 or popcount(ranks) - n_high < n_high:
            return False
    return True
