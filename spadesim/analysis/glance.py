"""A result at a glance, at the end of a notebook's cell: its sentence, its main tables, its command.

The tables are those of the report's pages on such a result, so that a number is shown alike in both.
"""

from dataclasses import replace
from typing import Any

from spadesim.analysis.document import template
from spadesim.analysis.frame_table import as_table
from spadesim.analysis.inputs import CLASSES
from spadesim.analysis.page import Table, TableRow
from spadesim.analysis.pages import bundled, load_page
from spadesim.analysis.report import FrameTable, Report, Section
from spadesim.errors import UserError
from spadesim.match.bots_of_run import absent_sides
from spadesim.match.recorded import RecordedRun

MOST_ROWS = 20
ENDS = ("low", "high")


def glance(thing: Any) -> str:
    """What a notebook shows of a result or of a recorded run, as a piece of HTML in which all is escaped."""
    tables = [_short(table) for table in _tables(thing)]
    return template("glance").render(
        sentence=_sentence(thing), tables=tables, command=getattr(thing, "command", "")
    )


def _sentence(thing: Any) -> str:
    if not isinstance(thing, RecordedRun):
        return str(getattr(thing, "verdict", None) or thing.answer)
    try:
        return thing.result().verdict
    except UserError as error:  # such as that it has no part yet
        return str(error)


def _tables(thing: Any) -> list[Table]:
    if isinstance(thing, RecordedRun):
        return [_of_run(thing)]
    kind = next((kind for kind, cls in CLASSES.items() if isinstance(thing, cls)), None)
    if kind is not None:
        return _of_pages(kind, thing)
    frame = thing.to_frame()
    heads = {name: name for name in frame if not name.endswith(ENDS)}  # which stand beside what they are of
    return [as_table(FrameTable("all", "", frame, heads))] if len(frame) else []


def _of_pages(kind: str, result: Any) -> list[Table]:
    """The key figures and the first table that the report's pages have of a result."""
    pages = sorted(
        filter(lambda page: kind in page.reads, map(load_page, bundled())), key=lambda page: page.order
    )
    report = Report(results=(result,), pages=tuple(page.name for page in pages))
    sections = [section for page in pages for section in page.build(report)]
    figures = [_key_figures(section) for section in sections if section.tiles]
    tables = [table for section in sections for table in section.tables]
    shown = [as_table(table) if isinstance(table, FrameTable) else table for table in tables[:1]]
    return [*figures[:1], *shown]


def _key_figures(section: Section) -> Table:
    rows = [TableRow((tile.label, tile.cell, tile.meaning)) for tile in section.tiles]
    return Table("", ("", "", ""), rows)


def _of_run(run: RecordedRun) -> Table:
    """What a run is of, and which columns its rows have; nothing is counted for it."""
    rows = [
        ("folder", str(run.store.folder)),
        *((side, bots.name) for side, bots in zip("AB", absent_sides(run.manifest), strict=True)),
        ("rules", str(run.rules)),
        ("recorded", _recorded(run)),
        ("columns", ", ".join(run.columns)),
    ]
    return Table("", ("", ""), [TableRow(row) for row in rows])


def _recorded(run: RecordedRun) -> str:
    try:
        units = sum(header.units for header in run.headers())
    except UserError as error:  # such as that a part is missing
        return str(error)
    return f"{run.spec.some_units(units)} of {run.spec.units:,}"


def _short(table: Table) -> Table:
    """The first rows of a table."""
    left = len(table.rows) - MOST_ROWS
    if left <= 0:
        return table
    more = f"{left:,} row{'' if left == 1 else 's'} more; to_frame() has all."
    return replace(table, rows=table.rows[:MOST_ROWS], caption=f"{table.caption} {more}".strip())
