"""Play about a nil by a bot that remembers: attacks, shelter for the partner's, discards beside the own one.

Whoever has bid nil plays, as a rule, the highest card that loses. So a card between the one it played and the
one that was winning then is not in its hand: `may_hold` is what remains.
"""

from spadesim.core.cards import (
    SIDE_SUITS_MASK,
    SPADES,
    above,
    below,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.trick import beats
from spadesim.strategies._leads import LEAST, RANK_WORTH, weight
from spadesim.strategy import jit
from spadesim.tactics import (
    NONE,
    certain_winners,
    cheapest,
    duck,
    highest_loser,
    lowest_card,
    standing_nil,
    winning,
)

AT_NIL = (
    weight("at_under", 33, "a lead at a nil: less for each lower card that its bidder may hold"),
    weight("at_over", 7, "a lead at a nil: more for each higher one"),
    weight("at_spade", -33, "a lead at a nil: more for a spade"),
)
UNDER, OVER, SPADE = range(len(AT_NIL))

BESIDE_OWN = (
    weight("shed_under", 5, "a discard beside the own nil: more for each lower card out of the suit"),
    weight("shed_length", 5, "a discard beside the own nil: less for each card of the suit"),
)
SHED_UNDER, SHED_LENGTH = range(len(BESIDE_OWN))

SHELTER = (
    weight("shelter_over", 40, "a lead beside the partner's nil: less for each higher card that it may hold"),
    weight("shelter_void", 40, "a lead beside the partner's nil: more where it is out of the suit"),
    weight("shelter_sure", 100, "a lead beside the partner's nil: more for a card that none out beats"),
)
HIGHER, VOID, SURE = range(len(SHELTER))


@jit
def may_hold(view, seat, unseen, is_inferred):
    """The unseen cards that a nil bidder may hold.

    Parameters
    ----------
    view : the seat's view
    seat : int, who has bid nil
    unseen : mask of the cards that others may hold
    is_inferred : bool, whether it is taken to have played the highest card that loses, each time
    """
    possible = unseen
    for suit in range(SPADES + 1):
        if (view.voids[seat] >> suit) & 1:
            possible &= ~suit_mask(suit)
    if not is_inferred:
        return possible
    n = view.n_players
    for trick in range((view.n_history + n - 1) // n):
        lead = n * trick
        place = (seat - view.leaders[trick]) % n
        if 0 < place < view.n_history - lead:
            possible &= ~ruled_out(view, lead, lead + place)
    return possible


@jit
def ruled_out(view, lead, at):
    """The cards that whoever ducked with card `at` of the history, in the trick led at `lead`, lacks."""
    card, best = view.history[at], view.history[lead]
    led = suit_of(best)
    if suit_of(card) != led:
        return 0
    for k in range(lead + 1, at):
        if beats(view.history[k], best):
            best = view.history[k]
    if suit_of(best) != led:
        return suit_mask(led) & above(card)
    return suit_mask(led) & above(card) & below(best)


@jit
def attack(view, need, unseen, is_inferred, reach, weights):
    """A card that may force an opponent's nil to win, `NONE` when no card does.

    Parameters
    ----------
    view : the seat's view; an opponent's nil stands
    need : tricks that the own side still needs
    unseen : mask of the cards that others may hold
    is_inferred : bool, see `may_hold`
    reach : highest rank on the table that the nil may still be forced over
    weights : the numbers of `AT_NIL`
    """
    legal = view.legal
    bidder = standing_nil(view)
    if view.n_in_trick == 0:
        return lead_at(legal, may_hold(view, bidder, unseen, is_inferred), weights)
    losers = legal & ~winning(legal, view.best_card)
    if view.best_seat == bidder:
        return highest_loser(losers) if losers else NONE
    if view.trick[bidder] >= 0:
        return NONE
    following = legal & suit_mask(view.led_suit)
    if following and suit_of(view.best_card) == view.led_suit and rank_of(view.best_card) <= reach:
        possible = may_hold(view, bidder, unseen, is_inferred) & suit_mask(view.led_suit)
        if possible & above(view.best_card):
            if losers:
                return highest(losers)
            low = lowest(following)
            return low if possible & above(low) and rank_of(low) <= reach else NONE
    return lowest_card(legal) if need <= 0 else NONE


@jit
def lead_at(legal, possible, weights):
    """The lowest card of the suit in which a nil bidder who may hold `possible` has least below it."""
    best = NONE
    best_worth = LEAST
    for suit in range(SPADES + 1):
        own, out = legal & suit_mask(suit), possible & suit_mask(suit)
        if own and out:
            card = lowest(own)
            n_under, n_over = popcount(out & below(card)), popcount(out & above(card))
            worth = weights[OVER] * n_over - weights[UNDER] * n_under - RANK_WORTH * rank_of(card)
            if suit == SPADES:
                worth += weights[SPADE]
            if worth > best_worth:
                best_worth = worth
                best = card
    return best


@jit
def stay_low(view, unseen, weights):
    """As `duck`, but a discard comes from the suit that endangers the own nil most.

    Parameters
    ----------
    view : the seat's view
    unseen : mask of the cards that others may hold
    weights : the numbers of `BESIDE_OWN`
    """
    losers = 0 if view.n_in_trick == 0 else view.legal & ~winning(view.legal, view.best_card)
    if losers == 0 or losers & ~(SIDE_SUITS_MASK & ~suit_mask(view.led_suit)):
        return duck(view)
    best = NONE
    best_worth = LEAST
    for suit in range(SPADES):
        own = losers & suit_mask(suit)
        if own:
            n_under = popcount(unseen & suit_mask(suit) & below(lowest(own)))
            worth = RANK_WORTH * rank_of(highest(own)) + weights[SHED_UNDER] * n_under
            worth -= weights[SHED_LENGTH] * popcount(own)
            if worth > best_worth:
                best_worth = worth
                best = highest(own)
    return best


@jit
def shelter(view, unseen, is_inferred, weights):
    """A card that keeps the partner's nil from winning the trick, `NONE` when none is called for.

    As `spadesim.tactics.cover`, but it spends no card where the partner can hold none that would win, and no
    higher one than it takes.

    Parameters
    ----------
    view : the seat's view; the partner's nil stands
    unseen : mask of the cards that others may hold
    is_inferred : bool, see `may_hold`
    weights : the numbers of `SHELTER`
    """
    legal = view.legal
    possible = may_hold(view, view.partner, unseen, is_inferred)
    if view.n_in_trick == 0:
        return sheltering_lead(view, unseen, possible, weights)
    winners = winning(legal, view.best_card)
    if winners and view.best_seat == view.partner:
        return cheapest(winners, view.led_suit)
    if winners == 0 or view.trick[view.partner] >= 0 or suit_of(view.best_card) != view.led_suit:
        return NONE
    threats = possible & suit_mask(view.led_suit) & above(view.best_card)
    if threats == 0:
        return NONE
    in_suit = winners & suit_mask(view.led_suit)
    if in_suit == 0:
        return lowest(winners)
    enough = in_suit & above(highest(threats))
    return lowest(enough) if enough else highest(in_suit)


@jit
def sheltering_lead(view, unseen, possible, weights):
    """The highest card of the suit in which the partner, who may hold `possible`, is safest."""
    certain = certain_winners(view, view.legal, unseen)
    best = NONE
    best_worth = LEAST
    for suit in range(SPADES + 1):
        own = view.legal & suit_mask(suit)
        if own:
            card = highest(own)
            n_higher = popcount(possible & suit_mask(suit) & above(card))
            worth = RANK_WORTH * rank_of(card) - weights[HIGHER] * n_higher
            if (view.voids[view.partner] >> suit) & 1:
                worth += weights[VOID]
            if (certain >> card) & 1:
                worth += weights[SURE]
            if worth > best_worth:
                best_worth = worth
                best = card
    return best
