"""``spadesim sprt``: a sequential test of results that were counted elsewhere, without playing."""

import json as json_text
from typing import Annotated

import typer

from spadesim.cli import options
from spadesim.cli.terminal import result_console, say
from spadesim.errors import UserError


def sprt(
    counts: Annotated[
        str | None,
        typer.Option(
            "--counts",
            metavar="LL,LD,..",
            help="Pairs of games by A's score: both lost, one lost and one drawn, split or both drawn, one "
            "drawn and one won, both won.",
        ),
    ] = None,
    wins: Annotated[
        int | None,
        typer.Option("--wins", metavar="N", parser=options.whole, help="Games that A won, instead of pairs."),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option("--draws", metavar="N", parser=options.whole, help="Games drawn; 0 if left out."),
    ] = None,
    losses: Annotated[
        int | None, typer.Option("--losses", metavar="N", parser=options.whole, help="Games that A lost.")
    ] = None,
    test: Annotated[
        str,
        typer.Option(
            "--test",
            metavar="TEST",
            help="gain, nonregression, or two values LO,HI in normalised Elo; with elo or % behind in these.",
        ),
    ] = "gain",
    alpha: options.Alpha = None,
    beta: options.Beta = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Test results that you have counted, and tell how long such a test takes.

    \b
    spadesim sprt --counts 39,2226,31451,2412,40 --test 0.2,0.9elo
    spadesim sprt --wins 530 --losses 470
    spadesim sprt --wins 36433 --draws 68692 --losses 36027 --test 0,2
    """  # noqa: D301
    from spadesim.match.counted import counted_test
    from spadesim.match.stop import choose

    numbers = _numbers(counts, wins, draws, losses)
    stop = choose(sprt=test, alpha=alpha, beta=beta)
    assert stop is not None
    found = counted_test(numbers, stop)
    if json:
        say(json_text.dumps(found.to_dict(), indent=2, allow_nan=False))
    elif quiet:
        say(found.verdict)
    else:
        from spadesim.cli.render_sequential import print_counted

        print_counted(result_console(), found)


def _numbers(counts: str | None, wins: int | None, draws: int | None, losses: int | None) -> tuple[int, ...]:
    games = (losses, draws, wins)
    if counts is not None:
        if any(number is not None for number in games):
            raise UserError("--counts and --wins, --draws, --losses exclude each other: give pairs or games.")
        try:
            return tuple(int(number) for number in counts.split(","))
        except ValueError:
            raise UserError(f"'{counts}' is no list of counts; 3,20,51,24,2 would be one.") from None
    if wins is None or losses is None:
        raise UserError("Give --counts of pairs of games, or --wins and --losses of single games.")
    return (losses, draws or 0, wins)
