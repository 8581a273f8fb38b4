"""Lines with named styles on the terminal: the one place that says what the styles look like."""

import sys
from typing import TYPE_CHECKING

from spadesim.analysis.lines import LETTERS, Block, in_letters, plain
from spadesim.cli.terminal import say

if TYPE_CHECKING:
    from rich.console import Console

# The suits in four colours, as many players know them; the sides as in the tables of a duel.
STYLES = {
    "spade": "bold",
    "heart": "red",
    "diamond": "dark_orange",
    "club": "green",
    "a": "cyan",
    "b": "magenta",
    "head": "bold",
    "dim": "dim",
    "mark": "bold yellow",
    "won": "bold underline",
    "forced": "dim",
    "set": "red",
    "fault": "bold red",
}


def print_block(console: "Console", block: Block) -> None:
    """Print a block: in colours on a terminal, plain elsewhere, in letters where there are no signs."""
    from rich.text import Text

    if not _has_signs():
        block = in_letters(block)
    if not console.is_terminal:
        say(plain(block), end="")
        return
    for row in block:
        spans = [(text, " ".join(STYLES[name] for name in style.split())) for text, style in row]
        console.print(Text.assemble(*spans), soft_wrap=True)


def _has_signs() -> bool:
    """Whether standard output can hold the signs of the suits."""
    try:
        "".join(map(chr, LETTERS)).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
