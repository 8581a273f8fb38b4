"""A compiled table as tests handle it: cards by name, random play, and what a seat should see."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from spadesim.core import position as position_module
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.view import HAND_OVER, VIEW
from spadesim.notation import card_text as name_of
from spadesim.notation import mask_of
from spadesim.notation import parse_card as number_of
from spadesim.selftest.agreement import bits, names_of, new_table, plain, random_bid, random_choice, seen_by

__all__ = [
    "bits",
    "mask_of",
    "name_of",
    "names_of",
    "new_table",
    "number_of",
    "plain",
    "random_bid",
    "random_choice",
    "seen_by",
]

engine: Any = position_module  # compiled functions carry no annotations

TWO = Rules.parse("pata:players=2,teams=individual,deal=packet26")
THREE = Rules.parse("pata:players=3,teams=individual,deck=minus_2c")
ALONE = Rules.parse("pata:teams=individual")
DRAW300 = PRESETS["draw300"]
DRAW500 = PRESETS["draw500"]
BLIND = Rules.parse("pata:blind_nil=always")


def decisions(position: Any, random: np.random.Generator) -> Iterator[Any]:
    """Play a begun hand to its end with random choices, stopping before each of them."""
    while engine.advance(position) != HAND_OVER:
        yield position
        engine.apply(position, random_choice(position, random))


def random_moment(rules: Rules, seed: int, stop: int) -> Any:
    """Return a table of a random hand at its `stop`-th free decision, or at its last one."""
    random = np.random.default_rng(seed)
    position = new_table(rules, seed, stop)
    engine.start_hand(position)
    for number, _ in enumerate(decisions(position, random)):
        if number == stop:
            return position
    return random_moment(rules, seed, stop - 1)


def fresh_view(position: Any, seat: int) -> Any:
    """Return what a seat sees, written into a view that knew nothing."""
    view = np.zeros(1, dtype=VIEW)[0]
    engine.fill_view(position, seat, view)
    return view
