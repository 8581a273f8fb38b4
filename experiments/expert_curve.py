"""What more worlds are worth to expert, and how well it fares against bots that do not bid like its model.

``python experiments/expert_curve.py`` prints the two tables of docs/explanation/expert.md: the change of win
chance a board against hard by the number of sampled worlds, and against other bots; `--plot` draws the first.
Speeds are hands a second of processor time, at a table of two experts and two others.
"""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spadesim.match import duel
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SEED = 2026
WORLDS = (5, 10, 20, 50, 100, 200, 400)
PUBLIC = ("bis_bids", "cats_bids", "ggz_bids", "mreishus_bids", "trickster_bids")
FIELD = (
    *(f"hard:bidder={bidder}" for bidder in PUBLIC), "pata_hard", "yardstick", "medium", "easy",
)  # fmt: skip


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


def draw(found: dict[int, Estimate]) -> "Figure":
    """The picture of the curve: the change of win chance by the number of worlds, with its intervals.

    Parameters
    ----------
    found : dict of int to Estimate
        By number of worlds, shares of 1.
    """
    from spadesim.analysis.look import INK, SIDES, new_figure

    figure, axes = new_figure(2.9)
    worlds = list(found)
    chances = [estimate.scaled(100) for estimate in found.values()]
    axes.plot(worlds, [chance.mean for chance in chances], color=INK, marker="o")
    axes.vlines(
        worlds, [chance.low for chance in chances], [chance.high for chance in chances], color=SIDES[0]
    )
    axes.set_xscale("log")
    axes.set_xticks(worlds, [str(n) for n in worlds])
    axes.minorticks_off()
    axes.set_ylim(0, None)
    axes.set_xlabel("deals sampled for a decision")
    axes.set_ylabel("win chance a board, %")
    axes.grid(axis="y")
    return figure


def save(found: dict[int, Estimate], plot: Path) -> None:
    """Draw the curve into a file."""
    from matplotlib import rc_context

    from spadesim.analysis.look import STYLE

    with rc_context(STYLE):  # type: ignore[arg-type]
        draw(found).savefig(plot, facecolor="white", metadata={"Date": None})


def main(
    boards: Annotated[
        int, typer.Option(help="Boards for each row; above 100 worlds in proportion fewer.")
    ] = 2000,
    seed: Annotated[int, typer.Option(help="Which deals.")] = SEED,
    most: Annotated[int, typer.Option(help="The highest number of worlds.")] = WORLDS[-1],
    plot: Annotated[Path | None, typer.Option(help="Draw the curve into this SVG file.")] = None,
) -> None:
    """Print a row for each number of worlds, then one for each other bot."""
    print("| worlds | win chance a board, against hard | hands/s |\n|---|---|---|")
    curve = {}
    for worlds in WORLDS:
        if worlds <= most:
            bot, n = f"expert:worlds={worlds},bid_worlds={worlds}", boards * 100 // max(worlds, 100)
            curve[worlds], speed = measure(bot, "hard", max(2, n), seed)
            print(_line(str(worlds), curve[worlds], speed), flush=True)
    if plot is not None:
        save(curve, plot)
    print("\n| against | win chance a board | hands/s |\n|---|---|---|")
    for other in FIELD:
        print(_line(f"`{other}`", *measure("expert", other, boards, seed)), flush=True)


if __name__ == "__main__":
    typer.run(main)
