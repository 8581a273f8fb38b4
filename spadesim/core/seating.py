"""Who sits where: the rooms in which two bots, or two pairs of them, meet in equal company.

A *role* is one bot of a line-up: 0 and 1 are A's, 2 and 3 are B's. With partners, role 0 sits at A's lower
seat and role 1 at the higher one; at a table of single players A is role 0 and B role 2 wherever they sit.
Over the rooms of a seating every bot sits at every seat equally often, and meets the other one as often as
it is met.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spadesim.core._jit import jit

MAX_ROOMS = 6
PARTNERS, TWO, THREE, FOUR = range(4)

_ROOMS = (
    ("0213", "2031"),  # A's pair at seats 0 and 2, then at 1 and 3
    ("AB", "BA"),
    ("ABB", "BAB", "BBA", "BAA", "ABA", "AAB"),
    ("AABB", "ABAB", "ABBA", "BBAA", "BABA", "BAAB"),
)
N_ROOMS = tuple(len(rooms) for rooms in _ROOMS)


def _roles() -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
    table = np.zeros((len(_ROOMS), MAX_ROOMS, 4), dtype=np.int64)
    for kind, rooms in enumerate(_ROOMS):
        for room, line in enumerate(rooms):
            roles = line.translate(str.maketrans("AB", "02"))
            table[kind, room, : len(roles)] = [int(role) for role in roles]
    return table


ROLES = _roles()


def seating(players: int, has_partners: bool) -> int:
    """The kind of seating for a table, an index into `ROLES` and `N_ROOMS`."""
    return PARTNERS if has_partners else {2: TWO, 3: THREE, 4: FOUR}[players]


@jit
def next_seat(position: Any, seat: Any) -> Any:
    """The seat that acts after `seat`, clockwise."""
    return seat + 1 if seat + 1 < position.n_players else 0


@jit
def side_at(position: Any, seat: Any) -> Any:
    """The side that a seat plays for."""
    return seat & 1 if position.rules.n_sides == 2 else seat


@jit
def seat_line_up(rules: Any, room: Any, roles: Any) -> Any:
    """Write the role that sits at each seat of a room.

    Parameters
    ----------
    rules : record, from `Rules.record()`
    room : int, 0 to `rules.n_rooms` - 1
    roles : int64 array of 4, by seat
    """
    for seat in range(4):
        roles[seat] = ROLES[rules.seating, room, seat]
