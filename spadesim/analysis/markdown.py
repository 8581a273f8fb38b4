"""Reports as Markdown, for a repository: pictures are links to files that lie beside."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from spadesim.analysis.diagram import tables_block
from spadesim.analysis.lines import plain
from spadesim.analysis.numbers import Cell, plain_text
from spadesim.analysis.page import Table

if TYPE_CHECKING:
    from spadesim.analysis.document import Chapter, Document, Part

SIGNS = re.compile(r"[\\`*_{}\[\]|~$@]")
BLOCKS = re.compile(r"^(\s*(?:\d+(?=[.)](?:\s|$)))?)([-+#=.)])(?=[-+#=\s]|$)")  # lists, headings and lines
ADDRESSES = re.compile(r":(?=//)|(?<=\bwww)\.", re.IGNORECASE)  # what they are known by
COLUMNS = 80  # of a hand that is drawn
ENTITIES = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;"})


def escaped(text: str) -> str:
    r"""A text in which nothing is Markdown, a formula, HTML or an address that becomes a link.

    >>> escaped("<b>*me* $x$ [a](b)|")
    '&lt;b&gt;\\*me\\* \\$x\\$ \\[a\\](b)\\|'
    >>> escaped("https://a.b or WWW.a.b")
    'https\\://a.b or WWW\\.a.b'
    >>> [escaped(text) for text in ("8.4 %", "-0.5", "1. a", "- a", "## a", "---")]
    ['8.4 %', '-0.5', '1\\. a', '\\- a', '\\## a', '\\---']
    """
    text = SIGNS.sub(lambda found: f"\\{found[0]}", plain_text(text).translate(ENTITIES))
    text = ADDRESSES.sub(r"\\\g<0>", text)
    return BLOCKS.sub(r"\1\\\2", text)


def written(document: "Document", folder: str) -> str:
    """A document as Markdown whose pictures lie in `folder`."""
    return "\n\n".join(_blocks(document, folder)) + "\n"


def _blocks(document: "Document", folder: str) -> Iterator[str]:
    yield f"# {escaped(document.title)}"
    yield f"*{escaped(document.question)}*"
    if document.condition:
        yield f"> {escaped(document.condition)}"
    yield from (f"**{escaped(answer)}**" for answer in document.answers)
    yield "\n".join(f"- [{escaped(chapter.title)}](#{chapter.id})" for chapter in document.chapters)
    for chapter in document.chapters:
        yield from _chapter(chapter, folder)
    yield from (escaped(note) for note in document.notes)
    yield "## How this was made"
    yield _code(plain_text(document.command))
    yield "\n".join(f"- {escaped(label)}: {escaped(value)}" for label, value in document.made)


def _chapter(chapter: "Chapter", folder: str) -> Iterator[str]:
    yield f'<a id="{chapter.id}"></a>\n\n## {escaped(chapter.title)}'
    yield f"*{escaped(chapter.question)}*"
    if chapter.note:
        yield f"> {escaped(chapter.note)}"
    if chapter.fault:
        yield f"> This page is missing: {escaped(str(chapter.fault))}"
    for part in chapter.parts:
        yield from _part(part, folder)


def _part(part: "Part", folder: str) -> Iterator[str]:
    yield f"### {escaped(part.title)}"
    yield from map(escaped, part.text)
    for drawn in part.hands:
        rows = plain(tables_block(drawn.played, drawn.number, COLUMNS, drawn.rooms)).rstrip().split("\n")
        yield _code("\n".join(map(plain_text, rows)), "text")
    if part.tiles:
        rows = [
            f"- {escaped(tile.label)}: **{_cell(tile.cell)}** {escaped(tile.meaning)}" for tile in part.tiles
        ]
        yield "\n".join(rows)
    for shown in part.pictures:
        picture = shown.drawn.picture
        yield f"**{escaped(picture.title)}**"
        yield f"![{escaped(picture.alt)}](<{folder}/{shown.id}.svg>)"
        yield escaped(picture.caption)
    for table in part.tables:
        if table.title:
            yield f"**{escaped(table.title)}**"
        yield _table(table)
        if table.caption:
            yield escaped(table.caption)
    for command in part.commands:
        yield _code(plain_text(command))


def _table(table: Table) -> str:
    lines = [table.heads, ["---"] * len(table.heads)]
    rows: list[Sequence[str | Cell]] = [*lines[:1], *(row.cells for row in table.rows)]
    texts = [f"| {' | '.join(map(_cell, row))} |" for row in rows]
    return "\n".join([texts[0], f"|{' --- |' * len(table.heads)}", *texts[1:]])


def _cell(cell: str | Cell) -> str:
    if isinstance(cell, Cell):
        return escaped(cell.value + (f" ({cell.note})" if cell.note else ""))
    return escaped(str(cell))


def _code(text: str, language: str = "sh") -> str:
    fence = "`" * (3 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"
