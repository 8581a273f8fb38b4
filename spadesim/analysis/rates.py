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
N_ROLES = 4


def rates(
    frame: "pd.DataFrame",
    part: "str | Array | pd.Series[Any]",
    by: Sequence[str] = (),
    per: "str | Array | pd.Series[Any]" = ROWS,
    is_share: bool = False,
    among: int = 1,
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
    per : str, or an array or Series as long as the frame
        What it is divided by: the name of a sum, the rows counted where it is true (bools), or a value that
        all the rows counted there have (numbers).
    is_share : bool
        Whether the part can be no less than nothing and no more than all, though it is no array of bools.
    among : int
        How many intervals of a bot are to hold at once, 95 times in 100: for what is picked out of so many.

    Returns
    -------
    DataFrame
        Columns subject, those of `by`, n (what it was divided by), mean, low, high; sorted. A group that has
        nothing to divide by is not there; where one block alone has, or all agree, low and high are NaN.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"subject": 0, "block": [0, 0, 1, 1], "bid": [3, 0, 3, 0], "rows": [8, 2, 9, 1]})
    >>> rates(frame, frame["bid"] == 0)[["subject", "n", "mean"]].values.tolist()
    [[0.0, 20.0, 0.15]]
    >>> rates(frame, frame["bid"])["mean"].item()
    2.55
    """
    above, below = _sums(frame, part, per)
    groups, (numerators, denominators) = block_sums(frame, [above, below], by)
    interval = blocks.shares if is_share or _is_yes_or_no(part) else blocks.ratios
    found = interval(numerators, denominators, among)
    return _filled(groups, found, denominators.sum(axis=1))


def differences(
    frame: "pd.DataFrame",
    part: "str | Array | pd.Series[Any]",
    between: "tuple[Array | pd.Series[Any], Array | pd.Series[Any]]",
    by: Sequence[str] = (),
    per: "str | Array | pd.Series[Any]" = ROWS,
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
    above, below = _sums(frame, part, per)
    first, second = (np.asarray(mask, dtype=bool) for mask in between)
    values = [above * first, below * first, above * second, below * second]
    groups, sums = block_sums(frame, values, by)
    found = blocks.differences((sums[0], sums[1]), (sums[2], sums[3]))
    return _filled(groups, found, np.minimum(sums[1].sum(axis=1), sums[3].sum(axis=1)))


def matched_differences(
    frame: "pd.DataFrame",
    part: str,
    between: "tuple[Array | pd.Series[Any], Array | pd.Series[Any]]",
    alike: Sequence[str],
    by: Sequence[str] = (),
    among: int = 1,
) -> "pd.DataFrame":
    """By how much a mean differs between two sets of rows that are alike in some ways.

    Within every combination of `alike` the two means are compared; the differences count by how many rows of
    the first set there are, where the second has any (direct standardisation). The two sets may have rows in
    common.

    Parameters
    ----------
    frame : DataFrame
    part : str
        The name of a sum.
    between : two arrays of bool as long as the frame
        The rows of the first mean, and of the one that is taken from it.
    alike : sequence of str
        Columns of the frame.
    by : sequence of str
        Some of `alike`, whose values make the groups.
    among : int
        As of `rates`.

    Returns
    -------
    DataFrame
        As of `rates`; n is the number of rows of the first set that were compared.
    """
    rows, sums = frame[ROWS].to_numpy(), frame[part].to_numpy()
    first, second = (np.asarray(mask, dtype=bool) for mask in between)
    cells, arrays = block_sums(frame, [sums * first, rows * first, sums * second, rows * second], alike)
    both = (arrays[1].sum(axis=1) > 0) & (arrays[3].sum(axis=1) > 0)
    cells, arrays = cells[both].reset_index(drop=True), [array[both] for array in arrays]
    found, counts = [], []
    grouped = cells.groupby([SUBJECT, *by], sort=True)
    for places in grouped.indices.values():
        chosen = tuple(array[places] for array in arrays)
        present = (chosen[1].sum(axis=0) > 0) | (chosen[3].sum(axis=0) > 0)
        found.append(blocks.jackknife(chosen, _standardised, present, among))
        counts.append(chosen[1].sum())
    groups = cells[[SUBJECT, *by]].drop_duplicates().sort_values([SUBJECT, *by]).reset_index(drop=True)
    mean, low, high = (
        np.array([float(getattr(each, name)) for each in found]) for name in ("mean", "low", "high")
    )
    return _filled(groups, blocks.Intervals(mean, low, high), np.array(counts))


def _standardised(sums: Array, rows: Array, other_sums: Array, other_rows: Array) -> Array:
    """The difference of means, over cells that stand on the last axis but one, weighted by the first rows."""
    weights = np.where(other_rows > 0, rows, 0.0)
    gaps = np.where(weights > 0, sums / rows - other_sums / other_rows, 0.0)
    difference: Array = (weights * gaps).sum(axis=-2) / weights.sum(axis=-2)
    return difference


def n_places(found: "pd.DataFrame") -> int:
    """The most rows of rates that a bot has: out of so many, the one that is told is picked."""
    return max(1, int(found.groupby(SUBJECT).size().max())) if len(found) else 1


def from_zero(found: "pd.DataFrame") -> "pd.DataFrame":
    """Rates of what is never less than nothing, with intervals that are not either."""
    return found.assign(low=found["low"].clip(lower=0.0))


def together(frames: "Sequence[pd.DataFrame]", by: Sequence[str]) -> "pd.DataFrame":
    """Frames of rates, one below the other, sorted."""
    import pandas as pd

    return pd.concat(frames).sort_values(list(by)).reset_index(drop=True)


def beside(frame: "pd.DataFrame", on: Sequence[str], **others: "pd.DataFrame") -> "pd.DataFrame":
    """A frame of rates with others in more columns, for `FrameTable`.

    Parameters
    ----------
    frame : DataFrame
    on : sequence of str
        The columns that tell which rows belong together.
    **others : DataFrame
        Rates; those of ``made=`` stand in columns made, made_low, made_high and made_n, empty where
        there are none.
    """
    for name, other in others.items():
        renamed = {"mean": name, "low": f"{name}_low", "high": f"{name}_high", "n": f"{name}_n"}
        chosen = other[[*on, *renamed]].rename(columns=renamed).astype({f"{name}_n": "Int64"})
        frame = frame.merge(chosen, on=list(on), how="left")
    return frame


def once_a_side(frame: "pd.DataFrame") -> "pd.Series[bool]":
    """Which rows of a count by ``role`` are the first of a bot's on its side.

    What belongs to a side stands in the rows of both partners; where these are one bot it would count twice.
    """
    keys = frame[SUBJECT] * N_ROLES + frame["role"]
    return ~((frame["role"] % 2 == 1) & (keys - 1).isin(keys.unique()))


def of_subject(frame: "pd.DataFrame", subject: "Subject") -> "pd.DataFrame":
    """The rows of a frame that are about one bot."""
    return frame[frame[SUBJECT] == subject.number]


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
    import pandas as pd

    names = [SUBJECT, *by]
    codes = np.zeros(len(frame), dtype=np.int64)
    for name in names:
        own, different = pd.factorize(frame[name], sort=True)
        codes = codes * len(different) + own
    _, first, numbers = np.unique(codes, return_index=True, return_inverse=True)
    groups = frame[names].iloc[first].reset_index(drop=True)
    place = numbers * blocks.N_BLOCKS + frame["block"].to_numpy()
    n_places = len(groups) * blocks.N_BLOCKS
    sums = [np.bincount(place, np.asarray(value, np.float64), n_places) for value in values]
    return groups, [array.reshape(-1, blocks.N_BLOCKS) for array in sums]


def _sums(frame: "pd.DataFrame", part: Any, per: Any) -> tuple[Array, Array]:
    """What stands above and below the line, for every row of the frame."""
    rows = frame[ROWS].to_numpy()
    if isinstance(per, str):
        weights = below = frame[per].to_numpy()
    else:
        values = np.asarray(per)
        weights, below = (rows * values if values.dtype == np.bool_ else rows), rows * values
    if not isinstance(part, str):
        return np.asarray(part) * weights, below
    is_mask = not isinstance(per, str) and np.asarray(per).dtype == np.bool_
    return frame[part].to_numpy() * (np.asarray(per) if is_mask else 1), below


def _is_yes_or_no(part: Any) -> bool:
    return not isinstance(part, str) and np.asarray(part).dtype == np.bool_


def _filled(groups: "pd.DataFrame", found: blocks.Intervals, n: Array) -> "pd.DataFrame":
    filled = groups.assign(n=n.round().astype(np.int64), mean=found.mean, low=found.low, high=found.high)
    return filled[np.isfinite(found.mean)].reset_index(drop=True)
