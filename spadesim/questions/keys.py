"""The keys of a question's file: what each must be, and what it is when left out."""

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from spadesim.core.rules import DEFAULT_PRESET
from spadesim.errors import UserError, suggest
from spadesim.match.spec import DEFAULT_SEED
from spadesim.reading import share, whole_number

NEEDED = object()  # stands for the default of a key that a file must have

Values = dict[str, Any]


class Key(NamedTuple):
    """A key of a file.

    Parameters
    ----------
    kinds : tuple of type
        What TOML values it takes; a list is one of texts, and not empty.
    called : str
        That in words, for messages.
    default : object
        `NEEDED` where the file must have it.
    read : function of str, optional
        Makes of a text what an option of that name would make of it; ValueError for no such text.
    """

    kinds: tuple[type, ...]
    called: str
    default: Any = None
    read: Callable[[str], Any] | None = None


TEXT = Key((str,), "a text")
WHOLE = Key((int, str), "a whole number", read=whole_number)
SHARE = Key((int, float, str), 'a number or a percentage, such as 0.65 or "65%"', read=share)
NUMBER_OR_TEXT = Key((int, float, str), "a number or a text")
YES_OR_NO = Key((bool,), "true or false")
TEXTS = Key((list,), "a list of texts")

COMMON: Mapping[str, Key] = {
    "title": TEXT._replace(default=NEEDED),
    "question": TEXT._replace(default=NEEDED),
    "kind": TEXT._replace(default=NEEDED),
    "expected": TEXT._replace(default=""),
    "seconds": WHOLE,  # what it takes on two cores
    "rules": TEXTS._replace(default=[DEFAULT_PRESET]),
    "seed": WHOLE._replace(default=DEFAULT_SEED),
}


def needed(key: Key) -> Key:
    """The same key, for a file that must have it."""
    return key._replace(default=NEEDED)


def checked(table: Mapping[str, Any], keys: Mapping[str, Key]) -> Values:
    """Every key with a value of its type, defaults filled in.

    Raises
    ------
    UserError
        An unknown key, a missing one, or a value of another type.
    """
    for given in table:
        if given not in keys:
            raise UserError(f"there is no key '{given}'.{suggest(given, keys)} Keys: {', '.join(keys)}.")
    values: Values = {}
    for name, key in keys.items():
        if name not in table and key.default is NEEDED:
            raise UserError(f"the key '{name}' is missing: it must be {key.called}.")
        values[name] = _value(name, key, table[name]) if name in table else key.default
    return values


def _value(name: str, key: Key, given: Any) -> Any:
    """What a file says under a key."""
    with contextlib.suppress(ValueError):
        if _is_a(key.kinds, given):
            return key.read(given) if key.read is not None and isinstance(given, str) else given
    raise UserError(f"{name} must be {key.called}, not {given!r}.")


def _is_a(kinds: tuple[type, ...], value: object) -> bool:
    if isinstance(value, list):
        return list in kinds and len(value) > 0 and all(isinstance(item, str) for item in value)
    return isinstance(value, kinds) and (not isinstance(value, bool) or bool in kinds)
