"""``spadesim solve``: a position with all cards seen, solved exactly."""

import json as json_text
from typing import Annotated

import typer

from spadesim.cli import options
from spadesim.cli.terminal import Notes, at_once, result_console, say

MOST_COLUMNS = 200


def solve(
    deal: Annotated[
        str | None,
        typer.Argument(
            metavar="[DEAL]",
            help='The cards left, "N:AK2.J3.. ...", or a .pbn file; or leave it out and say --board.',
        ),
    ] = None,
    value: Annotated[
        str,
        typer.Option("--value", metavar="WHAT", help="points, which needs the bids, or tricks."),
    ] = "points",
    leader: Annotated[
        str | None,
        typer.Option("--leader", metavar="SEAT", help="Who led, or leads, the trick; North if left out."),
    ] = None,
    trick: Annotated[
        str, typer.Option("--trick", metavar="CARDS", help='On the table, in the order played: "9H KH".')
    ] = "",
    bids: Annotated[
        str | None,
        typer.Option("--bids", metavar="N,E,S,W", help="Of the four seats: 3,nil,4,2; blind is a blind nil."),
    ] = None,
    tricks: Annotated[
        str | None, typer.Option("--tricks", metavar="N,E,S,W", help="Won by the four seats so far.")
    ] = None,
    bags: Annotated[
        str | None,
        typer.Option("--bags", metavar="X,Y", help="Of both sides before the hand; 0,0 if left out."),
    ] = None,
    broken: Annotated[
        bool | None,
        typer.Option("--broken/--unbroken", help="Whether spades are; out of the missing cards if left out."),
    ] = None,
    rules: options.RulesText = "pata",
    seed: options.Seed = None,
    board: Annotated[
        int | None,
        typer.Option(
            "--board",
            metavar="K",
            parser=options.whole,
            help="A board of the seed instead; of a file, which.",
        ),
    ] = None,
    bots: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--bots", metavar="A B", help="Two sides that bid the board, and play its first tricks."
        ),
    ] = None,
    before: Annotated[
        int | None,
        typer.Option(
            "--before",
            metavar="T",
            parser=options.whole,
            help="With --bots: before which trick to solve, from 1.",
        ),
    ] = None,
    room: Annotated[
        int | None,
        typer.Option("--room", metavar="R", parser=options.whole, help="With --bots: in which room, from 0."),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option(
            "--nodes",
            metavar="N",
            parser=options.whole,
            help="Cards to try at most; 200 million if left out.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Solve a position in which all four hands are seen: its value, every card's worth and the best line.

    Both sides play as well as can be. Points are those of the whole hand for North and South less those for
    East and West, by the rules of the table: contracts, nils, bags and their penalties.

    \b
    spadesim solve --board 3 --value tricks --leader E
    spadesim solve --bots medium hard --board 3 --before 9
    spadesim solve "N:A3..K.2 K2..9.3 QJ..8.4 54..Q.5" --bids 3,nil,4,2 --tricks 3,0,4,2
    """  # noqa: D301 - typer keeps the lines of a paragraph apart by it
    from spadesim.analysis.solution import solution_block
    from spadesim.cli.paint import print_block
    from spadesim.match.solving import solve as solve_now

    given = {"seed": seed, "nodes": nodes, "room": room}
    with at_once():
        solved = solve_now(
            deal, value=value, rules=rules, leader=leader, trick=trick, bids=bids, tricks=tricks, bags=bags,
            broken=broken, board=board, bots=bots, trick_no=before, notice=Notes(quiet=False).say,
            **{name: number for name, number in given.items() if number is not None},
        )  # fmt: skip
    if json:
        say(json_text.dumps(solved.to_dict(), indent=2))
    else:
        print_block(result_console(MOST_COLUMNS), solution_block(solved))
