"""Fairness: whether a seat, or a place in the bidding, wins more than others, whoever sits there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from spadesim.analysis.charts import Scale, height_of, kinds
from spadesim.analysis.findings import each, estimate_in, lead, size, told
from spadesim.analysis.gather import Count
from spadesim.analysis.rates import labelled, of_subject
from spadesim.analysis.report import MOST_DRAWN, FrameTable, Picture, Report, Section, Subject, runs_of
from spadesim.analysis.words import listed
from spadesim.core.tally import UNFINISHED, WIN
from spadesim.match.lead_columns import PLACES
from spadesim.match.recorded import RecordedRun
from spadesim.notation import SEAT_NAMES
from spadesim.stats import blocks

TITLE = "Fairness"
QUESTION = "Does a seat, the dealer or the first to bid win more than others, whoever sits there?"
READS = "rows"
ORDER = 70
COUNTS = {
    "hands": Count(by=("seat", "place"), of=("tricks", "points")),
    "games": Count(by=("seat", "opening_place", "result"), where="is_last", runs="games"),
}
GROUPS = {"seat": "seats", "place": "places in the bidding"}

JOINT = "The intervals hold all at once, 95 times in 100: all seats, all places, and all that is compared."
WHY = (
    "Both bots sit everywhere equally often, so that nothing but the table itself tells seats apart. What a "
    "place in the bidding is worth depends on how the bots make use of it."
)

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Measure:
    """What is compared.

    Parameters
    ----------
    name, heading : str
    unit : str
        Behind a number.
    of_sides : bool
        Whether partners have it together.
    """

    name: str
    heading: str
    unit: str
    of_sides: bool


MEASURES = (
    Measure("tricks", "Tricks", "tricks a hand", False),
    Measure("points", "Points", "points a hand", True),
    Measure("games", "Games won", "games of 100", True),
)
UNITS = {measure.name: measure.unit for measure in MEASURES}


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    if not len(report.counts["hands"]):
        return [Section("No hand fits")]
    if report.where:
        return [Section("Only some hands are looked at, which need not be alike for all seats")]
    subjects, numbers = runs_of(report.subjects)
    counts = {
        name: frame.assign(subject=frame["subject"].map(numbers)) for name, frame in report.counts.items()
    }
    there = [subject for subject in subjects if len(of_subject(counts["hands"], subject))]
    found = pd.concat([_compared(subject, counts) for subject in there], ignore_index=True)
    return [_section(subjects, found)]


def _compared(run: Subject, counts: "Mapping[str, pd.DataFrame]") -> pd.DataFrame:
    """By how much every seat and place is above the mean, with intervals that hold all at once."""
    hands, games = (of_subject(counts[name], run) for name in ("hands", "games"))
    games = games.assign(won=games["result"] * 100 / WIN)[games["result"] != UNFINISHED]
    tables = {
        "tricks": (hands, hands["tricks"], "place"),
        "points": (hands, hands["points"], "place"),
        "games": (games, games["won"] * games["rows"], "opening_place"),
    }
    names, above, below, total = [], [], [], []
    for measure in MEASURES:
        frame, sums, place = tables[measure.name]
        if not len(frame):
            continue
        by_block = [_sums(frame, values) for values in (sums, frame["rows"])]
        for group, column in (("seat", "seat"), ("place", place)):
            step = 2 if measure.of_sides and run.run.rules.n_sides == 2 else run.run.rules.players
            member = frame[column] % step
            for number in range(step):
                names.append((measure.name, group, number, step))
                above.append(_sums(frame, sums * (member == number)))
                below.append(_sums(frame, frame["rows"] * (member == number)))
                total.append(by_block)
    overall, n = (np.array([pair[k] for pair in total]) for k in (0, 1))
    found = blocks.jointly(
        (np.array(above), np.array(below), overall, n),
        lambda a, b, c, d: a / b - c / d,
        n.sum(axis=0) > 0,
    )
    frame = pd.DataFrame(names, columns=["measure", "group", "number", "step"])
    filled = frame.assign(
        subject=run.number,
        n=np.array(below).sum(axis=1).astype(np.int64) * frame["step"] // run.run.rules.players,
        mean=found.mean,
        low=found.low,
        high=found.high,
    )
    return filled[filled["mean"].notna()]


def _sums(frame: pd.DataFrame, values: "pd.Series[Any]") -> Array:
    return np.bincount(frame["block"], values, blocks.N_BLOCKS)


def _names(run: RecordedRun, group: str, step: int) -> list[str]:
    """What seats or places are called; both of a side where partners have something together."""
    n, is_of_sides = run.rules.players, step < run.rules.players
    if group == "seat":
        return ["North and South", "East and West"] if is_of_sides else list(SEAT_NAMES[:n])
    names = ["first bidder", *(f"{name} bidder" for name in PLACES[1 : n - 1]), "last bidder"]
    dealer = {"dealer": 0, "dealer_left": n - 1}.get(run.rules.start_role, n)
    names[dealer : dealer + 1] = [f"{name} (dealer)" for name in names[dealer : dealer + 1]]
    return [f"{name} and partner" for name in (names[0], names[-1])] if is_of_sides else names


def _section(runs: Sequence[Subject], found: pd.DataFrame) -> Section:
    """Whether seats are alike, and places in the bidding."""
    named = found.assign(what=[_names_at(runs, row) for row in found.itertuples()])
    seats = each(runs, lambda run: _verdict(run, named, "seat"))
    places = each(runs, lambda run: _verdict(run, named, "place"))
    title, rest = lead(seats, "")
    text = [*rest, " ".join(f"{sentence}." for sentence in places), WHY]
    pictures = [
        _picture(runs[:MOST_DRAWN], named[named["measure"] == measure.name], measure)
        for measure in MEASURES
        if (named["measure"] == measure.name).any()
    ]
    heads = {"bot": "run", "measure": "", "what": "seat or place", "n": "hands or games"}
    heads |= {"mean": "above the mean"}
    table = labelled(named.assign(measure=named["measure"].map(UNITS)), runs)
    shown = FrameTable("fairness", "Seats and places", table, heads, {"mean": "signed"}, JOINT)
    return Section(title, text, pictures, [shown])


def _names_at(runs: Sequence[Subject], row: Any) -> str:
    return _names(runs[int(row.subject)].run, row.group, int(row.step))[int(row.number)]


def _picture(runs: Sequence[Subject], rows: pd.DataFrame, measure: Measure) -> Picture:
    names = dict(enumerate(dict.fromkeys(rows.sort_values("group", ascending=False, kind="stable")["what"])))
    places = {name: place for place, name in names.items()}
    scale = Scale(f"{measure.unit}, above the mean")
    return Picture(
        f"{measure.name}-by-seat",
        f"{measure.heading} by seat, and by place in the bidding",
        kinds(rows.assign(place=rows["what"].map(places)), runs, "place", (Scale("", names=names), scale)),
        labelled(rows, runs),
        f"All bots that sat there together. {JOINT}",
        f"{measure.heading} of each seat and each place in the bidding above the mean of all, for each run.",
        height=height_of(len(names)),
    )


def _verdict(run: Subject, named: pd.DataFrame, group: str) -> str:
    """That all are alike as far as it is seen, or what is not."""
    rows = of_subject(named[named["group"] == group], run)
    if not len(rows):
        return ""
    sure = rows[(rows["low"] > 0) | (rows["high"] < 0)]
    if not rows["low"].notna().any():
        return f"{run.label}: too few units were played to tell whether {GROUPS[group]} are alike"
    if not len(sure):
        tricks = rows[rows["measure"] == "tricks"]
        most = tricks.iloc[int(tricks["mean"].abs().to_numpy().argmax())]
        fair = f"{GROUPS[group]} are fair, as far as {_hands(rows)} tell"
        return f"{run.label}: {fair}: at the most {_differs(most)}"
    best = sure.loc[sure["mean"].abs().groupby(sure["measure"], sort=False).idxmax()]
    return (
        f"{run.label}: {GROUPS[group]} are not alike: {listed([_differs(row) for _, row in best.iterrows()])}"
    )


def _differs(row: Any) -> str:
    """By how much a seat or place is above or below the mean."""
    value, unit = estimate_in(row), UNITS[row["measure"]]
    who = row["what"] if row["group"] == "seat" else f"the {row['what']}"
    verb = "win" if " and " in who else "wins"
    return f"{who} {verb} {told(size(value), unit)} {'more' if value.mean > 0 else 'less'} than the mean"


def _hands(rows: pd.DataFrame) -> str:
    n = int(rows[rows["measure"] == "tricks"]["n"].max())
    return f"{n:,} hands"
