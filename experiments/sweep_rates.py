"""How often does a sweep fool us? Claims where there is nothing to claim, and optima that are missed.

``python experiments/sweep_rates.py`` prints the figures of docs/how-to/sweep.md, in half an hour on one
core. Two bots are made for it: one whose setting changes nothing but which random cards it plays, so that all
arms differ on boards and none is stronger; and one that plays the worse the further its setting is from the
value known to be best.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import typer

from spadesim.stats.moments import Moments
from spadesim.tuning.claims import estimate, is_sure
from spadesim.tuning.race import Race, RacePlan
from spadesim.tuning.sweep import sweep
from spadesim.tuning.swept import SweepResult

ARMS = 21
BEST = 13
HEAD = '''"""A bot made for an experiment."""

from spadesim.core.cards import lowest, popcount
from spadesim.core.view import uniform_below
from spadesim.strategies import easy
from spadesim.strategy import Parameter, jit, parameters

EASY_DEFAULTS = easy.PARAMETERS.defaults
PARAMETERS = parameters(Parameter("aim", {default}, low=0, high=20, used_by="play", meaning="{meaning}"))
P = PARAMETERS.index


@jit
def bid(view, p):
    return easy.bid(view, EASY_DEFAULTS)


@jit
def play(view, p):
'''
LUCKY = """    cards = view.legal
    for _ in range(uniform_below(view, int(p[P.AIM]), popcount(cards))):
        cards &= cards - 1
    return lowest(cards)
"""
PEAKED = """    if uniform_below(view, 0, 100) < 2 * abs(int(p[P.AIM]) - 13):
        return lowest(view.legal)
    return easy.play(view, EASY_DEFAULTS)
"""


def write_bots(folder: Path) -> tuple[str, str]:
    """Write both bots into a folder, and return their paths: the lucky one and the one with an optimum."""
    bots = {"lucky": (10, "which random cards", LUCKY), "peaked": (6, "best at 13", PEAKED)}
    for name, (default, meaning, body) in bots.items():
        text = HEAD.format(default=default, meaning=meaning) + body
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return str(folder / "lucky.py"), str(folder / "peaked.py")


def sweep_of(bot: str, seed: int, boards: int) -> SweepResult:
    """One sweep of all 21 values."""
    return sweep(bot, ["aim=0:20:1"], boards=boards, confirm=0, seed=seed, workers=1)


def claims(bot: str, seeds: Sequence[int], boards: int) -> tuple[int, int]:
    """Sweeps of a bot that claim a gain, and sweeps of which an arm's joint interval leaves out its 0."""
    better = missed = 0
    for seed in seeds:
        found = sweep_of(bot, seed, boards)
        better += found.better
        missed += any(not arm.gain.low <= 0 <= arm.gain.high for arm in found.arms)
    return better, missed


def distances(bot: str, seeds: Sequence[int], boards: int) -> list[int]:
    """How far from the best value each sweep's winner is."""
    found = [sweep_of(bot, seed, boards) for seed in seeds]
    return [abs(int(one.best.settings["aim"]) - BEST) if one.best else ARMS for one in found]


def drawn(rng: np.random.Generator, boards: int, alike: float, differing: float) -> npt.NDArray[np.float64]:
    """Gains of arms without a true gain: correlated, and 0 on most boards, as those of close settings are."""
    common = rng.standard_t(4, boards)
    own = rng.standard_t(4, (ARMS, boards))
    values = np.sqrt(alike) * common + np.sqrt(1 - alike) * own
    return np.where(rng.random((ARMS, boards)) < differing, values, 0.0)


def drawn_claims(
    runs: int, boards: int, alike: float, differing: float, width: float | None = None, seed: int = 1
) -> tuple[float, float]:
    """Shares of races over drawn values that claim a gain on fresh boards, and that leave out a 0."""
    rng, better, missed = np.random.default_rng(seed), 0, 0
    for _ in range(runs):
        values = drawn(rng, 2 * boards, alike, differing)

        def play(
            arms: Sequence[int], first: int, size: int, values: npt.NDArray[np.float64] = values
        ) -> npt.NDArray[np.float64]:
            return values[np.asarray(arms) - 1, first : first + size]

        race = Race(RacePlan(ARMS, boards, width=width, limit=50.0), play)
        race.run()
        missed += any(not one.low <= 0 <= one.high for one in race.gains())
        if winner := race.winner():
            fresh = Moments.of(play([winner], race.boards, int(race.sums.boards[winner]))[0])
            gain = estimate(fresh, 50.0)
            better += gain.mean > 0 and is_sure(fresh, gain)
    return better / runs, missed / runs


def kept_shares(
    runs: int, boards: int, alike: float, differing: float, width: float | None = None, seed: int = 1
) -> tuple[float, float]:
    """How often an arm that is as good as the best may be best, where all are: the mean and the least.

    All of the arms and the baseline are without a true gain, which is where the best one is easiest to lose.
    """
    rng, kept = np.random.default_rng(seed), np.zeros(ARMS + 1)
    for _ in range(runs):
        values = drawn(rng, boards, alike, differing)

        def play(
            arms: Sequence[int], first: int, size: int, values: npt.NDArray[np.float64] = values
        ) -> npt.NDArray[np.float64]:
            return values[np.asarray(arms) - 1, first : first + size]

        race = Race(RacePlan(ARMS, boards, width=width, limit=50.0), play)
        race.run()
        kept[race.not_worse()] += 1
    return float(kept.mean()) / runs, float(kept.min()) / runs


KINDS = ((0.5, 1.0, None), (0.9, 0.3, None), (0.0, 0.02, None), (0.5, 0.5, 0.5))  # of drawn values


def main(runs: int = 1000, seeds: int = 100, boards: int = 1600) -> None:
    """Print all shares."""
    for alike, differing, width in KINDS:
        better, missed = drawn_claims(runs, 2000, alike, differing, width)
        print(
            f"drawn, alike {alike}, differing {differing}, {'width' if width else 'budget'}: false claims "
            f"{100 * better:.1f} %, a joint interval without its 0 in {100 * missed:.1f} % of {runs}"
        )
        mean, least = kept_shares(runs, 2000, alike, differing, width)
        print(f"as good as the best, and may be best: {100 * mean:.1f} %, the least {100 * least:.1f} %")
    with tempfile.TemporaryDirectory() as folder:
        lucky, peaked = write_bots(Path(folder))
        better, missed = claims(lucky, range(1, runs + 1), boards)
        print(
            f"played without an optimum: false claims {100 * better / runs:.1f} %, a joint interval without "
            f"its 0 in {100 * missed / runs:.1f} % of {runs}"
        )
        for size in (boards, 20_000):
            far = distances(peaked, range(1, seeds + 1), size)
            near = sum(distance <= 1 for distance in far)
            print(f"{size:,} boards, optimum within 1 step: {near} of {seeds}; exactly: {far.count(0)}")


if __name__ == "__main__":
    typer.run(main)
