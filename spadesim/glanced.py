"""The seam between results and notebooks: how a result looks in a cell is known to a layer above."""

from collections.abc import Callable
from typing import Any


class Glanced:
    """What a notebook shows at a glance: a sentence, a table or two, and a command.

    Whoever knows how that looks says so in `shown_by`; as long as nobody does, a notebook shows plain text.
    """

    shown_by: Callable[[Any], str] | None = None

    def _repr_html_(self) -> str | None:
        """HTML for the end of a cell, or None."""
        draw = Glanced.shown_by
        return None if draw is None else draw(self)
