"""How often a calibrated side is as strong as was asked for, over seeds.

Each seed aims with deals of its own. What the side found is then worth is told by two sets of games: the
fresh ones that the calibration itself ends with, and a long duel on the deals of a seed that nobody has used.

    python experiments/calibrate_seeds.py
    python experiments/calibrate_seeds.py --seeds 5 --games 20000
"""

import argparse
import time
from dataclasses import dataclass

from spadesim.match.duel import duel
from spadesim.tuning.calibrate import calibrate

TARGET, WITHIN = 0.65, 0.02
TRUTH_SEED = 1_000_000


@dataclass(frozen=True)
class Case:
    """A side, the setting by which it is to be made 65 % strong, and against whom."""

    side: str
    parameter: str
    vs: str


CASES = (
    Case("hard", "blunder", "medium"),
    Case("medium", "blunder", "easy"),
    Case("hard", "timid", "medium"),
    Case("medium+hard", "higher.blunder", "medium"),
    Case("easy+hard", "blunder", "easy"),
)


def one(case: Case, seed: int, games: int) -> tuple[bool, bool, float, int, float]:
    """Whether fresh games showed it, whether the long duel agrees, its rate, the games and the seconds."""
    began = time.process_time()
    found = calibrate(case.side, case.parameter, case.vs, TARGET, within=WITHIN, seed=seed)
    seconds = time.process_time() - began
    truth = duel(found.calibrated, case.vs, games=games, seed=TRUTH_SEED + seed).win_rate_a
    assert truth is not None
    is_true = abs(truth.mean - TARGET) < WITHIN
    return found.is_within, is_true, truth.mean, found.games_searched + found.games, seconds


def main() -> None:
    """Print a line for each case."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--games", type=int, default=60_000, help="of the long duel")
    parser.add_argument("--case", type=int, choices=range(len(CASES)), help="one alone, from 0")
    options = parser.parse_args()
    print(f"to {100 * TARGET:g} ± {100 * WITHIN:g} %, {options.seeds} seeds")
    print("| side | setting | against | shown by fresh games | true | long duels, % | games | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    for case in CASES if options.case is None else [CASES[options.case]]:
        found = [one(case, seed, options.games) for seed in range(1, options.seeds + 1)]
        shown, true = (sum(line[k] for line in found) for k in (0, 1))
        rates = [100 * line[2] for line in found]
        games, seconds = (sum(line[k] for line in found) / len(found) for k in (3, 4))
        long_duels = f"{min(rates):.1f} to {max(rates):.1f}"
        cells = [case.side, case.parameter, case.vs, f"{shown} of {len(found)}", f"{true} of {len(found)}"]
        print(f"| {' | '.join([*cells, long_duels, f'{games:,.0f}', f'{seconds:.1f}'])} |", flush=True)


if __name__ == "__main__":
    main()
