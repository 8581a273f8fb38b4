"""Who bids and leads first from hand to hand, and which bids are legal."""

from typing import Any

import pytest

from spadesim.core import position as position_module
from spadesim.core.cards import lowest
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, HAND_OVER
from tests.core.cases import load

EXAMPLES = load("order")

engine: Any = position_module  # compiled functions carry no annotations


def bidders_of_hand(position: Any) -> list[int]:
    """Return the seats in the order of their bids and the seat that leads, having played the hand out."""
    engine.start_hand(position)
    bidders: list[int] = []
    while engine.advance(position) != HAND_OVER:
        if position.phase == BIDDING:
            bidders.append(int(position.turn))
        engine.apply(position, lowest(position.legal))
    return [*bidders, int(position.leaders[0])]


@pytest.mark.parametrize("case", EXAMPLES["order"], ids=lambda case: case["id"])
def test_worked_example_of_the_order(case: dict[str, Any]) -> None:
    position = engine.new_position(Rules.parse(case["rules"]))
    engine.start_game(position, 1, 0)
    position.dealer = case["start"]
    for _ in range(case["hand"]):
        *bidders, leader = bidders_of_hand(position)
        engine.end_hand(position)
    assert (bidders, leader) == (case["bidders"], case["bidders"][0])


@pytest.mark.parametrize("case", EXAMPLES["bids"], ids=lambda case: case["id"])
def test_worked_example_of_legal_bids(case: dict[str, Any]) -> None:
    position = engine.new_position(Rules.parse(case["rules"]))
    engine.start_game(position, 1, 0)
    engine.start_hand(position)
    assert engine.legal_bids(position) == sum(1 << bid for bid in case["legal"])


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
