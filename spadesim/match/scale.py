"""The units in which differences are stated, read and shown."""

import math
from dataclasses import dataclass

from spadesim.stats.intervals import Estimate


@dataclass(frozen=True)
class Scale:
    """The unit in which a difference is stated.

    Parameters
    ----------
    name : str
        "win_chance" (of a board), "points" (a board, or a hand of one seat), "games_won" (A's share minus
        1/2), "elo" or "normalised_elo".
    written : float
        What 1, as a user writes it, is: 0.01 for per cent.
    preset : float
        The difference, as a user writes it, that `gain` looks for and `nonregression` rules out.
    suffix : str
        What may stand behind a number, to say which unit is meant.
    words : str
        What stands behind a number in a sentence.
    decimals : int
        Of a number, at the least.
    full : str
        The same in full, where nothing around it says what is counted; as `words` if "".
    heading : str
        At the top of a column; as `words` if "".
    """

    name: str
    written: float
    preset: float
    suffix: str
    words: str
    decimals: int
    full: str = ""
    heading: str = ""

    @property
    def unit(self) -> str:
        """In full, such as "percentage points of win chance a board"."""
        return self.full or self.words

    @property
    def head(self) -> str:
        """At the top of a column."""
        return self.heading or self.words

    def text(self, value: float) -> str:
        """A difference in words.

        >>> WIN_CHANCE.text(0.001)
        '0.10 percentage points a board'
        """
        return f"{self.bare(value)} {self.words}"

    def bare(self, value: float) -> str:
        """Its number, with more decimals where it takes them to show that it is not 0."""
        number = value / self.written
        decimals = self.decimals
        while round(number, decimals) == 0 != number and decimals < 6:
            decimals += 1
        return f"{number:.{decimals}f}"

    def shown(self, estimate: Estimate, signed: bool = False) -> tuple[str, str]:
        """A value and its interval, with as many decimals as the interval can bear.

        >>> POINTS.shown(Estimate(2.0, 1.96, 2.04), signed=True)
        ('+2.00', '+1.96 to +2.04')
        """
        shown = estimate.scaled(1 / self.written)
        half = (shown.high - shown.low) / 2
        places = max(self.decimals, min(4, math.ceil(-math.log10(half)))) if half > 0 else self.decimals
        mean, low, high = (
            f"{value + 0.0:{'+' if signed and round(value, places) else ''}.{places}f}"
            for value in (shown.mean, shown.low, shown.high)
        )
        return mean, f"{low} to {high}"


WIN_CHANCE = Scale(
    "win_chance",
    written=0.01,
    preset=0.1,
    suffix="%",
    words="percentage points a board",
    decimals=2,
    full="percentage points of win chance a board",
    heading="win chance a board, %",
)
POINTS = Scale("points", 1.0, 1.0, "points", "points a board", 1)
POINTS_A_HAND = Scale("points", 1.0, 1.0, "points", "points a hand", 2)
GAMES_WON = Scale("games_won", 0.01, 1.0, "%", "% of games", 1)
ELO = Scale("elo", 1.0, 5.0, "elo", "Elo", 1)
NORMALISED_ELO = Scale("normalised_elo", 1.0, 5.0, "nelo", "normalised Elo", 1)
SCALES = (WIN_CHANCE, POINTS, POINTS_A_HAND, GAMES_WON, ELO, NORMALISED_ELO)


def scale_of(text: str) -> Scale | None:
    """The scale of a unit in full, or by its name; None where there is none.

    >>> scale_of("points a hand").name, scale_of("win_chance").decimals, scale_of("pints")
    ('points', 2, None)
    """
    return next((scale for scale in SCALES if text in (scale.unit, scale.name)), None)
