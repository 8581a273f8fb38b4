"""Pictures as files of their own, of the kind that their name says."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import PAPER, STYLE
from spadesim.errors import UserError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What is left out of each kind, so that the same picture is the same file.
METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
DOTS = 150  # an inch


def check_picture(file: Path) -> None:
    """Refuse a name that does not say which kind of picture is wanted.

    Raises
    ------
    UserError
        It ends neither in .svg nor in .png or .pdf.
    """
    if _kind(file.suffix) not in METADATA:
        raise UserError(f"A picture is an .svg, a .png or a .pdf file, not '{file.name}'.")


def picture_file(draw: "Callable[[], Figure]", suffix: str) -> bytes:
    """A figure in the look of all figures, on paper of its own, as the content of a file.

    Parameters
    ----------
    draw : function
        Makes the figure.
    suffix : str
        ".svg", ".png" or ".pdf".
    """
    from matplotlib import rc_context

    kind, content = _kind(suffix), io.BytesIO()
    with rc_context(STYLE | {"figure.facecolor": PAPER, "savefig.facecolor": PAPER}):  # type: ignore[arg-type]
        figure = draw()
        lay_out(figure)
        figure.savefig(content, format=kind, dpi=DOTS, metadata=METADATA[kind])
    return content.getvalue()


def _kind(suffix: str) -> str:
    return suffix.lower().removeprefix(".")


def lay_out(figure: "Figure") -> None:
    """Lay a figure out, once, with rounded places: the solver's last digits change from run to run."""
    engine = figure.get_layout_engine()
    if engine is not None and figure.axes:
        engine.execute(figure)
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(length, 4) for length in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))
