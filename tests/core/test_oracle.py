"""The compiled engine plays the games that the oracle plays, decision by decision, under any rules."""

from collections import Counter
from typing import Any

import numpy as np

from spadesim.core._jit import COMPILED
from spadesim.core.options import Option
from spadesim.core.rules import OPTIONS, PRESETS, Rules
from spadesim.selftest.agreement import OracleError, play_game
from tests.core.cases import TABLES, as_rules

ALL_GAMES = 900  # in which everything rare comes up five times
N_GAMES = ALL_GAMES if COMPILED else 24

# Small numbers, so that games end, and end level, within a few hands.
NUMBERS: dict[str, list[int | None]] = {
    "nil_value": [100, 50, 0],
    "nil_penalty": [100, 50, 0],
    "blind_nil_value": [200, 60],
    "blind_nil_penalty": [200, 30],
    "blind_nil_deficit": [100, 50, 10, 0],
    "blind_nil_exchange": [0, 1, 3, 4],
    "min_bid": [0, 0, 1, 2, 5, 13],
    "trick_value": [10, 10, 0, 50],
    "overtrick_value": [1, 1, 0, -1, 10],
    "bag_limit": [10, 5, 2, 1, 0],
    "bag_penalty": [100, 50, 20],
    "boston_bonus": [0, 200],
    "target": [500, 100, 100, 50, 20, 1],
    "floor": [None, -200, -100, -50, -1],
    "max_hands": [0, 0, 0, 1, 2, 3],
}


def random_value(name: str, option: Option, random: np.random.Generator) -> Any:
    choices: Any = NUMBERS.get(name) or option.choices or [False, True]
    return choices[int(random.integers(len(choices)))]


def random_rules(random: np.random.Generator) -> Rules:
    """Return any rules at any table, every option one of a few values."""
    values = {name: random_value(name, option, random) for name, option in OPTIONS.items()}
    return as_rules(values | TABLES[int(random.integers(len(TABLES)))])


def test_engine_equals_oracle() -> None:
    """Half of the games under the presets, half under random rules, and everything rare among them.

    One test, because only one process can count what all the games had in them.
    """
    seen: Counter[str] = Counter()
    random = np.random.default_rng(0)
    presets = list(PRESETS.values())
    for number in range(N_GAMES):
        rules = presets[number // 2 % len(presets)] if number % 2 else random_rules(random)
        try:
            play_game(rules, number, random, seen)
        except OracleError as error:
            error.add_note(f"in game {number}, under {rules}")
            raise
    rare = {name: count for name, count in seen.items() if count < 5}
    assert N_GAMES < ALL_GAMES or not rare, seen
