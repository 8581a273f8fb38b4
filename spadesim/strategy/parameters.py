"""The numbers of a strategy: named, described, with a range, and at hand for compiled code.

A strategy file declares its table once, at the top, and reads its numbers by position:

>>> PARAMETERS = parameters(
...     Parameter("king", 3, low=0, high=8, used_by="bid", meaning="quarter tricks for a guarded king"),
...     Parameter("zero", "one", choices=("one", "nil"), used_by="bid", meaning="what a count of 0 bids"),
... )
>>> P = PARAMETERS.index
>>> P.KING, P.ZERO
(0, 1)
>>> PARAMETERS.values({"king": 4, "zero": "nil"})
array([4., 1.])
"""

import keyword
import math
import re
from collections import namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.errors import UserError, suggest

Setting = int | float | str
USED_BY = ("bid", "play", "both", "keep", "blind", "exchange")
BIDDER = "bidder"  # the setting that every bot has: which other bot bids in its place


@dataclass(frozen=True)
class Parameter:
    """One number or choice of a strategy.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and underscores.
    default : int, float or str
        Its value unless a spec says otherwise. Where default, low and high are whole, so is every value.
    low, high : int or float
        The range of a number, both ends included.
    choices : tuple of str
        Every allowed word, instead of a range. Compiled code sees the position of the word, 0 for the first.
    used_by : {"bid", "play", "both", "keep", "blind", "exchange"}
        Which function reads it; "both" are bid and play. What is declared for "bid" reaches no other one.
    meaning : str
        What it changes, with its unit.

    Raises
    ------
    UserError
        A declaration that says nothing or contradicts itself.
    """

    name: str
    default: Setting
    _: KW_ONLY
    low: int | float | None = None
    high: int | float | None = None
    choices: tuple[str, ...] = ()
    used_by: str = "both"
    meaning: str = ""

    def __post_init__(self) -> None:
        """Refuse a declaration that nothing could be read from."""
        object.__setattr__(self, "choices", tuple(self.choices))
        if problem := self._problem():
            raise UserError(f"Parameter '{self.name}': {problem}")
        self.code(self.default)

    def _problem(self) -> str:
        if not re.fullmatch("[a-z][a-z0-9_]*", str(self.name)) or keyword.iskeyword(self.name):
            return "a name is made of lower-case letters, digits and underscores, and is no Python keyword."
        if self.name == BIDDER:
            return "every bot has this setting already: it names the bot that bids in its place."
        if self.used_by not in USED_BY:
            return f"used_by must be one of {', '.join(USED_BY)}, not '{self.used_by}'."
        if self.choices:
            return self._problem_of_choices()
        if self.low is None or self.high is None:
            return "give a range, low= and high=, or choices=."
        if not (_is_number(self.low) and _is_number(self.high) and self.low <= self.high):
            return f"low={self.low} and high={self.high} must be numbers, low not above high."
        return ""

    def _problem_of_choices(self) -> str:
        if self.low is not None or self.high is not None:
            return "a choice has no low and high."
        words = all(re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", str(word)) for word in self.choices)
        if not words or len(set(self.choices)) < len(self.choices):
            return "choices must be different words of letters, digits and underscores."
        return ""

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return all(isinstance(number, int) for number in (self.default, self.low, self.high))

    def allowed(self) -> str:
        """The allowed values in words, for messages and pages."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        return f"a {'whole ' if self.is_whole else ''}number from {self.low} to {self.high}"

    def code(self, value: object) -> float:
        """The number by which compiled code knows `value`.

        Parameters
        ----------
        value : int, float or str
            A number, a choice, or either as a spec's text has it.

        Raises
        ------
        UserError
            A value of the wrong kind or out of range.
        """
        if self.choices:
            if value in self.choices:
                return float(self.choices.index(str(value)))
        else:
            number = _number(value)
            if number is not None and self._fits(number):
                return float(number)
        hint = suggest(str(value), self.choices)
        raise UserError(f"Parameter '{self.name}' must be {self.allowed()}, not '{value}'.{hint}")

    def _fits(self, number: float) -> bool:
        assert self.low is not None
        assert self.high is not None
        return self.low <= number <= self.high and (not self.is_whole or number == int(number))

    def word(self, code: float) -> str:
        """The text of a value that compiled code knows as `code`; `code` takes it back.

        >>> Parameter("risk", 0.5, low=0, high=1).word(0.25)
        '0.25'
        """
        return self.choices[int(code)] if self.choices else number_text(code)


class Parameters:
    """The table of a strategy's parameters, in the order declared; `parameters` makes one.

    Iterating gives each `Parameter`; ``table["king"]`` looks one up by name.
    """

    def __init__(self, *entries: Parameter) -> None:
        for entry in entries:
            if not isinstance(entry, Parameter):
                raise UserError(f"parameters(...) takes Parameter(...) entries, not {type(entry).__name__}.")
        self._by_name = {entry.name: entry for entry in entries}
        if len(self._by_name) < len(entries):
            names = [entry.name for entry in entries]
            double = next(name for name in names if names.count(name) > 1)
            raise UserError(f"Parameter '{double}' is declared twice.")
        # A tuple of plain ints is what numba takes from a module's globals, by name, at no cost.
        index: Any = namedtuple("Index", [name.upper() for name in self._by_name])  # type: ignore[misc]
        self._index = index(*range(len(entries)))

    def __iter__(self) -> Iterator[Parameter]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Parameter:
        if name not in self._by_name:
            known = f" Its parameters: {', '.join(self.names)}." if self._by_name else " It has none."
            raise UserError(f"There is no parameter '{name}'.{suggest(name, self.names)}{known}")
        return self._by_name[name]

    @property
    def names(self) -> list[str]:
        """The names, in the order declared."""
        return list(self._by_name)

    @property
    def index(self) -> Any:
        """The place of each parameter in `p` by upper-case name: ``P = PARAMETERS.index``, ``p[P.KING]``."""
        return self._index

    @property
    def defaults(self) -> npt.NDArray[np.float64]:
        """The defaults as compiled code takes them, a new float64 array."""
        return np.array([entry.code(entry.default) for entry in self], dtype=np.float64)

    def values(self, settings: Mapping[str, object]) -> npt.NDArray[np.float64]:
        """The defaults with some values changed, a new float64 array.

        Parameters
        ----------
        settings : mapping of str to int, float or str
            Name to value; numbers may be given as text.

        Raises
        ------
        UserError
            An unknown name; a value of the wrong kind or out of range.
        """
        values = self.defaults
        for name, value in settings.items():
            entry = self[name]
            values[getattr(self._index, name.upper())] = entry.code(value)
        return values

    def rows(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """What the functions get as `p`: a row for `bid`, and one for all others.

        In the second one, parameters that are declared for `bid` alone stand at their defaults, so that two
        variants which differ in these alone play alike once they have bid alike, whatever their code says.

        Parameters
        ----------
        values : float64 array of shape (parameters,)

        Returns
        -------
        float64 array of shape (2, parameters), a new one
        """
        of_bid = np.array([entry.used_by == "bid" for entry in self], dtype=bool)
        return np.stack([values, np.where(of_bid, self.defaults, values)])

    def changes(self, values: npt.NDArray[np.float64]) -> dict[str, str]:
        """What `values` has different from the defaults, as text by name; `values` takes it back."""
        return {
            entry.name: entry.word(value)
            for entry, value, default in zip(self, values.tolist(), self.defaults.tolist(), strict=True)
            if value != default
        }


def parameters(*entries: Parameter) -> Parameters:
    """The table `PARAMETERS` of a strategy file."""
    return Parameters(*entries)


def number_text(number: int | float) -> str:
    """The shortest text that reads back as `number`, without a plus sign in the exponent.

    >>> number_text(3.0), number_text(0.7), number_text(1e22)
    ('3', '0.7', '1e22')
    """
    if float(number).is_integer() and abs(number) < 1e15:
        return str(int(number))
    return repr(float(number)).replace("e+", "e")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _number(value: object) -> float | None:
    """`value` as a number, None when it is none (true and false are none)."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    return float(value) if isinstance(value, int | float) and _is_number(value) else None
