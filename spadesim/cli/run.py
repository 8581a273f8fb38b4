"""``spadesim run FILE``: a question out of a file, and its answer."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from spadesim.cli import options
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.terminal import Notes, at_the_second, result_console
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path

if TYPE_CHECKING:
    from spadesim.match.experiment import ExperimentResult


def run(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A .toml file, or the name of a bundled one, such as ladder."),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            parser=options.whole,
            help="Games of each duel, instead of the file's; of three or four single players sets of six.",
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="N", parser=options.whole, help="Which deals, instead of the file's."),
    ] = None,
    workers: options.Workers = None,
    chunk: options.Chunk = None,
    json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Answer a question that takes several duels.

    \b
    spadesim run experiments/ladder.toml
    spadesim run ladder --games 2000
    """  # noqa: D301
    from spadesim.match.experiment import load_experiment, run_experiment

    experiment = load_experiment(find(file), games, seed)
    notes = Notes(quiet)
    try:
        with notes.shown(), at_the_second(notes.say):
            result = run_experiment(
                experiment, workers=workers, chunk=chunk, progress=notes.progress, notice=notes.say
            )
    except KeyboardInterrupt:
        notes.say("stopped before anything was measured.")
        raise typer.Exit(INTERRUPTED) from None
    if json:
        print(json_text.dumps(describe(result), indent=2, allow_nan=False))
    elif quiet:
        print(result.answer)
    else:
        from spadesim.cli.render import print_experiment

        print_experiment(result_console(), result)
    if result.partial:
        raise typer.Exit(INTERRUPTED)


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


def describe(result: "ExperimentResult") -> dict[str, Any]:
    """An experiment and what it measured as plain values, the JSON object of ``run``."""
    asked = result.experiment
    names = ("title", "question", "expected", "kind", "strategies", "rules", "games", "seed")
    return {
        **{name: getattr(asked, name) for name in names},
        "file": str(asked.file),
        "partial": result.partial,
        "answer": result.answer,
        "duels": [duel.to_dict() for duel in result.duels],
    }
