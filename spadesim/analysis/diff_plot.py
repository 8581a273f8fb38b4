"""Pictures of a diff: what each kind of decision brings, and what the costliest choices are worth."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import COLORS, DASHED, FAINT, INK, MARKERS, SMALL, A, interval, short
from spadesim.analysis.pictures import picture_file
from spadesim.core.parting import KINDS, NONE
from spadesim.match.diff_result import FAULT, LUCK, UNDECIDED, DiffResult, Part
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW = 7.4, 0.42  # inches
MOST_LETTERS = 20  # of a name under an axis
VERDICTS = (LUCK, FAULT, UNDECIDED)


def picture(result: DiffResult, suffix: str) -> bytes:
    """The picture of a diff as the content of a file; `suffix` as `pictures.picture_file` has it."""
    return picture_file(partial(_figure, result), suffix)


def _figure(result: DiffResult) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height(result) + 0.3), layout="constrained")
    draw(result, figure)
    a, b = map(short, result.names)
    title = (
        f"Where {a} and {b} first differ: {result.counted:,} boards, rules {result.rules}, seed {result.seed}"
    )
    figure.suptitle(title, fontsize=SMALL, x=0.01, ha="left")
    return figure


def parted(result: DiffResult) -> list[Part]:
    """The kinds of decision at which boards part."""
    return [part for part in result.kinds if part.boards and part.kind != KINDS[NONE]]


def height(result: DiffResult) -> float:
    """How high the picture is, in inches."""
    return 1.2 + ROW * (1 + len(parted(result)))


def draw(result: DiffResult, figure: "Figure") -> None:
    """Draw the kinds onto an empty figure."""
    parts = parted(result)
    rows = [*parts, result.total]
    gains, shares = figure.subplots(1, 2, sharey=True, width_ratios=(3, 1))
    places = [float(-k) for k in range(len(parts))] + [-len(parts) - 0.5]
    for part, y in zip(rows, places, strict=True):
        _bar(gains, result, part, y)
    gains.set_yticks(places, [*(part.kind for part in parts), "together"])
    gains.axvline(0, color=INK, linewidth=1, linestyle=DASHED)
    gains.grid(axis="x")
    unit = "win chance, %" if result.has_chances else "points"
    gains.set_xlabel(f"gain of {short(result.names[0], MOST_LETTERS)}\na board, {unit}")
    shares.barh(places[:-1], [100 * part.share for part in parts], height=0.55, color=FAINT)
    for part, y in zip(parts, places, strict=False):
        shares.annotate(f"{100 * part.share:.1f}", (100 * part.share, y), (3, 0), fontsize=SMALL, va="center",
                        textcoords="offset points")  # fmt: skip
    shares.set_xlabel("part there,\n% of boards")
    shares.set_xlim(0, max([100 * part.share for part in parts], default=1.0) * 1.3)
    shares.tick_params(left=False)


def _bar(axes: "Axes", result: DiffResult, part: Part, y: float) -> None:
    """What a kind brings, with its interval."""
    found = part.win_chance_per_board if result.has_chances else part.points_per_board
    estimate = (found or Estimate(0.0, 0.0, 0.0)).scaled(100 if result.has_chances else 1)
    is_total = part is result.total
    axes.errorbar(
        estimate.mean,
        y,
        xerr=[[estimate.mean - estimate.low], [estimate.high - estimate.mean]],
        fmt="D" if is_total else "o",
        markersize=6 if is_total else 5,
        color=INK if is_total else A,
        elinewidth=1.6,
        capsize=3.5,
        capthick=1.6,
    )


def cases_height(n: int) -> float:
    """How high the picture of so many cases is, in inches."""
    return 1.2 + 0.27 * n


def draw_cases(result: DiffResult, labels: Sequence[str], figure: "Figure") -> None:
    """Draw what the first cases cost on their deals, and what their choices are worth on average.

    Parameters
    ----------
    result : DiffResult
    labels : sequence of str
        Of the cases that are drawn.
    figure : Figure
        An empty one.
    """
    axes = figure.subplots()
    scale = 100 if result.has_chances else 1
    for k, case in enumerate(result.cases[: len(labels)]):
        cost = case.points if case.win_chance is None else scale * case.win_chance
        axes.plot([cost, 0], [-k, -k], color=FAINT, linewidth=0.8, zorder=1)
        axes.plot(cost, -k, "x", color=INK, markersize=6)
        found = case.worth and (case.worth.win_chance if result.has_chances else case.worth.points)
        if case.worth and found:
            interval(axes, found.scaled(scale), -k, VERDICTS.index(case.worth.verdict))
    axes.axvline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_yticks([-k for k in range(len(labels))], labels)
    axes.set_ylim(0.6 - len(labels), 0.6)
    axes.grid(axis="x")
    unit = "win chance, %" if result.has_chances else "points"
    axes.set_xlabel(f"gain of {short(result.names[0], MOST_LETTERS)}\nby its own choice, {unit}")
    _legend(figure, result)


def _legend(figure: "Figure", result: DiffResult) -> None:
    from matplotlib.lines import Line2D

    given = {case.worth.verdict for case in result.cases if case.worth}
    signs = [(INK, "x", "on the deal")]
    signs += [
        (COLORS[k], MARKERS[k], f"on average: {name}") for k, name in enumerate(VERDICTS) if name in given
    ]
    handles = [
        Line2D([], [], color=color, marker=sign, linestyle="", markersize=6) for color, sign, _ in signs
    ]
    figure.legend(
        handles, [name for *_, name in signs], loc="outside upper left", ncols=2, handletextpad=0.2,
        columnspacing=1.5,
    )  # fmt: skip
