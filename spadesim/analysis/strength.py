"""The picture of a strength that was aimed at: win rate over the setting, and where the aim was met."""

from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, FAINT, INK, SMALL, A, B, new_figure, short
from spadesim.analysis.pictures import picture_file
from spadesim.strategy.called import short_name
from spadesim.tuning.calibrated import CalibrateResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HEIGHT = 4.2  # inches


def picture(result: CalibrateResult, suffix: str) -> bytes:
    """The picture of a result as the content of a file; `suffix` as `pictures.picture_file` has it."""
    return picture_file(partial(_curve, result), suffix)


def _curve(result: CalibrateResult) -> "Figure":
    figure, axes = new_figure(HEIGHT)
    curve(axes, result)
    length = f"{result.games_searched:,} games searched, rules {result.rules}, seed {result.seed}"
    axes.set_title(
        ("Partial: " if result.partial else "") + length, fontsize=SMALL, color=INK, loc="left", pad=22
    )
    return figure


def curve(axes: "Axes", result: CalibrateResult) -> None:
    """Win rate over the setting, what was aimed at, and what fresh games made of it."""
    places = [float(point.value) for point in result.curve]
    rates = [point.rate.scaled(100) for point in result.curve]
    axes.fill_between(
        places, [r.low for r in rates], [r.high for r in rates], color=A, alpha=0.18, linewidth=0
    )
    axes.plot(
        places, [r.mean for r in rates], color=A, marker=".", linewidth=1.4, label="search, 95 % intervals"
    )
    for rung in result.ladder:
        low, high = 100 * (rung.wanted - result.within), 100 * (rung.wanted + result.within)
        axes.axhspan(low, high, color=FAINT, alpha=0.25, linewidth=0)
        axes.axhline(100 * rung.wanted, color=INK, linewidth=0.8, linestyle=DASHED)
        if rung.rate is not None:
            rate = rung.rate.scaled(100)
            axes.errorbar(
                float(rung.value), rate.mean, yerr=[[rate.mean - rate.low], [rate.high - rate.mean]], fmt="D",
                markersize=5, color=B, elinewidth=1.6, capsize=3.5,
                label="fresh games" if rung is result.ladder[0] else None,
            )  # fmt: skip
    axes.set_xlabel(f"{result.parameter} of {short(short_name(result.side))}")
    axes.set_ylabel(f"games won against {short(short_name(result.vs))}, %")
    axes.grid(axis="y")
    axes.legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0, 1), ncols=2, borderaxespad=0.1)
