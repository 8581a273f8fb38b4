"""What a report can be of: recorded runs, answered questions, studies, results, and their JSON files."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spadesim.analysis.readback import UnreadableError, kind_of, read_back
from spadesim.errors import UserError
from spadesim.match import manifest
from spadesim.match.diff_result import DiffResult
from spadesim.match.partners import PartnersResult
from spadesim.match.recorded import RecordedRun, load
from spadesim.match.result import DuelResult
from spadesim.match.standings import TournamentResult
from spadesim.reading import user_path
from spadesim.strategy.called import short_name
from spadesim.tuning import search, study
from spadesim.tuning.calibrated import CalibrateResult
from spadesim.tuning.rules_sweep import RulesSweepResult
from spadesim.tuning.swept import SweepResult
from spadesim.tuning.tune_result import TuneResult

CLASSES = {
    "duel": DuelResult,
    "tournament": TournamentResult,
    "partners": PartnersResult,
    "sweep": SweepResult,
    "rules_sweep": RulesSweepResult,
    "tune": TuneResult,
    "calibrate": CalibrateResult,
    "diff": DiffResult,
}
MOST_BYTES = 100_000_000
ANSWER = "answer.json"
TEXTS = ("title", "question", "expected", "answer")
KNOWN = (
    "a run's folder (duel --out), that of an answered question (run --out) or of a tuning (tune --study), or "
    "a .json file that duel, diff, tournament, sweep, tune or calibrate printed with --json"
)


@dataclass(frozen=True)
class Question:
    """A question out of a file, and its answer.

    Parameters
    ----------
    title, question, expected, answer : str
    kind : str
    results : tuple
    """

    title: str
    question: str
    expected: str
    answer: str
    kind: str
    results: tuple[Any, ...]


@dataclass
class Found:
    """What was found so far.

    Attributes
    ----------
    runs : list of RecordedRun
    results : dict of str to list
        By kind; those of the runs among them.
    questions : list of Question
    titles, answers : list of str
        What each thing is called, and what it came to in a sentence.
    """

    runs: list[RecordedRun] = field(default_factory=list)
    results: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    questions: list[Question] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)

    def add(self, thing: Any) -> None:
        """Take in a run, a result, an answered question, or whatever a path leads to.

        Raises
        ------
        UserError
            No report can be of it.
        """
        if isinstance(thing, str | Path):
            self._add_path(user_path(thing))
        elif isinstance(thing, RecordedRun):
            self._add_run(thing)
        elif hasattr(thing, "experiment"):
            self._add_question(thing.to_dict(), thing.results)
        else:
            kind = next((kind for kind, cls in CLASSES.items() if isinstance(thing, cls)), None)
            if kind is None:
                raise UserError(f"A report is of {KNOWN}, or of what these are in Python, not of {thing!r}.")
            self._add_result(kind, thing)

    def _add_path(self, path: Path) -> None:
        if not path.exists():
            raise UserError(f"There is no '{path}'. A report is of {KNOWN}.")
        if path.is_file():
            self._add_values(path, _values(path))
        elif (path / manifest.FILE).exists():
            self._add_run(load(path))
        elif (path / ANSWER).exists():
            self._add_folder(path)
        elif (path / study.ASKED).exists():
            self._add_result("tune", _study(path))
        else:
            raise UserError(f"'{path}' holds nothing to report on. A report is of {KNOWN}.")

    def _add_values(self, file: Path, values: dict[str, Any]) -> None:
        if "results" in values and "answer" in values:
            return self._add_question(values, _each(file, values))
        kind = kind_of(values)
        if kind is None:
            raise UserError(f"'{file}' is no result of a command. A report is of {KNOWN}.")
        self._add_result(kind, _result(file, kind, values))

    def _add_run(self, run: RecordedRun, is_own: bool = True) -> None:
        self.runs.append(run)
        self._add_result("duel", run.result(), is_own)

    def _add_result(self, kind: str, result: Any, is_own: bool = True) -> None:
        self.results[kind].append(result)
        if is_own:
            self.titles.append(title_of(result))
            self.answers.append(result.verdict)

    def add_hands(self, n: int, **how: Any) -> bool:
        """Have the bots of every recorded run play its boards again, to find where they part.

        Parameters
        ----------
        n : int
            How many of the boards that cost A the most are to be drawn.
        **how
            Who plays and who is told: parameters of `spadesim.match.diff_run.diff_of_run`.

        Returns
        -------
        bool
            Whether all was played; False after Ctrl-C, when some boards are missing, or the runs that follow.

        Raises
        ------
        UserError
            There is no recorded run of different bots, or its bots are not what they were.
        KeyboardInterrupt
            Ctrl-C before any board of the first run was played.
        """
        from spadesim.match.diff import Asked
        from spadesim.match.diff_run import diff_of_run, some_different

        asked = Asked(top=n)
        for number, run in enumerate(some_different(self.runs)):
            try:
                found = diff_of_run(run, asked, **how)
            except KeyboardInterrupt:
                if number == 0:
                    raise
                return False
            self._add_result("diff", found)
            if found.partial:
                return False
        return True

    def _add_folder(self, folder: Path) -> None:
        """An answered question, with the runs that were kept of it."""
        values = _values(folder / ANSWER)
        results = _each(folder / ANSWER, values)
        kept = [folder / f"{number + 1:02}" for number in range(len(results))]
        runs = [load(place) for place in kept if (place / manifest.FILE).exists()]
        for run in runs:
            self._add_run(run, is_own=False)
        self._add_question(values, results, is_kept=bool(runs))

    def _add_question(self, values: dict[str, Any], results: Iterable[Any], is_kept: bool = False) -> None:
        results = tuple(results)
        question = Question(
            **{name: str(values.get(name) or "") for name in TEXTS}, kind=str(values["kind"]), results=results
        )
        self.questions.append(question)
        self.titles.append(question.title)
        self.answers.append(question.answer)
        if question.kind == "ladder":
            self.results["ladder"].append(question)
        for result in results if not is_kept else ():
            kind = next(kind for kind, cls in CLASSES.items() if isinstance(result, cls))
            self._add_result(kind, result, is_own=False)


def read_inputs(things: Iterable[Any]) -> Found:
    """All that some paths, runs or results hold.

    Raises
    ------
    UserError
        One of them is nothing that a report can be of.
    """
    found = Found()
    for thing in things:
        found.add(thing)
    return found


def _values(file: Path) -> dict[str, Any]:
    try:
        with file.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise UserError(f"'{file}' is longer than 100 MB; no command prints so much.")
        found = json.loads(data)
    except OSError as error:
        raise UserError(f"'{file}' cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"'{file}' is no JSON file ({error}). A report is of {KNOWN}.") from error
    if not isinstance(found, dict):
        raise UserError(f"'{file}' is no result of a command. A report is of {KNOWN}.")
    return found


def _result(file: Path, kind: str, values: dict[str, Any]) -> Any:
    try:
        return read_back(kind, values)
    except UnreadableError as error:
        raise UserError(f"'{file}' is no result that this version can read: {error}.") from error


def _each(file: Path, values: dict[str, Any]) -> list[Any]:
    """The results of a question's answer."""
    found = []
    for one in values["results"] if isinstance(values["results"], list) else [None]:
        kind = kind_of(one) if isinstance(one, dict) else None
        if one is None or kind is None or not isinstance(values.get("kind"), str):
            raise UserError(f"'{file}' is no answer that this version can read.")
        found.append(_result(file, kind, one))
    return found


def _study(path: Path) -> TuneResult:
    """What a tuning found, with the history that its folder keeps."""
    folder = study.folder_of(path)
    folder.asked()
    file = path / study.RESULT
    if not file.exists():
        raise UserError(f"The study in '{path}' has no result yet; spadesim tune --resume '{path}' goes on.")
    result: TuneResult = _result(file, "tune", _values(file))
    if (path / study.STEPS).exists():
        return replace(result, history=tuple(map(_step, folder.steps())))
    has_optuna = not search.missing_library("tpe")
    return replace(result, history=tuple(search.trials_in(folder))) if has_optuna else result


def _step(values: dict[str, Any]) -> Any:
    from spadesim.tuning.spsa import Step

    return Step(**values)


def title_of(result: Any) -> str:
    """What a result is called."""
    if isinstance(result, DuelResult):
        from spadesim.analysis.tables import labels

        return " against ".join(labels(result))
    if isinstance(result, DiffResult):
        return f"Where {' and '.join(result.names)} part"
    if isinstance(result, TournamentResult):
        return f"Tournament of {len(result.players)} bots"
    if isinstance(result, PartnersResult):
        return f"{len(result.bots)} bots as partners"
    if isinstance(result, CalibrateResult):
        return f"How strong {short_name(result.side)} is by {result.parameter}"
    what = {SweepResult: "Sweep", RulesSweepResult: "Rules swept with", TuneResult: "Tuning"}[type(result)]
    return f"{what} {'' if 'with' in what else 'of '}{short_name(result.strategy)}"
