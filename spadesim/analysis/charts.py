"""The charts that pages draw of rates: along a number, and by kind, bots beside each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import COLORS, DASHED, FAINT, LINES, MARKERS, SMALL, legend, short
from spadesim.analysis.rates import labelled
from spadesim.analysis.report import Picture, Report, Subject

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

Draw = Callable[["Figure"], None]
BARS = "Bars are 95 % intervals, often shorter than a marker."
LEAST = 10  # rows that a place needs to be drawn
LEAST_SHARE = 0.0005  # of a bot's rows that a place needs to be drawn
HOW = (
    f"{BARS} What a bot has fewer than {LEAST} times, or less than once in {1 / LEAST_SHARE:,.0f}, is not "
    "drawn."
)
PICKED = "What the heading picks has wider intervals, which hold for all places at once."
SHIFT = 0.11  # between bots at one place
ROW_SHIFT = 0.15
ROOM = 0.34  # inches a row
BEYOND = 0.03  # of shares below none and above all, for markers to be whole
SPARE = 1.04  # of the room to the right, so that a marker is whole


@dataclass(frozen=True)
class Scale:
    """What stands along an axis.

    Parameters
    ----------
    label : str
        What is shown, and its unit.
    is_percent : bool
        Whether values are shares, shown as percentages.
    from_zero : bool
        Whether the axis of rates by kind begins at 0; that of shares always does.
    names : mapping of int to str
        What is written at places, where that is not their number.
    """

    label: str
    is_percent: bool = False
    from_zero: bool = False
    names: Mapping[int, str] = field(default_factory=dict)

    def written(self, number: int) -> str:
        """What is written at a place."""
        return self.names.get(int(number), str(int(number)))


def along(
    frame: "pd.DataFrame", subjects: Sequence[Subject], x: str, scales: tuple[Scale, Scale], guide: str = ""
) -> Draw:
    """Rates by a whole number: a point, an interval and a line for each bot.

    Parameters
    ----------
    frame : DataFrame
        As of `spadesim.analysis.rates.rates`, by `x`.
    subjects : sequence of Subject, at most 6
    x : str
        The column that runs to the right.
    scales : tuple of two Scale
        Of `x`, and of the rates.
    guide : str
        A dashed line: "zero", "diagonal", or "" for none.
    """

    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        shown = _shown(frame, subjects)
        for order, subject in enumerate(shown):
            rows = frame[frame["subject"] == subject.number]
            shift = (order - (len(shown) - 1) / 2) * SHIFT
            _points(axes, rows, (rows[x] + shift, rows["mean"]), subject.number, is_joined=True)
        _places(axes.xaxis, scales[0], [int(value) for value in frame[x].unique()])
        _values(axes.yaxis, scales[1])
        _guide(axes, guide)
        axes.grid(axis="y")
        _name(figure, shown, len(subjects))

    return draw


def kinds(frame: "pd.DataFrame", subjects: Sequence[Subject], x: str, scales: tuple[Scale, Scale]) -> Draw:
    """Rates by kind, one below the other: a point and an interval for each bot.

    Parameters
    ----------
    frame, subjects
        As of `along`.
    x : str
        The column that tells the kind, by a number from 0 on; the names of its scale are written at the rows.
    scales : tuple of two Scale
        Of the kinds, and of the rates.
    """

    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        shown = _shown(frame, subjects)
        for order, subject in enumerate(shown):
            rows = frame[frame["subject"] == subject.number]
            shift = (order - (len(shown) - 1) / 2) * ROW_SHIFT
            _points(axes, rows, (rows["mean"], rows[x] + shift), subject.number)
        _places(axes.yaxis, scales[0], sorted(scales[0].names))
        _values(axes.xaxis, scales[1])
        axes.set_ylim(max(scales[0].names) + 0.6, min(scales[0].names) - 0.6)
        axes.grid(axis="x")
        if scales[1].is_percent or scales[1].from_zero:
            right = axes.get_xlim()[1] * SPARE
            axes.set_xlim(0, min(right, 1 + BEYOND) if scales[1].is_percent else right)
        _name(figure, shown, len(subjects))

    return draw


def curve(
    frame: "pd.DataFrame",
    subjects: Sequence[Subject],
    columns: tuple[str, str],
    scales: tuple[Scale, Scale],
    step: str,
) -> Draw:
    """Two rates against each other, joined in the order of a number from less to more than 0.

    Parameters
    ----------
    frame, subjects
        As of `along`.
    columns : tuple of two str
        Which stands to the right and which upwards.
    scales : tuple of two Scale
        Of these.
    step : str
        The column that the points are joined by. The one at 0 has a larger marker, and the first bot's ends
        have their numbers beside them.
    """

    def draw(figure: "Figure") -> None:
        axes = figure.subplots()
        shown = _shown(frame, subjects)
        for subject in shown:
            rows = frame[frame["subject"] == subject.number].sort_values(step)
            style = subject.number % len(COLORS)
            points = [rows[name] for name in columns]
            axes.plot(*points, color=COLORS[style], linestyle=LINES[style], linewidth=1.1)
            for x, y, value in zip(*points, rows[step], strict=True):
                size = 3.5 if value else 9.0
                axes.plot(x, y, marker=MARKERS[style], color=COLORS[style], markersize=size, clip_on=False)
            for x, y, value in list(zip(*points, rows[step], strict=True))[:: max(len(rows) - 1, 1)]:
                if subject is shown[0]:
                    text = f"{value:+d}".replace("-", "−")
                    axes.annotate(text, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=SMALL)
        _values(axes.xaxis, scales[0])
        _values(axes.yaxis, scales[1])
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
        axes.grid()
        _name(figure, shown, len(subjects))

    return draw


def share_picture(
    report: Report,
    name: str,
    title: str,
    found: "pd.DataFrame",
    x: str,
    labels: tuple[Scale, str],
    more: str = "",
) -> Picture:
    """A picture of shares along a whole number.

    Parameters
    ----------
    report : Report
    name, title
        As of `Picture`.
    found : DataFrame
        As of `along`, with all that is drawn.
    x : str
        The column that runs to the right.
    labels : tuple of Scale and str
        Of `x`, and what the shares are of.
    more : str
        What else the caption says.
    """
    scale, label = labels
    return Picture(
        name.replace("_", "-"),
        title,
        along(found, report.drawn, x, (scale, Scale(label, is_percent=True))),
        labelled(found, report.drawn),
        f"{HOW} {more}".rstrip(),
        f"{label.capitalize()} by {scale.label}, a line for each bot.",
    )


def height_of(n_rows: int) -> float:
    """Inches that a chart of so many kinds takes."""
    return 1.1 + ROOM * n_rows


def enough(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of a rates frame that are seen often enough to be drawn; all of a bot that has none of these.

    A place that a bot reaches once in thousands of hands has an interval many times as wide as all others,
    and would leave no room for them.
    """
    needed = (frame.groupby("subject")["n"].transform("sum") * LEAST_SHARE).clip(lower=LEAST)
    is_enough = frame["n"] >= needed
    return frame[is_enough | ~is_enough.groupby(frame["subject"]).transform("any")]


def _points(
    axes: "Axes", rows: "pd.DataFrame", at: tuple[Any, Any], number: int, is_joined: bool = False
) -> None:
    """Points with their intervals, along y if they are joined by a line, else along x."""
    ends = [(rows["mean"] - rows["low"]).fillna(0.0), (rows["high"] - rows["mean"]).fillna(0.0)]
    style = number % len(COLORS)
    axes.errorbar(
        *at,
        yerr=ends if is_joined else None,
        xerr=None if is_joined else ends,
        color=COLORS[style],
        marker=MARKERS[style],
        markersize=4.5,
        linestyle=LINES[style] if is_joined else "",
        linewidth=1.1,
        elinewidth=1.3,
        capsize=2.2,
    )


def _places(axis: "Axis", scale: Scale, places: Sequence[int]) -> None:
    if scale.names:
        shown = [place for place in places if place in scale.names]
        axis.set_ticks(shown, [scale.names[place] for place in shown])
    else:
        step = 1 if len(places) < 16 else 2
        axis.set_ticks(range(min(places, default=0), max(places, default=0) + 1, step))
    axis.set_label_text(scale.label)


def _values(axis: "Axis", scale: Scale) -> None:
    if scale.is_percent:
        low, high = axis.get_view_interval()
        limit = axis.axes.set_xlim if axis is axis.axes.xaxis else axis.axes.set_ylim
        limit(max(low, -BEYOND), min(high, 1 + BEYOND))
        axis.set_major_formatter(_percentage)
    axis.set_label_text(scale.label)


def _percentage(share: float, _: float) -> str:
    """A share along an axis; nothing beyond none and all.

    >>> _percentage(0.25, 0), _percentage(1.04, 0)
    ('25 %', '')
    """
    return f"{round(100 * share, 6):g} %" if -1e-9 < share < 1 + 1e-9 else ""


def _guide(axes: "Axes", guide: str) -> None:
    if guide == "zero":
        axes.axhline(0, color=FAINT, linestyle=DASHED, linewidth=1, zorder=0)
    elif guide == "diagonal":
        axes.axline((0, 0), slope=1, color=FAINT, linestyle=DASHED, linewidth=1, zorder=0)
        axes.set_ylim(bottom=0)


def _shown(frame: "pd.DataFrame", subjects: Sequence[Subject]) -> list[Subject]:
    """The bots of which there is something to draw."""
    numbers = set(frame["subject"])
    return [subject for subject in subjects if subject.number in numbers]


def _name(figure: "Figure", shown: Sequence[Subject], among: int) -> None:
    """Who is who; not needed for one bot alone, where there is no other."""
    if among > 1:
        numbers = [subject.number for subject in shown]
        legend(figure, [short(subject.label) for subject in shown], numbers)
