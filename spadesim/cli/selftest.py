"""``spadesim selftest``: proof that the numbers can be trusted on this machine."""

import dataclasses
import json as json_text

import typer

from spadesim.cli import options
from spadesim.cli.terminal import Notes, result_console, say

FAILED = 1


def selftest(json: options.Json = False, quiet: options.Quiet = False) -> None:
    """Check that this installation counts right: seconds, half a minute the first time.

    The random numbers against their published values, whole games against a slow engine of lists and words,
    every bot against itself, and the worked examples of the rules. Exit code 1 when a check fails.

    \b
    spadesim selftest
    spadesim selftest --json
    """  # noqa: D301
    from spadesim.selftest.checks import selftest as checks

    outcomes = []
    console = result_console()
    notes = Notes(quiet or json)
    for outcome in checks(lambda name: notes.say(f"checking {name}")):
        outcomes.append(outcome)
        if not json and not quiet:
            from spadesim.cli.render import print_outcome

            print_outcome(console, outcome)
    n_failed = sum(not outcome.passed for outcome in outcomes)
    if json:
        say(json_text.dumps([dataclasses.asdict(outcome) for outcome in outcomes], indent=2))
    elif n_failed:
        say(f"{n_failed} of {len(outcomes)} checks failed: do not trust what this installation measures.")
    else:
        say(f"All {len(outcomes)} checks passed.")
    if n_failed:
        raise typer.Exit(FAILED)
