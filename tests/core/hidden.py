"""Tables at every decision of random hands, and what their seats see when all that is hidden changes."""

from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.cards import popcount
from spadesim.core.position import (
    POSITION,
    advance,
    apply,
    end_hand,
    fill_view,
    new_position,
    start_game,
    start_hand,
)
from spadesim.core.redeal import hide_again, redeal
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, EXCHANGING, HAND_OVER, VIEW, uniform_below
from tests.core.bots import one_of, random_exchange

NOTHING = np.zeros(1)
Tables = Any  # arrays of POSITION records


@jit
def any_choice(position: Any, view: Any) -> Any:
    """Return any legal choice; nils, blind ones too, are frequent, and exchanges are of 0 to 3 cards."""
    if position.phase == EXCHANGING:
        return random_exchange(view, NOTHING)
    n = popcount(position.legal)
    return one_of(position.legal, uniform_below(view, 0, n if position.phase != BIDDING else min(n, 5)))


@jit
def walk(tables: Any, seed: Any, positions: Any, views: Any, lasting: Any) -> None:
    """Write the table, a fresh view and a lasting one at every decision of random hands."""
    position, at, index = tables[0], 0, 0
    while True:
        start_game(position, seed, index)
        for _ in range(2):
            start_hand(position)
            while advance(position) != HAND_OVER:
                if at == positions.size:
                    return
                fill_view(position, position.turn, views[at])
                if at > 0:
                    lasting[at] = lasting[at - 1]
                fill_view(position, position.turn, lasting[at])
                positions[at] = position
                apply(position, any_choice(position, views[at]))
                at += 1
            end_hand(position)
        index += 1


@jit
def redeal_all(positions: Any, views: Any, others: Any, again: Any) -> None:
    """Write every table with all that its seat in turn cannot see dealt anew, and what the seat then sees."""
    hands = np.zeros(4, dtype=np.int64)
    for k in range(views.size):
        others[k] = positions[k]
        redeal(views[k], 99, k, hands)
        hide_again(others[k], positions[k].turn, hands, 99, k)
        fill_view(others[k], positions[k].turn, again[k])


def moments(table: str, seed: int, n: int) -> tuple[Tables, Any]:
    """Return the tables and views at the first decisions of random hands."""
    positions, views, _ = moments_twice_seen(table, seed, n)
    return positions, views


def moments_twice_seen(table: str, seed: int, n: int) -> tuple[Tables, Any, Any]:
    """Return the tables, fresh views, and one view as it is brought up to date from seat to seat."""
    tables, positions = np.zeros(1, POSITION), np.zeros(n, POSITION)
    views, lasting = np.zeros(n, VIEW), np.zeros(n, VIEW)
    tables[0] = new_position(Rules.parse(table))
    walk(tables, seed, positions, views, lasting)
    return positions, views, lasting
