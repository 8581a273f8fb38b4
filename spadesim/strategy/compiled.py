"""Compiling a strategy's functions for the engine's one signature, or saying in one line why they do not."""

import ast
import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from numba import types
from numba.core.dispatcher import Dispatcher

from spadesim.core._jit import (
    COMPILED,
    cache_directory,
    compile_safely,
    compiling_alone,
    import_closure,
    jit,
    why_nothing_is_kept,
)
from spadesim.core.view import STRATEGY_SIGNATURE, VIEW
from spadesim.errors import UserError, suggest
from spadesim.strategy.module import place

FUNCTIONS = ("bid", "play")
CONTRACT = "a strategy needs bid(view, p) and play(view, p)"
ASKED_BEFORE = {  # functions for what some tables decide before the bidding, and what they answer
    "keep": "1 to keep the card view.offered, 0 to pass it up for the next one",
    "blind": "1 to declare a blind nil, 0 for none",
    "exchange": "a mask of the cards of view.hand to exchange, 0 for none",
}
HOOKS = {  # what a bot tells of how it bids, for `spadesim fit`
    "expected_quarters": "the quarter tricks that its hand can expect, which its bid rounds down",
    "nil_log_odds": "the log-odds that a nil is made, in thousandths",
}
BY_PHASE = (*FUNCTIONS, *ASKED_BEFORE)  # which function is asked in which phase
N_ARGUMENTS = 2
MAX_REASON = 300  # characters of the compiler's own words
CHANCE = re.compile(r"(np\.|numpy\.)?random\.")


def functions_of(module: ModuleType, file: Path) -> dict[str, Any]:
    """The functions of the contract by name, as the file defines them; plain ones are made ready to compile.

    Those of `HOOKS` are among them, which no table asks for.

    Raises
    ------
    UserError
        `bid` or `play` is missing, or one is no function or takes other than two arguments.
    """
    functions = {}
    for name in (*BY_PHASE, *HOOKS):
        function = vars(module).get(name)
        if function is None and name not in FUNCTIONS:
            continue
        if function is None:
            near = suggest(name, [word for word, value in vars(module).items() if callable(value)])
            raise UserError(f"{place(file)} has no function `{name}`; {CONTRACT}.{near}")
        python = python_function(function)
        if python is None:
            raise UserError(f"{place(file)}: `{name}` is not a function; {_contract(name)}.")
        if not _takes_two(python):
            arguments = inspect.signature(python)
            raise UserError(
                f"{_place_of(python)}: `{name}{arguments}` must take (view, p); {_contract(name)}."
            )
        functions[name] = jit(function) if function is python else function
    return functions


def tables_text(functions: Iterable[str]) -> str:
    """Which tables a bot with these functions can sit at.

    >>> tables_text(["bid", "play", "keep", "blind", "exchange"]), tables_text(["bid", "play"])
    ('all', 'no draw, no blind nil')
    """
    missing = {
        "keep": "no draw",
        "blind": "no blind nil",
        "exchange": "no exchange",
    }
    found = set(functions)
    words = [word for name, word in missing.items() if name not in found]
    if "blind" not in found:
        words = [word for word in words if word != "no exchange"]
    return ", ".join(words) or "all"


def _contract(name: str) -> str:
    told = ASKED_BEFORE | HOOKS
    return f"{name}(view, p) returns {told[name]}" if name in told else CONTRACT


def python_function(function: object) -> Callable[..., Any] | None:
    """The function as written, under the compiler's wrapping or without one; None for anything else."""
    if isinstance(function, Dispatcher):
        function = function.py_func
    return function if inspect.isfunction(function) else None


def _takes_two(python: Callable[..., Any]) -> bool:
    kinds = [argument.kind for argument in inspect.signature(python).parameters.values()]
    return len(kinds) == N_ARGUMENTS and set(kinds) <= {
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    }


def refuse_chance(file: Path) -> None:
    """Refuse a strategy whose functions draw random numbers that nobody can repeat.

    Raises
    ------
    UserError
        A function of the file, or of a helper of the author's, uses `random` or `numpy.random`.
    """
    for source in import_closure(file):
        text = source.read_bytes()
        if b"random." not in text:  # most bots, at a fraction of the time
            continue
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and CHANCE.match(ast.unparse(node)):
                    raise UserError(
                        f"{place(source, node.lineno)}: {ast.unparse(node)} gives numbers that cannot be "
                        "repeated: use uniform(view, k) or uniform_below(view, k, n) from spadesim.core.view."
                    )


def is_cached(file: Path) -> bool:
    """Whether machine code of this file's present state is kept, so that compiling it will be quick."""
    folder = cache_directory(file)
    return folder is not None and all(next(folder.rglob(f"*.{name}-*.nbi"), None) for name in FUNCTIONS)


def compiling_note(what: str) -> str:
    """What to say before something is compiled, which takes seconds."""
    return f"compiling {what}" if why_nothing_is_kept() else f"compiling {what}, first run only"


def compile_all(functions: dict[str, Any], file: Path) -> None:
    """Compile a strategy's functions for the engine, or read them from the cache.

    Raises
    ------
    UserError
        One does not compile, or returns other than an int.
    """
    if not COMPILED:
        return
    with compiling_alone():
        for name, function in functions.items():
            _compile(name, function, file)


def _compile(name: str, function: Any, file: Path) -> None:
    try:
        compile_safely(lambda: function.compile(STRATEGY_SIGNATURE.args))
        returned = function.overloads[STRATEGY_SIGNATURE.args].signature.return_type
    except Exception as error:
        if "KeyboardInterrupt" in str(error):  # the compiler reports it as an error of what it compiled
            raise KeyboardInterrupt from error
        raise UserError(_explained(error, name, function, file)) from error
    where = _place_of(function.py_func)
    returned = types.unliteral(returned)
    if isinstance(returned, types.NoneType):
        raise UserError(f"{where}: `{name}` never returns anything, must return int.")
    if isinstance(returned, types.Optional):
        raise UserError(
            f"{where}: `{name}` sometimes returns nothing, must return int: end every way with a return."
        )
    if returned != types.int64:
        cast = "np.int64(...)" if isinstance(returned, types.Integer) else "int(...)"
        words = {types.boolean: "a bool", types.float64: "a float", types.unicode_type: "a text"}
        is_number = isinstance(returned, types.Number | types.Boolean)
        advice = f"wrap it in {cast}" if is_number else _contract(name)
        said = words.get(returned, str(returned))
        raise UserError(f"{where}: `{name}` returns {said}, must return int: {advice}.")


def _place_of(python: Callable[..., Any]) -> str:
    return place(Path(python.__code__.co_filename), python.__code__.co_firstlineno)


def _explained(error: Exception, name: str, function: Any, file: Path) -> str:
    """One line on why a function does not compile: place, reason, and the source there."""
    if isinstance(error, KeyError) and error.args and isinstance(error.args[0], str):
        where, source = _attribute_in(error.args[0], file, function)
        fields = VIEW.names or ()
        reason = f"the view has no field '{error.args[0]}'.{suggest(error.args[0], fields)}"
        return f"{where}: `{name}` does not compile: {reason}{source}"
    if missing := re.search(r"NameError: name '(\w+)'", str(error)):
        where, source = _name_in(missing[1], file, function)
        return f"{where}: `{name}` does not compile: name '{missing[1]}' is not defined.{source}"
    where, source = _line_of(error, file, function)
    return f"{where}: `{name}` does not compile: {_reason(str(error))}{source}"


def _attribute_in(field: str, file: Path, function: Any) -> tuple[str, str]:
    """Where the author's files read an attribute of this name first."""
    return _first(lambda node: isinstance(node, ast.Attribute) and node.attr == field, file, function)


def _name_in(name: str, file: Path, function: Any) -> tuple[str, str]:
    """Where the author's files read a global of this name first."""
    return _first(lambda node: isinstance(node, ast.Name) and node.id == name, file, function)


def _first(is_wanted: Callable[[ast.AST], bool], file: Path, function: Any) -> tuple[str, str]:
    for source in import_closure(file):
        lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
        found = [node for node in ast.walk(ast.parse("\n".join(lines))) if is_wanted(node)]
        if found:
            line = min(node.lineno for node in found if isinstance(node, ast.expr))
            return place(source, line), _quoted(lines[line - 1])
    return _place_of(function.py_func), ""


def _line_of(error: Exception, file: Path, function: Any) -> tuple[str, str]:
    """The innermost line of the author's own files that the compiler names."""
    for path, line in re.findall(r"(?:at|from) (\S.*?\.py) \((\d+)\)", str(error)):
        source = Path(path)
        if source.is_file() and source.is_relative_to(file.parent):
            lines = source.read_text(encoding="utf-8", errors="replace").splitlines()
            return place(source, int(line)), _quoted(lines[int(line) - 1])
    return _place_of(function.py_func), ""


def _quoted(line: str) -> str:
    return f" In: {line.strip()}"


def _reason(text: str) -> str:
    """The telling line of the compiler's report."""
    lines = [line.strip() for line in text.splitlines()]
    telling = [
        line for line in lines if line and not line.startswith(("Failed in", "During", "File ", "There are"))
    ]
    first = telling[0] if telling else "for no reason given"
    call = next((line for line in telling if line.startswith(">>> ")), "")
    if first.startswith("No implementation of function") and call:
        first = f"compiled code cannot do {call.removeprefix('>>> ')}"
    first = re.sub(r"\.? Raised from .*", "", first)
    first = re.sub(r", defined at .*", "", first)
    if len(first) > MAX_REASON:
        first = f"{first[:MAX_REASON]}..."
    return first.rstrip(".") + "."
