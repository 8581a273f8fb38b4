"""Does a tuning find what is there, and claim nothing that is not? Tunes bots of known truth, and counts.

``python experiments/tune_finds.py`` takes a quarter of an hour of one core. Two bots are tuned that bid too
much by mistake. One does so the more often, the further its two parameters are from known values; a tuning
counts as found when both come close. The other draws its mistakes by another number for every value of its
parameter: candidates differ on most boards, and none is any better. Any gain claimed there is a false one.
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import typer

from spadesim.tuning.tune import tune
from spadesim.tuning.tune_result import TuneResult

HEAD = '''"""A bot that bids two tricks, or five by mistake."""

from spadesim.core.cards import lowest
from spadesim.core.view import uniform
from spadesim.strategy import Parameter, jit, parameters


@jit
def play(view, p):
    """The lowest card."""
    return lowest(view.legal)


'''
HILL = '''PARAMETERS = parameters(
    Parameter("risk", 0.9, low=0, high=1, used_by="bid", meaning="best at 0.3"),
    Parameter("step", 1, low=0, high=10, used_by="bid", meaning="best at 7"),
)


@jit
def bid(view, p):
    """The more mistakes, the further off."""
    risk, step = p[0] - 0.3, (p[1] - 7) / 10
    return 5 if uniform(view, 0) < risk * risk + step * step else 2
'''
PLAIN = '''PARAMETERS = parameters(
    Parameter("salt", 0, low=0, high=999, used_by="bid", meaning="which mistakes"),
)


@jit
def bid(view, p):
    """As many mistakes with any number."""
    return 5 if uniform(view, int(p[0])) < 0.2 else 2
'''
RISK, STEP = 0.15, 1  # how close is close: there the bot errs in 3 of 100 bids at the most


@dataclass(frozen=True)
class Count:
    """What many tunings came to.

    Parameters
    ----------
    runs, hits : int
        Tunings, and those that found what was there, or claimed what was not.
    seconds : float
        Processor time of one, the mean.
    """

    runs: int
    hits: int
    seconds: float


def is_found(result: TuneResult) -> bool:
    """Whether a tuning of the first bot came close, and says so."""
    found = {one.name: float(one.found) for one in result.parameters}
    return result.is_gain and abs(found["risk"] - 0.3) <= RISK and abs(found["step"] - 7) <= STEP


def count(play: Callable[[int], TuneResult], is_hit: Callable[[TuneResult], bool], runs: int) -> Count:
    """Tune with so many seeds, and count."""
    play(0)  # compiled by now
    begun = time.process_time()
    hits = sum(is_hit(play(seed)) for seed in range(1, runs + 1))
    return Count(runs, hits, (time.process_time() - begun) / runs)


def finds(folder: Path, sampler: str, budget: str, runs: int) -> Count:
    """How often a sampler finds the known best values."""
    bot = _written(folder / "hill.py", HEAD + HILL)
    return count(
        lambda seed: tune(bot, "risk", "step", budget=budget, sampler=sampler, confirm=0, seed=seed),
        is_found,
        runs,
    )


def claims(folder: Path, budget: str, runs: int) -> Count:
    """How often a gain is claimed where there is none."""
    bot = _written(folder / "plain.py", HEAD + PLAIN)
    return count(
        lambda seed: tune(bot, "salt", budget=budget, confirm=0, seed=seed), lambda found: found.is_gain, runs
    )


def _written(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    return str(file)


def main(runs: int = 100, nulls: int = 400) -> None:
    """Count for every sampler, then where there is nothing to find."""
    with tempfile.TemporaryDirectory() as folder:
        for sampler in ("tpe", "cmaes", "qmc", "spsa"):
            found = finds(Path(folder), sampler, "60k-boards", runs)
            print(f"{sampler:6} found {found.hits} of {found.runs}, {found.seconds:.1f} s each", flush=True)
        none = claims(Path(folder), "10k-boards", nulls)
        print(f"claimed a gain where there is none: {none.hits} of {none.runs}, {none.seconds:.1f} s each")


if __name__ == "__main__":
    typer.run(main)
