"""From the syntax tree of an expression to one `Term`; every word and type is checked on the way.

Nothing of the user's text is ever executed: the tree is read, and whatever is not known is refused with a
caret under it.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from spadesim.errors import suggest
from spadesim.expressions import arithmetic, terms
from spadesim.expressions.known import Block
from spadesim.expressions.possible import can_lie, sum_range
from spadesim.expressions.reader import OF_NUMBERS, OVER_SEATS, WordReader, is_seat
from spadesim.expressions.rows import is_word, seat_number
from spadesim.expressions.terms import Bounds, Term
from spadesim.expressions.words import RANKS

IN_FOLDER = re.compile(r"^[^:]*/|(?<=.)\.py(?=$|[:@~])")
LARGEST_NUMBER = 10**9
_WRITE: dict[type[ast.operator], str] = {
    ast.Div: "numbers are whole here: // divides and leaves the fraction out",
    ast.BitAnd: "write and",
    ast.BitOr: "write or",
}
_UNDERSTOOD = "An expression has words, whole numbers, comparisons, and, or, not, + - * // and %."


class Compiler(WordReader):
    """Reads the tree of one expression; parameters as `WordReader`."""

    def condition(self, node: ast.expr) -> Term:
        """A part that must be true or false."""
        term = self.term(node)
        if not term.is_condition:
            words = self.source.of(node)
            example = f"== '{term.words[0]}'" if term.words else ">= 1"
            what = "a word" if term.words else "a number"
            self._fail(
                node, f"{words} is {what}, neither true nor false: compare it, as in {words} {example}."
            )
        return term

    def number(self, node: ast.expr) -> Term:
        """A part that must be a number; what is true counts 1."""
        term = self.term(node)
        if term.words:
            self._fail(node, f"{self.source.of(node)} is a word, not a number.")
        return terms.as_number(term)

    def term(self, node: ast.expr) -> Term:
        """Any part."""
        readers: dict[type[ast.expr], Callable[[Any], Term]] = {
            ast.BoolOp: self._and_or,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.Compare: self._compare,
            ast.Call: self._call,
            ast.Name: self._name,
            ast.Constant: self._constant,
        }
        read = readers.get(type(node))
        if read is None:
            self._fail(node, f"{self.source.of(node)} is not understood. {_UNDERSTOOD}")
        return read(node)

    def check_possible(self, term: Term) -> None:
        """Refuse a condition that no hand can meet."""
        node = term.culprit
        if node is None:
            return
        reason = ""
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in terms.COMPARISONS:
            sides = [(part, self.number(part)) for part in (node.left, *node.comparators)]
            reason = ", ".join(
                f"{self.source.of(part)} is from {number.low} to {number.high}"
                for part, number in sides
                if not number.is_constant
            )
        self._fail(node, f"This can never be true{f': {reason}' if reason else ''}.")

    def check_asks(self, term: Term) -> None:
        """Refuse an expression that is the same for all hands."""
        if not term.needs:
            self._fail(self.source.tree, "This asks nothing about a hand.")

    def _can_lie(self, said: Bounds) -> bool:
        return can_lie(said, self.known)

    def _and_or(self, node: ast.BoolOp) -> Term:
        combine = terms.both if isinstance(node.op, ast.And) else terms.either
        found = [self.condition(part) for part in node.values]
        return reduce(lambda left, right: combine(node, left, right, self._can_lie), found)

    def _unary(self, node: ast.UnaryOp) -> Term:
        if isinstance(node.op, ast.Not):
            return terms.negated(node, self.condition(node.operand))
        if isinstance(node.op, ast.Invert):
            self._fail(node, "'~' is not understood: write not.")
        number = self.number(node.operand)
        if isinstance(node.op, ast.UAdd):
            return number
        if number.is_constant:
            return terms.constant(node, -number.low)
        return arithmetic.minus(node, number)

    def _binary(self, node: ast.BinOp) -> Term:
        kind = type(node.op)
        if kind not in arithmetic.OPERATIONS:
            hint = _WRITE.get(kind)
            self._fail(node, f"This operator is not understood{f': {hint}.' if hint else f'. {_UNDERSTOOD}'}")
        left, right = self.number(node.left), self.number(node.right)
        if kind in (ast.FloorDiv, ast.Mod) and not (right.is_constant and right.low):
            self._fail(node.right, "Only a number written out, other than 0, can divide.")
        found = self._narrowed(arithmetic.combined(node, left, kind, right), left, right)
        if arithmetic.is_too_large(found):
            self._fail(node, "This can become too large to be counted with.")
        return found

    def _narrowed(self, found: Term, left: Term, right: Term) -> Term:
        """A number between the bounds that the cards set to a sum of suit lengths."""
        span = sum_range(found.sums or {}, self.known)
        constants = [term.low for term in (left, right) if term.is_constant]
        if span is None or constants:
            return found
        return replace(found, low=max(found.low, span[0]), high=min(found.high, span[1]))

    def _constant(self, node: ast.Constant) -> Term:
        value = node.value
        if isinstance(value, bool):
            said = (terms.NOTHING_SAID, None) if value else (None, terms.NOTHING_SAID)
            return terms.condition(node, lambda block: value, [], *said)
        if isinstance(value, int):
            if value > LARGEST_NUMBER:
                self._fail(node, f"{LARGEST_NUMBER:,} is the largest number that can be written.")
            return terms.constant(node, value)
        if isinstance(value, float):
            self._fail(node, "Numbers are whole here.")
        if isinstance(value, str):
            self._fail(node, "A text stands only in has(...) and holds(...), or beside side and bot.")
        self._fail(node, f"{self.source.of(node)} is not understood. {_UNDERSTOOD}")

    def _compare(self, node: ast.Compare) -> Term:
        operands = [node.left, *node.comparators]
        if len(operands) == 2 and (found := self._word_compared(node)):
            return found
        parts = [
            self._compare_two(node, left, operator, right)
            for left, operator, right in zip(operands, node.ops, operands[1:], strict=False)
        ]
        return reduce(lambda left, right: terms.both(node, left, right, self._can_lie), parts)

    def _compare_two(self, node: ast.Compare, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Term:
        kind = type(operator)
        if isinstance(operator, ast.In | ast.NotIn):
            number = self.number(left)
            equal = [terms.compared(node, number, ast.Eq, self.number(part)) for part in self._list(right)]
            found = reduce(lambda one, other: terms.either(node, one, other, self._can_lie), equal)
            return terms.negated(node, found) if isinstance(operator, ast.NotIn) else found
        if kind not in terms.COMPARISONS:
            self._fail(node, "'is' is not understood: write == or !=.")
        return terms.compared(node, self.number(left), kind, self.number(right))

    def _list(self, node: ast.expr) -> list[ast.expr]:
        """What stands behind ``in``."""
        if not isinstance(node, ast.Tuple | ast.List | ast.Set) or not node.elts:
            self._fail(node, "Behind in stands a list, as in bid in (2, 3).")
        return node.elts

    def _word_compared(self, node: ast.Compare) -> Term | None:
        """A comparison of ``side`` or ``bot`` with texts; None where numbers are compared."""
        operator, right = node.ops[0], node.comparators[0]
        subject = node.left
        if isinstance(subject, ast.Constant) and isinstance(subject.value, str):
            subject, right = right, subject
        if not isinstance(subject, ast.Name) or subject.id.lower() not in ("side", "bot"):
            return None
        term = self.term(subject)
        is_list = isinstance(operator, ast.In | ast.NotIn)
        texts = self._list(right) if is_list else [right]
        if not is_list and not isinstance(operator, ast.Eq | ast.NotEq):
            self._fail(node, f"{subject.id} is a word: it can be compared by ==, != and in.")
        found = is_word(node, term, [code for text in texts for code in self._codes(term, text)])
        is_not = isinstance(operator, ast.NotEq | ast.NotIn)
        return terms.negated(node, found) if is_not else found

    def _codes(self, term: Term, node: ast.expr) -> list[int]:
        """What a text means: a whole word, or the bots of a name, whatever their settings."""
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            self._fail(node, f"A word is compared with a text in quotes, such as '{term.words[0]}'.")
        text, words = node.value, term.words
        if text in words:
            return [words.index(text)]
        name, called = _called(text).casefold(), [_called(word).casefold() for word in words]
        found = [code for code, word in enumerate(called) if word == name]
        found = found or [code for code, word in enumerate(called) if word.partition(":")[0] == name]
        if not found:
            there = ", ".join(f"'{word}'" for word in words)
            self._fail(node, f"There is no '{text}' in this run.{suggest(text, words)} It has {there}.")
        return found

    def _name(self, node: ast.Name) -> Term:
        name = node.id.lower()
        if name in RANKS:
            return terms.constant(node, RANKS[name])
        if is_seat(name):
            seat = self.seat(node)
            if not seat.is_single:
                self._fail(node, f"'{name}' is more than one seat.")
            return seat_number(self.asked(node, seat))
        if name in (*OVER_SEATS, *OF_NUMBERS):
            self._fail(node, f"Brackets belong behind {name}: {name}(...).")
        return self.word(node, name, [])

    def _call(self, node: ast.Call) -> Term:
        if not isinstance(node.func, ast.Name):
            self._fail(node.func, f"{self.source.of(node.func)} is not understood. {_UNDERSTOOD}")
        if node.keywords:
            self._fail(node.keywords[0].value, "No '=' in brackets: only a seat, and a suit or cards.")
        name = node.func.id.lower()
        if name in OVER_SEATS:
            return self._over_seats(node, name)
        if name in OF_NUMBERS:
            return self._of_numbers(node, name)
        if name in RANKS or is_seat(name):
            self._fail(node, f"'{name}' takes no brackets.")
        return self.word(node.func, name, node.args, node)

    def _over_seats(self, node: ast.Call, name: str) -> Term:
        if len(node.args) != 1:
            self._fail(node, f"{name} takes one condition, which every seat is asked: {name}(spades >= 7).")
        if self.asks_each:
            self._fail(node, "any, all and count do not stand within each other.")
        self.asks_each = True
        term = self.condition(node.args[0])
        self.asks_each = False
        if not term.is_own:
            words = self.source.of(node.args[0])
            self._fail(
                node.args[0], f"{name} asks every seat about itself, but {words} is the same for all of them."
            )
        if name == "count":
            low, high = (self.known.n_seats * end for end in (term.low, term.high))
            return Term(
                node, lambda block: _spread(term, block).sum(axis=1, keepdims=True), low, high, term.needs
            )
        join = np.any if name == "any" else np.all
        when_true = None if term.when_true is None else terms.NOTHING_SAID
        when_false = None if term.when_false is None else terms.NOTHING_SAID
        found = terms.condition(
            node,
            lambda block: join(term.get(block), axis=1, keepdims=True),
            [Term(node, term.get, 0, 1, term.needs)],
            when_true,
            when_false,
            term.culprit,
        )
        return found

    def _of_numbers(self, node: ast.Call, name: str) -> Term:
        numbers = [self.number(part) for part in node.args]
        if name == "abs":
            if len(numbers) != 1:
                self._fail(node, "abs takes one number.")
            return arithmetic.absolute(node, numbers[0])
        if len(numbers) < 2:
            self._fail(node, f"{name} takes two numbers or more.")
        return arithmetic.extreme(node, name == "min", numbers)


def _spread(term: Term, block: Block) -> Any:
    """A condition with a value for every seat."""
    return np.broadcast_to(term.get(block), (len(block), block.n_seats))


def _called(text: str) -> str:
    """A bot by the name of its file, and its settings.

    >>> _called("./bots/mine.py:king=4"), _called("hard")
    ('mine:king=4', 'hard')
    """
    return IN_FOLDER.sub("", text)
