"""Bids like easy and plays any legal card, each with the same probability.

Bids: as easy.
Plays: a uniformly random legal card.
Origin: the usual yardstick for the speed of an engine and for the lowest rung of a ladder.
Weakness: everything but its bid.
"""

from spadesim.core.cards import lowest, popcount
from spadesim.core.view import uniform_below
from spadesim.strategies import easy
from spadesim.strategy import jit

MEMORY = False

EASY_DEFAULTS = easy.PARAMETERS.defaults


@jit
def bid(view, p):
    """As easy bids with its own defaults."""
    return easy.bid(view, EASY_DEFAULTS)


@jit
def keep(view, p):
    """The card offered or the next one, each with the same probability."""
    return uniform_below(view, 0, 2)


@jit
def blind(view, p):
    """No blind nil: bids are as easy's."""
    return 0


@jit
def exchange(view, p):
    """No cards."""
    return 0


@jit
def play(view, p):
    """Each legal card with the same probability."""
    cards = view.legal
    for _ in range(uniform_below(view, 0, popcount(cards))):
        cards &= cards - 1
    return lowest(cards)
