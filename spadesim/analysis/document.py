"""A report as it is written: chapters with drawn pictures, as one HTML file or as Markdown, and files."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from spadesim.analysis import markdown
from spadesim.analysis.drawn import Drawn
from spadesim.analysis.hand_view import DrawnHand
from spadesim.analysis.numbers import Cell, plain_text
from spadesim.analysis.page import Table, Tile
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path
from spadesim.writing import drafted, folder_beside, write_durably

if TYPE_CHECKING:
    from jinja2 import Template


@dataclass(frozen=True)
class Fault:
    """Why a page is missing: what was raised, and where; or what it lacks.

    Parameters
    ----------
    error : str
    place : str
        File and line, "" where nothing was raised.
    """

    error: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.error} ({self.place})" if self.place else self.error


@dataclass(frozen=True)
class Shown:
    """A picture in its place.

    Parameters
    ----------
    id : str
        Its anchor, of which there is no other; the names of its files begin with it.
    drawn : Drawn
    """

    id: str
    drawn: Drawn


@dataclass(frozen=True)
class Part:
    """A section whose pictures are drawn.

    Parameters
    ----------
    id : str
    title : str
    text : sequence of str
    tiles : sequence of Tile
    pictures : sequence of Shown
    tables : sequence of Table
    hands : sequence of DrawnHand
    commands : sequence of str
    """

    id: str
    title: str
    text: Sequence[str] = ()
    tiles: Sequence[Tile] = ()
    pictures: Sequence[Shown] = ()
    tables: Sequence[Table] = ()
    hands: Sequence[DrawnHand] = ()
    commands: Sequence[str] = ()


@dataclass(frozen=True)
class Chapter:
    """What a page came to: its parts, or why there are none.

    Parameters
    ----------
    id, title, question : str
    parts : sequence of Part
    fault : Fault or None
    tables : mapping of str to bytes
        Its tables as CSV, by the names of their files.
    note : str
        Which hands it is of, where that is not what the report says of all its chapters.
    """

    id: str
    title: str
    question: str
    parts: Sequence[Part] = ()
    fault: Fault | None = None
    tables: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    note: str = ""


@dataclass(frozen=True)
class Document:
    """A whole report.

    Parameters
    ----------
    title, question : str
    answers : sequence of str
        What was found, a sentence for each thing reported on.
    chapters : sequence of Chapter
    notes : sequence of str
        What is not in it, and why.
    made : sequence of (str, str)
        What it takes to make it again: labels and values.
    command : str
        The command line that makes it again.
    condition : str
        Which hands alone were counted, as a sentence; "" for all.
    """

    title: str
    question: str
    answers: Sequence[str]
    chapters: Sequence[Chapter]
    notes: Sequence[str] = ()
    made: Sequence[tuple[str, str]] = ()
    command: str = ""
    condition: str = ""

    def __repr__(self) -> str:
        pages = ", ".join(chapter.id for chapter in self.chapters)
        return f"<report '{self.title}': {pages}>"

    @property
    def pictures(self) -> "Pictures":
        """The pictures by page and name, such as ``bids/by-place``."""
        shown = [
            (chapter.id, each)
            for chapter in self.chapters
            for part in chapter.parts
            for each in part.pictures
        ]
        return Pictures({f"{page}/{each.id.removeprefix(f'{page}-')}": each.drawn for page, each in shown})

    def html(self, folder: str | None = None) -> str:
        """The report as one HTML file that needs no other; `folder` is where its files lie, for links."""
        return template("page").render(document=self, folder=folder)

    def markdown(self, folder: str) -> str:
        """The report as Markdown, whose pictures lie in `folder`."""
        return markdown.written(self, folder)

    def files(self) -> dict[str, bytes]:
        """The files of all pictures and tables by name."""
        found = {
            f"{shown.id}.{ending}": content
            for chapter in self.chapters
            for part in chapter.parts
            for shown in part.pictures
            for ending, content in shown.drawn.files.items()
        }
        return found | {name: data for chapter in self.chapters for name, data in chapter.tables.items()}

    def save(self, file: str | Path, figures: str | Path | None = None) -> list[Path]:
        """Write the report, and the files of its pictures and tables into a folder.

        Parameters
        ----------
        file : str or Path
            Ends in ``.md`` for Markdown; HTML otherwise.
        figures : str or Path, optional
            The folder; ``page_files`` beside ``page.html`` if left out. Nothing else in it is touched.

        Returns
        -------
        list of Path
            The files in the folder.

        Raises
        ------
        UserError
            Something cannot be written.
        """
        page = user_path(file)
        folder = folder_beside(page) if figures is None else user_path(figures)
        contents = self.files()
        try:
            link = quote(Path(os.path.relpath(folder.resolve(), page.resolve().parent)).as_posix())
            is_markdown = page.suffix.lower() == ".md"
            text = self.markdown(link) if is_markdown else self.html(link if contents else None)
            with drafted(folder, contents):
                write_durably(page.resolve(), text.encode())
        except OSError as error:
            raise UserError(f"'{error.filename or page}' cannot be written: {error.strerror}.") from error
        return [folder / name for name in contents]

    def to_dict(self) -> dict[str, Any]:
        """What the report says, as plain values: its sentences, pictures and faults, without numbers."""
        return {
            "title": self.title,
            "question": self.question,
            "condition": self.condition,
            "answers": list(self.answers),
            "chapters": [_plain(chapter) for chapter in self.chapters],
            "notes": list(self.notes),
            "command": self.command,
        }

    @property
    def faults(self) -> list[tuple[str, Fault]]:
        """The pages that raised, by name."""
        return [(chapter.id, chapter.fault) for chapter in self.chapters if chapter.fault]

    def _repr_html_(self) -> str:
        """The report in a notebook, in a frame of its own so that its style stays its own."""
        from html import escape

        style = "width: 100%; height: 80vh; border: 1px solid #8a9099"
        return (
            f'<iframe srcdoc="{escape(self.html())}" style="{style}" title="{escape(self.title)}"></iframe>'
        )


class Pictures(dict[str, Drawn]):
    """Pictures by page and name; one that is not there is told."""

    def __missing__(self, name: str) -> Drawn:
        raise UserError(
            f"The report has no picture '{name}'.{suggest(name, self)} Pictures: {', '.join(self)}."
        )


def _plain(chapter: Chapter) -> dict[str, Any]:
    fault = chapter.fault
    parts = [
        {
            "id": part.id,
            "title": part.title,
            "text": list(part.text),
            "pictures": [{"id": shown.id, "title": shown.drawn.picture.title} for shown in part.pictures],
        }
        for part in chapter.parts
    ]
    return {
        "id": chapter.id,
        "title": chapter.title,
        "question": chapter.question,
        "note": chapter.note,
        "fault": None if fault is None else {"error": fault.error, "place": fault.place},
        "parts": parts,
    }


@cache
def template(name: str) -> "Template":
    """A template, of which everything that is filled in is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=lambda value: value if isinstance(value, Markup) else plain_text(str(value)),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inline"] = _inline
    environment.tests["noted"] = lambda value: isinstance(value, Cell)
    return environment.get_template(f"{name}.html.jinja")


def _inline(shown: Shown) -> "object":
    """A picture's ``svg`` element with an alt text, and names for its parts that no other picture has."""
    from spadesim.analysis.drawn import inlined

    return inlined(shown.drawn, shown.id)
