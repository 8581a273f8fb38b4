"""Bids by the chances of its honours, protects its partner's nil, and takes no trick that it need not.

Bids: adds up the chance of each side honour to win before somebody ruffs, guarded and long spades, and
ruffs; rounds down; a trick less after its partner's nil, more against an opponent's, and as the last to bid
it pulls a table total above 13 down and one of 9 or less up. Bids nil when the lowest cards of all suits are
low. As the last to bid in a hand that may end the game, it bids the fewest tricks that win it.
Plays: ducks for its own nil, covers its partner's, stays under an opponent's. It counts the winners that it
holds: while they cover what its side still needs, it ducks and throws high cards away, so that no bags come;
otherwise it takes. It sets opponents only when they need every trick left, or when the score demands it.
Origin: the normal level of a public engine specification (Pata), which says no more than: honours, lengths
and spades, protects nils, manages bags. The chances are those of the paper Bidding in Spades (2020).
Weakness: remembers no card of earlier tricks, so its winners are aces and high spades only; hardly attacks
nils; while it waits with its winners, they may be ruffed.
"""

from spadesim.strategies._chances import CHANCES, may_bid_nil, nil_risk, whole_tricks, worth
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
    can_set,
    cover,
    duck,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    stay_under_nil,
    sure_tricks,
    take,
    tricks_left,
    unseen_on_table,
)

PARAMETERS = parameters(
    *CHANCES,
    count("partner_nil", 1, 0, 3, "bid", "tricks down after the partner's nil"),
    count("opponent_nil", 1, 0, 3, "bid", "tricks up after an opponent's nil"),
    count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 9, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count("sure_spare", 1, 0, 13, "play", "winners beyond the tricks needed that it holds before it ducks"),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    count("danger", 1, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    count("set_slack", 0, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    *ENDGAME,
)
P = PARAMETERS.index

MEMORY = False


# Bidding


@jit
def bid(view, p):
    """The tricks that the hand is worth as the other bids and the score correct them, or a nil."""
    tricks = whole_tricks(worth(view.hand, p), p)
    change = after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL]))
    tricks = max(1, tricks + change)
    tricks = as_last(view, tricks, int(p[P.TABLE_HIGH]), int(p[P.TABLE_LOW]), int(p[P.TABLE_STEP]))
    is_nil = may_bid_nil(view) and nil_risk(view.hand, p) <= int(p[P.NIL_RISK])
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, is_nil, int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    return 0 if is_nil else nearest_bid(view.legal, min(tricks, view.rules.hand_size))


# Playing


@jit
def play(view, p):
    """A card to lose with where a nil or the bags ask for it, otherwise one to win with."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_on_table(view)
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
        card = stay_under_nil(view, need, unseen)
        if card != NONE:
            return card
    is_set_near = wish != FEWER and can_set(view, left, int(p[P.SET_SLACK]))
    if p[P.BAGS] != ON or wish == MORE or is_set_near:
        return win(view, unseen, p)
    return duck(view) if need <= 0 or is_covered(view, need, unseen, p) else win(view, unseen, p)


@jit
def is_covered(view, need, unseen, p):
    """Whether the winners in hand are enough for the tricks needed."""
    return sure_tricks(view.hand, unseen) >= need + int(p[P.SURE_SPARE])


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)
