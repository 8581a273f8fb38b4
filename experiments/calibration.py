"""Does the table of win chances tell the truth? Holds it against games of the reference bot on other deals.

``python experiments/calibration.py --plot docs/explanation/calibration.svg`` takes a minute. Every state
before a hand of these games is looked up in the bundled table, and put together with who won the game in the
end: of all states with a chance of 20 to 30 %, so many of a hundred games should be won as the table says on
average. Then the same by how far both sides are from the target, for a table may be right on the whole and
wrong near the end.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from spadesim.analysis.look import FAINT, WIDTH, A
from spadesim.analysis.pictures import check_picture, picture_file
from spadesim.core.equity import EQUITY_ONE, chance_of_first
from spadesim.core.hands import play_games
from spadesim.core.position import new_position
from spadesim.core.rules import Rules
from spadesim.match.equity import Equity
from spadesim.match.equity_file import equity_for, load_equity
from spadesim.strategy import jit, lineup, load_side

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SEED = 2027  # the tables are made from seed 1
GAMES = 100_000
CHUNK = 2000
BINS = 10
NEAR = (3, 6, 10, 14)  # tricks short of the target
MOST = 1.6  # percentage points that the lower pictures reach
LEAST = 1000  # states in a bin that is told
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Bin:
    """States that belong together.

    Parameters
    ----------
    name : str
    states : int
    told, won : float
        The mean chance of the table, and the share of their games that was won; 0 to 1.
    error : float
        Half the 95 % interval of the difference; the states of one game count as one result.
    """

    name: str
    states: int
    told: float
    won: float
    error: float

    @property
    def is_off(self) -> bool:
        """Whether luck does not account for the difference."""
        return abs(self.won - self.told) > self.error


@dataclass(frozen=True)
class States:
    """The states of some games, from the side of the first bidder.

    Parameters
    ----------
    games : int64 array of shape (n,)
    short : int64 array of shape (n, 2)
        Tricks' worth of points that this side and the other one need.
    told, won : float64 arrays of shape (n,)
        The chance that the table tells, and 1 for a game won, a half for a draw, 0 for a loss.
    """

    games: npt.NDArray[np.int64]
    short: npt.NDArray[np.int64]
    told: FloatArray
    won: FloatArray

    def bin(self, name: str, is_in: npt.NDArray[np.bool_]) -> Bin:
        """What some of the states come to."""
        told, won = self.told[is_in], self.won[is_in]
        _, game = np.unique(self.games[is_in], return_inverse=True)
        n, difference = len(told), won - told
        by_game = np.bincount(game, weights=difference - difference.mean())
        return Bin(
            name, n, float(told.mean()), float(won.mean()), 1.96 * float(np.sqrt((by_game**2).sum())) / n
        )


@jit
def look_up(positions: Any, rows: Any, grid: Any, chances: Any, told: Any) -> None:
    """Write down the first bidder's chance before each hand."""
    position = positions[0]
    for k in range(rows.size):
        for side in range(2):
            position.scores[side] = rows[k].scores[side]
            position.bags[side] = rows[k].bags[side]
        position.hand_no = rows[k].hands
        told[k] = chance_of_first(position, 0, grid[0], chances) / EQUITY_ONE


def measure(equity: Equity, games: int, seed: int = SEED) -> States:
    """Play the reference bot against itself, and look every state up.

    Extra hands for level scores, and games that do not end, are left out.
    """
    rules, side = equity.rules, load_side(equity.reference)
    bots = lineup(side, side, rules)
    firsts = range(0, games, CHUNK)
    rows = np.concatenate(
        [play_games(bots, rules, seed, first, min(CHUNK, games - first)) for first in firsts]
    )
    rows = rows[(rows["extra"] == 0) & (rows["won"] >= 0)]
    positions, told = np.zeros(1, dtype=new_position(rules).dtype), np.zeros(len(rows))
    positions[0] = new_position(rules)
    look_up(positions, rows, equity.table.grid, equity.table.chances, told)
    short = -(-(rules.target - rows["scores"]) // max(rules.trick_value, 1))
    return States(rows["game"], short, told, rows["won"] / 2)


def by_chance(states: States) -> list[Bin]:
    """States in ten bins of their chance."""
    place = np.minimum((states.told * BINS).astype(np.int64), BINS - 1)
    names = [f"{100 * k // BINS} to {100 * (k + 1) // BINS} %" for k in range(BINS)]
    return [states.bin(names[k], place == k) for k in range(BINS) if (place == k).any()]


def near_the_end(states: States) -> Iterator[Bin]:
    """States by how many tricks both sides are short of the target."""
    for own_from, own_to in _ranges():
        for from_, to in _ranges():
            is_in = (states.short[:, 0] > own_from) & (states.short[:, 0] <= own_to)
            is_in &= (states.short[:, 1] > from_) & (states.short[:, 1] <= to)
            if is_in.sum() >= LEAST:
                yield states.bin(f"{own_from + 1}-{own_to} against {from_ + 1}-{to}", is_in)


def _ranges() -> Sequence[tuple[int, int]]:
    return list(zip((0, *NEAR), NEAR, strict=False))


def draw(found: dict[str, list[Bin]]) -> "Figure":
    """Told against won above, and their difference below, a column for each set of rules."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 5.2), layout="constrained")
    grid = figure.subplots(2, len(found), sharex=True, sharey="row", squeeze=False, height_ratios=[2, 1])
    for column, (name, bins) in enumerate(found.items()):
        upper, lower = grid[:, column]
        upper.plot([0, 100], [0, 100], color=FAINT, linewidth=1)
        upper.plot([100 * one.told for one in bins], [100 * one.won for one in bins], "o", color=A)
        upper.set_title(name, fontsize=10, loc="left")
        _differences(lower, bins)
    grid[0, 0].set_ylabel("games won, %")
    grid[1, 0].set_ylabel("difference, points")
    return figure


def _differences(axes: "Axes", bins: Sequence[Bin]) -> None:
    axes.axhline(0, color=FAINT, linewidth=1)
    told, won, error = (
        100 * np.array([getattr(one, key) for one in bins]) for key in ("told", "won", "error")
    )
    axes.errorbar(told, won - told, yerr=error, fmt="o", markersize=5, color=A, capsize=3)
    axes.set_ylim(-MOST, MOST)
    axes.set_xlabel("chance told, %")


def _print(title: str, bins: Sequence[Bin]) -> None:
    print(f"\n| {title} | states | told, % | won, % | difference |\n|---|---|---|---|---|")
    for one in bins:
        difference = f"{100 * (one.won - one.told):+.2f} ± {100 * one.error:.2f}"
        print(
            f"| {one.name} | {one.states:,} | {100 * one.told:.2f} | {100 * one.won:.2f} "
            f"| {difference}{' *' if one.is_off else ''} |"
        )


def main(
    rules: Annotated[
        list[str] | None, typer.Argument(help="Presets of two sides, or files of tables.")
    ] = None,
    games: Annotated[int, typer.Option(help="Games under each.")] = GAMES,
    seed: Annotated[int, typer.Option(help="Which deals.")] = SEED,
    plot: Annotated[Path | None, typer.Option(help="Draw the bins of chance into this file.")] = None,
) -> None:
    """Print the tables, and draw the picture."""
    if plot is not None:
        check_picture(plot)
    found = {}
    for name in rules or ["pata", "draw500", "draw300"]:
        equity = load_equity(Path(name)) if name.endswith(".npz") else equity_for(Rules.parse(name))
        if equity.seed == seed:
            raise SystemExit(f"error: the table was made from seed {seed}; give another one.")
        states = measure(equity, games, seed)
        found[name] = by_chance(states)
        _print(f"{name}: chance", found[name])
        _print(f"{name}: tricks short", list(near_the_end(states)))
    if plot is not None:
        plot.write_bytes(picture_file(partial(draw, found), plot.suffix))


if __name__ == "__main__":
    typer.run(main)
