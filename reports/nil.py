"""Nils: who bids them, which of them are made, who breaks them, and what they are worth."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from spadesim.analysis import scales
from spadesim.analysis.charts import BARS, HOW, PICKED, Scale, along, enough, height_of, kinds, share_picture
from spadesim.analysis.findings import (
    each,
    ends,
    estimate_in,
    is_apart,
    is_most,
    lead,
    more_or_less,
    notes,
    tells,
    told_share,
)
from spadesim.analysis.gather import Count
from spadesim.analysis.rates import (
    beside,
    labelled,
    matched_differences,
    n_places,
    once_a_side,
    rates,
    together,
)
from spadesim.analysis.report import FrameTable, Picture, Report, Section, Subject
from spadesim.analysis.side_by_side import Columns, by_one, compared, for_more

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Nil"
QUESTION = "Who bids nil, does it succeed, who breaks it, and what is it worth?"
READS = "rows"
ORDER = 30
BY = ("spades", "highest_spade", "low_cards", "place", "partner_bid")
COUNTS = {
    **{
        name: Count(by=("nil", "nil_made", name, *(["place"] if name == "partner_bid" else [])))
        for name in BY
    },
    "came": Count(by=("nil_made", "blind"), of=("points", "new_bags", "is_set"), where="nil"),
    "broken": Count(by=("broken_on", "broken_by"), where="nil"),
    "cover": Count(by=("partner_bid", "bid", "tricks"), of=("is_set",)),
    "against": Count(by=("role", "opponents_nils", "opponents_nils_set", "side_bid")),
    "value": Count(by=("nil", "spades", "high_cards"), of=("points",)),
}

NO_NIL = "bids no nil"


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    counts = report.counts
    if not len(counts["spades"]):
        return [Section("No hand fits")]
    if not counts["spades"]["nil"].any():
        allowed = any(run.rules.nil_allowed for run in report.runs)
        why = "though the rules allow it" if allowed else "which the rules do not allow"
        return [Section(f"Nobody bid nil, {why}")]
    sections = [_overall(report), *(_by(report, name, scale) for name, scale in _scales(report).items())]
    sections.append(_broken(report))
    if (counts["cover"]["partner_bid"] == 0).any():
        sections.append(_cover(report))
    return [*filter(None, [*sections, _against(report), _value(report)])]


def _overall(report: Report) -> Section:
    frame, came = report.counts["spades"], report.counts["came"]
    is_nil = frame["nil"] == 1
    parts = [
        rates(frame, is_nil).assign(what=0),
        rates(frame, frame["nil_made"] == 1, per=is_nil).assign(what=1),
    ]
    found = together(parts, ["subject", "what"])
    sentences = each(report.subjects, lambda subject: _success(subject, found))
    title, text = lead(sorted(sentences, key=lambda sentence: sentence.endswith(NO_NIL)), "")
    names = Scale("nils", names={0: "bid", 1: "made"})
    share = Scale("share of bids; of nils bid", is_percent=True)
    picture = Picture(
        "overall",
        "Nils bid and made",
        kinds(found, report.drawn, "what", (names, share)),
        labelled(found.assign(what=found["what"].map(names.names)), report.drawn),
        f"How many bids are nils, and how many of the nils bid are made: the bidder took no trick. {BARS}",
        "Shares of bids that are nils, and of nils that are made, for each bot.",
        height=height_of(2),
    )
    table = by_one(
        "overall", "Nils bid, and made of those bid", found, report.subjects, ("what", names), share
    )
    tables = [*for_more(report, table), _what_came(report, came)]
    return Section(title, [*text, *notes(report, frame)], [picture], tables)


def _success(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number].set_index("what")
    if 1 not in rows.index:
        return f"{subject.label} {NO_NIL}" if len(rows) else ""
    bid, made = (told_share(estimate_in(rows.loc[what])) for what in (0, 1))
    return f"{subject.label} bids nil in {bid} of hands, and makes {made} of them"


def _what_came(report: Report, came: "pd.DataFrame") -> FrameTable:
    """What nils made and nils set came to."""
    by = ["blind", "nil_made"]
    found = rates(came, "points", by)
    bags, is_set = rates(came, "new_bags", by), rates(came, "is_set", by, is_share=True)
    found = beside(found, ["subject", *by], bags=bags, set=is_set)
    names = {(0, 0): "nil set", (0, 1): "nil made", (1, 0): "blind nil set", (1, 1): "blind nil made"}
    kind = [names[pair] for pair in zip(found["blind"], found["nil_made"], strict=True)]
    return FrameTable(
        "outcomes",
        "What nils come to, a hand",
        labelled(found.assign(kind=kind).drop(columns=by), report.subjects),
        {"bot": "bot", "kind": "", "n": "nils", "mean": "points", "bags": "bags", "set": "contract set"},
        {"mean": "signed", "bags": "number", "set": "percent"},
        "Points, bags and contracts are those of the whole side in the hand, by the rules of the run, which "
        "also tell whether tricks of a failed nil are bags or help the partner.",
    )


def _scales(report: Report) -> dict[str, Scale]:
    """The ways in which nils are told apart, and how these are written."""
    found = {
        "spades": Scale("spades in the hand"),
        "highest_spade": scales.ranks("highest spade"),
        "low_cards": Scale("cards from 2 to 6 in the hand"),
        "place": scales.places(report.runs),
    }
    if (report.counts["partner_bid"]["partner_bid"] >= 0).any():
        found["partner_bid"] = scales.bids(report.runs, "partner's bid")
    return found


def _by(report: Report, x: str, scale: Scale) -> Section:
    frame, what = report.counts[x], scale.label
    is_nil = frame["nil"] == 1
    # Whoever bids before its partner cannot go by the partner's bid.
    choosing = frame["place"] >= 2 if x == "partner_bid" else frame["rows"] > 0
    bid = rates(frame, is_nil, [x], per=choosing)
    made = rates(frame, frame["nil_made"] == 1, [x], per=is_nil)
    drawn = enough(made)
    at_once = enough(rates(frame, frame["nil_made"] == 1, [x], per=is_nil, among=n_places(drawn)))
    title, text = lead(
        each(report.drawn, lambda subject: _ends(subject, at_once, x, scale)), f"Nils by {what}"
    )
    if x == "partner_bid":
        text = (
            *text,
            "A partner that bids later is left out of how often nil is bid, and not of how often it is made.",
        )
    are_nils, are_made = (scale, "share of bids that are nils"), (scale, "share of nils that are made")
    pictures = [
        share_picture(report, f"bid-by-{x}", f"Nils bid by {what}", enough(bid), x, are_nils),
        share_picture(report, f"made-by-{x}", f"Nils made by {what}", drawn, x, are_made, PICKED),
    ]
    both = beside(rates(frame, is_nil, [x]), ["subject", x], made=made)
    columns = Columns(
        keys={x: what},
        values={"mean": "bid", "made": "made"},
        counts={"n": "bids", "made_n": "nils"},
        formats={"mean": "percent", "made": "percent", x: scale.written},
    )
    table = compared(f"by-{x}", f"Nils among bids, and made, by {what}", both, report.subjects, columns)
    return Section(title, text, pictures, [table])


def _ends(subject: Subject, made: "pd.DataFrame", x: str, scale: Scale) -> str:
    """Where a bot's nils succeed more and less, by intervals that hold all at once."""
    rows = made[made["subject"] == subject.number]
    if not tells(rows):
        return ""
    best, worst = ends(rows)
    most, least = (_where(row, x, scale) for row in (best, worst))
    text = f"{subject.label} makes {told_share(estimate_in(best))} of its nils {most}"
    if len(rows) == 1:
        return text
    if not is_apart(best, worst):
        return f"How often {subject.label}'s nils succeed does not surely depend on the {scale.label}"
    return f"{text}, and {told_share(estimate_in(worst))} {least}"


def _where(row: Any, x: str, scale: Scale) -> str:
    number = int(row[x])
    name = scale.written(number)
    if x == "spades":
        return "with a single spade" if number == 1 else f"with {number or 'no'} spades"
    if x == "highest_spade":
        return (
            f"with the {scales.RANKS.get(number, name)} as its highest spade" if number else "without a spade"
        )
    if x == "low_cards":
        return f"with {name} low cards"
    return f"bidding {name}" if x == "place" else f"beside a partner's {name}"


def _broken(report: Report) -> Section:
    frame = report.counts["broken"]
    frame = frame[frame["broken_on"] >= 0]
    if not len(frame):
        return Section("No nil was set")
    by_trick = frame.assign(trick=frame["broken_on"] + 1)
    tricks, leaders = _shares(by_trick, "trick"), _shares(frame, "broken_by")
    picked = (
        _shares(frame, "broken_by", n_places(leaders)), _shares(by_trick, "trick", n_places(tricks)),
    )  # fmt: skip
    scale, share = scales.leaders(report.runs, "led by"), Scale("share of nils set", is_percent=True)
    title, text = lead(
        each(report.subjects, lambda subject: _breaker(subject, picked, scale)), "What breaks nils"
    )
    of_set = Scale("trick"), "share of nils set"
    pictures = [
        share_picture(report, "broken-on", "Trick that broke nils", tricks, "trick", of_set),
        Picture(
            "broken-by",
            "Who led the trick that broke nils",
            kinds(leaders, report.drawn, "broken_by", (scale, share)),
            labelled(leaders.assign(broken_by=leaders["broken_by"].map(scale.names)), report.drawn),
            f"A nil is broken by the first trick that its bidder wins; seats as its bidder has them. {BARS}",
            "Share of nils set by who led the trick that broke them, for each bot.",
            height=height_of(len(scale.names)),
        ),
    ]
    tables = [
        by_one("broken-on", "Nils set in trick", tricks, report.subjects, ("trick", Scale("trick")), share),
        by_one("broken-by", "Nils set, led by", leaders, report.subjects, ("broken_by", scale), share),
    ]
    return Section(title, text, pictures, [table for every in tables for table in for_more(report, every)])


def _shares(frame: "pd.DataFrame", x: str, among: int = 1) -> "pd.DataFrame":
    """For every value of a column its share of all rows, also where a bot has none."""
    values = range(int(frame[x].min()), int(frame[x].max()) + 1)
    return together(
        [rates(frame, frame[x] == value, among=among).assign(**{x: value}) for value in values],
        ["subject", x],
    )


def _breaker(subject: Subject, picked: "tuple[pd.DataFrame, pd.DataFrame]", scale: Scale) -> str:
    """Who leads the tricks that break a bot's nils, and which these are, as far as one is surely the most."""
    leaders, tricks = (frame[frame["subject"] == subject.number] for frame in picked)
    if not tells(leaders):
        return ""
    leader, trick = (frame.iloc[int(frame["mean"].to_numpy().argmax())] for frame in (leaders, tricks))
    share, often = (told_share(estimate_in(row)) for row in (leader, trick))
    found = [
        f"most often to a trick that the {scale.names[int(leader['broken_by'])]} leads, in {share} of cases"
        if is_most(leader, leaders)
        else "to no leader's tricks surely more often than to others'",
        f"most often to trick {int(trick['trick'])}, in {often}"
        if is_most(trick, tricks)
        else "to no trick surely more often than to all others",
    ]
    return f"{subject.label}'s nils that are set fall {', and '.join(found)}"


def _cover(report: Report) -> Section:
    frame = report.counts["cover"]
    frame = frame[(frame["bid"] > 0) & (frame["partner_bid"] >= 0)]
    frame = frame.assign(error=frame["tricks"] - frame["bid"])
    frame = frame.assign(errors=frame["error"] * frame["rows"])
    is_beside = frame["partner_bid"] == 0
    both = is_beside, ~is_beside
    gap = matched_differences(frame, "errors", both, ["bid"], ["bid"])
    drawn = enough(gap)
    alike = matched_differences(frame, "errors", both, ["bid"])
    is_set = rates(frame, "is_set", per=is_beside, is_share=True)
    otherwise = "No bid beside a nil was made beside others, too" if len(is_set) else "Nobody covered a nil"
    title, text = lead(each(report.subjects, lambda subject: _covered(subject, alike, is_set)), otherwise)
    picture = Picture(
        "cover",
        "Tricks won minus bid beside a nil, against other hands",
        along(drawn, report.drawn, "bid", (Scale("own bid"), Scale("change of tricks minus bid")), "zero"),
        labelled(drawn, report.drawn),
        "The same bid beside a partner's nil, and beside a partner that bid tricks: below the dashed line "
        f"covering costs tricks. {HOW}",
        "Difference in tricks won minus bid beside a nil and otherwise, by own bid, a line for each bot.",
    )
    return Section(title, text, [picture] if len(drawn) else [], [_cover_table(report, frame)])


def _covered(subject: Subject, alike: "pd.DataFrame", is_set: "pd.DataFrame") -> str:
    error, sets = (frame[frame["subject"] == subject.number] for frame in (alike, is_set))
    if not len(error):
        return ""
    tricks = more_or_less(estimate_in(error.iloc[0]), "tricks")
    return (
        f"Beside a partner's nil {subject.label} wins {tricks}, against the same bids beside other partners, "
        f"and is set in {told_share(estimate_in(sets.iloc[0]))} of hands"
    )


def _cover_table(report: Report, frame: "pd.DataFrame") -> FrameTable:
    """Tricks won minus bid, and how often the contract is set, beside a nil and otherwise."""
    nil = frame["partner_bid"] == 0
    found = beside(
        rates(frame, frame["error"], per=nil),
        ["subject"],
        other=rates(frame, frame["error"], per=~nil),
        set=rates(frame, "is_set", per=nil, is_share=True),
        set_other=rates(frame, "is_set", per=~nil, is_share=True),
    )
    heads = {"bot": "bot", "n": "nils covered", "mean": "tricks won minus bid", "other": "otherwise"}
    heads |= {"set": "contracts set", "set_other": "otherwise"}
    formats = {"mean": "signed", "other": "signed", "set": "percent", "set_other": "percent"}
    note = (
        "A contract is both partners' bids together, so beside a nil it is one's own bid alone. Where both "
        "partners bid nil there is no cover; these hands are left out."
    )
    return FrameTable("cover", "What covering costs", labelled(found, report.subjects), heads, formats, note)


def _against(report: Report) -> Section | None:
    frame = report.counts["against"]
    frame = frame if report.where else frame[once_a_side(frame)]
    frame = frame[frame["opponents_nils"] > 0]
    if not len(frame):
        return None
    part, per = frame["opponents_nils_set"], frame["opponents_nils"]
    found = rates(frame, part, per=per, is_share=True)
    by_bid = rates(frame, part, ["side_bid"], per=per, is_share=True)
    title, text = lead(each(report.subjects, lambda subject: _sets(subject, found)), "")
    scale = Scale("tricks bid by the side that defends")
    table = FrameTable(
        "against",
        "Opponents' nils",
        labelled(found, report.subjects),
        {"bot": "bot", "n": "nils faced", "mean": "set"},
        {"mean": "percent"},
        "Every nil counts once for the side that plays against it; how safe the nils are is up to those who "
        "bid them.",
    )
    shown = enough(by_bid)
    picture = share_picture(
        report, "against", "Opponents' nils set", shown, "side_bid", (scale, "share of opponents' nils set")
    )
    return Section(title, text, [picture], [table])


def _sets(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number]
    if not len(rows):
        return ""
    return f"{subject.label} sets {told_share(estimate_in(rows.iloc[0]))} of its opponents' nils"


def _value(report: Report) -> Section | None:
    frame = report.counts["value"]
    is_nil = frame["nil"] == 1
    alike = ["spades", "high_cards"]
    found = matched_differences(frame, "points", (is_nil, ~is_nil), alike)
    if not len(found):
        return None
    by_spades = enough(matched_differences(frame, "points", (is_nil, ~is_nil), alike, ["spades"]))
    title, text = lead(each(report.subjects, lambda subject: _worth(subject, found)), "")
    axes = Scale("spades in the hand"), Scale("points, nil minus other bids")
    picture = Picture(
        "value",
        "Points of nils against other bids of like hands",
        along(by_spades, report.drawn, "spades", axes, "zero"),
        labelled(by_spades, report.drawn),
        f"Hands with as many spades and as many cards from jack to ace. {HOW}",
        "Points a hand of nils minus those of other bids of like hands, by spades, a line for each bot.",
    )
    heads = {"bot": "bot", "n": "nils compared", "mean": "points a hand, nil minus other bids"}
    table = FrameTable("value", "Value", labelled(found, report.subjects), heads, {"mean": "signed"})
    honest = (
        "Compared are a bot's nils with its own other bids, in hands with as many spades and as many cards "
        "from jack to ace, weighted as nils have them. These hands are alike in that alone: a bot bids nil "
        "where its cards are lower, or the score asks for it. So this tells how nils fare, and not what "
        "another bid would have brought in the same hands; for that, play both on the same boards (sweep)."
    )
    return Section(title, [*text, honest], [picture], [table])


def _worth(subject: Subject, found: "pd.DataFrame") -> str:
    rows = found[found["subject"] == subject.number]
    if not len(rows):
        return ""
    points = more_or_less(estimate_in(rows.iloc[0]), "points")
    return f"{subject.label}'s nils bring {points}, against other bids of like hands"
