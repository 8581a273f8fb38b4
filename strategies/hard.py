"""Remembers every card, bids nil by its odds, attacks the opponents' nils, sets with two tricks to spare.

Bids: as medium, but nil wherever the fitted odds of making it are good enough, better ones when it is ahead,
    worse ones when only a nil may save the game. At a table of two by fitted tricks, with the discards it has
    seen, what the opponent kept and bid, and the score; a double nil only when it is losing.
Plays: as medium, knowing which cards are still out; against a nil it leads low and stays low as long as the
    bidder may be forced to win. At a table of two it keeps what its hand needs, leads trumps while it has
    more of them than the opponent may, else a singleton or a suit to be ruffed, and counts its own discards.
Origin: the hard level of Finnish app rules (Patalupaus), which remembers the cards that everybody has played;
    its nil odds are fitted by experiments/fit_nil.py, its other numbers by `spadesim tune`.
Weakness: leads without a plan, looks at the score only where a hand may end the game, and takes the same
    nils against anybody. At a table of two it discards, ruffs and takes by simple rules.
"""

from spadesim.core.cards import ACE, SPADES, SPADES_MASK, SUIT_RANKS, highest, lowest, popcount
from spadesim.core.view import unseen_cards
from spadesim.strategies._alone import ALONE, may_bid_nil, tricks_above_usual, worth_here
from spadesim.strategies._draw_hard import FOR_TWO, bid_of_two, keep_of_two, play_of_two
from spadesim.strategies._draw_nil import dangerous_cards, declares
from spadesim.strategies._endgame import (
    BREAK_NIL,
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
    after_nils,
    as_last,
    count,
    estimate,
    named_rank,
    quarter_tricks,
    switch,
    with_defaults,
)
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    RANK_NAMED_2,
    SPADE_ACE,
    attack_nil,
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
    take,
    tricks_left,
)


def _odds(name, default, meaning):
    meaning = f"log-odds of making it, in thousandths, {meaning}"
    return Parameter(name, default, low=-5000, high=5000, used_by="bid", meaning=meaning)


# Tuned values, here and in the table below: `hard:hard_before_2026.toml` has those before.
WORTH = with_defaults(
    FOR_TWO, spade_honour=11, spade_half_guarded=3, ace_length=6, ace_fade=2, king_least=2, king_backed=0,
    queen_to=5, queen_backed=0,
)  # fmt: skip
PARAMETERS = parameters(
    *WORTH,
    quarter_tricks("rounding", 0, "added before the sum is rounded down to whole tricks"),
    quarter_tricks("partner_nil", 0, "less after the partner's nil"),
    quarter_tricks("opponent_nil", 1, "more after an opponent's nil"),
    count("table_high", 12, 0, 26, "bid", "highest total of bids that the last to bid leaves alone"),
    count("table_low", 10, 0, 26, "bid", "highest total of bids that the last to bid pulls up"),
    count("table_step", 1, 0, 3, "bid", "tricks by which the last to bid moves"),
    count("nil_spades", 4, 0, 13, "bid", "most spades for a nil"),
    named_rank("nil_ace", 9, "bid", "highest rank of the lowest card beside a side ace for a nil"),
    _odds("nil_odds", -197, "that a nil needs"),
    _odds("nil_price", 68, "more that it needs for each quarter trick of the hand"),
    _odds("nil_lead", 321, "more that it needs for each 100 points that the side is ahead"),
    _odds("nil_need", 2500, "less that it needs when nothing else may save the game"),
    named_rank(
        "nil_reach", 13, "play", "highest card on the table that an opponent's nil may be forced over"
    ),
    named_rank("third_seat", 11, "play", "lowest card with which the third hand takes an opponent's trick"),
    named_rank("keep_from", 14, "play", "lowest card that is kept when a low card is led"),
    count("danger", 0, 0, 13, "play", "tricks to spare at which the own contract comes before a nil"),
    count("set_slack", 2, 0, 13, "play", "most tricks to spare with which the opponents are still attacked"),
    switch("cover", "play", "whether the partner's nil is protected"),
    switch("bags", "play", "whether tricks that nobody needs are lost on purpose"),
    *ALONE,
    _odds("nil_alone", 1200, "more that it needs where no partner covers it"),
)
P = PARAMETERS.index

SPADE_QUEEN = SPADE_ACE - 2
LAST_SIDE_PLACE = NIL_SIDE.shape[0] - 1
LAST_SPADE_PLACE = NIL_SPADE.shape[0] - 1
NO_SCORE = NO_NIL = -(10**9)


# The draw of two players


@jit
def keep(view, p):
    """Keep what the hand needs."""
    return keep_of_two(view, p)


@jit
def blind(view, p):
    """A double nil where little else can save the game."""
    reach, deficit, safe = int(p[P.DRAW_BLIND_REACH]), int(p[P.DRAW_BLIND_DEFICIT]), int(p[P.DRAW_AFTER_NIL])
    return declares(view, int(p[P.DRAW_BLIND]), reach, deficit, safe)


@jit
def exchange(view, p):
    """The cards that endanger the double nil most."""
    spade, cover, least = int(p[P.DRAW_NIL_SPADE]), int(p[P.DRAW_NIL_COVER]), int(p[P.DRAW_NIL_DANGER])
    return dangerous_cards(view.hand, view.rules.blind_nil_exchange, spade, cover, least)


# Bidding


@jit
def bid(view, p):
    """The estimate in whole tricks as the other bids correct it, or a nil."""
    if view.n_players == 2:
        return bid_of_two(view, p)
    quarters = worth_here(view, estimate(view.hand, p), int(p[P.THREE_PERCENT]), int(p[P.THREE_MORE]))
    margin = nil_margin(view, quarters, p) if may_bid_nil(view) else NO_NIL
    change = after_nils(view, int(p[P.PARTNER_NIL]), int(p[P.OPPONENT_NIL]))
    tricks = max(1, (quarters + change + int(p[P.ROUNDING])) // 4)
    over = tricks_above_usual(view)
    tricks = as_last(
        view, tricks, int(p[P.TABLE_HIGH]) + over, int(p[P.TABLE_LOW]) + over, int(p[P.TABLE_STEP])
    )
    if looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        decisive = last_bid(view, tricks, margin >= -int(p[P.NIL_NEED]), int(p[P.STRETCH]))
        if decisive != NONE:
            return nearest_bid(view.legal, decisive)
    if margin >= 0:
        return 0
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
    if view.partner < 0:
        needed_odds += int(p[P.NIL_ALONE])
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
    return duck(view) if p[P.BAGS] == ON and bags_cost(view) else win(view, unseen, p)


@jit
def win(view, unseen, p):
    """A card to take the trick, or to lose it cheaply."""
    third_rank = int(p[P.THIRD_SEAT]) - RANK_NAMED_2
    return take(view, unseen, third_rank, int(p[P.KEEP_FROM]) - RANK_NAMED_2)
