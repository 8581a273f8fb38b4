"""Rates out of counted frames: shares, means and differences, bot by bot, with their intervals.

What a frame of `spadesim.analysis.gather` counts is kept apart by blocks; here it is added up for the groups
that are asked for, and divided.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from spadesim.stats import blocks

if TYPE_CHECKING:
    import pandas as pd

    from spadesim.analysis.report import Subject

Array = npt.NDArray[Any]
SUBJECT = "subject"
ROWS = "rows"


def rates(
    frame: "pd.DataFrame", part: "str | Array | pd.Series[Any]", by: Sequence[str] = (), per: Any = ROWS
) -> "pd.DataFrame":
    """A share or a mean for each bot and group, with its 95 % interval.

    Parameters
    ----------
    frame : DataFrame
        A count, or some of its rows.
    part : str, or an array or Series as long as the frame
        What is divided: the name of a sum; or of every row of the frame whether it belongs to the part
        (bools: a share), or a value that all the rows counted there have (numbers: a mean).
    by : sequence of str
        Columns of the frame whose values make the groups, beside the subject.
    per : str, or bools as long as the frame
        What it is divided by: the name of a sum, or the rows counted where it is true.

    Returns
    -------
    DataFrame
        Columns subject, those of `by`, n (what it was divided by), mean, low, high; sorted. A group that has
        nothing to divide by is not there; where one block alone has, low and high are NaN.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"subject": 0, "block": [0, 0, 1, 1], "bid": [3, 0, 3, 0], "rows": [8, 2, 9, 1]})
    >>> rates(frame, frame["bid"] == 0)[["subject", "n", "mean"]].values.tolist()
    [[0.0, 20.0, 0.15]]
    >>> rates(frame, frame["bid"])["mean"].item()
    2.55
    """
    above, below = _numerators(frame, part, per), _denominators(frame, per)
    groups, (numerators, denominators) = block_sums(frame, [above, below], by)
    is_share = not isinstance(part, str) and np.asarray(part).dtype == np.bool_
    found = (blocks.shares if is_share else blocks.ratios)(numerators, denominators)
    return _filled(groups, found, denominators.sum(axis=1))


def differences(
    frame: "pd.DataFrame",
    part: "str | Array | pd.Series[Any]",
    between: "tuple[Array | pd.Series[Any], Array | pd.Series[Any]]",
    by: Sequence[str] = (),
    per: Any = ROWS,
) -> "pd.DataFrame":
    """By how much a share or a mean differs between two sets of rows, for each bot and group.

    Parameters
    ----------
    frame, part, by, per
        As of `rates`.
    between : two arrays of bool as long as the frame
        The rows of the first rate, and of the one that is taken from it.

    Returns
    -------
    DataFrame
        As of `rates`; n is the smaller of the two denominators. A group is there if both rates are.
    """
    above, below = _numerators(frame, part, per), _denominators(frame, per)
    first, second = (np.asarray(mask, dtype=bool) for mask in between)
    values = [above * first, below * first, above * second, below * second]
    groups, sums = block_sums(frame, values, by)
    found = blocks.differences((sums[0], sums[1]), (sums[2], sums[3]))
    return _filled(groups, found, np.minimum(sums[1].sum(axis=1), sums[3].sum(axis=1)))


def together(frames: "Sequence[pd.DataFrame]", by: Sequence[str]) -> "pd.DataFrame":
    """Frames of rates, one below the other, sorted."""
    import pandas as pd

    return pd.concat(frames).sort_values(list(by)).reset_index(drop=True)


def labelled(frame: "pd.DataFrame", subjects: "Sequence[Subject]") -> "pd.DataFrame":
    """The rows of a frame that are about some bots, whose names stand in a column ``bot`` in front."""
    names = {subject.number: subject.label for subject in subjects}
    found = frame[frame[SUBJECT].isin(list(names))]
    named = found.drop(columns=SUBJECT)
    named.insert(0, "bot", found[SUBJECT].map(names))
    return named.reset_index(drop=True)


def block_sums(
    frame: "pd.DataFrame", values: Sequence[Array], by: Sequence[str] = ()
) -> "tuple[pd.DataFrame, list[Array]]":
    """Sums over each block, for each bot and group.

    Parameters
    ----------
    frame : DataFrame
    values : sequence of arrays as long as the frame
    by : sequence of str

    Returns
    -------
    groups : DataFrame
        Columns subject and those of `by`, a row a group that occurs; sorted.
    sums : list of arrays of shape (groups, 64)
    """
    names = [SUBJECT, *by]
    grouped = frame.groupby(names, sort=True, observed=True)
    groups = frame[names].drop_duplicates().sort_values(names).reset_index(drop=True)
    place = grouped.ngroup().to_numpy() * blocks.N_BLOCKS + frame["block"].to_numpy()
    n_places = len(groups) * blocks.N_BLOCKS
    sums = [np.bincount(place, np.asarray(value, np.float64), n_places) for value in values]
    return groups, [array.reshape(-1, blocks.N_BLOCKS) for array in sums]


def _numerators(frame: "pd.DataFrame", part: Any, per: Any) -> Array:
    if isinstance(part, str):
        sums = frame[part].to_numpy()
        return sums if isinstance(per, str) else np.where(np.asarray(per, dtype=bool), sums, 0)
    return np.asarray(part) * _denominators(frame, per)


def _denominators(frame: "pd.DataFrame", per: Any) -> Array:
    rows = frame[per if isinstance(per, str) else ROWS].to_numpy()
    return rows if isinstance(per, str) else np.where(np.asarray(per, dtype=bool), rows, 0)


def _filled(groups: "pd.DataFrame", found: blocks.Intervals, n: Array) -> "pd.DataFrame":
    filled = groups.assign(n=n.round().astype(np.int64), mean=found.mean, low=found.low, high=found.high)
    return filled[np.isfinite(found.mean)].reset_index(drop=True)
