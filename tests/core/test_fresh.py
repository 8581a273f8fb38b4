"""Deals of many boards at once: those that the engine deals, one by one."""

import numpy as np
import pytest

from spadesim.core.fresh import fresh_deals
from spadesim.core.position import new_position, start_game, start_hand
from spadesim.core.rules import Rules


@pytest.mark.parametrize("preset", ["pata", "cutthroat3", "bicycle", "pata:first_dealer=fixed"])
def test_deals_are_those_of_the_boards(preset: str) -> None:
    rules = Rules.parse(preset)
    cards, dealers = fresh_deals(rules, seed=5, first=11, count=20)
    position = new_position(rules)
    for k in range(20):
        start_game(position, 5, 11 + k)
        start_hand(position)
        assert cards[k].tolist() == position["dealt"][: rules.players].tolist()
        assert dealers[k] == position["dealer"]


def test_any_part_of_the_deals_is_the_same() -> None:
    cards, dealers = fresh_deals(Rules(), 1, 0, 30)
    part, some = fresh_deals(Rules(), 1, 17, 5)
    assert (cards[17:22] == part).all()
    assert (dealers[17:22] == some).all()
    assert (np.bitwise_or.reduce(cards, axis=1) == (1 << 52) - 1).all()
