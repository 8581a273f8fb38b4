"""Records as plain memory: one copy for what changes at a table, and a view's words for its audit."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from spadesim.core._jit import COMPILED
from spadesim.core.view import TABLE

TABLE_NAMES = tuple(name for name, *_ in TABLE)
TABLE_BYTES = np.dtype(TABLE).itemsize


def copy_table(source: Any, target: Any) -> None:
    """Copy the public fields that change with every card from one position or view to another."""
    for name in TABLE_NAMES:
        target[name] = source[name]


def word_at(record: Any, k: int) -> int:
    """The `k`-th 8 bytes of a record, as an int64."""
    return int.from_bytes(record.tobytes()[8 * k : 8 * k + 8], "little", signed=True)


def _byte(builder: Any, record: Any, offset: Any) -> Any:  # pragma: no cover - runs inside the compiler
    """A pointer to a byte of a record."""
    start = builder.bitcast(record, ir.IntType(8).as_pointer())
    return builder.gep(start, [offset])


@intrinsic
def _copy_table(
    typingctx: Any, source: Any, target: Any
) -> Any:  # pragma: no cover - runs inside the compiler
    places = [ir.Constant(ir.IntType(64), record.offset(TABLE_NAMES[0])) for record in (source, target)]

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        begin, end = (_byte(builder, record, place) for record, place in zip(args, places, strict=True))
        size = ir.Constant(ir.IntType(64), TABLE_BYTES)
        cgutils.raw_memcpy(builder, end, begin, size, 1)
        return context.get_dummy_value()

    return types.void(source, target), codegen


@intrinsic
def _word_at(typingctx: Any, record: Any, k: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.mul(args[1], ir.Constant(ir.IntType(64), 8))
        pointer = builder.bitcast(_byte(builder, args[0], place), ir.IntType(64).as_pointer())
        return builder.load(pointer)

    return types.int64(record, types.int64), codegen


if COMPILED:

    @overload(copy_table)
    def _copy(source, target):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda source, target: _copy_table(source, target)

    @overload(word_at)
    def _word(record, k):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda record, k: _word_at(record, k)
