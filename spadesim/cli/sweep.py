"""``spadesim sweep STRATEGY --set king=2:6:1``: which values are best, and what a rule changes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files, deliver
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second

if TYPE_CHECKING:
    from spadesim.tuning.rules_sweep import RulesSweepResult
    from spadesim.tuning.swept import SweepResult

    Result = SweepResult | RulesSweepResult

OF_SETTINGS = "sweep of settings"
OF_RULES = "sweep of rules"


def sweep(
    strategy: Annotated[str, typer.Argument(metavar="STRATEGY", help="A bot or a side of two.")],
    settings: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="NAME=VALUES",
            help="A setting and its values: LOW:HIGH:STEP, or a list with commas. Several make a grid. "
            "rules.NAME varies a rule.",
        ),
    ],
    vs: Annotated[
        list[str] | None,
        typer.Option(
            "--vs", metavar="REF", help="Whom all arms play against; STRATEGY itself if left out. Repeatable."
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            metavar="N",
            parser=options.whole,
            help="Try N combinations, spread evenly, instead of all.",
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            "--boards",
            metavar="N",
            parser=options.whole,
            help="The most boards of an arm; 20,000 if left out, 200,000 with --until-width.",
        ),
    ] = None,
    until_width: Annotated[
        str | None,
        typer.Option(
            "--until-width",
            metavar="W",
            help="Go on until every arm's interval is no wider, such as 0.6%, or the arm surely worse.",
        ),
    ] = None,
    race: Annotated[
        bool, typer.Option("--race/--no-race", help="Whether arms that do badly stop early.")
    ] = True,
    correction: Annotated[
        str | None,
        typer.Option(
            "--correction",
            metavar="HOW",
            help="How intervals are made to hold together: max-t (from how arms vary together) or holm.",
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            "--confirm",
            metavar="N",
            parser=options.whole,
            help="Whole games of the winner against each reference; 4000 if left out, 0 for none.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="In a sweep of rules, games under each set of rules; 4000 if left out.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Play however many combinations there are.")] = False,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    scores: options.Scores = None,
    bags: options.Bags = None,
    hand_cap: options.HandCap = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the gains into this .svg, .png or .pdf file."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the table to this .csv file, a row an arm."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Try many settings of a bot, and say whether the best of them is really better.

    All of them play the same boards, and those that do badly stop early. The best one is measured anew on
    boards that had no part in choosing it, and over whole games; only what these show is claimed.

    \b
    spadesim sweep hard --set king=0:8:1
    spadesim sweep hard --set nil_odds=-1200:800:100 --until-width 0.6% --plot nil.svg
    spadesim sweep hard --set king=2:4:1 --set rounding=0:3:1 --vs yardstick --vs medium
    spadesim sweep hard --set ace=0:8:1 --set king=0:8:1 --set queen=0:8:1 --sample 60
    spadesim sweep hard --set rules.bag_penalty=0,50,100 --vs medium
    """  # noqa: D301
    check_files(plot, csv)
    notes = Notes(quiet)
    running: dict[str, Any] = {
        "workers": workers, "chunk": chunk, "progress": notes.progress, "notice": notes.say,
    }  # fmt: skip
    conditions: dict[str, Any] = {"vs": vs or (), "rules": rules, "seed": seed, "hand_cap": hand_cap}
    of_arms: dict[str, Any] = {
        "sample": sample, "boards": boards, "until_width": until_width, "correction": correction,
        "confirm": confirm, "scores": scores, "bags": bags,
    }  # fmt: skip
    try:
        with notes.shown(), at_the_second(notes.say):
            result: Result
            if any(text.strip().startswith("rules.") for text in settings):
                from spadesim.tuning.rules_sweep import make_rules_sweep, play_rules_sweep

                refuse(OF_RULES, **of_arms, no_race=None if race else True)
                result = play_rules_sweep(
                    make_rules_sweep(strategy, settings, games=games, **conditions), **running
                )
            else:
                from spadesim.tuning.sweep import play_sweep
                from spadesim.tuning.sweep_spec import make_sweep

                refuse(OF_SETTINGS, games=games)
                spec = make_sweep(strategy, settings, race=race, **of_arms, **conditions)
                result = play_sweep(spec, yes=yes, **running)
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    deliver("sweep", result, plot=plot, csv=csv, json=json, quiet=quiet, notes=notes)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def refuse(what: str, **given: object) -> None:
    """Refuse options that a kind of sweep does not have.

    >>> refuse("sweep of rules", boards=None, confirm=7)
    Traceback (most recent call last):
    spadesim.errors.UserError: --confirm does not go with a sweep of rules, which plays --games of each.
    """
    from spadesim.errors import UserError

    why = {
        OF_RULES: "which plays --games of each",
        OF_SETTINGS: "which plays --boards, and --confirm in the end",
    }
    for name, value in given.items():
        if value is not None:
            raise UserError(f"--{name.replace('_', '-')} does not go with a {what}, {why[what]}.")
