"""``spadesim run FILE``: a question out of a file, and its answer."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.answers import HOMES, check_files, draw
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second, result_console, say
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path

if TYPE_CHECKING:
    from spadesim.questions import Experiment, ExperimentResult


def run(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A .toml file, or the name of a bundled one, such as ladder; several with --check.",
        ),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Only say what is wrong with the files, and what they would play.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Games of each duel, instead of the file's; of three or four single players sets of six.",
        ),
    ] = None,
    boards: Annotated[
        int | None,
        typer.Option("--boards", metavar="N", parser=options.whole, help="Boards, instead of the file's."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", parser=options.whole, help="Which deals, instead of the file's."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Keep question, answer, table and runs in a new folder."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw the answer: .svg, .png or .pdf."),
    ] = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Answer a question out of a file: a ladder, a duel, a tournament, a sweep and so on.

    \b
    spadesim run experiments/ladder.toml
    spadesim run ladder --games 2000
    spadesim run nil_threshold --out my_answer --plot nil.svg
    spadesim run --check experiments/*.toml
    """  # noqa: D301
    from spadesim.questions import load_experiment, run_experiment

    changed = {"games": games, "boards": boards, "seed": seed}
    notes = Notes(quiet)
    if check:
        if not _check(files, changed, notes, json):
            raise typer.Exit(FAILED)
        return
    if len(files) > 1:
        raise UserError("One question at a time, please; only --check takes several files.")
    experiment = load_experiment(find(files[0]), **changed)
    if plot is not None:
        check_plot(experiment, plot)
    seconds = experiment.values["seconds"]
    if seconds:
        notes.say(f"{experiment.title}: about {seconds:,} seconds on two cores.")
    try:
        with notes.shown(), at_the_second(notes.say):
            result = run_experiment(
                experiment, workers=workers, chunk=chunk, progress=notes.progress, notice=notes.say, out=out
            )
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    if plot is not None:
        draw_parts(result, plot, notes)
    if json:
        say(json_text.dumps(result.to_dict(), indent=2, allow_nan=False))
    elif quiet:
        say(result.answer)
    else:
        from spadesim.cli.render_questions import print_experiment

        print_experiment(result_console(), result)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


def _check(files: list[str], changed: dict[str, int | None], notes: Notes, json: bool) -> bool:
    """Load every question and its strategies, and say what they would play; whether all of them are right."""
    from spadesim.questions import check_experiment, load_experiment

    found: list[dict[str, Any]] = []
    for name in files:
        try:
            with notes.shown():
                experiment = load_experiment(find(name), **changed)
                check_experiment(experiment, notes.say)
            found.append({**describe(experiment), "problem": None})
            told = in_words(experiment)
        except UserError as error:
            found.append({"file": name, "problem": str(error)})
            told = f"wrong. {error}"
        if not json:
            say(f"{found[-1]['file']}: {told}")
    if json:
        say(json_text.dumps(found, indent=2, allow_nan=False))
    return all(each["problem"] is None for each in found)


def describe(experiment: "Experiment") -> dict[str, Any]:
    """A question that is right, as plain values."""
    return {"file": str(experiment.file), **experiment.values, "parts": len(experiment.parts)}


def in_words(experiment: "Experiment") -> str:
    """What a question would play.

    >>> from spadesim.questions import load_experiment
    >>> in_words(load_experiment(find("ladder")))
    'a ladder, 8 parts, about 60 seconds on two cores.'
    """
    kind, n, seconds = experiment.values["kind"], len(experiment.parts), experiment.values["seconds"]
    parts = [f"a {kind}", f"{n} parts" if n > 1 else "1 part"]
    return ", ".join([*parts, *([f"about {seconds:,} seconds on two cores"] if seconds else [])]) + "."


def check_plot(experiment: "Experiment", plot: Path) -> None:
    """Refuse a picture of what has none, or in a format that there is not.

    Raises
    ------
    UserError
        It cannot be drawn.
    """
    check_files(plot)
    kind = experiment.values["kind"]
    if kind not in HOMES:
        raise UserError(f"a {kind} has no picture; these kinds have one: {', '.join(HOMES)}.")


FAILED = 1


def draw_parts(result: "ExperimentResult", plot: Path, notes: Notes) -> None:
    """Draw every part: into the file, or, of several, into one beside it for each of the rules."""
    kind, n = result.experiment.values["kind"], len(result.experiment.parts)
    for number, found in enumerate(result.results):
        draw(kind, found, plot if n == 1 else plot.with_stem(f"{plot.stem}-{number + 1}"), notes)


def find(name: str) -> Path:
    """The file of an experiment: its path, or the name of a bundled one.

    Raises
    ------
    UserError
        There is neither.

    Examples
    --------
    >>> find("ladder").name
    'ladder.toml'
    """
    file, known = user_path(name), bundled()
    if file.exists():
        return file
    if name in known:
        return known[name]
    where = "" if file.is_absolute() else f" in {Path.cwd()}"
    raise UserError(
        f"There is no file '{name}'{where}.{suggest(file.stem, known)} "
        f"Bundled questions: {', '.join(known)}; or the path of a .toml file."
    )


def bundled() -> dict[str, Path]:
    """The files of the bundled questions by name."""
    from spadesim import experiments

    files = [file for folder in experiments.__path__ for file in Path(folder).glob("*.toml")]
    return {file.stem: file for file in sorted(files)}
