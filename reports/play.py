"""Play: tricks won by who led, ruffs of the partner's winners, high cards lost, and trumps drawn."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spadesim.analysis.charts import BARS, Scale, height_of, kinds
from spadesim.analysis.findings import as_recorded, each, estimate_in, lead, notes, told, told_share
from spadesim.analysis.gather import Count
from spadesim.analysis.rates import beside, from_zero, labelled, of_subject, rates, together
from spadesim.analysis.report import FrameTable, Picture, Report, Section, Subject
from spadesim.analysis.side_by_side import Columns, compared
from spadesim.analysis.words import listed
from spadesim.match.lead_columns import PLACES

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Play"
QUESTION = "Which tricks does it win, and what does it waste?"
READS = "rows"
ORDER = 50
COUNTS = {
    "leads": Count(by=(), of=tuple(f"{what}_{place}" for place in PLACES for what in ("played", "won"))),
    "cards": Count(by=(), of=("ruffs", "partner_ruffed", "honours", "honours_lost")),
    "spades": Count(by=(), of=("spades_led", "spades_drawn"), runs="cards"),
}
KEY, WASTE = ["subject", "place"], ["subject", "what"]
A_HAND = Scale("of one seat, a hand", from_zero=True)
SEATS = {  # who led, as those who play first, second and so on to it have them
    (2, False): ("own lead", "opponent's lead"),
    (3, False): ("own lead", "right opponent's lead", "left opponent's lead"),
    (4, False): ("own lead", "right opponent's lead", "lead from across", "left opponent's lead"),
    (4, True): ("own lead", "right opponent's lead", "partner's lead", "left opponent's lead"),
}
ANY_TABLE = ("own lead", "second to play", "third to play", "fourth to play")


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    if not len(report.counts["leads"]):
        return [Section("No hand fits")]
    return [
        _leads(report, report.counts["leads"]),
        _waste(report, report.counts["cards"]),
        _spades(report, report.counts["spades"]),
    ]


def _names(report: Report) -> dict[int, str]:
    """Who led, by how many played before."""
    tables = {(run.rules.players, run.spec.has_partners) for run in report.runs}
    names = SEATS[tables.pop()] if len(tables) == 1 else ANY_TABLE
    return dict(enumerate(names))


def _leads(report: Report, frame: "pd.DataFrame") -> Section:
    names = _names(report)
    shares, counts = [], []
    for place, name in enumerate(PLACES[: len(names)]):
        shares.append(rates(frame, f"won_{name}", per=f"played_{name}", is_share=True).assign(place=place))
        counts.append(from_zero(rates(frame, f"won_{name}")).assign(place=place))
    won, a_hand = together(shares, KEY), together(counts, KEY)
    title, text = lead(each(report.subjects, lambda subject: _lead_sentence(subject, won, names)), "")
    scale = Scale("", names=names)
    pictures = [
        Picture(
            name,
            heading,
            kinds(found, report.drawn, "place", (scale, along)),
            labelled(found.assign(place=found["place"].map(names)), report.drawn),
            caption,
            f"{heading}, for each bot.",
            height=height_of(len(names)),
        )
        for name, heading, found, along, caption in (
            (
                "tricks-by-lead",
                "Tricks won by who led",
                a_hand,
                Scale("tricks won by one seat, a hand", from_zero=True),
                f"The four add up to what the seat wins in a hand. {BARS}"
                if len(names) == 4
                else f"Together they are what the seat wins in a hand. {BARS}",
            ),
            (
                "share-by-lead",
                "How many of these tricks it wins",
                won,
                Scale("share of tricks so led", is_percent=True),
                f"Of the tricks that this seat leads, how many the bot wins itself: one in {len(names)} if "
                f"all did alike. {BARS}",
            ),
        )
    ]
    columns = Columns(
        keys={"place": "led by"},
        values={"mean": "tricks won, a hand", "won": "of tricks so led"},
        counts={"won_n": "tricks so led"},
        formats={"mean": "number", "won": "percent", "place": names.__getitem__},
    )
    table = compared("leads", "Tricks by lead", beside(a_hand, KEY, won=won), report.subjects, columns)
    return Section(title, [*text, *notes(report, frame)], pictures, [table])


def _lead_sentence(subject: Subject, won: "pd.DataFrame", names: Mapping[int, str]) -> str:
    rows = of_subject(won, subject).set_index("place")
    there = [place for place in names if place in rows.index]
    parts = [
        f"{told_share(estimate_in(rows.loc[place]))} {'' if number else 'of tricks '}{_on(names[place])}"
        for number, place in enumerate(there)
    ]
    return f"{subject.label} wins {listed(parts)}" if parts else ""


def _on(name: str) -> str:
    if name.endswith("lead"):
        return f"on its {name}"
    return f"on a {name}" if name.startswith("lead") else f"as {name}"


def _waste(report: Report, frame: "pd.DataFrame") -> Section:
    """High cards lost, ruffs, and those of the partner's winners."""
    columns = {"honours_lost": "high cards lost", "ruffs": "ruffs"}
    if any(run.spec.has_partners for run in report.runs):
        columns["partner_ruffed"] = "partner's winner ruffed"
    names = dict(enumerate(columns.values()))
    parts = [from_zero(rates(frame, column)).assign(what=what) for what, column in enumerate(columns)]
    found = together(parts, WASTE)
    shares = {
        "lost": rates(frame, "honours_lost", per="honours", is_share=True),
        "ruffed": rates(frame, "partner_ruffed", per="ruffs", is_share=True),
    }
    title, text = lead(each(report.subjects, lambda subject: _wasted(subject, found, shares)), "")
    picture = Picture(
        "waste",
        "High cards lost, and ruffs",
        kinds(found, report.drawn, "what", (Scale("", names=names), A_HAND)),
        labelled(found.assign(what=found["what"].map(names)), report.drawn),
        "Aces, kings and queens that a seat played to tricks of other sides; spades that it played to tricks "
        f"of another suit, and of these those on a trick that its partner was winning at that time. {BARS}",
        "High cards lost, ruffs, and ruffs of tricks that the partner was winning, a hand, for each bot.",
        height=height_of(len(names)),
    )
    table = beside(rates(frame, "honours_lost"), ["subject"], **shares, ruffs=rates(frame, "ruffs"))
    heads = {
        "bot": "bot",
        "n": "hands of a seat",
        "mean": "high cards lost, a hand",
        "lost": "of those dealt",
    }
    heads |= {"ruffs": "ruffs, a hand"}
    if len(columns) > 2:
        table = beside(table, ["subject"], partner=rates(frame, "partner_ruffed"))
        heads |= {"partner": "partner's winner ruffed, a hand", "ruffed": "of its ruffs"}
    formats = {
        "mean": "number",
        "lost": "percent",
        "ruffs": "number",
        "partner": "number",
        "ruffed": "percent",
    }
    shown = FrameTable("waste", "High cards and ruffs", labelled(table, report.subjects), heads, formats)
    return Section(title, text, [picture], [shown])


def _wasted(subject: Subject, found: "pd.DataFrame", shares: "Mapping[str, pd.DataFrame]") -> str:
    rows = of_subject(found, subject).set_index("what")
    lost, ruffed = (of_subject(shares[name], subject) for name in ("lost", "ruffed"))
    if not len(rows) or not len(lost):
        return ""
    of_honours = told_share(estimate_in(lost.iloc[0]))
    text = f"{subject.label} loses {of_honours} of its aces, kings and queens to others"
    if not len(ruffed):
        return f"{text}, and never ruffs"
    text = f"{text}, and ruffs {told(estimate_in(rows.loc[1]), 'times a hand', 2)}"
    if 2 not in rows.index:
        return text
    share = told_share(estimate_in(ruffed.iloc[0]))
    return f"{text}, {share} of these when its partner was winning the trick"


def _spades(report: Report, frame: "pd.DataFrame") -> Section:
    """Spades led, and those of others that fell."""
    missing = [run for run in report.runs if not run.manifest.has_plays]
    how = [as_recorded("Which spades were drawn", missing[0])] if missing else []
    if not len(frame):
        return Section("Trumps drawn", how)
    names = {0: "spades led", 1: "spades drawn from others"}
    found = together(
        [
            rates(frame, column).assign(what=what)
            for what, column in enumerate(("spades_led", "spades_drawn"))
        ],
        ["subject", "what"],
    )
    each_lead = rates(frame, "spades_drawn", per="spades_led")
    title, text = lead(
        each(report.subjects, lambda subject: _drew(subject, found, each_lead)), "Trumps drawn"
    )
    picture = Picture(
        "spades",
        "Spades led, and spades of others drawn by them",
        kinds(found, report.drawn, "what", (Scale("", names=names), A_HAND)),
        labelled(found.assign(what=found["what"].map(names)), report.drawn),
        f"Tricks that the seat led with a spade, and the spades that other sides played to them. {BARS}",
        "Spades led a hand, and spades of other sides drawn a hand, for each bot.",
        height=height_of(len(names)),
    )
    table = beside(
        rates(frame, "spades_led"),
        ["subject"],
        drawn=rates(frame, "spades_drawn"),
        each=each_lead,
    )
    heads = {"bot": "bot", "n": "hands of a seat", "mean": "spades led, a hand", "drawn": "drawn, a hand"}
    heads |= {"each": "drawn, a lead"}
    formats = {"mean": "number", "drawn": "number", "each": "number"}
    shown = FrameTable("spades", "Trumps drawn", labelled(table, report.subjects), heads, formats)
    return Section(title, [*text, *how], [picture], [shown])


def _drew(subject: Subject, found: "pd.DataFrame", each_lead: "pd.DataFrame") -> str:
    rows, drawn = of_subject(found, subject).set_index("what"), of_subject(each_lead, subject)
    if not len(rows):
        return ""
    if not len(drawn):
        return f"{subject.label} never leads a spade"
    return (
        f"{subject.label} leads a spade {told(estimate_in(rows.loc[0]), 'times a hand', 2)}, and each draws "
        f"{told(estimate_in(drawn.iloc[0]), 'spades from others', 2)}"
    )
