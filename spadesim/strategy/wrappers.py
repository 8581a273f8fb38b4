"""The weaknesses that a spec can lay around any bot, ``hard~blunder=0.1~forget=0.2``: what they may be.

What each of them does at the table stands in `spadesim.core.weakness`.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import numpy.typing as npt

from spadesim.core import weakness
from spadesim.errors import UserError, suggest
from spadesim.strategy.parameters import Parameter

_TABLE = (
    Parameter(
        "blunder",
        0.1,
        low=0,
        high=1,
        used_by="play",
        meaning="chance at each card that the one it would play is not to be had: it plays the next best",
    ),
    Parameter(
        "forget",
        0.2,
        low=0,
        high=1,
        meaning="chance for each card of others in earlier tricks, and each discard, to be overlooked",
    ),
    Parameter(
        "timid",
        1.0,
        low=0,
        high=13,
        used_by="bid",
        meaning="tricks that it bids less than it would, a fraction by a coin; a nil stays a nil",
    ),
    Parameter(
        "bold",
        1.0,
        low=0,
        high=13,
        used_by="bid",
        meaning="tricks that it bids more than it would, a fraction by a coin; a nil stays a nil",
    ),
    Parameter(
        "blind_to_bags",
        1.0,
        low=0,
        high=1,
        meaning="chance for each hand that it sees no bags, and rules without a price for them",
    ),
    Parameter(
        "afraid_of_nil",
        1.0,
        low=0,
        high=1,
        used_by="bid",
        meaning="chance for each hand that it bids no nil and declares no blind one",
    ),
)

WRAPPERS: Mapping[str, Parameter] = {wrapper.name: wrapper for wrapper in _TABLE}
"""Every wrapper by name, in the order of the engine; `default` is what one without a value stands for.

A bot without the wrapper is one with the value 0, which changes nothing.
"""


def read_wrappers(given: Iterable[tuple[str, str]]) -> npt.NDArray[np.float64]:
    """The weaknesses that a spec lays around a bot, as the engine takes them.

    Parameters
    ----------
    given : iterable of (str, str)
        Names and values as text, "" for the default.

    Returns
    -------
    float64 array of `spadesim.core.weakness.N_WEAKNESSES`
        0 for none.

    Raises
    ------
    UserError
        An unknown wrapper, one that is given twice, or a value out of range.

    Examples
    --------
    >>> read_wrappers([("blunder", "0.25")])
    array([0.25, 0.  , 0.  , 0.  , 0.  , 0.  ])
    """
    values = np.zeros(weakness.N_WEAKNESSES)
    seen: set[str] = set()
    for name, text in given:
        wrapper = check_wrapper(name)
        if name in seen:
            raise UserError(f"the wrapper '~{name}' is given twice.")
        seen.add(name)
        values[list(WRAPPERS).index(name)] = _value(wrapper, text)
    return values


def check_wrapper(name: str) -> Parameter:
    """The wrapper of a name.

    Raises
    ------
    UserError
        There is none; the nearest name is suggested.
    """
    if name not in WRAPPERS:
        raise UserError(
            f"there is no wrapper '~{name}'.{suggest(name, WRAPPERS)} Wrappers: {', '.join(WRAPPERS)}."
        )
    return WRAPPERS[name]


def write_wrappers(values: npt.NDArray[np.float64]) -> tuple[tuple[str, str], ...]:
    """The names and values of a bot's weaknesses, 0 left out; `read_wrappers` takes them back."""
    return tuple(
        (wrapper.name, wrapper.word(value))
        for wrapper, value in zip(_TABLE, values.tolist(), strict=True)
        if value != 0
    )


def wrappers_text(values: npt.NDArray[np.float64]) -> str:
    """What a spec and a bot's name say of its weaknesses.

    >>> wrappers_text(read_wrappers([("forget", "0.2"), ("bold", "")]))
    '~forget=0.2~bold=1'
    """
    return "".join(f"~{name}={value}" for name, value in write_wrappers(values))


def _value(wrapper: Parameter, text: str) -> float:
    try:
        return wrapper.code(text or wrapper.default)
    except UserError:
        raise UserError(f"the wrapper '~{wrapper.name}' takes {wrapper.allowed()}, not '{text}'.") from None
