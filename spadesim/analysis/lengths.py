"""The picture of a plan: how long a sequential test takes, by the true difference."""

from pathlib import Path
from typing import TYPE_CHECKING

from spadesim.analysis.look import DASHED, FAINT, INK, SIDES, SMALL, STYLE, new_figure
from spadesim.errors import UserError
from spadesim.match.plan import Length, Plan
from spadesim.reading import user_path
from spadesim.stats.sequential import Bounds, expected

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 121
REACH = 2.5  # effects to either side
SUFFIXES = (".svg", ".png", ".pdf")


def check_picture(file: Path) -> None:
    """Refuse a file name that says no kind of picture.

    Raises
    ------
    UserError
        Another ending than .svg, .png or .pdf.
    """
    if file.suffix.lower() not in SUFFIXES:
        raise UserError(f"'{file}' must end in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}.")


def draw_lengths(plan: Plan, file: Path) -> None:
    """Draw a plan into a file whose ending says which kind.

    Raises
    ------
    UserError
        It cannot be written.
    """
    from matplotlib import rc_context

    with rc_context(STYLE):  # type: ignore[arg-type]
        figure, axes = new_figure(3.2)
        for place, length in enumerate(plan.lengths):
            _draw(axes, plan, length, (*SIDES, INK)[place % 3])
        axes.set_yscale("log")
        axes.set_xlabel("true difference, % of games")
        axes.set_ylabel("hands until the end")
        axes.axvline(0, color=FAINT, linewidth=1, linestyle=DASHED)
        axes.grid(axis="y")
        axes.legend(fontsize=SMALL, loc="upper right")
        try:
            # Without its date the same picture is the same file.
            metadata = {"Date": None} if file.suffix.lower() == ".svg" else None
            figure.savefig(user_path(file), facecolor="white", metadata=metadata)
        except OSError as error:
            raise UserError(f"'{file}' cannot be written: {error.strerror or error}.") from None


def _draw(axes: "Axes", plan: Plan, length: Length, color: str) -> None:
    """A test's length by the truth as a line, and the length chosen beforehand as a broken one."""
    bounds = Bounds.of(plan.alpha, 1 - plan.power)
    hands = length.hands / length.units
    truths = [REACH * (2 * k / (POINTS - 1) - 1) + 0.5 for k in range(POINTS)]
    found = [expected(x * length.effect, 0.0, length.effect, length.spread, bounds).units for x in truths]
    shares = [100 * plan.effect * x for x in truths]
    axes.plot(shares, [units * hands for units in found], color=color, label=length.what)
    axes.axhline(length.hands, color=color, linewidth=1, linestyle=DASHED)
