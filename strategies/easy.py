"""Counts its sure-looking cards, takes what it needs, then ducks.

Bids: one for each ace of a side suit and each of the five highest spades, at least 1; whatever the others
bid and however the score stands. The four counts at a table always total 8.
Plays: while its side lacks tricks, leads aces and high cards, takes with its highest card, and ruffs; from
then on it loses every trick it can. It remembers no card of earlier tricks. At a draw table it keeps side
aces, side kings and spades from the seven up, whatever else it holds, and declares no blind nil.
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
)
from spadesim.strategies._draw import SIDE_KINGS, keep_if
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    TWOS_MASK,
    duck,
    highest_card,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    ranks_from,
    shortest_suit,
    winning,
)

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
    Parameter(
        "draw_spade", 7, low=2, high=15, used_by="keep",
        meaning="two players: lowest spade that is kept, numbered as spade_from",
    ),
)  # fmt: skip
P = PARAMETERS.index
MEMORY = False

ZERO_NIL = PARAMETERS["easy_zero"].choices.index("nil")
SIDE_ACES_MASK = TWOS_MASK << ACE & SIDE_SUITS_MASK


@jit
def keep(view, p):
    """Keep side aces, side kings and spades from `draw_spade` on."""
    spades = SPADES_MASK & ranks_from(int(p[P.DRAW_SPADE]) - RANK_NAMED_2)
    return keep_if((1 << view.offered) & (SIDE_ACES_MASK | SIDE_KINGS | spades))


@jit
def blind(view, p):
    """No blind nil."""
    return 0


@jit
def exchange(view, p):
    """No cards."""
    return 0


@jit
def bid(view, p):
    """The count, or 1 when it is 0 (or a nil, as `easy_zero` has it)."""
    side_aces = view.hand & SIDE_ACES_MASK
    high_spades = view.hand & SPADES_MASK & ranks_from(int(p[P.SPADE_FROM]) - RANK_NAMED_2)
    count = int(p[P.ACE]) * popcount(side_aces) + int(p[P.HIGH_SPADE]) * popcount(high_spades)
    if count == 0 and p[P.EASY_ZERO] != ZERO_NIL:
        count = 1
    return nearest_bid(view.legal, count)


@jit
def play(view, p):
    """A card to win with while the side lacks tricks, else a card to lose with."""
    if nil_stands(view, view.seat) or needed(view, view.side) <= 0:
        return duck(view)
    return grab(view, int(p[P.THIRD_SEAT]) - RANK_NAMED_2)


@jit
def grab(view, third_rank):
    """A card to win the trick with, or the lowest card when none can or need be."""
    legal = view.legal
    if view.n_in_trick == 0:
        return lead_high(legal)
    is_last = view.n_in_trick == view.n_players - 1
    is_partners = view.best_seat == view.partner
    if is_partners and (is_last or rank_of(view.best_card) == ACE):
        return lowest_card(legal)
    winners = winning(legal, view.best_card)
    if winners == 0:
        return lowest_card(legal)
    if is_last or legal & suit_mask(view.led_suit) == 0:
        return lowest(winners)
    best = highest(winners)
    if view.n_in_trick == 2 and not is_partners and rank_of(best) < third_rank:
        return lowest_card(legal)
    return best


@jit
def lead_high(legal):
    """The ace of the shortest side suit that has one, else the highest side card, else the highest spade."""
    side = legal & SIDE_SUITS_MASK
    suit = shortest_suit(side & SIDE_ACES_MASK, side)
    if suit != NONE:
        return 13 * suit + ACE
    return highest_card(side) if side else highest(legal)
