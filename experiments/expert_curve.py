"""What more worlds are worth to expert, and how well it fares against bots that do not bid like its model.

``python experiments/expert_curve.py`` prints the two tables of docs/explanation/expert.md: the change of win
chance a board against hard by the number of sampled worlds, and against other bots. Speeds are hands a second
of processor time, at a table of two experts and two others.
"""

import time
from typing import Annotated

import typer

from spadesim.match import duel
from spadesim.stats.intervals import Estimate

SEED = 2026
WORLDS = (5, 10, 20, 50, 100, 200, 400)
FIELD = ("hard", "hard:rounding=2", "pata_hard", "yardstick", "medium")


def measure(bot: str, other: str, boards: int, seed: int = SEED) -> tuple[Estimate, float]:
    """The change of win chance a board, and hands a second of processor time."""
    duel(bot, other, boards=1, seed=seed)  # so that nothing is compiled later on
    begun = time.process_time()
    found = duel(bot, other, boards=boards, seed=seed).win_chance_per_board
    assert found is not None
    return found, 2 * boards / (time.process_time() - begun)


def _line(name: str, found: Estimate, speed: float) -> str:
    chance = found.scaled(100)
    return f"| {name} | {chance.mean:+.2f} % ({chance.low:+.2f} to {chance.high:+.2f}) | {speed:,.0f} |"


def main(
    boards: Annotated[int, typer.Option(help="Boards for each row; from 200 worlds on half as many.")] = 2000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = SEED,
    most: Annotated[int, typer.Option(help="The highest number of worlds.")] = WORLDS[-1],
) -> None:
    """Print a row for each number of worlds, then one for each other bot."""
    print("| worlds | win chance a board, against hard | hands/s |\n|---|---|---|")
    for worlds in WORLDS:
        if worlds <= most:
            bot, n = f"expert:worlds={worlds},bid_worlds={worlds}", boards if worlds < 200 else boards // 2
            print(_line(str(worlds), *measure(bot, "hard", max(2, n), seed)), flush=True)
    print("\n| against | win chance a board | hands/s |\n|---|---|---|")
    for other in FIELD:
        print(_line(f"`{other}`", *measure("expert", other, boards, seed)), flush=True)


if __name__ == "__main__":
    typer.run(main)
