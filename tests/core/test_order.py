"""Who deals first; the order from there on is told by the worked examples."""

from typing import Any

import pytest

from spadesim.core import position as position_module
from spadesim.core.rules import Rules

engine: Any = position_module  # compiled functions carry no annotations


def test_a_fixed_first_dealer_is_seat_0() -> None:
    position = engine.new_position(Rules(first_dealer="fixed"))
    for index in range(20):
        engine.start_game(position, 1, index)
        assert position.dealer == 0


@pytest.mark.parametrize("first_dealer", ["random", "high_card"])
def test_a_drawn_first_dealer_may_be_any_seat(first_dealer: str) -> None:
    position = engine.new_position(Rules(first_dealer=first_dealer))
    dealers = []
    for index in range(200):
        engine.start_game(position, 1, index)
        dealers.append(int(position.dealer))
    assert {dealers.count(seat) > 25 for seat in range(4)} == {True}
