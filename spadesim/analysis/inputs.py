"""What a report can be of: recorded runs, answered questions, studies, and results in JSON files."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from spadesim.analysis.compose import Inputs
from spadesim.errors import UserError
from spadesim.match import manifest
from spadesim.match.recorded import RecordedRun, load
from spadesim.reading import user_path


def read_inputs(places: Sequence[str | Path]) -> Inputs:
    """What some folders and files hold.

    Raises
    ------
    UserError
        One of them is nothing that a report can be of.
    """
    runs: list[RecordedRun] = []
    for place in places:
        runs.append(load(user_path(place)))
    return inputs_of(runs)


def inputs_of(things: Iterable[Any]) -> Inputs:
    runs = tuple(things)
    duels = tuple(run.result() for run in runs)
    return Inputs(runs, {"duel": duels}, tuple(f"{d.sides['a'].name} against {d.sides['b'].name}" for d in duels))
