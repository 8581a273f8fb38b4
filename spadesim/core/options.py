"""What one option of the rules may be: its kind, range and meaning, its words and its integer."""

import re
from dataclasses import dataclass, field
from typing import Any

from spadesim.errors import UserError, suggest

NONE_CODE = -(10**9)
LARGEST = 10**18  # of the numbers that are read
HUGE = re.compile("[+-]?[0-9]{19,}")


@dataclass(frozen=True)
class Option:
    """What one option may be, and what it means.

    Parameters
    ----------
    default : int, bool, str or None
        Its value under the default rules; its type is the type of every value.
    meaning : str
        What it changes at the table, with the unit of a number.
    source : str
        Public rules that play it so.
    choices : tuple of int or str
        Every allowed value; empty for a yes/no option and for a range.
    low, high : int
        The range of a number without `choices`, both ends included.
    or_none : bool
        Whether `none` (off) is allowed beside the numbers.
    later : tuple of str
        Values that other rules have and that are not supported yet.
    """

    default: int | bool | str | None
    meaning: str
    source: str
    choices: tuple[int, ...] | tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    or_none: bool = False
    later: tuple[str, ...] = ()

    @property
    def is_flag(self) -> bool:
        """Whether the option is a yes/no one."""
        return isinstance(self.default, bool)

    @property
    def is_word(self) -> bool:
        """Whether the option's values are words."""
        return isinstance(self.default, str)

    def allowed(self) -> str:
        """Return the allowed values in words, for messages and pages."""
        if self.is_flag:
            return "true or false"
        if self.choices:
            return "one of " + ", ".join(map(str, self.choices))
        none = ", or none" if self.or_none else ""
        return f"a whole number from {self.low} to {self.high}{none}"

    def accepts(self, value: object) -> bool:
        """Whether `value` has exactly the right type and lies among the allowed values."""
        if value is None:
            return self.or_none
        if self.is_flag or isinstance(value, bool):
            return self.is_flag and isinstance(value, bool)
        if self.choices:
            return isinstance(value, str if self.is_word else int) and value in self.choices
        return isinstance(value, int) and self.low <= value <= self.high

    def check(self, name: str, value: object) -> None:
        """Raise a `UserError` that says what `name` may be when `value` is not allowed."""
        if self.accepts(value):
            return
        if value in self.later:
            raise UserError(
                f"{name}={value} is known but not supported yet: the rule option '{name}' must be "
                f"{self.allowed()}."
            )
        shown, hint = to_word(value), ""
        if isinstance(value, int) and abs(value) > LARGEST:
            shown = "a number of more than 18 digits"
        elif isinstance(value, str) and self.is_word:
            shown, hint = f"'{value}'", suggest(value, map(str, self.choices))
        elif isinstance(value, str) and HUGE.fullmatch(value):
            shown = "a number of more than 18 digits"
        elif isinstance(value, str):
            shown = f"the text '{value}'"
        raise UserError(f"The rule option '{name}' must be {self.allowed()}, not {shown}.{hint}")

    def from_word(self, word: str) -> object:
        """Return the value that a word of the text form stands for; the word itself when it stands for none.

        >>> target = Option(500, "score that ends the game", "Pagat", low=1, high=1000)
        >>> target.from_word("300"), target.from_word("many")
        (300, 'many')
        """
        if self.is_flag:
            return {"true": True, "false": False}.get(word, word)
        if not self.is_word and re.fullmatch("[+-]?[0-9]{1,18}", word):
            return int(word)
        return None if self.or_none and word == "none" else word

    def code(self, value: int | bool | str | None) -> int:
        """Return the integer that compiled code knows `value` by: a word's position, `NONE_CODE` for none."""
        if value is None:
            return NONE_CODE
        return self.choices.index(value) if isinstance(value, str) else int(value)


def rule_option(default: int | bool | str | None, meaning: str, source: str, **limits: Any) -> Any:
    """Return a dataclass field whose metadata hold the `Option` made of these arguments."""
    return field(default=default, metadata={"option": Option(default, meaning, source, **limits)})


def to_word(value: object) -> str:
    """Return `value` as the text form has it.

    >>> to_word(True), to_word(None), to_word(-200), to_word("carry")
    ('true', 'none', '-200', 'carry')
    """
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
