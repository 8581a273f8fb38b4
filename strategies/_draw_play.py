"""Playing against one opponent with 26 cards out of play: what it may hold, what to lead, when to fight."""

from math import sqrt

from spadesim.core.cards import (
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    above,
    highest,
    lowest,
    popcount,
    suit_mask,
)
from spadesim.strategies._draw import SIDE_ACES, SIDE_KINGS
from spadesim.strategy import Parameter, jit
from spadesim.tactics import cheapest, duck, lowest_card, sure_tricks, winning

LIKELY_KEPT = SPADES_MASK | SIDE_ACES | SIDE_KINGS
KEEN = 3.0  # times that the odds of lying with the opponent are better for such a card, and worse for others


def lead_weight(name, default, meaning):
    """A weight of two-player leads, -100 to 100."""
    return Parameter(
        name, default, low=-100, high=100, used_by="play", meaning=f"two players, a lead's worth: {meaning}"
    )


LEADS = (
    lead_weight("draw_lead_spade", -8, "for the highest spade"),
    lead_weight("draw_lead_more", 8, "more for each spade that it holds more than the opponent may"),
    lead_weight("draw_lead_sure", 1, "more for each sure side winner"),
    lead_weight("draw_lead_single", 16, "for a singleton beside a spade"),
    lead_weight("draw_lead_ruff", 20, "for a side card that the opponent must ruff"),
    lead_weight("draw_lead_weak", 1, "for each higher card of the side suit that is out"),
)


@jit
def chances(unseen, n):
    """The chances that a likely card and another card of `unseen` are among the `n` of the opponent.

    Likely are the cards that everybody keeps. The odds of the two kinds are `KEEN` squared apart, and so that
    `n` cards are expected.
    """
    total = popcount(unseen)
    if n >= total:
        return 1.0, 1.0
    if n <= 0:
        return 0.0, 0.0
    n_likely = popcount(unseen & LIKELY_KEPT)
    a = KEEN * (total - n)
    b = n_likely * KEEN * KEEN + (total - n_likely) - n * (1.0 + KEEN * KEEN)
    t = (sqrt(b * b + 4.0 * a * n * KEEN) - b) / (2.0 * a)
    return KEEN * t / (1.0 + KEEN * t), t / (KEEN + t)


@jit
def chance_of_none(cards, likely, other):
    """The chance that the opponent holds none of `cards`, as if each lay there or not by itself."""
    chance = 1.0
    n_likely = popcount(cards & LIKELY_KEPT)
    for _ in range(n_likely):
        chance *= 1.0 - likely
    for _ in range(popcount(cards) - n_likely):
        chance *= 1.0 - other
    return chance


@jit
def fight(view, unseen, weights):
    """A card to win as many tricks as may be.

    Parameters
    ----------
    view : the seat's view
    unseen : mask of the cards that the opponent may hold
    weights : the six numbers of `LEADS`
    """
    if view.n_in_trick == 0:
        return lead(view, unseen, weights)
    winners = winning(view.legal, view.best_card)
    return cheapest(winners, view.led_suit) if winners else lowest_card(view.legal)


@jit
def lead(view, unseen, weights):
    """The highest card of a suit: spades while it has more of them, else one to be ruffed or to be rid of."""
    legal = view.legal
    hand = view.hand
    opponent = 1 - view.seat
    voids = view.voids[opponent]
    spades_out = 0 if (voids >> SPADES) & 1 else unseen & SPADES_MASK
    likely, other = chances(unseen, view.rules.hand_size - view.trick_no)
    n_spades = popcount(hand & SPADES_MASK)
    best = -1
    best_worth = -1e9
    no_spades = chance_of_none(spades_out, likely, other)
    for suit in range(SPADES):
        own = legal & suit_mask(suit)
        if own:
            out = 0 if (voids >> suit) & 1 else unseen & suit_mask(suit)
            card = highest(own)
            ruffed = chance_of_none(out, likely, other) * (1.0 - no_spades)
            worth = weights[4] * ruffed + weights[5] * popcount(out & above(card))
            if n_spades and own & (own - 1) == 0:
                worth += weights[3]
            if worth > best_worth:
                best_worth = worth
                best = card
    if legal & SPADES_MASK:
        more = n_spades - likely * popcount(spades_out)
        sure = sure_tricks(hand & SIDE_SUITS_MASK, unseen & SIDE_SUITS_MASK)
        worth = weights[0] + weights[1] * more + weights[2] * sure
        if worth > best_worth:
            best = highest(legal & SPADES_MASK)
    return best


@jit
def shed(view, unseen):
    """A card to lose the trick with; a lead is the lowest card that the opponent likeliest beats."""
    if view.n_in_trick > 0:
        return duck(view)
    voids = view.voids[1 - view.seat]
    likely, other = chances(unseen, view.rules.hand_size - view.trick_no)
    best = -1
    best_chance = 2.0
    for suit in range(SPADES + 1):
        own = view.legal & suit_mask(suit)
        if own:
            card = lowest(own)
            out = 0 if (voids >> suit) & 1 else unseen & suit_mask(suit) & above(card)
            chance = chance_of_none(out, likely, other)
            if chance < best_chance:
                best_chance = chance
                best = card
    return best
