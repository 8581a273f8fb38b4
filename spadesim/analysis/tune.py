"""The picture of a tuning: how the search went, what parameters cost, and where good values lie."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from spadesim.analysis.look import DASHED, FAINT, INK, SMALL, A, B
from spadesim.analysis.pictures import picture_file
from spadesim.tuning.spsa import Step
from spadesim.tuning.trials import Trial
from spadesim.tuning.tune_result import Tuned, TuneResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 10.0  # inches
COLUMNS = 3
TOP, ROW = 3.2, 2.3  # inches
LOWEST = 0.1  # of the trials, below which gains are cut off: the worst would flatten all others
DOT = 16.0
BELOW: dict[str, Any] = {"marker": "v", "linestyle": "", "markersize": 5, "markerfacecolor": "none"}


def picture(result: TuneResult, suffix: str) -> bytes:
    """The picture of a result as the content of a file; `suffix` as `pictures.picture_file` has it."""
    return picture_file(partial(_tuning, result), suffix)


def _tuning(result: TuneResult) -> "Figure":
    from matplotlib.figure import Figure

    n = len(result.parameters)
    rows = -(-n // COLUMNS)
    figure = Figure(figsize=(WIDTH, TOP + ROW * rows), layout="constrained")
    grid = figure.add_gridspec(rows + 1, COLUMNS, height_ratios=[TOP, *[ROW] * rows])
    trials, steps = trials_of(result), steps_of(result)
    places = [figure.add_subplot(grid[1 + k // COLUMNS, k % COLUMNS]) for k in range(n)]
    top = figure.add_subplot(grid[0, :2] if trials else grid[0, :])
    top.set_title(_title(result), fontsize=SMALL, color=INK, loc="left", pad=22 if trials else None)
    if trials:
        history(top, result, trials)
        part = figure.add_subplot(grid[0, 2])
        costs(part, result)
        title = f"lost in the worst part of each range,\n{result.scale.head}"
        part.set_title(title, fontsize=SMALL, color=INK, loc="left")
    else:
        results(top, steps)
    for axes, parameter in zip(places, result.parameters, strict=True):
        by_parameter(axes, result, parameter)
        title = _name(parameter, result.found is not None)
        axes.set_title(title, fontsize=SMALL, color=INK, loc="left")
    return figure


def trials_of(result: TuneResult) -> list[Trial]:
    """The trials of a search; none of a climb in steps."""
    return [one for one in result.history if isinstance(one, Trial)]


def steps_of(result: TuneResult) -> list[Step]:
    """The steps of a climb; none of a search."""
    return [one for one in result.history if isinstance(one, Step)]


def by_parameter(axes: "Axes", result: TuneResult, parameter: Tuned) -> None:
    """The gains of all trials by the value of a parameter, or where it stood after each step."""
    trials = trials_of(result)
    if trials:
        _slice(axes, result, parameter, trials, _floor([result_value(result, one) for one in trials]))
    else:
        place = result.parameters.index(parameter)
        _path(axes, parameter, [one.point[place] for one in steps_of(result)])
    axes.tick_params(labelsize=SMALL)
    axes.grid(axis="y")


def result_value(result: TuneResult, trial: Trial) -> float:
    """A trial's gain in the unit that is shown."""
    return trial.value / result.scale.written


def _floor(values: Sequence[float]) -> float:
    """The least value to show: a tenth of the trials may lie below, and 0 is always shown."""
    ordered = sorted(values)
    spread = max([*values, 0.0]) - min(ordered[int(LOWEST * len(ordered))], 0.0)
    return min(ordered[int(LOWEST * len(ordered))], 0.0) - 0.06 * (spread or 1.0)


def _title(result: TuneResult) -> str:
    played = f"{result.boards:,} boards, rules {result.rules}, seed {result.seed}"
    return f"{'Partial: ' if result.partial else ''}{result.sampler}, {played}"


def history(axes: "Axes", result: TuneResult, trials: Sequence[Trial]) -> None:
    """Every trial's gain in the order tried, the best so far, and what fresh boards made of it."""
    values = [result_value(result, one) for one in trials]
    low = _floor(values)
    for is_pruned, color, label in ((True, FAINT, "given up early"), (False, A, "tried to the end")):
        chosen = [
            (one.number, value) for one, value in zip(trials, values, strict=True) if one.pruned is is_pruned
        ]
        _dots(axes, chosen, low, color, label)
    if n := sum(value < low for value in values):
        axes.plot([], [], **BELOW, color=INK, label=f"{n} below what is drawn")
    best, line = float("-inf"), []
    for one, value in zip(trials, values, strict=True):
        best = best if one.pruned else max(best, value)
        line.append(best)
    axes.plot([one.number for one in trials], line, color=INK, linewidth=1.2, drawstyle="steps-post",
              label="best so far")  # fmt: skip
    if result.validation is not None:
        gain = result.validation.gain.scaled(1 / result.scale.written)
        axes.errorbar(len(trials) * 1.04, gain.mean, yerr=[[gain.mean - gain.low], [gain.high - gain.mean]],
                      fmt="D", color=B, markersize=6, capsize=4, label="on fresh boards")  # fmt: skip
    axes.axhline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_ylim(bottom=low - 0.04 * (max([*values, 0.0]) - low or 1.0))
    axes.set_xlabel("trial")
    axes.set_ylabel(f"gain, {result.scale.head}")
    axes.grid(axis="y")
    axes.legend(fontsize=SMALL, loc="lower left", bbox_to_anchor=(0, 1), ncols=4, borderaxespad=0.1)


def _dots(
    axes: "Axes", points: Sequence[tuple[float, float]], low: float, color: str, label: str | None = None
) -> None:
    """Trials as dots; those below what is drawn as arrows at its edge."""
    if inside := [point for point in points if point[1] >= low]:
        places, gains = zip(*inside, strict=True)
        axes.scatter(places, gains, s=DOT, color=color, label=label, linewidths=0)
    if below := [at for at, gain in points if gain < low]:
        axes.plot(below, [low] * len(below), **BELOW, color=color)


def costs(axes: "Axes", result: TuneResult) -> None:
    """How far the best trial in the worst part of each range stayed behind the best of all."""
    known = [(one.costs, one.name) for one in result.parameters if one.costs is not None]
    if not known:
        axes.axis("off")
        return
    known.sort()
    shown = [cost / result.scale.written for cost, _ in known]
    axes.barh(range(len(known)), shown, color=A, height=0.62)
    axes.set_yticks(range(len(known)), [name for _, name in known])
    for place, (cost, _) in enumerate(known):
        axes.text(shown[place], place, f" {result.scale.bare(cost)}", va="center", fontsize=SMALL, color=INK)
    axes.set_xlim(0, 1.25 * max(shown) or 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _slice(axes: "Axes", result: TuneResult, parameter: Tuned, trials: Sequence[Trial], low: float) -> None:
    """The gains of all trials by the value of one parameter."""
    words = None
    if parameter.low is None:
        words = sorted({one.settings[parameter.name] for one in trials})

    def place(word: str) -> float:
        return float(words.index(word)) if words is not None else float(word)

    for is_pruned, color in ((True, FAINT), (False, A)):
        chosen = [
            (place(one.settings[parameter.name]), result_value(result, one))
            for one in trials
            if one.pruned is is_pruned
        ]
        _dots(axes, chosen, low, color)
    if words is not None:
        axes.set_xticks(range(len(words)), words)
        axes.set_xlim(-0.5, len(words) - 0.5)
    if parameter.low is not None and parameter.high is not None:
        slack = 0.03 * (parameter.high - parameter.low)
        axes.set_xlim(parameter.low - slack, parameter.high + slack)
        if _is_whole(one.settings[parameter.name] for one in trials):
            axes.locator_params(axis="x", integer=True)
    _mark(axes, place(parameter.given) if words is None or parameter.given in words else None, INK)
    if result.found is not None:
        _mark(axes, place(parameter.found) if words is None or parameter.found in words else None, B)
    axes.axhline(0, color=INK, linewidth=0.8, linestyle=DASHED)


def _is_whole(values: Iterable[str]) -> bool:
    """Whether all values of a parameter that were tried are whole numbers."""
    return all(float(value).is_integer() for value in values)


def _name(parameter: Tuned, is_found: bool) -> str:
    """A parameter with the value that it was given and, where there is any, the one that was found."""
    found = f", {parameter.found} found" if is_found else ""
    return f"{parameter.name}: {parameter.given} given{found}"


def _mark(axes: "Axes", at: float | None, color: str) -> None:
    if at is not None:
        axes.axvline(at, color=color, linewidth=1.3, linestyle=DASHED if color == INK else "-")


def results(axes: "Axes", steps: Sequence[Step]) -> None:
    """What the steps came to, in standard errors."""
    axes.scatter([one.number for one in steps], [one.result for one in steps], s=DOT, color=A, linewidths=0)
    axes.axhline(0, color=INK, linewidth=1, linestyle=DASHED)
    axes.set_xlabel("step")
    axes.set_ylabel("one side against the other,\nstandard errors")
    axes.grid(axis="y")


def _path(axes: "Axes", parameter: Tuned, values: Sequence[float]) -> None:
    """Where a parameter stood after each step."""
    axes.plot(range(1, len(values) + 1), values, color=A, linewidth=1.3)
    axes.locator_params(axis="x", integer=True)
    axes.axhline(float(parameter.given), color=INK, linewidth=1, linestyle=DASHED)
    axes.axhline(float(parameter.found), color=B, linewidth=1.3)
