"""Pages: one HTML file with everything in it, made of a question, an answer, figures and tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from spadesim.analysis.numbers import Cell

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup


@dataclass(frozen=True)
class Tile:
    """A key figure: what it is, its value with its interval, and what it means."""

    label: str
    cell: Cell
    meaning: str


@dataclass(frozen=True)
class Figure:
    """A drawing under a title that states what it shows.

    Parameters
    ----------
    title : str
        The finding, as a sentence.
    svg : str
        An ``svg`` element (see `spadesim.analysis.plots`).
    caption : str
        How to read it.
    """

    title: str
    svg: str
    caption: str


@dataclass(frozen=True)
class TableRow:
    """A line of a table; `starts_group` draws a line above it."""

    cells: Sequence[str | Cell]
    starts_group: bool = False


@dataclass(frozen=True)
class Table:
    """A table: a title, the heads of its columns, its lines, and how to read it."""

    title: str
    heads: Sequence[str]
    rows: Sequence[TableRow]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """A part of a page under a title: text, then figures, then tables."""

    title: str
    text: Sequence[str] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()


@dataclass(frozen=True)
class Page:
    """A page, from the question to how it was made.

    Parameters
    ----------
    title, question, answer : str
    tiles : sequence of Tile
    sections : sequence of Section
    made : sequence of (str, str)
        What it takes to make it again: labels and values.
    command : str
        The command line that makes it again.
    """

    title: str
    question: str
    answer: str
    tiles: Sequence[Tile]
    sections: Sequence[Section]
    made: Sequence[tuple[str, str]]
    command: str

    def html(self) -> str:
        """The page as one HTML file that needs no other."""
        return _template().render(page=self)


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    folder = Path(__file__).parent / "templates"
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["drawing"] = _drawing
    environment.tests["noted"] = lambda value: isinstance(value, Cell)
    return environment.get_template("page.html.jinja")


def _drawing(svg: str, number: str) -> "Markup":
    """A drawing that can stand beside others: their names for their own parts do not meet.

    >>> _drawing('<g id="a"><use xlink:href="#a" clip-path="url(#b)"/></g>', "1-2")
    Markup('<g id="f1-2-a"><use xlink:href="#f1-2-a" clip-path="url(#f1-2-b)"/></g>')
    """
    from markupsafe import Markup

    return Markup(re.sub(r'( id="|href="#|url\(#)', rf"\g<1>f{number}-", svg))
