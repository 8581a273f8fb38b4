"""All commands under one name."""

from typing import Annotated

import typer

import spadesim
from spadesim.cli import (
    bench,
    calibrate,
    diff,
    duel,
    equity,
    fit,
    gate,
    hands,
    options,
    plan,
    report,
    rules,
    run,
    runs,
    selftest,
    show,
    solve,
    sprt,
    strategies,
    sweep,
    tournament,
    tune,
)
from spadesim.cli.terminal import say

app = typer.Typer(
    rich_markup_mode=None,  # plain help: half the time, and as readable
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help=spadesim.__doc__.splitlines()[0] if spadesim.__doc__ else None,
    epilog="Start with: spadesim duel easy hard",
)
app.command("duel")(duel.duel)
app.command("diff")(diff.diff)
app.command("tournament")(tournament.tournament)
app.command("sweep")(sweep.sweep)
app.command("tune")(tune.tune)
app.command("fit")(fit.fit)
app.command("calibrate")(calibrate.calibrate)
app.command("plan")(plan.plan)
app.command("gate")(gate.gate)
app.command("sprt")(sprt.sprt)
app.command("equity")(equity.equity)
app.command("run")(run.run)
app.command("report")(report.report)
app.command("show")(show.show)
app.command("hands")(hands.hands)
app.command("solve")(solve.solve)
app.add_typer(runs.app, name="runs")
app.add_typer(strategies.app, name="strategies")
app.add_typer(rules.app, name="rules")
app.command("selftest")(selftest.selftest)
app.command("bench")(bench.bench)
for command in app.registered_commands:
    command.callback = command.callback and options.plays(command.callback)


def _version(wanted: bool) -> None:
    if wanted:
        say(f"spadesim {spadesim.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass
