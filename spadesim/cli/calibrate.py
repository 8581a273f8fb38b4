"""``spadesim calibrate SIDE``: the setting that makes a side as strong as is wanted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import check_place, write_bytes, write_whole
from spadesim.cli.terminal import Notes, at_the_second, result_console

if TYPE_CHECKING:
    from spadesim.tuning.calibrated import CalibrateResult

NOT_SHOWN = 1


def calibrate(
    side: Annotated[
        str, typer.Argument(metavar="SIDE", help="Who is to be so strong, a bot or a side of two.")
    ],
    param: Annotated[
        str,
        typer.Option(
            "--param",
            metavar="NAME",
            help="What is varied: a weakness such as blunder or forget, or a parameter; higher.NAME or "
            "lower.NAME of one bot of two; NAME=LOW:HIGH within a range.",
        ),
    ],
    vs: Annotated[str, typer.Option("--vs", metavar="SIDE", help="Against whom.")],
    target: Annotated[
        float,
        typer.Option(
            "--target", metavar="P", parser=options.fraction, help="Share of games to win: 0.65 or 65%."
        ),
    ],
    within: Annotated[
        float | None,
        typer.Option(
            "--within",
            metavar="D",
            parser=options.fraction,
            help="By how much it may be off; 2% if left out.",
        ),
    ] = None,
    ladder: Annotated[
        int | None,
        typer.Option(
            "--ladder",
            metavar="K",
            parser=options.whole,
            help="K settings with equal steps in win rate, from the strongest to the target.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Most games to play in all; as many as --within asks for if left out.",
        ),
    ] = None,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    workers: options.Workers = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw win rate and setting into this .svg, .png or .pdf file."
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the settings found to this .csv file, a row each."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the setting that makes a side win so many of its games.

    The setting is searched on common deals, and shown by fresh games that the search never saw. The exit
    code is 1 where these do not show it to be within the tolerance.

    \b
    spadesim calibrate hard --param blunder --vs medium --target 65%
    spadesim calibrate medium --param blunder --vs easy --target 0.65 --within 0.01
    spadesim calibrate easy+hard --param higher.blunder --vs easy --target 65%
    spadesim calibrate hard --param blunder --vs medium --target 30% --ladder 5
    """  # noqa: D301
    for file in (plot, csv):
        if file is not None:
            check_place(file)
    from spadesim.analysis.pictures import check_picture
    from spadesim.tuning.calibrate import calibrate as aim

    if plot is not None:
        check_picture(plot)
    notes = Notes(quiet)
    given: dict[str, Any] = {"within": within, "ladder": ladder, "games": games, "seed": seed}
    try:
        with notes.shown(), at_the_second(notes.say):
            result = aim(
                side, param, vs, target, rules=rules, workers=workers, progress=notes.progress,
                notice=notes.say, **{name: value for name, value in given.items() if value is not None},
            )  # fmt: skip
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    try:
        write(result, plot, csv, notes)  # before the output, whose reader may go away
    finally:
        show(result, json, quiet)  # also when a file cannot be written
    if result.partial:
        raise typer.Exit(INTERRUPTED)
    if not result.is_within:
        raise typer.Exit(NOT_SHOWN)


def show(result: "CalibrateResult", json: bool, quiet: bool) -> None:
    """Print a result: one JSON object, one sentence, or everything."""
    if json:
        print(result.to_json())
    elif quiet:
        print(result.verdict)
    else:
        from spadesim.cli.render_calibrate import print_calibration

        print_calibration(result_console(), result)


def write(result: "CalibrateResult", plot: Path | None, csv: Path | None, notes: Notes) -> None:
    """Write the picture and the table that were asked for."""
    if plot is not None:
        from spadesim.analysis.strength import picture

        write_bytes(plot, picture(result, plot.suffix))
        notes.say(f"the picture is in {plot}")
    if csv is not None:
        write_whole(csv, result.to_frame().to_csv(index=False))
        notes.say(f"the table is in {csv}")
