"""When a duel may end before its budget is spent: what was asked for, in which unit, and how to ask again."""

import dataclasses
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spadesim.errors import UserError, suggest
from spadesim.match.scale import Scale

PRESETS = ("gain", "nonregression")
DEFAULT_BUDGET = 200_000  # boards, where no length is given
DEFAULT_ERROR = 0.05
MOST_ERROR = 0.5
LEAST_ERROR = 1e-9  # a smaller one is no chance that anybody has seen
MOST, LEAST = 1e6, 1e-6  # what a difference may be, in the unit that it is written in
MOST_ELO = 1200.0  # 999 of 1,000 games won, beyond which `spadesim.stats.elo.elo` tells nothing apart
_OPTIONS = {"sprt": "--sprt", "width": "--until-width", "equivalent": "--equivalent"}
RULES = tuple(_OPTIONS)
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%|[a-z]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Stop:
    """A rule that ends a duel early.

    Parameters
    ----------
    kind : str
        "sprt": a sequential test of two values against each other; "width": until the interval is no wider;
        "equivalent": until the difference is known to be smaller, or not to be.
    text : str
        What was asked for: ``gain``, ``nonregression`` or ``LO,HI`` for a test, else one number. A unit may
        stand behind it.
    alpha, beta : float, above 0 and below 0.5
        A test's chance to accept the higher value although the lower one is true, and the other way round;
        of equivalence to find it wrongly, and to miss it.

    Raises
    ------
    UserError
        It is none of these.

    Examples
    --------
    >>> from spadesim.match.scale import NORMALISED_ELO, WIN_CHANCE
    >>> Stop("sprt", "0, 0.1%").numbers(WIN_CHANCE)
    (0.0, 0.001)
    >>> Stop("sprt", "nonregression").numbers(NORMALISED_ELO)
    (-5.0, 0.0)
    """

    kind: str
    text: str
    alpha: float = DEFAULT_ERROR
    beta: float = DEFAULT_ERROR

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        for name, error in (("alpha", self.alpha), ("beta", self.beta)):
            _check_error(name, error)
        if not self._is_preset():
            self._read()

    def options(self) -> list[str]:
        """The options of the command line that ask for it."""
        text = self.text.replace(" ", "")
        words = [f"{_OPTIONS[self.kind]}={text}"] if text.startswith("-") else [_OPTIONS[self.kind], text]
        for name, error in (("--alpha", self.alpha), ("--beta", self.beta)):
            words += [name, f"{error:g}"] if error != DEFAULT_ERROR else []
        return words

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, under the key of `from_dict`."""
        return {"rule": dataclasses.asdict(self)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any] | None) -> "Stop | None":
        """The rule out of such values; None where they speak of none.

        >>> stop = Stop("sprt", "gain", beta=0.1)
        >>> Stop.from_dict(stop.to_dict()) == stop
        True
        """
        return cls(**values["rule"]) if values and "rule" in values else None

    @property
    def suffix(self) -> str:
        """The unit that stands behind its numbers, "" for none."""
        return "" if self._is_preset() else self._read()[1]

    def numbers(self, scale: Scale) -> tuple[float, float]:
        """The two values that are told apart, in the unit of a scale.

        For a width they are 0 and the width, for equivalence the margin to both sides.
        """
        if self._is_preset():
            step = scale.preset * scale.written
            return (0.0, step) if self.text == "gain" else (-step, 0.0)
        numbers = [number * scale.written for number in self._read()[0]]
        if self.kind == "sprt":
            return numbers[0], numbers[1]
        return (0.0 if self.kind == "width" else -numbers[0]), numbers[0]

    def _is_preset(self) -> bool:
        return self.kind == "sprt" and self.text in PRESETS

    def _read(self) -> tuple[list[float], str]:
        """Its numbers as written, and their unit."""
        if self.kind != "sprt":
            number, suffix = read_number(self.text, _OPTIONS[self.kind])
            return [number], suffix
        parts = self.text.split(",")
        found = [part for part in map(_number, parts) if part is not None]
        suffixes = {suffix for _, suffix in found if suffix}
        if not len(parts) == len(found) == 2 or len(suffixes) > 1:
            near = suggest(self.text, PRESETS)
            raise UserError(
                f"'{self.text}' is no test: gain, nonregression, or two numbers such as 0,0.1.{near}"
            )
        low, high = (number for number, _ in found)
        _check_size(self.text, max(abs(low), abs(high)), high - low)
        if low == high:
            raise UserError(
                f"Of {self.text} the second must be the greater one; both are {parts[0].strip()}."
            )
        if low > high:
            raise UserError(
                f"Of {self.text} the first must be the smaller one: {parts[1].strip()},{parts[0].strip()}."
            )
        return [low, high], suffixes.pop() if suffixes else ""


def read_number(text: str, option: str) -> tuple[float, str]:
    """A number above 0 and the unit behind it, "" for none.

    Parameters
    ----------
    text : str
    option : str
        What it was given for, such as ``--margin``.

    Raises
    ------
    UserError
        It is none.

    Examples
    --------
    >>> read_number("2 nelo", "--margin")
    (2.0, 'nelo')
    """
    found = _number(text)
    if found is None:
        raise UserError(f"'{text}' is no number for {option}; 0.5 would be one.")
    if found[0] <= 0:
        raise UserError(f"{option[2:]} must be above 0, not {text}.")
    _check_size(text, found[0], found[0])
    return found


def _number(text: str) -> tuple[float, str] | None:
    """A number and its unit in small letters; None where there is none, or an endless one."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None or not math.isfinite(float(match[1])):
        return None
    return float(match[1]), match[2].lower()


def _check_error(name: str, error: object) -> None:
    if not isinstance(error, int | float) or not LEAST_ERROR <= error < MOST_ERROR:
        raise UserError(f"{name} must be above 0 and below 0.5, such as 0.05, not {error}.")


def _check_size(text: str, most: float, gap: float) -> None:
    if most > MOST or 0 < gap < LEAST:
        raise UserError(
            f"{text} is out of reach: numbers must stay within {MOST:,.0f}, and be no less than {LEAST:g} "
            "apart, or above 0."
        )


def choose(
    sprt: str | None = None,
    until_width: str | float | None = None,
    equivalent: str | float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
) -> Stop | None:
    """The rule that was asked for, None for no rule.

    Raises
    ------
    UserError
        Rules that exclude each other, or errors without a rule that has them.
    """
    asked = {"sprt": sprt, "width": until_width, "equivalent": equivalent}
    given = {kind: str(value).strip() for kind, value in asked.items() if value is not None}
    names = [_OPTIONS[kind] for kind in given]
    if len(given) > 1:
        raise UserError(f"{' and '.join(names)} exclude each other: give one of them.")
    if (alpha is not None or beta is not None) and not set(given) & {"sprt", "equivalent"}:
        raise UserError("alpha and beta are the errors of --sprt or --equivalent: give one of these.")
    if not given:
        return None
    ((kind, text),) = given.items()
    errors = (DEFAULT_ERROR if error is None else error for error in (alpha, beta))
    return Stop(kind, text, *errors)


def scale_for(default: Scale, others: tuple[Scale, ...], suffix: str) -> Scale:
    """The scale that the unit behind a number names; the first where there is none.

    Raises
    ------
    UserError
        Nothing here is measured in it.
    """
    scales = (default, *others)
    for scale in scales:
        if suffix in ("", scale.suffix):
            return scale
    known = ", ".join(scale.suffix for scale in scales)
    raise UserError(f"'{suffix}' is no unit of what is played here; {known} would be.")
