"""Endings of worlds: what the solver says of each card is what trying every line of play comes to."""

from typing import Any

import numpy as np
import pytest

from spadesim.core import search_ends, search_worth
from spadesim.core._jit import COMPILED
from spadesim.core.position import POSITION
from spadesim.core.rules import Rules
from spadesim.core.solve_work import WORK
from spadesim.core.view import HAND_OVER, PLAYING
from tests.core.table import bits, decisions, engine, fresh_view, new_table

ending: Any = search_ends
worth: Any = search_worth.worth
SCALE = np.array([4.0, 120.0, 11.0, 2.0])
LEFT = 3  # tricks
MOST_CARDS = 11  # in all hands; a full three tricks take long to try
HELPS = Rules.parse("pata:failed_nil_tricks=help,spade_lead=anytime")

pytestmark = pytest.mark.skipif(COMPILED, reason="nothing else compiles what this calls")


def best_chance(table: Any) -> float:
    """The chance of side 0 to win when everybody sees all cards, by trying all of them."""
    tables = np.zeros(1, POSITION)
    tables[0] = table
    if engine.advance(tables[0]) == HAND_OVER:
        return float(worth(tables[0], 0, SCALE))
    chances = [chance_after(tables[0], card) for card in bits(int(tables[0]["legal"]))]
    return min(chances) if int(tables[0]["turn"]) & 1 else max(chances)


def chance_after(table: Any, card: int) -> float:
    """The same once a card has been played."""
    tables = np.zeros(1, POSITION)
    tables[0] = table
    engine.apply(tables[0], card)
    return best_chance(tables[0])


def late_decisions(rules: Rules, seed: int) -> list[Any]:
    """Random tables with few tricks left, near the end of a game, where a card can be chosen."""
    table, found = new_table(rules, seed=seed), []
    table["scores"][:2] = np.random.default_rng(seed).integers(350, 480, 2)
    table["bags"][:2] = 8, 3
    engine.start_hand(table)
    for _ in decisions(table, np.random.default_rng(seed)):
        n_cards = sum(int(hand).bit_count() for hand in table["hands"])
        if table["phase"] == PLAYING and n_cards <= MOST_CARDS:
            copies = np.zeros(1, POSITION)
            copies[0] = table
            copies[0]["bids"] = table["tricks"] + [
                1,
                1,
                0,
                0,
            ]  # so that the last tricks matter, and nils stand
            found.append(copies[0])
    return found


@pytest.mark.parametrize("rules", [Rules(), HELPS], ids=["pata", "helps"])
def test_the_solver_finds_what_trying_every_line_finds(rules: Rules) -> None:
    n_spread = 0
    for seed in range(7):
        for table in late_decisions(rules, seed):
            works, memo = np.zeros(1, WORK), np.zeros(ending.MEMO, np.int64)
            tables = np.zeros(2, POSITION)
            tables[0] = table
            choices = np.array(bits(int(table["legal"])))
            values = np.zeros(len(choices))
            ending.begin_ending(works[0], memo, tables, 0, 1, SCALE)
            wanted = np.array([chance_after(table, int(card)) for card in choices])
            wanted = 1 - wanted if int(table["turn"]) & 1 else wanted
            for _ in range(2):  # the second time as for another world
                alive = np.ones(len(choices), np.int64)
                ending.solve_choices(works[0], memo, table["hands"], choices, alive, values)
                assert np.allclose(values, wanted, atol=2e-6)
            n_spread += values.max() > values.min() + 1e-6
    assert n_spread > 0


def test_endings_are_of_two_pairs_and_few_tricks() -> None:
    table = late_decisions(Rules(), 1)[0]
    view = fresh_view(table, int(table["turn"]))
    assert ending.is_ending(view, LEFT)
    assert not ending.is_ending(view, 0)
