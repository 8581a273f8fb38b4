"""``spadesim diff A B``: where two bots part, and what it costs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.duel import SIDE
from spadesim.cli.files import write_bytes, write_whole
from spadesim.cli.terminal import Notes, at_the_second, result_console, say
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.match.diff_result import DiffResult

DRAWN = 3


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help=SIDE)],
    b: Annotated[str, typer.Argument(metavar="B", help="The side that it plays against.")],
    boards: Annotated[
        int | None,
        typer.Option("--boards", metavar="N", parser=options.whole, help="How many; 20,000 if left out."),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            "--where",
            metavar="EXPR",
            help="Count only boards on which this is true, of the deal or of the seat that decided (me).",
        ),
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="List this kind only: bid, nil, cover, set, bag, play, draw.",
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            "--top",
            metavar="K",
            parser=options.whole,
            help="How many of the boards that cost A the most to list; 20 if left out.",
        ),
    ] = None,
    show: Annotated[
        int | None,
        typer.Option(
            "--show",
            metavar="K",
            parser=options.whole,
            help="How many of these to draw, deal and both continuations; 3 if left out.",
        ),
    ] = None,
    redeals: Annotated[
        int | None,
        typer.Option(
            "--redeals",
            metavar="N",
            parser=options.whole,
            help="Re-deals that say what a choice is worth; 200 if left out, 0 for none, else 30 or more.",
        ),
    ] = None,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    scores: options.Scores = None,
    bags: options.Bags = None,
    first: Annotated[
        int | None,
        typer.Option("--first", metavar="N", parser=options.whole, help="Number of the first board."),
    ] = None,
    workers: options.Workers = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the kinds into this .svg, .png or .pdf file."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write every board that parts to this file, as CSV."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find on every board the first decision on which two bots differ, and what comes of it.

    The differences of a duel by kind of that decision, and the boards that cost A the most: with what its
    choice is worth on average, so that bad luck is told from a fault. spadesim diff B A lists what cost B.

    \b
    spadesim diff hard medium
    spadesim diff my_bot.py hard --boards 100000 --kind nil
    spadesim diff my_bot.py hard --where 'spades >= 4 and place == 3'
    spadesim diff medium+hard hard --top 50 --show 0 --out boards.csv
    spadesim diff easy hard --rules cutthroat3 --redeals 1000
    """  # noqa: D301
    check_files(plot, out)
    if show is not None and show < 0:
        raise UserError(f"show must be at least 0, not {show}.")
    from spadesim.analysis.diff import diff as find

    given: dict[str, Any] = {"boards": boards, "top": top, "redeals": redeals, "seed": seed, "first": first}
    notes = Notes(quiet)
    try:
        with notes.shown(), at_the_second(notes.say):
            result = find(
                a, b, where=where, kind=kind, rules=rules, scores=scores, bags=bags, workers=workers,
                progress=notes.progress, redealing=notes.redealing, notice=notes.say,
                **{name: value for name, value in given.items() if value is not None},
            )  # fmt: skip
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    try:  # files before the output, whose reader may go away
        _write(result, plot, out, notes)
    finally:
        _print(result, DRAWN if show is None else show, json, quiet)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def _write(result: "DiffResult", plot: Path | None, out: Path | None, notes: Notes) -> None:
    """Write the picture and the table that were asked for."""
    if plot is not None:
        from spadesim.analysis.diff_plot import picture

        write_bytes(plot, picture(result, plot.suffix))
        notes.say(f"the picture is in {plot}")
    if out is not None:
        write_whole(out, result.boards_frame().to_csv(index=False))
        notes.say(f"the boards are in {out}")


def _print(result: "DiffResult", n_drawn: int, json: bool, quiet: bool) -> None:
    """Print one JSON object, one sentence, or everything."""
    if json:
        say(result.to_json())
    elif quiet:
        say(result.verdict)
    else:
        from spadesim.cli.render_diff import print_result

        print_result(result_console(), result, n_drawn)
