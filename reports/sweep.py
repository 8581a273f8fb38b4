"""Which settings are best, and what a rule changes: the arms of sweeps."""

from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis import ranking, sweep
from spadesim.analysis.look import NARROW, WIDTH, legend, short
from spadesim.analysis.numbers import Cell, count
from spadesim.analysis.page import Tile
from spadesim.analysis.report import FrameTable, Picture, Report, Section
from spadesim.strategy.called import short_name
from spadesim.tuning.rules_sweep import RulesSweepResult
from spadesim.tuning.settings import Axis
from spadesim.tuning.swept import SweepResult
from spadesim.tuning.swept_words import more_or_fewer

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

TITLE = "Sweep"
QUESTION = "Which settings are best, is the best of them really better, and what does a rule change?"
READS = ("sweep", "rules_sweep")
ORDER = 14
MOST_NARROW = 5  # columns of a map that is not wide
NAMES = 0.8  # inches beside a map
FORMATS = {"mean": "signed", "nil_rate": "percent", "set_rate": "percent", "not_worse": "yes"}
WORDS = {
    "won": "Games won",
    "hands_per_game": "Hands in a game",
    "mean_bid": "Tricks bid a hand",
    "nil_rate": "Hands with a nil",
    "bags_per_hand": "Bags a hand",
    "set_rate": "Contracts set",
}


def build(report: Report) -> list[Section]:
    """The sections of every sweep, of settings or of rules."""
    return [
        _rules(result) if isinstance(result, RulesSweepResult) else _settings(result)
        for result in report.results
    ]


def _settings(result: SweepResult) -> Section:
    scale = result.scale
    frame = result.to_frame().rename(columns={"gain": "mean"})
    frame[["mean", "low", "high"]] = frame[["mean", "low", "high"]] / scale.written
    heads = {axis.name: axis.name for axis in result.spec.axes}
    heads |= {"boards": "boards", "mean": f"gain, {scale.head}", "not_worse": "may be best"}
    heads |= {"mean_bid": "tricks bid", "nil_rate": "nils", "bags_per_hand": "bags", "set_rate": "set"}
    caption = f"Gains over {short_name(result.strategy)}; all intervals together hold in 95 of 100 sweeps. "
    caption += "Tricks bid, bags and set contracts are per hand of the side, nils per hand of a bot."
    table = FrameTable("arms", "Setting by setting", frame, heads, FORMATS, caption)
    return Section(_found(result), [result.verdict], _pictures(result, frame), [table], _tiles(result))


def _found(result: SweepResult) -> str:
    """What did best, and what it gains on fresh boards."""
    best, fresh = result.best, result.fresh
    if best is None:
        return f"Broken off before any setting of {short_name(result.strategy)} was the best"
    if fresh is None or best.is_baseline:
        return f"No setting did better than {short_name(result.strategy)} as it is given"
    gain, interval = result.scale.shown(fresh.gain, signed=True)
    is_behind = fresh.games is not None and fresh.games.is_behind
    worse = "worse" if fresh.is_worse else "worse over whole games" if is_behind else "not surely better"
    sure = "better" if result.better else worse
    base = short_name(result.strategy)
    return f"{best.label} is {sure} than {base}: {gain} {result.scale.unit} ({interval})"


def _tiles(result: SweepResult) -> list[Tile]:
    fresh, scale = result.fresh, result.scale
    n = len(result.not_worse)
    tiles = [Tile("settings tried", Cell(count(len(result.arms))), f"{n} of them may be the best")]
    if fresh is not None:
        gain, interval = scale.shown(fresh.gain, signed=True)
        tiles.append(
            Tile("gain on fresh boards", Cell(gain, interval), f"{scale.words}, {count(fresh.boards)} boards")
        )
        if fresh.games is not None:
            played = count(fresh.games.games * len(result.vs))
            what = f"of {played} games, than {result.strategy}"
            tiles.append(Tile("games won", Cell(*more_or_fewer(fresh.games.gain)), what))
    return tiles


def _pictures(result: SweepResult, frame: "pd.DataFrame") -> list[Picture]:
    axes = result.spec.axes
    alt = "; ".join(f"{arm.label} {result.scale.shown(arm.gain, signed=True)[0]}" for arm in result.arms[:40])
    if len(axes) == 1:
        draw, caption = (
            partial(sweep.curve, result=result),
            ("Bars are joint 95 % intervals; the diamond's, on boards of its own, holds by itself."),
        )
        title = f"Gain by {axes[0].name}"
        return [Picture("curve", title, draw, frame, caption, alt, wide=True, height=3.6)]
    if len(axes) == 2 and result.spec.sample is None:
        return [_map(result, frame, alt)]
    caption = (
        "Every setting tried. Blue: may be the best; hollow: stopped early; orange: the best on fresh boards."
    )
    return [
        Picture(
            f"by-{axis.name}",
            f"Gain by {axis.name}",
            partial(_by, result=result, axis=axis),
            frame,
            caption,
            alt,
        )
        for axis in axes
    ]


def _by(figure: "Figure", result: SweepResult, axis: Axis) -> None:
    axes = figure.subplots()
    sweep.by_setting(axes, result, axis)
    axes.set_ylabel(f"gain, {result.scale.head}")


def _map(result: SweepResult, frame: "pd.DataFrame", alt: str) -> Picture:
    down, across = result.spec.axes
    wide = len(across.values) > MOST_NARROW
    size = ranking.text_size(len(across.values), (WIDTH if wide else NARROW) - NAMES)
    return Picture(
        "map",
        f"Gain by {down.name} and {across.name}, {result.scale.head}",
        lambda figure: sweep.cells(figure.subplots(), result, size),
        frame,
        "Blue: better than as given. Outlined: may be the best, in 95 of 100 sweeps. Bold: did best.",
        alt,
        wide=wide,
        height=min(8.0, 0.36 * len(down.values) + 0.9),
    )


def _rules(result: RulesSweepResult) -> Section:
    """What each set of rules comes to: there is no best one."""
    frame = result.to_frame()
    heads = {axis.name: axis.name.removeprefix("rules.") for axis in result.spec.axes} | {"vs": "against"}
    heads |= {name: WORDS[name].lower() for name in sweep.measured(result)}
    formats = {name: "percent" for name in ("won", "nil_rate", "set_rate")}
    table = FrameTable("rules", "Rules by rules", frame, heads, formats, "Every interval holds for itself.")
    return Section(
        result.verdict.rstrip("."),
        pictures=[_by_rules(result, name, frame) for name in sweep.measured(result)],
        tables=[table],
    )


def _by_rules(result: RulesSweepResult, name: str, frame: "pd.DataFrame") -> Picture:
    found = [(arm, getattr(arm, name)) for arm in result.arms]
    _, factor = sweep.MEASURES[name]
    told = [f"{arm.label} against {arm.vs} {factor * e.mean:.2f}" for arm, e in found if e is not None]
    return Picture(
        name.replace("_", "-"),
        f"{WORDS[name]}, {short_name(result.strategy)}",
        partial(_draw_rules, result=result, name=name),
        frame,
        "With 95 % intervals, each for itself.",
        "; ".join(told[:40]),
    )


def _draw_rules(figure: "Figure", result: RulesSweepResult, name: str) -> None:
    axes = figure.subplots()
    sweep.by_rules(axes, result, name)
    axes.set_ylabel(sweep.MEASURES[name][0].format(short(short_name(result.strategy))))
    if len(result.vs) > 1:
        legend(figure, [short(ref) for ref in result.vs])
