"""What does it cost to find the best of 21 settings? A sweep against duels of their own, equally sure.

``python experiments/sweep_cost.py`` prints the figures of docs/how-to/sweep.md, in half an hour on one core.
Settings of `hard` are swept until every value is known to within some width or surely worse than the best.
Then duels are played to the same width which know nothing of each other: each value, and the baseline,
against the same opponent on deals of their own. They are given every advantage: boards of two rooms, whose
luck is evened out, which takes fewer hands than single deals; as many more boards for the baseline, of which
all differences are made, as is best; and an interval for one look at the end, where that of a sweep holds at
each of its borders. Hands are those that were played out. Last, a bot of which the best setting is known is
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

from spadesim.experiments.sweep_rates import ARMS, BEST, write_bots  # type: ignore[import-not-found]
from spadesim.match.matches import Counter, Matches, stretches
from spadesim.match.spec import make_spec
from spadesim.stats.moments import Moments
from spadesim.stats.multiple import joint_reach
from spadesim.stats.ratings import VALUE
from spadesim.strategy import load_side
from spadesim.tuning.settings import read_axis
from spadesim.tuning.sweep import sweep

Floats = npt.NDArray[np.float64]
LENGTHS = (3200, 6400, 12_800)  # boards of an arm in a sweep
APART_BOARDS, APART_PAIRS = 6000, 500  # of a duel
PILOT = 1000  # boards by which it is seen how many a duel needs


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
    """Sweep a setting of hard to a width, and play separate duels until they are as sure."""
    begun = time.process_time()
    found = sweep("hard", [axis], vs=[ref], until_width=width, confirm=0, seed=1, race=race)
    seconds = time.process_time() - begun
    settled = [arm for arm in found.arms if not arm.is_behind and not arm.is_baseline]
    widest = max(arm.gain.high - arm.gain.low for arm in settled)
    fresh = 2 * found.fresh.boards if found.fresh else 0
    print(
        f"hard, {axis}, against {ref}: {len(settled)} values to +-{50 * widest:.2f} % or less, the others "
        f"surely worse; {found.hands:,} hands in all, {fresh:,} or more of them on fresh boards; "
        f"{seconds:.1f} s of processor time"
    )
    begun = time.process_time()
    setting = read_axis(axis)
    reached, hands = play_apart([f"hard:{setting.name}={value}" for value in setting.values], ref, width)
    seconds = time.process_time() - begun
    print(
        f"    duels on deals of their own: {len(setting.values)} values to +-{100 * reached:.2f} % or less; "
        f"{hands:,} hands, x{hands / found.hands:.1f}; {seconds:.1f} s of processor time",
        flush=True,
    )


def play_apart(sides: Sequence[str], ref: str, width: str) -> tuple[float, int]:
    """Play duels on deals of their own until all differences to hard are known to a width together.

    Parameters
    ----------
    sides : sequence of str
        Of which one is hard itself, which is played once.
    ref : str
    width : str
        In win chance, such as ``0.6%``.

    Returns
    -------
    tuple of float, int
        Half the width of the widest interval, and the hands of all duels.
    """
    half = float(width.removesuffix("%")) / 200
    counter, baseline = Counter(0, None), str(load_side("hard"))
    texts = [baseline, *(text for text in map(str, map(load_side, sides)) if text != baseline)]
    duels = [Apart(text, ref, 1000 + number, counter) for number, text in enumerate(texts)]
    root = math.sqrt(len(duels) - 1)
    # The baseline's luck is in all differences; its share of each one's variance is 1 / (1 + root).
    shared = 1 / (1 + root)
    correlation = shared + (1 - shared) * np.eye(len(duels) - 1)
    reach = joint_reach(correlation, [PILOT], PILOT - 1)
    shares = [shared, *[1 - shared] * (len(duels) - 1)]
    while True:
        variances = [duel.moments.variance / duel.moments.n for duel in duels]
        widest = reach * math.sqrt(variances[0] + max(variances[1:]))
        if widest <= half:
            return widest, counter.hands
        for duel, share in zip(duels, shares, strict=True):
            wanted = math.ceil(duel.moments.variance / (share * (half / reach) ** 2))
            duel.play(max(wanted + 1, duel.moments.n))


class Apart:
    """A duel on deals of its own that can go on, from a pilot."""

    def __init__(self, side: str, ref: str, seed: int, counter: Counter) -> None:
        sides = load_side(side), load_side(ref)
        spec = make_spec(side, ref, boards=PILOT, seed=seed)
        self.matches = Matches([spec], [sides], 1, None, counter)
        self.moments = Moments()
        self.play(PILOT)

    def play(self, boards: int) -> None:
        """Play on until it has so many boards."""
        for first, size in stretches(self.moments.n, boards - self.moments.n):
            self.moments += Moments.of(self.matches.play_one(0, first, size)[:, VALUE])


def main(seeds: int = 100) -> None:
    """Print both comparisons."""
    wide, near, few = "nil_odds=-1200:800:100", "nil_odds=-400:0:20", "queen_backed=0:8:1"
    for axis, width in ((wide, "0.6%"), (wide, "0.3%"), (near, "0.3%"), (few, "0.3%")):
        for ref in ("yardstick", "medium"):
            to_width(axis, ref, width)
    to_width(wide, "yardstick", "0.6%", race=False)
    with tempfile.TemporaryDirectory() as folder:
        _, bot = write_bots(Path(folder))
        compare(bot, range(1, seeds + 1))


if __name__ == "__main__":
    typer.run(main)
