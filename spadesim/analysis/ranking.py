"""The pictures of a tournament and of a grid of partners, as files of their own."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, FAINT, INK, PAPER, SMALL, A, B, short
from spadesim.analysis.numbers import sure_text
from spadesim.analysis.pictures import picture_file
from spadesim.match.partners import PartnersResult
from spadesim.match.standings import TournamentResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 10.0  # inches
ROW = 0.36  # inches a player
NAMED_COLUMNS = 6  # so many columns have names above them, more have numbers
LEAST_CELL = 5.0  # points; text in the cells of a large grid
MOST_SIDE_BY_SIDE = 9  # players; the grids of more stand one above the other
MOST_WITH_TEXT = 20
UNSURE = 0.35  # how strong the shade of what is not sure is, beside what is
REACH = 1.6  # the darkest shades are left out: text must be read on them


def picture(result: TournamentResult | PartnersResult, suffix: str) -> bytes:
    """The picture of a result as the content of a file; `suffix` as `pictures.picture_file` has it."""
    if isinstance(result, TournamentResult):
        return picture_file(partial(_ranking, result), suffix)
    return picture_file(partial(_partners, result), suffix)


def _ranking(result: TournamentResult) -> "Figure":
    """Ratings with joint intervals above, how sure and how much below."""
    from matplotlib.figure import Figure

    n = len(result.players)
    top, bottom = ROW * n + 1.1, 0.4 * n + 1.0
    if n <= MOST_SIDE_BY_SIDE:
        figure = Figure(figsize=(WIDTH, top + bottom), layout="constrained")
        grid = figure.add_gridspec(2, 2, height_ratios=[top, bottom])
        places = [grid[0, :], grid[1, 0], grid[1, 1]]
    else:
        figure = Figure(figsize=(WIDTH, top + 2 * bottom), layout="constrained")
        grid = figure.add_gridspec(3, 1, height_ratios=[top, bottom, bottom])
        places = [grid[row, 0] for row in range(3)]
    bars, sure, met = (figure.add_subplot(place) for place in places)
    _bars(bars, result)
    names = [player.name for player in result.players]

    def above(i: int, j: int) -> float | None:
        return None if i == j else 2 * result.superiority[i][j] - 1

    _heat(sure, names, above, lambda i, j: sure_text(result.superiority[i][j]))
    sure.set_title("how sure it is that the row is better, %", fontsize=SMALL, color=INK)
    most = max((abs(head.value.mean) for head in result.heads), default=0.0) or 1.0

    def gain(i: int, j: int) -> float | None:
        head = result.head(names[i], names[j])
        return (1 if head.clear else UNSURE) * head.value.mean / most if head else None

    def gain_text(i: int, j: int) -> str:
        head = result.head(names[i], names[j])
        return result.scale.shown(head.value, signed=True)[0] + ("" if head.clear else " ?") if head else ""

    _heat(met, names, gain, gain_text)
    title = f"the row against the column,\n{result.scale.head} (? not sure)"
    met.set_title(title, fontsize=SMALL, color=INK)
    return figure


def _bars(axes: "Axes", result: TournamentResult) -> None:
    """Each player's rating as a dot with a bar, and the letters of its groups."""
    for place, player in enumerate(result.players):
        rating = player.rating.scaled(1 / result.scale.written)
        axes.errorbar(
            rating.mean, place, xerr=[[rating.mean - rating.low], [rating.high - rating.mean]],
            fmt="o", markersize=5, color=A, elinewidth=1.6, capsize=3.5, capthick=1.6,
        )  # fmt: skip
        axes.annotate(
            player.groups, (1, place), xycoords=("axes fraction", "data"), xytext=(6, 0),
            textcoords="offset points", va="center", fontsize=SMALL, color=INK,
        )  # fmt: skip
    axes.axvline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_yticks(range(len(result.players)), [short(player.name) for player in result.players])
    axes.set_ylim(len(result.players) - 0.5, -0.5)
    axes.set_xlabel(
        f"rating: {result.scale.head}, with joint 95 % intervals; who has a letter in common is not separated"
    )
    length = f"{result.boards:,} boards a pair, rules {result.rules}, seed {result.seed}"
    axes.set_title(("Partial: " if result.partial else "") + length, fontsize=SMALL, color=INK, loc="left")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _partners(result: PartnersResult) -> "Figure":
    """What every two partners gain, and what they gain beyond the mean of each with itself."""
    from matplotlib.figure import Figure

    n = len(result.bots)
    figure = Figure(figsize=(WIDTH, min(max(0.5 * n + 1.2, 2.6), 7.5)), layout="constrained")
    gains, together = figure.subplots(1, 2)
    pairs = {(i, j): result.pair(a, b) for i, a in enumerate(result.bots) for j, b in enumerate(result.bots)}
    most = max(abs(pair.value.mean) for pair in result.pairs) or 1.0
    more = max(abs(pair.together.mean) for pair in result.pairs if pair.together) or 1.0

    def extra(i: int, j: int) -> float | None:
        own = pairs[i, j].together
        return (1 if pairs[i, j].is_match else UNSURE) * own.mean / more if own else None

    def extra_text(i: int, j: int) -> str:
        own = pairs[i, j].together
        return result.scale.shown(own, signed=True)[0] + ("" if pairs[i, j].is_match else " ?") if own else ""

    _heat(
        gains, result.bots, lambda i, j: pairs[i, j].value.mean / most,
        lambda i, j: result.scale.shown(pairs[i, j].value, signed=True)[0],
    )  # fmt: skip
    gains.set_title(f"row and column as partners over {result.against}, {result.scale.head}", fontsize=SMALL)
    _heat(together, result.bots, extra, extra_text)
    together.set_title("more than the mean of each with itself (? not sure)", fontsize=SMALL)
    return figure


def _heat(
    axes: "Axes",
    names: Sequence[str],
    value: Callable[[int, int], float | None],
    text: Callable[[int, int], str],
) -> None:
    """A square of cells, blue for values up to 1 and orange down to -1, empty for None."""
    import numpy as np
    from matplotlib.colors import LinearSegmentedColormap

    n = len(names)
    found = [[value(i, j) for j in range(n)] for i in range(n)]
    shades = np.ma.masked_invalid(np.array([[np.nan if v is None else v for v in row] for row in found]))
    axes.imshow(
        shades, cmap=LinearSegmentedColormap.from_list("sides", [B, PAPER, A]), vmin=-REACH, vmax=REACH,
        aspect="auto",
    )  # fmt: skip
    size = max(LEAST_CELL, min(SMALL, (66 if n <= MOST_SIDE_BY_SIDE else 110) / n))
    for i in range(n if n <= MOST_WITH_TEXT else 0):
        for j in range(n):
            written = text(i, j).replace("-", "−") if found[i][j] is not None else ""
            axes.text(j, i, written, ha="center", va="center", fontsize=size, color=INK)
    axes.set_yticks(range(n), [f"{short(name)}  {i + 1}" for i, name in enumerate(names)])
    columns = [short(name) for name in names] if n <= NAMED_COLUMNS else [str(i + 1) for i in range(n)]
    axes.set_xticks(range(n), columns, rotation=30 if n <= NAMED_COLUMNS else 0)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=SMALL)
    for edge in axes.spines.values():
        edge.set_visible(False)
    axes.set_xticks(np.arange(n + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=FAINT, linewidth=0.4)
    axes.tick_params(which="minor", length=0)
