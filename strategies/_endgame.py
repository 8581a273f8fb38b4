"""What the score asks for in a hand that may end the game: shared by the bots that look at it.

Everything is for tables of two sides; a nil that stands is taken as made. A bot puts `ENDGAME` into its table
of parameters and hands the numbers on as arguments.
"""

from spadesim.core.scoring import (
    bag_periods,
    contract_points,
    contract_tricks,
    ends_game,
    failed_nil_bags,
    nil_points,
    overtricks,
)
from spadesim.strategies._valuation import ON, count, switch
from spadesim.strategy import Parameter, jit
from spadesim.tactics import NONE, opponent_nil_stands

WIN, GOES_ON, LOSS = 1, 0, -1
NO_AIM, MORE, FEWER, BREAK_NIL = range(4)


ENDGAME = (
    switch("endgame", "both", "whether the score is looked at in a hand that may end the game"),
    Parameter(
        "endgame_from", 100, low=0, high=1000,
        meaning="points short of the target, or above the floor, from which the score is looked at",
    ),
    count("stretch", 2, 0, 13, "bid", "tricks above its worth that the last to bid bids rather than lose"),
    count("win_reach", 1, 0, 13, "play", "tricks above half of those left that it hopes for to win the game"),
)  # fmt: skip


# Scores after the hand


@jit
def final_score(view, side, contract, won, nils, nil_bags):
    """A side's score after the hand.

    Parameters
    ----------
    view : the seat's view
    side : int, 0 or 1
    contract, won : int, tricks bid, and tricks won that count for them
    nils : int, points of the side's nils
    nil_bags : int, bags that failed nils have brought
    """
    rules = view.rules
    bags = overtricks(contract, won) + nil_bags
    score = view.scores[side] + nils + contract_points(rules, contract, won) + rules.overtrick_value * bags
    if view.bags[side] + bags >= rules.bag_limit:
        score -= rules.bag_penalty * bag_periods(rules, view.bags[side], bags)
    return score


@jit
def result(view, ours, theirs):
    """What two final scores mean for the side whose is the first: `WIN`, `LOSS`, or the game `GOES_ON`."""
    rules = view.rules
    is_last_hand = 0 < rules.max_hands <= view.hand_no + 1
    if ours == theirs or not (is_last_hand or ends_game(rules, ours) or ends_game(rules, theirs)):
        return GOES_ON
    return WIN if ours > theirs else LOSS


@jit
def so_far(view, side):
    """A side's contract, the tricks that count for it, its nils' points, and the bags of failed ones."""
    contract = 0
    nils = 0
    nil_bags = 0
    seat = side
    while seat < view.n_players:
        contract += max(view.bids[seat], 0)
        nils += nil_points(view.rules, view.bids[seat], view.tricks[seat], view.blind[seat])
        nil_bags += failed_nil_bags(view.rules, view.bids[seat], view.tricks[seat])
        seat += view.rules.n_sides
    return contract, contract_tricks(view.rules, view.bids, view.tricks, side), nils, nil_bags


@jit
def is_close(view, near):
    """Whether a side is within `near` points of the target or the floor, or the hand is the last."""
    rules = view.rules
    if rules.n_sides != 2:
        return False
    high = max(view.scores[0], view.scores[1])
    low = min(view.scores[0], view.scores[1])
    is_last_hand = 0 < rules.max_hands <= view.hand_no + 1
    return high >= rules.target - near or low <= rules.floor + near or is_last_hand


@jit
def looks_at_score(view, endgame, near):
    """Whether the score counts: `endgame` is switched on, and the hand may end the game."""
    return endgame == ON and is_close(view, near)


@jit
def may_end(view, side, own):
    """Whether the bids can take a side to the target or the floor, where a bid to come is at most `own`."""
    rules = view.rules
    stake = 0
    seat = side
    while seat < view.n_players:
        bid = view.bids[seat]
        stake += rules.trick_value * (bid if bid >= 0 else own)
        if bid <= 0:
            stake += rules.nil_value
        seat += rules.n_sides
    up = view.scores[side] + stake + rules.overtrick_value * rules.hand_size
    down = view.scores[side] - stake - rules.bag_penalty
    return up >= rules.target or down <= rules.floor or rules.max_hands > 0


# Bidding


@jit
def last_bid(view, tricks, may_nil, stretch):
    """What the last to bid of two sides should bid because of the score, `NONE` when that does not decide.

    The fewest tricks that win the game, up to what the hand is worth. When the opponents' contract would win
    it for them, the fewest beyond that, or a nil, that win it for the own side if they are made.

    Parameters
    ----------
    view : the seat's view while bidding
    tricks : int, 1 or more, what the hand is good for
    may_nil : bool, whether a nil is good enough in need
    stretch : int, tricks that may be bid beyond `tricks` in need
    """
    for seat in range(view.n_players):
        if seat != view.seat and view.bids[seat] < 0:
            return NONE
    if not (may_end(view, 0, tricks + stretch) or may_end(view, 1, tricks + stretch)):
        return NONE
    other = 1 - view.side
    their_contract, _, their_nils, _ = so_far(view, other)
    contract, _, nils, _ = so_far(view, view.side)
    theirs = final_score(view, other, their_contract, their_contract, their_nils, 0)
    for tried in range(1, tricks + stretch + 1):
        ours = final_score(view, view.side, contract + tried, contract + max(tried, tricks), nils, 0)
        found = result(view, ours, theirs)
        if found == WIN:
            return tried
        if tried == tricks:
            if found != LOSS:
                return NONE
            nil = final_score(view, view.side, contract, contract, nils + view.rules.nil_value, 0)
            if may_nil and result(view, nil, theirs) == WIN:
                return 0
    return NONE


# Playing


@jit
def aim(view, left, reach):
    """What the score of two sides asks for: `MORE` tricks, `FEWER`, to `BREAK_NIL`, or nothing, `NO_AIM`.

    Parameters
    ----------
    view : the seat's view while playing
    left : int, tricks not yet decided
    reach : int, tricks above half of `left` that may be hoped for to win a game that else goes on
    """
    if not (may_end(view, 0, 0) or may_end(view, 1, 0)):
        return NO_AIM
    best, worst, fewest, most, is_nils = prospects(view, left)
    if is_nils and best != WIN:
        return BREAK_NIL
    if best == worst:
        return NO_AIM
    if fewest > 0:
        is_far = worst == GOES_ON and 2 * fewest > left + 2 * reach
        return NO_AIM if is_far else MORE
    return FEWER if most < left else NO_AIM


@jit
def prospects(view, left):
    """The best and the worst result there may be, and with how many of the tricks left the best comes about.

    Parameters
    ----------
    view : the seat's view while playing
    left : int, tricks not yet decided

    Returns
    -------
    best, worst : `WIN`, `GOES_ON` or `LOSS`
    fewest, most : int, tricks for the own side with which it is the best
    is_nils : bool, whether some loss would be none if an opponent's nil that stands were broken
    """
    contract, won, nils, nil_bags = so_far(view, view.side)
    their_contract, their_won, their_nils, their_nil_bags = so_far(view, 1 - view.side)
    price = view.rules.nil_value + view.rules.nil_penalty if opponent_nil_stands(view) else 0
    best = LOSS
    worst = WIN
    fewest = 0
    most = 0
    is_nils = False
    for more in range(left + 1):
        own = final_score(view, view.side, contract, won + more, nils, nil_bags)
        rest = their_won + left - more
        other = final_score(view, 1 - view.side, their_contract, rest, their_nils, their_nil_bags)
        found = result(view, own, other)
        worst = min(worst, found)
        if found > best or more == 0:
            best = found
            fewest = more
        if found == best:
            most = more
        if found == LOSS and result(view, own, other - price) != LOSS:
            is_nils = True
    return best, worst, fewest, most, is_nils
