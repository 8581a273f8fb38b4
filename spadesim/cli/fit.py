"""``spadesim fit STRATEGY [RUN ...]``: what a bot expects of its hands, fitted to what hands have come to."""

from pathlib import Path
from typing import Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import check_files, deliver
from spadesim.cli.terminal import Notes
from spadesim.errors import UserError

NO_GAIN = 1


def fit(
    strategy: Annotated[
        str,
        typer.Argument(metavar="STRATEGY", help="The bot to fit, with settings where wanted: hard:king=4."),
    ],
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="Folders that duel --out has made; none: --play alone."),
    ] = None,
    takes: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="BOT",
            help="Whose hands of the runs: a bot's name, or any; STRATEGY's if left out.",
        ),
    ] = None,
    tricks: Annotated[bool, typer.Option("--tricks", help="Only what the bot expects to win.")] = False,
    nil: Annotated[bool, typer.Option("--nil", help="Only its nils.")] = False,
    play: Annotated[
        int | None,
        typer.Option(
            "--play",
            metavar="N",
            parser=options.whole,
            help="Boards to play for the fit, on which a seat bids nil whatever it holds; 100,000 if left "
            "out and no run is named.",
        ),
    ] = None,
    vs: Annotated[
        str | None,
        typer.Option("--vs", metavar="SIDE", help="Whom it plays against; STRATEGY itself if left out."),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            "--boards",
            metavar="N",
            parser=options.whole,
            help="Fresh boards that say whether it is better; 20,000 if left out.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Whole games after them; a quarter of the boards if left out, 0 for none.",
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the settings to this .toml file if they are better."
        ),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Write them also if they are not.")] = False,
    cards: Annotated[
        Path | None,
        typer.Option(
            "--cards", metavar="FILE", help="Write the odds of a nil card by card to this .py file."
        ),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="A preset, changes to it, or a TOML file; those of the runs if left out, or pata.",
        ),
    ] = None,
    seed: options.Seed = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw what it says, and what came, into this .svg, .png or .pdf."
        ),
    ] = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Fit what a bot expects of its hands, and its nils, to hands that were played; keep it if it is better.

    The numbers of the bot's own bid are fitted: weights of its estimate to tricks, the chance of a nil to
    nils that were made, and the chance that a nil needs to what nils gain. Fresh boards and games say whether
    that is better than before; if not, nothing is written and the exit code is 1.

    \b
    spadesim fit hard:king=5 --out fitted.toml
    spadesim duel hard medium --games 4000 --out my_run
    spadesim fit hard my_run --tricks
    spadesim fit hard my_run --from any --tricks --plot told.svg
    spadesim fit my_bot.py --nil --play 500_000 --vs medium --boards 100_000
    spadesim fit hard --nil --play 2_000_000 --cards my_odds.py
    spadesim duel hard:fitted.toml hard
    """  # noqa: D301
    check_files(plot, out, cards)
    if anyway and out is None:
        raise UserError("--anyway says what --out writes: give it a file.")
    from spadesim.tuning.fit import fit as fit_bot

    given: dict[str, Any] = {"takes": takes, "vs": vs, "play": play, "boards": boards, "games": games,
                             "rules": rules, "seed": seed, "write": out, "cards": cards}  # fmt: skip
    parts = [name for name, is_wanted in (("tricks", tricks), ("nil", nil)) if is_wanted]
    notes = Notes(quiet)
    with notes.shown():
        result = fit_bot(
            strategy,
            *(runs or ()),
            parts=parts or ("tricks", "nil"),
            anyway=anyway,
            workers=workers,
            chunk=chunk,
            progress=notes.progress,
            notice=notes.say,
            **{name: value for name, value in given.items() if value is not None},
        )
    if result.written is not None:
        notes.say(f"the settings are in {result.written}")
    elif out is not None:
        notes.say(f"nothing is written to {out}.")
    if cards is not None:
        notes.say(f"the odds of a nil are in {cards}")
    deliver("fit", result, plot=plot, csv=None, json=json, quiet=quiet, notes=notes)
    if not result.is_kept:
        raise typer.Exit(NO_GAIN)
