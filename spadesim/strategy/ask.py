"""Putting views before a strategy's functions and collecting the answers."""

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import types

from spadesim.core._jit import COMPILED, jit
from spadesim.core.view import PARAMETERS_TYPE, STRATEGY_TYPE, VIEW_TYPE

UNANSWERED = -(2**63)

_SIGNATURE = types.void(
    STRATEGY_TYPE, types.Array(VIEW_TYPE, 1, "C"), PARAMETERS_TYPE, types.Array(types.int64, 1, "C")
)


def answers_to(
    function: Any, views: npt.NDArray[np.void], values: npt.NDArray[np.float64]
) -> npt.NDArray[np.int64]:
    """What a strategy's function answers to each of many views.

    Parameters
    ----------
    function : `bid` or `play` of a loaded strategy
    views : array of VIEW records
    values : float64 array, its parameters

    Raises
    ------
    Exception
        Whatever the function raises.
    """
    answers = np.full(len(views), UNANSWERED)
    if COMPILED and not _ask.signatures:  # type: ignore[attr-defined]
        _ask.compile(_SIGNATURE)  # type: ignore[attr-defined]
    _ask(function, views, values, answers)  # type: ignore[no-untyped-call]
    return answers


@jit
def _ask(function, views, values, answers):  # type: ignore[no-untyped-def]
    for k in range(views.size):
        answers[k] = function(views[k], values)
