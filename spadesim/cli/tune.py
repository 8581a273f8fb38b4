"""``spadesim tune STRATEGY --param ...``: the best values of parameters, and what they are worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files, deliver
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.tuning.tune_result import TuneResult


def tune(
    strategy: Annotated[
        str | None,
        typer.Argument(metavar="STRATEGY", help="The bot to tune, with settings where wanted: hard:king=4."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param",
            metavar="NAME[=LOW:HIGH]",
            help="A parameter to tune, over its whole range or a part of it; may be given several times.",
        ),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option(
            "--vs", metavar="SIDE", help="Whom candidates play against; STRATEGY as it is if left out."
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget",
            metavar="B",
            help="How much to play: a time (90s, 2m, 1h), or boards (5M-boards); 2m if left out.",
        ),
    ] = None,
    sampler: Annotated[
        str | None,
        typer.Option(
            "--sampler",
            metavar="NAME",
            help="tpe (if left out), cmaes for many numbers that depend on each other, qmc to look "
            "everywhere alike, spsa for many small effects.",
        ),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            "--confirm",
            metavar="N",
            parser=options.whole,
            help="Whole games that confirm a gain; a quarter of the boards that validate it if left out, "
            "0 for none.",
        ),
    ] = None,
    study: Annotated[
        Path | None, typer.Option("--study", metavar="DIR", help="Keep the study in this new folder.")
    ] = None,
    resume: Annotated[
        Path | None, typer.Option("--resume", metavar="DIR", help="Go on with a study that was broken off.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(
            "--write",
            metavar="FILE",
            help="Write a gain to this .toml file; to tuned.toml in the folder of --study if left out.",
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="A preset, changes to it (pata:target=300), or a TOML file; pata if left out.",
        ),
    ] = None,
    seed: options.Seed = None,
    scores: options.Scores = None,
    bags: options.Bags = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the search into this .svg, .png or .pdf file."),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option("--csv", metavar="FILE", help="Write the trials to this .csv file, a row each."),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Search the best values of parameters, and measure what they gain on boards never used before.

    What the search promises is too much, as a rule: the best of many is partly the luckiest. So the answer is
    what fresh boards say, and whole games after them.

    \b
    spadesim tune hard --param king --param nil_odds=-1200:800
    spadesim tune my_bot.py --param risk --vs medium --budget 10m --study my_study
    spadesim tune --resume my_study
    spadesim duel my_bot.py:my_study/tuned.toml my_bot.py
    spadesim tune hard --param rounding --param set_slack --budget 2M-boards --plot search.svg
    spadesim tune hard --param nil_odds --param nil_price --param nil_lead --sampler spsa
    """  # noqa: D301
    check_files(plot, csv, write)
    given: dict[str, Any] = {
        "strategy": strategy, "params": param or None, "vs": vs, "budget": budget, "sampler": sampler,
        "confirm": confirm, "rules": rules, "seed": seed, "scores": scores, "bags": bags,
    }  # fmt: skip
    notes = Notes(quiet)
    running: dict[str, Any] = {
        "write": write, "workers": workers, "chunk": chunk, "progress": notes.progress, "notice": notes.say,
    }  # fmt: skip
    try:
        with notes.shown(), at_the_second(notes.say):
            result = _play(given, study, resume, running)
    except KeyboardInterrupt:
        notes.say("stopped before anything was tried.")
        raise typer.Exit(INTERRUPTED) from None
    if result.written is not None:
        notes.say(f"the tuned set is in {result.written}")
    deliver("tune", result, plot=plot, csv=csv, json=json, quiet=quiet, notes=notes)
    if result.partial:
        if result.study is not None:
            notes.say(f"what was tried is kept; spadesim tune --resume '{result.study}' goes on.")
        raise typer.Exit(INTERRUPTED)


def _play(
    given: dict[str, Any], study: Path | None, resume: Path | None, running: dict[str, Any]
) -> "TuneResult":
    from spadesim.tuning.tune import play_tune, resume_tune
    from spadesim.tuning.tune_spec import make_tune

    if resume is not None:
        if study is not None:
            raise UserError("--study begins a study and --resume goes on with one: give one of them.")
        return resume_tune(resume, given, **running)
    wanted = {name: value for name, value in given.items() if value is not None}
    if "strategy" not in wanted:
        raise UserError("Missing argument 'STRATEGY'. See spadesim tune --help.")
    spec = make_tune(wanted.pop("strategy"), wanted.pop("params", ()), **wanted)
    return play_tune(spec, study=study, **running)
