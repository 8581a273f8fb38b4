"""Text in lines of named styles: blocks that can stand beside each other, plain or in colours.

What the names look like is for whoever prints; `plain` leaves them out.
"""

import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import NamedTuple


class Span(NamedTuple):
    """A piece of text of one style."""

    text: str
    style: str = ""


Line = tuple[Span, ...]
Block = list[Line]

LETTERS = str.maketrans(
    {
        "♠": "S",
        "♥": "H",
        "♦": "D",
        "♣": "C",
        "›": ">",
        "·": ".",
        "≠": "#",
        "–": "-",
        "…": "~",
        "−": "-",
        "×": "x",
        "±": "+-",
    }
)


HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # control, format, surrogate, private, separators of lines


def visible(text: str) -> str:
    r"""A text of one or more lines with other signs that print nothing, or steer a terminal, written out.

    >>> print(visible("a\x1b[31m.py\nb\u202e"))
    a\x1b[31m.py
    b\u202e
    """
    if text.replace("\n", "").isprintable():
        return text
    return "".join(sign if sign == "\n" or not is_hidden(sign) else _written(sign) for sign in text)


def is_hidden(sign: str) -> bool:
    """Whether a sign prints nothing, or changes how others are printed."""
    return unicodedata.category(sign) in HIDDEN


def _written(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def line(*parts: Span | str) -> Line:
    """A line of pieces; words without a style are plain."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def width(row: Line) -> int:
    """How many columns a line takes."""
    return sum(len(span.text) for span in row)


def width_of(block: Sequence[Line]) -> int:
    """How many columns a block takes."""
    return max(map(width, block), default=0)


def padded(row: Line, columns: int) -> Line:
    """A line with blanks up to a width."""
    return (*row, Span(" " * (columns - width(row)))) if width(row) < columns else row


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """Blocks side by side, their first lines level."""
    widths = [width_of(block) + gap for block in blocks[:-1]]
    rows = zip_longest(*blocks, fillvalue=())
    return [
        (
            *(span for row, columns in zip(row, widths, strict=False) for span in padded(row, columns)),
            *row[-1],
        )
        for row in rows
    ]


def wrapped(text: str, columns: int, style: str = "", indent: str = "") -> Block:
    """A sentence on as many lines as it needs; nothing for no text."""
    rows = textwrap.wrap(text, columns, subsequent_indent=indent, break_on_hyphens=False)
    return [line(Span(row, style)) for row in rows]


def cut(text: str, columns: int) -> str:
    """A text with its end left out where it is too long."""
    return text if len(text) <= columns else text[: columns - 1] + "…"


def plain(block: Iterable[Line]) -> str:
    """The text of a block, without blanks at the ends of its lines."""
    return "".join("".join(span.text for span in row).rstrip() + "\n" for row in block)


def in_letters(block: Iterable[Line]) -> Block:
    """A block in ASCII letters: S, H, D and C for the suits."""
    return [tuple(Span(text.translate(LETTERS), style) for text, style in row) for row in block]
