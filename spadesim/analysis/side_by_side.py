"""Tables of rates in which bots stand beside each other, or below each other where there are many."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.analysis.charts import Scale
from spadesim.analysis.rates import labelled
from spadesim.analysis.report import FrameTable, Report, Subject

if TYPE_CHECKING:
    import pandas as pd

MOST = 3  # bots beside each other


@dataclass(frozen=True)
class Columns:
    """What a table of rates shows.

    Parameters
    ----------
    keys : mapping of str to str
        The columns that tell which rows belong together, and their heads.
    values : mapping of str to str
        The columns with intervals that are shown for each bot, and their heads.
    counts : mapping of str to str
        Columns of counts, shown where bots stand below each other; the file always has them.
    formats : mapping of str to str or function
        As of `FrameTable`.
    """

    keys: Mapping[str, str]
    values: Mapping[str, str]
    counts: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, Any] = field(default_factory=dict)


def compared(
    name: str, title: str, frame: "pd.DataFrame", subjects: Sequence[Subject], columns: Columns
) -> FrameTable:
    """A frame of rates as a table.

    Parameters
    ----------
    name, title
        As of `FrameTable`.
    frame : DataFrame
        As of `spadesim.analysis.rates.rates`.
    subjects : sequence of Subject
    columns : Columns
    """
    if len(subjects) > MOST:
        heads = {"bot": "bot", **columns.keys, **columns.counts, **columns.values}
        return FrameTable(name, title, labelled(frame, subjects), heads, columns.formats)
    heads, formats = (
        dict(columns.keys),
        {key: columns.formats[key] for key in columns.keys if key in columns.formats},
    )
    for subject in subjects:
        for value, head in columns.values.items():
            column = f"{subject.label}_{value}"
            heads[column] = f"{subject.label}: {head}" if len(columns.values) > 1 else subject.label
            if value in columns.formats:
                formats[column] = columns.formats[value]
    tidy = _worded(labelled(frame, subjects), formats)
    return FrameTable(name, title, _wide(frame, subjects, columns), heads, formats, tidy=tidy)


def by_one(
    name: str,
    title: str,
    frame: "pd.DataFrame",
    subjects: Sequence[Subject],
    along: tuple[str, Scale],
    shown: Scale,
) -> FrameTable:
    """The same for rates by one column.

    Parameters
    ----------
    name, title, frame, subjects
        As of `compared`.
    along : tuple of str and Scale
        The column, and how its numbers are written.
    shown : Scale
        What the rates are; those that are no shares can be above and below 0.
    """
    x, scale = along
    formats = {"mean": "percent" if shown.is_percent else "signed", x: scale.written}
    columns = Columns({x: scale.label}, {"mean": shown.label}, {"n": "of"}, formats)
    return compared(name, title, frame, subjects, columns)


def for_more(report: Report, table: FrameTable) -> list[FrameTable]:
    """A table of what a picture shows, where there are more bots than it can show."""
    return [table] if report.left_out else []


def _worded(frame: "pd.DataFrame", formats: Mapping[str, Any]) -> "pd.DataFrame":
    """The frame with words in place of keys that stand for them, as against numbers."""
    for key, form in formats.items():
        if callable(form) and key in frame:
            words = [form(number) for number in frame[key]]
            if not any(sign.isdigit() for word in words for sign in word):
                frame = frame.assign(**{key: words})
    return frame


def _wide(frame: "pd.DataFrame", subjects: Sequence[Subject], columns: Columns) -> "pd.DataFrame":
    """A row for each of the keys, and columns for each bot."""
    keys = list(columns.keys)
    wide = frame[keys].drop_duplicates().sort_values(keys)
    for subject in subjects:
        rows = frame[frame["subject"] == subject.number].drop(columns="subject")
        names = {str(name): f"{subject.label}_{_column(str(name))}" for name in rows if name not in keys}
        whole = {names[name]: "Int64" for name in names if name in columns.counts or name == "n"}
        wide = wide.merge(rows.rename(columns=names).astype(whole), on=keys, how="left")
    return wide


def _column(name: str) -> str:
    """The ends of the mean as those of any other column."""
    return f"mean_{name}" if name in ("low", "high") else name
