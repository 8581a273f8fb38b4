"""``spadesim equity``: the chance to win from any score."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.files import check_place, write_bytes
from spadesim.cli.terminal import Notes, result_console, say
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.analysis.equity import Summary
    from spadesim.match.equity import Equity

TABLE = ".npz"


def equity(
    rules: Annotated[
        str,
        typer.Argument(metavar="[RULES]", help="A preset, changes to it, a TOML file, or a table's file."),
    ] = "pata",
    reference: Annotated[
        str | None,
        typer.Option("--reference", metavar="BOT", help="Whose games it is made from; hard if left out."),
    ] = None,
    hands: Annotated[
        int | None,
        typer.Option(
            "--hands",
            metavar="N",
            parser=options.whole,
            help="How many hands it is made from, at least; 400,000 if left out.",
        ),
    ] = None,
    scores: Annotated[
        str | None, typer.Option("--scores", metavar="X,Y", help="The chance of a side with X against Y.")
    ] = None,
    bags: Annotated[
        str | None, typer.Option("--bags", metavar="X,Y", help="Their bags, likewise; 0,0 if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the table to this .npz file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw it into this .svg, .png or .pdf file.")
    ] = None,
    seed: options.Seed = None,
    workers: options.Threads = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell the chance to win the game from any score and any bags.

    This is what boards are judged by. Tables for the presets of two sides come with the package; one for
    other rules, another bot or other deals is made from that bot's games against itself.

    \b
    spadesim equity
    spadesim equity classic --scores 420,380 --bags 7,2
    spadesim equity draw300 --plot chances.svg
    spadesim equity pata:target=300 --reference my_bot.py --hands 200000 --out mine.npz
    spadesim equity mine.npz --scores 100,0
    """  # noqa: D301
    for file in (out, plot):
        if file is not None:
            check_place(file)
    if out is not None and out.suffix.lower() != TABLE:
        raise UserError(f"A table is an {TABLE} file, not '{out.name}'.")
    from spadesim.analysis.equity import picture, summary
    from spadesim.analysis.pictures import check_picture
    from spadesim.match.equity_file import save_equity
    from spadesim.reading import user_path

    if plot is not None:
        check_picture(plot)
    notes = Notes(quiet)
    with notes.shown():
        made = {"reference": reference, "hands": hands, "seed": seed}
        table = _table(
            rules, {name: value for name, value in made.items() if value is not None}, workers, notes
        )
    asked = None if scores is None and bags is None else _asked(table, scores or "0,0", bags or "0,0")
    short = summary(table)
    if json:
        say(json_text.dumps(_plain(table, short, asked), indent=2))
    elif asked:
        _say(asked)
    else:
        _print(table, short)
    if out is not None:
        save_equity(table, user_path(out))
        notes.say(f"the table is in {out}")
    if plot is not None:
        write_bytes(plot, picture(table, plot.suffix))
        notes.say(f"the picture is in {plot}")


def _table(rules: str, made: dict[str, Any], workers: int | None, notes: Notes) -> "Equity":
    """The table that was asked for: out of a file, a known one, or one made as the options say."""
    from spadesim.core.rules import Rules
    from spadesim.match.crews import crew_of
    from spadesim.match.equity import make_equity
    from spadesim.match.equity_file import equity_for, load_equity
    from spadesim.reading import user_path

    if rules.lower().endswith(TABLE):
        if made:
            raise UserError(f"'{rules}' is made already; give rules to make another table.")
        return load_equity(user_path(rules))
    n = crew_of(workers).n
    if made:
        return make_equity(Rules.parse(rules), workers=n, notice=notes.say, progress=notes.solving, **made)
    return equity_for(Rules.parse(rules), notes.say, notes.solving)


def _asked(table: "Equity", scores: str, bags: str) -> dict[str, Any]:
    """The chance at one state, whoever bids first."""
    from spadesim.match.spec import make_spec

    spec = make_spec("hard", "hard", boards=1, rules=table.rules, scores=scores, bags=bags)
    assert spec.scores is not None
    assert spec.bags is not None
    state = (spec.scores[0], spec.scores[1]), (spec.bags[0], spec.bags[1])
    return {
        "scores": list(spec.scores),
        "bags": list(spec.bags),
        "bids_first": table.chance(*state),
        "bids_second": table.chance(*state, is_first=False),
    }


def _say(asked: dict[str, Any]) -> None:
    (own, other), (bags, theirs) = asked["scores"], asked["bags"]
    first, second = (f"{100 * asked[name]:.1f} %" for name in ("bids_first", "bids_second"))
    say(
        f"A side with {own} and {_bags(bags)} against {other} and {_bags(theirs)} wins {first} of the games "
        f"when it bids first, {second} when it bids second."
    )


def _bags(number: int) -> str:
    return f"{number} bag{'' if number == 1 else 's'}"


def _plain(table: "Equity", short: "Summary", asked: dict[str, Any] | None) -> dict[str, Any]:
    return {
        **table.to_dict(),
        "scores": list(short.scores),
        "chances": [list(row) for row in short.chances],
        "bag_prices": list(short.bag_prices),
        "asked": asked,
    }


def _print(table: "Equity", short: "Summary") -> None:
    from rich.table import Table

    console = result_console()
    console.print("The chance to win the game, %, both sides without bags", style="bold")
    console.print()
    grid = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column("own score \\ other's", no_wrap=True)
    for score in short.scores:
        grid.add_column(str(score), justify="right")
    for score, row in zip(short.scores, short.chances, strict=True):
        grid.add_row(str(score), *(f"{100 * chance:.1f}" for chance in row))
    console.print(grid)
    if short.bag_prices:
        prices = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
        shown = range(len(short.bag_prices))[:: max(1, len(short.bag_prices) // 10)]
        prices.add_column("bags that a side has", no_wrap=True)
        for bags in shown:
            prices.add_column(str(bags), justify="right")
        prices.add_row("one more costs, points of %", *(f"{100 * short.bag_prices[k]:.1f}" for k in shown))
        console.print()
        console.print(prices)
    console.print()
    facts = table.to_dict()
    made = f"{facts['hands']:,} hands of {facts['reference']} {facts['reference_digest']}"
    say(f"made from    {made}, seed {facts['seed']}")
    if facts["more_hands"]:
        say(f"             and {facts['more_hands']:,} from states that games seldom reach")
    kind = "every state that occurs" if facts["exact"] else f"scores {facts['step']} apart, interpolated"
    say(f"grid         {kind}")
    say(f"rules        {facts['rules']}")
    say(f"made by      spadesim {facts['version']}, digest {facts['digest']}")
