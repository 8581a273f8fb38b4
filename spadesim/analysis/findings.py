"""Sentences that read a figure: an estimate in words, with its interval."""

from collections.abc import Callable, Sequence
from itertools import islice
from math import isnan
from typing import TYPE_CHECKING, Any

from spadesim.analysis.numbers import MOST_DECIMALS, number, percent
from spadesim.analysis.report import Report, Subject
from spadesim.match.recorded import RecordedRun
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

MOST_SENTENCES = 6  # of the same kind; tables have the rest
EXACT = 2  # decimals of what has no interval
NO_INTERVAL = "A single board, pair or set of games tells nothing of chance: there are no intervals."


def as_recorded(what: str, run: RecordedRun) -> str:
    """That something is told by cards which a run was recorded without, and the command that records them.

    Parameters
    ----------
    what : str
        The beginning of a sentence: "Why bags were taken".
    run : RecordedRun
    """
    command = f"{run.spec.command()} --record cards --out DIR"
    return f"{what} is told by the cards, which were not recorded. To have them: {command}"


def side_of(subject: Subject) -> str:
    """The side that a bot plays on, where there are partners; else the bot.

    What a side does is told of whoever plays on it: "hard's side takes 2 bags a hand".
    """
    return f"{subject.label}'s side" if subject.run.spec.has_partners else subject.label


def estimate_in(row: Any) -> Estimate:
    """The estimate that a row of a rates frame holds."""
    return Estimate(float(row["mean"]), float(row["low"]), float(row["high"]))


def told(estimate: Estimate, unit: str = "", least: int = 1) -> str:
    """A number with its unit and interval.

    >>> told(Estimate(0.4, 0.38, 0.42), "tricks")
    '0.40 tricks (0.38 to 0.42)'
    >>> told(Estimate(0.4, float("nan"), float("nan")), "tricks")
    '0.40 tricks (no interval)'
    """
    least = least if estimate.low < estimate.high else EXACT
    while estimate.low > 0 and least < MOST_DECIMALS and round(estimate.low, least) == 0:
        least += 1  # what is surely above 0 looks so
    cell = number(estimate, least)
    return f"{cell.value} {unit}".rstrip() + _within(estimate, cell.note)


def more_or_less(estimate: Estimate, unit: str, less: str = "fewer") -> str:
    """A difference in words.

    >>> more_or_less(Estimate(-17.03, -17.3, -16.76), "points")
    '17.0 points fewer (16.8 to 17.3)'
    >>> more_or_less(Estimate(0.7, -0.8, 2.1), "points")
    'about as many points (-0.8 to +2.1)'
    """
    if not is_sure(estimate):
        return f"about as many {unit}{_within(estimate, number(estimate, 1, signed=True).note)}"
    return told(size(estimate), f"{unit} {'more' if estimate.mean > 0 else less}")


def told_share(share: Estimate) -> str:
    """A share in per cent with its interval.

    >>> told_share(Estimate(0.882, 0.88, 0.884))
    '88.2 % (88.0 to 88.4 %)'
    """
    cell = percent(share)
    return cell.value + _within(share, cell.note)


def _within(estimate: Estimate, note: str) -> str:
    """The interval of a value in brackets, or that it has none: blocks that are few, or agree, tell none."""
    return f" ({note or 'no interval'})" if note or isnan(estimate.low) else ""


def size(estimate: Estimate) -> Estimate:
    """How large a number is, whatever its sign."""
    return estimate if estimate.mean >= 0 else estimate.scaled(-1)


def is_sure(estimate: Estimate) -> bool:
    """Whether an interval leaves out 0; a value without one is taken as it is, and told to have none."""
    return estimate.mean != 0 and not estimate.low <= 0 <= estimate.high


def farthest(rows: "pd.DataFrame") -> Any:
    """The row of a rates frame whose value is farthest from 0, of those that are surely off it; else of all.

    Rows without an interval are passed over, unless none has any.

    Parameters
    ----------
    rows : DataFrame
        As of `spadesim.analysis.rates.rates` with ``among`` for as many rows as there are, so that the
        interval of the one found holds although it is the farthest of many.
    """
    rows = with_interval(rows)
    sure = rows[(rows["low"] > 0) | (rows["high"] < 0)]
    rows = sure if len(sure) else rows
    return rows.iloc[int(rows["mean"].abs().to_numpy().argmax())]


def off_zero(rows: "pd.DataFrame") -> list[Any]:
    """The highest and the lowest row of a rates frame, those that are surely off 0 alone; the farther first.

    One alone where none surely lies on the other side of 0, unless all are surely on the same: then the
    farthest and the nearest.

    Parameters
    ----------
    rows : DataFrame
        As of `farthest`.
    """
    rows = with_interval(rows).sort_values("mean", kind="stable")
    is_sure_row = [is_sure(estimate_in(row)) for _, row in rows.iterrows()]
    sure = rows[is_sure_row]
    if not len(sure):
        return []
    lowest, highest = sure.iloc[0], sure.iloc[-1]
    if len(sure) == 1:
        return [highest]
    one_sided = lowest["mean"] * highest["mean"] > 0
    if one_sided and not all(is_sure_row):
        return [highest if highest["mean"] > 0 else lowest]
    return sorted((highest, lowest), key=lambda row: -abs(row["mean"]))


def tells(rows: "pd.DataFrame") -> bool:
    """Whether any row of a rates frame has an interval, without which none is picked as the highest."""
    return bool(rows["low"].notna().any())


def with_interval(rows: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of a rates frame that have an interval; all of them if none has any."""
    has_interval = rows["low"].notna()
    return rows[has_interval] if has_interval.any() else rows


def ends(rows: "pd.DataFrame") -> tuple[Any, Any]:
    """The highest and the lowest row of a rates frame, of those that surely are above and below each other.

    Parameters
    ----------
    rows : DataFrame
        As of `farthest`. Where the lowest end of the first is not above the highest end of the second,
        nothing surely differs (`is_apart`).
    """
    rows = with_interval(rows)
    mean = rows["mean"]
    low, high = (rows[end].fillna(mean) for end in ("low", "high"))
    if low.max() <= high.min():
        return rows.iloc[int(low.to_numpy().argmax())], rows.iloc[int(high.to_numpy().argmin())]
    highest = int(mean.where(low > high.min(), float("-inf")).to_numpy().argmax())
    lowest = int(mean.where(high < low.iloc[highest], float("inf")).to_numpy().argmin())
    return rows.iloc[highest], rows.iloc[lowest]


def is_apart(higher: Any, lower: Any) -> bool:
    """Whether a row of rates is surely above another; those without an interval are taken as they are."""
    return not estimate_in(higher).low <= estimate_in(lower).high


def is_most(row: Any, rows: "pd.DataFrame") -> bool:
    """Whether a row of rates is surely above all the others of its frame."""
    others = rows.drop(index=row.name)
    return all(is_apart(row, other) for _, other in others.iterrows())


def each(subjects: Sequence[Subject], sentence: Callable[[Subject], str]) -> list[str]:
    """A sentence about each bot, of the first ones; those without anything to be told are left out."""
    return list(islice(filter(None, map(sentence, subjects)), MOST_SENTENCES))


def notes(report: Report, frame: "pd.DataFrame") -> list[str]:
    """What is to be said of all figures of a page: that they have no intervals, or leave bots out."""
    is_alone = (frame.groupby("subject")["block"].nunique() == 1).any()
    return [note for note in (NO_INTERVAL if is_alone else "", report.left_out) if note]


def lead(sentences: Sequence[str], otherwise: str) -> tuple[str, tuple[str, ...]]:
    """The first sentence as a title, without a full stop, and what is left as text."""
    if not sentences:
        return otherwise, ()
    return sentences[0], tuple(f"{sentence}." for sentence in sentences[1:])
