"""The memory of the solver: one record of fixed size, and a table of positions that the caller chooses.

Nothing is allocated while a position is solved. `new_work` and `new_table` make the memory, which may be used
for any number of positions, one after the other; every thread needs its own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core.cards import N_CARDS
from spadesim.core.rules import RULES

PLIES = N_CARDS + 1
N_TRICKS = 13
MAX_STANDINGS = (N_TRICKS + 1) ** 4  # how many tricks each seat has won since the root
MAX_WORTHS = 640  # different values that a hand may end with: 560 ways to share 13 tricks among four seats
MAX_AIMS = 1 << 14
AIM_SLOTS = 2 * MAX_AIMS
ENTRY = 4  # numbers in one entry of the table of positions
WAYS = 64  # entries with one hash

WORK = np.dtype((np.record, [
    ("rules", RULES),
    # The position to solve: the root.
    ("seat", np.int64),  # to play
    ("n_in_trick", np.int64),  # cards on the table, 0-3
    ("led", np.int64),  # suit led, -1 for none
    ("best", np.int64),  # card that is winning the trick, -1 for none
    ("best_seat", np.int64),
    ("is_ranked", np.int64),  # 1 when another card on the table is of the winning card's suit
    ("broken", np.int64),
    ("on_table", np.int64),  # the cards of the trick, as a mask
    ("standing", np.int64),  # number of the tricks won since the lattice was laid out
    ("n_left", np.int64),  # tricks left, this one included
    ("hands", np.int64, (4,)),
    # What the hand may end with, and what side 0 aims at.
    ("depth", np.int64),  # tricks left at the standing 0
    ("steps", np.int64, (4,)),  # what a trick adds to the standing, by the seat that wins it
    ("limits", np.int64, (4,)),  # by counter, `depth`, or 0 where it is not needed
    ("counters", np.int64, (4,)),  # what a trick of each counter adds to the standing
    ("n_worths", np.int64),
    ("worths", np.int64, (MAX_WORTHS,)),  # the values that the hand may end with, from low to high
    ("ends", np.int64, (MAX_STANDINGS,)),  # by standing after the last trick, its value
    ("target", np.int64),  # the value that side 0 is to reach
    ("aims", np.int64, (MAX_STANDINGS,)),  # by standing, the aim for that target
    ("n_aims", np.int64),
    ("aim_left", np.int64, (MAX_AIMS,)),  # tricks left
    ("aim_next", np.int64, (MAX_AIMS, 4)),  # the aim after a trick, by the seat that wins it
    ("aim_kind", np.int64, (MAX_AIMS,)),  # 0, 1: so many tricks of that side; else the aim itself
    ("aim_need", np.int64, (MAX_AIMS,)),  # how many tricks
    ("aim_weight", np.int64, (MAX_AIMS,)),  # share of the ways to go on that reach the target
    ("n_slots", np.int64),  # a power of 2; the aims take half as many at most
    ("aim_slots", np.int64, (AIM_SLOTS,)),
    # Cards by their order among those in play.
    ("patterns", np.int64, (4, 8192)),  # by suit and cards in play, the owners from the highest card down
    ("sure", np.int64, (8192,)),  # by spades in play, what each seat is sure to win with them
    # The search.
    ("n_nodes", np.int64),  # cards played so far
    ("most_nodes", np.int64),
    ("best_first", np.int64),  # the card at the root that has settled the last question for its side
    ("history", np.int64, (4, N_CARDS)),  # how often a card has settled a position
    ("p_seat", np.int64, (PLIES,)),
    ("p_led", np.int64, (PLIES,)),
    ("p_best", np.int64, (PLIES,)),
    ("p_best_seat", np.int64, (PLIES,)),
    ("p_ranked", np.int64, (PLIES,)),
    ("p_broken", np.int64, (PLIES,)),
    ("p_standing", np.int64, (PLIES,)),
    ("p_aim", np.int64, (PLIES,)),
    ("p_shape", np.int64, (PLIES,)),  # length of each suit but clubs in each hand
    ("p_in_play", np.int64, (PLIES,)),  # cards left at the beginning of the trick
    ("p_ranks", np.int64, (PLIES,)),  # cards whose rank has mattered
    ("p_n_moves", np.int64, (PLIES,)),
    ("p_n_tried", np.int64, (PLIES,)),
    ("p_move", np.int64, (PLIES,)),
    ("moves", np.int64, (PLIES, N_TRICKS)),
    ("merits", np.int64, (N_TRICKS,)),
    ("gains", np.int64, (4,)),  # by seat, what it is worth to the mover that it wins the trick, 0-256
    ("hint", np.int64),  # the card that settled the same or a similar position, -1 for none
    ("keys", np.int64, (PLIES, 3)),  # of a trick's beginning: its key and its two words of owners
    ("outcome_ranks", np.int64),  # the cards whose rank has mattered for the outcome that comes back
]))  # fmt: skip


def new_work() -> Any:
    """The memory for one search at a time, some 2 MB."""
    return np.zeros(1, dtype=WORK)[0]


def new_table(bits: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A table of 2**bits groups of 64 positions, 2 kB each.

    Parameters
    ----------
    bits : int, 2 to 20
        4 is right for endings of five tricks, 13 (16 MB) for whole hands.
    """
    return np.zeros((1 << bits) * WAYS * ENTRY, dtype=np.int64)
