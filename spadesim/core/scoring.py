"""What a hand is worth to a side, and when the game is over; each rule is a function of its own.

A side scores the points of its contract, its bags, its nils, a Boston and its bag penalties. A nil stands
alone: its bidder's partner plays for the contract. Bags are counted apart from the score, so a negative score
never changes them. At an individual table a side is one seat, and everything here holds for that seat.
"""

from typing import Any, NamedTuple

from spadesim.core._jit import jit
from spadesim.core.rules import BAGS, EXTRA_HAND_DECIDES, HELP, RESET, SET_BID, SET_SHORTFALL

GOES_ON = -1
DRAW = 9


class SideScore(NamedTuple):
    """One side's result of one hand, in points unless said otherwise; `side_total` adds them up.

    Parameters
    ----------
    contract : int
        Won or lost by the contract; 0 when the side bid none.
    over : int
        For bags, overtricks and tricks of failed nils together.
    nil : int
        Won less lost by nils.
    boston : int
        For winning every trick.
    penalty : int
        Lost to bag penalties, 0 or less.
    bags : int
        Bags that the hand brought, before a penalty takes any away.
    contract_bid : int
        Tricks that the side bid.
    is_set : int
        1 when the contract was not made, else 0.
    n_periods : int
        Bag penalties charged.
    is_boston : int
        1 when the side won every trick, else 0.
    """

    contract: int
    over: int
    nil: int
    boston: int
    penalty: int
    bags: int
    contract_bid: int
    is_set: int
    n_periods: int
    is_boston: int


@jit
def is_nil(rules: Any, bid: int) -> bool:
    """Whether a bid is a nil."""
    return bid == 0 and rules.nil_allowed == 1


@jit
def counted_tricks(rules: Any, bid: int, won: int) -> int:
    """Return how many of the tricks that one seat won count for its side's contract."""
    return won if rules.failed_nil_tricks == HELP or not is_nil(rules, bid) else 0


@jit
def contract_tricks(rules: Any, bids: Any, tricks: Any, side: int) -> int:
    """Return how many of a side's tricks count for its contract.

    A nil bidder's tricks do so only under `failed_nil_tricks=help`.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    bids, tricks : int64[:]
        By seat; only the side's seats are read.
    side : int
        0 up to `rules.n_sides` - 1.
    """
    total = 0
    seat = side
    while seat < rules.players:
        total += counted_tricks(rules, bids[seat], tricks[seat])
        seat += rules.n_sides
    return total


@jit
def failed_nil_bags(rules: Any, bid: int, won: int) -> int:
    """Return the bags that the tricks of one seat's nil are; 0 for any other bid."""
    return won if rules.failed_nil_tricks == BAGS and is_nil(rules, bid) else 0


@jit
def nil_points(rules: Any, bid: int, won: int, is_blind: int) -> int:
    """Return the points of one seat's nil, whatever its partner does; 0 for any other bid.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    bid, won : int
        What the seat bid and won.
    is_blind : int
        1 when the nil was declared before its bidder saw a card.
    """
    if not is_nil(rules, bid):
        return 0
    if is_blind == 1:
        blind_points: int = rules.blind_nil_value if won == 0 else -rules.blind_nil_penalty
        return blind_points
    points: int = rules.nil_value if won == 0 else -rules.nil_penalty
    return points


@jit
def contract_points(rules: Any, bid: int, won: int) -> int:
    """Return the points of a contract of `bid` tricks of which `won` were won; a contract of 0 is worth 0."""
    value: int = rules.trick_value
    if won >= bid:
        return value * bid
    if rules.set_mode == SET_BID:
        return -value * bid
    return value * (won - bid) if rules.set_mode == SET_SHORTFALL else 0


@jit
def overtricks(bid: int, won: int) -> int:
    """Return the tricks above a contract; a set side has none."""
    return max(won - bid, 0)


@jit
def bag_periods(rules: Any, bags_before: int, bags: int) -> int:
    """Return how many bag penalties a hand costs.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    bags_before : int
        The side's count before the hand.
    bags : int
        Bags that the hand brought.
    """
    if rules.bag_limit == 0:
        return 0
    periods: int = (bags_before + bags) // rules.bag_limit
    return min(periods, 1) if rules.bag_rollover == RESET else periods


@jit
def bags_after(rules: Any, bags_before: int, bags: int) -> int:
    """Return a side's bag count after a hand: what the penalties leave, or 0 after one that resets it."""
    periods = bag_periods(rules, bags_before, bags)
    if periods > 0 and rules.bag_rollover == RESET:
        return 0
    charged: int = periods * rules.bag_limit
    return bags_before + bags - charged


@jit
def score_side(rules: Any, bids: Any, tricks: Any, blind: Any, side: int, bags_before: int) -> SideScore:
    """Return what one hand brings a side.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    bids, tricks : int64[:]
        By seat, 0 to `rules.hand_size`; a bid of 0 is a nil. Only the side's seats are read.
    blind : int64[:]
        By seat, 1 for a nil declared before its bidder saw a card.
    side : int
        0 up to `rules.n_sides` - 1.
    bags_before : int
        The side's bag count before the hand.
    """
    bid = won = counted = nil = nil_bags = 0
    seat = side
    while seat < rules.players:
        bid += bids[seat]
        won += tricks[seat]
        counted += counted_tricks(rules, bids[seat], tricks[seat])
        nil += nil_points(rules, bids[seat], tricks[seat], blind[seat])
        nil_bags += failed_nil_bags(rules, bids[seat], tricks[seat])
        seat += rules.n_sides
    bags = overtricks(bid, counted) + nil_bags
    n_periods = bag_periods(rules, bags_before, bags)
    is_boston = 1 if won == rules.hand_size else 0
    return SideScore(
        contract_points(rules, bid, counted),
        rules.overtrick_value * bags,
        nil,
        rules.boston_bonus * is_boston,
        -rules.bag_penalty * n_periods,
        bags,
        bid,
        1 if counted < bid else 0,
        n_periods,
        is_boston,
    )


@jit
def side_total(score: SideScore) -> int:
    """Return the points that a hand adds to its side's score."""
    return score.contract + score.over + score.nil + score.boston + score.penalty


@jit
def ends_game(rules: Any, score: int) -> bool:
    """Whether a score has reached the target or fallen to the floor."""
    is_high: bool = score > rules.target or (score == rules.target and rules.target_inclusive == 1)
    is_low: bool = score < rules.floor or (score == rules.floor and rules.floor_inclusive == 1)
    return is_high or is_low


@jit
def end_reached(rules: Any, scores: Any) -> bool:
    """Whether a side has reached the target or fallen to the floor."""
    is_reached = False
    for side in range(rules.n_sides):
        is_reached |= ends_game(rules, scores[side])
    return is_reached


@jit
def sole_best(rules: Any, scores: Any) -> int:
    """Return the side with the highest score, -1 when several share it."""
    best = 0
    is_level = False
    for side in range(1, rules.n_sides):
        if scores[side] > scores[best]:
            best = side
            is_level = False
        elif scores[side] == scores[best]:
            is_level = True
    return -1 if is_level else best


@jit
def game_over(rules: Any, scores: Any, hands_played: int, in_tiebreak: int) -> int:
    """Return the winning side, `DRAW`, or `GOES_ON`.

    The highest score wins, even a negative one. Level best scores make one more hand; only `max_hands` ends a
    game in a draw.

    Parameters
    ----------
    rules : record
        From `Rules.record()`.
    scores : int64[:]
        By side, after the hand, its bag penalties taken.
    hands_played : int
        Hands of this game, the one just scored included.
    in_tiebreak : int
        1 when an earlier hand of this game had `end_reached` with level best scores, else 0.
    """
    best = sole_best(rules, scores)
    if rules.max_hands > 0 and hands_played >= rules.max_hands:
        return best if best >= 0 else DRAW
    is_decider = in_tiebreak and rules.tie == EXTRA_HAND_DECIDES
    if best >= 0 and (is_decider or end_reached(rules, scores)):
        return best
    return GOES_ON
