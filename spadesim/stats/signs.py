"""How many boards went for each player of a tournament against each: what is left to trust where few differ.

A rating is a mean, and the normal approximation of its error promises too much while few boards make any
difference. Then their number has a say as well: which way each of them went, by the exact sign test.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from spadesim.stats.exact import FEW_DIFFERENT, less_sure, sign_p_any_time, sign_test
from spadesim.stats.intervals import LEVEL
from spadesim.stats.matrix import Pairs

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

ROUNDING = 1e-9  # beside the largest value of the same boards


class Signs:
    """Counts of boards by who came out ahead.

    What a board says about two players is what it adds to the difference of their ratings, all matches
    counting alike: with two players its value, with more also what each of them made of it against the
    others. A board that one match alone played counts for the two who met.

    Parameters
    ----------
    n_players : int
    pairs : sequence of (int, int)
        The players of each match; values are seen from the first.

    Attributes
    ----------
    ahead : int64 array of shape (players, players)
        Boards that spoke for the row against the column.
    won, lost : int64 arrays of shape (matches,)
        Boards that went for the first player of each match, and against it.

    Examples
    --------
    >>> signs = Signs(2, [(0, 1)])
    >>> signs.add_common(np.array([[0.5, 0.0, -0.1, 0.2]]))
    >>> signs.ahead.tolist(), signs.few().tolist()
    ([[0, 2], [1, 0]], [[False, True], [True, False]])
    """

    def __init__(self, n_players: int, pairs: Pairs) -> None:
        self.pairs = pairs
        self.ahead: IntArray = np.zeros((n_players, n_players), dtype=np.int64)
        self.won: IntArray = np.zeros(len(pairs), dtype=np.int64)
        self.lost: IntArray = np.zeros(len(pairs), dtype=np.int64)
        rows = np.zeros((len(pairs), n_players))
        for match, (i, j) in enumerate(pairs):
            rows[match, i], rows[match, j] = 1.0, -1.0
        self._to_players = np.linalg.pinv(rows)

    def add_common(self, values: FloatArray) -> None:
        """Add boards that all matches played; values of shape (matches, boards)."""
        self.won += (values > 0).sum(axis=1)
        self.lost += (values < 0).sum(axis=1)
        per_player = self._to_players @ values
        least = ROUNDING * np.abs(per_player).max(initial=0.0)
        for player, own in enumerate(per_player):
            self.ahead[player] += (own - per_player > least).sum(axis=1)

    def add_extra(self, match: int, values: FloatArray) -> None:
        """Add boards that one match alone played; values of shape (boards,)."""
        (i, j), won, lost = self.pairs[match], int((values > 0).sum()), int((values < 0).sum())
        self.won[match] += won
        self.lost[match] += lost
        self.ahead[i, j] += won
        self.ahead[j, i] += lost

    def few(self) -> BoolArray:
        """Between whom fewer than `FEW_DIFFERENT` boards make a difference; shape (players, players)."""
        few: BoolArray = self.ahead + self.ahead.T < FEW_DIFFERENT
        np.fill_diagonal(few, False)
        return few

    def confirm(self, sure: BoolArray, differences: FloatArray, is_watched: bool) -> BoolArray:
        """What remains of statements about pairs of players when few boards have to agree by their number.

        Parameters
        ----------
        sure : bool array of shape (players, players)
            The pairs that differ by the means.
        differences : float64 array of the same shape
        is_watched : bool
            Whether somebody has looked before, and gone on because of what there was to see.
        """
        found, n = sure.copy(), len(sure)
        for i, j in np.argwhere(self.few() & sure).tolist():
            found[i, j] = _is_confirmed(
                differences[i, j], self.ahead[i, j], self.ahead[j, i], n * (n - 1) // 2, is_watched
            )
        return found

    def confirm_matches(self, sure: BoolArray, means: FloatArray, is_watched: bool) -> BoolArray:
        """The same for what each match says for itself; arrays of shape (matches,)."""
        found = sure.copy()
        for match in np.flatnonzero(sure & (self.won + self.lost < FEW_DIFFERENT)).tolist():
            counts = self.won[match], self.lost[match]
            found[match] = _is_confirmed(means[match], *counts, len(sure), is_watched)
        return found

    def less_sure(self, chances: FloatArray, is_watched: bool) -> FloatArray:
        """How sure the row is better than the column, where few boards differ no surer than by number.

        Parameters
        ----------
        chances : float64 array of shape (players, players)
        is_watched : bool
            As for `confirm`.
        """
        found = chances.copy()
        for i, j in np.argwhere(self.few()).tolist():
            found[i, j] = less_sure(
                float(chances[i, j]), int(self.ahead[i, j]), int(self.ahead[j, i]), is_watched
            )
        return found


def _is_confirmed(difference: float, won: int, lost: int, statements: int, is_watched: bool) -> bool:
    """Whether boards by their number say the same as a mean, as one of so many statements (C. Bonferroni)."""
    p_value: Callable[[int, int], float] = sign_p_any_time if is_watched else _p_value
    is_alike = (won > lost) if difference > 0 else (won < lost)
    return is_alike and p_value(int(won), int(lost)) * statements < 1 - LEVEL


def _p_value(won: int, lost: int) -> float:
    return sign_test(won, lost).p_value
