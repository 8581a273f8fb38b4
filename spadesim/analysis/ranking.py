"""The pictures of a tournament and of a grid of partners, as files of their own."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, INK, SMALL, A, grid_lines, shade, short
from spadesim.analysis.numbers import sure_text
from spadesim.analysis.pictures import picture_file
from spadesim.match.partners import Partners, PartnersResult
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
MOST_NUMBERS = 25  # above columns
UNSURE = 0.35  # how strong the shade of what is not sure is, beside what is
NAMES = 2.0  # inches for the names beside a heat map
LETTERS_WIDTH = 16.0  # points of a letter's size for each inch of a cell, for six letters to fit


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
    ratings_axes, sure_axes, met_axes = (figure.add_subplot(place) for place in places)
    ratings(ratings_axes, result)
    length = f"{result.boards:,} boards a pair, rules {result.rules}, seed {result.seed}"
    ratings_axes.set_title(
        ("Partial: " if result.partial else "") + length, fontsize=SMALL, color=INK, loc="left"
    )
    size = text_size(n, (WIDTH - NAMES) / (2 if n <= MOST_SIDE_BY_SIDE else 1))
    superiority(sure_axes, result, size)
    sure_axes.set_title("how sure it is that the row is better, %", fontsize=SMALL, color=INK)
    meetings(met_axes, result, size)
    title = f"the row against the column,\n{result.scale.head} (? not sure)"
    met_axes.set_title(title, fontsize=SMALL, color=INK)
    return figure


def superiority(axes: "Axes", result: TournamentResult, size: float) -> None:
    """How sure it is that each player is better than each other, in per cent, in letters of `size` points."""

    def above(i: int, j: int) -> float | None:
        return None if i == j else 2 * result.superiority[i][j] - 1

    names = [player.name for player in result.players]
    _heat(axes, names, above, lambda i, j: sure_text(result.superiority[i][j]), size)


def meetings(axes: "Axes", result: TournamentResult, size: float) -> None:
    """What each player gained against each other; what is not sure is paler and has a question mark."""
    names = [player.name for player in result.players]
    most = max((abs(head.value.mean) for head in result.heads), default=0.0) or 1.0

    def gain(i: int, j: int) -> float | None:
        head = result.head(names[i], names[j])
        return (1 if head.clear else UNSURE) * head.value.mean / most if head else None

    def gain_text(i: int, j: int) -> str:
        head = result.head(names[i], names[j])
        return result.scale.shown(head.value, signed=True)[0] + ("" if head.clear else " ?") if head else ""

    _heat(axes, names, gain, gain_text, size)


def text_size(n: int, width: float) -> float:
    """Points of letters that fit into the cells of a heat map of `n` columns in `width` inches."""
    return max(LEAST_CELL, min(SMALL, LETTERS_WIDTH * width / n))


def ratings(axes: "Axes", result: TournamentResult) -> None:
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
    letters = "players with a letter in common are not separated"
    axes.set_xlabel(f"rating: {result.scale.head}, with joint 95 % intervals;\n{letters}")
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _partners(result: PartnersResult) -> "Figure":
    """What every two partners gain, and what they gain beyond the mean of each with itself."""
    from matplotlib.figure import Figure

    n = len(result.bots)
    figure = Figure(figsize=(WIDTH, min(max(0.5 * n + 1.2, 2.6), 7.5)), layout="constrained")
    gains_axes, together_axes = figure.subplots(1, 2)
    size = text_size(n, (WIDTH - NAMES) / 2)
    gains(gains_axes, result, size)
    gains_axes.set_title(
        f"row and column as partners over {result.against}, {result.scale.head}", fontsize=SMALL
    )
    together(together_axes, result, size)
    together_axes.set_title("more than the mean of each with itself (? not sure)", fontsize=SMALL)
    return figure


def gains(axes: "Axes", result: PartnersResult, size: float) -> None:
    """What every two partners gain, in letters of `size` points."""
    most = max(abs(pair.value.mean) for pair in result.pairs) or 1.0

    def of(i: int, j: int) -> Partners:
        return result.pair(result.bots[i], result.bots[j])

    _heat(
        axes, result.bots, lambda i, j: of(i, j).value.mean / most,
        lambda i, j: result.scale.shown(of(i, j).value, signed=True)[0], size,
    )  # fmt: skip


def together(axes: "Axes", result: PartnersResult, size: float) -> None:
    """What every two partners gain beyond the mean of each with itself."""
    most = max(abs(pair.together.mean) for pair in result.pairs if pair.together) or 1.0

    def of(i: int, j: int) -> Partners:
        return result.pair(result.bots[i], result.bots[j])

    def extra(i: int, j: int) -> float | None:
        own = of(i, j).together
        return (1 if of(i, j).is_match else UNSURE) * own.mean / most if own else None

    def extra_text(i: int, j: int) -> str:
        own = of(i, j).together
        return result.scale.shown(own, signed=True)[0] + ("" if of(i, j).is_match else " ?") if own else ""

    _heat(axes, result.bots, extra, extra_text, size)


def _numbered(n: int) -> list[str]:
    """The numbers of columns, of many every fifth.

    >>> _numbered(3), _numbered(30)[:6]
    (['1', '2', '3'], ['1', '', '', '', '5', ''])
    """
    return [str(i) if n <= MOST_NUMBERS or i == 1 or i % 5 == 0 else "" for i in range(1, n + 1)]


def _heat(
    axes: "Axes",
    names: Sequence[str],
    value: Callable[[int, int], float | None],
    text: Callable[[int, int], str],
    size: float,
) -> None:
    """A square of cells, blue for values up to 1 and orange down to -1, empty for None."""
    n = len(names)
    found = [(i, j, value(i, j)) for i in range(n) for j in range(n)]
    cells = [(i, j, v) for i, j, v in found if v is not None]
    shade(axes, [(j, i, v) for i, j, v in cells])
    for i, j, _ in cells if n <= MOST_WITH_TEXT else ():
        written = text(i, j).replace("-", "−")
        axes.text(j, i, written, ha="center", va="center", fontsize=size, color=INK)
    axes.set_yticks(range(n), [f"{short(name)}  {i + 1}" for i, name in enumerate(names)])
    columns = [short(name) for name in names] if n <= NAMED_COLUMNS else _numbered(n)
    axes.set_xticks(
        range(n),
        columns,
        rotation=30 if n <= NAMED_COLUMNS else 0,
        ha="left" if n <= NAMED_COLUMNS else "center",
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=SMALL)
    axes.set_ylim(n - 0.5, -0.5)
    grid_lines(axes, n, n)
