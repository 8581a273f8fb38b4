"""Leads and discards of a side that wants tricks, each chosen by what it is worth.

A bot puts `LEADS` and `THROWS` into its table of parameters and hands each block on as an array. A rank
counts `RANK_WORTH`, or what its weight says; everything else is meant beside that.
"""

from spadesim.core.cards import SPADES, SPADES_MASK, above, highest, lowest, popcount, suit_mask
from spadesim.strategy import Parameter, jit
from spadesim.tactics import NONE, is_opponent

RANK_WORTH = 10.0
LEAST = -1e9
STAYS = 0.64  # chance that a player has none of one unseen card: about two thirds, less for long suits


def weight(name, default, meaning):
    """A weight of choices, -200 to 200."""
    return Parameter(name, default, low=-200, high=200, used_by="play", meaning=meaning)


def _lead(name, default, meaning):
    return weight(name, default, f"a lead's worth: {meaning}")


LEADS = (
    _lead("lead_sure", 40, "for a side card that none out beats"),
    _lead("lead_ruffed", 60, "less of it where an opponent surely ruffs"),
    _lead("lead_force", -20, "for the highest card of a side suit that one card out beats"),
    _lead("lead_rank", -2, "less for each rank of the lowest card of a side suit"),
    _lead("lead_open", 20, "less of the lowest card where an opponent surely ruffs"),
    _lead("lead_single", 10, "for a singleton beside a spade"),
    _lead("lead_partner", 40, "where the partner is out of the suit, and not of spades"),
    _lead("lead_trump", 45, "for a spade that none out beats"),
    _lead("lead_low_trump", -30, "for the lowest spade"),
)
SURE, RUFFED, FORCE, RANK, OPEN, SINGLE, PARTNER, TRUMP, LOW_TRUMP = range(len(LEADS))

THROWS = (
    weight("throw_length", 5, "a discard's worth: less for each card of the suit"),
    weight("throw_sure", 30, "a discard's worth: less in a suit whose highest card none out beats"),
)
LENGTH, SURE_SUIT = range(len(THROWS))


@jit
def best_lead(view, unseen, weights):
    """The lead that is worth most: of each side suit the highest card or the lowest, or a spade.

    Parameters
    ----------
    view : the seat's view
    unseen : mask of the cards that others may hold
    weights : the numbers of `LEADS`
    """
    best = NONE
    best_worth = LEAST
    for suit in range(SPADES):
        own = view.legal & suit_mask(suit)
        if own:
            card, worth = lead_of_suit(view, suit, own, unseen, weights)
            if worth > best_worth:
                best_worth = worth
                best = card
    spades = view.legal & SPADES_MASK
    if spades:
        is_sure = unseen & SPADES_MASK & above(highest(spades)) == 0
        worth = max(weights[LOW_TRUMP], weights[TRUMP] if is_sure else LEAST)
        if worth > best_worth:
            best = highest(spades) if is_sure and weights[TRUMP] == worth else lowest(spades)
    return best


@jit
def lead_of_suit(view, suit, own, unseen, weights):
    """The better lead of a side suit, of which `own` are legal, and what it is worth."""
    out = unseen & suit_mask(suit)
    ruffed = ruff_chance(view, suit, popcount(out), unseen & SPADES_MASK)
    top, low = highest(own), lowest(own)
    n_above = popcount(out & above(top))
    high_worth = LEAST
    if n_above == 0:
        high_worth = weights[SURE] - weights[RUFFED] * ruffed
    elif n_above == 1:
        high_worth = weights[FORCE]
    low_worth = LEAST
    if low != top or n_above > 1:
        low_worth = -weights[OPEN] * ruffed - weights[RANK] * (low - 13 * suit)
    more = 0.0
    if low == top and view.hand & SPADES_MASK:
        more += weights[SINGLE]
    if partner_may_ruff(view, suit, unseen):
        more += weights[PARTNER]
    return (top, high_worth + more) if high_worth >= low_worth else (low, low_worth + more)


@jit
def partner_may_ruff(view, suit, unseen):
    """Whether the partner is out of a side suit and may hold a spade."""
    if view.partner < 0 or unseen & SPADES_MASK == 0:
        return False
    voids = view.voids[view.partner]
    return (voids >> suit) & 1 == 1 and (voids >> SPADES) & 1 == 0


@jit
def ruff_chance(view, suit, n_out, spades_out):
    """Roughly the chance that an opponent is out of a suit of which `n_out` cards are, and has a spade."""
    if spades_out == 0:
        return 0.0
    none = 1.0
    for _ in range(n_out):
        none *= STAYS
    chance = 0.0
    for seat in range(view.n_players):
        if is_opponent(view, seat) and (view.voids[seat] >> SPADES) & 1 == 0:
            chance += 1.0 if (view.voids[seat] >> suit) & 1 else none
    return min(chance, 1.0)


@jit
def throw(legal, unseen, weights):
    """The side card that is missed least among `legal`, a low one of a short suit without a winner.

    Parameters
    ----------
    legal : mask of the cards to choose from, one of a side suit at least
    unseen : mask of the cards that others may hold
    weights : the numbers of `THROWS`
    """
    best = NONE
    best_worth = LEAST
    for suit in range(SPADES):
        own = legal & suit_mask(suit)
        if own:
            worth = -RANK_WORTH * (lowest(own) - 13 * suit) - weights[LENGTH] * popcount(own)
            if unseen & suit_mask(suit) & above(highest(own)) == 0:
                worth -= weights[SURE_SUIT]
            if worth > best_worth:
                best_worth = worth
                best = lowest(own)
    return best
