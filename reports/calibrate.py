"""How strong a bot is by one of its settings, and which setting has the strength that was aimed at."""

from collections.abc import Callable
from typing import Any

from spadesim.analysis import strength
from spadesim.analysis.numbers import percent
from spadesim.analysis.report import FrameTable, Picture, Report, Section
from spadesim.stats.intervals import Estimate
from spadesim.strategy.called import short_name
from spadesim.tuning.calibrated import CalibrateResult, share

TITLE = "Strength"
QUESTION = "How strong is the bot by its setting, and which setting wins what was aimed at?"
READS = "calibrate"
ORDER = 18
OUTCOMES = {"within": "within", "not_shown": "not shown", "missed": "missed", "partial": "broken off"}


def build(report: Report) -> list[Section]:
    """A section for every calibration."""
    return [_section(result) for result in report.results]


def _section(result: CalibrateResult) -> Section:
    frame = result.to_frame().rename(columns={"rate": "mean"})
    frame["outcome"] = frame["outcome"].map(OUTCOMES)
    heads = {"side": "side", "value": result.parameter, "wanted": "aimed at", "mean": "won"}
    heads |= {"games": "fresh games", "outcome": f"within {share(result.within)}"}
    formats: dict[str, str | Callable[[Any], str]] = {"value": "{:g}".format, "wanted": share}
    formats["mean"] = "percent"
    text = [result.verdict]
    if not result.is_monotone:
        text.append("Along the setting the rate was not seen to go one way only.")
    table = FrameTable("rungs", "What fresh games came to", frame, heads, formats, "With 95 % intervals.")
    return Section(_found(result), text, [_picture(result)], [table])


def _found(result: CalibrateResult) -> str:
    """What the setting that was found wins, as a sentence."""
    aim = f"{result.parameter}={result.value} of {short_name(result.side)}"
    vs = short_name(result.vs)
    if result.rate is None:
        return f"Broken off: {aim} was found for {share(result.target)}, but no fresh games were played"
    won = percent(result.rate)
    interval = f" ({won.note.removesuffix(' %')})" if won.note else ""
    return f"{aim} wins {won.value} of games against {vs}{interval}; {share(result.target)} was aimed at"


def _picture(result: CalibrateResult) -> Picture:
    import pandas as pd

    def row(value: str, rate: Estimate, games: str) -> tuple[float, float, float, float, str]:
        return float(value), rate.mean, rate.low, rate.high, games

    rows = [row(point.value, point.rate, "search") for point in result.curve]
    rows += [row(rung.value, rung.rate, "fresh") for rung in result.ladder if rung.rate is not None]
    told = "; ".join(f"{point.value}: {100 * point.rate.mean:.1f} %" for point in result.curve)
    return Picture(
        "strength",
        f"Games won by {result.parameter}",
        lambda figure: strength.curve(figure.subplots(), result),
        pd.DataFrame(rows, columns=[result.parameter, "mean", "low", "high", "games"]),
        "Band: 95 % intervals of the search, whose games chose the setting. Grey, at the dashed line: what "
        "was aimed at, and how far off it may be. Diamonds: games that the search never saw.",
        alt=f"Share of games won by {result.parameter}: {told}.",
        wide=True,
        height=3.8,
    )
