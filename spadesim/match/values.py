"""What a board or a set of games came to, as one number for statistics."""

from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import PAIRS
from spadesim.core.equity import EQUITY_ONE
from spadesim.core.tally import UNFINISHED
from spadesim.match.equity_file import equity_of
from spadesim.match.spec import DuelSpec


def unit_values(spec: DuelSpec, outcomes: Any) -> npt.NDArray[np.float64]:
    """One value a unit from A's side; 0 is no difference.

    Parameters
    ----------
    spec : DuelSpec
    outcomes : array of OUTCOME records

    Returns
    -------
    float64 array
        Games: A's share of the finished games of a pair or set, a draw as half a win, minus 1/2. Boards: the
        change of A's chance to win, the mean of its rooms (0.01 is one percentage point). At a table of
        single players, and where games are too long for a table of win chances: A's points minus B's a
        board, or A's mean points in a hand of one seat minus B's.
    """
    if spec.kind != PAIRS and equity_of(spec) is not None:
        return np.asarray(outcomes["equity"] / (spec.n_rooms * EQUITY_ONE), dtype=np.float64)
    if spec.kind != PAIRS:
        return np.asarray(outcomes["margin"] / (spec.n_rooms * spec.rules.n_sides / 2), dtype=np.float64)
    rooms = np.stack([outcomes["results"] >> 2 * room & 3 for room in range(spec.n_rooms)])
    finished = (rooms != UNFINISHED).sum(axis=0)
    half_points = np.where(rooms == UNFINISHED, 0, rooms).sum(axis=0)
    return np.where(finished > 0, half_points / np.maximum(2 * finished, 1) - 0.5, 0.0)
