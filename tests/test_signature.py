"""How every bundled strategy behaves under every preset, as one number: a change of behaviour is noticed.

A signature is the fingerprint of a strategy playing against itself on fixed boards and in fixed games.
`engine` is that of three bots of the tests, which changes only with the engine. All are recorded anew by
``python -m tests.test_signature``.
"""

import tomllib
from functools import cache
from pathlib import Path

import pytest

from spadesim.core.batch import BOARDS, PAIRS, Lineup, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.tally import fingerprint_text, merge, new_tally
from spadesim.strategy import discover, lineup, load_side, load_strategy
from spadesim.strategy.load import asked_before
from tests.core.bots import HONEST, MIXED, RANDOM, line_up
from tests.quick import quick

FILE = Path(__file__).with_suffix(".toml")
COMMAND = "python -m tests.test_signature"
ENGINE = "engine"
SEED = 1
N_BOARDS = 100
N_PAIRS = 20
STANDINGS: list[
    tuple[list[float], list[int]]
] = [  # scores, as parts of the target, and bags by side of seats
    ([0, 0, 0, 0], [0, 0, 0, 0]),
    ([0.86, -0.3, 0, 0.5], [7, 3, 0, 9]),
    ([0.94, 0.978, 0.9, 0.8], [2, 9, 5, 0]),
]


def names() -> list[str]:
    """Return the engine and every bundled strategy."""
    return [ENGINE, *(listing.name for listing in discover() if listing.package == "spadesim")]


@cache
def line_up_of(name: str, rules: Rules) -> Lineup:
    """Return a strategy against itself, or the bots that stand for the engine."""
    if name == ENGINE:
        return line_up(RANDOM, HONEST, MIXED)
    return lineup(load_side(quick(name)), load_side(quick(name)), rules)


@cache
def plays(name: str, preset: str) -> bool:
    """Whether a strategy has the functions that a table asks for."""
    return name == ENGINE or set(asked_before(PRESETS[preset])) <= set(load_strategy(name).functions)


def signature(name: str, preset: str) -> str:
    """Return the signature of a strategy, or of the engine, under a preset."""
    rules = PRESETS[preset]
    tasks = [new_task(PAIRS, SEED, 0, N_PAIRS, hand_cap=50)]
    for part, (scores, bags) in enumerate(STANDINGS):
        tasks.append(new_task(BOARDS, SEED, part * N_BOARDS, N_BOARDS))
        for side in range(rules.n_sides):
            tasks[-1]["scores"][side] = round(scores[side] * rules.target)
            tasks[-1]["bags"][side] = bags[side]
    total = new_tally()
    for task in tasks:
        tally, fault = run_chunk(line_up_of(name, rules), rules, task)
        assert fault["code"] == NO_FAULT
        merge(total, tally)
    return fingerprint_text(total[0])


def recorded() -> dict[str, dict[str, str]]:
    """Return the recorded signatures by preset and name."""
    return tomllib.loads(FILE.read_text())


@pytest.mark.compiled_only
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", names())
def test_behaviour_is_as_recorded(name: str, preset: str) -> None:
    if not plays(name, preset):
        pytest.skip("does not play at this table")
    found, expected = signature(name, preset), recorded()[preset].get(name)
    cause = "the engine plays differently" if name == ENGINE else f"{name} plays differently"
    if expected is None:
        cause = f"{name} has no recorded signature"
    assert found == expected, (
        f"Under {preset} {cause}. When that is meant, run `{COMMAND}` in the same commit, and say in "
        f"CHANGELOG.md that results change."
    )


def test_only_what_there_is_has_a_signature() -> None:
    assert list(recorded()) == list(PRESETS)
    for preset, signatures in recorded().items():
        assert set(signatures) <= set(names()), f"{preset}: run `{COMMAND}`"


def main() -> None:
    """Record all signatures."""
    lines = [f"# Written by `{COMMAND}`; a change belongs in CHANGELOG.md."]
    for preset in PRESETS:
        lines += [
            "",
            f"[{preset}]",
            *(f'{name} = "{signature(name, preset)}"' for name in names() if plays(name, preset)),
        ]
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
