"""``spadesim duel A B``: who is better, by how much, and how sure that is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import check_place, write_whole
from spadesim.cli.terminal import Notes, at_the_second, result_console

if TYPE_CHECKING:
    from spadesim.match.result import DuelResult

SIDE = (
    "A side: a strategy's name or file, with settings (hard:king=4), or two of them (medium+hard); "
    "where everybody plays alone, one."
)


def duel(
    a: Annotated[str, typer.Argument(metavar="A", help=SIDE)],
    b: Annotated[str, typer.Argument(metavar="B", help="The side that it plays against.")],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Whole games, in pairs on the same deals with the sides swapped; with three or four single "
            "players in sets of six; 20,000 if left out.",
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            "--boards",
            metavar="N",
            parser=options.whole,
            help="Single hands instead, each in two rooms with the sides swapped, or in six.",
        ),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(
            "--scores",
            metavar="X,Y",
            help="Scores before each board, for the sides at seats 0 and 2, and 1 and 3, or for each single "
            "player; as they occur in games if left out.",
        ),
    ] = None,
    bags: Annotated[
        str | None,
        typer.Option("--bags", metavar="X,Y", help="Bags before each board, likewise."),
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="A preset, changes to it (pata:target=300), or a TOML file; draw300 and draw500 are for two "
            "players, cutthroat3 and bicycle for three and four single ones.",
        ),
    ] = "pata",
    seed: options.Seed = None,
    first: Annotated[
        int | None,
        typer.Option(
            "--first",
            metavar="N",
            parser=options.whole,
            help="Number of the first pair, set or board: to see one of them again.",
        ),
    ] = None,
    hand_cap: Annotated[
        int | None,
        typer.Option(
            "--hand-cap",
            metavar="N",
            parser=options.whole,
            help="Hands after which a game is given up as unfinished; 1000 if left out.",
        ),
    ] = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a page with figures to this .html file."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Play two sides and tell who is better.

    By how much, how sure that is, and how each side bids, bags and plays its nils.

    \b
    spadesim duel easy hard
    spadesim duel hard hard:king=4 --games 100000 --rules classic
    spadesim duel medium+hard hard --report page.html
    spadesim duel my_bot.py hard --boards 5000 --scores 400,350 --bags 3,7
    spadesim duel random_legal lowest_card --rules draw300 --games 2000
    spadesim duel easy hard --rules cutthroat3 --games 600
    """  # noqa: D301 - typer keeps the lines of a paragraph apart by it
    if report is not None:
        check_place(report)
    from spadesim.match.duel import play_duel
    from spadesim.match.spec import make_spec

    spec = make_spec(
        a,
        b,
        rules=rules,
        scores=scores,
        bags=bags,
        games=games,
        boards=boards,
        seed=seed,
        first=first,
        hand_cap=hand_cap,
    )
    notes = Notes(quiet)
    try:
        with notes.shown(), at_the_second(notes.say):
            result = play_duel(spec, workers=workers, chunk=chunk, progress=notes.progress, notice=notes.say)
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    show(result, json, quiet)
    if report is not None:
        write_report(result, report, notes)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def show(result: "DuelResult", json: bool, quiet: bool) -> None:
    """Print a result: one JSON object, one sentence, or everything."""
    if json:
        print(result.to_json())
    elif quiet:
        print(result.verdict)
    else:
        from spadesim.cli.render import print_duel

        print_duel(result_console(), result)


def write_report(result: "DuelResult", file: Path, notes: Notes) -> None:
    """Make the page of a duel and write it."""
    from importlib import import_module

    page = import_module("spadesim.reports.duel").build(result)
    write_whole(file, page)
    notes.say(f"the page is in {file}")
