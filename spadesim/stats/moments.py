"""What a run is asked for as it goes: how many units, their mean and spread, and how many differed."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Moments:
    """Sums over units (boards, or pairs of games) of one value each; 0 is no difference.

    Parameters
    ----------
    n : int
        Units.
    total, squares : float
        Sums of the values and of their squares.
    ahead, behind : int
        Units with a value above 0, and below.

    Examples
    --------
    >>> first, second = Moments.of([0.0, 0.5]), Moments.of([-0.5, 0.0])
    >>> both = first + second
    >>> both.n, both.mean, both.variance, both.different
    (4, 0.0, 0.125, 2)
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    ahead: int = 0
    behind: int = 0

    @classmethod
    def of(cls, values: Any) -> "Moments":
        """The sums over an array or a sequence, correctly rounded, so that no machine has others."""
        array = np.asarray(values, dtype=np.float64)
        total, squares = math.fsum(array.tolist()), math.fsum((array * array).tolist())
        return cls(array.size, total, squares, int((array > 0).sum()), int((array < 0).sum()))

    def __add__(self, other: "Moments") -> "Moments":
        return Moments(
            self.n + other.n,
            self.total + other.total,
            self.squares + other.squares,
            self.ahead + other.ahead,
            self.behind + other.behind,
        )

    @property
    def different(self) -> int:
        """Units with a value other than 0."""
        return self.ahead + self.behind

    @property
    def mean(self) -> float:
        """The mean value, 0 without units."""
        return self.total / self.n if self.n else 0.0

    @property
    def variance(self) -> float:
        """The mean square of the distance to the mean (divided by n), 0 without units."""
        return max(0.0, self.squares / self.n - self.mean**2) if self.n else 0.0
