"""Remembers every card, bids nil by its odds, attacks the opponents' nils, sets with two tricks to spare.

Bids: as medium, but nil wherever the fitted odds of making it are good enough, better ones when it is ahead,
    worse ones when only a nil may save the game.
Plays: as medium, knowing which cards are still out; against a nil it leads low and stays low as long as the
    bidder may be forced to win.
Origin: the hard level of Finnish app rules (Patalupaus), which remembers the cards that everybody has played;
    its nil odds are fitted by experiments/fit_nil.py.
Weakness: leads without a plan, looks at the score only where a hand may end the game, and takes the same
    nils against anybody.
"""

from spadesim.core.cards import ACE, SPADES, SPADES_MASK, SUIT_RANKS, highest, lowest, popcount
from spadesim.core.view import cards_out, unseen_cards
from spadesim.strategies._draw import closing_bid, draw_rounding, fitted_worth, keep_by_need, keep_simple, whole_bid
from spadesim.strategies._draw_nil import BLIND, dangerous_cards, declares, is_nil_known, keep_against_nil, keep_for_nil
from spadesim.strategies._draw_play import LEADS, fight, shed
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
from spadesim.strategies._nil_odds import NIL_BASE, NIL_SIDE, NIL_SPADE
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
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    SPADE_ACE,
    attack_nil,
    can_set,
    cover,
    duck,
    lowest_card,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    partner_nil_stands,
    sure_tricks,
    take,
    tricks_left,
)


def _odds(name, default, meaning):
    meaning = f"log-odds of making it, in thousandths, {meaning}"
    return Parameter(name, default, low=-5000, high=5000, used_by="bid", meaning=meaning)


PARAMETERS = parameters(
    *VALUATION,
    quarter_tricks("rounding", 0, "added before the sum is rounded down to whole tricks"),
    quarter_tricks("partner_nil", 1, "less after the partner's nil"),
    quarter_tricks("opponent_nil", 1, "more after an opponent's nil"),
    count("table_high", 13, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 10, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count("nil_spades", 4, 0, 13, "bid", "most spades for a nil"),
    named_rank("nil_ace", 9, "bid", "highest rank of the lowest card beside a side ace for a nil"),
    _odds("nil_odds", 300, "that a nil needs"),
    _odds("nil_price", 20, "more that it needs for each quarter trick of the hand"),
    _odds("nil_lead", 300, "more that it needs for each 100 points that the side is ahead"),
    _odds("nil_need", 2500, "less that it needs when nothing else may save the game"),
    named_rank(
        "nil_reach", 10, "play", "highest card on the table that an opponent's nil may be forced over"
    ),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 12, "play", "lowest card that is kept when a low card is led"),
    count("danger", 0, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    count("set_slack", 2, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    *ENDGAME,
    Parameter("draw_keep", "rule", choices=("rule", "simple"), used_by="keep", meaning="two players: keep by what the hand needs, or every spade, ace and king"),
    count("draw_queen_from", 2, 0, 13, "keep", "two players: fewest cards of its suit with which a side queen is kept"),
    count("draw_queen_to", 3, 0, 13, "keep", "two players: most cards of its suit with which a side queen is kept"),
    count("draw_king_until", 9, 0, 13, "keep", "two players: own turns after which a king of a suit not held is passed up"),
    draw_rounding(-1),
    count("draw_after_nil", 8, 1, 13, "bid", "two players: fewest tricks bid against a nil"),
    count("draw_their_bid", 15, -100, 100, "bid", "x"),
    count("draw_lead", -15, -100, 100, "bid", "x percent per 100 ahead"),
    count("draw_sure", 1, -13, 13, "play", "x"),
    count("draw_their_gain", 100, 0, 1000, "bid", "two players: points that the opponent may gain, for the first bid of the last hand"),
    *BLIND,
    *LEADS,
    switch("draw_shed", "play", "x"),
    count("draw_set_slack", 2, 0, 13, "play", "two players: most tricks to spare with which the opponent is attacked"),
    count("draw_bag_room", 0, 0, 20, "play", "two players: bags that may still come before tricks are lost on purpose"),
)
P = PARAMETERS.index

SPADE_QUEEN = SPADE_ACE - 2
LAST_SIDE_PLACE = NIL_SIDE.shape[0] - 1
LAST_SPADE_PLACE = NIL_SPADE.shape[0] - 1
NO_SCORE = NO_NIL = -(10**9)


# The draw


@jit
def keep(view, p):
    """Keep what the hand needs, or every spade, ace and king."""
    if view.blind[view.seat] == 1:
        return keep_for_nil(view, int(p[P.DRAW_NIL_KEEP]))
    if view.blind[1 - view.seat] == 1:
        return keep_against_nil(view, int(p[P.DRAW_NIL_AGAINST]))
    if p[P.DRAW_KEEP] == ON:
        return keep_by_need(view, int(p[P.DRAW_QUEEN_FROM]), int(p[P.DRAW_QUEEN_TO]), int(p[P.DRAW_KING_UNTIL]))
    return keep_simple(view)


@jit
def blind(view, p):
    """A double nil where little else can save the game."""
    reach, deficit = int(p[P.DRAW_BLIND_REACH]), int(p[P.DRAW_BLIND_DEFICIT])
    return declares(view, int(p[P.DRAW_BLIND]), reach, deficit)


@jit
def exchange(view, p):
    """The cards that endanger the double nil most."""
    spade, cover = int(p[P.DRAW_NIL_SPADE]), int(p[P.DRAW_NIL_COVER])
    return dangerous_cards(
        view.hand, view.rules.blind_nil_exchange, spade, cover, int(p[P.DRAW_NIL_DANGER])
    )


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    if view.n_players == 2:
        return bid_of_two(view, p)
    quarters = estimate(view.hand, p)
    margin = nil_margin(view, quarters, p) if view.legal & 1 and view.rules.nil_allowed else NO_NIL
    change = after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL]))
    tricks = max(1, (quarters + change + int(p[P.ROUNDING])) // 4)
    tricks = as_last(view, tricks, int(p[P.TABLE_HIGH]), int(p[P.TABLE_LOW]), int(p[P.TABLE_STEP]))
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, margin >= -int(p[P.NIL_NEED]), int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    if margin >= 0:
        return 0
    return nearest_bid(view.legal, min(tricks, view.rules.hand_size))


@jit
def bid_of_two(view, p):
    """At a table of two the tricks that the hand promises, or what wins the game."""
    worth = fitted_worth(view)
    if view.bids[1 - view.seat] > 0:
        worth += int(p[P.DRAW_THEIR_BID]) * (5 - view.bids[1 - view.seat])
    lead = view.scores[view.side] - view.scores[1 - view.side]
    worth += int(p[P.DRAW_LEAD]) * min(max(lead, -200), 200) // 100
    tricks = whole_bid(worth, int(p[P.DRAW_ROUNDING]))
    is_nil = is_nil_known(view)
    won = tricks
    if is_nil:
        tricks = max(tricks, int(p[P.DRAW_AFTER_NIL]))
        won = view.rules.hand_size
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        if view.bids[1 - view.seat] >= 0 and not is_nil:
            decisive = last_bid(view, tricks, False, int(p[P.STRETCH]))
        else:
            gain = view.rules.blind_nil_value if is_nil else int(p[P.DRAW_THEIR_GAIN])
            decisive = closing_bid(view, tricks, won, gain)
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    return nearest_bid(view.legal, min(tricks, view.rules.hand_size))


@jit
def nil_margin(view, quarters, p):
    """The log-odds of a nil above those it needs; `NO_NIL` with a sure trick or after the partner's nil."""
    spades = view.hand & SPADES_MASK
    if highest(spades) >= SPADE_QUEEN or popcount(spades) > int(p[P.NIL_SPADES]):
        return NO_NIL
    if view.partner >= 0 and view.bids[view.partner] == 0:
        return NO_NIL
    for suit in range(SPADES):
        ranks = (view.hand >> (13 * suit)) & SUIT_RANKS
        if (ranks >> ACE) & 1 and lowest(ranks) + RANK_NAMED_2 > int(p[P.NIL_ACE]):
            return NO_NIL
    lead = max(0, view.scores[view.side] - best_other_score(view))
    needed_odds = int(p[P.NIL_ODDS]) + int(p[P.NIL_PRICE]) * quarters + int(p[P.NIL_LEAD]) * lead // 100
    return nil_odds(view.hand) - needed_odds


@jit
def best_other_score(view):
    """The highest score that another side has."""
    best = NO_SCORE
    for side in range(view.rules.n_sides):
        if side != view.side:
            best = max(best, view.scores[side])
    return best


@jit
def nil_odds(hand):
    """The fitted log-odds, in thousandths, that a nil with this hand is made."""
    odds = NIL_BASE
    for suit in range(4):
        ranks = (hand >> (13 * suit)) & SUIT_RANKS
        place = 0
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            if suit == SPADES:
                odds += NIL_SPADE[min(place, LAST_SPADE_PLACE), rank]
            else:
                odds += NIL_SIDE[min(place, LAST_SIDE_PLACE), rank]
            place += 1
    return odds


# Playing: the modes in order of precedence


@jit
def play(view, p):
    """A card for the first mode that applies."""
    if view.n_players == 2:
        return play_of_two(view, p)
    if nil_stands(view, view.seat):
        return duck(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    unseen = unseen_cards(view)
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
        card = attack_nil(view, need, unseen, int(p[P.NIL_REACH]) - RANK_NAMED_2)
        if card != NONE:
            return card
    if need > 0 or wish == MORE or (wish != FEWER and can_set(view, left, int(p[P.SET_SLACK]))):
        return win(view, unseen, p)
    return duck(view) if p[P.BAGS] == ON else win(view, unseen, p)


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)


@jit
def play_of_two(view, p):
    """A card at a table of two, for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    unseen = cards_out(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    is_nil_out = opponent_nil_stands(view)
    wish = NO_AIM
    if (need <= 0 or is_nil_out) and looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        wish = aim(view, left, int(p[P.WIN_REACH]))
    is_in_danger = wish == MORE or (need > 0 and need >= left - int(p[P.DANGER]))
    if is_nil_out and (wish == BREAK_NIL or not is_in_danger):
        card = attack_nil(view, need, unseen, int(p[P.NIL_REACH]) - RANK_NAMED_2)
        if card != NONE:
            return card
    is_worth = 0 < need <= left or wish == MORE
    if is_worth and wish != MORE and p[P.DRAW_SURE] < 13:
        sure = sure_tricks(view.hand & SPADES_MASK, unseen & SPADES_MASK)
        if sure >= need + int(p[P.DRAW_SURE]) and left > sure:
            is_worth = False
    if is_worth or (wish != FEWER and can_set(view, left, int(p[P.DRAW_SET_SLACK]))):
        return fight(view, unseen, p[P.DRAW_LEAD_SPADE:])
    if p[P.BAGS] != ON:
        return fight(view, unseen, p[P.DRAW_LEAD_SPADE :])
    return shed(view, unseen) if p[P.DRAW_SHED] == ON else duck(view)
