"""The picture of a plan: how long a sequential test takes, by the true difference."""

from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, FAINT, INK, SIDES, SMALL, new_figure
from spadesim.analysis.pictures import picture_file
from spadesim.match.plan import Length, Plan
from spadesim.stats.sequential import Bounds, expected

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 121
REACH = 2.5  # effects to either side


def picture(plan: Plan, suffix: str) -> bytes:
    """How long a plan's tests take, as the content of a picture file.

    Parameters
    ----------
    plan : Plan
    suffix : str
        ".svg", ".png" or ".pdf".
    """
    return picture_file(partial(_figure, plan), suffix)


def _figure(plan: Plan) -> "Figure":
    figure, axes = new_figure(3.2)
    for place, length in enumerate(plan.lengths):
        _draw(axes, plan, length, (*SIDES, INK)[place % 3])
    axes.set_yscale("log")
    axes.set_xlabel("true difference, % of games")
    axes.set_ylabel("hands until the end")
    axes.axvline(0, color=FAINT, linewidth=1, linestyle=DASHED)
    axes.grid(axis="y")
    # Above the picture, whose own lines may lie anywhere in it.
    axes.legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0, 1), ncols=3, borderaxespad=0.3)
    return figure


def _draw(axes: "Axes", plan: Plan, length: Length, color: str) -> None:
    """A test's length by the truth as a line, and the length chosen beforehand as a broken one."""
    bounds = Bounds.of(plan.alpha, 1 - plan.power)
    hands = length.hands / length.units
    truths = [REACH * (2 * k / (POINTS - 1) - 1) + 0.5 for k in range(POINTS)]
    found = [expected(x * length.effect, 0.0, length.effect, length.spread, bounds).units for x in truths]
    shares = [100 * plan.effect * x for x in truths]
    axes.plot(shares, [units * hands for units in found], color=color, label=length.what)
    axes.axhline(length.hands, color=color, linewidth=1, linestyle=DASHED)
