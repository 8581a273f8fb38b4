"""``spadesim plan A B``: how long it takes to see a difference, before anything is played for it."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import check_place, write_bytes
from spadesim.cli.terminal import Notes, at_the_second, result_console, say


def plan(
    a: Annotated[str, typer.Argument(metavar="A", help="A side, as for duel.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The side that it plays against.")],
    effect: Annotated[
        float | None,
        typer.Option(
            "--effect",
            metavar="E",
            parser=options.fraction,
            help="The difference to be seen: with 1%, as if left out, A wins 51 % of the games.",
        ),
    ] = None,
    power: Annotated[
        float | None,
        typer.Option(
            "--power", metavar="P", parser=options.fraction, help="The chance to see it; 90% if left out."
        ),
    ] = None,
    alpha: options.Alpha = None,
    pilot: Annotated[
        int | None,
        typer.Option(
            "--pilot",
            metavar="N",
            parser=options.whole,
            help="Boards of the pilot; 4,000 if left out. Three games for ten of them follow.",
        ),
    ] = None,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    workers: options.Workers = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the lengths to this .svg, .png or .pdf file."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell how many boards or games, and seconds, it takes to see a difference.

    A short pilot of both tells how much they vary and how long they take.

    \b
    spadesim plan hard hard:king=4
    spadesim plan my_bot.py@main my_bot.py --effect 0.5% --power 0.95
    spadesim plan easy medium --rules draw300 --effect 2% --plot lengths.svg
    """  # noqa: D301
    if plot is not None:
        from spadesim.analysis.pictures import check_picture

        check_picture(plot)
        check_place(plot)
    from spadesim.match import plan as planning

    notes = Notes(quiet)
    asked = {"effect": effect, "power": power, "alpha": alpha, "boards": pilot}
    given: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
    try:
        with notes.shown(), at_the_second(notes.say):
            found = planning.plan(
                a,
                b,
                **given,
                rules=rules,
                seed=seed,
                workers=workers,
                progress=notes.progress,
                notice=notes.say,
            )
    except KeyboardInterrupt:
        notes.say("stopped before the pilot was over.")
        raise typer.Exit(INTERRUPTED) from None
    if plot is not None and not found.lengths:
        notes.say("there is nothing to draw, so no picture is written.")
    elif plot is not None:
        from spadesim.analysis.lengths import picture

        write_bytes(plot, picture(found, plot.suffix))
        notes.say(f"the picture is in {plot}")
    from spadesim.cli.render_sequential import plan_sentence, print_plan

    if json:
        say(json_text.dumps(found.to_dict(), indent=2, allow_nan=False))
    elif quiet:
        say(plan_sentence(found))
    else:
        print_plan(result_console(), found)
