"""The picture of a diff: what each kind of decision brings, and how often bots part there."""

from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, FAINT, INK, SMALL, A, short
from spadesim.analysis.pictures import picture_file
from spadesim.core.parting import KINDS, NONE
from spadesim.match.diff_result import DiffResult, Part
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW = 7.4, 0.42  # inches


def picture(result: DiffResult, suffix: str) -> bytes:
    """The picture of a diff as the content of a file; `suffix` as `pictures.picture_file` has it."""
    return picture_file(partial(_figure, result), suffix)


def _figure(result: DiffResult) -> "Figure":
    from matplotlib.figure import Figure

    parts = [part for part in result.kinds if part.boards and part.kind != KINDS[NONE]]
    rows = [*parts, result.total]
    figure = Figure(figsize=(WIDTH, 1.5 + ROW * len(rows)), layout="constrained")
    gains, shares = figure.subplots(1, 2, sharey=True, width_ratios=(3, 1))
    places = [float(-k) for k in range(len(parts))] + [-len(parts) - 0.5]
    for part, y in zip(rows, places, strict=True):
        _bar(gains, result, part, y)
    gains.set_yticks(places, [*(part.kind for part in parts), "together"])
    gains.axvline(0, color=INK, linewidth=1, linestyle=DASHED)
    gains.grid(axis="x")
    a, b = map(short, result.names)
    unit = "win chance, %" if result.has_chances else "points"
    gains.set_xlabel(f"gain of {a} on {b} a board,\n{unit}")
    shares.barh(places[:-1], [100 * part.share for part in parts], height=0.55, color=FAINT)
    for part, y in zip(parts, places, strict=False):
        shares.annotate(f"{100 * part.share:.1f}", (100 * part.share, y), (3, 0), fontsize=SMALL, va="center",
                        textcoords="offset points")  # fmt: skip
    shares.set_xlabel("boards that part there,\n%")
    shares.set_xlim(0, max([100 * part.share for part in parts], default=1.0) * 1.3)
    shares.tick_params(left=False)
    title = (
        f"Where {a} and {b} first differ: {result.counted:,} boards, rules {result.rules}, seed {result.seed}"
    )
    figure.suptitle(title, fontsize=SMALL, x=0.01, ha="left")
    return figure


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
