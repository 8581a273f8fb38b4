"""Short runs, to be played in one way and another; ``python -m tests.core.runs`` prints what they give."""

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from spadesim.core.batch import BOARDS, PAIRS, Lineup, new_task, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.tally import fingerprint_text
from spadesim.core.weakness import N_WEAKNESSES
from spadesim.strategy import lineup, load_side
from tests.core.bots import HONEST, MIXED, RANDOM, line_up

SEED = 20


def few_runs() -> Iterator[tuple[str, Lineup, Rules, Any]]:
    """Give each run's name, line-up, rules and task."""
    sides = load_side("lowest_card"), load_side("random_legal")
    for name, rules in PRESETS.items():
        boards = new_task(BOARDS, SEED, 0, 3)
        n = rules.n_sides
        boards["scores"][:n], boards["bags"][:n] = [200, -150, 90, 0][:n], [3, 9, 0, 5][:n]
        yield f"{name}, boards", line_up(RANDOM, HONEST, MIXED), rules, boards
        yield f"{name}, bundled", lineup(*sides, rules), rules, boards
        yield (
            f"{name}, games",
            line_up(RANDOM, RANDOM, MIXED),
            rules,
            new_task(PAIRS, SEED, 63, 2, hand_cap=5),
        )
    weak = line_up(RANDOM, HONEST, MIXED)._replace(weaknesses=np.full((4, N_WEAKNESSES), 0.5))
    for name in ("pata", "draw500"):
        yield f"{name}, weak", weak, PRESETS[name], new_task(BOARDS, SEED, 63, 3)


def results() -> dict[str, list[str]]:
    """Return each run's fingerprint and the digest of its tally."""
    found = {}
    for name, bots, rules, task in few_runs():
        tally, fault = run_chunk(bots, rules, task)
        assert fault["code"] == NO_FAULT
        found[name] = [fingerprint_text(tally[0]), hashlib.sha256(tally.tobytes()).hexdigest()]
    return found


if __name__ == "__main__":
    print(json.dumps(results()))
