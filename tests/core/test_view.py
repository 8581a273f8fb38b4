"""What a seat sees: all that is public, its own cards, and nothing else, however the view was filled."""

from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.position import POSITION
from spadesim.core.rules import Rules
from spadesim.core.view import HAND, KEEPING, NOT_YET, TABLE, VIEW, new_view
from tests.core.table import (
    ALONE,
    BLIND,
    DRAW300,
    DRAW500,
    THREE,
    TWO,
    decisions,
    engine,
    fresh_view,
    new_table,
    random_moment,
)

TABLES = pytest.mark.parametrize(
    "rules",
    [Rules(), ALONE, THREE, TWO, BLIND, DRAW300, DRAW500],
    ids=["four", "alone", "three", "two", "blind", "draw300", "draw500"],
)
PUBLIC = {str(name) for name, *_ in (*TABLE, *HAND)}
MOMENTS = [(seed, stop) for seed in range(4 if COMPILED else 1) for stop in (0, 1, 2, 5, 13, 30, 46, 70)]


def scramble(position: Any, seat: int, random: np.random.Generator) -> None:
    """Overwrite all that a seat may not know: other hands, the seed, the number of the board, the rest."""
    kept = {
        "serial": position.serial,
        "turn": position.turn,
        "legal": position.legal,
        "rng_keys": position.rng_keys[seat],
        "hands": position.hands[seat],
        "discards": position.discards[seat],
    }
    top = 2 * int(position.n_drawn)
    offered = int(position.deck[top])
    for name in POSITION.names or ():
        if name not in PUBLIC:
            position[name] = random.integers(0, 2**40, position[name].shape)
    for name, value in kept.items():
        if name in ("rng_keys", "hands", "discards"):
            position[name][seat] = value
        else:
            position[name] = value
    if seat == position.turn and position.phase == KEEPING:
        position.deck[top] = offered
    if seat != position.turn:
        position.legal = random.integers(2**40)


@TABLES
def test_nothing_hidden_reaches_a_view(rules: Rules) -> None:
    """Byte for byte the same view with other cards in the other hands, another seed, another board."""
    random = np.random.default_rng(1)
    for seed, stop in MOMENTS:
        position = random_moment(rules, seed, stop)
        for seat in range(rules.players):
            expected = fresh_view(position, seat).tobytes()
            for _ in range(3):
                other = position.copy()
                scramble(other, seat, random)
                assert fresh_view(other, seat).tobytes() == expected


@TABLES
def test_everything_public_reaches_a_view(rules: Rules) -> None:
    """Field by field as it stands at the table; history, leaders and winners as far as they go."""
    for seed, stop in MOMENTS:
        position = random_moment(rules, seed, stop)
        n_filled = {
            "history": int(position.n_history),
            "leaders": int(position.trick_no) + 1,
            "winners": int(position.trick_no),
        }
        for seat in range(rules.players):
            view = fresh_view(position, seat)
            for name in PUBLIC:
                seen, true = view[name], position[name]
                if name in n_filled:
                    seen, true = seen[: n_filled[name]], true[: n_filled[name]]
                assert np.array_equal(seen, true), name


def test_a_view_has_no_field_for_what_is_hidden() -> None:
    """The seed, the number of the board, the room and the bots' names cannot be put into one."""
    own = {"seat", "side", "partner", "hand", "legal", "rng_key", "serial", "n_seen", "n_tricks_seen"}
    own |= {"offered", "discards"}
    assert set(VIEW.names or ()) == own | PUBLIC
    assert not {"seed", "index", "room", "role", "hands", "dealt", "deck", "pile", "rng_keys"} & set(
        VIEW.names or ()
    )


def test_only_the_seat_in_turn_sees_choices() -> None:
    position = random_moment(Rules(), seed=3, stop=20)
    for seat in range(4):
        assert fresh_view(position, seat).legal == (position.legal if seat == position.turn else 0)


@TABLES
def test_a_view_kept_up_to_date_equals_a_fresh_one(rules: Rules) -> None:
    """Filled at any moments of a hand, for any seats, over hand after hand and game after game."""
    position, kept = new_table(rules), [new_view() for _ in range(3)]
    random = np.random.default_rng(5)
    for index in range(6 if COMPILED else 2):
        engine.start_game(position, 1, index)
        for _ in range(2):
            engine.start_hand(position)
            for _ in decisions(position, random):
                for view in kept:
                    if random.random() < 0.1:
                        seat = int(random.integers(rules.players))
                        engine.fill_view(position, seat, view)
                        assert view.tobytes() == fresh_view(position, seat).tobytes()
            engine.fill_view(position, 0, kept[0])
            assert kept[0].tobytes() == fresh_view(position, 0).tobytes()
            engine.end_hand(position)


def test_a_view_that_changes_tables_is_written_afresh() -> None:
    """Also between tables of the same hand, of other rules, and back."""
    tables = [random_moment(rules, 2, 20) for rules in (Rules(), Rules(), THREE, TWO, Rules(target=300))]
    view, random = new_view(), np.random.default_rng(6)
    for _ in range(40):
        position = tables[int(random.integers(len(tables)))]
        seat = int(random.integers(position.n_players))
        engine.fill_view(position, seat, view)
        assert view.tobytes() == fresh_view(position, seat).tobytes()


def test_filling_a_view_leaves_the_table_alone() -> None:
    """But for the keys of random numbers, which are made at first need."""
    position = random_moment(Rules(), seed=1, stop=9)
    fresh_view(position, 0)
    fresh_view(position, 3)
    before = position.tobytes()
    for seat in range(4):
        fresh_view(position, seat)
    assert position.tobytes() == before


def test_a_seats_key_is_the_same_whoever_looks_first() -> None:
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        position = random_moment(Rules(), seed=1, stop=0)
        position.rng_keys[:] = NOT_YET
        keys = {seat: int(fresh_view(position, seat).rng_key) for seat in order}
        assert keys == {seat: int(fresh_view(position, seat).rng_key) for seat in range(4)}
        assert len(set(keys.values())) == 4
        if order == [0, 1, 2, 3]:
            first = keys
        assert keys == first


@pytest.mark.parametrize(
    ("rules", "sides", "partners"),
    [
        (Rules(), [0, 1, 0, 1], [2, 3, 0, 1]),
        (ALONE, [0, 1, 2, 3], [NOT_YET] * 4),
        (THREE, [0, 1, 2], [NOT_YET] * 3),
        (TWO, [0, 1], [NOT_YET] * 2),
        (DRAW500, [0, 1], [NOT_YET] * 2),
    ],
    ids=["four", "alone", "three", "two", "draw"],
)
def test_sides_and_partners(rules: Rules, sides: list[int], partners: list[int]) -> None:
    position = random_moment(rules, seed=1, stop=1)
    for seat, (side, partner) in enumerate(zip(sides, partners, strict=True)):
        view = fresh_view(position, seat)
        assert (view.seat, view.side, view.partner) == (seat, side, partner)


def test_a_new_view_is_empty() -> None:
    view = new_view()
    assert view.dtype == VIEW
    assert not any(view.tobytes())
