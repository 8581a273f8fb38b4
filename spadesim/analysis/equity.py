"""What a table of win chances says: chances by both scores, and what one more bag costs."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import FAINT, INK, SMALL, WIDTH, drawing
from spadesim.core.scoring import bag_periods, bags_after

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from spadesim.match.equity import Equity

N_COLUMNS = 7  # scores of the short table
COLOURS = {"--ink": INK, "--faint": FAINT, "--paper": "#fefefe"}


@dataclass(frozen=True)
class Summary:
    """The short form of a table.

    Parameters
    ----------
    scores : tuple of int
        By which the rows and columns of `chances` go.
    chances : tuple of tuple of float
        The chance, 0 to 1, of the side with the row's score against one with the column's, both without
        bags, the mean of bidding first and second.
    bag_prices : tuple of float
        By the bags that a side has, how much of its chance one more bag costs on average, in states as they
        occur in games.
    """

    scores: tuple[int, ...]
    chances: tuple[tuple[float, ...], ...]
    bag_prices: tuple[float, ...]


def summary(equity: "Equity") -> Summary:
    """Chances at a few scores from 0 up, and the price of a bag."""
    target = equity.rules.target
    scores = tuple(sorted({round(target * k / N_COLUMNS) // 10 * 10 for k in range(N_COLUMNS)}))
    chances = tuple(tuple(mean_chance(equity, (own, other)) for other in scores) for own in scores)
    return Summary(scores, chances, bag_prices(equity))


def mean_chance(equity: "Equity", scores: tuple[int, int], bags: tuple[int, int] = (0, 0)) -> float:
    """The chance of the side that is given first, the mean of bidding first and second."""
    return sum(equity.chance(scores, bags, is_first=first) for first in (True, False)) / 2


def bag_prices(equity: "Equity") -> tuple[float, ...]:
    """What one more bag costs a side on average, by the bags that it has; empty without a bag limit."""
    rules = equity.rules
    if rules.bag_limit == 0:
        return ()
    record: Any = rules.record()
    lost: list[list[float]] = [[] for _ in range(rules.bag_limit)]
    for start in equity.starts[::8]:
        (own, other), (bags, theirs) = start["scores"].tolist(), start["bags"].tolist()
        penalty = int(bag_periods(record, bags, 1)) * rules.bag_penalty
        after = own + rules.overtrick_value - penalty, other
        before = equity.chance((own, other), (bags, theirs))
        lost[bags].append(before - equity.chance(after, (int(bags_after(record, bags, 1)), theirs)))
    return tuple(sum(values) / len(values) if values else 0.0 for values in lost)


def picture(equity: "Equity") -> str:
    """A heat map of the chance over both scores, and the price of a bag, as a file's SVG text."""
    svg = _picture(equity)
    for variable, colour in COLOURS.items():
        svg = svg.replace(f"var({variable})", colour)
    return re.sub(r"^<svg", '<svg style="background: #fefefe"', svg)


@drawing
def _picture(equity: "Equity") -> "Figure":
    from matplotlib.figure import Figure

    prices = bag_prices(equity)
    figure = Figure(figsize=(WIDTH, 4.1 if prices else 5), layout="constrained")
    if prices:
        left, right = figure.subplots(1, 2, width_ratios=[1.55, 1])
        _prices(right, prices)
    else:
        left = figure.subplots()
    _heat_map(figure, left, equity)
    return figure


def _heat_map(figure: "Figure", axes: "Axes", equity: "Equity") -> None:
    low, high = max(equity.lattice.base, -equity.rules.target // 2), equity.rules.target
    step = max(1, (high - low) // 60)
    scores = list(range(low, high, step))
    chances = [[100 * mean_chance(equity, (own, other)) for own in scores] for other in scores]
    extent = (low - step / 2, scores[-1] + step / 2) * 2
    image = axes.imshow(
        chances, origin="lower", extent=extent, cmap="PuOr", vmin=0, vmax=100, interpolation="nearest"
    )
    lines = axes.contour(scores, scores, chances, [5, 10, 25, 50, 75, 90, 95], colors=INK, linewidths=0.8)
    axes.clabel(lines, fmt="%d %%", fontsize=SMALL)
    axes.set_xlabel("own score")
    axes.set_ylabel("the other side's score")
    axes.set_title("Chance to win the game", fontsize=10, loc="left")
    figure.colorbar(image, ax=axes, shrink=0.8, format="%d %%")


def _prices(axes: "Axes", prices: tuple[float, ...]) -> None:
    axes.bar(range(len(prices)), [100 * price for price in prices], color=FAINT)
    for bags, price in enumerate(prices):
        axes.text(bags, 100 * price, f"{100 * price:.1f}", ha="center", va="bottom", fontsize=7.5)
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("bags that the side has")
    axes.set_ylabel("chance lost, percentage points")
    axes.set_title("Price of one more bag", fontsize=10, loc="left")
