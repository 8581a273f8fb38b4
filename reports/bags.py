"""Sandbags: how many a bot takes and why, their penalties, and the sets that they are weighed against."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from spadesim.analysis.charts import BARS, HOW, PICKED, Scale, along, curve, enough, height_of, kinds
from spadesim.analysis.findings import (
    as_recorded,
    each,
    ends,
    estimate_in,
    is_apart,
    is_sure,
    lead,
    notes,
    side_of,
    size,
    tells,
    told,
    told_share,
)
from spadesim.analysis.gather import Count
from spadesim.analysis.rates import (
    beside,
    from_zero,
    labelled,
    n_places,
    of_subject,
    once_a_side,
    rates,
    together,
)
from spadesim.analysis.report import FrameTable, Picture, Report, Section, Subject
from spadesim.analysis.scales import with_sign
from spadesim.analysis.side_by_side import Columns, compared
from spadesim.analysis.words import listed

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Sandbags"
QUESTION = "How many bags does it take, why, and what does it set for them?"
READS = "rows"
ORDER = 40
KEY = ["subject", "more"]
CAUSES = {
    "bags_forced": "forced",
    "bags_avoidable": "avoidable",
    "bags_to_set": "taken to set",
    "bags_of_nil": "of a failed nil",
}
COUNTS = {
    "bags": Count(by=("role", "new_bags"), of=("penalties",)),
    "games": Count(by=("role",), of=("penalties", "new_bags", "is_last"), runs="games"),
    "causes": Count(by=(), of=tuple(CAUSES), runs="cards"),
    "side_bid": Count(by=("role", "side_bid"), of=("new_bags", "is_set", "opponents_set")),
    "table_bid": Count(by=("role", "table_bid"), of=("new_bags", "is_set", "opponents_set")),
    "over": Count(by=("role", "side_nils", "over")),
}
OF_SEATS = "Of the bot's side in hands that fit, once for each of its seats that they fit for."
MOST_BAGS = 7  # in a hand, from where on all are one
OWN = Scale("set, share of hands", is_percent=True)
FEW = 3  # curves that a small picture can hold
MORE = range(-2, 3)  # tricks that might have been bid more


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    counts = {
        name: frame[once_a_side(frame)] if "role" in frame and not report.where else frame
        for name, frame in report.counts.items()
    }
    if not len(counts["bags"]):
        return [Section("No hand fits")]
    sections = [_overall(report, counts), _causes(report, counts["causes"])]
    sections += [_sets(report, counts[name], name) for name in ("side_bid", "table_bid")]
    over = counts["over"][counts["over"]["side_nils"] == 0]
    return [*sections, _trade(report, over)] if len(over) else sections


def _overall(report: Report, counts: "dict[str, pd.DataFrame]") -> Section:
    frame = counts["bags"]
    found = from_zero(rates(frame, frame["new_bags"]))
    title, text = lead(each(report.subjects, lambda subject: _how_many(subject, found)), "")
    groups = frame.assign(bags=frame["new_bags"].clip(upper=MOST_BAGS))
    shares = together(
        [rates(groups, groups["bags"] == bags).assign(bags=bags) for bags in range(MOST_BAGS + 1)],
        ["subject", "bags"],
    )
    names = {bags: str(bags) for bags in range(MOST_BAGS)} | {MOST_BAGS: f"{MOST_BAGS}+"}
    picture = Picture(
        "bags",
        "How many bags hands bring",
        along(
            shares,
            report.drawn,
            "bags",
            (
                Scale("bags of a side in a hand", names=names),
                Scale("share of hands", is_percent=True),
            ),
        ),
        labelled(shares, report.drawn),
        f"By the run's rules, bags of failed nils among them where they count. {BARS}",
        "Shares of hands that bring a side no bag, one, two and so on, a line for each bot.",
    )
    return Section(
        title,
        [*text, *_per_game(report, counts["games"]), *notes(report, frame)],
        [picture],
        [_bags_table(report, counts, found)],
    )


def _how_many(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number]
    if not len(rows):
        return ""
    return f"{side_of(subject)} takes {told(estimate_in(rows.iloc[0]), 'bags a hand', 2)}"


def _penalties(report: Report, games: "pd.DataFrame") -> "pd.DataFrame":
    """Penalties for bags a game; none where only some hands of games are looked at."""
    return from_zero(rates(games, "penalties", per="is_last")) if not report.where else games.iloc[:0]


def _per_game(report: Report, games: "pd.DataFrame") -> list[str]:
    limits = {run.rules.bag_limit for run in report.runs}
    if limits == {0}:
        return ["The rules have no penalty for bags."]
    if report.where:
        return ["Penalties are told by the hand, as only some hands of games are looked at."]
    found = _penalties(report, games)
    if not len(found):
        return ["Penalties are told by the hand, as no whole games were played."]
    told_of = {
        row["subject"]: told(estimate_in(row), "penalties for bags a game", 2) for _, row in found.iterrows()
    }
    texts = each(
        report.subjects,
        lambda subject: (
            f"{side_of(subject)} pays {told_of[subject.number]}" if subject.number in told_of else ""
        ),
    )
    return [" ".join(f"{text}." for text in texts)]


def _bags_table(report: Report, counts: "dict[str, pd.DataFrame]", found: "pd.DataFrame") -> FrameTable:
    frame = counts["bags"]
    table = beside(
        found,
        ["subject"],
        none=rates(frame, frame["new_bags"] == 0),
        penalties=from_zero(rates(frame, "penalties")),
    )
    heads = {"bot": "bot", "n": "hands", "mean": "bags a hand", "none": "hands without a bag"}
    heads |= {"penalties": "penalties a hand"}
    formats = {"mean": "number", "none": "percent", "penalties": "number"}
    if len(games := _penalties(report, counts["games"])):
        table = beside(table, ["subject"], games=games)
        heads |= {"games_n": "games", "games": "penalties a game"}
        formats["games"] = "number"
    return FrameTable(
        "bags",
        "Bags and penalties",
        labelled(table, report.subjects),
        heads,
        formats,
        OF_SEATS if report.where else "Of the bot's side: what both partners win together counts once.",
    )


def _causes(report: Report, frame: "pd.DataFrame") -> Section:
    missing = [run for run in report.runs if not run.manifest.has_plays]
    how = [as_recorded("Why bags were taken", missing[0])] if missing else []
    if not len(frame):
        return Section("Why bags were taken", how)
    total = frame[list(CAUSES)].sum(axis=1)
    frame = frame.assign(bags=total)
    parts, shares = [], []
    for cause, column in enumerate(CAUSES):
        parts.append(from_zero(rates(frame, column)).assign(cause=cause))
        shares.append(rates(frame, column, per="bags", is_share=True).assign(cause=cause))
    found, of_bags = together(parts, ["subject", "cause"]), together(shares, ["subject", "cause"])
    names = dict(enumerate(CAUSES.values()))
    title, text = lead(each(report.subjects, lambda subject: _why(subject, of_bags)), "Why bags were taken")
    picture = Picture(
        "causes",
        "Bags by cause",
        kinds(
            found,
            report.drawn,
            "cause",
            (Scale("", names=names), Scale("bags that a seat wins, a hand", from_zero=True)),
        ),
        labelled(found.assign(cause=found["cause"].map(names)), report.drawn),
        f"Told of the seat that won the trick: a partner's bags are not among them. {BARS}",
        "Bags a hand by cause, for each bot.",
        height=height_of(len(names)),
    )
    table = beside(found, ["subject", "cause"], share=of_bags)
    columns = Columns(
        keys={"cause": "bags"},
        values={"mean": "a hand, of one seat", "share": "of its bags"},
        counts={"n": "hands of a seat"},
        formats={"mean": "number", "share": "percent", "cause": names.__getitem__},
    )
    shown = compared("causes", "Bags by cause", table, report.subjects, columns)
    return Section(title, [*text, *WHAT_CAUSES_ARE, *how], [picture], [shown])


WHAT_CAUSES_ARE = (
    "A trick is a bag if it counts for a contract that was made before. It was forced if no other legal card "
    "of the seat that won it would have left it to another side: with the other cards of the trick as they "
    "were, or after a lead of another suit whatever the others had played. If there was such a card, the bag "
    "was taken to set where another side's contract was still undecided when the trick began (not made, and "
    "within reach of the tricks left), and avoidable where none was. Tricks of a seat that bid nil stand "
    "apart, as far as the rules make bags of them.",
)


def _why(subject: Subject, shares: "pd.DataFrame") -> str:
    rows = of_subject(shares, subject).set_index("cause")
    if not len(rows):
        return f"{subject.label} wins no bag" if subject.run.manifest.has_plays else ""
    forced, avoidable, to_set = (told_share(estimate_in(rows.loc[cause])) for cause in range(3))
    causes = [f"{avoidable} were avoidable", f"{forced} forced", f"{to_set} taken to set the others"]
    if rows.loc[3]["mean"]:
        causes.append(f"{told_share(estimate_in(rows.loc[3]))} of failed nils")
    return f"Of the bags that {subject.label} wins, {listed(causes)}"


def _sets(report: Report, frame: "pd.DataFrame", x: str) -> Section:
    what, label = _words(report, x)
    is_share = all(run.rules.n_sides == 2 for run in report.runs)
    by_bid = frame.rename(columns={x: "bid"})
    own = rates(by_bid, "is_set", ["bid"], is_share=True)
    found = {
        "total": rates(frame, "is_set", is_share=True),
        "own": own,
        "at once": rates(by_bid, "is_set", ["bid"], is_share=True, among=n_places(enough(own))),
        "others": rates(by_bid, "opponents_set", ["bid"], is_share=is_share),
    }
    title, text = lead(
        each(report.drawn, lambda subject: _set(subject, found["at once"], what)), f"Sets by {what}"
    )
    if x == "side_bid":
        in_all = each(report.drawn, lambda subject: _in_all(subject, found, what))
    else:
        in_all = each(report.drawn, lambda subject: _balance(subject, frame))
    text = (*text, " ".join(f"{sentence}." for sentence in in_all))
    others = (
        Scale("others set, share of hands", is_percent=True) if is_share else Scale("other sides set, a hand")
    )
    name = x.replace("_", "-")
    pictures = [
        _sets_picture(
            report, (f"own-by-{name}", f"Own side set, by {what}"), found["own"], (Scale(label), OWN)
        ),
        _sets_picture(
            report, (f"others-by-{name}", f"Others set, by {what}"), found["others"], (Scale(label), others)
        ),
    ]
    bags = from_zero(rates(by_bid, "new_bags", ["bid"]))
    table = beside(found["own"], ["subject", "bid"], others=found["others"], bags=bags)
    columns = Columns(
        keys={"bid": label},
        values={"mean": "set", "others": others.label.partition(",")[0], "bags": "bags a hand"},
        counts={"n": "hands"},
        formats={"mean": "percent", "others": "percent" if is_share else "number", "bags": "number"},
    )
    return Section(title, text, pictures, [compared(name, f"By {what}", table, report.subjects, columns)])


def _sets_picture(
    report: Report, called: tuple[str, str], rows: "pd.DataFrame", axes: tuple[Scale, Scale]
) -> Picture:
    """How often somebody is set by what was bid; `called` is the name and the title."""
    name, title = called
    shown = enough(rows)
    how = f"{HOW} {PICKED}" if axes[1] is OWN else HOW
    lines = along(shown, report.drawn, "bid", axes)
    return Picture(name, title, lines, labelled(shown, report.drawn), how, f"{title}, a line for each bot.")


def _words(report: Report, x: str) -> tuple[str, str]:
    """What a bid is called, and what is written along its axis."""
    if x == "table_bid":
        return "table bid", "tricks bid by all sides together"
    if any(run.spec.has_partners for run in report.runs):
        return "team bid", "tricks bid by both partners"
    return "bid", "tricks bid"


def _balance(subject: Subject, frame: "pd.DataFrame") -> str:
    """Sets for a bot and against it."""
    mine = of_subject(frame, subject)
    if not len(mine):
        return ""
    gain = rates(
        mine.assign(gain=mine["opponents_set"] / (subject.run.rules.n_sides - 1) - mine["is_set"]), "gain"
    ).iloc[0]
    value = estimate_in(gain).scaled(100)
    if not is_sure(value) or not value.mean:
        return f"{subject.label} sets the others about as often as it is set"
    way = "more" if value.mean > 0 else "fewer"
    return (
        f"{subject.label} sets the others in {told(size(value), f'hands of 100 {way}')} than it is set itself"
    )


def _set(subject: Subject, by_bid: "pd.DataFrame", what: str) -> str:
    """At which bids a bot is set the most and the least, by intervals that hold all at once."""
    rows = enough(of_subject(by_bid, subject))
    if not tells(rows):
        return ""
    most, least = ends(rows)
    bid, other = int(most["bid"]), int(least["bid"])
    side, often = side_of(subject), told_share(estimate_in(most))
    if len(rows) > 1 and not is_apart(most, least):
        return f"{side} is set at no {what} surely more often than at another"
    text = f"{side} is set in {often} of hands with a {what} of {bid}"
    return text if bid == other else f"{text}, and in {told_share(estimate_in(least))} with one of {other}"


def _in_all(subject: Subject, found: "dict[str, pd.DataFrame]", what: str) -> str:
    """How often a bot is set, and from which bid on it is surely so in more hands than not, with each."""
    total, rows = (of_subject(found[name], subject) for name in ("total", "at once"))
    if not len(rows):
        return ""
    text = f"In all, {side_of(subject)} is set in {told_share(estimate_in(total.iloc[0]))} of hands"
    seen = enough(rows).sort_values("bid", ascending=False)
    beyond = seen[(seen["low"] > 0.5).cummin()]
    bid = int(beyond["bid"].min()) if len(beyond) else 0
    return f"{text}, and in more hands than not from a {what} of {bid} on" if bid else text


def _trade(report: Report, frame: "pd.DataFrame") -> Section:
    """What bids of more or fewer tricks would have been: bags against sets."""
    sets, bags = [], []
    for more in MORE:
        over = frame["over"] - more
        sets.append(rates(frame, over < 0).assign(more=more))
        bags.append(from_zero(rates(frame, over.clip(lower=0))).assign(more=more))
    found = beside(together(sets, KEY), KEY, bags=together(bags, KEY))
    title, text = lead(each(report.subjects, lambda subject: _price(subject, frame)), "Bags against sets")
    axes = (Scale("hands in which the side is set", is_percent=True), Scale("bags a hand, mean"))
    picture = Picture(
        "trade-off",
        "Bags against sets, had the side bid more or fewer tricks",
        curve(found, report.drawn, ("mean", "bags"), axes, "more"),
        labelled(found.rename(columns={"mean": "set", "low": "set_low", "high": "set_high"}), report.drawn),
        "The large marker is what was bid; the others are the same hands with one or two tricks more (+) or "
        "fewer (−) in the contract, as if the same tricks had been won. Hands in which the side bid no nil.",
        "Bags a hand against the share of hands set, for bids of up to two tricks more and fewer, a curve "
        "for each bot.",
        wide=len(report.drawn) > FEW,
    )
    columns = Columns(
        keys={"more": "tricks bid more"},
        values={"mean": "set", "bags": "bags a hand"},
        formats={"mean": "percent", "bags": "number", "more": _signed},
    )
    shown = compared("trade-off", "Bags against sets", found, report.subjects, columns)
    return Section(title, text, [picture], [shown])


def _price(subject: Subject, frame: "pd.DataFrame") -> str:
    """What one trick more would have changed."""
    mine = of_subject(frame, subject)
    if not len(mine):
        return ""
    sets = estimate_in(rates(mine, mine["over"] == 0).iloc[0])
    bags = estimate_in(rates(mine, mine["over"] > 0).iloc[0])
    side = side_of(subject)
    spared = f"would have spared it a bag in {told_share(bags)} of hands"
    return f"One trick more in every contract of {side} {spared}, and set it in {told_share(sets)} more"


def _signed(number: int) -> str:
    return with_sign(number) if number else "as bid"
