"""Follows the highest cards that are left, and plays by what both contracts together leave free.

Bids: as pata_normal, more boldly nil; as the last to bid in a hand that may end the game, what wins it.
Plays: it knows which cards are out and who has shown out. Its plan is the number of tricks that nobody's
    contract still asks for: when hardly any are left, one side will be set, and it fights for every trick;
    when there are many, it loses tricks as soon as its contract is made or lies in its hand. It leads winners
    in suits that no opponent can ruff, low cards in suits that its partner can ruff, and low at a nil. Where
    the hand may end the game, the score comes first.
Origin: the hard level of a public engine specification (Pata), which says no more than: follows the highest
    cards left, and its plan fits the combined contracts of both teams.
Weakness: counts no cards of a suit but its own, so it knows a void only when it has been shown; draws no
    conclusion from bids; weighs no nil by its odds.
"""

from spadesim.core.cards import SIDE_SUITS_MASK, SPADES, SPADES_MASK, highest, lowest, suit_mask
from spadesim.core.view import unseen_cards
from spadesim.strategies._chances import CHANCES, may_bid_nil, nil_risk, whole_tricks, with_defaults, worth
from spadesim.strategies._endgame import (
    BREAK_NIL,
    ENDGAME,
    FEWER,
    MORE,
    NO_AIM,
    aim,
    last_bid,
    looks_at_score,
)
from spadesim.strategies._valuation import ON, after_nils, as_last, count, named_rank, switch
from spadesim.strategy import jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    attack_nil,
    certain_winners,
    cover,
    duck,
    is_opponent,
    lead_to_win,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    shortest_suit,
    sure_tricks,
    take,
    tricks_left,
)

PARAMETERS = parameters(
    *with_defaults(CHANCES, rounding=10, nil_spade=8, nil_low=7, nil_risk=3),
    count("partner_nil", 1, 0, 3, "bid", "tricks down after the partner's nil"),
    count("opponent_nil", 1, 0, 3, "bid", "tricks up after an opponent's nil"),
    count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 10, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count(
        "nil_need",
        4,
        0,
        60,
        "bid",
        "ranks more that are risked for a nil when nothing else may save the game",
    ),
    count(
        "fight", 2, 0, 13, "play", "most tricks free of both contracts with which it fights for every trick"
    ),
    count("sure_spare", 1, 0, 13, "play", "winners beyond the tricks needed that it holds before it ducks"),
    named_rank(
        "nil_reach", 10, "play", "highest card on the table that an opponent's nil may be forced over"
    ),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    count("danger", 0, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    switch("plan", "play", "whether both contracts together decide when to fight and when to duck"),
    switch("voids", "play", "whether leads heed who has shown out of a suit"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    *ENDGAME,
)
P = PARAMETERS.index

LEAST = -(10**9)  # below any count


# Bidding


@jit
def bid(view, p):
    """The tricks that the hand is worth as the other bids and the score correct them, or a nil."""
    tricks = whole_tricks(worth(view.hand, p), p)
    change = after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL]))
    tricks = max(1, tricks + change)
    tricks = as_last(view, tricks, int(p[P.TABLE_HIGH]), int(p[P.TABLE_LOW]), int(p[P.TABLE_STEP]))
    spare = int(p[P.NIL_RISK]) - nil_risk(view.hand, p) if may_bid_nil(view) else LEAST
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, spare >= -int(p[P.NIL_NEED]), int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    return 0 if spare >= 0 else nearest_bid(view.legal, min(tricks, view.rules.hand_size))


# Playing


@jit
def play(view, p):
    """A card by the nils that stand, then by the plan."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_cards(view)
    wish = (
        aim(view, left, int(p[P.WIN_REACH]))
        if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM]))
        else NO_AIM
    )
    if partner_nil_stands(view) and p[P.COVER] == ON:
        card = cover(view, unseen)
        if card == NONE:
            card = win(view, unseen, p) if need > 0 or wish == MORE else lowest_card(view.legal)
        return card
    is_in_danger = wish == MORE or (need > 0 and need >= left - int(p[P.DANGER]))
    if opponent_nil_stands(view) and (wish == BREAK_NIL or not is_in_danger):
        card = attack_nil(view, need, unseen, int(p[P.NIL_REACH]) - RANK_NAMED_2)
        if card != NONE:
            return card
    if p[P.BAGS] != ON or wish == MORE or wants_more(view, need, left, unseen, wish, p):
        return win(view, unseen, p)
    return duck(view)


@jit
def wants_more(view, need, left, unseen, wish, p):
    """Whether the plan is to win this trick.

    Parameters
    ----------
    view : the seat's view
    need, left : int, tricks that the own contract lacks, and tricks not yet decided
    unseen : mask of the cards that others may hold
    wish : what the score asks for
    p : the bot's parameters
    """
    theirs = their_need(view)
    if p[P.PLAN] == ON and left - max(need, 0) - max(theirs, 0) <= int(p[P.FIGHT]):
        can_be_set = 0 < theirs <= left
        if need > 0 or (can_be_set and wish != FEWER):
            return True
    return need > 0 and sure_tricks(view.hand, unseen) < need + int(p[P.SURE_SPARE])


@jit
def their_need(view):
    """The tricks that the opponents lack for their contract, of several sides the one that lacks most."""
    most = LEAST
    for side in range(view.rules.n_sides):
        if side != view.side:
            most = max(most, needed(view, side))
    return most


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    keep_rank = int(p[P.KEEP_FROM]) - RANK_NAMED_2
    if view.n_in_trick == 0 and p[P.VOIDS] == ON:
        return lead(view, unseen, keep_rank)
    return take(view, unseen, int(p[P.THIRD_SEAT]) - RANK_NAMED_2, keep_rank)


@jit
def lead(view, unseen, keep_rank):
    """A winner that nobody can ruff, a low card for the partner to ruff, or what anybody would lead."""
    legal = view.legal
    safe = legal
    if unseen & SPADES_MASK:
        for suit in range(SPADES):
            if opponents_void(view, suit):
                safe &= ~suit_mask(suit)
    certain = certain_winners(view, safe & SIDE_SUITS_MASK, unseen)
    if certain:
        return highest(certain & suit_mask(shortest_suit(certain, legal)))
    if view.partner >= 0:
        ruffed = view.voids[view.partner]
        for suit in range(SPADES):
            if (ruffed >> suit) & 1 and not (ruffed >> SPADES) & 1 and safe & suit_mask(suit):
                return lowest(safe & suit_mask(suit))
    return lead_to_win(view, safe if safe else legal, unseen, keep_rank)


@jit
def opponents_void(view, suit):
    """Whether an opponent has shown out of a suit but not of spades."""
    for seat in range(view.n_players):
        if (
            is_opponent(view, seat)
            and (view.voids[seat] >> suit) & 1
            and not (view.voids[seat] >> SPADES) & 1
        ):
            return True
    return False
