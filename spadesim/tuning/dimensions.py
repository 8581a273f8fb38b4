"""What is tuned: parameters of a bot, each with the part of its range that is searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from spadesim.errors import UserError
from spadesim.strategy import Side
from spadesim.strategy.parameters import Parameter, number_text
from spadesim.tuning.settings import check_apart, settable

Key = tuple[tuple[str, str], ...]

DIGITS = 6  # of a number that is tried; more would make long texts of no worth


@dataclass(frozen=True)
class Dimension:
    """One parameter that is tuned.

    Parameters
    ----------
    name : str
    low, high : float
        The ends of what is searched, both included; of choices the numbers of the first and the last word.
    is_whole : bool
        Whether only whole numbers are tried.
    choices : tuple of str
        The words of a choice, () for a number.
    default : float
        The value that the strategy has as it is given; of a choice the number of its word.
    limits : tuple of 2 float
        The ends of what the bot allows.
    """

    name: str
    low: float
    high: float
    is_whole: bool
    choices: tuple[str, ...]
    default: float
    limits: tuple[float, float] = (0.0, 0.0)

    @property
    def size(self) -> int | None:
        """How many values there are; None for a number that need not be whole."""
        return round(self.high - self.low) + 1 if self.is_whole or self.choices else None

    @property
    def start(self) -> float:
        """The value of the strategy as it is given, or the nearest that is searched."""
        return min(max(self.default, self.low), self.high)

    def word(self, value: float) -> str:
        """The text of a value, as a spec has it.

        >>> Dimension("risk", 0, 1, False, (), 0.5).word(1 / 3)
        '0.333333'
        """
        if self.choices:
            return self.choices[round(value)]
        number = round(value) if self.is_whole else float(f"{value:.{DIGITS}g}")
        return number_text(min(max(number, self.low), self.high))

    def code(self, word: str) -> float:
        """The value that a text stands for; `word` takes it back."""
        return float(self.choices.index(word)) if self.choices else float(word)

    def known(self, word: str) -> str:
        """A text that stands for a value that is searched, as it was given.

        Raises
        ------
        ValueError
            It does not.
        """
        if not self.low <= self.code(word) <= self.high:
            raise ValueError(word)
        return word

    def is_at_edge(self, word: str) -> str:
        """Which end of what is searched a value is at.

        "low" or "high"; "lowest" or "highest" where the bot allows nothing beyond; "" for neither and for
        choices.
        """
        if self.choices:
            return ""
        reach = 0.0 if self.is_whole else 0.01 * (self.high - self.low)
        value = self.code(word)
        if value <= self.low + reach:
            return "lowest" if self.low <= self.limits[0] else "low"
        if value >= self.high - reach:
            return "highest" if self.high >= self.limits[1] else "high"
        return ""

    def __str__(self) -> str:
        if self.choices:
            return self.name
        return f"{self.name}={number_text(self.low)}:{number_text(self.high)}"


def read_dimensions(texts: Sequence[str], side: Side) -> tuple[Dimension, ...]:
    """The parameters that texts such as ``king``, ``king=0:4`` or ``lower.king`` name.

    Parameters
    ----------
    texts : sequence of str
        Names as `spadesim.tuning.settings` has them, each with a part of its range where wanted.
    side : Side
        Whose parameters these are.

    Raises
    ------
    UserError
        No parameter at all, one that the side has not, one twice, or a range that is none.
    """
    if not texts:
        known = side.lower.parameters.names
        if not known:
            raise UserError(f"{side.lower.name} has no parameters: there is nothing to tune.")
        raise UserError(
            f"Nothing to tune: name a parameter or more, such as --param {known[0]}. "
            f"Parameters of {side.lower.name}: {', '.join(known)}."
        )
    found = [_read(text.strip(), side) for text in texts]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"The parameter '{name}' is given twice.")
    check_apart(str(side), names)
    return tuple(found)


def _read(text: str, side: Side) -> Dimension:
    name, equals, rest = text.partition("=")
    places = settable(str(side), name)
    seat, (own, parameter) = next(iter(places.items()))
    bot = (side.lower, side.higher)[seat]
    if own not in bot.parameters:
        raise UserError(f"'{name}' is a weakness laid around a bot; what is tuned is a parameter of its own.")
    default = float(bot.values[bot.parameters.names.index(own)])
    if parameter.choices:
        if equals:
            raise UserError(
                f"'{text}': {name} is a choice, {parameter.allowed()}; all of it is tried: --param {name}."
            )
        return Dimension(name, 0.0, len(parameter.choices) - 1.0, True, parameter.choices, default)
    assert parameter.low is not None
    assert parameter.high is not None
    low, high = _range(text, rest, parameter) if equals else (parameter.low, parameter.high)
    if low >= high:
        raise UserError(f"'{text}': the lower end of a range must be below its upper end.")
    limits = float(parameter.low), float(parameter.high)
    return Dimension(name, float(low), float(high), parameter.is_whole, (), default, limits)


def _range(text: str, rest: str, parameter: Parameter) -> tuple[float, float]:
    ends = rest.split(":")
    if len(ends) != 2 or not all(ends):
        raise UserError(
            f"'{text}': a range is LOW:HIGH, such as {parameter.name}="
            f"{number_text(parameter.low or 0)}:{number_text(parameter.high or 0)}."
        )
    return parameter.code(ends[0]), parameter.code(ends[1])


def settings_of(dimensions: Sequence[Dimension], values: Sequence[float]) -> dict[str, str]:
    """Values, one for each dimension, as the settings of a bot."""
    return {one.name: one.word(value) for one, value in zip(dimensions, values, strict=True)}


def start_of(dimensions: Sequence[Dimension]) -> dict[str, str]:
    """The settings of the strategy as it is given, as far as they lie in what is searched."""
    return settings_of(dimensions, [one.start for one in dimensions])


def combinations(dimensions: Sequence[Dimension]) -> int | None:
    """How many different settings there are; None where a number need not be whole."""
    count = 1
    for one in dimensions:
        if one.size is None:
            return None
        count *= one.size
    return count


def key_of(settings: Mapping[str, str]) -> Key:
    """Settings as something that a table can be looked up by."""
    return tuple(sorted(settings.items()))
