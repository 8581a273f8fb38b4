"""What does it cost to find the best of 21 settings? A sweep against duels of their own, equally sure.

``python experiments/sweep_cost.py`` prints the figures of docs/how-to/sweep.md, in half an hour on one core.
Settings of `hard` are swept until every value is known to within some width or surely worse than the best,
and the hands are counted that duels would take for that which know nothing of each other: each value, and the
baseline, against the same opponent on deals of their own. Then a bot of which the best setting is known is
swept with many seeds, and the same is tried with separate duels.
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
from spadesim.tuning.settings import read_axis
from spadesim.tuning.sweep import sweep

Floats = npt.NDArray[np.float64]
LENGTHS = (3200, 6400, 12_800)  # boards of an arm in a sweep
APART_BOARDS, APART_PAIRS = 6000, 500  # of a duel


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
    for boards in LENGTHS:
        found_best(f"sweep, {boards:,} boards", partial(by_sweep, bot, boards), seeds)
    on_boards = partial(by_duels, bot, APART_BOARDS, is_games=False)
    found_best(f"separate duels on {APART_BOARDS:,} boards", on_boards, seeds)
    over_games = partial(by_duels, bot, APART_PAIRS, is_games=True)
    found_best(f"separate duels of {2 * APART_PAIRS:,} games", over_games, seeds)


def to_width(axis: str, ref: str, width: str, race: bool = True) -> None:
    """Sweep a setting of hard to a width, and print what as many separate duels would take for that."""
    begun = time.process_time()
    name, values = read_axis(axis).name, read_axis(axis).values
    found = sweep("hard", [axis], vs=[ref], until_width=width, confirm=0, seed=1, race=race)
    seconds = time.process_time() - begun
    settled = [arm for arm in found.arms if not arm.is_behind and not arm.is_baseline]
    widest = max(arm.gain.high - arm.gain.low for arm in settled)
    hands = 2 * (sum(arm.boards for arm in found.arms) + max(arm.boards for arm in found.arms))
    print(
        f"hard, {axis}, against {ref}: {len(settled)} values to +-{50 * widest:.2f} % or less, the others "
        f"surely worse; {hands:,} hands of the race, {found.hands:,} in all, {seconds:.1f} s of processor"
        " time"
    )
    spreads = np.array(
        [on_deals_of_their_own(f"hard:{name}={value}", ref, k) for k, value in enumerate(values)]
    )
    baseline = on_deals_of_their_own("hard", ref, len(values))
    half = float(width.removesuffix("%")) / 200
    reach = joint_reach(0.5 + 0.5 * np.eye(len(values) - 1), [1000], 1e6)  # the baseline's luck is common
    n = (reach * np.sqrt(spreads**2 + baseline**2) / half) ** 2
    print(
        f"    on deals of their own, what a hand says has a spread of {100 * spreads.mean():.1f} %: "
        f"{len(values)} duels take {n.sum():,.0f} hands for +-{100 * half:.1f} %, x{n.sum() / hands:.1f}"
    )


def on_deals_of_their_own(side: str, ref: str, seed: int, boards: int = 4000) -> float:
    """The spread of what one hand on a deal of its own says of a side, in win chance."""
    spec = make_spec(side, ref, boards=boards, seed=1000 + seed)
    tally = play_duel(spec).tally
    squares, mean = float(tally["equity_squares"][0]) / boards, float(tally["equity"][0]) / boards
    return math.sqrt(squares - mean**2) / EQUITY_ONE


def main(seeds: int = 100) -> None:
    """Print both comparisons."""
    wide, near = "nil_odds=-1200:800:100", "nil_odds=-400:0:20"
    for axis, width in ((wide, "0.6%"), (wide, "0.3%"), (near, "0.3%")):
        for ref in ("yardstick", "medium"):
            to_width(axis, ref, width)
    to_width(wide, "yardstick", "0.6%", race=False)
    with tempfile.TemporaryDirectory() as folder:
        _, bot = write_bots(Path(folder))
        compare(bot, range(1, seeds + 1))


if __name__ == "__main__":
    typer.run(main)
