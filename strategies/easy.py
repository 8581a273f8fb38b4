"""Counts its sure-looking cards, takes what it needs, then ducks.

Bids: one for each ace of a side suit and each of the five highest spades, at least 1; whatever the others
bid and however the score stands. The four counts at a table always total 8.
Plays: while its side lacks tricks, leads aces and high cards, takes with its highest card, and ruffs; from
then on it loses every trick it can. It remembers no card of earlier tricks.
Origin: the beginner's count of Finnish app rules (Patalupaus), which leave the play open; the play is greedy.
Weakness: bids 4 of the 6.5 tricks that a side wins on average, so it collects bags; it protects no nil,
breaks none, and never tries to set anybody.
"""

from spadesim.core.cards import (
    ACE,
    SIDE_SUITS_MASK,
    SPADES_MASK,
    highest,
    lowest,
    popcount,
    rank_of,
    suit_mask,
    suit_of,
)
from spadesim.core.scoring import contract_tricks
from spadesim.strategy import Parameter, jit, parameters

PARAMETERS = parameters(
    Parameter("ace", 1, low=0, high=2, used_by="bid", meaning="tricks bid for each ace of a side suit"),
    Parameter("high_spade", 1, low=0, high=2, used_by="bid", meaning="tricks bid for each high spade"),
    Parameter(
        "spade_from", 10, low=2, high=15, used_by="bid",
        meaning="lowest spade that is high; jack 11, queen 12, king 13, ace 14, none 15",
    ),
    Parameter(
        "easy_zero", "one", choices=("one", "nil"), used_by="bid",
        meaning="what a count of 0 bids: one trick, or nil",
    ),
    Parameter(
        "third_seat", 11, low=2, high=15, used_by="play",
        meaning="lowest card with which the third hand takes from the opponents, numbered as spade_from",
    ),
)  # fmt: skip
P = PARAMETERS.index
MEMORY = False

ZERO_NIL = PARAMETERS["easy_zero"].choices.index("nil")
LOWEST_RANK = 2  # the number by which parameters call the rank 0

FIRST_SPADE = 39
SIDE_ACES_MASK = 1 << 12 | 1 << 25 | 1 << 38
RANK_MASK = 1 | 1 << 13 | 1 << 26  # the twos of the side suits; shifted by a rank, that rank
ONE_SUIT_MASK = (1 << 13) - 1


@jit
def bid(view, p):
    """The count, or 1 when it is 0 (or a nil, as `easy_zero` has it)."""
    high_spades = (view.hand & SPADES_MASK) >> (FIRST_SPADE + int(p[P.SPADE_FROM]) - LOWEST_RANK)
    side_aces = view.hand & SIDE_ACES_MASK
    count = int(p[P.ACE]) * popcount(side_aces) + int(p[P.HIGH_SPADE]) * popcount(high_spades)
    if count == 0 and p[P.EASY_ZERO] != ZERO_NIL:
        count = 1
    return nearest_bid(view.legal, count)


@jit
def nearest_bid(legal, count):
    """The legal bid closest to a count, the lower one of two."""
    distance = 0
    while True:
        for wanted in (count - distance, count + distance):
            if 0 <= wanted < 63 and (legal >> wanted) & 1:
                return wanted
        distance += 1


@jit
def play(view, p):
    """A card to win with while the side lacks tricks, else a card to lose with."""
    if needs_tricks(view):
        return take(view, p)
    return duck(view)


@jit
def needs_tricks(view):
    """Whether the side still lacks tricks; a seat whose own nil stands wants none for it."""
    if view.bids[view.seat] == 0 and view.tricks[view.seat] == 0:
        return False
    contract = 0
    for seat in range(view.side, view.n_players, view.rules.n_sides):
        contract += view.bids[seat]
    return contract_tricks(view.rules, view.bids, view.tricks, view.side) < contract


@jit
def take(view, p):
    """A card to win the trick with, or the lowest card when none can or need be."""
    if view.n_in_trick == 0:
        return lead_high(view.legal)
    is_last = view.n_in_trick == view.n_players - 1
    is_partners = view.best_seat == view.partner
    if is_partners and (is_last or rank_of(view.best_card) == ACE):
        return lowest_card(view.legal)
    winners = winning(view.legal, view.best_card)
    if winners == 0:
        return lowest_card(view.legal)
    if is_last or view.legal & suit_mask(view.led_suit) == 0:
        return lowest(winners)
    best = highest(winners)
    if view.n_in_trick == 2 and not is_partners and rank_of(best) < int(p[P.THIRD_SEAT]) - LOWEST_RANK:
        return lowest_card(view.legal)
    return best


@jit
def lead_high(legal):
    """The ace of the shortest side suit that has one, else the highest side card, else the highest spade."""
    side = legal & SIDE_SUITS_MASK
    if side == 0:
        return highest(legal)
    aces = side & SIDE_ACES_MASK
    if aces == 0:
        return highest_side_card(side)
    best = lowest(aces)
    shortest = popcount(side & suit_mask(suit_of(best)))
    aces &= aces - 1
    while aces:
        ace = lowest(aces)
        length = popcount(side & suit_mask(suit_of(ace)))
        if length < shortest:
            best = ace
            shortest = length
        aces &= aces - 1
    return best


@jit
def duck(view):
    """The highest card that loses the trick; when all win, the highest as the last hand, else the lowest."""
    legal = view.legal
    if view.n_in_trick == 0:
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    losers = legal & ~winners
    if losers == 0:
        return highest(winners) if view.n_in_trick == view.n_players - 1 else lowest(winners)
    if losers & SPADES_MASK:  # under a higher spade
        return highest(losers)
    return highest_side_card(losers)


@jit
def winning(cards, best_card):
    """The cards of a mask that would take over a trick, as a mask."""
    return cards & ~((2 << best_card) - 1) & (suit_mask(suit_of(best_card)) | SPADES_MASK)


@jit
def lowest_card(cards):
    """The lowest card: side suits before spades, then by rank, then clubs, diamonds, hearts."""
    side = cards & SIDE_SUITS_MASK
    if side == 0:
        return lowest(cards)
    ranks = (side | side >> 13 | side >> 26) & ONE_SUIT_MASK
    return lowest(side & (RANK_MASK << lowest(ranks)))


@jit
def highest_side_card(side):
    """The highest card of a mask without spades; clubs, diamonds, hearts among equal ranks."""
    ranks = (side | side >> 13 | side >> 26) & ONE_SUIT_MASK
    return lowest(side & (RANK_MASK << highest(ranks)))
