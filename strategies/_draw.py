"""The draw of a two-player table: which cards to keep, and what a hand of kept cards is worth.

A hand of 13 cards chosen out of 26 has many more spades, aces and kings than a dealt one, and 26 cards are
out of play, so it is counted on its own terms: in percent of a trick, so that the hands of both players
promise 13 tricks together. What of it is bid is a parameter of each bot, `draw_rounding`.
"""

from spadesim.core.cards import (
    ACE,
    KING,
    QUEEN,
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    TEN,
    highest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.rules import DEAL_DRAW
from spadesim.core.view import KEEP, PASS_UP
from spadesim.strategies._draw_odds import (
    BESIDE_WORTH,
    CARD_WORTH,
    SIDE_LENGTH_WORTH,
    SPADE_LENGTH_WORTH,
)
from spadesim.strategies._endgame import WIN, final_score, result
from spadesim.strategy import Parameter, jit
from spadesim.tactics import NONE, TWOS_MASK

WHOLE = 100  # a trick in percent
QUARTER = WHOLE // 4
SIDE_ACES = TWOS_MASK << ACE & SIDE_SUITS_MASK
SIDE_KINGS = TWOS_MASK << KING & SIDE_SUITS_MASK
SIDE_QUEENS = TWOS_MASK << QUEEN & SIDE_SUITS_MASK
SPADE_TWO = 39
SPADE_TEN = SPADE_TWO + TEN
MOST_OUT, MOST_OWN = CARD_WORTH.shape[2] - 1, CARD_WORTH.shape[3] - 1
MOST_SIDE, MOST_SPADES = SIDE_LENGTH_WORTH.shape[1] - 1, SPADE_LENGTH_WORTH.shape[1] - 1


def trick_percent(name, default, meaning):
    """A parameter in percent of a trick, 0 to 300, of two-player bidding."""
    return Parameter(
        name, default, low=0, high=300, used_by="bid", meaning=f"two players: percent of a trick {meaning}"
    )


def draw_dealt(default):
    """The parameter for tables of two where cards are dealt: nor is the opponent's hand chosen."""
    return trick_percent("draw_dealt", default, "more for the hand as a whole where nothing is drawn")


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
def where_dealt(view, percents):
    """`percents` at a table where cards are dealt, 0 where they are drawn."""
    return 0 if view.rules.deal == DEAL_DRAW else percents


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


@jit
def cards_worth(ranks, seen, suit, is_seen):
    """Percent of a trick that the cards of one suit promise by the higher ones, without its length.

    Parameters
    ----------
    ranks, seen : masks of 13 bits, own cards and those seen discarded
    suit : int
    is_seen : int, 1 where the second card of a turn is seen
    """
    is_spades = 1 if suit == SPADES else 0
    percents = 0
    own = 0
    while ranks:
        rank = highest(ranks)
        ranks ^= 1 << rank
        out = 12 - rank - own - popcount(seen >> (rank + 1))
        percents += CARD_WORTH[is_seen, is_spades, min(out, MOST_OUT), min(own, MOST_OWN)]
        own += 1
    return percents


@jit
def length_worth(length, suit, is_seen):
    """Percent of a trick that the length of a suit is worth, beside its cards."""
    if suit == SPADES:
        return SPADE_LENGTH_WORTH[is_seen, min(length, MOST_SPADES)]
    return SIDE_LENGTH_WORTH[is_seen, min(length, MOST_SIDE)]


@jit
def fitted_worth(view):
    """Percent of a trick that a hand promises, by its cards, the discards seen, and what was kept."""
    is_seen = view.rules.draw_second_seen
    percents = 0
    for suit in range(SPADES + 1):
        ranks = (view.hand >> (13 * suit)) & SUIT_RANKS
        seen = (view.discards >> (13 * suit)) & SUIT_RANKS
        percents += cards_worth(ranks, seen, suit, is_seen) + length_worth(popcount(ranks), suit, is_seen)
    if view.first_bidder == view.seat:
        percents += BESIDE_WORTH[is_seen, 0]
    spades_out = popcount(view.rules.deck & ~view.hand & ~view.discards & SPADES_MASK)
    percents += BESIDE_WORTH[is_seen, 1] * popcount(view.kept[1 - view.seat])
    return percents + BESIDE_WORTH[is_seen, 2] * spades_out


@jit
def keep_by_need(view, queen_from, queen_to, king_until):
    """Keep spades, aces, kings that will not stand alone, and queens in company.

    Parameters
    ----------
    view : the seat's view while drawing
    queen_from, queen_to : int, cards of its suit with which a queen is kept; one will do if it is higher
    king_until : int, turns of its own after which a king of a suit that it does not hold is passed up
    """
    card = view.offered
    if card >= SPADE_TWO or rank_of(card) == ACE:
        return KEEP
    ranks = (view.hand >> (13 * suit_of(card))) & SUIT_RANKS
    length = popcount(ranks)
    if rank_of(card) == KING:
        return keep_if(length > 0 or view.n_drawn < 2 * king_until)
    if rank_of(card) == QUEEN:
        return keep_if(queen_from <= length <= queen_to or (length == 1 and ranks >> KING))
    return PASS_UP


@jit
def closing_bid(view, tricks, won, their_gain):
    """The fewest tricks, up to `tricks`, that win the game before the opponent has bid; `NONE` when none do.

    Parameters
    ----------
    view : the seat's view while bidding first
    tricks : int, 1 or more, what the hand is good for
    won : int, tricks that it may win, of which those not bid are bags
    their_gain : int, points that the opponent may gain in this hand
    """
    theirs = view.scores[1 - view.side] + their_gain
    for tried in range(1, tricks + 1):
        ours = final_score(view, view.side, tried, max(tried, won), 0, 0)
        if result(view, ours, theirs) == WIN and ours >= view.rules.target:
            return tried
    return NONE
