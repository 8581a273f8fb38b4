"""Many settings against one baseline on the same boards: what is true of all of them together.

Every arm of a sweep plays the first so many boards, and stops when there is little hope for it. What is said
of an arm is said at one of a few borders that are fixed beforehand. So the largest |error| / standard error
over all arms *and* all borders bounds everything that may be said, whichever arms go on, and whoever is
looked at. Its quantile is that of a joint normal distribution: arms vary together as their boards show, and
an arm's estimate at one border contains that at an earlier one (independent increments; C. Jennison and B. W.
Turnbull, "Group Sequential Methods", 2000). With one border it is Dunnett's comparison with a control
(Journal of the American Statistical Association 50, 1955) for arms of any correlation.
"""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from spadesim.stats.exact import FEW_DIFFERENT, sign_test
from spadesim.stats.intervals import LEVEL, unseen_share
from spadesim.stats.joint import DRAWS, SEED, joint_quantile

FloatArray = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

MOST_TOGETHER = 600  # arms times borders whose joint distribution is drawn; more are bounded one by one
MOST_PRODUCTS = 2000  # arms of which it is kept how they vary together; no arm has more rivals
ROUNDING = 1e-13  # a spread this small beside the squares it is taken from is none
ALIKE = 1e-6  # arms that differ by so little, beside what they gain and lose, are the same
FEW = 50  # boards that differ, below which their spread alone says too little


class Nested:
    """Sums over the boards of some arms, each of which has played the first so many of them.

    Parameters
    ----------
    n_arms : int

    Examples
    --------
    The first arm stops after two boards, the second goes on:

    >>> sums = Nested(2)
    >>> sums.add([0, 1], np.array([[1.0, 3.0], [2.0, 2.0]]))
    >>> sums.add([1], np.array([[5.0]]))
    >>> sums.boards.tolist(), sums.means.tolist(), next(sums.differences([0], [1]))[0].tolist()
    ([2, 3], [2.0, 3.0], [0.0])
    """

    def __init__(self, n_arms: int) -> None:
        self.has_products = n_arms <= MOST_PRODUCTS
        self._products = np.zeros((n_arms, n_arms) if self.has_products else (0, 0))
        self._sizes: list[int] = []
        self._sums: list[FloatArray] = []
        self._squares: list[FloatArray] = []
        self._last = np.zeros(n_arms, dtype=np.int64)  # blocks that each arm has played
        self.ahead, self.behind = np.zeros((2, n_arms), dtype=np.int64)
        self.largest = 0.0

    def add(self, arms: Sequence[int], values: FloatArray) -> None:
        """Add a block of boards behind the others.

        Parameters
        ----------
        arms : sequence of int
            Who plays on; all of them have played every block before.
        values : float64 array of shape (these arms, boards)
        """
        chosen, n = np.asarray(arms, dtype=np.int64), len(self._last)
        for into, numbers in ((self._sums, values), (self._squares, values**2)):
            row = np.zeros(n)
            row[chosen] = numbers.sum(axis=1)
            into.append(row)
        self._sizes.append(values.shape[1])
        if self.has_products:
            self._products[np.ix_(chosen, chosen)] += values @ values.T
        self._last[chosen] += 1
        self.ahead[chosen] += (values > 0).sum(axis=1)
        self.behind[chosen] += (values < 0).sum(axis=1)
        self.largest = max(self.largest, float(np.abs(values).max(initial=0.0)))

    @property
    def boards(self) -> Ints:
        """Boards that each arm has played."""
        done: Ints = np.concatenate([[0], np.cumsum(self._sizes, dtype=np.int64)])
        return done[self._last]

    @property
    def different(self) -> Ints:
        """Boards on which each arm's value was not 0."""
        return self.ahead + self.behind

    @property
    def means(self) -> FloatArray:
        """The mean value of each arm, 0 without boards."""
        means: FloatArray = np.sum(self._sums, axis=0) / np.maximum(self.boards, 1)
        return means

    @property
    def errors(self) -> FloatArray:
        """The standard error of each mean, 0 with fewer than two boards."""
        n = np.maximum(self.boards, 2)
        spread = np.sum(self._squares, axis=0) / n - self.means**2
        errors: FloatArray = np.sqrt(np.maximum(spread, 0.0) / (n - 1))
        return errors

    def halves(self, reach: float, limit: float) -> FloatArray:
        """Half the width of each arm's interval.

        Parameters
        ----------
        reach : float
            Standard errors to each side.
        limit : float
            The most that a board can show, where none has shown anything.

        Notes
        -----
        Where fewer than 50 boards differ, boards that differ may be as many more as
        `spadesim.stats.intervals.unseen_share` allows, each by as much as any that was seen.
        """
        unseen = np.array([unseen_share(max(1, n)) for n in self.boards.tolist()])
        rare = np.where(self.different < FEW, unseen * (self.largest or limit), 0.0)
        halves: FloatArray = reach * self.errors + rare
        return halves

    def differences(
        self, arms: Sequence[int], rivals: Sequence[int] | Ints
    ) -> Iterator[tuple[FloatArray, FloatArray]]:
        """For each of some arms: its rivals' means minus its own, and the standard errors of these.

        Each two are compared on the boards that both have played; both arrays have the shape (rivals,).
        """
        sums, squares = (np.cumsum(rows, axis=0) for rows in (self._sums, self._squares))
        n_boards, others = np.cumsum(self._sizes), np.asarray(rivals, dtype=np.int64)
        for arm in arms:
            common = np.minimum(self._last[others], self._last[arm]) - 1
            n = n_boards[common]
            theirs, own = sums[common, others] / n, sums[common, arm] / n
            spread = (squares[common, others] + squares[common, arm]) / n - theirs**2 - own**2
            if self.has_products:
                spread -= 2 * (self._products[arm, others] / n - theirs * own)
            spread[(spread < ROUNDING * squares[common, arm] / n) | (others == arm)] = 0.0
            yield theirs - own, np.sqrt(np.maximum(spread, 0.0) / np.maximum(n - 1, 1))

    def correlation(self) -> FloatArray:
        """How the arms vary together, shape (arms, arms): of each two on the boards that both have played.

        An arm that never differed is taken for independent of all others.
        """
        n_arms = len(self._last)
        if not self.has_products or not self._sizes:
            return np.eye(n_arms)
        common = np.minimum.outer(self._last, self._last) - 1
        arms = np.arange(n_arms)[:, None]
        sums, squares = (np.cumsum(rows, axis=0).T for rows in (self._sums, self._squares))
        n = np.cumsum(self._sizes)[common]
        mean = sums[arms, common] / n
        spread = np.maximum(squares[arms, common] / n - mean**2, 0.0)
        joint = self._products / n - mean * mean.T
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.nan_to_num(joint / np.sqrt(spread * spread.T), posinf=0.0, neginf=0.0)
        np.fill_diagonal(found, 1.0)
        return _definite(np.clip(found, -1.0, 1.0))


def _definite(correlation: FloatArray) -> FloatArray:
    """The nearest that can be a correlation: its parts come from different numbers of boards."""
    values, vectors = np.linalg.eigh(correlation)
    if values[0] >= 0:
        return correlation
    mended = (vectors * np.maximum(values, 1e-9)) @ vectors.T
    scale = np.sqrt(np.diag(mended))
    nearest: FloatArray = mended / np.outer(scale, scale)
    return nearest


def joint_reach(correlation: FloatArray, borders: Sequence[int], df: float) -> float:
    """How many standard errors hold the true values of all arms at all borders, in 95 of 100 sweeps.

    Parameters
    ----------
    correlation : float64 array of shape (arms, arms)
    borders : sequence of int
        The numbers of boards at which an arm may stop, rising.
    df : float
        Degrees of freedom at the first of them.

    Examples
    --------
    >>> one, alike = np.eye(1), np.ones((5, 5))
    >>> round(joint_reach(one, [100], 1e6), 2), round(joint_reach(alike, [100], 1e6), 2)
    (1.96, 1.96)
    >>> round(joint_reach(one, [100, 200, 400, 800], 1e6), 1), round(joint_reach(np.eye(20), [100], 1e6), 1)
    (2.4, 3.0)
    """
    if len(correlation) * len(borders) > MOST_TOGETHER:
        return apart_reach(len(correlation) * len(borders), df)
    n = np.asarray(borders, dtype=np.float64)
    looks = np.sqrt(np.minimum.outer(n, n) / np.maximum.outer(n, n))
    return joint_quantile(np.asarray(np.kron(correlation, looks), dtype=np.float64), df)


def apart_reach(statements: int, df: float) -> float:
    """The same for so many statements of which nothing is known together (C. E. Bonferroni, 1936).

    >>> round(apart_reach(1, 1e6), 2), round(apart_reach(105, 1e6), 2)
    (1.96, 3.49)
    """
    from scipy.special import stdtrit

    return float(stdtrit(df, 1 - (1 - LEVEL) / (2 * statements)))


def p_values(sums: Nested, looks: int) -> FloatArray:
    """The p value of no difference of each arm for itself; shape (arms,).

    Parameters
    ----------
    sums : Nested
    looks : int
        Borders at which an arm may have stopped, each of which gives luck another chance.

    Notes
    -----
    Student's t over boards; where fewer than 100 boards differ the exact sign test must agree.
    """
    from scipy.special import stdtr

    size = np.divide(np.abs(sums.means), sums.errors, out=np.zeros_like(sums.means), where=sums.errors > 0)
    single = 2 * stdtr(np.maximum(sums.boards - 1, 1), -size)
    for arm in np.flatnonzero(sums.different < FEW_DIFFERENT).tolist():
        single[arm] = max(single[arm], sign_test(int(sums.ahead[arm]), int(sums.behind[arm])).p_value)
    found: FloatArray = np.minimum(1.0, looks * single)
    return found


def holm(p: FloatArray) -> FloatArray:
    """P values adjusted so that all may be read together, whatever they have to do with each other.

    Notes
    -----
    S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6
    (1979).

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    from statsmodels.stats.multitest import multipletests

    adjusted: FloatArray = multipletests(p, method="holm")[1]
    return adjusted


def not_worse(sums: Nested, borders: Sequence[int], df: float, arms: Sequence[int]) -> list[int]:
    """Those of some arms that none of them surely beats: in 95 of 100 sweeps the best one is not left out.

    Each arm is held against every other one on their common boards (S. S. Gupta, "On some multiple decision
    rules", Technometrics 7, 1965; J. C. Hsu, "Multiple Comparisons", 1996), by a band that holds against all
    of them at all borders; of very many arms only against the best ones. Nothing is left out by two arms of
    fewer than 50 boards that differ.

    Parameters
    ----------
    sums : Nested
    borders, df
        As for `joint_reach`.
    arms : sequence of int
        Who is looked at; the others are known to be beaten.
    """
    chosen = np.asarray(arms, dtype=np.int64)
    rivals = chosen[np.argsort(-sums.means[chosen])[:MOST_PRODUCTS]]
    statements = max(1, (len(chosen) - 1) * len(borders))
    least, most = joint_reach(np.eye(1), borders, df), apart_reach(statements, df)
    reach_of: Callable[[int], float] | None = None
    found = []
    different = sums.different
    for place, (arm, (gaps, errors)) in enumerate(zip(arms, sums.differences(arms, rivals), strict=True)):
        is_told = (np.maximum(different[rivals], different[arm]) >= FEW) & (gaps > 0)
        with np.errstate(divide="ignore"):
            furthest = float((gaps[is_told] / errors[is_told]).max(initial=0.0))
        if least < furthest <= most:
            reach_of = reach_of or _reaches(sums, borders, df, chosen)
            furthest = 0.0 if furthest <= reach_of(place) else math.inf
        if furthest <= least:
            found.append(arm)
    return found


def _reaches(sums: Nested, borders: Sequence[int], df: float, arms: Ints) -> Callable[[int], float]:
    """`joint_reach` for the differences of some arms to one of them, by its place: the same draws for all."""
    n_arms, n = len(arms), np.asarray(borders, dtype=np.float64)
    if n_arms * len(n) > MOST_TOGETHER:
        bound = apart_reach((n_arms - 1) * len(n), df)
        return lambda _: bound
    own = (sums.errors * np.sqrt(sums.boards))[arms]
    covariance = sums.correlation()[np.ix_(arms, arms)] * np.outer(own, own)
    values, vectors = np.linalg.eigh(covariance)
    rng = np.random.default_rng(SEED)
    steps = rng.standard_normal((n_arms, len(n), DRAWS)) * np.sqrt(np.diff(n, prepend=0.0))[:, None]
    walks = np.cumsum(steps, axis=1) / np.sqrt(n)[:, None]
    errors = np.tensordot(vectors * np.sqrt(np.maximum(values, 0.0)), walks, axes=1)
    chi = np.sqrt(df / rng.chisquare(df, DRAWS))
    variances = np.diag(covariance)

    def reach_of(place: int) -> float:
        spread = np.sqrt(np.maximum(variances + variances[place] - 2 * covariance[place], 0.0))
        live = np.flatnonzero(spread > ALIKE * math.sqrt(variances.max()))
        if not len(live):
            return apart_reach(1, df)
        largest = (np.abs(errors[live] - errors[place]).max(axis=1) / spread[live, None]).max(axis=0)
        return float(np.quantile(largest * chi, LEVEL))

    return reach_of
