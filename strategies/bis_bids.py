"""Bids as the core of the paper Bidding in Spades does, and plays as medium.

Bids: the chance of each side honour that both opponents follow suit until it wins (a king with one more
card, a queen with two), each spade from the jack up with a lower one for each higher one that is missing, and
each spade after the fourth; rounds half up, at least 1. Nil when its chance, by the three lowest cards of
each suit, makes it worth more than the bid.
Plays: as medium.
Origin: Cohensius, Meir, Oved and Stern, Bidding in Spades (2020), without what it learns from games; the nil
by a description of a public project that follows it. The paper has ruffs in place of long spades as well: the
published figures are those without.
Weakness: believes that opponents duck whenever they can, so it bids a nil hardly ever; looks at no other bid
but its partner's nil.
"""

from math import comb

import numpy as np

from spadesim.core.cards import ACE, JACK, SPADES, lowest, popcount
from spadesim.strategies._chances import CHANCE
from spadesim.strategies._field import bid_near, has, may_nil, missing_above, play_on, ranks_of
from spadesim.strategy import jit

MEMORY = False

WHOLE = 100  # a trick in percent
LONG_FROM = 4  # spades beyond this many are a trick each
N_LOWEST = 3  # cards of a suit that a nil looks at
MOST_NIL_SPADES = 3
VOID_BONUS = 1.15
NIL_EVEN = 25.0  # points that a nil must be worth more than the bid
NIL_SWING = 100.0  # points that the chance of a nil is worth
NIL_LOSS = 50.0
POINTS = 10.0  # a trick that is bid


def chance_of_break(place, below, above):
    """The chance that a suit breaks a nil at its `place`-th lowest card.

    Both opponents hold fewer than `place` cards of the suit, or at least `place` below that card; the partner
    holds fewer than `place` above it.

    Parameters
    ----------
    place : int, 1 for the lowest card
    below, above : int
        Cards of the suit that others hold, below that card and above it.
    """
    rest = 39 - below - above
    good = 0
    for a in range(below + 1):
        for b in range(below - a + 1):
            for c in range(above + 1):
                for d in range(above - c + 1):
                    first, second = a + c, b + d
                    if max(first, second) > 13 or below + above - first - second > 13:
                        continue
                    ducks = (first < place or a >= place) and (second < place or b >= place)
                    if ducks and above - c - d < place:
                        ways = comb(below, a) * comb(below - a, b) * comb(above, c) * comb(above - c, d)
                        good += ways * comb(rest, 13 - first) * comb(rest - 13 + first, 13 - second)
    return good / (comb(39, 13) * comb(26, 13))


def table_of_breaks():
    """The chances by place (0 for the lowest), cards of others below, and cards of others above."""
    table = np.zeros((N_LOWEST, 14, 14))
    for below in range(13):
        for above in range(13 - below):
            for place in range(min(N_LOWEST, 13 - below - above)):
                table[place, below, above] = chance_of_break(place + 1, below, above)
    return table


BREAKS = table_of_breaks()


@jit
def bid(view, p):
    """The count rounded half up, or a nil that is worth more."""
    tricks = max(1, (takes(view.hand) + WHOLE // 2) // WHOLE)
    if may_nil(view):
        worth = NIL_SWING * nil_chance(view.hand) - NIL_LOSS
        if worth > NIL_EVEN + POINTS * tricks:
            return 0
    return bid_near(view, tricks)


@jit
def play(view, p):
    """As medium."""
    return play_on(view)


@jit
def takes(hand):
    """Percent of tricks that a hand takes."""
    spades = ranks_of(hand, SPADES)
    worth = WHOLE * max(0, popcount(spades) - LONG_FROM)
    for rank in range(JACK, ACE + 1):
        n_below = popcount(spades & ((1 << rank) - 1))
        if has(spades, rank) and n_below >= missing_above(spades, rank):
            worth += WHOLE
    for suit in range(SPADES):
        ranks = ranks_of(hand, suit)
        length = popcount(ranks)
        for place in range(3):  # an ace, a king with one more card, a queen with two
            if has(ranks, ACE - place) and length > place:
                worth += CHANCE[place, length]
    return worth


@jit
def nil_chance(hand):
    """The chance that no suit breaks a nil."""
    if popcount(ranks_of(hand, SPADES)) > MOST_NIL_SPADES:
        return 0.0
    chance = 1.0
    has_void = False
    for suit in range(SPADES + 1):
        ranks = ranks_of(hand, suit)
        length = popcount(ranks)
        has_void |= length == 0
        n_above_own = length
        for place in range(N_LOWEST):
            if ranks:
                card = lowest(ranks)
                n_above_own -= 1
                below = card - place
                chance *= 1.0 - BREAKS[place, below, ACE - card - n_above_own]
                ranks &= ranks - 1
    return min(1.0, chance * VOID_BONUS) if has_void else chance
