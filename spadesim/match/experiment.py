"""Questions that take several duels: one TOML file says everything that the answer depends on.

The kind ``ladder`` asks whether each strategy of a list beats the one before it, under each of several rules.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.core.rules import DEFAULT_PRESET
from spadesim.errors import UserError, suggest
from spadesim.match.duel import Notice, load, play_duel
from spadesim.match.result import DuelResult
from spadesim.match.run import Progress
from spadesim.match.spec import DEFAULT_SEED, DuelSpec, make_spec
from spadesim.reading import small_table, user_path
from spadesim.strategy import parse
from spadesim.strategy.load import check_side

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("ladder",)

# key -> (type, what it is called in messages, default; ... where the file must give it)
KEYS: dict[str, tuple[type, str, Any]] = {
    "title": (str, "a text", ...),
    "question": (str, "a text", ...),
    "kind": (str, f"one of {', '.join(KINDS)}", ...),
    "strategies": (list, "a list of texts", ...),
    "rules": (list, "a list of texts", [DEFAULT_PRESET]),
    "games": (int, "a whole number", None),  # 20,000, or as few more as make whole sets under each rules
    "seed": (int, "a whole number", DEFAULT_SEED),
    "expected": (str, "a text", ""),
}


@dataclass(frozen=True)
class Experiment:
    """A question, as its file asks it.

    Parameters
    ----------
    file : Path
    title, question : str
    kind : str
        ``ladder``: each strategy against the one before it, under each of the rules.
    strategies : tuple of str
        Specs, the weakest first.
    rules : tuple of str
        Rules in their text form.
    games : int
        Games of each duel; without a word of the file 20,000, or as few more as make whole sets.
    seed : int
        The same deals for all duels.
    expected : str
        What the author expects to see, and how to read it.
    duels : tuple of DuelSpec
        What has to be played, rules by rules from the lowest rung up; A is the upper rung.
    """

    file: Path
    title: str
    question: str
    kind: str
    strategies: tuple[str, ...]
    rules: tuple[str, ...]
    games: int
    seed: int
    expected: str
    duels: tuple[DuelSpec, ...]


@dataclass(frozen=True)
class ExperimentResult:
    """What an experiment measured.

    Parameters
    ----------
    experiment : Experiment
    duels : tuple of DuelResult
        In the order of `experiment.duels`; fewer when it was stopped, the last of them perhaps partial.
    """

    experiment: Experiment
    duels: tuple[DuelResult, ...]

    @property
    def partial(self) -> bool:
        """Whether it was stopped before its end."""
        return len(self.duels) < len(self.experiment.duels) or any(duel.partial for duel in self.duels)

    @property
    def answer(self) -> str:
        """One sentence: whether each rung beats the one below it under all rules."""
        table = self.to_frame()
        steps, won = len(self.experiment.duels), int((table["beats"] == "yes").sum())
        if won == steps:
            return f"Yes: each rung beats the one below it in all {steps} duels."
        rest = [
            f"{row.upper} against {row.lower} under {row.rules}: {row.beats}"
            for row in table.itertuples()
            if row.beats != "yes"
        ]
        missing = [f"{steps - len(table)} duels not played"] if len(table) < steps else []
        start = "Partial" if self.partial else "No"
        return f"{start}: {won} of {steps} duels are won by the upper rung; {'; '.join(rest + missing)}."

    def to_frame(self) -> "pd.DataFrame":
        """A row a duel.

        Returns
        -------
        DataFrame
            Columns rules, upper, lower, games, win_rate (of the upper rung), low, high (its 95 % interval),
            beats ("yes", "no", "undecided"), points_per_hand, fingerprint.
        """
        import pandas as pd

        return pd.DataFrame([_row(duel) for duel in self.duels], columns=list(COLUMNS))


COLUMNS = (
    "rules", "upper", "lower", "games", "win_rate", "low", "high", "beats", "points_per_hand", "fingerprint",
)  # fmt: skip

BEATS = {"a": "yes", "b": "no", None: "undecided"}


def _row(duel: DuelResult) -> dict[str, Any]:
    rate, points = duel.win_rate_a, duel.points_per_hand
    return {
        "rules": duel.rules,
        "upper": duel.a,
        "lower": duel.b,
        "games": duel.games,
        "win_rate": rate.mean if rate else None,
        "low": rate.low if rate else None,
        "high": rate.high if rate else None,
        "beats": BEATS[duel.better],
        "points_per_hand": points.mean if points else None,
        "fingerprint": duel.fingerprint,
    }


def load_experiment(path: str | Path, games: int | None = None, seed: int | None = None) -> Experiment:
    """The question that a file asks, checked as far as possible without playing.

    Parameters
    ----------
    path : str or Path
        A TOML file.
    games, seed : int, optional
        Instead of what the file says.

    Raises
    ------
    UserError
        The file cannot be read, or asks for something that cannot be played.
    """
    file = user_path(path)
    try:
        table = small_table(file)
    except FileNotFoundError:
        raise UserError(f"There is no file '{file}'.") from None
    except OSError as error:
        raise UserError(f"The experiment '{file}' cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise UserError(f"The experiment '{file}' is not UTF-8 text.") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"The experiment '{file}' is not valid TOML: {error}.") from None
    changed = {name: value for name, value in (("games", games), ("seed", seed)) if value is not None}
    try:
        values = _checked(table)
        asked = _experiment(file, values | {name: KEYS[name][2] for name in changed})
    except UserError as error:
        raise UserError(f"In the experiment '{file}': {error}") from None
    return _experiment(file, values | changed) if changed else asked


def run_experiment(
    experiment: Experiment,
    *,
    workers: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
    finished: Callable[[DuelResult], None] | None = None,
) -> ExperimentResult:
    """Play an experiment's duels, one after the other.

    Parameters
    ----------
    experiment : Experiment
    workers, chunk, notice
        As for `duel`.
    progress : function, optional
        As for `duel`, but counting over all duels.
    finished : function, optional
        Called with each result as soon as it is there.

    Raises
    ------
    UserError
        A strategy cannot be loaded, or broke the contract.
    KeyboardInterrupt
        Ctrl-C before anything was measured; later it ends the run, which then is partial.
    """
    for text in experiment.strategies:
        side = load(text, notice)
        for rules in dict.fromkeys(spec.rules for spec in experiment.duels):
            check_side(side, rules)
    results: list[DuelResult] = []
    pace = _Total(experiment, progress)
    try:
        for spec in experiment.duels:
            result = play_duel(spec, workers=workers, chunk=chunk, progress=pace.within, notice=notice)
            results.append(result)
            pace.enter(result)
            if finished is not None:
                finished(result)
            if result.partial:
                break
    except KeyboardInterrupt:
        if not results:
            raise
    return ExperimentResult(experiment, tuple(results))


class _Total:
    """Adds the progress of single duels up to that of the whole experiment."""

    def __init__(self, experiment: Experiment, progress: Progress | None) -> None:
        self.progress = progress
        self.all = sum(spec.units for spec in experiment.duels)
        self.units = self.hands = 0

    def within(self, units: int, _: int, hands: int) -> None:
        if self.progress is not None:
            self.progress(self.units + units, self.all, self.hands + hands)

    def enter(self, result: DuelResult) -> None:
        self.units += result.spec.units
        self.hands += result.hands


def _checked(table: dict[str, Any]) -> dict[str, Any]:
    """Every key with a value of its type, defaults filled in."""
    for key in table:
        if key not in KEYS:
            raise UserError(f"there is no key '{key}'.{suggest(key, KEYS)} Keys: {', '.join(KEYS)}.")
    values = {}
    for key, (kind, called, default) in KEYS.items():
        if key not in table and default is ...:
            raise UserError(f"the key '{key}' is missing: it must be {called}.")
        values[key] = table.get(key, default)
        if key in table and not _is_a(kind, values[key]):
            raise UserError(f"{key} must be {called}, not {values[key]!r}.")
    return values


def _is_a(kind: type, value: object) -> bool:
    if isinstance(value, list):
        return kind is list and len(value) > 0 and all(isinstance(item, str) for item in value)
    return isinstance(value, kind) and not isinstance(value, bool)


def _experiment(file: Path, values: dict[str, Any]) -> Experiment:
    strategies, rules = tuple(values["strategies"]), tuple(values["rules"])
    if values["kind"] not in KINDS:
        hint = suggest(values["kind"], KINDS)
        raise UserError(f"kind must be {KEYS['kind'][1]}, not '{values['kind']}'.{hint}")
    if len(strategies) < 2:
        raise UserError("a ladder needs two strategies or more, the weakest first.")
    for name, items in (("strategies", strategies), ("rules", rules)):
        if len(set(items)) < len(items):
            raise UserError(f"{name} must differ from each other: {', '.join(items)}.")
    for text in strategies:
        parse(text)
    duels = [
        make_spec(upper, lower, rules=text, games=values["games"], seed=values["seed"])
        for text in rules
        for lower, upper in pairwise(strategies)
    ]
    games = values["games"] or max(spec.games or 0 for spec in duels)
    asked = values | {"strategies": strategies, "rules": rules, "games": games}
    return Experiment(file=file, **asked, duels=tuple(duels))
