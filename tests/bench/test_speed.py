"""Speed of the engine: hands per second, and how that compares; ``nox -s bench`` prints it.

A rate is the median of several rounds. A ratio is the median over pairs of rounds, one of either side played
right after the other, so that other work on the machine disturbs both. Nothing is asserted.
"""

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from spadesim.core.batch import BOARDS, PAIRS, new_task, run_chunk
from spadesim.core.rules import Rules
from spadesim.strategy import discover, lineup, load_side
from tests.bench.measure import Show, compare, median_of

N_BOARDS = 30_000
N_THREADS = 2


def play(name: str, first: int = 0, count: int = N_BOARDS, kind: int = BOARDS) -> int:
    """Play a strategy against itself, and return the number of hands."""
    side = load_side(name)
    tally, _ = run_chunk(lineup(side, side), Rules(), new_task(kind, 1, first, count))
    return int(tally[0]["hands"])


@pytest.mark.parametrize("name", ["lowest_card", "random_legal", "easy", "medium", "hard", "yardstick"])
def test_four_of_a_kind_on_boards(benchmark: Any, show: Show, name: str) -> None:
    if name not in [listing.name for listing in discover()]:
        pytest.skip(f"there is no {name}")
    seconds = median_of(benchmark, lambda: play(name))
    show(f"four {name}: {2 * N_BOARDS / seconds:,.0f} hands a second on one core")


@pytest.mark.parametrize("name", ["easy", "hard"])
def test_whole_games(benchmark: Any, show: Show, name: str) -> None:
    n_hands = play(name, count=2_000, kind=PAIRS)
    seconds = median_of(benchmark, lambda: play(name, count=2_000, kind=PAIRS))
    show(f"games of four {name}: {n_hands / seconds:,.0f} hands a second, {n_hands / 4_000:.1f} a game")


@pytest.fixture
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed here (extra dev)")


def as_in_the_example(pyspiel: Any, game: Any, n: int) -> None:
    """Play random hands at OpenSpiel's table as its own Python example does, with numpy's generator."""
    random_state = np.random.RandomState(1)
    for _ in range(n):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                action = random_state.choice(actions, p=probabilities)
            else:
                action = random_state.choice(state.legal_actions(state.current_player()))
            state.apply_action(action)


def driven_from_python(pyspiel: Any, game: Any, n: int) -> None:
    """Play random hands at OpenSpiel's table, every action chosen in Python as quickly as it can be."""
    choose = random.Random(1).choice
    for _ in range(n):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))


def driven_from_cpp(pyspiel: Any, game: Any, n: int) -> None:
    """Play random hands at OpenSpiel's table, all inside its own loop over uniformly random bots."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    for seed in range(n):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)


@pytest.mark.parametrize(
    ("name", "loop", "n_hands"),
    [
        ("Python example", as_in_the_example, 150),
        ("quickest Python loop", driven_from_python, 1_000),
        ("C++ loop", driven_from_cpp, 5_000),
    ],
    ids=["example", "python", "cpp"],
)
def test_random_play_against_openspiel(
    benchmark: Any, show: Show, pyspiel: Any, name: str, loop: Callable[..., None], n_hands: int
) -> None:
    game = pyspiel.load_game("spades")
    own, other, ratio = compare(benchmark, lambda: play("random_legal"), lambda: loop(pyspiel, game, n_hands))
    show(
        f"random_legal: {2 * N_BOARDS / own:,.0f} hands a second; OpenSpiel's {name}: "
        f"{n_hands / other:,.0f}; {ratio * 2 * N_BOARDS / n_hands:.3g} to 1"
    )


@pytest.mark.parametrize("name", ["easy", "hard"])
def test_two_threads_against_one(benchmark: Any, show: Show, name: str) -> None:
    if (os.cpu_count() or 1) < N_THREADS:
        pytest.skip("there is only one processor")
    chunk = N_BOARDS // 30
    firsts = range(0, N_BOARDS, chunk)

    def in_threads(n: int) -> None:
        with ThreadPoolExecutor(n) as pool:
            list(pool.map(lambda first: play(name, first, chunk), firsts))

    _, _, ratio = compare(benchmark, lambda: in_threads(N_THREADS), lambda: in_threads(1))
    show(f"four {name} on {N_THREADS} threads: {ratio:.2f} times as fast as on one")
