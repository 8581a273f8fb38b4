"""Hands of whole games: one follows from the other, and the last one ends the game."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from spadesim.core.batch import OUTCOME, PAIRS, Lineup, new_task, run_chunk
from spadesim.core.hands import play_games, play_hands
from spadesim.core.play import NO_FAULT
from spadesim.core.position import first_side, new_position, start_game
from spadesim.core.rules import Rules
from spadesim.strategy import lineup, load_side
from tests.match.bots import write_bot

TABLES = ("pata:target=150,bag_limit=3,bag_penalty=50", "draw300:max_hands=3", "classic:max_hands=2")
GAMES, SEED = 3, 11


def bots(rules: Rules) -> Lineup:
    return lineup(load_side("easy"), load_side("medium"), rules)


def rows_of(rules: Rules, n: int = GAMES, first: int = 0) -> Any:
    return play_games(bots(rules), rules, SEED, first, n)


@pytest.mark.parametrize("text", TABLES)
def test_what_a_hand_brought_is_what_the_next_one_finds(text: str) -> None:
    rules = Rules.parse(text)
    rows = rows_of(rules)
    assert np.unique(rows["game"]).tolist() == list(range(GAMES))
    penalties = 0
    for game in range(GAMES):
        hands = rows[rows["game"] == game]
        assert hands["hands"].tolist() == list(range(len(hands)))
        assert not hands[0]["scores"].any()
        for before, after in pairwise(hands):
            # Whoever bids first alternates between the sides.
            bags = before["bags"] + before["new_bags"]
            periods = bags // rules.bag_limit
            penalties += int(periods.sum())
            expected = before["scores"] + before["points"] - periods * rules.bag_penalty
            assert after["scores"][::-1].tolist() == expected.tolist()
            assert after["bags"][::-1].tolist() == (bags % rules.bag_limit).tolist()
    assert penalties or text != TABLES[0]


@pytest.mark.parametrize("text", TABLES)
def test_games_are_won_by_whom_the_engine_says(text: str) -> None:
    rules = Rules.parse(text)
    outcomes = np.zeros(GAMES, dtype=OUTCOME)
    _, fault = run_chunk(bots(rules), rules, new_task(PAIRS, SEED, 0, GAMES), outcomes)
    assert fault["code"] == NO_FAULT
    rows = rows_of(rules)
    for game in range(GAMES):
        won = rows[rows["game"] == game]["won"]
        # The first bid passes from side to side with every hand, so its hands tell of both sides by turns.
        assert (won[::2] == won[0]).all()
        assert (won[1::2] == 2 - won[0]).all()
        position = new_position(rules)
        start_game(position, SEED, game)
        of_a = won[0] if first_side(position) == 0 else 2 - won[0]
        assert of_a == outcomes["results"][game] & 3


def test_games_are_the_same_one_by_one_and_end_by_the_cap() -> None:
    rules = Rules.parse(TABLES[0])
    together = rows_of(rules, 3)
    assert np.concatenate([rows_of(rules, 1, game) for game in range(3)]).tobytes() == together.tobytes()
    cut = play_games(bots(rules), rules, SEED, 0, 2, hand_cap=1)
    assert cut["won"].tolist() == [-1, -1]


def test_a_first_hand_played_alone_brings_what_it_brings_in_its_game() -> None:
    rules = Rules.parse(TABLES[0])
    firsts = rows_of(rules)
    firsts = firsts[firsts["hands"] == 0]
    alone = play_hands(bots(rules), rules, SEED, firsts)
    for name in ("game", "scores", "bags", "points", "new_bags"):
        assert alone[name].tolist() == firsts[name].tolist()
    assert alone["won"].tolist() == [-1] * GAMES
    nearly = firsts.copy()
    nearly["bags"] = rules.bag_limit - 1
    assert play_hands(bots(rules), rules, SEED, nearly)["new_bags"].shape == (GAMES, 2)
    assert nearly["points"].tolist() == firsts["points"].tolist()  # what is given is not written to


def test_a_broken_contract_is_an_error_that_names_the_game(tmp_path: Path) -> None:
    rules = Rules.parse("pata")
    cheat = load_side(write_bot(tmp_path, "cheat", play="return 99"))
    line_up = lineup(cheat, cheat, rules)
    with pytest.raises(RuntimeError, match="game 4 of seed 7"):
        play_games(line_up, rules, 7, 4, 1)
    rows = rows_of(rules, 1)[:1]
    rows["game"] = 6
    with pytest.raises(RuntimeError, match="board 6 of seed 7"):
        play_hands(line_up, rules, 7, rows)
