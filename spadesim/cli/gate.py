"""``spadesim gate OLD NEW``: whether a change made a bot worse, as an exit code."""

import json as json_text
from typing import Annotated

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second, result_console, say


def gate(
    old: Annotated[
        str, typer.Argument(metavar="OLD", help="The bot as it was: my_bot.py@main is the file on a branch.")
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The bot as it is now.")],
    rules: options.RulesText = "pata",
    margin: Annotated[
        str | None,
        typer.Option(
            "--margin",
            metavar="M",
            help="How much worse must not get through: 0.1 percentage points of win chance a board "
            "(1 point, where everybody plays alone), or 5 normalised Elo, if left out.",
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            metavar="N",
            parser=options.whole,
            help="Boards at most, or games; 200,000 if left out.",
        ),
    ] = None,
    games: Annotated[bool, typer.Option("--games", help="Play whole games instead of boards.")] = False,
    seed: options.Seed = None,
    alpha: options.Alpha = None,
    beta: options.Beta = None,
    workers: options.Workers = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Say by the exit code whether a new version of a bot is no worse than the old one.

    0: not worse; 1: worse; 3: undecided within the budget; 2: a mistake in what was asked for; 130: ended by
    Ctrl-C, and undecided. It plays until a sequential test has decided, which takes seconds.

    \b
    spadesim gate my_bot.py@main my_bot.py
    spadesim gate hard@v1.0 hard --margin 0.05 --budget 1,000,000
    spadesim gate my_bot.py@HEAD~1 my_bot.py --games --rules classic --quiet
    """  # noqa: D301
    from spadesim.match.duel import play_duel
    from spadesim.match.gate import gate_spec, judged
    from spadesim.match.stop import DEFAULT_BUDGET
    from spadesim.match.stopping import Stopping

    most = DEFAULT_BUDGET if budget is None else budget
    spec = gate_spec(
        old, new, margin=margin, budget=most, games=games, rules=rules, seed=seed, alpha=alpha, beta=beta
    )
    notes = Notes(quiet)
    watch = Stopping(spec, spec.stop, notes.say)
    try:
        with notes.shown(), at_the_second(notes.say):
            result = play_duel(
                spec, workers=workers, progress=notes.watching(watch.line), notice=notes.say, watch=watch
            )
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    found = judged(result)
    if json:
        say(json_text.dumps(found.to_dict(), indent=2, allow_nan=False))
    elif quiet:
        say(f"{found.answer}: {result.verdict}")
    else:
        from spadesim.cli.render_sequential import print_gate

        print_gate(result_console(), found)
    raise typer.Exit(found.exit_code)
