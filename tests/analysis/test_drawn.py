"""Pictures in all formats are what matplotlib itself makes of them, though they are drawn once."""

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from spadesim.analysis.drawn import draw
from spadesim.analysis.look import NARROW, PAPER, STYLE, A, B, legend, shade
from spadesim.analysis.pictures import DOTS, lay_out
from spadesim.analysis.report import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.compiled_only

Pixels = npt.NDArray[np.int64]


def everything(figure: Figure) -> None:
    """Lines, markers, dots, bars with hatches, bands, cells, texts that are turned, parts cut off."""
    left, right = figure.subplots(1, 2)
    left.plot([0, 1, 2], [0, 2, 1], marker="D", color=A, linestyle=(0, (5, 1.5)), label="line")
    left.scatter([0, 1, 2], [1, 1, 5], s=[9, 30, 90], color=B)
    left.fill_between([0, 1, 2], [0, 1, 0], [1, 3, 1], color=A, alpha=0.3)
    left.errorbar([1], [1], yerr=[[0.5], [0.7]], fmt="s", capsize=3)
    left.set_ylim(0, 3)  # cuts a dot off
    left.grid()
    left.set_ylabel("turned, $x$")
    right.bar([0, 1], [1, 2], color=B, hatch="////")
    shade(right, [(0, 3, 0.5), (1, 3, -1)])
    right.text(0.5, 3, "in cells", ha="center")
    right.set_ylim(0, 4)
    legend(figure, ["easy", "hard"])


def image(figure: Figure) -> None:
    figure.subplots().imshow([[0, 1], [1, 0]])


def picture(what: "Callable[[Figure], None]") -> Picture:
    return Picture("a", "A", what, pd.DataFrame({"x": [1]}), "", "alt")


def figure_of(what: "Callable[[Figure], None]") -> tuple[Figure, Any]:
    """The same as matplotlib alone has it."""
    figure = Figure(figsize=(NARROW, 3.0), dpi=DOTS, layout="constrained", facecolor=PAPER)
    canvas = FigureCanvasAgg(figure)
    what(figure)
    lay_out(figure)
    return figure, canvas


def pixels(data: bytes) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), dtype=np.int64)


@pytest.mark.parametrize("what", [everything, image])
def test_a_png_is_the_same(what: "Callable[[Figure], None]") -> None:
    with rc_context(STYLE):  # type: ignore[arg-type]
        _, canvas = figure_of(what)
        plain = io.BytesIO()
        canvas.print_png(plain)
    found, wanted = pixels(draw(picture(what)).files["png"]), pixels(plain.getvalue())
    assert found.shape == wanted.shape
    assert int(np.abs(found - wanted).max()) <= 2  # of 255, on the paper


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_everything_stands_where_it_should(kind: str) -> None:
    """All places in points, of paths and of texts, but for what a rounding of pixels moves."""
    with rc_context(STYLE | {"pdf.compression": 0}):  # type: ignore[arg-type]
        figure, _ = figure_of(everything)
        plain = io.BytesIO()
        figure.savefig(plain, format=kind, metadata=None)
    found = places(uncompressed(draw_plainly(picture(everything), kind)))
    wanted = places(uncompressed(plain.getvalue()))
    assert min(len(found), len(wanted)) > 20
    apart = np.abs(found[:, None, :] - wanted[None, :, :]).max(axis=2)
    assert float(apart.min(axis=0).max()) < 1.5
    assert float(apart.min(axis=1).max()) < 1.5


def draw_plainly(one: Picture, kind: str) -> bytes:
    with rc_context({"pdf.compression": 0}):
        return draw(one).files[kind]


def uncompressed(data: bytes) -> str:
    return data.decode("latin-1")


def places(text: str) -> npt.NDArray[np.float64]:
    """Where texts, markers and frames stand: what moves to them in an SVG, and in a PDF."""
    pairs = re.findall(r"translate\(([-\d.]+)[ ,]([-\d.]+)\) (?:rotate\([-\d.]+\) )?scale", text)
    pairs += re.findall(r'<use xlink:href="#m[^"]*" x="([-\d.]+)" y="([-\d.]+)"', text)
    pairs += re.findall(r'<rect x="([-\d.]+)" y="([-\d.]+)"', text)  # what cuts off
    pairs += re.findall(r"([-\d.]+) ([-\d.]+) (?:cm|Tm|m|[-\d.]+ [-\d.]+ re)\b", text)
    return np.array([(float(x), float(y)) for x, y in pairs])


def test_a_picture_without_files_is_the_page_alone() -> None:
    drawn = draw(picture(everything), with_files=False)
    assert drawn.files == {}
    assert drawn.inline == draw(picture(everything)).inline
    assert drawn.inline.startswith("<svg")
    assert "<!--" not in drawn.inline
