"""One rating a player out of matches between many, by weighted least squares, with what is sure about it.

The mean value a board of the match of i against j is taken for r_i - r_j and an error. Each match counts by
its boards over the variance of their values. As the same boards are played in all matches, the errors are
not independent: their covariance is estimated over boards (`spadesim.stats.common`), and the ratings' own
follows from it, with what the estimated weights add.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from spadesim.stats.common import FloatArray, MatchMoments
from spadesim.stats.intervals import Estimate, t_quantile
from spadesim.stats.joint import NOTHING, any_time, joint_quantile, superiority
from spadesim.stats.matrix import Pairs, connected_parts
from spadesim.stats.signs import Signs

VALUE, SQUARE, DIFFERS = range(3)  # the features of a board
N_FEATURES = 3


class UnconnectedError(ValueError):
    """Ratings were asked of players whom no chain of matches links."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of some players, and how far they may be off.

    Parameters
    ----------
    values : float64 array of shape (players,)
    covariance : float64 array of shape (players, players)
        Of the values as they are: 0 in the row of an anchor.
    df : float
        Degrees of freedom, the number of common boards less 1.
    first_look : Ratings or None
        What somebody saw who looked at the results before and went on because of them; None for a length
        that was fixed beforehand.
    signs : Signs or None
        Whom boards went for: where few differ, nothing is sure that their number does not say too.
    """

    values: FloatArray
    covariance: FloatArray
    df: float
    first_look: "Ratings | None" = None
    signs: Signs | None = None

    @cached_property
    def errors(self) -> FloatArray:
        """The ratings' standard errors; shape (players,)."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    @cached_property
    def differences(self) -> FloatArray:
        """Row's rating minus column's; shape (players, players)."""
        differences: FloatArray = self.values[:, None] - self.values[None, :]
        return np.where(self.difference_errors > 0, differences, differences.round(12))

    @cached_property
    def difference_errors(self) -> FloatArray:
        """The standard errors of these differences, 0 where there is rounding only."""
        own = np.diag(self.covariance)
        squares = own[:, None] + own[None, :] - 2 * self.covariance
        least = (NOTHING**2) * squares.max(initial=0.0)
        return np.sqrt(np.where(squares > least, squares, 0.0))

    @cached_property
    def quantile(self) -> float:
        """How many standard errors the joint intervals of all ratings reach, one look at them provided."""
        return joint_quantile(self.covariance, self.df)

    @cached_property
    def difference_quantile(self) -> float:
        """The same for all differences between two ratings."""
        upper = np.triu_indices(len(self.values), 1)
        signs = np.zeros((len(upper[0]), len(self.values)))
        rows = np.arange(len(upper[0]))
        signs[rows, upper[0]], signs[rows, upper[1]] = 1, -1
        return joint_quantile(signs @ self.covariance @ signs.T, self.df)

    def alone(self) -> list[Estimate]:
        """Each rating with the 95 % interval that holds for it alone."""
        return self._with_intervals(t_quantile(self.df))

    def joint(self) -> list[Estimate]:
        """Each rating with an interval such that all of them hold together, in 95 of 100 tournaments."""
        return self._with_intervals(self.quantile)

    def _with_intervals(self, quantile: float) -> list[Estimate]:
        first = self.first_look.errors if self.first_look else None
        return _estimates(self.values, self.errors * _reach(quantile, grown(self.errors, first)))

    def margins(self) -> FloatArray:
        """The half widths of joint intervals for all differences; shape (players, players)."""
        margins: FloatArray = self.difference_errors * _reach(self.difference_quantile, self._grown)
        return margins

    def separated(self) -> npt.NDArray[np.bool_]:
        """Which pairs of players differ for sure, all of these statements together."""
        return self._separated

    @cached_property
    def _separated(self) -> npt.NDArray[np.bool_]:
        sure = np.abs(self.differences) > self.margins()
        if self.signs is None:
            return sure
        return self.signs.confirm(sure, self.differences, self.first_look is not None)

    def superiority(self) -> FloatArray:
        """How sure it is that the row's rating is above the column's, each pair for itself."""
        chances = superiority(self.differences, self.difference_errors, self.df, self._grown)
        if self.signs is None:
            return chances
        return self.signs.less_sure(chances, self.first_look is not None)

    @property
    def _grown(self) -> FloatArray | None:
        first = self.first_look.difference_errors if self.first_look else None
        return grown(self.difference_errors, first)


def grown(errors: FloatArray, first: FloatArray | None) -> FloatArray | None:
    """How many times what was known at the first look is known now; None where nobody looked before."""
    if first is None:
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.nan_to_num((first / errors) ** 2, nan=1.0)
    return np.maximum(ratio, 1.0)


def _reach(quantile: float, information: FloatArray | None) -> FloatArray | float:
    """How many standard errors an interval reaches, also for somebody who has looked before."""
    return quantile if information is None else any_time(quantile, information)


def _estimates(values: FloatArray, halves: FloatArray) -> list[Estimate]:
    return [
        Estimate(value, value - half, value + half)
        for value, half in zip(values.tolist(), halves.tolist(), strict=True)
    ]


@dataclass(frozen=True, eq=False)
class Heads:
    """Head to head: what each match itself says, before any rating.

    Parameters
    ----------
    means : float64 array of shape (matches,)
        From the side of the first player of each pair.
    covariance : float64 array of shape (matches, matches)
    df : float
    first_look, signs
        As for `Ratings`.
    """

    means: FloatArray
    covariance: FloatArray
    df: float
    first_look: "Heads | None" = None
    signs: Signs | None = None

    @cached_property
    def errors(self) -> FloatArray:
        """Standard errors of the means."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0))

    @cached_property
    def quantile(self) -> float:
        """How many standard errors joint intervals of all means reach."""
        return joint_quantile(self.covariance, self.df)

    def alone(self) -> list[Estimate]:
        """Each match's mean with the 95 % interval that holds for it alone."""
        return _estimates(self.means, self._halves(t_quantile(self.df)))

    def margins(self) -> FloatArray:
        """The half widths of joint intervals of all means; shape (matches,)."""
        return self._halves(self.quantile)

    def _halves(self, quantile: float) -> FloatArray:
        first = self.first_look.errors if self.first_look else None
        halves: FloatArray = self.errors * _reach(quantile, grown(self.errors, first))
        return halves

    def beats(self, n_players: int, pairs: Pairs) -> npt.NDArray[np.bool_]:
        """Whether the row beats the column for sure in their own match, all such statements together."""
        sure = np.abs(self.means) > self.margins()
        if self.signs is not None:
            sure = self.signs.confirm_matches(sure, self.means, self.first_look is not None)
        beats = np.zeros((n_players, n_players), dtype=bool)
        for (i, j), mean in zip(np.asarray(pairs)[sure].tolist(), self.means[sure], strict=True):
            beats[(i, j) if mean > 0 else (j, i)] = True
        return beats


def heads(moments: MatchMoments) -> Heads:
    """The matches' own results, out of the moments of values and their squares."""
    together = moments.covariance()[::N_FEATURES, ::N_FEATURES].copy()
    together[np.diag_indices_from(together)] += typical_square(moments) / moments.units**2
    return Heads(moments.means[:, 0], together, degrees(moments))


def features(values: FloatArray) -> FloatArray:
    """What `least_squares` takes the moments of: values, their squares, and whether they differ from 0."""
    return np.stack([values, values * values, values != 0], axis=-1)


def degrees(moments: MatchMoments) -> float:
    """Degrees of freedom of all that is estimated over common boards."""
    return float(max(moments.n_common - 1, 1))


def typical_square(moments: MatchMoments) -> float:
    """The mean square of a board's value, of boards that made a difference in any match.

    One such board, half of it won and half of it lost, is put beside those that each match has seen. A match
    in which no board, or hardly one, differed then has neither a weight without limit nor an error of 0.
    """
    _, squares, differing = (moments.means * moments.units[:, None]).sum(axis=0).tolist()
    return float(squares / differing) if differing else 0.0


def least_squares(n_players: int, pairs: Pairs, moments: MatchMoments, anchor: int | None = None) -> Ratings:
    """Ratings by weighted least squares.

    Parameters
    ----------
    n_players : int
    pairs : sequence of (int, int)
        The players of each match; values are seen from the first.
    moments : MatchMoments
        Of the matches' `features`.
    anchor : int or None
        The player whose rating is 0; None: the ratings' sum is.

    Raises
    ------
    UnconnectedError
        Some players met nobody that the others met.

    Examples
    --------
    >>> moments = MatchMoments(1, N_FEATURES)
    >>> moments.add_common(features(np.array([[1.0, 3.0]])))
    >>> least_squares(2, [(0, 1)], moments).values.tolist()
    [1.0, -1.0]
    """
    if len(connected_parts(n_players, pairs)) > 1:
        raise UnconnectedError("these players are not linked by matches")
    means, noise = moments.means, variances(moments)
    to_ratings = centring(n_players, anchor) @ solver(n_players, pairs, moments)
    values = to_ratings @ means[:, 0]
    # How the ratings move with each match's mean value and mean square, its weight included.
    pull = (means[:, 0] - design(n_players, pairs) @ values) / noise
    moves = np.stack(
        [to_ratings * (1 + 2 * pull * means[:, 0]), -to_ratings * pull, 0 * to_ratings], axis=-1
    ).reshape(n_players, -1)
    beside = typical_square(moments) / moments.units**2
    covariance = moves @ moments.covariance() @ moves.T + (to_ratings * beside) @ to_ratings.T
    return Ratings(values, covariance, degrees(moments))


def variances(moments: MatchMoments) -> FloatArray:
    """The variance of a board's value in each match, never 0."""
    means, typical = moments.means, typical_square(moments)
    if typical == 0:
        return np.ones(len(means))
    spread: FloatArray = np.maximum(means[:, 1] - means[:, 0] ** 2, 0.0) + typical / moments.units
    return spread


def solver(n_players: int, pairs: Pairs, moments: MatchMoments) -> FloatArray:
    """The matrix that makes ratings out of the matches' means, their sum 0; shape (players, matches)."""
    weights = moments.units / variances(moments)
    rows = design(n_players, pairs)
    weighted = rows.T * (weights / weights.max())
    # Any constant may be added to all ratings; a part of ones settles that and changes nothing else.
    solved: FloatArray = np.linalg.solve(weighted @ rows + 1 / n_players, weighted)
    return solved


def design(n_players: int, pairs: Pairs) -> FloatArray:
    """A row a match, with 1 for its first player and -1 for its second."""
    rows = np.zeros((len(pairs), n_players))
    for match, (i, j) in enumerate(pairs):
        rows[match, i], rows[match, j] = 1.0, -1.0
    return rows


def centring(n_players: int, anchor: int | None) -> FloatArray:
    """The matrix that shifts ratings so that the anchor's, or their sum, is 0."""
    if anchor is None:
        return np.eye(n_players) - 1 / n_players
    shift = np.eye(n_players)
    shift[:, anchor] -= 1.0
    return shift


def round_robin(n_players: int) -> list[tuple[int, int]]:
    """Every pair of players once."""
    return [(i, j) for i in range(n_players) for j in range(i + 1, n_players)]


def gauntlet(n_players: int, one: int) -> list[tuple[int, int]]:
    """One player against each of the others."""
    return [(one, other) for other in range(n_players) if other != one]


def adjacent(values: Sequence[float] | FloatArray) -> list[tuple[int, int]]:
    """Neighbours in the ranking, the better first.

    >>> adjacent([0.5, -1.0, 2.0])
    [(2, 0), (0, 1)]
    """
    order = np.argsort(-np.asarray(values), kind="stable").tolist()
    return list(pairwise(order))
