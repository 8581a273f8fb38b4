"""The picture of a fit: what was told of hands and of nils, and what came of them."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import DASHED, FAINT, INK, SMALL, A, B
from spadesim.analysis.pictures import picture_file
from spadesim.tuning.fit_result import Bin, FitResult, NilFit, TricksFit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.0, 4.6  # inches of one part
FEW = 30  # decisions in a bin that is drawn


def picture(result: FitResult, suffix: str) -> bytes:
    """The picture of a result as the content of a file; `suffix` as `pictures.picture_file` has it."""
    return picture_file(partial(_fit, result), suffix)


def _fit(result: FitResult) -> "Figure":
    from matplotlib.figure import Figure

    parts = [part for part in (result.tricks, result.nil) if part is not None and part.after]
    figure = Figure(figsize=(WIDTH * max(1, len(parts)), HEIGHT), layout="constrained")
    for number, part in enumerate(parts, start=1):
        axes = figure.add_subplot(1, len(parts), number)
        _reliability(axes, part)
    return figure


def _reliability(axes: "Axes", part: TricksFit | NilFit) -> None:
    """What came of decisions by what was told of them; on the dashed line it came as told."""
    is_nil = isinstance(part, NilFit)
    scale, unit = (100, "%") if is_nil else (1, "tricks")
    most = 0.0
    told: tuple[tuple[Sequence[Bin], str, str], ...] = (
        (part.before, B, "before"), (part.after, A, "fitted"),
    )  # fmt: skip
    for bins, color, name in told:
        some = [one for one in bins if one.decisions >= FEW]
        x = [scale * one.told for one in some]
        y = [scale * one.happened for one in some]
        error = [scale * one.error for one in some]
        style: dict[str, Any] = {
            "color": color,
            "marker": "o",
            "markersize": 4,
            "linewidth": 1.2,
            "capsize": 2,
        }
        axes.errorbar(x, y, yerr=error, label=name, **style)
        most = max([most, *x, *y])
    axes.plot([0, most], [0, most], color=FAINT, linestyle=DASHED, zorder=0)
    axes.set_xlabel(f"{'chance of the nil' if is_nil else 'expected'}, {unit}", fontsize=SMALL)
    axes.set_ylabel(f"{'made' if is_nil else 'won'}, {unit}", fontsize=SMALL)
    title = f"{part.held_out:,} {'nils' if is_nil else 'hands'} that were not fitted"
    axes.set_title(title, fontsize=SMALL, color=INK, loc="left")
    axes.tick_params(labelsize=SMALL)
    axes.grid(axis="both")
    axes.legend(fontsize=SMALL, frameon=False)
