"""Another bot inside a strategy: what it would answer at a table that the strategy makes up.

A strategy that looks ahead asks a bot what everybody would do. It holds that bot, its *model*, by one int:
the address of a MODEL record with the addresses of the bot's functions and its parameters. So the strategy is
compiled without the bot, and plays with any.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba import types
from numba.extending import intrinsic, overload

from spadesim.core._jit import COMPILED, jit
from spadesim.core.batch import no_answer
from spadesim.core.call import address_of, ask
from spadesim.core.cards import lowest
from spadesim.core.play import MAX_PARAMETERS, N_PHASES
from spadesim.core.position import advance, apply, fill_view
from spadesim.core.view import HAND_OVER, is_legal

MODEL = np.dtype((np.record, [
    ("calls", np.int64, (N_PHASES,)),  # the addresses of the bot's functions, by phase
    ("search", np.int64),  # the address of the search that it is the model of, see `spadesim.core.search`
    ("solve", np.int64),  # that of the solver of its endings
    ("params", np.float64, (2, MAX_PARAMETERS)),  # of the bidding, and of all later phases
]))  # fmt: skip

_models: list[tuple[npt.NDArray[np.void], list[Any]]] = []  # the functions live as long as their addresses


def new_model(rows: npt.NDArray[np.float64]) -> int:
    """The handle of a model that has no functions yet, see `teach`; it is valid as long as the process lives.

    Parameters
    ----------
    rows : float64 array of shape (2, parameters)
        What the bot gets as `p`, in the bidding and later.
    """
    record = np.zeros(1, dtype=MODEL)
    record["calls"] = address_of(no_answer)
    record["params"][..., : rows.shape[1]] = rows
    _models.append((record, []))
    return int(record.ctypes.data) if COMPILED else len(_models) - 1


def _entry(handle: int) -> tuple[npt.NDArray[np.void], list[Any]]:
    return next(
        entry
        for number, entry in enumerate(_models)
        if handle == (entry[0].ctypes.data if COMPILED else number)
    )


def teach(handle: int, functions: Mapping[int, Any]) -> None:
    """Give a model its functions, by the phase in which they are asked."""
    record, kept = _entry(handle)
    for phase, function in functions.items():
        kept.append(function)
        record["calls"][0, phase] = address_of(function)


def equip(handle: int, tool: str, function: Any, signature: Any) -> None:
    """Have a search be called by its model: `tool` is "search" or "solve"."""
    record, kept = _entry(handle)
    kept.append(function)
    record[tool] = address_of(function, signature)


def model_at(handle: int) -> Any:
    """The MODEL record of a handle."""
    return _models[handle][0][0]


@intrinsic
def _model_at(typingctx: Any, handle: Any) -> Any:  # pragma: no cover - runs inside the compiler
    record = numba.from_dtype(MODEL)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(record))

    return record(types.int64), codegen


if COMPILED:

    @overload(model_at)
    def _at(handle):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda handle: _model_at(handle)


@jit
def answer_of(handle: Any, view: Any) -> Any:
    """What a model answers to a view, as it is."""
    model = model_at(handle)
    return ask(model.calls[view.phase], view, model.params[min(view.phase, 1)])


@jit
def choice_of(handle: Any, table: Any, sight: Any) -> Any:
    """What a model chooses for the seat in turn; the lowest choice where its answer is not legal.

    Parameters
    ----------
    handle : int
    table : POSITION record, at a decision
    sight : VIEW record, scratch
    """
    fill_view(table, table.turn, sight)
    serial = sight.serial
    sight.serial = 0
    choice = answer_of(handle, sight)
    sight.serial = serial
    return choice if is_legal(table, choice) else lowest(table.legal)


@jit
def play_out(handle: Any, table: Any, sight: Any) -> Any:
    """Play a hand from wherever it stands to its end, with a model at every seat."""
    while advance(table) != HAND_OVER:
        apply(table, choice_of(handle, table, sight))
