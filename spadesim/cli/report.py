"""``spadesim report RUN``: what bots do and where they win and lose their points, as a page with pictures."""

import json as json_text
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.analysis.beside import process_beside
from spadesim.analysis.numbers import plain_text
from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import STREAM, check_folder, check_place
from spadesim.cli.terminal import Notes, at_the_second, say
from spadesim.errors import UserError, suggest
from spadesim.writing import folder_beside

if TYPE_CHECKING:
    from spadesim.analysis.document import Document

FORMATS = {"html": ".html", "md": ".md"}
FAULTY = 1
NAME = "report"


def report(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN...",
            help="What to report on: the folder of a run (duel --out), an answered question (run --out) or "
            "a tuning (tune --study), or a .json file that a command printed with --json.",
        ),
    ],
    page: Annotated[
        list[str] | None,
        typer.Option(
            "--page",
            metavar="PAGE",
            help="A page by its name, or a page file of your own by its path; all that fit if left out. "
            "Repeatable.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write it: report.html if left out."),
    ] = None,
    format_: Annotated[
        str | None,
        typer.Option(
            "--format", metavar="KIND", help="html, one file with everything in it, or md, for a repository."
        ),
    ] = None,
    where: Annotated[
        str, typer.Option("--where", metavar="EXPR", help="Count only hands for which this is true.")
    ] = "",
    figures: Annotated[
        Path | None,
        typer.Option(
            "--figures",
            metavar="DIR",
            help="Where to put every picture as SVG, PNG and PDF and its numbers as CSV; a folder beside the "
            "page if left out.",
        ),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            metavar="N",
            parser=options.whole,
            help="Have the bots of each run play its boards again, find where they part, and draw the N "
            "boards that cost A the most.",
        ),
    ] = None,
    workers: options.Workers = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="What the report is called.")] = "",
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Report on runs and results: one page with tables and pictures, and every picture as files.

    Exit code 1 tells that a page raised an error; the rest of the report is there. Ctrl-C while boards are
    played again ends these, and the report tells of those that were played; later it ends the report.

    \b
    spadesim report my_run
    spadesim report my_run --hands 20
    spadesim report my_run other_run --page bids --page nil --out nils.html
    spadesim report my_run --where "spades >= 5" --figures figures
    spadesim report my_run --page ./my_page.py --format md --out report.md
    spadesim tournament easy medium hard --json > cup.json; spadesim report cup.json
    """  # noqa: D301
    kind = kind_of(format_, out)
    if hands is None and workers is not None:
        raise UserError("Who plays goes with --hands, the boards of which are played: add --hands 20.")
    file = out or Path(f"{NAME}{FORMATS[kind]}")
    check_place(file)
    check_folder(figures or folder_beside(file))
    notes = Notes(quiet)
    words = ["spadesim", "report", *runs, *(word for name in page or () for word in ("--page", name))]
    shaping = {
        "where": where, "hands": hands, "title": title, "format": format_, "out": out, "figures": figures
    }  # fmt: skip
    words += [
        word
        for name, value in shaping.items()
        if value not in (None, "")
        for word in (f"--{name}", str(value))
    ]
    is_whole = True
    try:
        with notes.shown(), at_the_second(notes.say), process_beside(runs) as pool:
            from spadesim.analysis.compose import Wanted, compose
            from spadesim.analysis.inputs import read_inputs

            wanted = Wanted(tuple(page or ()), title, where, shlex.join(words))
            found = read_inputs(runs)
            if hands is not None:
                how = {"progress": notes.progress, "redealing": notes.redealing, "notice": notes.say}
                is_whole = found.add_hands(hands, workers=workers, **how)
                notes.restart()
            document = compose(found, wanted, notes.counting, pool)
    except KeyboardInterrupt:
        notes.say("stopped before the report was made.")
        raise typer.Exit(INTERRUPTED) from None
    files = document.save(file, figures)
    for name, fault in document.faults:
        notes.say(plain_text(f"the page {name} is missing: {fault}"))
    if json:
        say(json_text.dumps(described(document, file, files), indent=2, allow_nan=False))
    else:
        say("\n".join(map(plain_text, document.answers)))  # which a file may have brought along
    notes.say(f"the page is in {file}" + (f", its pictures in {_where(files)}" if files else ""))
    if not is_whole:
        raise typer.Exit(INTERRUPTED)
    if document.faults:
        raise typer.Exit(FAULTY)


def _where(files: list[Path]) -> str:
    """The folder of the files, and how many others lie there, such as those of an earlier report."""
    folder = files[0].parent
    others = sum(1 for _ in folder.iterdir()) - len(files)
    return f"{folder}" + (
        f", where {others} other file{'s lie' if others > 1 else ' lies'}" if others else ""
    )


def kind_of(given: str | None, out: Path | None) -> str:
    """The format that is wanted: as given, or by the ending of the file.

    >>> kind_of(None, None), kind_of(None, Path("a.md")), kind_of("md", None)
    ('html', 'md', 'md')

    Raises
    ------
    UserError
        There is no such format, or the file ends otherwise.
    """
    if given is not None and given not in FORMATS:
        raise UserError(f"--format must be html or md, not '{given}'.{suggest(given, FORMATS)}")
    endings = {ending: kind for kind, ending in FORMATS.items()}
    by_file = None if out is None else endings.get(out.suffix.lower())
    if out == STREAM:
        raise UserError("'-' is no file, and a report is not written to standard output: name a file.")
    if out is not None and by_file is None and given is None:
        raise UserError(f"'{out.name}' must end in .html or .md, or --format say which of them it is.")
    if given and by_file and given != by_file:
        raise UserError(f"--format {given} does not go with '{out}', which ends otherwise.")
    return given or by_file or "html"


def described(document: "Document", file: Path, files: list[Path]) -> dict[str, Any]:
    """A report as plain values: what it found, and the files that it is in."""
    return {"file": str(file), **document.to_dict(), "files": [str(each) for each in files]}
