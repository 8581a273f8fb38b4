"""``spadesim show A B``: the hand behind a number, card by card."""

from pathlib import Path
from typing import Annotated

import typer

from spadesim.cli import options
from spadesim.cli.files import check_place, write_whole
from spadesim.cli.terminal import Notes, at_once, result_console, say

MOST_COLUMNS = 200


def show(
    a: Annotated[str, typer.Argument(metavar="A", help="A side, as for duel.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The side that it plays against.")],
    board: Annotated[
        int | None,
        typer.Option(
            "--board",
            metavar="K",
            parser=options.whole,
            help="Number of a board, from 0; 0 if nothing is asked for. Of a PBN file: which of its boards.",
        ),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(
            "--game",
            metavar="G",
            parser=options.whole,
            help="Number of a pair (or set) of games, from 0, as --first of a duel counts them.",
        ),
    ] = None,
    hand: Annotated[
        int | None,
        typer.Option(
            "--hand",
            metavar="H",
            parser=options.whole,
            help="Hand of the game, from 1; the score sheet of all if left out.",
        ),
    ] = None,
    deal: Annotated[
        str | None,
        typer.Option(
            "--deal",
            metavar="DEAL",
            help='Given cards: "N:AKQ2.J3... ...", or a .pbn file; where cards are drawn, the stock from '
            'the top: "AS 7D 2C ...".',
        ),
    ] = None,
    dealer: Annotated[
        str | None,
        typer.Option(
            "--dealer", metavar="SEAT", help="Who deals given cards, or draws first; North if nobody says."
        ),
    ] = None,
    room: Annotated[
        int | None,
        typer.Option(
            "--room", metavar="R", parser=options.whole, help="Which room, from 0; all if left out."
        ),
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="SEAT", help="What this seat knew in a trick: N, E, S, W, or 0 to 3 from North."
        ),
    ] = None,
    trick: Annotated[
        int | None,
        typer.Option(
            "--trick", metavar="T", parser=options.whole, help="Which trick, from 1; 0 for the bidding."
        ),
    ] = None,
    bid: Annotated[bool, typer.Option("--bid", help="The same as --trick 0.")] = False,
    draw: Annotated[
        int | None,
        typer.Option(
            "--draw",
            metavar="K",
            parser=options.whole,
            help="Instead of a trick, which of the seat's turns of the draw: 1 to 13.",
        ),
    ] = None,
    declare: Annotated[
        bool, typer.Option("--declare", help="When the seat was asked for a blind nil.")
    ] = False,
    exchange: Annotated[
        bool, typer.Option("--exchange", help="When the seat could exchange cards for its blind nil.")
    ] = False,
    ask: Annotated[
        str | None,
        typer.Option(
            "--ask", metavar="BOTS", help="What these would do there: easy,medium,hard; A and B if left out."
        ),
    ] = None,
    scores: Annotated[
        str | None,
        typer.Option(
            "--scores",
            metavar="X,Y",
            help="Scores before a board, for North-South and East-West, or for each single player.",
        ),
    ] = None,
    bags: Annotated[
        str | None, typer.Option("--bags", metavar="X,Y", help="Bags before a board, likewise.")
    ] = None,
    rules: Annotated[
        str,
        typer.Option(
            "--rules", metavar="RULES", help="A preset, changes to it (pata:target=300), or a TOML file."
        ),
    ] = "pata",
    seed: options.Seed = None,
    hand_cap: Annotated[
        int | None,
        typer.Option(
            "--hand-cap", metavar="N", parser=options.whole, help="As in the duel; 1000 if left out."
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="FORM", help="text, pbn (for bridge programs) or json.")
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file instead.")
    ] = None,
) -> None:
    """Show a hand as it was played in every room.

    The deal or the draw, the bids, every trick and the score; where the rooms part; and what a seat knew at
    any decision, with what other bots would do there.

    \b
    spadesim show easy hard --board 3
    spadesim show easy hard --game 7
    spadesim show easy hard --game 7 --hand 2
    spadesim show easy hard --board 3 --seat N --bid --ask easy,medium,hard
    spadesim show easy hard --deal "N:AKQ2.J3.T98.7654 ..." --dealer W
    spadesim show easy hard --rules draw300 --board 3 --seat E --draw 5
    """  # noqa: D301 - typer keeps the lines of a paragraph apart by it
    if output is not None:
        check_place(output)
    from spadesim.analysis.lines import plain
    from spadesim.analysis.show import USUAL_WIDTH, Wanted, check_format, other_text, page
    from spadesim.cli.paint import print_block
    from spadesim.core.rules import Rules
    from spadesim.errors import UserError
    from spadesim.match.request import replay

    if bid and trick:
        raise UserError("--bid and --trick exclude each other: --bid is --trick 0.")
    check_format(form)
    wanted = Wanted(hand, room, seat, 0 if bid else trick, draw, declare, exchange, ask)
    table = Rules.parse(rules)
    wanted.check(table, form)
    notes = Notes(quiet=False)
    given = {"seed": seed, "hand_cap": hand_cap}
    console = result_console(MOST_COLUMNS) if form == "text" and output is None else None
    with at_once():
        played = replay(
            a, b, board=board, game=game, deal=deal, dealer=dealer, rules=table, scores=scores, bags=bags,
            notice=notes.say, **{name: value for name, value in given.items() if value is not None},
        )  # fmt: skip
        if form != "text":
            text = other_text(played, wanted, form, notes.say)
        else:
            block = page(played, wanted, console.width if console else USUAL_WIDTH, notes.say)
            text = plain(block)
    if console:
        print_block(console, block)
        return
    if output is None:
        say(text, end="")
    else:
        write_whole(output, text)
        notes.say(f"written to {output}")
