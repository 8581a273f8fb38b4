"""Sums, differences, products and the like, in whole numbers that cannot overflow."""

import ast
import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from spadesim.expressions.known import Block
from spadesim.expressions.terms import Term, as_number

LARGEST = 2**62
_TYPES = (np.int16, np.int32, np.int64)

Operation = Callable[[Any, Any], Any]
OPERATIONS: dict[type[ast.operator], tuple[str, Operation]] = {
    ast.Add: ("+", lambda x, y: x + y),
    ast.Sub: ("-", lambda x, y: x - y),
    ast.Mult: ("*", lambda x, y: x * y),
    ast.FloorDiv: ("//", lambda x, y: x // y),
    ast.Mod: ("%", lambda x, y: x % y),
}


def is_too_large(term: Term) -> bool:
    """Whether a number may lie beyond what is counted with."""
    return max(abs(term.low), abs(term.high)) > LARGEST


def combined(node: ast.expr, left: Term, kind: type[ast.operator], right: Term) -> Term:
    """Two numbers taken together.

    Parameters
    ----------
    node : expr
    left, right : Term
        Of ``//`` and ``%`` the right one is a constant other than 0.
    kind : type
        One of `OPERATIONS`.
    """
    _, operation = OPERATIONS[kind]
    low, high = _range(left, kind, right)
    found = _number(node, operation, (as_number(left), as_number(right)), low, high)
    return replace(found, sums=_sums(left, kind, right))


def _sums(left: Term, kind: type[ast.operator], right: Term) -> Mapping[str, int] | None:
    """How often the quantities of both are in a sum, a difference, or a multiple of one.

    A number written out is the quantity ``""`` of a sum, which so is known to be no sum of quantities alone.
    """
    mine, theirs = left.weights, right.weights
    if mine is None or theirs is None:
        return None
    if kind in (ast.Add, ast.Sub):
        sign = 1 if kind is ast.Add else -1
        mine = {"": left.low} if left.is_constant else mine
        theirs = {"": right.low} if right.is_constant else theirs
        return {name: mine.get(name, 0) + sign * theirs.get(name, 0) for name in {*mine, *theirs}}
    if kind is ast.Mult and not theirs:
        return {name: right.low * times for name, times in mine.items()}
    if kind is ast.Mult and not mine:
        return {name: left.low * times for name, times in theirs.items()}
    return None


def _range(left: Term, kind: type[ast.operator], right: Term) -> tuple[int, int]:
    ends = itertools.product((left.low, left.high), (right.low, right.high))
    if kind is ast.Mod:
        return (0, right.low - 1) if right.low > 0 else (right.low + 1, 0)
    found = [OPERATIONS[kind][1](x, y) for x, y in ends]
    return min(found), max(found)


def minus(node: ast.expr, term: Term) -> Term:
    """``-term``."""
    return _number(node, lambda x: -x, (as_number(term),), -term.high, -term.low)


def absolute(node: ast.expr, term: Term) -> Term:
    """``abs(term)``."""
    ends = (abs(term.low), abs(term.high))
    low = 0 if term.low <= 0 <= term.high else min(ends)
    return _number(node, np.abs, (as_number(term),), low, max(ends))


def extreme(node: ast.expr, is_least: bool, terms: list[Term]) -> Term:
    """The least or the greatest of some numbers."""
    choose, pair = (min, np.minimum) if is_least else (max, np.maximum)
    found = as_number(terms[0])
    for term in terms[1:]:
        low, high = choose(found.low, term.low), choose(found.high, term.high)
        found = _number(node, pair, (found, as_number(term)), low, high)
    return found


def _number(
    node: ast.expr, operation: Callable[..., Any], terms: tuple[Term, ...], low: int, high: int
) -> Term:
    ends = [low, high, *(end for term in terms for end in (term.low, term.high))]
    dtype = next((kind for kind in _TYPES if max(map(abs, ends)) <= np.iinfo(kind).max), np.int64)

    def get(block: Block) -> Any:
        return operation(*(np.asarray(term.get(block)).astype(dtype, copy=False) for term in terms))

    return Term(
        node,
        get,
        low,
        high,
        needs=frozenset().union(*(term.needs for term in terms)),
        is_own=any(term.is_own for term in terms),
    )
