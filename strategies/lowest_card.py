"""Bids like easy and always plays its lowest legal card.

Bids: as easy.
Plays: the lowest legal card: side suits before spades, then by rank, then clubs, diamonds, hearts.
Origin: the easy level of a public engine specification (Pata), with easy's count instead of its own.
Weakness: wins only the tricks that nobody else wants, so it is set most of the time.
"""

from spadesim.core.view import KEEP
from spadesim.strategies import easy
from spadesim.strategy import jit
from spadesim.tactics import lowest_card

MEMORY = False
EASY_DEFAULTS = easy.PARAMETERS.defaults


@jit
def bid(view, p):
    """As easy bids with its own defaults."""
    return easy.bid(view, EASY_DEFAULTS)


@jit
def keep(view, p):
    """Always the card offered."""
    return KEEP


@jit
def blind(view, p):
    """No blind nil."""
    return 0


@jit
def exchange(view, p):
    """No cards."""
    return 0


@jit
def play(view, p):
    """The lowest legal card."""
    return lowest_card(view.legal)
