import shlex
from typing import Any

import numpy as np
import pytest

from spadesim.core.batch import BOARDS, PAIRS
from spadesim.core.rules import PRESETS
from spadesim.core.scoring import end_reached
from spadesim.errors import UserError
from spadesim.match.spec import DEFAULT_GAMES, DuelSpec, make_spec


def test_twenty_thousand_games_unless_said_otherwise() -> None:
    spec = make_spec("easy", "hard")
    assert (spec.games, spec.boards, spec.units, spec.kind) == (
        DEFAULT_GAMES,
        None,
        DEFAULT_GAMES // 2,
        PAIRS,
    )
    assert (spec.seed, str(spec.rules), spec.hand_cap) == (1, "pata", 1000)


def test_boards_are_units_of_their_own() -> None:
    spec = make_spec("easy", "hard", boards=7)
    assert (spec.games, spec.units, spec.kind) == (None, 7, BOARDS)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"games": 0}, "games must be at least 2, not 0"),
        ({"games": -4}, "games must be at least 2, not -4"),
        ({"games": 1}, "games must be even, such as 2, not 1"),
        ({"games": 1001}, "games must be even, such as 1000 or 1002, not 1001"),
        ({"games": 10**15}, "games must be from 2 to"),
        ({"games": True}, "games must be a whole number, not True"),
        ({"games": 2.0}, "games must be a whole number, not 2.0"),
        ({"boards": 0}, "boards must be from 1 to"),
        ({"games": 2, "boards": 2}, "games and boards exclude each other"),
        ({"seed": -1}, "seed must be from 0 to 9223372036854775807, not -1"),
        ({"seed": 2**63}, "seed must be from 0 to"),
        ({"first": -1}, "first must be from 0"),
        ({"hand_cap": 0}, "hand_cap must be from 1"),
        ({"scores": (100, 100)}, "scores are for boards"),
        ({"bags": "1,2", "games": 4}, "bags are for boards"),
        ({"boards": 1, "scores": (500, 0)}, "scores must be below 500, the target"),
        ({"boards": 1, "scores": (0, -200)}, "scores must be above -200, the floor"),
        ({"boards": 1, "scores": "1"}, "scores must be two whole numbers, such as 400,350"),
        ({"boards": 1, "scores": "1,2,3"}, "scores must be two whole numbers"),
        ({"boards": 1, "scores": (1.5, 2)}, "scores must be two whole numbers"),
        ({"boards": 1, "bags": (10, 0)}, "bags must be from 0 to 9, not 10: 10 cost a penalty"),
        ({"boards": 1, "bags": (0, -1)}, "bags must be from 0 to 9, not -1"),
        ({"rules": "patta"}, "Did you mean 'pata'?"),
        (
            {"rules": "draw300", "games": 3},
            "games must be even, such as 2 or 4, not 3: games are played in "
            "pairs on the same deals, the players swapped",
        ),
        (
            {"rules": "cutthroat3", "games": 20},
            "games must be a multiple of 6, such as 18 or 24, not 20: with "
            "three single players games are played in sets of six on the same deals, so that both bots",
        ),
        (
            {"rules": "bicycle", "games": 2},
            "games must be a multiple of 6, such as 6, not 2: with four single",
        ),
        ({"rules": "bicycle", "games": 0}, "games must be at least 6, not 0"),
        (
            {"rules": "cutthroat3", "boards": 1, "scores": "1,2"},
            "scores must be three whole numbers, one for "
            "each player, such as 400,350,200: first for the player at seat 0.",
        ),
        (
            {"rules": "draw300", "boards": 1, "scores": "1"},
            "scores must be two whole numbers, one for each "
            "player, such as 90,70: first for the player at seat 0.",
        ),
        ({"rules": "bicycle", "boards": 1, "bags": (1, 2)}, "bags must be four whole numbers"),
        ({"rules": "cutthroat3", "boards": 1, "scores": "0,0,500"}, "scores must be below 500"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as error:
        make_spec("easy", "hard", **asked)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("inclusive", [False, True])
@pytest.mark.parametrize("score", [-201, -200, -199, 0, 499, 500, 501])
def test_scores_are_refused_where_the_engine_ends_a_game(preset: str, inclusive: bool, score: int) -> None:
    score -= 200 if preset == "draw300" and score > 0 else 0
    rules = PRESETS[preset].updated({"target_inclusive": inclusive})
    if rules.floor is not None:
        rules = rules.updated({"floor_inclusive": inclusive})
    is_over = bool(end_reached(rules.record(), np.array([score, 0, 0, 0])))
    try:
        make_spec("a", "b", boards=1, rules=rules, scores=(score, *[0] * (rules.n_sides - 1)))
    except UserError:
        assert is_over
    else:
        assert not is_over


def test_any_bag_count_goes_where_bags_cost_nothing() -> None:
    rules = "pata:bag_limit=0,bag_penalty=100"
    assert make_spec("a", "b", boards=1, rules=rules, bags=(12, 30)).bags == (12, 30)


def test_the_command_line_repeats_the_duel() -> None:
    spec = make_spec(
        "medium:king=4", "./my bots/x.py", boards=50, rules="classic:target=300", scores=(-10, 20),
        bags="3,7", seed=9, first=4, hand_cap=50,
    )  # fmt: skip
    assert shlex.split(spec.command()) == [
        "spadesim", "duel", "medium:king=4", "./my bots/x.py", "--boards", "50", "--scores=-10,20",
        "--bags", "3,7", "--rules", "classic:target=300", "--seed", "9", "--first", "4", "--hand-cap", "50",
    ]  # fmt: skip
    assert make_spec("a", "b", games=4).command() == "spadesim duel a b --games 4 --rules pata --seed 1"


def test_tables_of_single_players_have_units_of_their_own() -> None:
    assert make_spec("a", "b", rules="draw300").units == DEFAULT_GAMES // 2
    cutthroat = make_spec("a", "b", rules="cutthroat3")
    assert (cutthroat.games, cutthroat.units, cutthroat.n_rooms) == (20_004, 3334, 6)
    assert make_spec("a", "b", rules="bicycle", games=12).some_units(2) == "2 sets of games"
    assert make_spec("a", "b", rules="bicycle", boards=1).some_units(1) == "1 board"


def test_their_command_lines_repeat_the_duel() -> None:
    spec = make_spec("a", "b", rules="cutthroat3", boards=3, scores="-10,20,30", bags=(1, 2, 3))
    words = ["--boards", "3", "--scores=-10,20,30", "--bags", "1,2,3", "--rules", "cutthroat3"]
    assert shlex.split(spec.command())[4:-2] == words
    assert spec.task(0, 1).scores.tolist() == [-10, 20, 30, 0]
    assert spec.task(0, 1).bags.tolist() == [1, 2, 3, 0]


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    assert make_spec("a", "b", games=np.int64(20), seed=np.int64(3)).units == 10  # type: ignore[arg-type]


def test_the_engine_is_told_what_was_asked() -> None:
    spec = make_spec("a", "b", boards=50, scores=(400, 350), bags=(3, 7), seed=2**62, hand_cap=77)
    task = spec.task(10, 5)
    assert (task.kind, task.seed, task.first, task["count"], task.hand_cap) == (BOARDS, 2**62, 10, 5, 77)
    assert task.scores.tolist() == [400, 350, 0, 0]
    assert task.bags.tolist() == [3, 7, 0, 0]
    assert DuelSpec("a", "b").task(0, 1).scores.tolist() == [0, 0, 0, 0]
