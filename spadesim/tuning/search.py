"""The search by Optuna: asks for settings, plays them, tells what they came to; the same after any resume.

A sampler's random state is in no study, so a study that is resumed would go other ways than one that was
not. Here every trial has a sampler of its own, seeded by the study's seed and the trial's number.
"""

import hashlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from spadesim.errors import UserError, suggest
from spadesim.tuning.dimensions import Dimension, combinations, start_of
from spadesim.tuning.study import JOURNAL, StudyFolder
from spadesim.tuning.trials import History, Trial

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.samplers import BaseSampler
    from optuna.study import Study
    from optuna.trial import FrozenTrial

SAMPLERS = ("tpe", "cmaes", "qmc", "spsa")
NEEDED: dict[str, tuple[str, ...]] = {
    "tpe": ("optuna",), "cmaes": ("optuna", "cmaes"), "qmc": ("optuna",), "spsa": (),
}  # fmt: skip
NAME = "tune"
MOST_TRIALS = 1000
MOST_REPEATS = 60  # in a row, after which the sampler has nothing new to ask
BUDGET, ALL, REPEATS, TRIALS = "budget", "all", "repeats", "trials"  # what ended a search
LEAST_STARTED = 10  # random trials before a model is made of them
EXTRA = "pip install 'spadesim[tune]'"


def check_sampler(name: str, dimensions: Sequence[Dimension]) -> None:
    """Refuse a sampler that there is not, that lacks a library, or that cannot search such parameters.

    Raises
    ------
    UserError
        With what can be done about it.
    """
    if name not in SAMPLERS:
        raise UserError(
            f"sampler must be one of {', '.join(SAMPLERS)}, not '{name}'.{suggest(name, SAMPLERS)}"
        )
    choices = [one.name for one in dimensions if one.choices]
    if choices and name in ("cmaes", "spsa"):
        raise UserError(
            f"{name} moves along numbers, and {choices[0]} is a choice: leave it out, or use --sampler tpe."
        )
    if name == "cmaes" and len(dimensions) < 2:
        raise UserError("cmaes needs two parameters or more; --sampler tpe takes one.")
    if missing := missing_library(name):
        raise UserError(f"--sampler {name} needs the library {missing}: {EXTRA}")


def missing_library(name: str) -> str:
    """The first library that a sampler needs and that is not installed, "" where all are."""
    for library in NEEDED[name]:
        try:
            with _silent():
                __import__(library)
        except ImportError:
            return library
    return ""


def versions(name: str) -> str:
    """The libraries that a sampler asks, as they are here; another version of one may ask for other settings.

    >>> versions("spsa")
    ''
    """
    return ", ".join(f"{library} {version(library)}" for library in NEEDED[name])


def search(
    dimensions: Sequence[Dimension],
    sampler: str,
    seed: int,
    history: History,
    play: Callable[[dict[str, str]], Trial],
    has_room: Callable[[], bool],
    folder: StudyFolder | None = None,
) -> str:
    """Try settings until there is no room for more, or nothing new to try.

    Parameters
    ----------
    dimensions : sequence of Dimension
    sampler : {"tpe", "cmaes", "qmc"}
    seed : int
    history : History
        Gets the trials, those that the folder holds first.
    play : function
        Tries settings.
    has_room : function
        Whether another trial may be played.
    folder : StudyFolder, optional
        Keeps the study.

    Returns
    -------
    str
        What ended it: `BUDGET` without room for more, `ALL` when all settings were tried, `REPEATS` when the
        sampler had nothing new to ask, `TRIALS` when it had asked as often as it may.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C; the trial that was being played then leaves no trace.
    """
    with _silent():
        study = _open(dimensions, history, folder)
        distributions = {one.name: _distribution(one) for one in dimensions}
        size = combinations(dimensions)
        while has_room():
            if size is not None and history.distinct >= size:
                return ALL
            if history.repeats >= MOST_REPEATS:
                return REPEATS
            if len(history.trials) >= MOST_TRIALS:
                return TRIALS
            number = len(history.trials)
            study.sampler = sampler_of(sampler, seed, number, dimensions)
            if number == 0:
                study.enqueue_trial(_values(dimensions, start_of(dimensions)))
            asked = study.ask(distributions)
            trial = play({one.name: _word(one, asked.params[one.name]) for one in dimensions})
            for step, value in enumerate(trial.blocks):
                asked.report(value, step)
            asked.set_user_attr("settings", trial.settings)
            asked.set_user_attr("pruned", trial.pruned)
            asked.set_user_attr("boards", trial.boards)
            study.tell(asked, trial.value)
            history.add(trial)
            if folder is not None:
                folder.mark(len(history.trials))
    return BUDGET


def _open(dimensions: Sequence[Dimension], history: History, folder: StudyFolder | None) -> "Study":
    import optuna
    from optuna.storages.journal import JournalFileBackend

    whole = 0 if folder is None else folder.rewind()
    with nullcontext() if folder is None else folder.reading(JOURNAL):
        storage: Any = optuna.storages.InMemoryStorage()
        if folder is not None:
            storage = optuna.storages.JournalStorage(JournalFileBackend(str(folder.journal)))
        study = optuna.create_study(
            direction="maximize", storage=storage, study_name=NAME, load_if_exists=True
        )
        for one in study.trials:
            history.add(_recalled(one, dimensions))
    if len(history.trials) != whole:
        raise UserError(
            f"The study's journal holds {len(history.trials)} trials instead of {whole}: it is damaged."
        )
    return study


def _recalled(trial: "FrozenTrial", dimensions: Sequence[Dimension]) -> Trial:
    """A trial that a journal holds; an error of any kind where it is none of these dimensions."""
    told = _told(trial)
    return replace(told, settings={one.name: one.known(told.settings[one.name]) for one in dimensions})


def _told(trial: "FrozenTrial") -> Trial:
    """A trial that a journal holds, as it stands there."""
    blocks = tuple(trial.intermediate_values[step] for step in sorted(trial.intermediate_values))
    settings, pruned, boards = (trial.user_attrs[name] for name in ("settings", "pruned", "boards"))
    assert trial.value is not None
    return Trial(trial.number, dict(settings), blocks, trial.value, bool(pruned), int(boards))


def trials_in(folder: StudyFolder) -> list[Trial]:
    """The whole trials of a study, out of a copy of its journal: nothing in the folder is touched."""
    import optuna
    from optuna.storages.journal import JournalFileBackend

    with _silent(), folder.reading(JOURNAL), TemporaryDirectory() as place:
        copy = Path(place, "journal")
        copy.write_bytes(folder.whole_journal())
        storage = optuna.storages.JournalStorage(JournalFileBackend(str(copy)))
        if not storage.get_all_studies():
            return []
        return list(map(_told, optuna.load_study(study_name=NAME, storage=storage).trials))


def sampler_of(name: str, seed: int, number: int, dimensions: Sequence[Dimension]) -> "BaseSampler":
    """The sampler of one trial."""
    from optuna import samplers

    own = seed_of(seed, number)
    if name == "tpe":
        started = max(LEAST_STARTED, 2 * len(dimensions))
        return samplers.TPESampler(seed=own, n_startup_trials=started, multivariate=True, constant_liar=False)
    if name == "cmaes":
        return samplers.CmaEsSampler(seed=own, with_margin=True, warn_independent_sampling=False)
    # One sequence of points, of which every trial takes the next, so all have the same seed.
    return samplers.QMCSampler(
        seed=seed_of(seed, -1),
        scramble=True,
        independent_sampler=samplers.RandomSampler(seed=own),
        warn_independent_sampling=False,
    )


def seed_of(seed: int, number: int) -> int:
    """The seed of one trial, 0 to 2**32 - 1."""
    return int.from_bytes(hashlib.sha256(f"{seed} {number}".encode()).digest()[:4], "big")


def _distribution(one: Dimension) -> "BaseDistribution":
    from optuna import distributions

    if one.choices:
        return distributions.CategoricalDistribution(one.choices)
    if one.is_whole:
        return distributions.IntDistribution(round(one.low), round(one.high))
    return distributions.FloatDistribution(one.low, one.high)


def _word(one: Dimension, value: Any) -> str:
    return str(value) if one.choices else one.word(float(value))


def _values(dimensions: Sequence[Dimension], settings: dict[str, str]) -> dict[str, Any]:
    """Settings as Optuna has them."""
    found: dict[str, Any] = {}
    for one in dimensions:
        word = settings[one.name]
        found[one.name] = word if one.choices else int(word) if one.is_whole else float(word)
    return found


@contextmanager
def _silent() -> Iterator[None]:
    """Keep Optuna from printing notes of its own, and restore what it was."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import optuna
        except ImportError:
            yield
            return
        before = optuna.logging.get_verbosity()
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        try:
            yield
        finally:
            optuna.logging.set_verbosity(before)
