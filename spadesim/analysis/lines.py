"""Text in lines of named styles: blocks that can stand beside each other, plain or in colours.

What the names look like is for whoever prints; `plain` leaves them out.
"""

import textwrap
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
