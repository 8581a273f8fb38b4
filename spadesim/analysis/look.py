"""The look of all figures: colours, markers, sizes, and a figure as SVG text.

Colours stand for names (`INK`, `A`, `B`, ...) that the page gives its own values, lighter ones on a dark
screen. Blue and orange are told apart by all common kinds of colour blindness; nothing is told by colour
alone.
"""

import functools
import io
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ParamSpec

from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, PAPER, A, B = "#1b1f24", "#8a9099", "#fefefe", "#0072b2", "#d55e00"
VARIABLES = {INK: "--ink", FAINT: "--faint", PAPER: "--paper", A: "--a", B: "--b"}
SIDES = (A, B)
MARKERS = ("o", "D")

STYLE = {
    "svg.fonttype": "path",
    "svg.hashsalt": "spadesim",  # the same figure is the same text in every run
    "font.size": 9.5,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.labelsize": 9.5,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.alpha": 0.28,
    "grid.linewidth": 0.7,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
WIDTH = 7.4  # inches; a page shows it about as wide
SMALL = 8.5  # points
DASHED = (0, (3, 3))
LONGEST_NAME = 28

Arguments = ParamSpec("Arguments")


def drawing(draw: "Callable[Arguments, Figure]") -> Callable[Arguments, str]:
    """A function that returns a drawn figure as an ``svg`` element, in the look of all figures."""

    @functools.wraps(draw)
    def drawn(*args: Arguments.args, **kwargs: Arguments.kwargs) -> str:
        from matplotlib import rc_context

        with rc_context(STYLE):  # type: ignore[arg-type]
            return _svg(draw(*args, **kwargs))

    return drawn


def new_figure(height: float) -> "tuple[Figure, Axes]":
    """An empty figure of the usual width, `height` in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def legend(figure: "Figure", names: Sequence[str]) -> None:
    """Say above the figure which colour and which marker is whose."""
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=color, marker=marker, linestyle="", markersize=6)
        for color, marker in zip(SIDES, MARKERS, strict=True)
    ]
    figure.legend(
        handles,
        names,
        loc="outside upper left",
        ncols=2,
        handletextpad=0.2,
        columnspacing=1.5,
    )


def short(name: str) -> str:
    """A name that fits into a figure.

    >>> short("hard:king=4,queen=2,void_ruff=3+medium")
    'hard:king=4,queen=2,void_ru…'
    """
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _svg(figure: "Figure") -> str:
    """The figure as an ``svg`` element whose colours are the page's."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*pt" height="[^"]*pt"', r"\1", svg)
    for color, variable in VARIABLES.items():
        svg = svg.replace(color, f"var({variable})")
    return svg


def interval(axes: "Axes", estimate: Estimate, y: float, side: int) -> None:
    """A dot, and its interval as a bar with ends."""
    axes.errorbar(
        estimate.mean,
        y,
        xerr=[[estimate.mean - estimate.low], [estimate.high - estimate.mean]],
        fmt=MARKERS[side],
        markersize=5,
        color=SIDES[side],
        elinewidth=1.6,
        capsize=3.5,
        capthick=1.6,
    )
