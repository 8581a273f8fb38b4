"""Means over boards of what several matches came to, and how these means vary together.

When the same boards are played in every match, the luck of a board is felt in all of them, so the matches'
means are not independent of each other. Their covariance is estimated from the boards that all matches
have in common. A match may have boards of its own besides; these are independent of all else.
"""

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


class MatchMoments:
    """Sums over boards, or pairs of games, of some features of each match.

    Parameters
    ----------
    n_matches, n_features : int
        A feature is a number that each board of a match has, such as its value and the value's square.

    Examples
    --------
    Two matches of which the second always shows twice the value of the first:

    >>> moments = MatchMoments(2, 1)
    >>> moments.add_common(np.array([[[1.0], [3.0]], [[2.0], [6.0]]]))
    >>> moments.means[:, 0].tolist(), moments.covariance().tolist()
    ([2.0, 4.0], [[1.0, 2.0], [2.0, 4.0]])
    """

    def __init__(self, n_matches: int, n_features: int) -> None:
        self.n_common = 0
        self.n_extra = np.zeros(n_matches, dtype=np.int64)
        self._common = np.zeros((n_matches, n_features))
        self._extra = np.zeros((n_matches, n_features))
        size = n_matches * n_features
        self._common_products = np.zeros((size, size))
        self._extra_products = np.zeros((n_matches, n_features, n_features))

    def add_common(self, features: FloatArray) -> None:
        """Add boards that all matches played.

        Parameters
        ----------
        features : float64 array of shape (matches, boards, features)
        """
        flat = np.moveaxis(features, 1, 0).reshape(features.shape[1], -1)
        self.n_common += features.shape[1]
        self._common += features.sum(axis=1)
        self._common_products += flat.T @ flat

    def add_extra(self, match: int, features: FloatArray) -> None:
        """Add boards that one match alone played.

        Parameters
        ----------
        match : int
        features : float64 array of shape (boards, features)
        """
        self.n_extra[match] += len(features)
        self._extra[match] += features.sum(axis=0)
        self._extra_products[match] += features.T @ features

    @property
    def units(self) -> npt.NDArray[np.int64]:
        """Boards that each match played."""
        return self.n_common + self.n_extra

    @property
    def means(self) -> FloatArray:
        """The mean of each match's features; shape (matches, features)."""
        means: FloatArray = (self._common + self._extra) / self.units[:, None]
        return means

    def covariance(self) -> FloatArray:
        """The covariance of these means; shape (matches * features) squared, 0 with fewer than two boards.

        Over the common boards it is that of a sample mean; the boards of one match alone add theirs to its
        own part, each weighted by its share of the match's boards.
        """
        n_matches, n_features = self._common.shape
        if self.n_common < 2:
            return np.zeros_like(self._common_products)
        share = np.repeat(self.n_common / self.units, n_features)
        centre = self._common.ravel() / self.n_common
        spread = self._common_products / self.n_common - np.outer(centre, centre)
        together: FloatArray = spread * np.outer(share, share) / (self.n_common - 1)
        for match in range(n_matches):
            if self.n_extra[match] > 1:
                own = slice(match * n_features, (match + 1) * n_features)
                together[own, own] += self._own(match)
        return together

    def _own(self, match: int) -> FloatArray:
        """What the boards of one match alone add to the covariance of its means."""
        n = self.n_extra[match]
        centre = self._extra[match] / n
        spread = self._extra_products[match] / n - np.outer(centre, centre)
        added: FloatArray = spread * (n / self.units[match]) ** 2 / (n - 1)
        return added
