"""The draw of a two-player table: which cards to keep, and what a hand of kept cards is worth.

A hand of 13 cards chosen out of 26 has many more spades, aces and kings than a dealt one, and 26 cards are out
of play, so it is counted on its own terms: in percent of a trick, so that the hands of both players promise 13
tricks together. What of it is bid is another matter, and a parameter of each bot, `draw_rounding`.
"""

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    TEN,
    highest,
    popcount,
    suit_mask,
)
from spadesim.core.view import KEEP, PASS_UP
from spadesim.strategy import Parameter, jit
from spadesim.tactics import TWOS_MASK

WHOLE = 100  # a trick in percent
QUARTER = WHOLE // 4
SIDE_ACES = TWOS_MASK << ACE & SIDE_SUITS_MASK
SIDE_KINGS = TWOS_MASK << KING & SIDE_SUITS_MASK
SIDE_QUEENS = TWOS_MASK << QUEEN & SIDE_SUITS_MASK
SPADE_TEN = 39 + TEN


def trick_percent(name, default, meaning):
    """A parameter in percent of a trick, 0 to 300, of two-player bidding."""
    return Parameter(
        name, default, low=0, high=300, used_by="bid", meaning=f"two players: percent of a trick {meaning}"
    )


def draw_rounding(default):
    """The parameter that moves every two-player bid."""
    return Parameter(
        "draw_rounding", default, low=-12, high=12, used_by="bid",
        meaning="two players: quarter tricks added before the tricks that the hand promises are rounded down",
    )  # fmt: skip


DRAW_COUNT = (
    trick_percent("draw_spade", 76, "for each spade"),
    trick_percent("draw_high_spade", 27, "more for a spade for each rank above the ten"),
    trick_percent("draw_ace", 89, "for each side ace"),
    trick_percent("draw_king", 62, "for each side king"),
    trick_percent("draw_queen", 27, "for each side queen"),
    trick_percent("draw_less", 115, "less for the hand as a whole"),
)


# The draw


@jit
def keep_simple(view):
    """Keep every spade, every ace and every king."""
    return keep_if((1 << view.offered) & (SPADES_MASK | SIDE_ACES | SIDE_KINGS))


@jit
def keep_if(wanted):
    """Keep the card looked at if anything is wanted of it, else pass it up."""
    return KEEP if wanted else PASS_UP


# The hand


@jit
def high_ranks(spades):
    """The ranks that spades are above the ten, taken together."""
    total = 0
    for step in range(1, 5):
        total += popcount(spades >> (SPADE_TEN + step))
    return total


@jit
def whole_bid(percents, rounding):
    """Percents of tricks as a bid, 1 at least."""
    return max(1, (percents + QUARTER * rounding) // WHOLE)


@jit
def linear_worth(hand, weights):
    """Percent of a trick that a hand promises, each card by itself; `weights` begins with `DRAW_COUNT`."""
    spades = hand & SPADES_MASK
    return (
        popcount(spades) * int(weights[0])
        + high_ranks(spades) * int(weights[1])
        + popcount(hand & SIDE_ACES) * int(weights[2])
        + popcount(hand & SIDE_KINGS) * int(weights[3])
        + popcount(hand & SIDE_QUEENS) * int(weights[4])
        - int(weights[5])
    )


@jit
def likely_winners_out(unseen):
    """The unseen cards without the highest of each suit: half of them are out of play."""
    rest = unseen
    for suit in range(SPADES + 1):
        of_suit = unseen & suit_mask(suit)
        if of_suit:
            rest ^= 1 << highest(of_suit)
    return rest
