"""What pages are made of besides pictures: key figures, and tables of texts and of numbers with intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spadesim.analysis.numbers import Cell

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Tile:
    """A key figure: what it is, its value with its interval, and what it means."""

    label: str
    cell: Cell
    meaning: str


@dataclass(frozen=True)
class TableRow:
    """A line of a table; `starts_group` draws a line above it."""

    cells: Sequence[str | Cell]
    starts_group: bool = False


@dataclass(frozen=True)
class Table:
    """A table: a title, the heads of its columns, its lines, and how to read it.

    Where it has numbers, `data` are these in full, a row an observation: its CSV file, called `name`.
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[TableRow]
    caption: str = ""
    name: str = ""
    data: "pd.DataFrame | None" = field(default=None, compare=False)
