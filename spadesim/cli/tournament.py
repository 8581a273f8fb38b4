"""``spadesim tournament A B C ...``: who is best of many, and what is sure about the order."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files, deliver
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second

if TYPE_CHECKING:
    from spadesim.match.partners import PartnersResult
    from spadesim.match.standings import TournamentResult

    Result = TournamentResult | PartnersResult


def tournament(
    players: Annotated[
        list[str],
        typer.Argument(metavar="A B C ...", help="Two players or more, each a bot or a side of two."),
    ],
    boards: Annotated[
        int | None,
        typer.Option(
            "--boards",
            metavar="N",
            parser=options.whole,
            help="Boards that every pair of players plays, the same ones for all; 20,000 if left out.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Whole games that every pair plays besides, to confirm the order by them.",
        ),
    ] = None,
    gauntlet: Annotated[
        str | None,
        typer.Option("--gauntlet", metavar="A", help="A alone plays against each of the others."),
    ] = None,
    anchor: Annotated[
        str | None,
        typer.Option(
            "--anchor", metavar="A", help="The player whose rating is 0, instead of the mean of all."
        ),
    ] = None,
    partners: Annotated[
        str | None,
        typer.Option(
            "--partners",
            metavar="SIDE",
            help="Who plays well with whom: every two of the bots as partners, against SIDE.",
        ),
    ] = None,
    until_separated: Annotated[
        bool,
        typer.Option("--until-separated", help="Give more boards to the pair about which least is known."),
    ] = False,
    indifference: Annotated[
        str | None,
        typer.Option(
            "--indifference",
            metavar="D",
            help="With --until-separated, a difference that nobody cares about, such as 0.1%.",
        ),
    ] = None,
    cap: Annotated[
        int | None,
        typer.Option(
            "--cap",
            metavar="N",
            parser=options.whole,
            help="With --until-separated, the most boards of a pair; ten times --boards if left out.",
        ),
    ] = None,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    scores: options.Scores = None,
    bags: options.Bags = None,
    hand_cap: options.HandCap = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the ranking into this .svg, .png or .pdf file."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the ranking to this .csv file, a row a player."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Rank many players, on the same boards for all pairs.

    Ratings with joint intervals, how sure it is that one is better than another, who is not separated, and
    every match head to head.

    \b
    spadesim tournament easy medium hard
    spadesim tournament easy medium hard yardstick --games 10000 --plot ranking.svg
    spadesim tournament medium hard hard:king=4 --gauntlet hard --anchor hard
    spadesim tournament medium yardstick hard --until-separated --cap 200000
    spadesim tournament easy medium hard --partners yardstick
    """  # noqa: D301
    check_files(plot, csv)
    from spadesim.match.tournament import make_tournament, play_tournament

    notes = Notes(quiet)
    conditions: dict[str, Any] = {
        "rules": rules, "scores": scores, "bags": bags, "boards": boards, "seed": seed, "hand_cap": hand_cap,
    }  # fmt: skip
    running: dict[str, Any] = {
        "workers": workers, "chunk": chunk, "progress": notes.progress, "notice": notes.say,
    }  # fmt: skip
    try:
        with notes.shown(), at_the_second(notes.say):
            result: Result
            if partners is None:
                spec = make_tournament(
                    players, gauntlet=gauntlet, anchor=anchor, games=games, until_separated=until_separated,
                    indifference=indifference, cap=cap, **conditions,
                )  # fmt: skip
                result = play_tournament(spec, **running)
            else:
                from spadesim.match.partners import make_partners, play_partners

                refuse_with_partners(
                    games=games, gauntlet=gauntlet, anchor=anchor, until_separated=until_separated or None,
                    indifference=indifference, cap=cap,
                )  # fmt: skip
                result = play_partners(make_partners(players, partners, **conditions), **running)
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    deliver("tournament", result, plot=plot, csv=csv, json=json, quiet=quiet, notes=notes)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def refuse_with_partners(**given: object) -> None:
    """Refuse options that say nothing about partners.

    >>> refuse_with_partners(games=None, cap=7)
    Traceback (most recent call last):
    spadesim.errors.UserError: --cap does not go with --partners, which plays boards against one side.
    """
    from spadesim.errors import UserError

    for name, value in given.items():
        if value is not None:
            option = "--" + name.replace("_", "-")
            raise UserError(f"{option} does not go with --partners, which plays boards against one side.")
