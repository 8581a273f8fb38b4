"""A whole recorded game for each preset, played again by the engine and by the oracle.

The text fixes the deals of a seed, what each card does, and every score. `record.py` writes the games anew.
"""

from pathlib import Path

import pytest

from spadesim.core.rules import PRESETS, Rules
from tests.core.table import new_table
from tests.golden.diagram import draw_game, head_of, read_choices, read_head
from tests.golden.tables import replay, replay_slowly

FOLDER = Path(__file__).parent


def test_there_is_a_game_for_every_preset() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.txt")) == sorted(PRESETS)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_recorded_game_is_played_again(preset: str) -> None:
    text = (FOLDER / f"{preset}.txt").read_text()
    rules, seed, number = read_head(text)
    assert rules == preset
    choices = read_choices(text)
    deals, end = replay(Rules.parse(rules), seed, number, choices)
    assert draw_game(head_of(rules, seed, number), deals, end) == text
    start = int(new_table(Rules.parse(rules), seed, number).dealer)
    assert replay_slowly(Rules.parse(rules), start, deals, choices) == (deals, end)
