"""A part of a question: what is played under one of its rules."""

from typing import Any, NamedTuple

from spadesim.core.rules import Rules


class Part(NamedTuple):
    """What is played at a stretch.

    Parameters
    ----------
    rules : Rules
    sides : tuple of str
        Who plays, as the spec grammar has it.
    spec : object
        What the kind's own function plays.
    units : int
        Boards and pairs of games in it, as far as is known before; 0 for unknown.
    """

    rules: Rules
    sides: tuple[str, ...]
    spec: Any
    units: int
