"""Bids as the public project CardsWithCats does, and plays as medium.

Bids: side suits by their two highest cards and their length; every spade as a trick, less for each of the
top three that higher ones are missing above; rounds half up. As the last to bid it raises a table of 10 by
one and a lower one by two. Nil with at most three spades up to the ten and no side suit that is high without
low cards below; a count of 0 without a high or a fourth spade is a nil, too.
Plays: as medium.
Origin: the bidding of the public project CardsWithCats, from a description in words.
Weakness: counts every long spade as a trick and looks at no other bid before it is the last; its bids come to
more than eleven tricks a table.
"""

from spadesim.core.cards import SPADES, highest, popcount
from spadesim.strategies._field import (
    ACE,
    JACK,
    KING,
    QUEEN,
    TEN,
    bid_near,
    is_last,
    may_nil,
    missing_above,
    play_on,
    rank_sum,
    ranks_of,
    table_so_far,
)
from spadesim.strategy import jit

MEMORY = False

WHOLE = 100  # a trick in percent
FULL_TABLE = 10  # a total that the last to bid raises by one; a lower one by two
MOST_NIL_SPADES = 3
MEAN_NIL_RANK = 8


@jit
def bid(view, p):
    """The count rounded half up, or a nil."""
    if may_nil(view) and is_nil(view.hand):
        return 0
    worth = value_spades(ranks_of(view.hand, SPADES))
    for suit in range(SPADES):
        worth += value_side(ranks_of(view.hand, suit))
    tricks = (worth + WHOLE // 2) // WHOLE
    if tricks == 0 and may_nil(view) and are_spades_low(ranks_of(view.hand, SPADES)):
        return 0
    tricks = max(tricks, 1)
    if is_last(view):
        total = table_so_far(view) + tricks
        if total <= FULL_TABLE:
            tricks += 1 if total == FULL_TABLE else 2
    return bid_near(view, tricks)


@jit
def play(view, p):
    """As medium."""
    return play_on(view)


@jit
def value_side(ranks):
    """What a side suit is worth by its two highest cards, in percent of a trick."""
    length = popcount(ranks)
    if length == 0:
        return 0
    top = highest(ranks)
    second = highest(ranks ^ (1 << top)) if length > 1 else -1
    worth = value_top_two(top, second) if length > 1 else value_single(top)
    return worth * (10 - max(length - 3, 0)) // 10


@jit
def value_single(top):
    """What the only card of a suit is worth."""
    return 100 if top == ACE else 60 if top == KING else 20 if top == QUEEN else 0


@jit
def value_top_two(top, second):
    """What the two highest of some cards of a suit are worth."""
    if top == ACE:
        return 200 if second == KING else 170 if second == QUEEN else 130 if second == JACK else 100
    if top == KING:
        return 110 if second == QUEEN else 80 if second == JACK else 60
    return 30 if top == QUEEN else 0


@jit
def value_spades(ranks):
    """What the spades are worth: one each, less for what is missing above the highest three."""
    worth = WHOLE * popcount(ranks)
    left = ranks
    for _ in range(3):
        if left:
            top = highest(left)
            worth -= (0, 40, 80, 100)[min(missing_above(ranks, top), 3)]
            left ^= 1 << top
    return worth


# Nils


@jit
def are_spades_low(spades):
    """Whether at most three spades are held, none above the ten."""
    return popcount(spades) <= MOST_NIL_SPADES and spades < 1 << JACK


@jit
def is_nil(hand):
    """Whether the spades and every side suit are low."""
    if not are_spades_low(ranks_of(hand, SPADES)):
        return False
    n_high = 0
    for suit in range(SPADES):
        n_high += not is_low(ranks_of(hand, suit))
    return n_high == 0


@jit
def is_low(ranks):
    """Whether a side suit has nothing from the ten up, or low cards enough below it."""
    if ranks < 1 << TEN:
        return True
    length = popcount(ranks)
    n_honours = popcount(ranks >> JACK)
    needed = 5 if n_honours > 1 or (ranks >> ACE) & 1 else 4 if n_honours else 0
    return length >= needed and rank_sum(ranks) < MEAN_NIL_RANK * length
