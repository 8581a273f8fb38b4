"""The look of all figures: colours, markers, sizes.

Colours stand for names (`INK`, `A`, `B`, ...) that the page gives its own values, lighter ones on a dark
screen. They are those of M. Okabe and K. Ito, "Color universal design" (2008), told apart by all common kinds
of colour blindness; and nothing is told by colour alone: a bot has a marker, a line and a hatch as well.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spadesim.analysis.numbers import plain_text
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, PAPER, A, B = "#1b1f24", "#8a9099", "#fefefe", "#0072b2", "#d55e00"
C, D, E, F = "#009e73", "#cc79a7", "#e69f00", "#56b4e9"  # the rest of Okabe and Ito's that show on paper
VARIABLES = {INK: "--ink", FAINT: "--faint", PAPER: "--paper"}
VARIABLES |= {A: "--a", B: "--b", C: "--c", D: "--d", E: "--e", F: "--f"}
SIDES = (A, B)
COLORS = (A, B, C, D, E, F)
MARKERS = ("o", "D", "s", "^", "v", "P")
LINES = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)), (0, (8, 3)))

STYLE = {
    "svg.fonttype": "path",
    "text.hinting": "none",  # as wide in a PNG as where the layout was made, so that no label is clipped
    "text.parse_math": False,  # a $ in a name is a $
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
NARROW = 4.4  # inches; a page shows two of these side by side
SMALL = 8.5  # points
DASHED = (0, (3, 3))
LONGEST_NAME = 28
LETTERS = 12.5  # to an inch
STRONGEST = 0.62  # of a colour, for text must be read on it
SIGN = 5  # letters that a legend's sign takes


def new_figure(height: float) -> "tuple[Figure, Axes]":
    """An empty figure of the usual width, `height` in inches, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def legend(figure: "Figure", names: Sequence[str], numbers: Sequence[int] = ()) -> None:
    """Say above the figure which colour and which marker is whose, of six at the most.

    Parameters
    ----------
    figure : Figure
    names : sequence of str
    numbers : sequence of int
        Of the colours and markers; 0, 1 and so on if empty.
    """
    from matplotlib.lines import Line2D

    styles = [number % len(COLORS) for number in numbers or range(len(names))]
    handles = [
        Line2D([], [], color=COLORS[style], marker=MARKERS[style], linestyle="", markersize=6)
        for style in styles[: len(COLORS)]
    ]
    figure.legend(
        handles,
        names[: len(COLORS)],
        loc="outside upper left",
        ncols=legend_columns(names, figure.get_figwidth()),
        handletextpad=0.2,
        columnspacing=1.5,
    )


def legend_columns(names: Sequence[str], width: float) -> int:
    """In how many columns the names of a legend fit beside each other, in a width in inches.

    >>> legend_columns(["hard", "easy", "medium"], 4.4), legend_columns(["hard:king=4,queen=2", "easy"], 4.4)
    (3, 2)
    """
    each = max(map(len, names), default=0) + SIGN
    return max(1, min(len(names), int(LETTERS * width / each)))


def short(name: str, most: int = LONGEST_NAME) -> str:
    """A name that fits into a figure, of `most` letters.

    >>> short("hard:king=4,queen=2,void_ruff=3+medium")
    'hard:king=4,queen=2,void_ru…'
    """
    name = plain_text(name)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def shade(axes: "Axes", cells: Sequence[tuple[float, float, float]]) -> None:
    """Cells of a heat map: x, y, and a value from -1, orange, over 0, paper, to 1, blue.

    They are as strong as the text upon them can bear, and look right on a dark page as well.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    squares = [Rectangle((x - 0.5, y - 0.5), 1, 1) for x, y, _ in cells]
    colors = [to_rgba(A if value >= 0 else B, min(1.0, abs(value)) * STRONGEST) for *_, value in cells]
    axes.add_collection(PatchCollection(squares, facecolors=colors, linewidths=0))


def grid_lines(axes: "Axes", rows: int, columns: int) -> None:
    """Thin lines between the cells of a heat map, and nothing around it."""
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_xticks([k - 0.5 for k in range(columns + 1)], minor=True)
    axes.set_yticks([k - 0.5 for k in range(rows + 1)], minor=True)
    axes.grid(which="minor", color=FAINT, linewidth=0.4)
    axes.tick_params(which="both", length=0)
    for edge in axes.spines.values():
        edge.set_visible(False)


def interval(axes: "Axes", estimate: Estimate, y: float, side: int) -> None:
    """A dot, and its interval as a bar with ends."""
    axes.errorbar(
        estimate.mean,
        y,
        xerr=[[estimate.mean - estimate.low], [estimate.high - estimate.mean]],
        fmt=MARKERS[side],
        markersize=5,
        color=COLORS[side],
        elinewidth=1.6,
        capsize=3.5,
        capthick=1.6,
    )
