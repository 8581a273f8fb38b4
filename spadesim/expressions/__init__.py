"""Conditions and numbers in words, over the cards of fresh deals or the rows of a recorded run.

They are written as in Python, checked word by word, and worked out over arrays; docs/reference/expressions.md
tells every word.

>>> import numpy as np
>>> known = Known.of_rows(Rules(), ["cards", "bid"])
>>> where = compile_where("spades >= 1 and bid == 0", known)
>>> sorted(where.needs)
['bid', 'cards']
>>> where({"cards": np.array([1 << 51, 1 << 51, 1, 1]), "bid": np.array([0, 1, 0, 1])}, 4).tolist()
[True, False, False, False]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.rules import Rules
from spadesim.expressions.compiler import Compiler
from spadesim.expressions.known import Array, Block, Known
from spadesim.expressions.possible import most_likely
from spadesim.expressions.source import Source
from spadesim.expressions.terms import Term

__all__ = ["Known", "Rules", "Value", "Where", "compile_value", "compile_where"]

BLOCK_HANDS = 1 << 13  # worked on at a time, so that what lies between stays in the processor's cache


@dataclass(frozen=True)
class Compiled:
    """An expression that was checked.

    Parameters
    ----------
    text : str
        As it was written, on one line.
    known : Known
        What it was checked against.
    term : Term
    """

    text: str
    known: Known
    term: Term

    @property
    def needs(self) -> frozenset[str]:
        """The columns that it reads."""
        return self.term.needs

    def _values(self, columns: Mapping[str, Array], n_seats: int, dtype: Any) -> Array:
        """A value a row; of fresh deals, a value a deal."""
        block = Block({name: columns[name] for name in self.needs}, n_seats)
        width = 1 if self.known.is_deals else n_seats
        found = np.empty((len(block), width), dtype=dtype)
        for first in range(0, len(block), BLOCK_HANDS):
            part = slice(first, first + BLOCK_HANDS)
            found[part] = self.term.get(block.part(first, first + BLOCK_HANDS))
        return found.reshape(-1)


class Where(Compiled):
    """A condition; called with columns it says of which rows it is true."""

    @property
    def most_likely(self) -> float:
        """No fresh deal meets it with a greater chance, by what it says of suit lengths; 1 where nothing."""
        return most_likely(self.term.when_true or {}, self.known)

    def __call__(self, columns: Mapping[str, Array], n_seats: int) -> npt.NDArray[np.bool_]:
        """Whether it holds, of shape (rows,), or (deals,) for fresh deals.

        Parameters
        ----------
        columns : mapping of str to array
            At least those that it needs, rows of whole hands in the order of the seats.
        n_seats : int
            Rows to a hand.
        """
        return self._values(columns, n_seats, np.bool_)


class Value(Compiled):
    """A whole number; called with columns it says which, row by row."""

    @property
    def low(self) -> int:
        """The least that it can be."""
        return self.term.low

    @property
    def high(self) -> int:
        """The most that it can be."""
        return self.term.high

    def __call__(self, columns: Mapping[str, Array], n_seats: int) -> npt.NDArray[np.int64]:
        """The numbers; parameters and shape as for `Where`."""
        return self._values(columns, n_seats, np.int64)


def compile_where(text: str, known: Known) -> Where:
    """A condition, checked.

    Parameters
    ----------
    text : str
        Such as ``spades >= 4 and bid == 0``.
    known : Known
        What it may ask for.

    Raises
    ------
    UserError
        It is no condition, asks for what is not known, or can never be true; `excerpt` points at the place.
    """
    source = Source(text)
    compiler = Compiler(source, known)
    term = compiler.condition(source.tree)
    compiler.check_possible(term)
    compiler.check_asks(term)
    return Where(source.text, known, term)


def compile_value(text: str, known: Known) -> Value:
    """A whole number, checked; what is true counts 1, and what is not 0.

    Parameters
    ----------
    text, known
        As for `compile_where`, the text such as ``bid - tricks``.

    Raises
    ------
    UserError
        It is no number, or asks for what is not known.
    """
    source = Source(text)
    compiler = Compiler(source, known)
    term = compiler.number(source.tree)
    compiler.check_asks(term)
    return Value(source.text, known, term)
