"""What the pictures of duels are drawn with, on the figures of `spadesim.analysis.report.Picture`."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from spadesim.analysis.look import (
    COLORS,
    DASHED,
    FAINT,
    INK,
    MARKERS,
    PAPER,
    SIDES,
    SMALL,
    interval,
    legend,
    short,
)
from spadesim.stats.intervals import Estimate, Z

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RARE = 1 / 2000  # a bid made less often says nothing
SHADE_FULL = 0.5  # the share that gets the full colour
LETTERS = 90  # small ones that fit across a figure
NARROW_NAME = 14  # letters, of two names beside each other
MANY = 20  # lines that stand closer


@dataclass(frozen=True)
class Line:
    """A line of `dots`: what is measured, and the estimate for each side, None where there is none.

    Parameters
    ----------
    label : str
    a, b : Estimate or None
    nothing : str
        What stands there when there is no estimate.
    """

    label: str
    a: Estimate | None
    b: Estimate | None
    nothing: str = "none"


def dots_height(n_lines: int) -> float:
    """How high `dots` are, in inches."""
    return 0.62 * n_lines + 1.05


def dots(figure: "Figure", lines: Sequence[Line], names: tuple[str, str], x_label: str) -> None:
    """Shares as dots with their 95 % intervals, both sides on a line."""
    axes = figure.subplots()
    for place, line in enumerate(lines):
        for side, estimate in enumerate((line.a, line.b)):
            y = place + (0.17 if side else -0.17)
            if estimate is None:
                axes.text(1, y, f"{names[side]}: {line.nothing}", color=FAINT, va="center", fontsize=SMALL)
                continue
            percent = estimate.scaled(100)
            interval(axes, percent, y, side)
            axes.text(
                percent.high + 1.5, y, f"{percent.mean:.1f} %", color=SIDES[side], va="center", fontsize=SMALL
            )
    axes.set_yticks(range(len(lines)), [line.label for line in lines])
    axes.set_ylim(len(lines) - 0.45, -0.55)
    axes.set_xlim(0, 108)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel(x_label)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    legend(figure, [short(name) for name in names])


def estimates_height(n_lines: int) -> float:
    """How high `estimates` are, in inches."""
    return (0.3 if n_lines <= MANY else 0.2) * n_lines + 0.9


def estimates(
    figure: "Figure",
    lines: Sequence[tuple[str, Estimate]],
    x_label: str,
    at: float,
    kinds: Sequence[int] = (),
) -> None:
    """Values on a line each, as dots with their intervals.

    Parameters
    ----------
    figure : Figure
    lines : sequence of (str, Estimate)
    x_label : str
    at : float
        Where a dashed line stands, such as that of no difference.
    kinds : sequence of int
        Which colour and marker each has; all the first one if empty.
    """
    axes = figure.subplots()
    for place, (_, e) in enumerate(lines):
        kind = kinds[place] % len(COLORS) if kinds else 0
        axes.errorbar(
            e.mean, place, xerr=[[e.mean - e.low], [e.high - e.mean]], fmt=MARKERS[kind], markersize=5,
            color=COLORS[kind], elinewidth=1.6, capsize=3, capthick=1.6,
        )  # fmt: skip
    axes.axvline(at, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_yticks(range(len(lines)), [short(name) for name, _ in lines])
    axes.set_ylim(len(lines) - 0.5, -0.5)
    axes.set_xlabel(x_label)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _label_dot(axes: "Axes", percent: Estimate, y: float, side: int) -> None:
    """A percentage above the dot of A, below the dot of B, within the axes."""
    align = "left" if percent.mean < 5 else "right" if percent.mean > 95 else "center"
    axes.annotate(
        f"{percent.mean:.1f} %",
        (percent.mean, y),
        (0, -13 if side else 7),
        textcoords="offset points",
        ha=align,
        color=SIDES[side],
        fontsize=SMALL,
    )


def pairs_and_games(
    figure: "Figure", shares: Sequence[tuple[str, float, int]], rates: Line, names: tuple[str, str], what: str
) -> None:
    """How pairs or sets of games ended, as one bar, above the share of games that each side won.

    Parameters
    ----------
    shares : sequence of (str, float, int)
        Label, share of the pairs 0 to 1, and whose it is: 0 and 1 for the sides, -1 for neither.
    rates : Line
        Both sides' shares of the games won.
    names : tuple of 2 str
    what : str
        What the bar is made of: "pairs of games".
    """
    axes = figure.subplots()
    left = 0.0
    for label, share, whose in shares:
        color = SIDES[whose] if whose >= 0 else FAINT
        axes.barh(0, 100 * share, left=left, color=color, alpha=0.85, height=0.5, edgecolor=PAPER)
        if len(label) <= LETTERS * share:
            axes.text(left + 50 * share, 0, label, ha="center", va="center", color=PAPER, fontsize=SMALL)
        left += 100 * share
    axes.axvline(50, ymax=0.62, color=INK, linewidth=1, linestyle=DASHED)
    for side, estimate in enumerate((rates.a, rates.b)):
        if estimate is not None:
            percent = estimate.scaled(100)
            interval(axes, percent, 1 + (0.19 if side else -0.19), side)
            _label_dot(axes, percent, 1 + (0.19 if side else -0.19), side)
    axes.set_yticks([0, 1], [what, "games"])
    axes.set_ylim(1.7, -0.4)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share won, %")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    legend(figure, [short(name) for name in names])


def points(
    figure: "Figure", lines: Sequence[tuple[str, Estimate]], names: tuple[str, str], what: str
) -> None:
    """By how many points (`what`: of what kind) A is ahead, beside the line of no difference."""
    axes = figure.subplots()
    for place, (_, estimate) in enumerate(lines):
        interval(axes, estimate, place, 0 if estimate.mean >= 0 else 1)
    axes.axvline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_yticks(range(len(lines)), [label for label, _ in lines])
    axes.set_ylim(len(lines) - 0.5, -0.5)
    reach = 1.15 * max(max(abs(e.low), abs(e.high)) for _, e in lines) or 1.0
    axes.set_xlim(-reach, reach)
    a, b = (short(name, NARROW_NAME) for name in names)
    axes.set_xlabel(f"{what}\n{b} ahead  ◂  0  ▸  {a} ahead")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


@dataclass(frozen=True)
class Bids:
    """What one side's bots bid and won.

    Parameters
    ----------
    name : str
    counts : sequence of sequences of int
        Hands by bid (rows) and tricks won (columns).
    """

    name: str
    counts: Sequence[Sequence[int]]


def tricks_by_bid(figure: "Figure", sides: Sequence[Bids], least: int, most: int) -> None:
    """Tricks won by tricks bid, a panel a side, with bars above for how often each bid was made.

    Parameters
    ----------
    sides : sequence of 2 Bids
    least : int
        The lowest bid that there is; 0 is a nil.
    most : int
        Tricks in a hand.
    """
    sides = [_common(side) for side in sides]
    top_bid, top_tricks = (max(_top(side.counts)[k] for side in sides) for k in range(2))
    grid = figure.subplots(2, 2, sharex="col", sharey="row", height_ratios=(1, 3.6))
    for column, side in enumerate(sides):
        bars, cells = grid[0][column], grid[1][column]
        _bid_bars(bars, side, column)
        _bid_cells(cells, side, column, most)
        bars.set_title(short(side.name), color=SIDES[column], loc="left", fontsize=10.5, fontweight="bold")
        cells.set_xlim(least - 0.6, max(top_bid, least) + 0.6)
        cells.set_ylim(-0.6, top_tricks + 0.6)
        bids = range(least, max(top_bid, least) + 1)
        cells.set_xticks(bids, [str(bid) if bid else "nil" for bid in bids])
        cells.set_yticks(range(0, top_tricks + 1, 2))
        cells.set_xlabel("tricks bid by one bot")
    _shades(grid[1][1])
    grid[0][0].set_ylabel("bids, %")
    grid[1][0].set_ylabel("tricks it won")
    figure.align_ylabels()


def _common(side: Bids) -> Bids:
    """The same without bids that were made too rarely to say anything."""
    hands = sum(map(sum, side.counts))
    return Bids(side.name, [row if sum(row) >= RARE * hands else [0] * len(row) for row in side.counts])


def _top(counts: Sequence[Sequence[int]]) -> tuple[int, int]:
    """The largest bid, and the largest number of tricks, that occur; 1 at the least."""
    bids = [bid for bid, row in enumerate(counts) if any(row)]
    tricks = [k for row in counts for k, n in enumerate(row) if n]
    return max([1, *bids]), max([1, *tricks])


def _bid_bars(axes: "Axes", side: Bids, column: int) -> None:
    totals = [sum(row) for row in side.counts]
    hands = sum(totals) or 1
    axes.bar(range(len(totals)), [100 * n / hands for n in totals], color=SIDES[column], width=0.82)
    axes.tick_params(axis="x", length=0, labelbottom=False)
    axes.grid(axis="y")
    axes.locator_params(axis="y", nbins=3)


def _bid_cells(axes: "Axes", side: Bids, column: int, most: int) -> None:
    for bid, row in enumerate(side.counts):
        for tricks, n in enumerate(row):
            if n:
                _cell(axes, bid, tricks, n / sum(row), SIDES[column])
        if any(row):
            mean, half = _mean_tricks(row)
            axes.errorbar(bid, mean, yerr=half, fmt="_", color=INK, markersize=9, markeredgewidth=1.8,
                          elinewidth=1.2)  # fmt: skip
    axes.plot([-0.5, most + 0.5], [-0.5, most + 0.5], color=INK, linewidth=0.9, linestyle=DASHED)


def _shades(axes: "Axes") -> None:
    """The key to the shades, in the corner where no bid wins so few tricks."""
    from matplotlib.patches import Rectangle

    axes.text(
        0.98, 0.165, "share of the hands with a bid", ha="right", fontsize=SMALL, transform=axes.transAxes
    )
    for k, share in enumerate((0.05, 0.2, 0.5)):
        x = 0.5 + 0.17 * k
        swatch = Rectangle((x, 0.07), 0.05, 0.055, color=SIDES[1], alpha=share / SHADE_FULL, linewidth=0)
        swatch.set_transform(axes.transAxes)
        axes.add_patch(swatch)
        text = f"{100 * share:.0f} %"
        axes.text(x + 0.06, 0.098, text, va="center", fontsize=SMALL - 0.5, transform=axes.transAxes)


def _cell(axes: "Axes", x: float, y: float, share: float, color: str) -> None:
    from matplotlib.patches import Rectangle

    shade = min(1.0, share / SHADE_FULL)
    axes.add_patch(Rectangle((x - 0.45, y - 0.45), 0.9, 0.9, color=color, alpha=shade, linewidth=0))


def _mean_tricks(row: Sequence[int]) -> tuple[float, float]:
    """The mean of tricks, and half its 95 % interval if both rooms of a deal told the same."""
    hands = sum(row)
    mean = sum(tricks * n for tricks, n in enumerate(row)) / hands
    variance = sum(n * (tricks - mean) ** 2 for tricks, n in enumerate(row)) / hands
    return mean, Z * math.sqrt(2 * variance / hands)


def histogram(
    figure: "Figure",
    counts: Sequence[Sequence[int]],
    means: Line,
    names: tuple[str, str],
    labels: tuple[str, str],
) -> None:
    """Two distributions over whole numbers side by side, with both means and their intervals above.

    Parameters
    ----------
    counts : sequence of 2 sequences of int
        How often each number occurred, from 0 on.
    means : Line
    names : tuple of 2 str
    labels : tuple of 2 str
        Of the axes.
    """
    axes = figure.subplots()
    last = max(_last(side) for side in counts)
    for side, numbers in enumerate(counts):
        total = sum(numbers) or 1
        shares = [100 * n / total for n in numbers[:last]] + [100 * sum(numbers[last:]) / total]
        places = [k + (0.2 if side else -0.2) for k in range(last + 1)]
        axes.bar(places, shares, width=0.38, color=SIDES[side], alpha=0.9)
    height = axes.get_ylim()[1]
    shown = list(names)
    for side, estimate in enumerate((means.a, means.b)):
        if estimate is not None:
            interval(axes, estimate, height * (1.06 + 0.075 * side), side)
            shown[side] = f"{short(names[side])}, mean {estimate.mean:.2f}"
    axes.set_ylim(0, height * 1.2)
    axes.set_xlim(-0.6, last + 0.6)
    is_cut = any(sum(numbers[last + 1 :]) for numbers in counts)
    axes.set_xticks(range(last + 1), [*map(str, range(last)), f"{last}+" if is_cut else str(last)])
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.grid(axis="y")
    legend(figure, shown)


def _last(numbers: Sequence[int]) -> int:
    """The number from which on so little occurs, 0.2 % at most, that one bar is enough for it."""
    total, rest, last = sum(numbers), 0, len(numbers) - 1
    while last > 1 and rest + numbers[last] <= 0.002 * total:
        rest += numbers[last]
        last -= 1
    return last + 1 if rest else last
