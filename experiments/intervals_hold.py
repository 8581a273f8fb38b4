"""How often do the 95 % intervals of a duel hold the truth? On made-up results, 10,000 times each.

``python experiments/intervals_hold.py`` prints the table of docs/explanation/stopping.md, in a minute or two.
"""

from collections.abc import Iterator

import numpy as np
import typer

from spadesim.stats.boards import RoomSums, points_per_board
from spadesim.stats.games import win_rate
from spadesim.stats.intervals import Estimate
from spadesim.stats.proportions import RatioSums, proportion

RUNS, SEED = 10_000, 3
SCALE = 1 << 20  # win chance is counted in integers
Found = Iterator[tuple[Estimate | None, float]]


def boards(rng: np.random.Generator, n: int, runs: int, level: float, mean: float) -> Found:
    """Changes of win chance: a share of boards level, the others of a t distribution, over both rooms."""
    for _ in range(runs):
        differ = rng.random(n) >= level
        whole = np.where(differ, 0.1 * rng.standard_t(4, n) + 2 * mean / (1 - level), 0.0)
        first = np.rint(whole * SCALE * rng.random(n)).astype(np.int64)
        second = np.rint(whole * SCALE).astype(np.int64) - first
        rooms = [first.astype(float), second.astype(float)]
        sums = RoomSums(
            n,
            [int(first.sum()), int(second.sum())],
            [int((room * room).sum()) for room in rooms],
            int(((rooms[0] + rooms[1]) ** 2).sum()),
        )
        yield points_per_board(sums, 1.0, SCALE), mean


def games(rng: np.random.Generator, n: int, runs: int, shares: tuple[float, float, float]) -> Found:
    """Pairs of games lost, split and won."""
    truth = shares[1] / 2 + shares[2]
    for lost, split, won in rng.multinomial(n, shares, size=runs):
        yield win_rate([[lost, 0, split, 0], [0] * 4, [0, 0, won, 0], [0] * 4]), truth


def nils(rng: np.random.Generator, n: int, runs: int, truth: float) -> Found:
    """Nils on boards: up to four on one, which go well or badly together."""
    for _ in range(runs):
        bids = rng.binomial(4, 0.06, n)
        luck = rng.beta(4 * truth, 4 * (1 - truth), n)
        made = rng.binomial(bids, luck)
        products = ((made * made).sum(), (made * bids).sum(), (bids * bids).sum())
        sums = RatioSums(n, int(made.sum()), int(bids.sum()), *(int(x) for x in products))
        yield proportion(sums), truth


def held(found: Found) -> float:
    """The share of intervals that hold the truth."""
    inside = [estimate is not None and estimate.low <= truth <= estimate.high for estimate, truth in found]
    return float(np.mean(inside))


def main(runs: int = RUNS) -> None:
    """Print the table."""
    rng = np.random.default_rng(SEED)
    cases = {
        "win chance a board, half of 2,000 boards level": boards(rng, 2000, runs, 0.5, 0.002),
        "win chance a board, 90 % of 2,000 boards level": boards(rng, 2000, runs, 0.9, 0.001),
        "games won, 1,000 pairs, 83 % of them split": games(rng, 1000, runs, (0.08, 0.83, 0.09)),
        "games won, 1,000 pairs, one bot far ahead": games(rng, 1000, runs, (0.02, 0.28, 0.70)),
        "nils made, 500 boards": nils(rng, 500, runs, 0.75),
        "nils made, 2,000 boards": nils(rng, 2000, runs, 0.9),
    }
    print("| interval | holds the truth |\n|---|---|")
    for name, found in cases.items():
        print(f"| {name} | {100 * held(found):.1f} % |", flush=True)


if __name__ == "__main__":
    typer.run(main)
