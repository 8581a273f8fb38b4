"""What a search for the best parameters found, and what fresh boards and games made of it."""

from functools import partial
from typing import TYPE_CHECKING

from spadesim.analysis import tune
from spadesim.analysis.numbers import Cell, count, percent
from spadesim.analysis.page import Tile
from spadesim.analysis.report import FrameTable, Picture, Report, Section
from spadesim.strategy.called import short_name
from spadesim.tuning.tune_result import Tuned, TuneResult

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

TITLE = "Tuning"
QUESTION = "Which parameters are best, which of them matter, and is the gain there on fresh boards?"
READS = "tune"
ORDER = 16
LOST = "How far the best trial in the worst part of the range stayed behind the best of all"
EDGES = {
    "low": "at the low end of what was searched",
    "high": "at the high end of what was searched",
    "lowest": "as low as the bot allows",
    "highest": "as high as the bot allows",
}
NO_HISTORY = (
    "What each trial came to is in the study's folder only, and needs Optuna: spadesim report STUDY draws it."
)


def build(report: Report) -> list[Section]:
    """A section for every tuning, with one picture for each parameter."""
    return [_section(result) for result in report.results]


def _section(result: TuneResult) -> Section:
    edges = [f"{one.name} was found {EDGES[one.edge]}." for one in result.parameters if one.edge in EDGES]
    text = [result.verdict, *edges, *([] if result.history else [NO_HISTORY])]
    pictures = [*_search(result), *(_by(result, one) for one in result.parameters)] if result.history else []
    return Section(_found(result), text, pictures, [_table(result)], _tiles(result))


def _found(result: TuneResult) -> str:
    """What was found and what it gains on fresh boards, as a sentence."""
    if result.found is None:
        return f"Nothing better than {short_name(result.strategy)} was found"
    found = short_name(result.found)
    if result.validation is None:
        return f"Broken off before {found} was validated"
    gain, interval = result.scale.shown(result.validation.gain, signed=True)
    claim = "is better" if result.is_gain else "is not surely better"
    base = short_name(result.strategy)
    return f"{found} {claim} than {base}: {gain} {result.scale.unit} ({interval})"


def _tiles(result: TuneResult) -> list[Tile]:
    scale = result.scale
    trials = "steps" if result.sampler == "spsa" else "trials"
    tiles = [Tile(trials, Cell(count(result.trials)), f"{count(result.given_up)} of them given up early")]
    if result.promised is not None:
        promised = f"{result.promised / scale.written:+.{scale.decimals}f}"
        tiles.append(Tile("promised by the search", Cell(promised), f"{scale.words}, too much as a rule"))
    if result.validation is not None:
        gain, interval = scale.shown(result.validation.gain, signed=True)
        boards = count(result.validation.boards)
        tiles.append(Tile("gain on fresh boards", Cell(gain, interval), f"{scale.words}, {boards} boards"))
    if result.confirmation is not None:
        won = percent(result.confirmation.won)
        tiles.append(Tile("games won", won, f"of {count(result.confirmation.games)} against the original"))
    return tiles


def _frame(result: TuneResult) -> "pd.DataFrame":
    """What became of the parameters, a row each."""
    import pandas as pd

    rows = [
        (one.name, one.given, found, one.low, one.high, _cost(result, one), EDGES.get(one.edge, ""))
        for one, found in ((one, one.found if result.found is not None else "") for one in result.parameters)
    ]
    columns = ["parameter", "given", "found", "least", "most", "costs", "edge"]
    return pd.DataFrame(rows, columns=columns).astype({"costs": float, "least": float, "most": float})


def _table(result: TuneResult) -> FrameTable:
    tidy = _frame(result)
    frame = tidy.assign(searched=[_searched(one) for one in result.parameters])
    heads = {name: name for name in ("parameter", "given", "found", "searched")}
    heads |= {"costs": "lost where it is wrong", "edge": ""}
    caption = f"{LOST}, {result.scale.words}."
    return FrameTable("parameters", "Parameters", frame, heads, {"costs": "number:2"}, caption, tidy)


def _cost(result: TuneResult, one: Tuned) -> float | None:
    """What a parameter costs where it is wrong, as it is written."""
    return None if one.costs is None else one.costs / result.scale.written


def _searched(one: Tuned) -> str:
    return "its choices" if one.low is None or one.high is None else f"{one.low:g} to {one.high:g}"


def _search(result: TuneResult) -> list[Picture]:
    """How the search went, and which parameters matter."""
    frame, trials, steps = result.to_frame(), tune.trials_of(result), tune.steps_of(result)
    if not trials:
        return [
            Picture(
                "steps", "What each step came to", lambda figure: tune.results(figure.subplots(), steps),
                frame,
                "One side of each step against the other, in standard errors: above 0 the first was better.",
                alt=f"{len(steps)} steps, one dot each.", wide=True, height=2.8,
            )
        ]  # fmt: skip
    best = max(tune.result_value(result, one) for one in trials)
    found = [
        Picture(
            "history",
            f"Gain of every trial, {result.scale.head}",
            lambda figure: tune.history(figure.subplots(), result, trials),
            frame,
            "Each dot is a trial on the boards of the search; the worst are at the lower edge. The line "
            "is the best so far; the diamond what fresh boards made of it, with its 95 % interval.",
            alt=f"{len(trials)} trials; the best promised {best:+.2f}.",
            wide=True,
            height=3.2,
        )
    ]
    known = [(one.name, _cost(result, one)) for one in result.parameters if one.costs is not None]
    if len(known) < 2:
        return found
    told = "; ".join(f"{name} {cost:.2f}" for name, cost in known)
    title, height = f"Lost in the worst part of each range, {result.scale.head}", 0.32 * len(known) + 0.5
    return [
        *found,
        Picture(
            "costs", title, lambda figure: tune.costs(figure.subplots(), result), _frame(result),
            f"{LOST}.",
            alt=f"{told}.", height=height,
        ),
    ]  # fmt: skip


def _by(result: TuneResult, one: Tuned) -> Picture:
    tried = "every trial's gain" if tune.trials_of(result) else "where it stood after each step"
    return Picture(
        f"by-{one.name}",
        f"{one.name}: {one.given} given, {one.found} found",
        partial(_draw, result=result, one=one),
        result.to_frame(),
        f"Shown is {tried}. Dashed: as given; orange line: as found.",
        alt=f"{tried} by {one.name}, which was {one.given} and is {one.found}.",
    )


def _draw(figure: "Figure", result: TuneResult, one: Tuned) -> None:
    axes = figure.subplots()
    tune.by_parameter(axes, result, one)
    by_value = bool(tune.trials_of(result))
    axes.set_xlabel(one.name if by_value else "step")
    axes.set_ylabel(f"gain, {result.scale.head}" if by_value else one.name)
