"""Calling a strategy that the engine was not compiled with: by the address of its machine code.

The engine holds a plain int for each function of a line-up and jumps to it, so it is compiled once for all
strategies and cached, and an exception raised inside a strategy comes out of the engine as itself. numba's
own first-class functions do the same at about 15 ns a call more, which is a third of a simple bot's hand.
Interpreted, the int is a place in a list of Python functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from spadesim.core._jit import COMPILED
from spadesim.core.view import PARAMETERS_TYPE, STRATEGY_SIGNATURE, VIEW_TYPE

_interpreted: list[Callable[..., int]] = []


def address_of(function: Any, signature: Any = STRATEGY_SIGNATURE) -> int:
    """The int by which `ask` calls a strategy's function; valid for as long as the function lives.

    Parameters
    ----------
    function : a jitted function; it is compiled here if it has not been
    signature : numba signature, that of strategies unless given
    """
    if not COMPILED:
        if function not in _interpreted:
            _interpreted.append(function)
        return _interpreted.index(function)
    function.compile(signature.args)
    code = function.overloads[signature.args]
    address: int = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
    return address


def ask(address: int, view: Any, p: Any) -> int:
    """What the strategy function at `address` answers to a view, under parameters `p`."""
    return _interpreted[address](view, p)


@intrinsic
def _call(
    typingctx: Any, address: Any, view: Any, p: Any
) -> Any:  # pragma: no cover - runs inside the compiler
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer, *values = args
        function_type = context.call_conv.get_function_type(types.int64, STRATEGY_SIGNATURE.args)
        function = builder.inttoptr(pointer, function_type.as_pointer())
        status, answer = context.call_conv.call_function(
            builder, function, types.int64, STRATEGY_SIGNATURE.args, values
        )
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return answer

    return types.int64(types.int64, VIEW_TYPE, PARAMETERS_TYPE), codegen


def by_address(signature: Any) -> Callable[..., Any]:
    """A function `call(address, arguments)`, the arguments a tuple, that jumps to a function of a signature.

    What calls it is compiled without what it calls: large parts of the engine are not optimised again in
    every bot that uses them.

    Parameters
    ----------
    signature : numba signature of the functions that are called
    """

    def call(address: int, arguments: Any) -> Any:
        return _interpreted[address](*arguments)

    if not COMPILED:
        return call

    @intrinsic
    def jump(typingctx: Any, address: Any, arguments: Any) -> Any:  # pragma: no cover - as above
        def codegen(context: Any, builder: Any, signed: Any, values: Any) -> Any:
            pointer, packed = values
            given = zip(cgutils.unpack_tuple(builder, packed), arguments, signature.args, strict=True)
            cast = [context.cast(builder, value, is_a, to_be) for value, is_a, to_be in given]
            function_type = context.call_conv.get_function_type(signature.return_type, signature.args)
            function = builder.inttoptr(pointer, function_type.as_pointer())
            status, answer = context.call_conv.call_function(
                builder, function, signature.return_type, signature.args, cast
            )
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return answer

        return signature.return_type(types.int64, arguments), codegen

    @overload(call)
    def _through(address, arguments):  # type: ignore[no-untyped-def]  # pragma: no cover - as above
        return lambda address, arguments: jump(address, arguments)

    return call


if COMPILED:

    @overload(ask)
    def _ask(address, view, p):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda address, view, p: _call(address, view, p)
