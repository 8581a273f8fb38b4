"""Which choices a bot that looks ahead tries."""

import numpy as np

from spadesim.core.cards import lowest, popcount, suit_mask
from spadesim.strategy import jit


@jit
def distinct(view):
    """The legal cards, one of each run whose cards in between are the seat's own or gone, as a mask."""
    gone = view.played
    for seat in range(view.n_players):
        if view.trick[seat] >= 0:
            gone &= ~(np.int64(1) << view.trick[seat])
    chosen = np.int64(0)
    for suit in range(4):
        cards = view.legal & suit_mask(suit)
        last = -1
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            between = (
                ((np.int64(1) << card) - 1) & ~((np.int64(2) << last) - 1) if last >= 0 else np.int64(-1)
            )
            if between & ~gone:
                chosen |= np.int64(1) << card
            last = card
    return chosen


@jit
def listed(chosen):
    """The bits of a mask, lowest first, as an array."""
    found = np.zeros(popcount(chosen), dtype=np.int64)
    for k in range(found.size):
        found[k] = lowest(chosen)
        chosen &= chosen - 1
    return found
