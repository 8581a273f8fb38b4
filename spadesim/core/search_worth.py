"""What a finished hand is worth to a side: about its chance to win the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.position import end_hand
from spadesim.core.scoring import DRAW, GOES_ON

BAG, LUCK, FLOOR, BEHIND = range(4)  # of a scale


@jit
def worth(table: Any, side: Any, scale: Any) -> Any:
    """About the chance of a side to win after a finished hand, a smooth function of what is missing.

    Parameters
    ----------
    table : POSITION record, its hand over; it is scored
    side : int
    scale : float64 array of 4
        Points that a bag costs, points of luck in 100 points of a game, points of a game that are always
        left, and the standard errors behind the best at which a choice is dropped early.
    """
    result = end_hand(table)
    if result != GOES_ON:
        if result == DRAW:
            return 0.5
        return 1.0 if result == side else 0.0
    own = table.scores[side] - scale[BAG] * table.bags[side]
    other = -1e9
    for k in range(table.rules.n_sides):
        if k != side:
            other = max(other, table.scores[k] - scale[BAG] * table.bags[k])
    left = max(table.rules.target - max(own, other), 0.0) + scale[FLOOR]
    x = (own - other) / (scale[LUCK] * np.sqrt(left / 100.0))
    return 0.5 + 0.5 * x / np.sqrt(1.0 + x * x)
