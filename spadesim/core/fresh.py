"""Deals that nobody has played: the cards of many boards at once, as the engine deals them.

Deal number k of a seed is the first hand of game k, and board k from a score of nothing.

>>> from spadesim.core.rules import Rules
>>> cards, dealers = fresh_deals(Rules(), seed=1, first=0, count=3)
>>> cards.shape, dealers.shape
((3, 4), (3,))
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, compile_safely, jit
from spadesim.core.position import POSITION, deal, new_position, start_game
from spadesim.core.rules import Rules

_SIGNATURE = types.void(
    types.Array(numba.from_dtype(POSITION), 1, "C"),
    types.int64,
    types.int64,
    types.Array(types.int64, 2, "C"),
    types.Array(types.int8, 1, "C"),
)


def fresh_deals(
    rules: Rules, seed: int, first: int, count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """The hands of some deals, and who deals.

    Parameters
    ----------
    rules : Rules
        Under which cards are dealt, and not drawn one by one.
    seed, first, count : int
        Which deals: the seed, the number of the first one, and how many.

    Returns
    -------
    int64 array of shape (count, seats)
        Masks of cards.
    int8 array of shape (count,)
        The dealer's seat.
    """
    dealing: Any = deal_many
    if COMPILED and not dealing.signatures:
        compile_safely(lambda: dealing.compile(_SIGNATURE))
    positions = np.zeros(1, dtype=POSITION)
    positions[0] = new_position(rules)
    cards = np.empty((count, rules.players), dtype=np.int64)
    dealers = np.empty(count, dtype=np.int8)
    deal_many(positions, seed, first, cards, dealers)
    return cards, dealers


@jit
def deal_many(positions: Any, seed: Any, first: Any, cards: Any, dealers: Any) -> Any:
    """Deal the boards from number `first` on into the rows of `cards` and `dealers`."""
    position = positions[0]
    for k in range(len(dealers)):
        start_game(position, seed, first + k)
        deal(position)
        dealers[k] = position.dealer
        for seat in range(position.n_players):
            cards[k, seat] = position.dealt[seat]
