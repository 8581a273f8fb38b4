"""Results out of the JSON that commands print, checked field by field; nothing is played or loaded.

What is not in the JSON is made anew from it where it can be, such as a sweep's axes from its arms. What can
only be counted while playing stays away: the tally of a duel is None, and so is the history of a tuning.
"""

import contextlib
import dataclasses
import math
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.match.decision import Decision
from spadesim.match.partners import PartnersResult
from spadesim.match.result import DuelResult
from spadesim.match.scale import GAMES_WON, POINTS, POINTS_A_HAND, WIN_CHANCE, Scale, scale_of
from spadesim.match.sides import ESTIMATES, SideStats
from spadesim.match.spec import DuelSpec, make_spec
from spadesim.match.standings import TournamentResult
from spadesim.stats.elo import PAIR_KINDS, EloStats
from spadesim.stats.intervals import Estimate
from spadesim.tuning.calibrated import CalibrateResult
from spadesim.tuning.rules_sweep import RulesSweepResult, RulesSweepSpec
from spadesim.tuning.settings import Axis
from spadesim.tuning.sweep_spec import SweepSpec
from spadesim.tuning.swept import SweepResult
from spadesim.tuning.tune_result import TuneResult

Values = Mapping[str, Any]

# A kind of result, and fields that no other kind has together.
SIGNS = {
    "duel": ("win_rate_a", "sides", "seats"),
    "tournament": ("players", "heads", "superiority"),
    "partners": ("bots", "against", "pairs"),
    "sweep": ("arms", "winner", "fresh"),
    "tune": ("parameters", "sampler", "validation"),
    "calibrate": ("curve", "target", "calibrated"),
    "rules_sweep": ("arms", "strategy", "vs"),
    "diff": ("kinds", "cases", "redeals"),
}


LARGEST = 2**64  # of all that a command prints, a seed
MOST_SHOWN = 40  # signs of a value in a message
NEARLY = 1e-9
BELOW_0 = ("scores", "chance_units", "point_units")  # counts are not
NOT_BELOW_0 = (
    "seconds", "hands_per_second", "p", "p_value", "los", "pairs_ratio", "drawn_pairs", "reach", "within",
    "variance_factor", "mean_bid", "mean_tricks",
)  # fmt: skip


class UnreadableError(Exception):
    """A result that cannot be made of some values; its text says why."""


def kind_of(values: Values) -> str | None:
    """What kind of result some values are, by their names; None for none.

    >>> kind_of({"arms": [], "strategy": "hard", "vs": []}), kind_of({})
    ('rules_sweep', None)
    """
    return next((kind for kind, names in SIGNS.items() if all(name in values for name in names)), None)


class FieldValueError(Exception):
    """A value that a field cannot have.

    Parameters
    ----------
    value : object
    place : tuple of str
        The names that lead to it, outermost first.
    """

    def __init__(self, value: Any, *place: str) -> None:
        super().__init__(value, *place)
        self.place = place
        shown = "NaN" if isinstance(value, float) and math.isnan(value) else repr(value)
        self.shown = shown if len(shown) < MOST_SHOWN else f"{shown[:MOST_SHOWN]}…"


@contextlib.contextmanager
def _within(name: str) -> Iterator[None]:
    """Have what is wrong in the block be told as a part of a field."""
    try:
        yield
    except FieldValueError as error:
        error.place = (name, *error.place)
        raise


def read_back(kind: str, values: Values) -> Any:
    """The result that was printed.

    Parameters
    ----------
    kind : str
        One of `SIGNS`.
    values : mapping
        The JSON object.

    Raises
    ------
    UnreadableError
        It is not such a result, or one of another version.
    """
    try:
        _check_numbers(values)
        found = _READERS[kind](values)
        Rules.parse(values["rules"])  # which not every kind of result is made with
        return found
    except KeyError as error:
        raise UnreadableError(f"it has no {error}") from error
    except FieldValueError as error:
        raise UnreadableError(f"its {'.'.join(error.place)} cannot be {error.shown}") from error
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, UserError) as error:
        raise UnreadableError(str(error).rstrip(".")) from error


def _check_numbers(values: Any) -> None:
    """Refuse numbers that are none, and such as nothing comes to that can be played."""
    if isinstance(values, float) and not math.isfinite(values):
        raise FieldValueError(values)
    if isinstance(values, int | float) and abs(values) > LARGEST:
        raise FieldValueError(values)
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(values, Mapping):
        parts = values.items()
    elif isinstance(values, list):
        parts = enumerate(values)
    for name, part in parts:
        with _within(str(name)):
            _check_numbers(part)


def built(cls: type, values: Values, **given: Any) -> Any:
    """A frozen object of a class, each field turned into what the class says it is.

    Parameters
    ----------
    cls : type
        A dataclass.
    values : mapping
    **given
        Fields that are taken as they are.
    """
    if not isinstance(values, Mapping):
        raise FieldValueError(values)
    found = dict(given)
    for field in dataclasses.fields(cls):
        if field.name in found:
            continue
        is_needed = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if is_needed or field.name in values:
            with _within(field.name):
                found[field.name] = _turned(field.type, values[field.name], field.name)
    made = cls(**found)
    if isinstance(made, Estimate) and not made.low - NEARLY <= made.mean <= made.high + NEARLY:
        raise FieldValueError(values)
    return made


def _turned(kind: Any, value: Any, name: str) -> Any:
    """A JSON value as a type of fields, such as ``tuple[float, ...] | None``."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        if value is None and type(None) in inner:
            return None
        return _turned(next(one for one in inner if one is not type(None)), value, name)
    if origin is tuple:
        _check(isinstance(value, list) and (inner[-1] is Ellipsis or len(value) == len(inner)), value)
        each = [inner[0]] * len(value) if inner[-1] is Ellipsis else list(inner)
        pairs = enumerate(zip(each, value, strict=True))
        return tuple(_part(one, item, name, at) for at, (one, item) in pairs)
    if origin is dict:
        _check(isinstance(value, dict), value)
        return {str(key): _part(inner[1], item, name, key) for key, item in value.items()}
    if dataclasses.is_dataclass(kind):
        assert isinstance(kind, type)
        return built(kind, value)
    if kind is float:
        _check(isinstance(value, int | float) and not isinstance(value, bool), value)
        _check(value >= 0 or name not in NOT_BELOW_0, value)
        return float(value)
    _check(isinstance(value, kind) and (kind is bool or not isinstance(value, bool)), value)
    _check(kind is not int or value >= 0 or name in BELOW_0, value)
    return value


def _part(kind: Any, value: Any, name: str, key: Any) -> Any:
    """One of several values of a field."""
    with _within(str(key)):
        return _turned(kind, value, name)


def _check(is_right: bool, value: Any) -> None:
    if not is_right:
        raise FieldValueError(value)


def _duel(values: Values) -> DuelResult:
    spec = make_spec(
        values["a"], values["b"], rules=values["rules"], games=values["games"], boards=values["boards"],
        seed=values["seed"], first=values["first"],
        scores=values["scores"] if values["start"] == "given" else None, bags=values["bags"],
    )  # fmt: skip
    given: dict[str, Any] = {
        "tally": None,
        "spec": spec,
        "sides": {key: _side(values["sides"][key]) for key in "ab"},
        "elo": None if values["elo"] is None else _elo(values["elo"]),
        "decision": None if values["decision"] is None else _decision(values, spec),
        "confirmation": None if values.get("confirmation") is None else _duel(values["confirmation"]),
    }
    return typing.cast(DuelResult, built(DuelResult, values, **given))


def _side(values: Values) -> SideStats:
    estimates = {name: values["intervals"][name] for name in ESTIMATES}
    return typing.cast(SideStats, built(SideStats, {**values, **estimates}))


def _elo(values: Values) -> EloStats:
    pairs = [values["pairs"][name] for name in PAIR_KINDS]
    return typing.cast(EloStats, built(EloStats, {**values, "pairs": pairs}))


def _decision(values: Values, spec: DuelSpec) -> Decision:
    found = values["decision"]
    scale = GAMES_WON if values["boards"] is None else WIN_CHANCE
    if values["boards"] is not None and values["win_chance_per_board"] is None:
        scale = POINTS if spec.has_partners or spec.rules.n_sides == 2 else POINTS_A_HAND
    own = scale if found["unit"] == scale.name else _scale(found["unit"])
    return typing.cast(Decision, built(Decision, found, scale=own, value_scale=scale))


def _scale(unit: str) -> Scale:
    scale = scale_of(unit)
    if scale is None:
        raise ValueError(f"its unit '{unit}' is unknown")
    return scale


def _sweep(values: Values) -> SweepResult:
    axes, n_arms = _axes(values["arms"])
    whole = 1
    for axis in axes:
        whole *= len(axis.values)
    spec = SweepSpec(
        values["strategy"], axes, _others(values), sample=n_arms if n_arms < whole else None,
        rules=Rules.parse(values["rules"]), seed=values["seed"],
    )  # fmt: skip
    return typing.cast(SweepResult, built(SweepResult, values, scale=_scale(values["unit"]), spec=spec))


def _rules_sweep(values: Values) -> RulesSweepResult:
    axes, _ = _axes(values["arms"])
    spec = RulesSweepSpec(values["strategy"], axes, _others(values), seed=values["seed"])
    return typing.cast(RulesSweepResult, built(RulesSweepResult, values, spec=spec))


def _others(values: Values) -> tuple[str, ...]:
    """The references, none where a strategy is its own."""
    refs = tuple(map(str, values["vs"]))
    return () if refs == (values["strategy"],) else refs


def _axes(arms: Sequence[Values]) -> tuple[tuple[Axis, ...], int]:
    """What was varied, and how many different settings there are."""
    settings = [arm["settings"] for arm in arms if arm["settings"]]
    tried: dict[str, dict[str, None]] = {}
    for one in settings:
        for name, value in one.items():
            tried.setdefault(str(name), {})[str(value)] = None
    different = {tuple(one.items()) for one in settings}
    return tuple(Axis(name, _ordered(list(values))) for name, values in tried.items()), len(different)


def _ordered(values: list[str]) -> tuple[str, ...]:
    """Numbers by their size, words as they come."""
    try:
        return tuple(sorted(values, key=float))
    except ValueError:
        return tuple(values)


def _scaled(cls: type, **nothing: Any) -> Callable[[Values], Any]:
    return lambda values: built(cls, values, scale=_scale(values["unit"]), **nothing)


def _diff(values: Values) -> Any:
    from spadesim.analysis.readback_diff import read_diff  # which reads its parts as this module does

    return read_diff(values)


def _partners(values: Values) -> PartnersResult:
    found = built(PartnersResult, values, scale=_scale(values["unit"]))
    for number, pair in enumerate(found.pairs):
        for name in ("a", "b"):
            with _within("pairs"), _within(str(number)), _within(name):
                _check(getattr(pair, name) in found.bots, getattr(pair, name))
    return typing.cast(PartnersResult, found)


def _calibrate(values: Values) -> CalibrateResult:
    found = built(CalibrateResult, values, has_ladder=len(values["ladder"]) > 1)
    for number, rung in enumerate(found.ladder):
        with _within("ladder"), _within(str(number)), _within("value"):
            _check(_is_number(rung.value), rung.value)
    return typing.cast(CalibrateResult, found)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


_READERS: dict[str, Callable[[Values], Any]] = {
    "duel": _duel,
    "tournament": _scaled(TournamentResult, spec=None),
    "partners": _partners,
    "sweep": _sweep,
    "rules_sweep": _rules_sweep,
    "tune": _scaled(TuneResult, history=(), spec=None),
    "diff": _diff,
    "calibrate": _calibrate,
}
