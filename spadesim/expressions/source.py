"""The text of an expression, its syntax tree, and messages with a caret under the place that is meant."""

import ast
import re
import warnings
from typing import NoReturn

from spadesim.errors import UserError

MOST_SIGNS = 1000
MOST_NESTED = 60
SHOWN = 76  # signs of a long expression around the place that is meant
_STRING = re.compile(r"'[^']*'?|\"[^\"]*\"?")
_FOREIGN = {
    "&&": "and",
    "||": "or",
    "!": "not",
    "=": "==",
    "<>": "!=",
    "#": "",
}
_NO_TEXT = re.compile("[\0\ud800-\udfff]")  # which Python refuses to read, and points at nothing
_WORDS = re.compile(rf"{_STRING.pattern}|\b(?:and|or|not|in|is|true|false)\b", re.IGNORECASE)
_FOREIGN_SIGNS = re.compile(r"&&|\|\||<>|!(?!=)|(?<![<>=!])=(?!=)|#")


class Source:
    """An expression as its user wrote it, on one line.

    Parameters
    ----------
    text : str

    Raises
    ------
    UserError
        It is empty, longer than `MOST_SIGNS`, or no expression in Python's syntax.
    """

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        if not self.text:
            raise UserError("The expression is empty; one is spades(n) >= 5.")
        if len(self.text) > MOST_SIGNS:
            raise UserError(f"The expression has {len(self.text):,} signs; {MOST_SIGNS:,} are the most.")
        self._refuse_foreign()
        self.tree = self._parsed()

    def of(self, node: ast.expr) -> str:
        """The words that stand for a part of the tree."""
        start, end = self._span(node)
        return self.text[start:end]

    def fail(self, node: ast.expr, message: str) -> NoReturn:
        """Raise a `UserError` that points at a part of the tree."""
        self._fail_at(*self._span(node), message)

    def _fail_at(self, start: int, end: int, message: str) -> NoReturn:
        raise UserError(message, excerpt=pointed(self.text, start, end))

    def _span(self, node: ast.expr) -> tuple[int, int]:
        """Where a part begins and ends, in signs; the tree counts bytes."""
        encoded = self.text.encode()
        start = len(encoded[: node.col_offset].decode(errors="replace"))
        return start, len(encoded[: node.end_col_offset].decode(errors="replace"))

    def _refuse_foreign(self) -> None:
        """Point at signs of other languages or of none, which Python's own messages explain badly."""
        if found := _NO_TEXT.search(self.text):
            self._fail_at(*found.span(), "The expression has a sign that belongs in no text.")
        bare = _STRING.sub(lambda found: " " * len(found[0]), self.text)
        found = _FOREIGN_SIGNS.search(bare)
        if found:
            right = _FOREIGN[found[0]]
            hint = f"; write {right}" if right else ""
            self._fail_at(*found.span(), f"'{found[0]}' is not part of an expression{hint}.")

    def _parsed(self) -> ast.expr:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what Python thinks of the style of odd expressions
                tree = ast.parse(_WORDS.sub(_as_python, self.text), mode="eval").body
        except SyntaxError as error:
            # Where something is missing at the end, Python tells no place.
            at = min(error.offset - 1, len(self.text)) if error.offset else len(self.text)
            reason = (error.msg or "invalid syntax").partition(" (")[0]
            self._fail_at(at, at + 1, f"This is no expression: {reason[0].lower()}{reason[1:]}.")
        except (RecursionError, MemoryError):
            raise UserError(_TOO_DEEP) from None
        _check_depth(tree)
        return tree


def _as_python(found: re.Match[str]) -> str:
    """A word as Python writes it, whatever its capitals; a text in quotes as it is."""
    word = found[0].lower()
    if not word.isalpha():
        return found[0]
    return word.capitalize() if word in ("true", "false") else word


_TOO_DEEP = f"The expression is nested more than {MOST_NESTED} deep."


def _check_depth(tree: ast.AST) -> None:
    """Refuse a tree that is deeper than what its readers may descend."""
    level, depth = [tree], 0
    while level:
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        depth += 1
        if depth > 2 * MOST_NESTED:  # every other level is an operator's name
            raise UserError(_TOO_DEEP)


def pointed(text: str, start: int, end: int) -> str:
    """A text and carets under a part of it, as two lines; far from the part a long text is left out.

    >>> print(pointed("spades(n) >= fve", 13, 16))
        spades(n) >= fve
                     ^^^
    """
    clean = "".join(sign if sign.isprintable() else "?" for sign in text)
    first = max(0, min(start - SHOWN // 2, len(clean) - SHOWN))
    last = first + SHOWN
    before, after = "..." if first else "", "..." if last < len(clean) else ""
    shown = f"{before}{clean[first:last]}{after}"
    carets = "^" * max(1, min(end, last) - start)
    return f"    {shown}\n    {' ' * (len(before) + start - first)}{carets}"
