"""``spadesim calibrate SIDE``: the setting that makes a side as strong as is wanted."""

from pathlib import Path
from typing import Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files, deliver
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second

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
    check_files(plot, csv)
    from spadesim.tuning.calibrate import calibrate as aim

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
    deliver("calibrate", result, plot=plot, csv=csv, json=json, quiet=quiet, notes=notes)
    if result.partial:
        raise typer.Exit(INTERRUPTED)
    if not result.is_within:
        raise typer.Exit(NOT_SHOWN)
