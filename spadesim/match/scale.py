"""In which unit a board's value is told, and with how many decimals."""

import math
from dataclasses import dataclass

from spadesim.match.equity_file import equity_of
from spadesim.match.spec import DuelSpec
from spadesim.stats.intervals import Estimate

PERCENT = 100.0


@dataclass(frozen=True)
class Scale:
    """How values of boards are shown.

    Parameters
    ----------
    unit : str
        In words, such as "points a board".
    head : str
        The same at the top of a column.
    factor : float
        What a value is multiplied by to be in that unit.
    least : int
        Decimals at the least.
    """

    unit: str
    head: str
    factor: float
    least: int

    def text(self, estimate: Estimate, signed: bool = False) -> tuple[str, str]:
        """A value and its interval in the unit, with as many decimals as the interval can bear.

        >>> Scale("points a board", "points a board", 1, 1).text(Estimate(2.0, 1.96, 2.04), signed=True)
        ('+2.00', '+1.96 to +2.04')
        """
        shown = estimate.scaled(self.factor)
        half = (shown.high - shown.low) / 2
        places = max(self.least, min(4, math.ceil(-math.log10(half)))) if half > 0 else self.least
        mean, low, high = (
            f"{value + 0.0:{'+' if signed and round(value, places) else ''}.{places}f}"
            for value in (shown.mean, shown.low, shown.high)
        )
        return mean, f"{low} to {high}"


def scale_of(spec: DuelSpec) -> Scale:
    """The scale of the values that `spadesim.match.values.unit_values` gives for boards."""
    if equity_of(spec) is not None:
        return Scale("percentage points of win chance a board", "win chance a board, %", PERCENT, 2)
    unit = "points a board" if spec.rules.n_sides == 2 else "points a hand"
    return Scale(unit, unit, 1.0, 1)
