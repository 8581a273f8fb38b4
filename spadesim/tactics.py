"""Building blocks that strategies share: what stands, what is needed, which cards win, which card to pick.

All are compiled and take masks of cards (see `spadesim.core.cards`). Where it matters which cards may still
be against a bot, it says so itself, as a mask `unseen`: that is how a bot with memory and one without follow
the same rules.
"""

from __future__ import annotations

from typing import Any

from spadesim.core._jit import jit
from spadesim.core.cards import (
    SIDE_SUITS_MASK,
    SPADES,
    SPADES_MASK,
    SUIT_RANKS,
    above,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.scoring import contract_tricks, is_nil

NONE = -1  # no card, no suit
RANK_NAMED_2 = 2  # strategies' parameters call rank 0 by this number, so that a jack is 11, an ace 14
TWOS_MASK = 1 | 1 << 13 | 1 << 26 | 1 << 39  # shifted by a rank, the four cards of that rank
SPADE_ACE = 51


# Bids and contracts


@jit
def nearest_bid(legal: int, wanted: int) -> int:
    """The legal bid closest to a wanted one, the lower one of two."""
    distance = 0
    while True:
        for candidate in (wanted - distance, wanted + distance):
            if 0 <= candidate < 63 and (legal >> candidate) & 1:
                return candidate
        distance += 1


@jit
def nil_stands(view: Any, seat: int) -> bool:
    """Whether a seat has bid nil and won no trick."""
    return is_nil(view.rules, view.bids[seat]) and view.tricks[seat] == 0


@jit
def partner_nil_stands(view: Any) -> bool:
    """Whether the partner, if there is one, has bid nil and won no trick."""
    return view.partner >= 0 and nil_stands(view, view.partner)


@jit
def is_opponent(view: Any, seat: int) -> bool:
    """Whether a seat plays for another side."""
    return seat not in (view.seat, view.partner)


@jit
def opponent_nil_stands(view: Any) -> bool:
    """Whether a nil of an opponent stands."""
    found = False
    for seat in range(view.n_players):
        found |= nil_stands(view, seat) and is_opponent(view, seat)
    return found


@jit
def opponent_nil_to_play(view: Any) -> bool:
    """Whether an opponent whose nil stands has yet to play to this trick."""
    found = False
    for seat in range(view.n_players):
        found |= view.trick[seat] < 0 and is_opponent(view, seat) and nil_stands(view, seat)
    return found


@jit
def needed(view: Any, side: int) -> int:
    """Tricks that a side still lacks for its contract, as the rules count them; 0 or less when it is made."""
    contract = 0
    seat = side
    while seat < view.n_players:  # a range with a step would divide
        contract += view.bids[seat]
        seat += view.rules.n_sides
    return contract - contract_tricks(view.rules, view.bids, view.tricks, side)


@jit
def tricks_left(view: Any) -> int:
    """Tricks not yet decided, this one included."""
    return view.rules.hand_size - view.trick_no


@jit
def bags_cost(view: Any) -> bool:
    """Whether a trick beyond the contract may cost more than it brings, under the rules of the table."""
    is_charged = view.rules.bag_limit > 0 and view.rules.bag_penalty > 0
    return is_charged or view.rules.overtrick_value < 0


@jit
def can_set(view: Any, left: int, slack: int) -> bool:
    """Whether opponents have an open contract and can lose at most `slack` of the tricks left to make it."""
    for side in range(view.rules.n_sides):
        if side != view.side:
            need = needed(view, side)
            if need > 0 and 0 <= left - need <= slack:
                return True
    return False


# Cards against a bot


@jit
def unseen_on_table(view: Any) -> int:
    """The cards that others may hold, for a bot that sees no more than its hand and this trick.

    A bot that remembers all cards played takes `spadesim.core.view.unseen_cards` instead.
    """
    seen = view.hand
    for seat in range(view.n_players):
        if view.trick[seat] >= 0:
            seen |= 1 << view.trick[seat]
    return view.rules.deck & ~seen


@jit
def winning(cards: int, best_card: int) -> int:
    """Those of `cards` that would take over a trick that `best_card` is winning.

    >>> bin(winning(0b1011, 1))  # of the two, three and five of clubs, against a three
    '0b1000'
    """
    return cards & ~((2 << best_card) - 1) & (suit_mask(suit_of(best_card)) | SPADES_MASK)


@jit
def certain_winners(view: Any, cards: int, unseen: int) -> int:
    """Those of `cards` that no unseen card of their suit beats; in a ruffed trick only spades can be."""
    is_ruffed = view.best_card >= 0 and suit_of(view.best_card) != view.led_suit
    certain = cards & SPADES_MASK & ~((1 << (highest(unseen & SPADES_MASK) + 1)) - 1)
    if not is_ruffed:
        for suit in range(SPADES):
            of_suit = suit_mask(suit)
            certain |= cards & of_suit & ~((1 << (highest(unseen & of_suit) + 1)) - 1)
    return certain


@jit
def sure_tricks(hand: int, unseen: int) -> int:
    """How many cards of a hand no unseen card of their suit beats.

    >>> sure_tricks(0b1_1000_0000_0001, 0b0_0111_0000_0000)  # ace, king and two of clubs against queen, jack
    2
    """
    n = 0
    for suit in range(SPADES + 1):
        of_suit = suit_mask(suit)
        n += popcount(hand & of_suit & ~((1 << (highest(unseen & of_suit) + 1)) - 1))
    return n


@jit
def is_certain(view: Any, card: int, unseen: int) -> bool:
    """Whether a card on the table is of the suit led and no unseen card of that suit beats it."""
    suit = suit_of(card)
    return suit == view.led_suit and unseen & suit_mask(suit) & above(card) == 0


# Picking a card


@jit
def lowest_card(cards: int) -> int:
    """The lowest card: side suits before spades, then by rank, then clubs, diamonds, hearts."""
    side = cards & SIDE_SUITS_MASK
    if side == 0:
        return lowest(cards)
    ranks = (side | side >> 13 | side >> 26) & SUIT_RANKS
    return lowest(side & (TWOS_MASK << lowest(ranks)))


@jit
def highest_card(cards: int) -> int:
    """The card of highest rank; clubs, diamonds, hearts, spades among equal ranks."""
    if cards >> (SPADE_ACE + 1):
        return highest(cards)
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT_RANKS
    return lowest(cards & (TWOS_MASK << highest(ranks)))


@jit
def highest_loser(losers: int) -> int:
    """The highest of cards that lose a trick: a spade under a spade if any, else by rank, then suit."""
    return highest(losers) if losers & SPADES_MASK else highest_card(losers)


@jit
def cheapest(winners: int, led_suit: int) -> int:
    """The lowest winner of the suit led, else the lowest ruff."""
    in_suit = winners & suit_mask(led_suit)
    return lowest(in_suit if in_suit else winners)


@jit
def shortest_suit(candidates: int, cards: int) -> int:
    """The side suit with a candidate in which fewest of `cards` are, or `NONE`; the first of several."""
    best = NONE
    fewest = 0
    for suit in range(SPADES):
        if candidates & suit_mask(suit):
            length = popcount(cards & suit_mask(suit))
            if best == NONE or length < fewest:
                best = suit
                fewest = length
    return best


@jit
def ranks_from(rank: int) -> int:
    """Every card of a rank or higher, as a mask: all suits, 0 for ranks above the ace.

    >>> bin(ranks_from(11)).count("1")  # kings and aces
    8
    """
    of_suit = SUIT_RANKS & ~((1 << rank) - 1)
    return of_suit | of_suit << 13 | of_suit << 26 | of_suit << 39


@jit
def duck(view: Any) -> int:
    """The highest card that loses the trick; when all win, the highest as the last hand, else the lowest."""
    legal = view.legal
    if view.n_in_trick == 0:
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    losers = legal & ~winners
    if losers:
        return highest_loser(losers)
    return highest(winners) if view.n_in_trick == view.n_players - 1 else lowest_card(winners)


@jit
def cover(view: Any, unseen: int) -> int:
    """A card that keeps the partner's nil from winning the trick, `NONE` when none is called for."""
    legal = view.legal
    if view.n_in_trick == 0:
        certain = certain_winners(view, legal, unseen)
        return highest_card(certain if certain else legal)
    winners = winning(legal, view.best_card)
    if view.best_seat == view.partner and winners:
        return cheapest(winners, view.led_suit)
    is_safe = suit_of(view.best_card) != view.led_suit or is_certain(view, view.best_card, unseen)
    if view.trick[view.partner] < 0 and winners and not is_safe:
        in_suit = winners & suit_mask(view.led_suit)
        return highest(in_suit) if in_suit else lowest(winners)
    return NONE


@jit
def stay_under_nil(view: Any, need: int, unseen: int) -> int:
    """A card that leaves the trick to an opponent's nil, `NONE` when the trick asks for something else."""
    legal = view.legal
    if view.n_in_trick == 0:
        return NONE if certain_winners(view, legal, unseen) else lowest_card(legal)
    if is_opponent(view, view.best_seat) and nil_stands(view, view.best_seat):
        losers = legal & ~winning(legal, view.best_card)
        if losers:
            return highest_loser(losers)
    return lowest_card(legal) if need <= 0 and opponent_nil_to_play(view) else NONE


@jit
def standing_nil(view: Any) -> int:
    """The opponent whose nil stands, of two the one who sits next to the left; `NONE` when there is none."""
    for step in range(1, view.n_players):
        seat = (view.seat + step) % view.n_players
        if is_opponent(view, seat) and nil_stands(view, seat):
            return seat
    return NONE


@jit
def attack_nil(view: Any, need: int, unseen: int, reach: int) -> int:
    """A card that may force an opponent's nil to win, `NONE` when no card does.

    Parameters
    ----------
    view : the seat's view; an opponent's nil stands
    need : tricks that the own side still needs
    unseen : mask of the cards that others may hold
    reach : highest rank on the table that the nil may still be forced over
    """
    legal = view.legal
    bidder = standing_nil(view)
    if view.n_in_trick == 0:
        return low_lead_at(view, bidder, unseen)
    losers = legal & ~winning(legal, view.best_card)
    if view.best_seat == bidder:
        return highest_loser(losers) if losers else NONE
    if view.trick[bidder] >= 0:
        return NONE
    following = legal & suit_mask(view.led_suit)
    is_open = suit_of(view.best_card) == view.led_suit and not (view.voids[bidder] >> view.led_suit) & 1
    if following and is_open and rank_of(view.best_card) <= reach:
        if losers:
            return highest(losers)
        return lowest(following) if rank_of(lowest(following)) <= reach else NONE
    return lowest_card(legal) if need <= 0 else NONE


@jit
def low_lead_at(view: Any, bidder: int, unseen: int) -> int:
    """The lowest card to lead of the suits that the nil bidder may have to follow, `NONE` without one."""
    candidates = 0
    for suit in range(SPADES + 1):
        if unseen & suit_mask(suit) and not (view.voids[bidder] >> suit) & 1:
            candidates |= view.legal & suit_mask(suit)
    return lowest_card(candidates) if candidates else NONE


@jit
def take(view: Any, unseen: int, third_rank: int, keep_rank: int) -> int:
    """A card to win the trick with, as cheaply as will do; the lowest when it cannot or need not be won.

    Parameters
    ----------
    view : the seat's view
    unseen : mask of the cards that others may hold
    third_rank : lowest rank with which the third hand takes a trick from an opponent
    keep_rank : lowest rank that is kept when a low card is led
    """
    legal = view.legal
    if view.n_in_trick == 0:
        return lead_to_win(view, legal, unseen, keep_rank)
    is_last = view.n_in_trick == view.n_players - 1
    is_partners = view.best_seat == view.partner
    if is_partners and (is_last or is_certain(view, view.best_card, unseen)):
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    if winners == 0:
        return lowest_card(legal)
    if is_last or legal & suit_mask(view.led_suit) == 0:
        return cheapest(winners, view.led_suit)
    certain = certain_winners(view, winners, unseen)
    if certain:
        return lowest(certain)
    if view.n_in_trick == 2 and not is_partners and rank_of(highest(winners)) >= third_rank:
        return highest(winners)
    return lowest_card(legal)


@jit
def lead_to_win(view: Any, legal: int, unseen: int, keep_rank: int) -> int:
    """Of the cards `legal`, a certain winner from the shortest side suit, else of spades, else a low card."""
    certain = certain_winners(view, legal, unseen)
    if certain & SIDE_SUITS_MASK:
        return highest(certain & suit_mask(shortest_suit(certain, legal)))
    if certain:
        return highest(certain)
    low_side = legal & SIDE_SUITS_MASK & ~ranks_from(keep_rank)
    if low_side:
        return lowest(legal & suit_mask(shortest_suit(low_side, legal)))
    return lowest_card(legal)
