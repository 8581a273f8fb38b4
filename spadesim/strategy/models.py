"""Bots that a strategy asks what others would do: its models, out of the modules that its file imports.

A file that looks ahead lists them as ``MODELS = {"hard": hard}`` and lets its parameter ``model`` choose;
what compiled code calls the chosen one by stands behind the strategy's own parameters, in
``p[len(PARAMETERS)]``.
"""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core._jit import COMPILED, compiling_alone
from spadesim.core.model import equip, new_model, teach
from spadesim.core.search import SEARCH_SIGNATURE, search
from spadesim.core.search_ends import SOLVE_SIGNATURE, solve_world
from spadesim.errors import UserError
from spadesim.strategy.compiled import BY_PHASE, FUNCTIONS, compile_all, functions_of, python_function
from spadesim.strategy.module import place
from spadesim.strategy.parameters import Parameters

CHOSEN_BY = "model"


@dataclass(frozen=True)
class Model:
    """A bot inside another one.

    Parameters
    ----------
    handle : int
        What compiled code calls it by, see `spadesim.core.model`.
    functions : dict of str to function
    file : Path
        Its source.
    """

    handle: int
    functions: dict[str, Any]
    file: Path

    def learn(self, names: set[str] | frozenset[str]) -> None:
        """Compile some of its functions, and have them answer."""
        functions = {name: self.functions[name] for name in names if name in self.functions}
        compile_all(functions, self.file)
        teach(self.handle, {BY_PHASE.index(name): function for name, function in functions.items()})


_made: dict[int, tuple[ModuleType, Model]] = {}  # a module that is run again is another one


def model_of(
    module: ModuleType, table: Parameters, values: npt.NDArray[np.float64], file: Path
) -> Model | None:
    """The model that a strategy's settings choose, None for a strategy that has none.

    Raises
    ------
    UserError
        `MODELS` are not those that the parameter chooses from, or the model itself is no bot.
    """
    models = vars(module).get("MODELS")
    if models is None:
        return None
    names = [entry.name for entry in table]
    choices = table[CHOSEN_BY].choices if CHOSEN_BY in names else ()
    if not isinstance(models, dict) or tuple(models) != choices:
        raise UserError(
            f"{place(file)}: MODELS must be {{name: module, ...}}, its names the choices of the parameter "
            f"'{CHOSEN_BY}', in order."
        )
    chosen = models[table[CHOSEN_BY].word(float(values[names.index(CHOSEN_BY)]))]
    if id(chosen) not in _made:
        _made[id(chosen)] = chosen, _make(chosen, file)
    return _made[id(chosen)][1]


def _make(module: ModuleType, file: Path) -> Model:
    bid: Any = python_function(vars(module).get("bid"))
    source = Path(bid.__code__.co_filename) if bid is not None else file
    functions = functions_of(module, source)
    table = vars(module).get("PARAMETERS", Parameters())
    model = Model(new_model(table.rows(table.defaults)), functions, source)
    with compiling_alone():
        equip(model.handle, "search", search, SEARCH_SIGNATURE)
        equip(model.handle, "solve", solve_world, SOLVE_SIGNATURE)
    model.learn(frozenset(FUNCTIONS if COMPILED else BY_PHASE))  # the others when a table asks for them
    return model
