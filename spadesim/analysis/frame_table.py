"""Frames as tables to be read: numbers with their intervals, as many decimals as these can bear."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from spadesim.analysis.numbers import NOTHING, Cell, count, number, percent
from spadesim.analysis.page import Table, TableRow
from spadesim.analysis.report import FrameTable
from spadesim.errors import UserError, suggest
from spadesim.stats.intervals import Estimate

FORMATS: Mapping[str, Callable[..., Cell]] = {
    "number": number,
    "signed": partial(number, signed=True),
    "percent": percent,
    "points": partial(percent, signed=True),
    "count": lambda estimate: Cell(count(round(estimate.mean))),
}
MOST_ROWS = 200  # that a page shows; the file has all


def as_table(table: FrameTable) -> Table:
    """The table that shows a frame.

    Raises
    ------
    UserError
        The frame lacks a column, or there is no such format.
    """
    for name in table.heads:
        if name not in table.frame:
            known = [str(column) for column in table.frame]
            raise UserError(
                f"the table '{table.name}' has a head for '{name}', which is no column of its frame."
                f"{suggest(name, known)} Columns: {', '.join(known)}"
            )
    for form in table.formats.values():
        if isinstance(form, str) and form.partition(":")[0] not in (*FORMATS, "yes"):
            raise UserError(
                f"the table '{table.name}' has the format '{form}'.{suggest(form, FORMATS)} "
                f"Formats: {', '.join(FORMATS)}, yes"
            )
    shown = table.frame.head(MOST_ROWS)
    columns = {str(name): list(shown[name]) for name in shown}
    cells = [_column(columns, name, table.formats.get(name)) for name in table.heads]
    rows = [TableRow(row) for row in zip(*cells, strict=True)]
    left = len(table.frame) - len(shown)
    more = f"The first {MOST_ROWS} of {len(table.frame):,} rows; the file has all." if left else ""
    return Table(table.title, list(table.heads.values()), rows, f"{table.caption} {more}".strip())


def _column(
    columns: Mapping[str, list[Any]], name: str, form: str | Callable[[Any], str] | None
) -> list[str | Cell]:
    before = "" if name == "mean" else f"{name}_"
    values = columns[name]
    lows, highs = columns.get(f"{before}low", values), columns.get(f"{before}high", values)
    if callable(form):
        return [NOTHING if _is_missing(value) else form(value) for value in values]
    return [_cell(*each, form) for each in zip(values, lows, highs, strict=True)]


def _cell(value: Any, low: Any, high: Any, form: str | None) -> str | Cell:
    if _is_missing(value):
        return NOTHING
    if form == "yes":
        return "yes" if value else ""
    if isinstance(value, str) or not hasattr(value, "__float__") or isinstance(value, bool):
        return str(value)
    is_whole = float(value) == int(value) if math.isfinite(value) else False
    form = form or ("count" if is_whole and low is value else "number")
    ends = (value, value) if _is_missing(low) or _is_missing(high) else (low, high)
    form, _, least = form.partition(":")
    given = {"least": int(least)} if least else {}
    return FORMATS[form](Estimate(float(value), *map(float, ends)), **given)


def _is_missing(value: Any) -> bool:
    return (
        value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType"
    )
