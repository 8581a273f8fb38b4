"""Settings to be tried: axes of values, and sides or rules with some of them set.

A name is a parameter of a bot or a wrapper around it (``blunder``); ``lower.king`` and ``higher.king`` set it
on one bot of a side of two, ``king`` on every bot of the side that has it. ``rules.bag_penalty`` is an option
of the rules.

>>> read_axis("king=0:1:0.25")
Axis(name='king', values=('0', '0.25', '0.5', '0.75', '1'))
>>> with_settings("hard", {"rounding": "2"})
'hard:rounding=2'
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from spadesim.core.rules import Rules
from spadesim.errors import UserError, suggest
from spadesim.strategy import BotSpec, Parameter, Parameters, Side, SideSpec, load_side, parse
from spadesim.strategy.wrappers import WRAPPERS

if TYPE_CHECKING:
    import pandas as pd

RULES = "rules."
SEATS = ("lower", "higher")
MOST_VALUES = 1_000_000  # of an axis
FARTHEST = Decimal("1e15")  # from 0, of the ends of a range: beyond, numbers are no longer told apart

Settings = dict[str, str]


@dataclass(frozen=True)
class Axis:
    """A setting and the values of it that are tried, as text, in the order given."""

    name: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name}={','.join(self.values)}"

    @property
    def numbers(self) -> tuple[float, ...] | None:
        """Its values as numbers, whole ones where all of them are written so; None where one is a word.

        >>> [Axis("some", values).numbers for values in (("2", "3"), ("0", "0.5"), ("nil", "1"))]
        [(2, 3), (0.0, 0.5), None]
        """
        for kind in (int, float):
            try:
                return tuple(kind(value) for value in self.values)
            except ValueError:
                continue
        return None

    def column(self, values: Iterable[str | None]) -> "pd.Series[Any]":
        """Some of its values as a column of a table: of numbers where all of them are numbers."""
        import pandas as pd

        found = list(values)
        if self.numbers is None:
            return pd.Series(found, dtype=object)
        by_text = dict(zip(self.values, self.numbers, strict=True))
        whole = "Int64" if None in found else "int64"
        kind = whole if all(isinstance(number, int) for number in self.numbers) else "float64"
        return pd.Series([None if value is None else by_text[value] for value in found], dtype=kind)


def read_axis(text: str) -> Axis:
    """The axis that ``NAME=LOW:HIGH:STEP`` or ``NAME=VALUE,VALUE`` names, both ends of a range included.

    Examples
    --------
    >>> read_axis("zero=one,nil").values, read_axis("king=-1:1:1").values
    (('one', 'nil'), ('-1', '0', '1'))

    Raises
    ------
    UserError
        There is no name or no value, or a range is none.
    """
    name, mark, rest = (part.strip() for part in text.partition("="))
    if not mark or not name:
        raise UserError(f"'{text}' must be NAME=LOW:HIGH:STEP or NAME=VALUE,VALUE, such as king=2:6:1.")
    if ":" in rest:
        return Axis(name, tuple(_range(text, rest)))
    values = tuple(value.strip() for value in rest.split(",") if value.strip())
    if not values:
        raise UserError(f"'{text}' gives no values to try.")
    for value in values:
        if values.count(value) > 1:
            raise UserError(f"'{text}' gives the value {value} twice.")
    return Axis(name, values)


def _range(text: str, rest: str) -> Iterator[str]:
    """The values of a range, worked out in decimal numbers, so that a step of 0.1 leads to 0.3 exactly."""
    try:
        low, high, step = (Decimal(part.strip()) for part in rest.split(":"))
        is_range = all(-FARTHEST <= number <= FARTHEST for number in (low, high, step))
    except (InvalidOperation, ValueError):
        is_range = False
    if not is_range:
        raise UserError(f"'{text}': a range is LOW:HIGH:STEP, three numbers such as 0:1:0.1.")
    if step <= 0 or high < low:
        raise UserError(f"'{text}' is empty: HIGH must not be below LOW, and STEP must be above 0.")
    if high - low >= step * MOST_VALUES:  # counting them may be beyond any number
        raise UserError(f"'{text}' has more values than {MOST_VALUES:,}, which are the most.")
    return (_text(low + step * k) for k in range(int((high - low) / step) + 1))


def _text(number: Decimal) -> str:
    """A decimal number without needless zeros.

    >>> _text(Decimal("0.50")), _text(Decimal("-0")), _text(Decimal("100"))
    ('0.5', '0', '100')
    """
    text = f"{number.normalize():f}"
    return "0" if text == "-0" else text


def of_rules(axis: Axis) -> bool:
    """Whether an axis sets an option of the rules."""
    return axis.name.startswith(RULES)


def check_axes(axes: Sequence[Axis]) -> None:
    """Refuse no axis at all, and one setting on two of them.

    Raises
    ------
    UserError
        There is nothing to vary, or something is given twice.
    """
    if not axes:
        raise UserError("There is nothing to vary: give a setting and its values, such as king=2:6:1.")
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"'{name}' is given twice; write all its values into one.")


def grid(axes: Sequence[Axis]) -> Iterator[Settings]:
    """Every combination of values, the last axis changing fastest.

    >>> list(grid([Axis("a", ("1", "2")), Axis("b", ("x",))]))
    [{'a': '1', 'b': 'x'}, {'a': '2', 'b': 'x'}]
    """
    names = [axis.name for axis in axes]
    for values in itertools.product(*(axis.values for axis in axes)):
        yield dict(zip(names, values, strict=True))


def sampled(axes: Sequence[Axis], n: int, seed: int) -> list[Settings]:
    """So many different combinations of values spread evenly, by a scrambled Sobol sequence.

    Parameters
    ----------
    axes : sequence of Axis
    n : int, at least 1
        All combinations come back where there are no more than these.
    seed : int
    """
    size = 1
    for axis in axes:
        size *= len(axis.values)
    if n >= size:
        return list(grid(axes))
    from scipy.stats import qmc

    sobol = qmc.Sobol(len(axes), seed=seed)
    found: dict[tuple[str, ...], None] = {}
    while len(found) < n:
        for point in sobol.random_base2(max(4, (n - 1).bit_length())) if not found else sobol.random(n):
            values = tuple(
                axis.values[min(int(at * len(axis.values)), len(axis.values) - 1)]
                for at, axis in zip(point, axes, strict=True)
            )
            found.setdefault(values)
            if len(found) == n:
                break
    names = [axis.name for axis in axes]
    return [dict(zip(names, values, strict=True)) for values in found]


def with_settings(side: str, settings: Mapping[str, str]) -> str:
    """The text of a side with some settings changed.

    Parameters
    ----------
    side : str
        As the spec grammar has it.
    settings : mapping of str to str
        Parameters and wrappers by name; see this module.

    Raises
    ------
    UserError
        A side that cannot be loaded, a name that none of its bots has, or a value out of range.

    Examples
    --------
    >>> with_settings("medium+hard", {"lower.ace": "3", "rounding": "2"})
    'medium:ace=3,rounding=2+hard:rounding=2'
    """
    spec = parse(side)
    bots = [spec.lower, spec.higher]
    for name, value in settings.items():
        places = settable(side, name)
        bots = [
            _changed(bot, places[seat][0], value) if seat in places else bot for seat, bot in enumerate(bots)
        ]
    return str(SideSpec(*bots))


def settable(side: str, name: str) -> dict[int, tuple[str, Parameter]]:
    """The bots of a side that have a setting: by seat, 0 the lower one, its own name and what it allows.

    Raises
    ------
    UserError
        None has it.
    """
    tables = _tables(side)
    seat, mark, plain = name.partition(".")
    wanted = [SEATS.index(seat)] if mark and seat in SEATS else [0, 1]
    own = plain if mark and seat in SEATS else name
    found = {number: (own, _entry(tables[number], own)) for number in wanted if _has(tables[number], own)}
    if not found:
        known = list(dict.fromkeys(each for number in wanted for each in tables[number].names))
        listed = f"Its parameters: {', '.join(known)}." if known else "It has no parameters."
        raise UserError(
            f"'{side}' has no setting '{name}'.{suggest(own, [*known, *WRAPPERS])} {listed} "
            f"Weaknesses of every bot: {', '.join(WRAPPERS)}."
        )
    return found


def check_settings(side: str, axes: Sequence[Axis]) -> None:
    """Refuse settings that a side has not, values out of their range, and two names for one setting.

    Raises
    ------
    UserError
        Which one, and why.
    """
    check_apart(side, [axis.name for axis in axes])
    for axis in axes:
        for _, entry in settable(side, axis.name).values():
            for value in axis.values:
                entry.code(value)


def check_different(refs: Sequence[Side]) -> None:
    """Refuse a reference that is given twice, however it is written: it would count double.

    Raises
    ------
    UserError
        Which one.
    """
    texts = [str(ref) for ref in refs]
    for number, text in enumerate(texts):
        if text in texts[:number]:
            raise UserError(f"'{text}' is given twice as a reference.")


def check_apart(side: str, names: Sequence[str]) -> None:
    """Refuse two names that set the same on the same bot, where one would silently undo the other.

    >>> check_apart("medium+hard", ["lower.rounding", "higher.rounding"])
    >>> check_apart("medium+hard", ["ace", "lower.ace"])
    Traceback (most recent call last):
    spadesim.errors.UserError: 'ace' and 'lower.ace' both set the lower bot's ace: give one of them, or \
lower.ace and higher.ace.
    """
    taken: dict[tuple[int, str], str] = {}
    for name in names:
        for seat, (own, _) in settable(side, name).items():
            other = taken.setdefault((seat, own), name)
            if other != name:
                raise UserError(
                    f"'{other}' and '{name}' both set the {SEATS[seat]} bot's {own}: give one of them, or "
                    f"{' and '.join(f'{each}.{own}' for each in SEATS)}."
                )


@lru_cache(maxsize=64)
def _tables(side: str) -> tuple[Parameters, Parameters]:
    loaded = load_side(side)
    return loaded.lower.parameters, loaded.higher.parameters


def _has(table: Parameters, name: str) -> bool:
    return name in table or name in WRAPPERS


def _entry(table: Parameters, name: str) -> Parameter:
    return table[name] if name in table else WRAPPERS[name]


def _changed(bot: BotSpec, name: str, value: str) -> BotSpec:
    """A bot with one setting changed; a parameter of its own comes before a wrapper of that name."""
    table = _tables(str(bot))[0]
    entry = _entry(table, name)
    text = entry.word(entry.code(value))
    if name in table:
        settings = {**dict(bot.settings), name: text}
        if not bot.settings_file and entry.code(value) == entry.code(entry.default):
            del settings[name]
        return replace(bot, settings=tuple(sorted(settings.items())))
    given = dict(bot.wrappers)
    wrappers = {each: text if each == name else given[each] for each in WRAPPERS if each in {*given, name}}
    if entry.code(value) == 0:
        del wrappers[name]  # it changes nothing
    return replace(bot, wrappers=tuple(wrappers.items()))


def with_rules(rules: Rules, settings: Mapping[str, str]) -> Rules:
    """Rules with some options changed, named with or without ``rules.`` before them.

    Raises
    ------
    UserError
        An unknown option or value, or rules that no table could play.

    Examples
    --------
    >>> str(with_rules(Rules(), {"rules.bag_penalty": "50"}))
    'pata:bag_penalty=50'
    """
    if not settings:
        return rules
    preset, _, changes = str(rules).partition(":")
    options = dict(change.split("=", 1) for change in changes.split(",") if change)
    options |= {name.removeprefix(RULES): value for name, value in settings.items()}
    return Rules.parse(f"{preset}:{','.join(f'{name}={value}' for name, value in options.items())}")
