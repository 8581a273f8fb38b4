"""Bids by honours, length and the other bids; covers, breaks and sets; remembers no card.

Bids: adds up quarter tricks for spade honours by the cards that guard them, for long spades, for side aces,
kings and queens by length, and for ruffs; rounds; then a trick down after its partner's nil, up against an
opponent's, and as the last to bid it pulls a table total above 13 down and one of 9 or less up. Bids nil with
low cards in every suit and few, low spades. As the last to bid in a hand that may end the game, it bids the
fewest tricks that win it. At a table of two it adds up what spades, aces, kings and queens are worth on
average among hands drawn two cards a turn, bids more against a nil, and bids none itself; in the draw it
keeps every spade, ace and king.
Plays: the first that applies: duck for its own nil, cover its partner's, stay under an opponent's nil, take
tricks while its side needs them, take while the opponents need every trick left, else duck. Where the hand
may end the game, the score comes first: it fights for the tricks that decide it, and takes no bag that loses
it. It sees its hand, this trick, the bids and the tricks won, but remembers no card of earlier tricks. At a
table of two a card with one higher card unseen counts as a likely winner, for half of them are out of play.
Origin: the medium level of Finnish app rules (Patalupaus), which counts more chances than easy and heeds the
other bids, and the normal level of a public engine specification (Pata); the numbers are this project's own.
Weakness: only an ace is certain for it, so it wastes high cards late in a hand; it counts no trumps, leads
without a plan, and looks at the score only where a hand may end the game.
"""

from spadesim.core.cards import SPADES, SPADES_MASK, SUIT_RANKS, highest, lowest, popcount, rank_of
from spadesim.strategies._alone import ALONE, may_bid_nil, tricks_above_usual, worth_here
from spadesim.strategies._draw import (
    DRAW_COUNT,
    draw_dealt,
    draw_rounding,
    keep_simple,
    likely_winners_out,
    linear_worth,
    where_dealt,
    whole_bid,
)
from spadesim.strategies._draw_nil import is_nil_known
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
from spadesim.strategies._valuation import (
    ON,
    VALUATION,
    after_nils,
    as_last,
    count,
    estimate,
    named_rank,
    quarter_tricks,
    switch,
)
from spadesim.strategy import jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    SPADE_ACE,
    bags_cost,
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
    take,
    tricks_left,
    unseen_on_table,
)

PARAMETERS = parameters(
    *VALUATION,
    quarter_tricks("rounding", 1, "added before the sum is rounded down to whole tricks"),
    count("partner_nil", 1, 0, 3, "bid", "tricks down after the partner's nil"),
    count("opponent_nil", 1, 0, 3, "bid", "tricks up after an opponent's nil"),
    count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 9, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count("nil_spades", 3, 0, 13, "bid", "most spades for a nil"),
    named_rank("nil_top_spade", 11, "bid", "highest spade for a nil"),
    named_rank("nil_second_spade", 8, "bid", "highest spade beside one of `nil_top_spade`"),
    named_rank("nil_first", 6, "bid", "highest rank for a nil of the lowest card of a side suit"),
    named_rank("nil_second", 9, "bid", "highest rank for a nil of the second lowest card of a side suit"),
    named_rank("nil_third", 12, "bid", "highest rank for a nil of the third lowest card of a side suit"),
    count("nil_estimate", 6, 0, 52, "bid", "most quarter tricks for a nil"),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    count("danger", 1, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    count("set_slack", 0, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    *ENDGAME,
    *DRAW_COUNT,
    draw_dealt(250),
    draw_rounding(0),
    count("draw_after_nil", 3, 0, 13, "bid", "two players: tricks up after the opponent's nil"),
    *ALONE,
)
P = PARAMETERS.index

MEMORY = False


# The draw


@jit
def keep(view, p):
    """Keep every spade, ace and king."""
    return keep_simple(view)


@jit
def blind(view, p):
    """No blind nil."""
    return 0


@jit
def exchange(view, p):
    """No cards."""
    return 0


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    if view.n_players == 2:
        return bid_of_two(view, p)
    quarters = worth_here(view, estimate(view.hand, p), int(p[P.THREE_PERCENT]), int(p[P.THREE_MORE]))
    may_nil = may_bid_nil(view) and is_nil_hand(view, quarters, p)
    tricks = max(1, (quarters + int(p[P.ROUNDING])) // 4)
    change = after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL]))
    tricks = max(1, tricks + change)
    over = tricks_above_usual(view)
    tricks = as_last(
        view, tricks, int(p[P.TABLE_HIGH]) + over, int(p[P.TABLE_LOW]) + over, int(p[P.TABLE_STEP])
    )
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, may_nil, int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    if may_nil:
        return 0
    return nearest_bid(view.legal, min(tricks, view.rules.hand_size))


@jit
def bid_of_two(view, p):
    """At a table of two the tricks that the hand promises, or what wins the game."""
    worth = linear_worth(view.hand, p[P.DRAW_SPADE :]) + where_dealt(view, int(p[P.DRAW_DEALT]))
    tricks = whole_bid(worth, int(p[P.DRAW_ROUNDING]))
    if is_nil_known(view):
        tricks += int(p[P.DRAW_AFTER_NIL])
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, False, int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    return nearest_bid(view.legal, min(tricks, view.rules.hand_size))


@jit
def is_nil_hand(view, quarters, p):
    """Whether the hand is low enough for a nil."""
    hand = view.hand
    if (hand >> SPADE_ACE) & 1 or quarters > int(p[P.NIL_ESTIMATE]):
        return False
    if view.partner >= 0 and view.bids[view.partner] == 0:
        return False
    spades = hand & SPADES_MASK
    if popcount(spades) > int(p[P.NIL_SPADES]):
        return False
    if spades:
        top_rank = rank_of(highest(spades)) + RANK_NAMED_2
        rest = spades ^ (1 << highest(spades))
        if top_rank > int(p[P.NIL_TOP_SPADE]):
            return False
        is_top = top_rank == int(p[P.NIL_TOP_SPADE])
        if is_top and rest and rank_of(highest(rest)) + RANK_NAMED_2 > int(p[P.NIL_SECOND_SPADE]):
            return False
    for suit in range(SPADES):
        ranks = (hand >> (13 * suit)) & SUIT_RANKS
        for limit in (p[P.NIL_FIRST], p[P.NIL_SECOND], p[P.NIL_THIRD]):
            if ranks:
                if lowest(ranks) + RANK_NAMED_2 > int(limit):
                    return False
                ranks &= ranks - 1
    return True


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_on_table(view)
    if view.n_players == 2:
        unseen = likely_winners_out(unseen)
    is_nil_out = opponent_nil_stands(view)
    wish = NO_AIM
    if (need <= 0 or is_nil_out) and looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        wish = aim(view, left, int(p[P.WIN_REACH]))
    if partner_nil_stands(view) and p[P.COVER] == ON:
        card = cover(view, unseen)
        if card == NONE:
            card = win(view, unseen, p) if need > 0 or wish == MORE else lowest_card(view.legal)
        return card
    is_in_danger = wish == MORE or (need > 0 and need >= left - int(p[P.DANGER]))
    if is_nil_out and (wish == BREAK_NIL or not is_in_danger):
        card = stay_under_nil(view, need, unseen)
        if card != NONE:
            return card
    if need > 0 or wish == MORE or (wish != FEWER and can_set(view, left, int(p[P.SET_SLACK]))):
        return win(view, unseen, p)
    return duck(view) if p[P.BAGS] == ON and bags_cost(view) else win(view, unseen, p)


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)
