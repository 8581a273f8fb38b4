"""The checks of ``spadesim selftest``: what each compares, and what it has seen."""

# mypy: allow-untyped-calls

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from spadesim import rulebook
from spadesim.core.batch import BOARDS, new_task, run_chunk
from spadesim.core.rng import RNG_NAME, philox, splitmix
from spadesim.core.rules import PRESETS, Rules
from spadesim.errors import UserError
from spadesim.selftest.agreement import OracleError, play_game
from spadesim.strategy import discover, lineup, load_side

N_NULL_BOARDS = 2_000
N_PLAYED_OUT_BOARDS = 20  # of a bot with a model, which plays every choice out
N_ORACLE_GAMES = 60
FURTHER_RULES = ("pata:blind_nil=always", "cutthroat3:blind_nil=behind")  # no preset deals and has blind nils

# The published answers of Random123's kat_vectors for philox4x32-10: counter and key of zeros, and of ones.
PHILOX_ANSWERS = {
    0x00000000: (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8),
    0xFFFFFFFF: (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD),
}
# The first numbers of key 1234567, as splitmix64.c by Vigna prints them.
SPLITMIX_ANSWERS = (6457827717110365317, 3203168211198807973, 9817491932198370423)


class CheckError(Exception):
    """A check has failed; the text says how."""


@dataclass(frozen=True)
class Outcome:
    """What came of one check.

    Parameters
    ----------
    name : str
        What is checked.
    passed : bool
    detail : str
        What was seen, or what is wrong.
    seconds : float
    """

    name: str
    passed: bool
    detail: str
    seconds: float


def random_numbers() -> str:
    """Both generators give their published numbers."""
    for word, answer in PHILOX_ANSWERS.items():
        found = tuple(int(x) for x in philox(*(np.uint64(word) for _ in range(6))))
        if found != answer:
            raise CheckError(f"{RNG_NAME} gives {found} for words of {word:#x}, not {answer}")
    for n, number in enumerate(SPLITMIX_ANSWERS):
        if int(splitmix(1234567, n)) != number:
            raise CheckError(f"splitmix64 gives {int(splitmix(1234567, n))} as number {n}, not {number}")
    return "philox4x32-10 and splitmix64 give their published numbers"


def null_duels() -> str:
    """Every bundled bot scores exactly 0 against itself, on every board, card by card."""
    names, n_boards = [listing.name for listing in discover()], 0
    for name in names:
        side = load_side(name)
        boards = N_NULL_BOARDS if side.lower.model is None else N_PLAYED_OUT_BOARDS
        tallies, _ = run_chunk(lineup(side, side), Rules(), new_task(BOARDS, 1, 0, boards))
        n = boards - int(tallies[0]["identical"])
        if n > 0:
            raise CheckError(f"{name} against itself: {n} of {boards} boards were not played alike")
        n_boards += boards
    return f"{len(names)} strategies against themselves: {n_boards:,} boards, all played alike, 0 to 0"


def oracle_games() -> str:
    """A slow engine of lists and words agrees with the compiled one at every step of random games."""
    seen: Counter[str] = Counter()
    names = [*PRESETS, *FURTHER_RULES]
    for number in range(N_ORACLE_GAMES):
        name = names[number % len(names)]
        try:
            play_game(Rules.parse(name), number, np.random.default_rng(number), seen)
        except OracleError as error:
            raise CheckError(f"game {number} under {name}: {error}") from None
    tables = f"{N_ORACLE_GAMES} games of two, three and four players, {seen['hands']} hands"
    return f"{tables}: the slow engine in words agrees at every step"


def worked_examples() -> str:
    """The bundled worked examples of the rules hold."""
    try:
        report = rulebook.check_examples(rulebook.read_examples())
    except UserError as error:
        raise CheckError(str(error)) from None
    if not report.passed:
        raise CheckError(f"{report} The first: {report.complaints[0]}")
    return str(report).removesuffix(".")


CHECKS: dict[str, Callable[[], str]] = {
    "random numbers": random_numbers,
    "worked examples": worked_examples,
    "oracle games": oracle_games,
    "null duels": null_duels,
}


def selftest(begun: Callable[[str], None] | None = None) -> Iterator[Outcome]:
    """Run the checks one after another; the outcome of each comes when it is done.

    Parameters
    ----------
    begun : function of str, optional
        Told the name of each check before it is run.
    """
    for name, check in CHECKS.items():
        if begun is not None:
            begun(name)
        began = perf_counter()
        try:
            passed, detail = True, check()
        except CheckError as error:
            passed, detail = False, str(error)
        yield Outcome(name, passed, detail, perf_counter() - began)
