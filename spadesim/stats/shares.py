"""How often something is so among trials that come in independent units, such as seats in boards.

Trials of one unit may depend on each other in any way, so shares get the interval of clustered data
(`spadesim.stats.proportions`). Units are added up bit by bit, and take no more memory the more there are.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from spadesim.stats.intervals import Estimate
from spadesim.stats.proportions import RatioSums, proportion

Ints = npt.NDArray[np.integer]
MOST_CELLS = 1 << 22


class Shares:
    """Counts of hits among trials, told apart by a whole number.

    Examples
    --------
    Two units of four and two trials; what is seen is 7 once in the first, and twice in the second:

    >>> shares = Shares()
    >>> shares.add(np.array([4, 2]), np.array([0, 1, 1]), np.array([7, 7, 7]))
    >>> shares.trials, shares.counts(), shares.share(7).mean
    (6, {7: 3}, 0.5)
    """

    def __init__(self) -> None:
        self.units = 0
        self.trials = 0
        self._squares = 0  # of the trials of each unit
        self._sums: dict[int, list[int]] = {}

    def add(self, trials: Ints, units: Ints, values: Ints) -> None:
        """Add some units.

        Parameters
        ----------
        trials : array of int
            How many each unit has.
        units : array of int
            The place in `trials` of the unit of each hit.
        values : array of int, as long as `units`
            What is seen at each.
        """
        n = len(trials)
        trials = trials.astype(np.int64)
        self.units += n
        self.trials += int(trials.sum())
        self._squares += int((trials * trials).sum())
        kinds, places = np.unique(values, return_inverse=True)
        for first, counts in _counts(units, places, n, len(kinds)):
            rows = zip(
                kinds[first : first + len(counts)].tolist(),
                counts.sum(axis=1).tolist(),
                (counts * counts).sum(axis=1).tolist(),
                (counts @ trials).tolist(),
                strict=True,
            )
            for kind, *sums in rows:
                before = self._sums.setdefault(kind, [0, 0, 0])
                self._sums[kind] = [old + new for old, new in zip(before, sums, strict=True)]

    def counts(self) -> dict[int, int]:
        """The hits by what was seen, in order."""
        return {kind: self._sums[kind][0] for kind in sorted(self._sums)}

    def share(self, value: int) -> Estimate | None:
        """The share of the trials at which a value is seen; None without any trial."""
        num, num_num, num_den = self._sums.get(value, (0, 0, 0))
        return proportion(RatioSums(self.units, num, self.trials, num_num, num_den, self._squares))


def _counts(
    units: Ints, places: Ints, n_units: int, n_kinds: int
) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Hits by kind and unit, some kinds at a time, with the number of the first of them."""
    step = max(1, MOST_CELLS // max(n_units, 1))
    for first in range(0, n_kinds, step):
        some = min(step, n_kinds - first)
        chosen = (places >= first) & (places < first + some)
        key = (places[chosen] - first) * n_units + units[chosen]
        yield first, np.bincount(key, minlength=some * n_units).reshape(some, n_units)
