"""Chapters of a report: what pages give back, with pictures drawn, files named, and faults set aside."""

import re
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.analysis.document import Chapter, Fault, Part, Shown
from spadesim.analysis.drawn import draw
from spadesim.analysis.frame_table import as_table
from spadesim.analysis.page import Table
from spadesim.analysis.pages import PageFile
from spadesim.analysis.report import FrameTable, Report, Section

if TYPE_CHECKING:
    import pandas as pd

LONGEST_NAME = 60
OF_ALL = "Of all hands: the condition does not hold for this page."


def made(page: PageFile, report: Report, with_files: bool) -> Chapter:
    """A page's chapter, with its pictures drawn; if it raises, without them."""
    try:
        return _chapter(page, _sections(page.build(report)), report, with_files)
    except (Exception, SystemExit) as error:
        return without(page, fault(error, page.file.name))


def _sections(built: Any) -> list[Section]:
    """What a page gave back, if that is a list of sections."""
    sections = [] if isinstance(built, str) or not isinstance(built, Iterable) else list(built)
    others = [each for each in sections if not isinstance(each, Section)]
    if others or (not sections and built != []):
        what = f"a list with {type(others[0]).__name__}" if others else type(built).__name__
        raise TypeError(f"build must return a list of Section, not {what}; reports/README.md has an example")
    return sections


def without(page: PageFile, fault: Fault) -> Chapter:
    """The chapter of a page that is missing."""
    return Chapter(page.name, page.title, page.question, fault=fault)


def fault(error: BaseException, where: str) -> Fault:
    """What was raised, and the last line of the page's own file that led to it."""
    calls = traceback.extract_tb(error.__traceback__)
    lines = [call.lineno for call in calls if Path(call.filename).name == where]
    place = f"{where}, line {lines[-1]}" if lines else where
    text = str(error)
    if isinstance(error, SyntaxError) and error.lineno:
        text, place = error.msg, f"{where}, line {error.lineno}"
    return Fault(f"{type(error).__name__}: {text}".rstrip(": "), place)


def _chapter(page: PageFile, sections: Sequence[Section], report: Report, with_files: bool) -> Chapter:
    name, parts, tables = page.name, [], {}
    taken = {f"{name}-{number}" for number in range(1, len(sections) + 1)}  # where sections begin
    for number, section in enumerate(sections, 1):
        pictures = [
            Shown(_free(f"{name}-{slug(picture.name)}", taken), draw(picture, with_files))
            for picture in section.pictures
        ]
        shown: list[Table] = []
        for table in section.tables:
            if isinstance(table, FrameTable) and not len(table.frame):
                continue
            data = _data(table)
            if data is not None:
                file = f"{name}-{slug(table.name)}"
                file = _free(f"{file}-table" if file in taken else file, taken)
                tables[f"{file}.csv"] = data.to_csv(index=False).encode()
            shown.append(as_table(table) if isinstance(table, FrameTable) else table)
        part = Part(f"{name}-{number}", section.title, section.text, section.tiles, pictures, shown)
        parts.append(replace(part, hands=section.hands, commands=section.commands))
    is_of_all = report.where and not page.reads_rows and "any" not in page.reads
    return Chapter(name, page.title, page.question, parts, tables=tables, note=OF_ALL if is_of_all else "")


def _data(table: FrameTable | Table) -> "pd.DataFrame | None":
    """What the file of a table has; None where it has none."""
    if isinstance(table, FrameTable):
        return table.frame if table.tidy is None else table.tidy
    return table.data


def slug(text: str) -> str:
    """A text as a part of an anchor and of the name of a file.

    >>> slug("../My Page$"), slug("♠")
    ('my-page', 'x')
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:LONGEST_NAME].strip("-") or "x"


def apart(text: str, taken: set[str]) -> str:
    """A name for a page, which is taken then.

    None stays that is the beginning of another's, for "nil" and its picture "2-x" would meet "nil-2" and "x".

    >>> taken = set()
    >>> [apart(name, taken) for name in ("nil", "nil", "nil-2", "Nils")]
    ['nil', 'nil2', 'nil22', 'nils']
    """
    name = found = slug(text)
    number = 1
    while any(f"{found}-".startswith(f"{other}-") or other.startswith(f"{found}-") for other in taken):
        number += 1
        found = f"{name.replace('-', '')}{number}"
    taken.add(found)
    return found


def _free(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken; it is taken then."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found
