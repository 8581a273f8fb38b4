"""What does it cost to find the best of 21 settings? A sweep against duels of their own, equally sure.

``python experiments/sweep_cost.py`` prints the figures of docs/how-to/sweep.md, in half an hour on one core.
`hard` is swept until every value is known to within 0.3 % of win chance, and the hands are counted that
separate duels would take for that. Then a bot of which the best setting is known is swept again and again
with other seeds, with ever more boards, until 95 of 100 sweeps find it within a step. Duels that know nothing
of each other, each setting against the baseline on deals of its own, are given ten times as many hands.
"""

import math
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.core.equity import EQUITY_ONE
from spadesim.experiments.sweep_rates import ARMS, BEST, write_bots  # type: ignore[import-not-found]
from spadesim.match.duel import play_duel
from spadesim.match.matches import Counter, Matches
from spadesim.match.spec import make_spec
from spadesim.stats.multiple import joint_reach
from spadesim.stats.ratings import VALUE
from spadesim.strategy import load_side
from spadesim.tuning.sweep import sweep

Floats = npt.NDArray[np.float64]
LADDER = (3200, 6400, 12_800, 25_600)
SURE = 0.95
TIMES = 10  # as many hands for separate duels


def by_sweep(bot: str, boards: int, seed: int, race: bool = True) -> tuple[int, int]:
    """The value that a sweep chooses, and the hands that its race played."""
    found = sweep(bot, [f"aim=0:{ARMS - 1}:1"], boards=boards, confirm=0, seed=seed, workers=1, race=race)
    best = max((arm for arm in found.arms if not arm.is_behind), key=lambda arm: arm.gain.mean)
    return int(best.settings["aim"]), 2 * sum(arm.boards for arm in found.arms)


def by_duels(bot: str, units: int, seed: int, is_games: bool) -> tuple[int, int]:
    """The value that duels choose which play each setting on deals of its own, and the hands of all."""
    sides = [load_side(f"{bot}:aim={k}") for k in range(ARMS)]
    baseline = load_side(bot)
    length: dict[str, Any] = {"games": 2 * units} if is_games else {"boards": units}
    counter = Counter(0, None)
    means = []
    for arm, side in enumerate(sides):
        spec = make_spec(str(side), str(baseline), seed=1000 * seed + arm, **length)
        spec = replace(spec, skips=False)
        found = Matches([spec], [(side, baseline)], 1, None, counter).play_one(0, 0, units)
        means.append(float(found[:, VALUE].mean()))
    return int(np.argmax(means)), counter.hands


def found_best(
    name: str, choose: Callable[[int], tuple[int, int]], seeds: Sequence[int]
) -> tuple[float, float]:
    """The share of seeds for which the best value is found within a step, and the hands of one search."""
    near, hands = 0, 0
    for seed in seeds:
        value, played = choose(seed)
        near, hands = near + (abs(value - BEST) <= 1), hands + played
    print(f"{name}: {near} of {len(seeds)}, {hands / len(seeds):,.0f} hands", flush=True)
    return near / len(seeds), hands / len(seeds)


def compare(bot: str, seeds: Sequence[int]) -> None:
    """Print how often each way finds the best value, and at what cost."""
    hands = 0.0
    for boards in LADDER:
        share, hands = found_best(f"sweep, {boards:,} boards", partial(by_sweep, bot, boards), seeds)
        if share >= SURE:
            break
    units = int(TIMES * hands / (2 * ARMS))
    on_boards = partial(by_duels, bot, units, is_games=False)
    found_best(f"separate duels on boards, {units:,}", on_boards, seeds)
    _, a_pair = by_duels(bot, 50, 1, is_games=True)
    pairs = int(TIMES * hands * 50 / a_pair)
    over_games = partial(by_duels, bot, pairs, is_games=True)
    found_best(f"separate duels of {2 * pairs:,} games", over_games, seeds)


def to_width(values: Sequence[str], width: str, seed: int, race: bool) -> None:
    """Sweep a setting of hard to a width, and print what as many separate duels would take."""
    begun = time.process_time()
    found = sweep(
        "hard", [f"nil_odds={','.join(values)}"], until_width=width, confirm=0, seed=seed, race=race
    )
    seconds = time.process_time() - begun
    settled = [arm for arm in found.arms if not arm.is_behind and not arm.is_baseline]
    widest = max(arm.gain.high - arm.gain.low for arm in settled)
    hands = 2 * sum(arm.boards for arm in found.arms)
    print(
        f"hard, {len(values)} values of nil_odds: {len(settled)} to +-{50 * widest:.2f} % or less, "
        f"the others surely worse; {hands:,} hands of the race, {found.hands:,} in all, {seconds:.1f} s "
        "of processor time"
    )
    apart = on_deals_of_their_own(values, 2000, seed)
    n = (joint_reach(np.eye(len(apart)), [1000], 1e6) * apart / (float(width.removesuffix("%")) / 200)) ** 2
    print(
        f"on deals of its own, one hand a deal, what a hand says has a spread of {100 * apart.mean():.1f} %: "
        f"{len(apart)} duels take {n.sum():,.0f} hands, x{n.sum() / hands:.0f}"
    )


def on_deals_of_their_own(values: Sequence[str], boards: int, seed: int) -> Floats:
    """The spread of what one hand on a deal of its own says of each value, in win chance.

    Returns
    -------
    float64 array of shape (values,)
    """
    found = []
    for value in values:
        if f"nil_odds={value}" == "nil_odds=300":
            continue  # the baseline, which no duel is needed for
        spec = make_spec(f"hard:nil_odds={value}", "hard", boards=boards, seed=seed)
        tally = play_duel(replace(spec, skips=False)).tally
        squares = float(tally["equity_squares"][0]) / boards
        found.append(math.sqrt(squares - (float(tally["equity"][0]) / boards) ** 2) / EQUITY_ONE)
    return np.array(found)


def main(seeds: int = 100) -> None:
    """Print both comparisons."""
    for race in (True, False):
        to_width([str(k) for k in range(-700, 1301, 100)], "0.6%", 1, race)
    with tempfile.TemporaryDirectory() as folder:
        _, bot = write_bots(Path(folder))
        compare(bot, range(1, seeds + 1))


if __name__ == "__main__":
    typer.run(main)
