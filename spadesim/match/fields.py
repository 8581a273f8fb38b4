"""What every field of run.json must be, and one sentence about the first that is something else."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spadesim.core.rules import PRESETS
from spadesim.errors import UserError
from spadesim.match.spec import MAX_HAND_CAP, MAX_SEED, MAX_UNITS
from spadesim.match.stop import MOST_ERROR, RULES
from spadesim.strategy.parameters import BIDDER
from spadesim.strategy.spec import parse_bot

MAX_SHOWN = 40  # characters of a wrong value
MAX_WORDS = 100  # characters of a stopping rule


class FieldError(Exception):
    """A field is not what it must be; its text says which, and what it must be."""


@dataclass(frozen=True)
class Kind:
    """What a single value must be.

    Parameters
    ----------
    words : str
        Behind "must be".
    fits : function of the value
    """

    words: str
    fits: Callable[[Any], bool]


@dataclass(frozen=True)
class Each:
    """A list of so many values of one kind."""

    shape: Any
    least: int = 0
    most: int = 1_000_000


@dataclass(frozen=True)
class Maybe:
    """A value of a kind, or null."""

    shape: Any


def whole(low: int, high: int) -> Kind:
    """A whole number; true and 1.0 are none."""
    return Kind(f"a whole number from {low} to {high}", lambda v: type(v) is int and low <= v <= high)


def number(low: float, high: float) -> Kind:
    """A number between two others."""
    return Kind(f"a number from {low:g} to {high:g}", lambda v: type(v) in (int, float) and low <= v <= high)


def one_of(*words: str) -> Kind:
    """One of a few words."""
    return Kind(" or ".join(words), lambda v: type(v) is str and v in words)


def digits(count: int) -> Kind:
    """A digest or a fingerprint."""
    pattern = re.compile(f"[0-9a-f]{{{count}}}")
    return Kind(f"{count} hexadecimal digits", lambda v: type(v) is str and bool(pattern.fullmatch(v)))


def _is_text(value: Any) -> bool:
    if type(value) is not str or "\0" in value:
        return False
    try:
        value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def _is_bot(value: Any) -> bool:
    try:
        return _is_text(value) and bool(parse_bot(value))
    except UserError:
        return False


def _is_rules(value: Any) -> bool:
    """Whether a text begins with a preset, and so reads no file."""
    return _is_text(value) and value.partition(":")[0] in PRESETS


TEXT = Kind("text", _is_text)
WORDS = Kind(f"text of no more than {MAX_WORDS} characters", lambda v: _is_text(v) and len(v) <= MAX_WORDS)
FLAG = Kind("true or false", lambda v: type(v) is bool)
OBJECT = Kind("an object", lambda v: type(v) is dict)
COUNT = whole(0, 2**63 - 1)

BOT = {
    "name": TEXT,
    "spec": Kind("a bot as spadesim duel takes it", _is_bot),
    "settings": Each(Each(TEXT, 2, 2)),
    "commit": TEXT,
    "has_memory": FLAG,
    "digest": digits(12),
    "sources": Each(Each(TEXT, 2, 2), 1),
}
SIDE = {"asked": TEXT, "spec": TEXT, "name": TEXT, "bots": Each(BOT, 2, 2)}
RESULT = {
    "units": whole(1, MAX_UNITS),
    "hands": COUNT,
    "fingerprint": digits(16),
    "decided": FLAG,
    "seconds": number(0, math.inf),
}
FIELDS = {
    "run": digits(16),
    "version": TEXT,
    "layout": TEXT,
    "engine": TEXT,
    "rng": TEXT,
    "command": TEXT,
    "kind": one_of("games", "boards"),
    "units": whole(1, MAX_UNITS),
    "first": whole(0, MAX_UNITS),
    "seed": whole(0, MAX_SEED),
    "scores": Maybe(Each(whole(-(10**9), 10**9), 1, 4)),
    "bags": Maybe(Each(whole(0, 10**9), 1, 4)),
    "hand_cap": whole(1, MAX_HAND_CAP),
    "rules": {"text": Kind("rules that begin with a preset", _is_rules), "options": OBJECT},
    "a": SIDE,
    "b": SIDE,
    "equity": Maybe(TEXT),
    "record": one_of("rows", "cards"),
    "part_units": whole(1, MAX_UNITS),
    "stopping": Maybe(OBJECT),
    "result": Maybe(RESULT),
}
RULE = {
    "kind": one_of(*RULES),
    "text": WORDS,
    "alpha": number(0, MOST_ERROR),
    "beta": number(0, MOST_ERROR),
}


def check_fields(values: dict[str, Any]) -> None:
    """Refuse a run.json in which a field is missing, or is not what it must be.

    Raises
    ------
    FieldError
        The first one, and what is wrong with it.
    """
    check(values, FIELDS)
    for side in "ab":
        for number_of, bot in enumerate(values[side]["bots"]):
            _check_bidder(bot, f"{side}.bots[{number_of}].{BIDDER}")
    stopping, result = values["stopping"], values["result"]
    check(values.get("lengths", []), Each(whole(1, values["units"] - 1)), "lengths")
    if stopping and "rule" in stopping:
        check(stopping["rule"], RULE, "stopping.rule")
    if result is not None:
        check(result["units"], whole(1, values["units"]), "result.units")
        if result["decided"] and stopping is None:
            raise FieldError("its result is said to be decided, but nothing ends the run early")


def _check_bidder(bot: dict[str, Any], name: str) -> None:
    """Refuse a bot that is told to have another bidder than its spec names."""
    if BIDDER in bot:
        check(bot[BIDDER], BOT, name)
        _check_bidder(bot[BIDDER], f"{name}.{BIDDER}")
    named, told = parse_bot(bot["spec"]).bidder, bot[BIDDER]["spec"] if BIDDER in bot else ""
    if named != told:
        raise FieldError(f"its {name} must be the '{named}' of its spec, not '{told}'")


def check(value: Any, shape: Any, name: str = "") -> None:
    """Refuse a value that is not of some shape: a `Kind`, an `Each`, a `Maybe`, or a dict of shapes by key.

    >>> check({"units": 1.5}, {"units": whole(1, 9)})
    Traceback (most recent call last):
        ...
    spadesim.match.fields.FieldError: its units must be a whole number from 1 to 9, not 1.5

    Raises
    ------
    FieldError
        It is not.
    """
    if isinstance(shape, Maybe):
        if value is not None:
            check(value, shape.shape, name)
    elif isinstance(shape, Kind):
        if not shape.fits(value):
            raise _wrong(value, shape.words, name)
    elif isinstance(shape, Each):
        if type(value) is not list or not shape.least <= len(value) <= shape.most:
            count = f"{shape.least}" if shape.least == shape.most else f"at least {shape.least}"
            raise _wrong(value, f"a list of {count}", name)
        for number_of, each in enumerate(value):
            check(each, shape.shape, f"{name}[{number_of}]")
    else:
        if type(value) is not dict:
            raise _wrong(value, "an object", name)
        for key, inner in shape.items():
            inside = f"{name}.{key}" if name else key
            if key not in value:
                raise FieldError(f"it has no {inside}")
            check(value[key], inner, inside)


def _wrong(value: Any, words: str, name: str) -> FieldError:
    return FieldError(f"its {name} must be {words}, not {shown(value)}" if name else f"it must be {words}")


def shown(value: Any) -> str:
    """A value as JSON, no longer than a sentence bears.

    >>> shown(None), shown("a" * 99)
    ('null', '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...')
    """
    text = json.dumps(value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
