"""What the bidders of public projects share: where they sit, when no nil is bid, and their play.

Each of them bids as its project describes it and plays as medium does, so that whatever one of them wins or
loses against another is won or lost by bidding.
"""

from spadesim.core.cards import SUIT_RANKS, lowest, popcount
from spadesim.strategies import medium
from spadesim.strategy import jit
from spadesim.tactics import SPADE_ACE, nearest_bid

MEDIUM_DEFAULTS = medium.PARAMETERS.defaults
NOT_YET = -1
TEN, JACK, QUEEN, KING, ACE = 8, 9, 10, 11, 12


@jit
def play_on(view):
    """The card that medium plays."""
    return medium.play(view, MEDIUM_DEFAULTS)


@jit
def bid_near(view, tricks):
    """A bid that is allowed, at least 1, as near to `tricks` as may be."""
    return nearest_bid(view.legal, min(max(tricks, 1), view.rules.hand_size))


@jit
def may_nil(view):
    """Whether a nil is allowed, the ace of spades is not held, and the partner has bid none."""
    has_ace = (view.hand >> SPADE_ACE) & 1
    return view.rules.nil_allowed and view.legal & 1 and not has_ace and partners_bid(view) != 0


@jit
def partners_bid(view):
    """What the partner has bid, -1 where it has not or there is none."""
    return view.bids[view.partner] if view.partner >= 0 else NOT_YET


@jit
def n_bids(view):
    """How many seats have bid."""
    n = 0
    for seat in range(view.n_players):
        n += view.bids[seat] != NOT_YET
    return n


@jit
def is_last(view):
    """Whether all others have bid."""
    return n_bids(view) == view.n_players - 1


@jit
def table_so_far(view):
    """The total of the bids that are known, a nil as 0."""
    total = 0
    for seat in range(view.n_players):
        total += max(view.bids[seat], 0)
    return total


@jit
def ranks_of(hand, suit):
    """The ranks held in a suit, bit 0 for the two and bit 12 for the ace."""
    return (hand >> (13 * suit)) & SUIT_RANKS


@jit
def has(ranks, rank):
    """Whether a rank is among ranks."""
    return (ranks >> rank) & 1 == 1


@jit
def missing_above(ranks, rank):
    """How many ranks above one are not among ranks."""
    return ACE - rank - popcount(ranks >> (rank + 1))


@jit
def without_lowest(ranks, n):
    """The ranks without their `n` lowest."""
    for _ in range(n):
        ranks &= ranks - 1
    return ranks


@jit
def rank_sum(ranks):
    """The sum of the ranks by their names, 2 to 14 for the ace."""
    total = 0
    while ranks:
        total += lowest(ranks) + 2
        ranks &= ranks - 1
    return total
