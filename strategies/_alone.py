"""What changes at tables of three and four single players: shared by medium and hard.

Nobody has a partner there who makes up for a trick missing or covers a nil. At a table of three a hand has 17
cards: the same cards are worth more, and what the estimate says above or below the average counts for less.
"""

from spadesim.strategies._valuation import count
from spadesim.strategy import jit

THREE_PLAYERS = 3
USUAL_TRICKS = 13  # in a hand, where `table_high` and `table_low` are meant

ALONE = (
    count("three_percent", 80, 0, 200, "bid", "percent of the estimate that count at a table of three"),
    count("three_more", 8, 0, 52, "bid", "quarter tricks more at a table of three"),
)


@jit
def worth_here(view, quarters, three_percent, three_more):
    """The quarter tricks that a hand is worth at this table, from what it is worth at a table of four."""
    return quarters * three_percent // 100 + three_more if view.n_players == THREE_PLAYERS else quarters


@jit
def tricks_above_usual(view):
    """How many more tricks a hand has than where totals of bids are meant for."""
    return view.rules.hand_size - USUAL_TRICKS


@jit
def may_bid_nil(view):
    """Whether the rules let a seat bid nil, and the table is not one of three, where nils fail."""
    return view.legal & 1 and view.rules.nil_allowed and view.n_players != THREE_PLAYERS
