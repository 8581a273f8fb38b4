"""What a table of win chances says: chances by both scores, and what one more bag costs."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import FAINT, INK, PAPER, SMALL, WIDTH
from spadesim.analysis.pictures import picture_file
from spadesim.core.scoring import bag_periods, bags_after, ends_game

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from spadesim.core.rules import Rules
    from spadesim.match.equity import Equity

N_COLUMNS = 7  # scores of the short table
STARTS_STEP = 4  # every so many of the table's start states tell the price of a bag
MOST_CELLS = 80  # of the heat map, in a row
LEVELS = (5, 10, 25, 50, 75, 90, 95)
REACH = 25  # percentage points of the darkest shades, left out: lines must be seen on them
MOST_NUMBERS = 12  # bars that have their numbers above them
LINE = 100  # characters


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
    lost: list[list[float]] = [[] for _ in range(rules.bag_limit)]
    for start in equity.starts[::STARTS_STEP]:
        scores, bags = start["scores"].tolist(), start["bags"].tolist()
        hands = int(start["hands"])
        for own, other in ((0, 1), (1, 0)):
            before = (scores[own], scores[other]), (bags[own], bags[other])
            chance, less = (
                equity.chance(*state, is_first=own == 0, hands=hands)
                for state in (before, _with_a_bag(rules, *before))
            )
            lost[bags[own]].append(chance - less)
    return tuple(sum(values) / len(values) if values else 0.0 for values in lost)


def _with_a_bag(rules: "Rules", scores: tuple[int, int], bags: tuple[int, int]) -> Any:
    """The same state with one more bag for the side that is named first."""
    record: Any = rules.record()
    penalty = int(bag_periods(record, bags[0], 1)) * rules.bag_penalty
    own = scores[0] + rules.overtrick_value - penalty
    return (own, scores[1]), (int(bags_after(record, bags[0], 1)), bags[1])


def picture(equity: "Equity", suffix: str) -> bytes:
    """A heat map of the chance over both scores, and the price of a bag, as the content of a file.

    Parameters
    ----------
    equity : Equity
    suffix : str
        ".svg", ".png" or ".pdf".
    """
    return picture_file(partial(_draw, equity), suffix)


def _draw(equity: "Equity") -> "Figure":
    from matplotlib.figure import Figure

    prices = bag_prices(equity)
    figure = Figure(figsize=(WIDTH, 4.4 if prices else 5.6), layout="constrained")
    if prices:
        left, right = figure.subplots(1, 2, width_ratios=[1.6, 1])
        _prices(right, prices)
    else:
        left = figure.subplots()
    _heat_map(figure, left, equity)
    figure.suptitle(_heading(equity, bool(prices)), x=0.01, ha="left", fontsize=SMALL)
    return figure


def _heading(equity: "Equity", has_bags: bool) -> str:
    """What the numbers are of: rules, reference bot, bags, and who bids first."""
    lines = [
        f"rules: {equity.rules}",
        f"from {equity.hands + equity.more_hands:,} hands of {equity.reference} against itself",
    ]
    if has_bags:
        lines += [
            "left: both sides without bags, the mean of bidding first and second",
            "right: the mean over scores and bags as they occur in its games",
        ]
    else:
        lines.append("the mean of bidding first and second")
    return "\n".join(line for text in lines for line in wrap(text, LINE))


def _shown_scores(equity: "Equity") -> list[int]:
    """Scores to draw, some tricks apart: from the floor, or a usual low, up to the target."""
    rules, record = equity.rules, equity.rules.record()
    low = max(equity.lattice.base, -rules.target // 2)
    unit = max(rules.trick_value, 1)
    step = -(-(rules.target - low) // (MOST_CELLS * unit)) * unit
    shown = range(-(-low // step) * step, rules.target + 1, step)
    return [score for score in shown if not ends_game(record, score)]


def _heat_map(figure: "Figure", axes: "Axes", equity: "Equity") -> None:
    from matplotlib.patheffects import withStroke

    scores = _shown_scores(equity)
    half = (scores[1] - scores[0]) / 2
    chances = _chances(equity, scores)
    image = axes.imshow(
        chances, origin="lower", extent=(scores[0] - half, scores[-1] + half) * 2, cmap="PuOr",
        vmin=-REACH, vmax=100 + REACH, interpolation="nearest",
    )  # fmt: skip
    lines = axes.contour(scores, scores, chances, LEVELS, colors=INK, linewidths=0.8)
    texts = axes.clabel(lines, fmt="%d %%", fontsize=SMALL, colors=INK)
    for text in texts:
        text.set_path_effects([withStroke(linewidth=2, foreground=PAPER, alpha=0.6)])
    axes.set_xlabel("own score")
    axes.set_ylabel("the other side's score")
    axes.set_title("Chance to win the game", fontsize=10, loc="left")
    bar = figure.colorbar(image, ax=axes, shrink=0.8, format="%d %%")
    bar.ax.set_ylim(0, 100)


def _chances(equity: "Equity", scores: Sequence[int]) -> list[list[float]]:
    """Chances in per cent, a row for each score of the other side."""
    n = len(scores)
    chances = [[50.0] * n for _ in range(n)]
    for row in range(n):
        for column in range(row):
            chance = 100 * mean_chance(equity, (scores[column], scores[row]))
            chances[row][column], chances[column][row] = chance, 100 - chance
    return chances


def _prices(axes: "Axes", prices: tuple[float, ...]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.bar(range(len(prices)), [100 * price for price in prices], color=FAINT)
    if len(prices) <= MOST_NUMBERS:
        for bags, price in enumerate(prices):
            axes.text(bags, 100 * price, f"{100 * price:.1f}", ha="center", va="bottom", fontsize=7.5)
        axes.set_xticks(range(len(prices)))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.axhline(0, color=INK, linewidth=0.8)
    axes.set_xlabel("bags that the side has")
    axes.set_ylabel("chance lost, percentage points")
    axes.set_title("Price of one more bag", fontsize=10, loc="left")
