"""``spadesim duel A B``: who is better, by how much, and how sure that is."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.files import check_place, write_whole
from spadesim.cli.terminal import Notes, at_the_second, result_console, say
from spadesim.errors import UserError

if TYPE_CHECKING:
    from spadesim.match.result import DuelResult

SIDE = (
    "A side: a strategy's name or file, with settings (hard:king=4), or two of them (medium+hard); "
    "where everybody plays alone, one."
)


def duel(
    a: Annotated[str | None, typer.Argument(metavar="A", help=SIDE)] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="The side that it plays against.")] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Whole games, in pairs on the same deals with the sides swapped; with three or four single "
            "players in sets of six; 20,000 if left out.",
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option(
            "--boards",
            metavar="N",
            parser=options.whole,
            help="Single hands instead, each in two rooms with the sides swapped, or in six.",
        ),
    ] = None,
    scores: options.Scores = None,
    bags: options.Bags = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            metavar="RULES",
            help="A preset (pata if left out), changes to it (pata:target=300), or a TOML file; draw300 and "
            "draw500 are for two players, cutthroat3 and bicycle for three and four single ones.",
        ),
    ] = None,
    seed: options.Seed = None,
    first: Annotated[
        int | None,
        typer.Option(
            "--first",
            metavar="N",
            parser=options.whole,
            help="Number of the first pair, set or board: to see one of them again.",
        ),
    ] = None,
    hand_cap: options.HandCap = None,
    no_skip: Annotated[
        bool,
        typer.Option(
            "--no-skip",
            help="Play every board in every room, also where variants that differ in their bidding only have "
            "bid alike. Never changes a result.",
        ),
    ] = False,
    sprt: options.Sprt = None,
    until_width: Annotated[
        str | None,
        typer.Option(
            "--until-width",
            metavar="W",
            help="End as soon as the interval is no wider, in percentage points of win chance a board "
            "(points, where everybody plays alone), or in per cent of games.",
        ),
    ] = None,
    equivalent: Annotated[
        str | None,
        typer.Option(
            "--equivalent",
            metavar="M",
            help="End as soon as the difference is known to be smaller than M, or not to be.",
        ),
    ] = None,
    alpha: options.Alpha = None,
    beta: options.Beta = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            "--confirm",
            metavar="GAMES",
            parser=options.whole,
            help="After the boards play so many whole games, and say both.",
        ),
    ] = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write a page with figures to this .html file."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Keep the run in this new folder, part by part."),
    ] = None,
    record: Annotated[
        str | None,
        typer.Option(
            "--record",
            metavar="WHAT",
            help="What --out keeps of each hand: rows, or cards for every card in the order played as well.",
        ),
    ] = None,
    part: Annotated[
        int | None,
        typer.Option(
            "--part",
            metavar="N",
            parser=options.whole,
            help="Pairs, sets or boards to a part of the run: fewer for slow bots, so that less is lost.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="DIR",
            help="Go on with the run in this folder, without A and B; with --games or --boards further than "
            "it was to go.",
        ),
    ] = None,
    trust_source: Annotated[
        bool,
        typer.Option(
            "--trust-source",
            help="With --resume: execute the copies of the bots' sources that the folder keeps.",
        ),
    ] = False,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Play two sides and tell who is better.

    By how much, how sure that is, and how each side bids, bags and plays its nils.

    \b
    spadesim duel easy hard
    spadesim duel hard hard:king=4 --games 100000 --rules classic
    spadesim duel medium+hard hard --report page.html
    spadesim duel my_bot.py hard --boards 5000 --scores 400,350 --bags 3,7
    spadesim duel medium easy --rules draw300 --games 2000
    spadesim duel easy hard --rules cutthroat3 --games 600
    spadesim duel my_bot.py hard --sprt gain
    spadesim duel my_bot.py hard --games 100000 --sprt=-3,3 --alpha 0.01
    spadesim duel my_bot.py hard --until-width 0.2 --confirm 20000
    spadesim duel easy hard --games 1000000 --out big_run
    spadesim duel --resume big_run
    """  # noqa: D301 - typer keeps the lines of a paragraph apart by it
    if report is not None:
        check_place(report)
    if resume is not None:
        given: dict[str, object] = {"A": a, "--scores": scores, "--bags": bags, "--rules": rules}
        given |= {"--seed": seed, "--first": first, "--hand-cap": hand_cap, "--chunk": chunk}
        given |= {"--sprt": sprt, "--until-width": until_width, "--equivalent": equivalent}
        given |= {"--alpha": alpha, "--beta": beta, "--confirm": confirm}
        _refuse_beside_resume(given | {"--out": out, "--record": record, "--part": part})
        return _resume(resume, games, boards, trust_source, workers, report, json, quiet)
    _refuse_without_out({"--record": record, "--part": part}, out, trust_source)
    if a is None or b is None:
        raise UserError(f"Missing argument '{'A' if a is None else 'B'}'. See spadesim duel --help.")
    from spadesim.core.rules import DEFAULT_PRESET
    from spadesim.match.confirm import confirmed, games_after, how_to_keep
    from spadesim.match.crews import is_near
    from spadesim.match.duel import Keep, play_duel
    from spadesim.match.spec import make_spec
    from spadesim.match.stop import choose
    from spadesim.match.stopping import Stopping

    keep = None if out is None else Keep(out, record or "rows", part)
    spec = make_spec(
        a,
        b,
        rules=rules or DEFAULT_PRESET,
        scores=scores,
        bags=bags,
        games=games,
        boards=boards,
        seed=seed,
        first=first,
        hand_cap=hand_cap,
        stop=choose(sprt, until_width, equivalent, alpha, beta),
        skips=not no_skip,
    )
    after = None if confirm is None else games_after(spec, confirm)
    notes = Notes(quiet)
    if after is not None and out is not None:
        notes.say(how_to_keep(after, out))
    try:
        with notes.shown(), at_the_second(notes.say):
            # Elsewhere outcomes would travel only to be shown.
            is_shown = notes.has_bar and is_near(workers)
            watch = Stopping(spec, spec.stop, notes.say) if spec.stop or is_shown else None
            progress = notes.progress if watch is None else notes.watching(watch.line)
            result = play_duel(
                spec,
                workers=workers,
                chunk=chunk,
                progress=progress,
                notice=notes.say,
                watch=watch,
                keep=keep,
            )
            if after is not None and not result.partial:
                notes.restart()
                games_result = play_duel(
                    after, workers=workers, chunk=chunk, progress=notes.progress, notice=notes.say
                )
                result = confirmed(result, games_result)
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    if out is not None and result.partial:
        notes.say(f"what was played is kept; spadesim duel --resume '{out}' goes on.")
    _finish(result, report, json, quiet, notes)


def _finish(result: "DuelResult", report: Path | None, json: bool, quiet: bool, notes: Notes) -> None:
    """Print a result and write its page."""
    show(result, json, quiet)
    if report is not None:
        write_report(result, report, notes)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def _resume(
    folder: Path,
    games: int | None,
    boards: int | None,
    trust_source: bool,
    workers: int | None,
    report: Path | None,
    json: bool,
    quiet: bool,
) -> None:
    """Go on with a run in a folder, and print what all of it comes to."""
    from spadesim.match.kept import resume_run, wanted_units

    notes = Notes(quiet)
    try:
        with notes.shown(), at_the_second(notes.say):
            resumed = resume_run(
                folder,
                units=wanted_units(folder, games, boards),
                trust_source=trust_source,
                workers=workers,
                progress=notes.progress,
                notice=notes.say,
            )
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    if resumed.was_finished:
        notes.say(f"'{folder}' is finished; nothing was left to play.")
    _finish(resumed.result, report, json, quiet, notes)


def _refuse_beside_resume(given: dict[str, object]) -> None:
    words = [name for name, value in given.items() if value is not None]
    if words:
        raise UserError(
            f"--resume takes all but --games, --boards and who plays from the run: leave out {words[0]}."
        )


def _refuse_without_out(given: dict[str, object], out: Path | None, trust_source: bool) -> None:
    words = [name for name, value in given.items() if value is not None]
    if words and out is None:
        raise UserError(f"{words[0]} says how --out keeps a run: give --out DIR, or leave it out.")
    if trust_source:
        raise UserError("--trust-source is for --resume DIR, whose bots it takes from the folder.")


def show(result: "DuelResult", json: bool, quiet: bool) -> None:
    """Print a result: one JSON object, one sentence, or everything."""
    if json:
        say(result.to_json())
    elif quiet:
        say(result.verdict)
    else:
        from spadesim.cli.render import print_duel

        print_duel(result_console(), result)


def write_report(result: "DuelResult", file: Path, notes: Notes) -> None:
    """Make the page of a duel and write it, as one file."""
    from spadesim.analysis.compose import Wanted, compose
    from spadesim.analysis.inputs import read_inputs

    command = f"{result.command} --report {shlex.quote(str(file))}"
    wanted = Wanted(command=command, with_files=False)
    write_whole(file, compose(read_inputs([result]), wanted).html())
    notes.say(f"the page is in {file}")
