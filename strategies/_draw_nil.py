"""The double nil of a two-player draw table: when to declare it, what to keep for it, what to exchange."""

from spadesim.core.cards import below, lowest, popcount, rank_of, suit_mask, suit_of
from spadesim.core.rules import DEAL_DRAW
from spadesim.strategies._draw import SPADE_TWO, keep_if, keep_simple
from spadesim.strategies._endgame import WIN, final_score, result
from spadesim.strategies._valuation import count, named_rank
from spadesim.strategy import Parameter, jit
from spadesim.tactics import RANK_NAMED_2

NEVER, BEHIND, ALWAYS = range(3)


def points(name, default, meaning):
    """A parameter in points, 0 to 1000, of the double nil."""
    return Parameter(name, default, low=0, high=1000, used_by="blind", meaning=f"two players: {meaning}")


BLIND = (
    Parameter(
        "draw_blind", "behind", choices=("never", "behind", "always"), used_by="blind",
        meaning="two players: when a double nil is declared; behind: when little else can save the game",
    ),
    points("draw_blind_reach", 50, "points short of the target at which the opponent is about to win"),
    points("draw_blind_deficit", 100, "fewest points behind for a double nil"),
    named_rank("draw_nil_keep", 8, "keep", "two players: highest side card kept for a double nil"),
    named_rank("draw_nil_against", 4, "keep", "two players: highest card kept against a double nil"),
    count(
        "draw_nil_spade", 4, 0, 13, "exchange",
        "two players: ranks by which a spade endangers a double nil more than a side card",
    ),
    Parameter(
        "draw_nil_cover", 25, low=0, high=130, used_by="exchange",
        meaning="two players: tenths of a rank less danger for each lower card of a side card's suit",
    ),
    named_rank("draw_nil_danger", 7, "exchange", "two players: lowest danger for which a card is exchanged"),
)  # fmt: skip


@jit
def declares(view, when, reach, deficit, safe):
    """Whether to declare a double nil, as an answer.

    Parameters
    ----------
    view : the seat's view before it has seen a card
    when : `NEVER`, `BEHIND` or `ALWAYS`
    reach, deficit : the points of `BLIND`
    safe : int, tricks that the opponent may safely bid against it
    """
    if view.rules.deal != DEAL_DRAW or when == NEVER:
        return 0
    if when == ALWAYS:
        return 1
    theirs = view.scores[1 - view.side]
    behind = theirs - view.scores[view.side]
    if theirs + reach < view.rules.target or behind < deficit:
        return 0
    return 0 if is_nil_in_vain(view, safe) else 1


@jit
def is_nil_in_vain(view, safe):
    """Whether some bid, up to `safe`, wins the game for the opponent even against a double nil that is made.

    All tricks are the opponent's then, so those that it does not bid are bags, and may cost it a penalty.
    """
    rules = view.rules
    ours = view.scores[view.side] + rules.blind_nil_value
    for tried in range(1, safe + 1):
        theirs = final_score(view, 1 - view.side, tried, rules.hand_size, 0, 0)
        if result(view, theirs, ours) == WIN:
            return True
    return False


@jit
def is_nil_known(view):
    """Whether the opponent has bid a nil, or has declared one."""
    opponent = 1 - view.seat
    return view.blind[opponent] == 1 or (view.bids[opponent] == 0 and view.rules.nil_allowed == 1)


@jit
def keep_against_nil(view, highest_rank):
    """Keep low cards, under which a nil cannot stay, and those that win tricks anyway."""
    return keep_if(rank_of(view.offered) <= highest_rank - RANK_NAMED_2) | keep_simple(view)


@jit
def keep_for_nil(view, highest_rank):
    """Keep side cards up to a rank."""
    return keep_if(view.offered < SPADE_TWO and rank_of(view.offered) <= highest_rank - RANK_NAMED_2)


@jit
def dangerous_cards(hand, most, spade, cover, least):
    """The cards that endanger a nil most, as a mask.

    Parameters
    ----------
    hand : mask
    most : int, how many at most
    spade, cover, least : the numbers of `BLIND` for the exchange
    """
    given = 0
    for _ in range(most):
        worst = -1
        worst_danger = 10 * (least - RANK_NAMED_2) - 1
        rest = hand & ~given
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            danger = 10 * rank_of(card)
            if card >= SPADE_TWO:
                danger += 10 * spade
            else:
                danger -= cover * popcount(hand & ~given & suit_mask(suit_of(card)) & below(card))
            if danger > worst_danger:
                worst_danger = danger
                worst = card
        if worst >= 0:
            given |= 1 << worst
    return given
