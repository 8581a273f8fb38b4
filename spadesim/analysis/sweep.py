"""The pictures of sweeps: a curve with bands for one axis, a heat map for two, small panels for more."""

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from spadesim.analysis.look import (
    COLORS,
    DASHED,
    FAINT,
    INK,
    MARKERS,
    PAPER,
    SMALL,
    STRONGEST,
    A,
    B,
    grid_lines,
    legend_columns,
    shade,
    short,
)
from spadesim.analysis.pictures import picture_file
from spadesim.stats.intervals import Estimate
from spadesim.strategy.called import short_name
from spadesim.tuning.rules_sweep import RulesSweepResult
from spadesim.tuning.settings import Axis
from spadesim.tuning.swept import Arm, SweepResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 8.6  # inches
CLOSE_UP = 5.0  # times that the arms at the top must lie closer together than all to get a panel of their own
TALLEST, WIDEST = 14.0, 14.0  # inches of a heat map
BESIDE = 2.2  # inches of it that are no cells
CHARACTER, LINE, GAP = 0.085, 0.19, 0.1  # inches that labels take
MOST_WITH_TEXT = 140  # cells of a heat map
COLUMNS = 3  # of small panels
PANEL = 2.2  # inches that each of them is wide, at least
MEASURES = {
    "won": ("games won by {0}, %", 100.0),
    "hands_per_game": ("hands in a game", 1.0),
    "mean_bid": ("tricks bid a hand by the side", 1.0),
    "nil_rate": ("hands with a nil, %", 100.0),
    "bags_per_hand": ("bags a hand of the side", 1.0),
    "set_rate": ("contracts set, %", 100.0),
}


def picture(result: SweepResult | RulesSweepResult, suffix: str) -> bytes:
    """The picture of a result as the content of a file; `suffix` as `pictures.picture_file` has it."""
    if isinstance(result, RulesSweepResult):
        return picture_file(partial(_rules, result), suffix)
    axes = result.spec.axes
    if len(axes) == 1:
        return picture_file(partial(_curve, result), suffix)
    if len(axes) == 2 and result.spec.sample is None:
        return picture_file(partial(_map, result), suffix)
    return picture_file(partial(_panels, result), suffix)


def _title(result: SweepResult) -> str:
    """What was played, in a line."""
    against = f" against {' and '.join(map(short, result.vs))}" if result.spec.vs else ""
    begin = "Partial: " if result.partial else ""
    return f"{begin}{short(short_name(result.strategy))}{against}, rules {result.rules}, seed {result.seed}"


def _y_label(result: SweepResult) -> str:
    return f"gain over {short(short_name(result.strategy))},\n{result.scale.head}"


def _numbers(values: Sequence[str]) -> list[float] | None:
    """The values of an axis as numbers, None where one is a word."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return None


def _places(values: Sequence[str]) -> dict[str, float]:
    """Where the values of an axis lie: numbers at themselves, words side by side."""
    found = _numbers(values) or [float(k) for k in range(len(values))]
    return dict(zip(values, found, strict=True))


def _ticks(axes: "Axes", name: str, values: Sequence[str], inches: float) -> None:
    """Label an axis so wide with its name and its values, or with round numbers where these lie too close.

    Words that are too long side by side are turned, and the more of them left out the closer they lie.
    """
    places = list(_places(values).values())
    longest = _widest(values)
    axes.set_xlabel(name)
    if _numbers(values) is not None:
        ordered = sorted(places)
        nearest = min((b - a for a, b in pairwise(ordered)), default=0.0)
        if nearest * inches >= longest * (ordered[-1] - ordered[0]):
            axes.set_xticks(places, values)
        return
    axes.margins(x=0.25)
    shown = slice(None, None, _step(len(values), inches / 1.5, min(longest, LINE)))
    if len(values) * longest <= inches:
        axes.set_xticks(places, values)
    else:
        axes.set_xticks(places[shown], values[shown], rotation=45, ha="right", rotation_mode="anchor")


def _widest(labels: Sequence[str]) -> float:
    """Inches that the longest of some labels takes."""
    return max(map(len, labels)) * CHARACTER + GAP


def _step(n: int, inches: float, each: float) -> int:
    """Of how many labels one can be shown, where there are `n` that take so many inches each.

    >>> _step(60, 11.8, 0.44), _step(5, 6.4, 0.44)
    (3, 1)
    """
    return max(1, math.ceil(n * each / inches))


def _curve(result: SweepResult) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 3.9), layout="constrained")
    curve(figure, result)
    figure.suptitle(_title(result), fontsize=SMALL, x=0.01, ha="left")
    return figure


def curve(figure: "Figure", result: SweepResult) -> None:
    """Gain by value, and the top once more from near by where the whole is much taller."""
    (axis,) = result.spec.axes
    placed = _on_axis(result)
    top = [place for place in placed if not place[1].is_behind] or placed
    whole, near = _span(result, placed), _span(result, top)
    is_double = whole[1] - whole[0] > CLOSE_UP * (near[1] - near[0]) and len(top) > 1
    panels = figure.subplots(1, 2 if is_double else 1, squeeze=False)[0]
    for panel in panels:
        _draw_curve(panel, result, placed)
        _ticks(panel, axis.name, axis.values, (figure.get_figwidth() - 1) / len(panels) - 0.5)
    panels[0].set_ylabel(_y_label(result))
    if is_double:
        _look_closer(panels[1], near, [x for x, _ in top])
    _legend(figure, result)


def _on_axis(result: SweepResult) -> list[tuple[float, Arm]]:
    (axis,) = result.spec.axes
    places = _places(axis.values)
    found = [(places[arm.settings[axis.name]], arm) for arm in result.arms if axis.name in arm.settings]
    return sorted(found, key=lambda place: place[0])


def _span(result: SweepResult, placed: Sequence[tuple[float, Arm]]) -> tuple[float, float]:
    """From the lowest to the highest end of some arms' intervals, the line of no gain included."""
    ends = [end for _, arm in placed for end in (arm.gain.low, arm.gain.high)] + [0.0]
    if result.fresh is not None:
        ends += [result.fresh.gain.low, result.fresh.gain.high]
    return min(ends) / result.scale.written, max(ends) / result.scale.written


def _look_closer(axes: "Axes", span: tuple[float, float], at: Sequence[float]) -> None:
    room = 0.12 * (span[1] - span[0])
    axes.set_ylim(span[0] - room, span[1] + room)
    beside = 0.12 * (max(at) - min(at) or 1.0)
    axes.set_xlim(min(at) - beside, max(at) + beside)
    axes.set_title("the best ones from near by", fontsize=SMALL, loc="left")
    ticks = [tick for tick in axes.get_xticks() if min(at) - beside <= tick <= max(at) + beside]
    if axes.get_xticklabels() and len(ticks) < len(axes.get_xticks()):
        labels = [label.get_text() for label in axes.get_xticklabels()]
        shown = [text for tick, text in zip(axes.get_xticks(), labels, strict=True) if tick in ticks]
        axes.set_xticks(ticks, shown)


def _draw_curve(axes: "Axes", result: SweepResult, placed: Sequence[tuple[float, Arm]]) -> None:
    """Band, line and dots; hollow dots for what stopped early, a diamond for the winner measured anew."""
    scaled = [(x, arm, arm.gain.scaled(1 / result.scale.written)) for x, arm in placed]
    xs = [x for x, _, _ in scaled]
    if _numbers(result.spec.axes[0].values) is not None:
        axes.fill_between(
            xs, [e.low for *_, e in scaled], [e.high for *_, e in scaled], color=A, alpha=0.16, linewidth=0
        )
        axes.plot(xs, [e.mean for *_, e in scaled], color=A, linewidth=1.3)
    for x, arm, gain in scaled:
        if not arm.is_baseline:
            _bar(axes, x, gain, A, MARKERS[0], is_hollow=arm.is_behind)
        else:
            axes.plot([x], [0], marker="s", color=INK, markersize=6, linestyle="")
    if len(result.vs) > 1 and len(result.vs) < len(MARKERS):
        for ref in range(len(result.vs)):
            ys = [arm.by_ref[ref].mean / result.scale.written for _, arm, _ in scaled]
            axes.plot(xs, ys, color=FAINT, linewidth=1, marker=MARKERS[ref + 1], markersize=3.5)
    axes.axhline(0, color=INK, linewidth=1, linestyle=DASHED)
    best = result.best
    if best is not None and result.fresh is not None:
        at = next(x for x, arm in placed if arm is best)
        beside = 0.012 * (max(xs) - min(xs) or 1.0)
        _bar(axes, at + beside, result.fresh.gain.scaled(1 / result.scale.written), B, "D")
    axes.grid(axis="y")


def _bar(axes: "Axes", x: float, gain: Estimate, color: str, marker: str, is_hollow: bool = False) -> None:
    axes.errorbar(
        x, gain.mean, yerr=[[gain.mean - gain.low], [gain.high - gain.mean]], fmt=marker, markersize=5,
        color=color, markerfacecolor=PAPER if is_hollow else color, elinewidth=1.2, capsize=2.5,
    )  # fmt: skip


def _legend(figure: "Figure", result: SweepResult) -> None:
    from matplotlib.lines import Line2D

    def dot(marker: str, color: str, **more: object) -> "Line2D":
        return Line2D([], [], marker=marker, color=color, linestyle="", markersize=5, **more)  # type: ignore[arg-type]

    entries = [(dot(MARKERS[0], A), "on the boards of the sweep, joint 95 %")]
    if any(arm.is_behind for arm in result.arms):
        entries.append((dot(MARKERS[0], A, markerfacecolor=PAPER), "stopped early"))
    if result.fresh is not None:
        entries.append((dot("D", B), "the best one on fresh boards, 95 %"))
    if any(arm.is_baseline and arm.settings for arm in result.arms):
        entries.append((dot("s", INK), "as given"))
    if 1 < len(result.vs) < len(MARKERS) and len(result.spec.axes) == 1:
        entries += [
            (dot(marker, FAINT), f"against {short(ref)} alone")
            for marker, ref in zip(MARKERS[1:], result.vs, strict=False)
        ]
    handles, labels = zip(*entries, strict=True)
    figure.legend(
        handles, labels, loc="outside lower left", fontsize=SMALL,
        ncols=legend_columns(labels, figure.get_figwidth()),
        handletextpad=0.3, columnspacing=1.4,
    )  # fmt: skip


def _map(result: SweepResult) -> "Figure":
    """A cell for each combination, with a key to the shades."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.figure import Figure

    rows, columns = (len(axis.values) for axis in result.spec.axes)
    figure = Figure(
        figsize=(min(WIDEST, max(WIDTH, 0.62 * columns + BESIDE)), min(TALLEST, 0.4 * rows + BESIDE)),
        layout="constrained",
    )
    axes = figure.subplots()
    cells(axes, result, SMALL)
    gains = [arm.gain.mean / result.scale.written for arm in result.arms if arm.settings]
    most = (max(map(abs, gains)) or 1.0) / STRONGEST
    shades = LinearSegmentedColormap.from_list("gains", [B, PAPER, A])
    bar = figure.colorbar(ScalarMappable(Normalize(-most, most), shades), ax=axes, shrink=0.9, pad=0.02)
    bar.ax.set_ylim(min(gains), max(0.0, *gains))
    bar.set_label(_y_label(result), fontsize=SMALL)
    told = "outlined: may be the best, in 95 of 100 sweeps"
    told += "; bold: did best" if result.fresh is not None and rows * columns <= MOST_WITH_TEXT else ""
    axes.set_title(f"{_title(result)}\n{told}", fontsize=SMALL, loc="left")
    return figure


def cells(axes: "Axes", result: SweepResult, size: float) -> None:
    """A cell for each combination: how much it gains, outlined where it may be the best one.

    Parameters
    ----------
    axes : Axes
    result : SweepResult
        Of two settings.
    size : float
        Of letters, in points.
    """
    from matplotlib.patches import Rectangle

    down, across = result.spec.axes
    rows, columns = len(down.values), len(across.values)
    placed = [
        (across.values.index(arm.settings[across.name]), down.values.index(arm.settings[down.name]), arm)
        for arm in result.arms
        if arm.settings
    ]
    most = max(abs(arm.gain.mean) for *_, arm in placed) or 1.0
    shade(axes, [(x, y, arm.gain.mean / most) for x, y, arm in placed])
    for x, y, arm in placed:
        if rows * columns <= MOST_WITH_TEXT:
            is_best = result.best is arm and result.fresh is not None
            text = "0" if arm.is_baseline else result.scale.shown(arm.gain, signed=True)[0].replace("-", "−")
            weight = "bold" if is_best else "normal"
            axes.text(x, y, text, ha="center", va="center", fontsize=size, fontweight=weight)
        if arm.not_worse:
            edge = Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=INK, linewidth=1.4)
            axes.add_patch(edge)
    axes.set_ylim(-0.5, rows - 0.5)
    grid_lines(axes, rows, columns)
    figure = axes.get_figure(root=True)
    assert figure is not None
    width, height = (inches - BESIDE / 2 for inches in figure.get_size_inches())
    every = _step(columns, width, _widest(across.values)), _step(rows, height, LINE)
    axes.set_xticks(range(0, columns, every[0]), across.values[:: every[0]])
    axes.set_yticks(range(0, rows, every[1]), down.values[:: every[1]])
    axes.set_ylabel(down.name)
    axes.set_xlabel(across.name)


def _panels(result: SweepResult) -> "Figure":
    """All arms by each setting in turn."""
    figure, panels = _small_panels(len(result.spec.axes))
    for panel, axis in zip(panels, result.spec.axes, strict=True):
        by_setting(panel, result, axis)
    label = _y_label(result)
    figure.supylabel(label if len(panels) <= COLUMNS else label.replace("\n", " "), fontsize=9.5)
    told = "blue: may be the best; hollow: stopped early; orange: the best one on fresh boards"
    figure.suptitle(f"{_title(result)}\n{told}", fontsize=SMALL, x=0.01, ha="left")
    return figure


def by_setting(axes: "Axes", result: SweepResult, axis: Axis) -> None:
    """The gains of all arms by one setting."""
    places = _places(axis.values)
    for arm in result.arms:
        if arm.settings:
            color, size = (A, 5) if arm.not_worse else (FAINT, 4)
            gain = arm.gain.scaled(1 / result.scale.written)
            axes.plot(
                places[arm.settings[axis.name]], gain.mean, marker=MARKERS[0], linestyle="", color=color,
                markersize=size, markerfacecolor=PAPER if arm.is_behind else color, alpha=0.9,
            )  # fmt: skip
    best = result.best
    if best is not None and result.fresh is not None:
        fresh = result.fresh.gain.scaled(1 / result.scale.written)
        _bar(axes, places[best.settings[axis.name]], fresh, B, "D")
    axes.axhline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.grid(axis="y")
    _ticks(axes, axis.name, axis.values, PANEL)


def _small_panels(n: int) -> "tuple[Figure, list[Axes]]":
    from matplotlib.figure import Figure

    columns = min(n, COLUMNS)
    rows = -(-n // columns)
    figure = Figure(figsize=(max(WIDTH, 3.1 * columns), 2.6 * rows + 0.7), layout="constrained")
    engine = figure.get_layout_engine()
    assert engine is not None
    engine.set(w_pad=0.1, h_pad=0.08)  # type: ignore[call-arg]
    panels = figure.subplots(rows, columns, squeeze=False, sharey=False).ravel().tolist()
    for panel in panels[n:]:
        panel.set_visible(False)
    return figure, panels[:n]


def _rules(result: RulesSweepResult) -> "Figure":
    """A panel for each thing measured, by the rules."""
    names = measured(result)
    figure, panels = _small_panels(len(names))
    strategy = short(short_name(result.strategy))
    for panel, name in zip(panels, names, strict=True):
        by_rules(panel, result, name)
        panel.set_title(MEASURES[name][0].format(strategy), fontsize=SMALL, loc="left")
    against = ", ".join(
        f"{short(ref)} ({word})"
        for ref, word in zip(result.vs, ("blue", "orange", "green", "purple"), strict=False)
    )
    against = short(result.vs[0]) if len(result.vs) == 1 else against
    title = f"{strategy} against {against}, rules {result.rules}, seed {result.seed}"
    title += "; 95 % intervals"
    figure.suptitle(("Partial: " if result.partial else "") + title, fontsize=SMALL, x=0.01, ha="left")
    return figure


def measured(result: RulesSweepResult) -> list[str]:
    """What a sweep of rules measured, by the names of `MEASURES`."""
    return [name for name in MEASURES if any(getattr(arm, name) is not None for arm in result.arms)]


def by_rules(axes: "Axes", result: RulesSweepResult, name: str) -> None:
    """One thing measured, by the rules, a colour and marker for each opponent."""
    axis = result.spec.axes[0] if len(result.spec.axes) == 1 else None
    labels = list(dict.fromkeys(arm.label for arm in result.arms))
    values = axis.values if axis else labels
    places = dict(zip(labels, _places(values).values(), strict=False))
    for number, ref in enumerate(result.vs):
        shift = 0.02 * (number - (len(result.vs) - 1) / 2) * (max(places.values()) - min(places.values()))
        for arm in result.arms:
            estimate = getattr(arm, name)
            if arm.vs == ref and estimate is not None:
                color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
                _bar(axes, places[arm.label] + shift, estimate.scaled(MEASURES[name][1]), color, marker)
    axes.grid(axis="y")
    axes.margins(x=0.12, y=0.15)
    _ticks(axes, axis.name.removeprefix("rules.") if axis else "", values, PANEL)
