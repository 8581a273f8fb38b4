"""Pictures of pages, drawn once and saved four times: for the page itself, and as SVG, PNG and PDF files."""

import contextlib
import io
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from zlib import crc32

from spadesim.analysis.look import INK, NARROW, PAPER, STYLE, VARIABLES, WIDTH
from spadesim.analysis.numbers import plain_text
from spadesim.analysis.pictures import DOTS, METADATA, lay_out
from spadesim.analysis.report import Picture

if TYPE_CHECKING:
    import pandas as pd
    from markupsafe import Markup
    from matplotlib.figure import Figure

QUICK = 3  # of 9: a third of the time for a tenth more bytes
LENGTH = re.compile(r"[1-9]\d*\.\d{3,}")  # not a scale below 1


@dataclass(frozen=True, eq=False)
class Drawn:
    """A picture, drawn.

    Parameters
    ----------
    picture : Picture
    inline : str
        An ``svg`` element whose colours are the page's.
    files : dict of str to bytes
        The content of its files by ending; empty where none were asked for.
    """

    picture: Picture
    inline: str
    files: dict[str, bytes] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<picture '{plain_text(self.picture.title)}'>"

    @property
    def data(self) -> "pd.DataFrame":
        """What is drawn, tidy: a row an observation."""
        return self.picture.data

    def figure(self) -> "Figure":
        """The picture drawn anew, as a matplotlib figure to be changed, shown and saved (``savefig``)."""
        with _look():
            figure, _ = _drawn(self.picture)
        figure.set_facecolor(PAPER)
        return figure

    def _repr_html_(self) -> str:
        """The picture in a notebook, under its title and above what tells how to read it."""
        from markupsafe import Markup

        colors = ";".join(f"{variable}:{color}" for color, variable in VARIABLES.items())
        width = WIDTH if self.picture.wide else NARROW
        style = f"{colors};background:{PAPER};color:{INK};max-width:{width}in;margin:0;padding:.6em"
        return str(
            Markup(
                '<figure style="{}"><strong>{}</strong>{}<figcaption><small>{}</small></figcaption></figure>'
            ).format(
                style,
                plain_text(self.picture.title),
                inlined(self, f"picture-{crc32(self.inline.encode()):08x}"),
                plain_text(self.picture.caption),
            )
        )


def draw(picture: Picture, with_files: bool = True) -> Drawn:
    """A picture as text for a page and as the contents of its files; what its function raises passes."""
    from spadesim.analysis.drawn_once import Recording

    with _look():
        figure, canvas = _drawn(picture)
        lay_out(figure)
        recording = Recording(figure, canvas.get_renderer())
        svg = _svg(figure)
        recording.paper = PAPER
        files = _files(figure, canvas, svg, picture) if with_files else {}
    return Drawn(picture, _inline(svg), files)


@contextlib.contextmanager
def _look() -> Iterator[None]:
    """Have the block draw in the look of all figures."""
    from matplotlib import rc_context

    with rc_context(STYLE), warnings.catch_warnings():  # type: ignore[arg-type]
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def _drawn(picture: Picture) -> "tuple[Figure, Any]":
    """The picture as a figure, and its canvas."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    size = (WIDTH if picture.wide else NARROW, picture.height)
    figure = Figure(figsize=size, dpi=DOTS, layout="constrained")
    canvas: Any = FigureCanvasAgg(figure)  # remembers how wide texts are, for the layout and for the PNG
    picture.draw(figure)
    _calm(figure)
    return figure, canvas


def _files(figure: "Figure", canvas: Any, svg: str, picture: Picture) -> dict[str, bytes]:
    """The contents of the files, on paper of their own."""
    figure.set_facecolor(PAPER)  # where it was not recorded
    return {
        "svg": _on_paper(svg).encode(),
        "png": _png(figure, canvas),
        "pdf": _pdf(figure),
        "csv": picture.data.to_csv(index=False).encode(),
    }


# The canvases are called themselves: `savefig` draws everything twice.
def _png(figure: "Figure", canvas: Any) -> bytes:
    content = io.BytesIO()
    figure.dpi = DOTS
    canvas.print_png(content, metadata=METADATA["png"], pil_kwargs={"compress_level": QUICK})
    return content.getvalue()


def _svg(figure: "Figure") -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    content = io.StringIO()
    canvas: Any = FigureCanvasSVG(figure)
    canvas.print_svg(content, metadata=METADATA["svg"])
    return re.sub("<!--.*?-->", "", content.getvalue(), flags=re.DOTALL)  # which repeat every text


def _pdf(figure: "Figure") -> bytes:
    from matplotlib.backends.backend_pdf import FigureCanvasPdf

    content = io.BytesIO()
    canvas: Any = FigureCanvasPdf(figure)
    canvas.print_pdf(content, metadata=METADATA["pdf"])
    return content.getvalue()


def _calm(figure: "Figure") -> None:
    """Take signs that print nothing, or turn the direction of writing, out of all texts of a figure."""
    from matplotlib.text import Text

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            formatter: Any = axis.get_major_formatter()
            formatter.format_ticks = partial(_calmed, formatter.format_ticks)
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        text.set_text(_lines(text.get_text()))


def _calmed(format_ticks: Callable[[Sequence[float]], list[str]], values: Sequence[float]) -> list[str]:
    return [_lines(text) for text in format_ticks(values)]


def _lines(text: str) -> str:
    return "\n".join(map(plain_text, text.split("\n")))


def _on_paper(svg: str) -> str:
    """The content of a file: the same on paper of its own, and with nothing to say of its maker."""
    return re.sub(r"(<svg[^>]*>)", rf'\1<rect width="100%" height="100%" fill="{PAPER}"/>', svg, count=1)


def _inline(svg: str) -> str:
    """An ``svg`` element whose colours are the page's, and whose size in points is told by its view box."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*pt" height="[^"]*pt"', r"\1", svg, count=1)
    svg = LENGTH.sub(lambda found: f"{float(found[0]):.2f}", svg)
    for color, variable in VARIABLES.items():
        svg = svg.replace(color, f"var({variable})")
    return svg


def inlined(drawn: Drawn, name: str) -> "Markup":
    """A picture's ``svg`` element with its alt text, that can stand beside others: names do not meet.

    >>> picture = Picture("a", "A", lambda figure: None, None, "", "all <level>")
    >>> print(inlined(Drawn(picture, '<svg viewBox="0 0 1 1"><use xlink:href="#a"/></svg>'), "nil"))
    <svg role="img" aria-labelledby="nil--t nil--d" viewBox="0 0 1 1"><title id="nil--t">A</title><desc id="nil--d">all &lt;level&gt;</desc><use xlink:href="#nil.a"/></svg>
    """  # noqa: E501
    from markupsafe import Markup, escape

    picture = drawn.picture
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}.", drawn.inline)
    title = Markup('<title id="{0}--t">{1}</title><desc id="{0}--d">{2}</desc>').format(
        name, plain_text(picture.title), plain_text(picture.alt)
    )
    begin = f'<svg role="img" aria-labelledby="{escape(name)}--t {escape(name)}--d"'
    head, _, rest = svg.partition(">")
    return Markup(f"{head.replace('<svg', begin, 1)}>{title}{rest}")
