"""``spadesim bench``: how fast the engine and the bots are here."""

import dataclasses
import json as json_text
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.terminal import Notes, result_console, say

if TYPE_CHECKING:
    from spadesim.bench import Versus
    from spadesim.core.rules import Rules


def bench(
    strategies: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STRATEGY]...", help="Which bots; all that can play by the rules if left out."
        ),
    ] = None,
    rules: Annotated[
        str,
        typer.Option("--rules", metavar="RULES", help="Rules to play by, such as draw300; pata if left out."),
    ] = "pata",
    decisions: Annotated[
        bool, typer.Option("--decisions", help="Also the nanoseconds of a bid and of a play.")
    ] = False,
    compiling: Annotated[
        bool, typer.Option("--compile", help="Also the seconds of compiling, with nothing compiled before.")
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure hands per second, and what a bot's decisions cost.

    Medians of several rounds; leave the machine alone meanwhile. Where OpenSpiel is installed, random play
    is compared with it.

    \b
    spadesim bench
    spadesim bench my_bot.py hard --decisions
    spadesim bench easy --rules draw300
    spadesim bench --compile --json
    """  # noqa: D301
    from spadesim import bench as measures
    from spadesim.cli.render import print_bench
    from spadesim.core.rules import Rules
    from spadesim.strategy import load_side
    from spadesim.strategy.load import check_side

    notes = Notes(quiet or json)
    table = Rules.parse(rules)
    names = strategies or _able(table, notes)
    for name in names:
        check_side(load_side(name, notes.compiling), table)
    found: dict[str, Any] = {
        "rules": str(table),
        "strategies": [],
        "decisions": [],
        "compile": [],
        "versus": [],
    }
    for name in names:
        notes.say(f"measuring {name}")
        found["strategies"].append(measures.speed(name, table))
        if decisions:
            found["decisions"].append(measures.decision_time(name, table))
    found["call_price"] = measures.call_price()
    found["versus"] = _comparisons(names[0], table, notes)
    if compiling:
        notes.say("compiling everything in an empty folder, twice a new process")
        found["compile"] = measures.compile_times(names)
    if json:
        say(json_text.dumps(found, indent=2, default=dataclasses.asdict))
    else:
        print_bench(result_console(), found, table)


def _able(rules: "Rules", notes: Notes) -> list[str]:
    """The bots that can sit at a table, with a word on those that cannot."""
    from spadesim.strategy import discover
    from spadesim.strategy.load import functions_named, lacking

    names = [listing.name for listing in discover()]
    absent = [name for name in names if lacking(functions_named(name), rules)]
    if absent:
        notes.say(f"leaving out what cannot play under {rules}: {', '.join(absent)}")
    return [name for name in names if name not in absent]


def _comparisons(name: str, rules: "Rules", notes: Notes) -> "list[Versus]":
    """Two threads against one, and under the usual rules ourselves against OpenSpiel if it is here."""
    from spadesim import bench as measures

    notes.say("measuring two threads against one")
    found = [measures.thread_gain(name, rules)]
    if rules == measures.USUAL and measures.has_openspiel():
        notes.say("measuring OpenSpiel")
        found += measures.against_openspiel()
    return found
