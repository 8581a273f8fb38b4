"""Parts of a compiled expression: how each is worked out, what it needs, and what values it can have.

A condition carries what it says of the quantities in it, as the least and the greatest value of each when it
holds and when it does not. So a condition that no hand can meet is found without trying any.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spadesim.expressions.known import Block

Bounds = Mapping[str, tuple[int, int]]  # name of a quantity -> least and greatest value
Check = Callable[[Bounds], bool]
NOTHING_SAID: Bounds = {}


@dataclass(frozen=True)
class Term:
    """A part of an expression.

    Parameters
    ----------
    node : expr
        Where it stands.
    get : function of a Block
        Its values: an array of shape (hands, seats) or (hands, 1), or one value for all.
    low, high : int
        The least and the greatest value.
    needs : frozenset of str
        Columns.
    is_condition : bool
        Whether it is true or false, and not a number.
    is_own : bool
        Whether it differs between the seats of a hand.
    atom : str
        Its name, where it is a quantity that bounds are kept of.
    sums : mapping of str to int, optional
        Of a sum of such quantities, how often each is in it.
    words : tuple of str
        What its numbers stand for; empty where they are numbers.
    when_true, when_false : Bounds or None
        What a condition says of quantities; None where it can never be so.
    culprit : expr or None
        The part that makes a condition impossible.
    """

    node: ast.expr
    get: Callable[[Block], Any]
    low: int
    high: int
    needs: frozenset[str] = frozenset()
    is_condition: bool = False
    is_own: bool = False
    atom: str = ""
    sums: Mapping[str, int] | None = None
    words: tuple[str, ...] = ()
    when_true: Bounds | None = None
    when_false: Bounds | None = None
    culprit: ast.expr | None = None

    @property
    def is_constant(self) -> bool:
        """Whether it is a number written out."""
        return self.low == self.high and not self.needs

    @property
    def weights(self) -> Mapping[str, int] | None:
        """How often each quantity is in it, a constant left out; None where it is no sum of such."""
        if self.is_constant:
            return {}
        return {self.atom: 1} if self.atom else self.sums


def constant(node: ast.expr, value: int) -> Term:
    """A number written out."""
    return Term(node, lambda block: value, value, value)


def condition(
    node: ast.expr,
    get: Callable[[Block], Any],
    parts: Iterable[Term],
    when_true: Bounds | None = NOTHING_SAID,
    when_false: Bounds | None = NOTHING_SAID,
    culprit: ast.expr | None = None,
) -> Term:
    """A part that is true or false, made of others."""
    parts = list(parts)
    return Term(
        node,
        get,
        low=int(when_false is None),
        high=int(when_true is not None),
        needs=frozenset().union(*(part.needs for part in parts)),
        is_condition=True,
        is_own=any(part.is_own for part in parts),
        when_true=when_true,
        when_false=when_false,
        culprit=culprit or (node if when_true is None else None),
    )


def meet(left: Bounds | None, right: Bounds | None, check: Check) -> Bounds | None:
    """What holds when both hold; None when nothing can meet both."""
    if left is None or right is None:
        return None
    both = dict(left)
    for name, (low, high) in right.items():
        mine = both.get(name, (low, high))
        both[name] = (max(low, mine[0]), min(high, mine[1]))
    if any(low > high for low, high in both.values()):
        return None
    return both if check(both) else None


def join(left: Bounds | None, right: Bounds | None) -> Bounds | None:
    """What holds when either holds."""
    if left is None or right is None:
        return right if left is None else left
    return {
        name: (min(left[name][0], right[name][0]), max(left[name][1], right[name][1]))
        for name in left.keys() & right.keys()
    }


def negated(node: ast.expr, term: Term) -> Term:
    """``not term``."""
    return condition(
        node, lambda block: np.logical_not(term.get(block)), [term], term.when_false, term.when_true
    )


def both(node: ast.expr, left: Term, right: Term, check: Check) -> Term:
    """``left and right``; the right one is not worked out where nothing meets the left one."""

    def get(block: Block) -> Any:
        found = left.get(block)
        return np.logical_and(found, right.get(block)) if np.any(found) else found

    return condition(
        node,
        get,
        [left, right],
        meet(left.when_true, right.when_true, check),
        join(left.when_false, right.when_false),
        left.culprit or right.culprit,
    )


def either(node: ast.expr, left: Term, right: Term, check: Check) -> Term:
    """``left or right``."""

    def get(block: Block) -> Any:
        found = left.get(block)
        return found if np.all(found) else np.logical_or(found, right.get(block))

    return condition(
        node,
        get,
        [left, right],
        join(left.when_true, right.when_true),
        meet(left.when_false, right.when_false, check),
    )


COMPARISONS: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any], type[ast.cmpop]]] = {
    ast.Lt: ("<", operator.lt, ast.GtE),
    ast.LtE: ("<=", operator.le, ast.Gt),
    ast.Gt: (">", operator.gt, ast.LtE),
    ast.GtE: (">=", operator.ge, ast.Lt),
    ast.Eq: ("==", operator.eq, ast.NotEq),
    ast.NotEq: ("!=", operator.ne, ast.Eq),
}


def compared(node: ast.expr, left: Term, kind: type[ast.cmpop], right: Term) -> Term:
    """A comparison of two numbers."""
    _, compare, opposite = COMPARISONS[kind]
    return condition(
        node,
        lambda block: compare(left.get(block), right.get(block)),
        [left, right],
        _said(left, kind, right),
        _said(left, opposite, right),
    )


def _said(left: Term, kind: type[ast.cmpop], right: Term) -> Bounds | None:
    """What a comparison says of both quantities; None when it cannot hold."""
    if kind in (ast.Gt, ast.GtE):
        return _said(right, ast.Lt if kind is ast.Gt else ast.LtE, left)
    mine, theirs = (left.low, left.high), (right.low, right.high)
    if kind in (ast.Lt, ast.LtE):
        step = int(kind is ast.Lt)
        mine = (left.low, min(left.high, right.high - step))
        theirs = (max(right.low, left.low + step), right.high)
    elif kind is ast.Eq:
        mine = theirs = (max(left.low, right.low), min(left.high, right.high))
    else:
        mine, theirs = _trimmed(mine, right), _trimmed(theirs, left)
    if mine[0] > mine[1] or theirs[0] > theirs[1]:
        return None
    return {term.atom: span for term, span in ((left, mine), (right, theirs)) if term.atom}


def _trimmed(span: tuple[int, int], other: Term) -> tuple[int, int]:
    """What is left of a range without the one value that another term has."""
    low, high = span
    if other.low != other.high:
        return span
    return low + (low == other.low), high - (high == other.low)


def as_number(term: Term) -> Term:
    """A condition as 0 or 1; a number as it is."""
    if not term.is_condition:
        return term
    return replace(
        term,
        get=lambda block: np.asarray(term.get(block)).astype(np.int8),
        is_condition=False,
        when_true=None,
        when_false=None,
        culprit=None,
    )
