"""How hard plays at a table of two: it remembers, keeps what it needs, and looks at the score.

Its table of parameters begins with `FOR_TWO`, so that these numbers have known places in its `p`.
"""

from spadesim.core.cards import SPADES_MASK
from spadesim.core.view import cards_out
from spadesim.strategies._draw import (
    closing_bid,
    draw_dealt,
    draw_rounding,
    fitted_worth,
    keep_by_need,
    keep_simple,
    trick_percent,
    where_dealt,
    whole_bid,
)
from spadesim.strategies._draw_nil import BLIND, is_nil_known, keep_against_nil, keep_for_nil
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
from spadesim.strategies._valuation import ON, VALUATION, count, switch
from spadesim.strategy import Parameter, jit, parameters
from spadesim.tactics import (
    NONE,
    attack_nil,
    can_set,
    duck,
    nearest_bid,
    needed,
    nil_stands,
    opponent_nil_stands,
    sure_tricks,
    tricks_left,
)

RULE = 0  # of `draw_keep`
USUAL_BID = 5  # tricks
LEAD_CAP = 200  # points

FOR_TWO = (
    *VALUATION,
    *ENDGAME,
    Parameter(
        "draw_keep", "rule", choices=("rule", "simple"), used_by="keep",
        meaning="two players: keep by what the hand needs, or every spade, ace and king",
    ),
    count("draw_queen_from", 2, 0, 13, "keep", "two players: fewest cards of its suit for a queen to keep"),
    count("draw_queen_to", 3, 0, 13, "keep", "two players: most cards of its suit for a queen to keep"),
    count("draw_king_until", 9, 0, 13, "keep", "two players: own turns after which a lone king is passed up"),
    draw_dealt(290),
    draw_rounding(-1),
    trick_percent("draw_their_bid", 15, "less for each trick that the opponent has bid above five"),
    trick_percent("draw_lead", 15, "less for each 100 points ahead, up to 200, and as much more behind"),
    count("draw_after_nil", 8, 1, 13, "bid", "two players: fewest tricks bid against a nil"),
    Parameter(
        "draw_their_gain", 100, low=0, high=1000, used_by="bid",
        meaning="two players: points that the first to bid expects of the opponent at most in the last hand",
    ),
    *BLIND,
    *LEADS,
    count("draw_set_slack", 2, 0, 13, "play", "two players: as set_slack"),
    count("draw_sure", 1, 0, 13, "play", "two players: sure spades beyond its need that let it stop taking"),
    count("draw_sure_bags", 6, 0, 100, "play", "two players: bags from which its need in sure spades does"),
    switch("draw_bags", "play", "two players: whether tricks that nobody needs are lost on purpose"),
)  # fmt: skip
P = parameters(*FOR_TWO).index


# The draw


@jit
def keep_of_two(view, p):
    """Keep what the hand needs, what a double nil needs, or what hurts the opponent's."""
    if view.blind[view.seat] == 1:
        return keep_for_nil(view, int(p[P.DRAW_NIL_KEEP]))
    if view.blind[1 - view.seat] == 1:
        return keep_against_nil(view, int(p[P.DRAW_NIL_AGAINST]))
    if p[P.DRAW_KEEP] == RULE:
        queen_from, queen_to = int(p[P.DRAW_QUEEN_FROM]), int(p[P.DRAW_QUEEN_TO])
        return keep_by_need(view, queen_from, queen_to, int(p[P.DRAW_KING_UNTIL]))
    return keep_simple(view)


# Bidding


@jit
def bid_of_two(view, p):
    """The tricks that the hand promises, or what wins the game."""
    is_nil = is_nil_known(view)
    tricks = whole_bid(worth_of_two(view, p), int(p[P.DRAW_ROUNDING]))
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
def worth_of_two(view, p):
    """Percent of a trick that the hand promises in view of the opponent's bid, more when it is behind."""
    worth = fitted_worth(view) + where_dealt(view, int(p[P.DRAW_DEALT]))
    their_bid = view.bids[1 - view.seat]
    if their_bid > 0:
        worth -= int(p[P.DRAW_THEIR_BID]) * (their_bid - USUAL_BID)
    lead = view.scores[view.side] - view.scores[1 - view.side]
    return worth - int(p[P.DRAW_LEAD]) * min(max(lead, -LEAD_CAP), LEAD_CAP) // 100


# Playing


@jit
def play_of_two(view, p):
    """A card for the first mode that applies."""
    if nil_stands(view, view.seat):
        return duck(view)
    unseen = cards_out(view)
    need = needed(view, view.side)
    left = tricks_left(view)
    is_nil_out = opponent_nil_stands(view)
    wish = NO_AIM
    if (need <= 0 or is_nil_out) and looks_at_score(view, p[P.ENDGAME], int(p[P.ENDGAME_FROM])):
        wish = aim(view, left, int(p[P.WIN_REACH]))
    is_in_danger = wish == MORE or (need > 0 and need >= left)
    if is_nil_out and (wish == BREAK_NIL or not is_in_danger):
        card = attack_nil(view, need, unseen, 0)
        if card != NONE:
            return card
    sets = wish != FEWER and can_set(view, left, int(p[P.DRAW_SET_SLACK]))
    if wish == MORE or sets or lacks_tricks(view, unseen, need, p) or p[P.DRAW_BAGS] != ON:
        return fight(view, unseen, p[P.DRAW_LEAD_SPADE :])
    return shed(view, unseen)


@jit
def lacks_tricks(view, unseen, need, p):
    """Whether the contract can still be made, and is not safe with spades that nothing beats."""
    left = tricks_left(view)
    margin = 0 if view.bags[view.side] >= int(p[P.DRAW_SURE_BAGS]) else int(p[P.DRAW_SURE])
    sure = sure_tricks(view.hand & SPADES_MASK, unseen & SPADES_MASK)
    return 0 < need <= left and (sure < need + margin or left <= sure)
