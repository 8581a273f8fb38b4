"""Bid accuracy: whether the tricks that were bid are won, and what it costs where they are not."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from spadesim.analysis import scales
from spadesim.analysis.charts import BARS, HOW, PICKED, Scale, along, enough, height_of, kinds
from spadesim.analysis.findings import (
    each,
    estimate_in,
    farthest,
    is_sure,
    lead,
    more_or_less,
    notes,
    off_zero,
    size,
    tells,
    told,
    told_share,
)
from spadesim.analysis.gather import Count
from spadesim.analysis.rates import labelled, matched_differences, n_places, rates, together
from spadesim.analysis.report import FrameTable, Picture, Report, Section, Subject
from spadesim.analysis.scales import with_sign
from spadesim.analysis.side_by_side import Columns, by_one, compared, for_more
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Bid accuracy"
QUESTION = "Do the bids come true, and what does it cost where they do not?"
READS = "rows"
ORDER = 20
COUNTS = {
    "bids": Count(by=("bid", "tricks"), of=("points",)),
    "place": Count(by=("bid", "place", "tricks")),
    "spades": Count(by=("bid", "spades", "tricks")),
    "partner": Count(by=("bid", "partner_bid", "tricks")),
}

ERROR = Scale("tricks won minus bid")
OUTCOMES = ("fewer", "exactly", "more")
FARTHEST = 4  # tricks from the bid, from where on all are one
NO_NIL = "Nils are left out; they have a page of their own."


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    counts = {name: _error(frame) for name, frame in report.counts.items()}
    if not len(counts["bids"]):
        return [Section("Nobody bid a trick: all bids are nils, or no hand fits")]
    sections = [
        _overall(report, counts["bids"]),
        _by_bid(report, counts["bids"]),
        _by(report, counts["place"], "place", scales.places(report.runs)),
        _by(report, counts["spades"], "spades", Scale("spades in the hand")),
    ]
    if (counts["partner"]["partner_bid"] >= 0).any():
        scale = scales.bids(report.runs, "partner's bid")
        sections.append(_by(report, counts["partner"], "partner_bid", scale))
    return [*sections, _outcomes(report, counts["bids"]), _costs(report, counts["bids"])]


def _error(frame: "pd.DataFrame") -> "pd.DataFrame":
    """The rows of a count that are about bids of tricks, and how far off these were."""
    frame = frame[frame["bid"] > 0]
    return frame.assign(error=frame["tricks"] - frame["bid"])


def _overall(report: Report, frame: "pd.DataFrame") -> Section:
    found = rates(frame, frame["error"])
    title, text = lead(each(report.subjects, lambda subject: _off(subject, found)), "")
    shown = labelled(found, report.subjects)
    heads = {"bot": "bot", "n": "bids", "mean": ERROR.label}
    return Section(
        title,
        [*text, NO_NIL, *notes(report, frame)],
        tables=[FrameTable("overall", "How far off bids are", shown, heads, {"mean": "signed"})],
    )


def _off(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number]
    if not len(rows):
        return ""
    error = estimate_in(rows.iloc[0])
    if not is_sure(error):
        return f"{subject.label} bids what it wins, on average: it is off by {told(error, 'tricks a hand')}"
    return f"{subject.label} {_verb(error)} by {told(size(error), 'tricks a hand')}"


def _verb(error: Estimate) -> str:
    return "underbids" if error.mean > 0 else "overbids"


def _by_bid(report: Report, frame: "pd.DataFrame") -> Section:
    won, error = rates(frame, frame["tricks"], ["bid"]), rates(frame, frame["error"], ["bid"])
    shown = enough(won)
    at_once = enough(rates(frame, frame["error"], ["bid"], among=n_places(shown)))
    title, text = lead(each(report.drawn, lambda subject: _worst_bid(subject, at_once)), "Tricks won by bid")
    picture = Picture(
        "by-bid",
        "Tricks won by bid",
        along(shown, report.drawn, "bid", (Scale("tricks bid"), Scale("tricks won, mean")), "diagonal"),
        labelled(shown, report.drawn),
        f"On the dashed line bids come true; above it a bot wins more than it bids. {HOW} {PICKED}",
        "Mean number of tricks won for every bid, a line for each bot, beside the diagonal on which bids "
        "come true.",
    )
    table = won.assign(error=error["mean"], error_low=error["low"], error_high=error["high"])
    columns = Columns(
        keys={"bid": "bid"},
        values={"mean": "won", "error": "won minus bid"},
        counts={"n": "times"},
        formats={"mean": "number", "error": "signed"},
    )
    shown_in_full = compared("by-bid", "Tricks won, and won minus bid", table, report.subjects, columns)
    return Section(title, text, [picture], [shown_in_full])


def _worst_bid(subject: Subject, error: "pd.DataFrame") -> str:
    rows = error[error["subject"] == subject.number]
    if not tells(rows):
        return ""
    worst = farthest(rows)
    value = estimate_in(worst)
    if not is_sure(value):
        return f"{subject.label} is not surely off at any bid"
    bid = int(worst["bid"])
    return f"With a bid of {bid} {subject.label} wins {more_or_less(value, 'tricks')} than it bids"


WORDS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "place": ("by-place", "place in the bidding", "bidding {}".format),
    "spades": (
        "by-spades",
        "number of spades",
        lambda n: f"with {'a single spade' if n == '1' else 'no spade' if n == '0' else f'{n} spades'}",
    ),
    "partner_bid": ("by-partner", "partner's bid", "beside a partner's {}".format),
}


def _by(report: Report, frame: "pd.DataFrame", x: str, scale: Scale) -> Section:
    name, what, _ = WORDS[x]
    found = rates(frame, frame["error"], [x])
    shown = enough(found)
    at_once = enough(rates(frame, frame["error"], [x], among=n_places(shown)))
    title, text = lead(
        each(report.drawn, lambda subject: _extremes(subject, at_once, x, scale)),
        f"Tricks won minus bid by {what}",
    )
    picture = Picture(
        name,
        f"Tricks won minus bid by {what}",
        along(shown, report.drawn, x, (scale, ERROR), "zero"),
        labelled(shown, report.drawn),
        f"Above the dashed line a bot wins more than it bids. {HOW} {PICKED}",
        f"Mean of tricks won minus bid by {what}, a line for each bot.",
    )
    table = by_one(name, f"Tricks won minus bid by {what}", found, report.subjects, (x, scale), ERROR)
    return Section(title, text, [picture], [table])


def _extremes(subject: Subject, found: "pd.DataFrame", x: str, scale: Scale) -> str:
    """Where a bot wins the most and the fewest tricks against its bid, by intervals that hold all at once."""
    rows = found[found["subject"] == subject.number]
    if not tells(rows):
        return ""
    ends = off_zero(rows)
    if not ends:
        return f"{subject.label} is nowhere surely off"
    first, *others = map(estimate_in, ends)
    at_first, *at_others = (WORDS[x][2](scale.written(end[x])) for end in ends)
    text = f"{subject.label} {_verb(first)} by {told(size(first), 'tricks')} {at_first}"
    for other, at_other in zip(others, at_others, strict=True):
        verb = "" if _verb(other) == _verb(first) else f"{_verb(other)} "
        text += f", and {verb}by {told(size(other))} {at_other}"
    if not others and len(rows) > 1:
        text += f", and nowhere surely {_verb(first.scaled(-1))}"
    return text


def _outcome(frame: "pd.DataFrame") -> "pd.Series[int]":
    """0 where fewer tricks were won than bid, 1 where exactly as many, 2 where more."""
    return frame["error"].clip(-1, 1) + 1


def _outcomes(report: Report, frame: "pd.DataFrame") -> Section:
    outcome = _outcome(frame)
    parts = [rates(frame, outcome == number).assign(outcome=number) for number in range(3)]
    found = together(parts, ["subject", "outcome"])
    names = Scale("tricks won", names=dict(enumerate(("fewer than bid", "as bid", "more than bid"))))
    share = Scale("share of bids", is_percent=True)
    title, text = lead(each(report.subjects, lambda subject: _exact(subject, found)), "")
    picture = Picture(
        "outcomes",
        "How often bids are met",
        kinds(found, report.drawn, "outcome", (names, share)),
        labelled(found.assign(outcome=found["outcome"].map(names.names)), report.drawn),
        f"Every seat by itself, whatever a partner makes of the contract. {BARS}",
        "Shares of bids with fewer tricks won than bid, as many, and more, for each bot.",
        height=height_of(3),
    )
    table = by_one("outcomes", "How often bids are met", found, report.subjects, ("outcome", names), share)
    return Section(title, text, [picture], for_more(report, table))


def _exact(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number].set_index("outcome")
    if not len(rows):
        return ""
    fewer, exact, more = (told_share(estimate_in(rows.loc[number])) for number in range(3))
    bot = subject.label
    return f"{bot} wins just what it bid in {exact} of hands, fewer tricks in {fewer}, and more in {more}"


def _costs(report: Report, frame: "pd.DataFrame") -> Section:
    frame = frame.assign(off=frame["error"].clip(-FARTHEST, FARTHEST))
    found = rates(frame, "points", ["off"])
    shown = enough(found)
    outcome = _outcome(frame)
    gaps = [
        matched_differences(frame, "points", (outcome == number, outcome == 1), ["bid"]).assign(
            outcome=OUTCOMES[number]
        )
        for number in (0, 2)
    ]
    gap = together(gaps, ["subject", "outcome"])
    title, text = lead(each(report.subjects, lambda subject: _cost(subject, gap)), "What bids bring")
    names = {off: with_sign(off) for off in range(-FARTHEST, FARTHEST + 1)}
    names |= {-FARTHEST: f"≤ {with_sign(-FARTHEST)}", FARTHEST: f"≥ {with_sign(FARTHEST)}"}
    picture = Picture(
        "points",
        "Points by tricks won minus bid",
        along(
            shown,
            report.drawn,
            "off",
            (Scale(ERROR.label, names=names), Scale("points a hand, mean")),
            "zero",
        ),
        labelled(shown, report.drawn),
        "Points of the side in the hand, with the penalties for bags that fell due in it. Partners' tricks "
        f"count for one contract, so a seat that is short need not be set. {HOW}",
        "Mean points of the side in a hand by how many tricks a seat won more or less than it bid, a line "
        "for each bot.",
    )
    heads = {"bot": "bot", "outcome": "tricks won", "n": "hands compared"}
    heads |= {"mean": "points a hand, against the same bids met exactly"}
    table = labelled(gap.assign(outcome=gap["outcome"] + " than bid"), report.subjects)
    return Section(
        title, text, [picture], [FrameTable("cost", "What it costs", table, heads, {"mean": "signed"})]
    )


def _cost(subject: Subject, gap: "pd.DataFrame") -> str:
    rows = gap[gap["subject"] == subject.number].set_index("outcome")
    parts = []
    for outcome in rows.index:
        points = more_or_less(estimate_in(rows.loc[outcome]), "points")
        parts.append(f"{points} where it wins {outcome} tricks than it bid")
    if not parts:
        return ""
    return f"{subject.label} gets {' and '.join(parts)}, against the same bids met exactly"
