"""Who sits where: every bot at every seat equally often, in balanced company."""

from collections import Counter

import numpy as np
import pytest

from spadesim.core.rules import PRESETS, Rules
from spadesim.core.seating import N_ROOMS, ROLES, seat_line_up, seating

TABLES = {
    "pata": ["0213", "2031"],
    "draw300": ["02", "20"],
    "cutthroat3": ["022", "202", "220", "200", "020", "002"],
    "bicycle": ["0022", "0202", "0220", "2200", "2020", "2002"],
}


def rooms_of(rules: Rules) -> list[list[int]]:
    """Return the roles by seat, room by room, as the engine seats them."""
    record, roles, rooms = rules.record(), np.full(4, -1, dtype=np.int64), []
    for room in range(int(record.n_rooms)):
        seat_line_up(record, room, roles)
        assert min(roles) >= 0
        rooms.append([int(role) for role in roles[: rules.players]])
    return rooms


@pytest.mark.parametrize("name", PRESETS)
def test_the_rooms_of_a_table(name: str) -> None:
    kind = name if name in TABLES else "draw300" if name == "draw500" else "pata"
    assert rooms_of(PRESETS[name]) == [[int(role) for role in room] for room in TABLES[kind]]


@pytest.mark.parametrize("name", TABLES)
def test_both_bots_sit_at_every_seat_equally_often(name: str) -> None:
    rooms = rooms_of(PRESETS[name])
    for at_seat in zip(*rooms, strict=True):
        assert sum(role < 2 for role in at_seat) * 2 == len(rooms)


@pytest.mark.parametrize("name", TABLES)
def test_to_every_room_there_is_one_with_the_bots_changed_over(name: str) -> None:
    rooms = [tuple(role >> 1 for role in room) for room in rooms_of(PRESETS[name])]
    assert Counter(rooms) == Counter(tuple(1 - owner for owner in room) for room in rooms)


@pytest.mark.parametrize("name", ["draw300", "cutthroat3", "bicycle"])
def test_each_bot_has_the_other_to_its_left_as_often_as_the_other_way_round(name: str) -> None:
    rooms = rooms_of(PRESETS[name])
    pairs = Counter(
        (room[seat], room[(seat + step) % len(room)])
        for room in rooms
        for seat in range(len(room))
        for step in range(1, len(room))
    )
    assert pairs[0, 2] == pairs[2, 0]
    assert pairs[0, 0] == pairs[2, 2]


def test_a_side_with_partners_keeps_its_higher_seat_higher() -> None:
    for room in rooms_of(Rules()):
        assert room.index(0) < room.index(1)
        assert room.index(2) < room.index(3)
        assert room.index(0) % 2 == room.index(1) % 2


def test_kinds_of_seating() -> None:
    kinds = [seating(4, True), seating(2, False), seating(3, False), seating(4, False)]
    assert kinds == [0, 1, 2, 3]
    assert N_ROOMS == (2, 2, 6, 6)
    assert ROLES.shape == (4, 6, 4)
