"""A question in a TOML file, which says everything that the answer depends on, and its answer."""

import contextlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.core.rules import Rules
from spadesim.errors import UserError, suggest
from spadesim.glanced import Glanced
from spadesim.match.crews import Workers
from spadesim.match.duel import Keep, Notice, load, workers_for
from spadesim.match.run import Progress
from spadesim.questions.keys import COMMON, Values, checked
from spadesim.questions.kinds import KINDS, Kind
from spadesim.questions.part import Part
from spadesim.reading import small_table, user_path
from spadesim.strategy.load import check_side
from spadesim.writing import write_durably

if TYPE_CHECKING:
    import pandas as pd

QUESTION = "question.toml"  # in the folder of an answer


@dataclass(frozen=True)
class Experiment:
    """A question, as its file asks it.

    Parameters
    ----------
    file : Path
    values : dict
        Every key of the file, defaults filled in; those of all kinds and those of its own.
    parts : tuple of Part
        What has to be played.
    """

    file: Path
    values: Values
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        """What it is called."""
        return str(self.values["title"])

    @property
    def kind(self) -> Kind:
        """How it is played and answered."""
        return KINDS[self.values["kind"]]

    @property
    def options(self) -> Values:
        """What the file says besides its texts, keys without a value left out."""
        texts = ("title", "question", "expected", "kind")
        return {name: value for name, value in self.values.items() if name not in texts and value is not None}


@dataclass(frozen=True)
class ExperimentResult(Glanced):
    """What an experiment measured.

    Parameters
    ----------
    experiment : Experiment
    results : tuple
        Of its parts, in their order; fewer when it was stopped, the last of them perhaps partial.
    """

    experiment: Experiment
    results: tuple[Any, ...]

    @property
    def partial(self) -> bool:
        """Whether it was stopped before its end."""
        is_short = len(self.results) < len(self.experiment.parts)
        return is_short or any(result.partial for result in self.results)

    @property
    def answer(self) -> str:
        """What was found, in a sentence or a few."""
        return self.experiment.kind.answer(self.experiment.parts, self.results)

    def to_frame(self) -> "pd.DataFrame":
        """One table of everything; its columns depend on the kind."""
        return self.experiment.kind.frame(self.results)

    def to_dict(self) -> dict[str, Any]:
        """The question and what was measured as plain values, the JSON object of ``run``."""
        return {
            **self.experiment.values,
            "file": str(self.experiment.file),
            "partial": self.partial,
            "answer": self.answer,
            "results": [result.to_dict() for result in self.results],
        }


def load_experiment(path: str | Path, **changed: int | None) -> Experiment:
    """The question that a file asks, checked as far as possible without loading a strategy.

    Parameters
    ----------
    path : str or Path
        A TOML file.
    **changed
        ``games``, ``boards`` and ``seed`` instead of what the file says; None for what it says.

    Raises
    ------
    UserError
        The file cannot be read, or asks for something that cannot be played.
    """
    file = user_path(path)
    table = _read(file)
    changes = {name: value for name, value in changed.items() if value is not None}
    try:
        kind = _kind(table)
        keys = {**COMMON, **kind.keys}
        for name in changes:
            if name not in keys:
                raise UserError(f"a question of kind {table['kind']} has no {name} to change.")
        values = checked(table, keys)
        if len({Rules.parse(text) for text in values["rules"]}) < len(values["rules"]):
            raise UserError(f"rules must differ from each other: {', '.join(values['rules'])}.")
        if values["seconds"] is not None and values["seconds"] < 1:
            raise UserError(f"seconds must be above 0, not {values['seconds']}.")
        asked = _experiment(file, values | {name: keys[name].default for name in changes})
    except UserError as error:
        raise UserError(f"In the experiment '{file}': {error}") from None
    return _experiment(file, values | changes) if changes else asked


def check_experiment(experiment: Experiment, notice: Notice | None = None) -> None:
    """Refuse a question whose strategies cannot be loaded, cannot sit at its tables, or lack its settings.

    Raises
    ------
    UserError
        Which one, and why.
    """
    for rules, sides in dict.fromkeys((part.rules, part.sides) for part in experiment.parts):
        for text in sides:
            check_side(load(text, notice), rules)
    for part in experiment.parts:
        experiment.kind.check(part.spec)


def run_experiment(
    experiment: Experiment,
    *,
    workers: Workers = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    finished: Callable[[Any], None] | None = None,
    out: str | Path | None = None,
) -> ExperimentResult:
    """Play an experiment part by part.

    Parameters
    ----------
    experiment : Experiment
    workers, chunk, notice
        As for `duel`.
    progress : function, optional
        As for `duel`, but counting over all parts.
    finished : function, optional
        Called with each result as soon as it is there.
    out : str or Path, optional
        A folder to keep it in, which must not be there yet: the question, its answer as JSON, the table as
        CSV, and a run for each duel.

    Raises
    ------
    UserError
        A strategy cannot be loaded, or broke the contract, or the folder is not empty.
    KeyboardInterrupt
        Ctrl-C before anything was measured; later it ends the run, which then is partial.
    """
    check_experiment(experiment, notice)
    workers = workers_for(workers, chunk)  # what is asked wrongly leaves no folder behind
    folder = None if out is None else _folder(user_path(out), experiment)
    results: list[Any] = []
    pace = _Total(experiment, progress)
    how: dict[str, Any] = {"workers": workers, "chunk": chunk, "notice": notice}
    try:
        for number, part in enumerate(experiment.parts):
            if folder is not None and experiment.kind.is_kept:
                how["keep"] = Keep(folder / f"{number + 1:02}")
            result = experiment.kind.play(part.spec, progress=pace.within, **how)
            results.append(result)
            pace.enter(part, result)
            if finished is not None:
                finished(result)
            if result.partial:
                break
    except BaseException as error:
        if folder is not None and not results:
            _forget(folder)
        if not results or not isinstance(error, KeyboardInterrupt):
            raise
    found = ExperimentResult(experiment, tuple(results))
    if folder is not None:
        keep_answer(folder, found)
    return found


def keep_answer(folder: Path, result: ExperimentResult) -> None:
    """Write what was found into the folder of an experiment.

    Raises
    ------
    UserError
        It cannot be written.
    """
    text = json.dumps(result.to_dict(), indent=2, allow_nan=False)
    table = result.to_frame().to_csv(index=False)
    try:
        write_durably(folder / "answer.json", f"{text}\n".encode())
        write_durably(folder / "answer.csv", table.encode())
    except OSError as error:
        raise UserError(f"The answer cannot be written to '{folder}': {error.strerror}.") from error


def _folder(folder: Path, experiment: Experiment) -> Path:
    """A new folder, with the question in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UserError(f"'{folder}' is not empty; give a folder that is not there yet.")
        write_durably(folder / QUESTION, experiment.file.read_bytes())
    except OSError as error:
        raise UserError(f"The folder '{folder}' cannot be made: {error.strerror}.") from error
    return folder


def _forget(folder: Path) -> None:
    """Take a folder away again that holds nothing but the question, so that its name can be given again."""
    with contextlib.suppress(OSError):
        if [file.name for file in folder.iterdir()] == [QUESTION]:
            (folder / QUESTION).unlink()
            folder.rmdir()


class _Total:
    """Adds the progress of single parts up to that of the whole experiment, as far as its length is known."""

    def __init__(self, experiment: Experiment, progress: Progress | None) -> None:
        self.progress = progress
        self.is_known = all(part.units for part in experiment.parts)
        self.all = sum(part.units for part in experiment.parts)
        self.units = self.hands = 0

    def within(self, units: int, of: int, hands: int) -> None:
        if self.progress is not None and self.is_known:
            self.progress(min(self.units + units, self.all), self.all, self.hands + hands)
        elif self.progress is not None:
            self.progress(units, of, self.hands + hands)

    def enter(self, part: Part, result: Any) -> None:
        self.units += part.units
        self.hands += result.hands


def _read(file: Path) -> dict[str, Any]:
    try:
        return small_table(file)
    except FileNotFoundError:
        raise UserError(f"There is no file '{file}'.") from None
    except OSError as error:
        raise UserError(f"The experiment '{file}' cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The experiment '{file}' is not UTF-8 text.") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"The experiment '{file}' is not valid TOML: {error}.") from None


def _kind(table: dict[str, Any]) -> Kind:
    named = table.get("kind")
    called = f"one of {', '.join(KINDS)}"
    if named is None:
        raise UserError(f"the key 'kind' is missing: it must be {called}.")
    if not isinstance(named, str) or named not in KINDS:
        raise UserError(f"kind must be {called}, not {named!r}.{suggest(str(named), KINDS)}")
    return KINDS[named]


def _experiment(file: Path, values: Values) -> Experiment:
    own = dict(values)
    parts = tuple(KINDS[own["kind"]].parts(own))
    return Experiment(file, own, parts)
