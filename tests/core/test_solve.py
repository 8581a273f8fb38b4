"""The solver against the slow obvious one, on random endings under every rule that changes a value."""

import random
from typing import Any

import numpy as np
import pytest

from spadesim.core._jit import COMPILED
from spadesim.core.position import POSITION
from spadesim.core.rules import Rules
from spadesim.core.solve_play import call, new_found, solve_line, solve_root
from spadesim.core.solve_work import WORK, new_table
from spadesim.match.standing import Given, stand
from spadesim.notation import card_text
from tests.core.slow_solver import SlowSolver

RULES = (
    "pata",
    "pata:spade_lead=anytime",
    "pata:break_on=offsuit_only",
    "patalupaus",
    "classic:bag_limit=3",
    "pata:failed_nil_tricks=ignore,set_mode=shortfall",
    "pata:blind_nil=always,boston_bonus=200,overtrick_value=-5",
    "pata:bag_limit=5,bag_rollover=reset,set_mode=zero",
    "pata:nil_allowed=false",
)
N_EACH = 40 if COMPILED else 3
MOST = 10**9


def random_position(rng: random.Random, rules: Rules, n_cards: int, is_points: bool) -> Any:
    """An ending with up to three cards on the table, with bids that are often near the mark."""
    cards = rng.sample(range(52), 4 * n_cards)
    hands = [sum(1 << card for card in cards[k::4]) for k in range(4)]
    won = [0] * 4
    for _ in range(rules.hand_size - n_cards):
        leader = rng.randrange(4)
        won[leader] += 1
    bids = [_bid(rng, rules, won[seat]) for seat in range(4)]
    if rules.blind_nil != "off":
        bids = ["blind" if bid == "0" and rng.random() < 0.5 else bid for bid in bids]
    most = max(rules.bag_limit - 1, 0)
    bags = [rng.randint(0, most), most]
    is_broken = rng.random() < 0.5 if rules.break_on == "offsuit_only" else None
    given = Given(leader, "", ",".join(bids), won, bags, is_broken)
    position = stand(hands, given, rules, is_points)
    from spadesim.core.position import apply_card

    for _ in range(rng.randrange(4)):
        legal = SlowSolver(position, is_points)
        apply_card(position, rng.choice(legal._legal(legal.root)))
    return position


def _bid(rng: random.Random, rules: Rules, won: int) -> str:
    if rng.random() < 0.35 and rules.nil_allowed:
        return "0"
    return str(max(1, min(13, won + rng.randint(-1, 3))))


def solved(
    position: Any, is_points: bool, nodes: int = MOST
) -> tuple[dict[int, tuple[int, int]], Any, Any, Any]:
    """The bounds of every card, of the value, the line, and the memory of the search."""
    positions, works, table = np.zeros(1, POSITION), np.zeros(1, WORK), new_table(4)
    positions[0] = position
    found, line = new_found(), np.zeros((52, 2), np.int64)
    call(solve_root, works, table, positions, int(is_points), nodes, found)
    cards = {int(row[2]): (int(row[0]), int(row[1])) for row in found[1:] if row[2] >= 0}
    n = call(solve_line, works, table, int(found[0, 0]), line) if found[0, 0] == found[0, 1] else 0
    return cards, found[0].tolist(), line[:n].tolist(), works[0]


@pytest.mark.parametrize("is_points", [True, False])
@pytest.mark.parametrize("text", RULES)
def test_every_card_is_worth_what_the_slow_solver_finds(text: str, is_points: bool) -> None:
    rules, rng = Rules.parse(text), random.Random(f"{text}{is_points}")
    for k in range(N_EACH):
        position = random_position(rng, rules, 1 + k % 4, is_points)
        slow = SlowSolver(position, is_points)
        expected = slow.cards()
        cards, (low, high, _), line, _ = solved(position, is_points)
        told = {card_text(card): worth for card, worth in cards.items()}
        assert told == {card_text(card): (worth, worth) for card, worth in expected.items()}
        seat = int(position["turn"])
        assert low == high == (max if seat % 2 == 0 else min)(expected.values())
        state = slow.root
        for mover, card in line:
            assert mover == (state[1] + len(state[2])) % 4
            assert card in slow._legal(state)
            state = slow._after(state, card)
            assert slow.value(*state) == low
        assert not any(state[0])
