"""How fast the engine, the bots and their compiling are on this machine.

A rate is the median of several rounds. A ratio is the median over pairs of rounds, one of either side right
after the other, so that other work on the machine disturbs both alike.
"""

# mypy: allow-untyped-calls

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from spadesim.core._jit import jit
from spadesim.core.batch import BOARDS, Lineup, new_task, run_chunk
from spadesim.core.call import address_of, ask
from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING, PLAYING
from spadesim.match.spec import rooms_of
from spadesim.strategy import Strategy, lineup, load_side, load_strategy
from spadesim.strategy.ask import answers_to, watch

ROUNDS = 7
N_BOARDS = 30_000  # of a round, at the most
TRIED = 5  # boards of the first try
ROUND_SECONDS, TRIED_SECONDS = 0.3, 0.05  # of a round, and of a try that tells the speed
N_DECISIONS = 40_000  # of a round, at the most
FEWEST_DECISIONS = 60  # a hand's bids and plays
N_CALLS = 2_000_000
N_CHUNKS = 30
USUAL = Rules()


@dataclass(frozen=True)
class Speed:
    """Hands that a table of one kind plays in a second on one core: the median, slowest and fastest round."""

    strategy: str
    hands_per_second: float
    low: float
    high: float


@dataclass(frozen=True)
class DecisionTime:
    """Nanoseconds that a bot takes for a bid and for a play, the call included."""

    strategy: str
    bid: float
    play: float


@dataclass(frozen=True)
class CompileTime:
    """Seconds that a new process takes to load something with an empty cache, and with a full one."""

    what: str
    cold: float
    warm: float


@dataclass(frozen=True)
class Versus:
    """Something else's rate, ours in rounds beside it, and the median ratio of the two."""

    other: str
    ours: float
    theirs: float
    ratio: float


def seconds_of(work: Callable[[], Any]) -> float:
    """How long one call takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def compare(ours: Callable[[], Any], theirs: Callable[[], Any]) -> list[tuple[float, float]]:
    """The seconds of our calls and of theirs, made in turn after one of each that does not count."""
    ours()
    theirs()
    return [(seconds_of(ours), seconds_of(theirs)) for _ in range(ROUNDS)]


def four_of(spec: str, rules: Rules = USUAL) -> Lineup:
    """Four of a kind, everything compiled that they need."""
    side = load_side(spec)
    four = lineup(side, side, rules)
    play_boards(four, rules, 1)
    return four


def play_boards(four: Lineup, rules: Rules, count: int, first: int = 0) -> None:
    """Play boards on one core."""
    run_chunk(four, rules, new_task(BOARDS, 1, first, count))


def n_boards(four: Lineup, rules: Rules) -> int:
    """How many boards a round plays."""
    return fitting(lambda boards: play_boards(four, rules, boards), most_boards(rules))


def fitting(work: Callable[[int], Any], most: int) -> int:
    """How much work fits into `ROUND_SECONDS`, as ever longer tries tell: at least 1, at most `most`.

    A bot that plays every decision out takes as long for one board as another for a thousand.
    """
    size = min(TRIED, most)
    while True:
        seconds = seconds_of(lambda: work(size))  # noqa: B023
        if seconds >= TRIED_SECONDS or size == most:
            return max(1, min(most, int(size * ROUND_SECONDS / max(seconds, 1e-9))))
        size = min(4 * size, most)


def most_boards(rules: Rules) -> int:
    """How many boards a round plays at most: about as many hands under all rules."""
    return max(1, 2 * N_BOARDS // rooms_of(rules))


def speed(spec: str, rules: Rules = USUAL) -> Speed:
    """Hands per second of a table of one kind on one core.

    Parameters
    ----------
    spec : str
        A strategy.
    rules : Rules
    """
    four = four_of(spec, rules)
    boards = n_boards(four, rules)
    hands = rooms_of(rules) * boards
    rates = sorted(hands / seconds_of(lambda: play_boards(four, rules, boards)) for _ in range(ROUNDS))
    return Speed(spec, median(rates), rates[0], rates[-1])


def decision_time(spec: str, rules: Rules = USUAL) -> DecisionTime:
    """Nanoseconds for a bid and for a play, over the decisions of seeded boards between four of a kind."""
    strategy = load_strategy(spec)
    n = fitting(lambda decisions: watch(strategy, strategy, rules, 1, decisions), N_DECISIONS)
    views = watch(strategy, strategy, rules, 1, max(n, FEWEST_DECISIONS)).views
    bid, play = (_answer_time(strategy, views[views["phase"] == phase]) for phase in (BIDDING, PLAYING))
    return DecisionTime(spec, bid, play)


def _answer_time(strategy: Strategy, views: Any) -> float:
    answers_to(strategy, views[:1])
    return 1e9 * median(seconds_of(lambda: answers_to(strategy, views)) for _ in range(ROUNDS)) / len(views)


@jit
def _null(view, p):  # type: ignore[no-untyped-def]
    return view.legal & 1


@jit
def _call_by_address(views, p, address, n):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(n):
        total += ask(address, views[0], p)
    return total


@jit
def _call_directly(views, p, n):  # type: ignore[no-untyped-def]
    total = 0
    for _ in range(n):
        total += _null(views[0], p)
        views[0].legal ^= total
    return total


def call_price() -> float:
    """Nanoseconds that calling a strategy by its address costs more than having it compiled in."""
    strategy = load_strategy("lowest_card")
    views = watch(strategy, strategy, Rules(), 1, 1).views
    address, p = address_of(_null), np.zeros(1)
    pairs = compare(
        lambda: _call_by_address(views, p, address, N_CALLS), lambda: _call_directly(views, p, N_CALLS)
    )
    return 1e9 * median(by_address - direct for by_address, direct in pairs) / N_CALLS


def thread_gain(spec: str, rules: Rules = USUAL, n_threads: int = 2) -> Versus:
    """How much faster several threads play the same boards than one."""
    four = four_of(spec, rules)
    chunk = max(1, n_boards(four, rules) // N_CHUNKS)
    boards = chunk * N_CHUNKS

    def play(n: int) -> None:
        with ThreadPoolExecutor(n) as pool:
            list(pool.map(lambda first: play_boards(four, rules, chunk, first), range(0, boards, chunk)))

    pairs = compare(lambda: play(n_threads), lambda: play(1))
    hands = rooms_of(rules) * boards
    return _versus("one thread", pairs, hands, hands)


def _versus(other: str, pairs: Sequence[tuple[float, float]], ours: int, theirs: int) -> Versus:
    rates = [(ours / own, theirs / their) for own, their in pairs]
    return Versus(
        other,
        median(own for own, _ in rates),
        median(their for _, their in rates),
        median(own / their for own, their in rates),
    )


# A new process: seconds to the first board, with the engine compiled or loaded, then for each bot's first.
COMPILING = """\
import json, sys
from time import perf_counter
began = perf_counter()
from spadesim.bench import four_of
names, times = sys.argv[1:], {}
four_of("lowest_card")
times["engine"] = perf_counter() - began
for name in names:
    began = perf_counter()
    four_of(name)
    times[name] = perf_counter() - began
print(json.dumps(times))
"""


def compile_times(specs: Sequence[str]) -> list[CompileTime]:
    """Seconds for the engine (with Python, its libraries and `lowest_card`), then for each bot.

    Parameters
    ----------
    specs : sequence of str
        Strategies.
    """
    with tempfile.TemporaryDirectory(prefix="spadesim-bench-") as folder:
        env = os.environ | {"SPADESIM_CACHE_DIR": folder}
        command = [sys.executable, "-c", COMPILING, *specs]
        cold, warm = (
            json.loads(subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout)
            for _ in range(2)
        )
    return [CompileTime(what, cold[what], warm[what]) for what in cold]


def has_openspiel() -> bool:
    """Whether OpenSpiel is installed here."""
    return importlib.util.find_spec("pyspiel") is not None


def against_openspiel() -> list[Versus]:
    """Random play, four `random_legal` here, beside three ways in which OpenSpiel plays random hands."""
    import pyspiel

    game, four = pyspiel.load_game("spades"), four_of("random_legal")
    boards = n_boards(four, USUAL)
    found = []
    for name, loop, n in (
        ("OpenSpiel, its example in Python", _as_in_its_example, 150),
        ("OpenSpiel, the quickest loop in Python", _quick_python_loop, 1_000),
        ("OpenSpiel, its C++ loop", _cpp_loop, 5_000),
    ):
        pairs = compare(lambda: play_boards(four, USUAL, boards), lambda: loop(pyspiel, game, n))  # noqa: B023
        found.append(_versus(name, pairs, 2 * boards, n))
    return found


def _as_in_its_example(pyspiel: Any, game: Any, n: int) -> None:
    """Hands as OpenSpiel's own Python example plays them, with numpy's generator."""
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


def _quick_python_loop(pyspiel: Any, game: Any, n: int) -> None:
    """Hands with every action chosen in Python as quickly as it can be."""
    import random

    choose = random.Random(1).choice
    for _ in range(n):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))


def _cpp_loop(pyspiel: Any, game: Any, n: int) -> None:
    """Hands inside OpenSpiel's own loop over uniformly random bots."""
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(4)]
    for seed in range(n):
        pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
