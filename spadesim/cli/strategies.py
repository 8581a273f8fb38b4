"""``spadesim strategies``: which bots there are, what they are, and whether one keeps the contract."""

import json as json_text
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.files import check_place, write_whole
from spadesim.cli.terminal import Notes, at_once, result_console, say
from spadesim.errors import UserError

FAILED = 1

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="List the bots, show one, check one, begin a new one."
)


@app.command("list")
def list_strategies(json: options.Json = False) -> None:
    """List every bot that a duel can name, and what makes any of them weaker."""
    from spadesim.strategy import discover

    found = [
        {
            "name": listing.name,
            "summary": listing.summary,
            **_at_a_glance(listing.name),
            "package": listing.package,
            "file": str(listing.file),
        }
        for listing in discover()
    ]
    if json:
        say(json_text.dumps(found, indent=2))
        return
    from spadesim.cli.render import print_strategies
    from spadesim.strategy.wrappers import WRAPPERS

    print_strategies(result_console(), found, WRAPPERS.values())


@app.command("show")
def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A bot's name or file, with settings or without.")
    ],
    json: options.Json = False,
) -> None:
    """Show what a bot says of itself, and its parameters.

    \b
    spadesim strategies show hard
    spadesim strategies show my_bot.py
    """  # noqa: D301
    from spadesim.strategy import load_strategy

    strategy = load_strategy(name, Notes(quiet=json).compiling)
    facts = describe(strategy)
    if json:
        say(json_text.dumps(facts, indent=2))
        return
    from spadesim.cli.render import print_strategy

    print_strategy(result_console(), facts)


@app.command("check")
def check(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A bot's file or name, with settings or without.")
    ],
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="Rules to play by; pata, and tables with a draw if the bot can play there, if left out.",
        ),
    ] = None,
    positions: Annotated[
        int | None,
        typer.Option(
            "--positions",
            metavar="N",
            parser=options.whole,
            help="Decisions of the bot to try at each table; 10,000 if left out.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Try to find out whether a bot breaks the rules.

    Illegal or changing answers, answers that depend on cards it cannot see, writing to its view, and more.
    The exit code is 1 when the bot breaks what it must not break.

    \b
    spadesim strategies check my_bot.py
    spadesim strategies check my_bot.py:risk=0.5 --rules classic --positions 100000
    """  # noqa: D301
    from spadesim.core.rules import Rules
    from spadesim.strategy import load_strategy
    from spadesim.strategy.check import POSITIONS, check_strategy

    if positions is not None and positions < 1:
        raise UserError(f"positions must be at least 1, not {positions}.")
    parsed = None if rules is None else Rules.parse(rules)
    with at_once():
        strategy = load_strategy(file, Notes(quiet=json).compiling)
        report = check_strategy(strategy, parsed, POSITIONS if positions is None else positions)
    if json:
        checks = [
            {
                "name": c.name,
                "decisions": c.n,
                "problem": c.problem or None,
                "is_advice": c.is_advice,
                "command": c.command or None,
            }
            for c in report.checks
        ]
        tables = [str(table) for table in report.tables]
        facts = {"strategy": str(strategy), "digest": strategy.digest, "tables": tables}
        say(json_text.dumps({**facts, "passed": report.passed, "checks": checks}, indent=2))
    else:
        from spadesim.cli.render import print_check

        print_check(result_console(), report)
        say(f"Tried by the rules {', '.join(map(str, report.tables))}.")
    if not report.passed:
        raise typer.Exit(FAILED)


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new bot's file, such as my_bot.py.")],
) -> None:
    """Begin a bot from a template that plays already.

    \b
    spadesim strategies new my_bot.py
    """  # noqa: D301
    from spadesim import strategies
    from spadesim.strategy.spec import bot_of_file

    if file.suffix != ".py":
        raise UserError(f"'{file}': a bot is a Python file; did you mean '{file}.py'?")
    if file.exists():
        raise UserError(f"'{file}' exists already; a template never replaces a bot.")
    word = shlex.join([str(bot_of_file(str(file)))])
    check_place(file)
    write_whole(file, Path(strategies.__path__[0], "_template.py").read_text(encoding="utf-8"))
    say(f"{file} is a bot now. Try it:\n  spadesim strategies check {word}\n  spadesim duel {word} easy")


def _at_a_glance(name: str) -> dict[str, Any]:
    """How many parameters a bot has, and which tables it plays; None for one that does not load."""
    from spadesim.strategy.compiled import BY_PHASE, tables_text
    from spadesim.strategy.find import find
    from spadesim.strategy.module import run
    from spadesim.strategy.spec import parse_bot

    try:
        names = vars(run(find(parse_bot(name))))
        tables = tables_text(name for name in BY_PHASE if name in names)
        return {"parameters": len(names.get("PARAMETERS", ())), "tables": tables}
    except (UserError, TypeError):
        return {"parameters": None, "tables": None}


def describe(strategy: Any) -> dict[str, Any]:
    """A strategy as plain values, the JSON object of ``strategies show``."""
    from spadesim.strategy.compiled import tables_text
    from spadesim.strategy.wrappers import write_wrappers

    values = strategy.values.tolist()
    return {
        "name": strategy.name,
        "spec": str(strategy),
        "summary": strategy.dossier.summary,
        "dossier": strategy.dossier.sections,
        "file": str(strategy.file),
        "commit": strategy.commit or None,
        "digest": strategy.digest,
        "bidder": strategy.bidder
        and {
            "name": strategy.bidder.name,
            "summary": strategy.bidder.dossier.summary,
            "file": str(strategy.bidder.file),
        },
        "uses_earlier_tricks": strategy.has_memory,
        "weaknesses": dict(write_wrappers(strategy.weaknesses)),
        "functions": list(strategy.functions),
        "tables": tables_text(strategy.functions),
        "parameters": [
            {
                "name": entry.name,
                "value": entry.word(value),
                "default": str(entry.default),
                "low": entry.low,
                "high": entry.high,
                "choices": list(entry.choices) or None,
                "used_by": entry.used_by,
                "meaning": entry.meaning,
            }
            for entry, value in zip(strategy.parameters, values, strict=True)
        ],
    }
