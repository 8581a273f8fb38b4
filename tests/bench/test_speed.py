"""Speed of the engine: hands per second, and how that compares; ``nox -s bench`` prints it.

A rate is the median of several rounds. A ratio is of the best rounds of both sides in the same run, which
other work on the machine disturbs least. Nothing is asserted.
"""

import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

import pytest

from spadesim.core.batch import BOARDS, PAIRS, new_task, run_chunk
from spadesim.core.rules import Rules
from spadesim.strategy import discover, lineup, load_side

ROUNDS = 7
N_BOARDS = 30_000
N_OPENSPIEL_PYTHON = 200  # hands a round
N_OPENSPIEL_CPP = 2_000
N_THREADS = 2

Show = Callable[[str], None]


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str]) -> Show:
    """Print a line past pytest's capturing."""

    def print_line(text: str) -> None:
        with capsys.disabled():
            print(f"\n    {text}", end="")

    return print_line


def measure(benchmark: Any, function: Callable[[], Any]) -> tuple[float, float]:
    """Return the median and the least seconds of several calls, the first one left out."""
    benchmark.pedantic(function, rounds=ROUNDS, warmup_rounds=1)
    return float(benchmark.stats.stats.median), float(benchmark.stats.stats.min)


def best_of(function: Callable[[], Any]) -> float:
    """Return the least seconds of several calls."""
    seconds = []
    for _ in range(ROUNDS):
        began = perf_counter()
        function()
        seconds.append(perf_counter() - began)
    return min(seconds)


def play(name: str, first: int = 0, count: int = N_BOARDS, kind: int = BOARDS) -> int:
    """Play a strategy against itself, and return the number of hands."""
    side = load_side(name)
    tally, _ = run_chunk(lineup(side, side), Rules(), new_task(kind, 1, first, count))
    return int(tally[0]["hands"])


@pytest.mark.parametrize("name", ["lowest_card", "random_legal", "easy", "medium", "hard", "yardstick"])
def test_four_of_a_kind_on_boards(benchmark: Any, show: Show, name: str) -> None:
    if name not in [listing.name for listing in discover()]:
        pytest.skip(f"there is no {name}")
    seconds, _ = measure(benchmark, lambda: play(name))
    show(f"four {name}: {2 * N_BOARDS / seconds:,.0f} hands a second on one core")


@pytest.mark.parametrize("name", ["easy", "hard"])
def test_whole_games(benchmark: Any, show: Show, name: str) -> None:
    n_hands = play(name, count=2_000, kind=PAIRS)
    seconds, _ = measure(benchmark, lambda: play(name, count=2_000, kind=PAIRS))
    show(f"games of four {name}: {n_hands / seconds:,.0f} hands a second, {n_hands / 4_000:.1f} a game")


@pytest.fixture
def pyspiel() -> Any:
    return pytest.importorskip("pyspiel", reason="open_spiel is not installed here (extra dev)")


def driven_from_python(game: Any, n: int) -> None:
    """Play random hands at OpenSpiel's table, every action chosen in Python."""
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


@pytest.mark.parametrize("loop", ["Python", "C++"])
def test_random_play_against_openspiel(benchmark: Any, show: Show, pyspiel: Any, loop: str) -> None:
    game = pyspiel.load_game("spades")
    if loop == "Python":
        n, theirs = N_OPENSPIEL_PYTHON, lambda: driven_from_python(game, N_OPENSPIEL_PYTHON)
    else:
        n, theirs = N_OPENSPIEL_CPP, lambda: driven_from_cpp(pyspiel, game, N_OPENSPIEL_CPP)
    their_rate = n / best_of(theirs)
    _, seconds = measure(benchmark, lambda: play("random_legal"))
    our_rate = 2 * N_BOARDS / seconds
    show(
        f"random_legal: {our_rate:,.0f} hands a second; OpenSpiel's {loop} loop: {their_rate:,.0f}; "
        f"{our_rate / their_rate:.0f} to 1"
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

    in_threads(1)
    alone = best_of(lambda: in_threads(1))
    _, together = measure(benchmark, lambda: in_threads(N_THREADS))
    show(f"four {name} on {N_THREADS} threads: {alone / together:.2f} times as fast as on one")
