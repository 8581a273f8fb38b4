"""Games: what scores and bags are worth, how long games last, and how often one comes back from behind."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from spadesim.analysis.charts import BARS, HOW, PICKED, Scale, along, enough
from spadesim.analysis.findings import (
    each,
    estimate_in,
    farthest,
    is_sure,
    lead,
    notes,
    size,
    tells,
    told,
    told_share,
)
from spadesim.analysis.gather import Count, block_of
from spadesim.analysis.rates import (
    beside,
    labelled,
    matched_differences,
    n_places,
    of_subject,
    once_a_side,
    rates,
    together,
)
from spadesim.analysis.report import MOST_DRAWN, FrameTable, Picture, Report, Section, Subject, runs_of
from spadesim.analysis.scales import with_sign
from spadesim.analysis.side_by_side import Columns, by_one, compared
from spadesim.core.tally import UNFINISHED, WIN
from spadesim.match.recorded import RecordedRun
from spadesim.stats.blocks import N_BLOCKS

TITLE = "Games and boards"
QUESTION = "What are scores and bags worth, how long do games last, and who comes back from behind?"
READS = "rows"
ORDER = 60
BAND = 50  # points
WIDE_BAND = 100
COUNTS = {
    "ahead": Count(by=("role", "result", f"ahead // {BAND}"), runs="games"),
    "bags": Count(
        by=("role", "result", "bags", f"ahead // {WIDE_BAND}", f"score // {WIDE_BAND}"), runs="games"
    ),
    "length": Count(by=("role", "hand"), where="is_last == 1 and seat == 0", runs="games"),
    "behind": Count(by=("role", "result", f"farthest_behind // {BAND}"), where="is_last", runs="games"),
}
FAR = tuple(range(BAND, 401, BAND))  # points behind
TOLD_FAR = (100, 200)
FEW = 20  # games, below which nine in ten of them are not told
LEAST = 1e-9  # of a change that is none
KINDS = {  # what boards are judged by: what it is called, what 1 is worth in it, and the changes told
    "win chance": ("percentage points of win chance", 100, (LEAST, 1, 2, 5, 10, 20)),
    "points": ("points", 1, (LEAST, 10, 20, 50, 100, 200)),
}
TOLD_CHANGE = 4  # of these


def build(report: Report) -> Sequence[Section]:
    """The sections of the page.

    Parameters
    ----------
    report : Report
        With the counts named in `COUNTS`.
    """
    counts = {name: _finished(frame, bool(report.where)) for name, frame in report.counts.items()}
    sections = []
    if len(counts["ahead"]):
        sections += [_ahead(report, counts["ahead"]), _bags(report, counts["bags"])]
        if report.where:
            sections.append(Section("Only some hands are looked at, so that whole games are not told of"))
        else:
            sections += [_lengths(report, counts["length"]), _behind(report, counts["behind"])]
    if not report.where:
        sections += [_boards(report, kind) for kind in KINDS]
    return [section for section in sections if section is not None] or [Section("No game was finished")]


def _finished(frame: "pd.DataFrame", is_chosen: bool) -> "pd.DataFrame":
    """The rows of finished games with what the bot got: 1 for a win, 1/2 for a draw.

    A side's rows are taken once, but where some are chosen: then each by itself.
    """
    frame = frame if is_chosen else frame[once_a_side(frame)]
    if "result" not in frame:
        return frame
    frame = frame[frame["result"] != UNFINISHED]
    return frame.assign(got=frame["result"] / WIN)


def _ahead(report: Report, frame: "pd.DataFrame") -> Section:
    frame = frame.rename(columns={f"ahead // {BAND}": "band"})
    found = rates(frame, frame["got"], ["band"], is_share=True)
    shown = enough(found)
    names = {
        int(band): with_sign(int(band) * BAND) for band in sorted(shown["band"].unique()) if band % 4 == 0
    }
    sentences = each(report.subjects, lambda subject: _worth(subject, found))
    title, text = lead(sentences, "Win chance by the score")
    picture = Picture(
        "win-by-score",
        "Win chance by points ahead",
        along(
            shown,
            report.drawn,
            "band",
            (
                Scale(f"points ahead before the hand, in bands of {BAND}", names=names),
                Scale("hands of games won", is_percent=True),
            ),
        ),
        labelled(shown.assign(ahead=shown["band"] * BAND).drop(columns="band"), report.drawn),
        "Of the hands that began with so many points more than the best other side (or fewer, −), how many "
        "belong to games that the bot's side won; a draw is half a win. A band is named by its lowest "
        f"number. {HOW}",
        "Share of games won by the points ahead before a hand, a line for each bot.",
    )
    bands = [int(band) * BAND for band in found["band"].unique()]
    table = by_one(
        "win-by-score",
        "Win chance by score",
        found.assign(ahead=found["band"] * BAND).drop(columns="band"),
        report.subjects,
        ("ahead", Scale("points ahead, from", names={band: with_sign(band) for band in bands})),
        Scale("hands of games won", is_percent=True),
    )
    return Section(title, [*text, *notes(report, frame)], [picture], [table])


def _worth(subject: Subject, found: "pd.DataFrame") -> str:
    """The win chance at about level scores, and when well ahead and behind."""
    rows = of_subject(found, subject).set_index("band")
    places = {
        0: "of hands begun level or up to 49 points ahead",
        2: "of those begun 100 to 149 ahead",
        -2: "of those begun 51 to 100 behind",
    }
    parts = [
        f"{told_share(estimate_in(rows.loc[band]))} {where}"
        for band, where in places.items()
        if band in rows.index
    ]
    if not parts:
        return ""
    return f"{subject.label} goes on to win from {parts[0]}" + "".join(f", {part}" for part in parts[1:])


def _bags(report: Report, frame: "pd.DataFrame") -> Section | None:
    limit = max(run.rules.bag_limit for run in report.runs)
    if not limit:
        return None
    found = _by_bags(frame)
    shown = enough(found)
    at_once = enough(_by_bags(frame, n_places(shown)))
    title, text = lead(
        each(report.subjects, lambda subject: _at_bags(subject, at_once)), "Win chance by bags"
    )
    what = Scale("win chance, percentage points")
    picture = Picture(
        "win-by-bags",
        "What bags do to the win chance, at like scores",
        along(shown, report.drawn, "bags", (Scale("bags of the side before the hand"), what), "zero"),
        labelled(shown, report.drawn),
        f"Games won against all of the same bot's hands at like scores (own score, and points ahead, in "
        f"bands of {WIDE_BAND}), which are on the dashed line. {HOW} {PICKED}",
        "Win chance by the number of bags before a hand, against all hands at like scores, a line for each "
        "bot.",
    )
    table = by_one(
        "win-by-bags",
        "Win chance by bags, percentage points",
        found,
        report.subjects,
        ("bags", Scale("bags")),
        what,
    )
    return Section(title, text, [picture], [table])


def _by_bags(frame: "pd.DataFrame", among: int = 1) -> "pd.DataFrame":
    """How many percentage points more are won with each number of bags than with any, at like scores.

    What is won with any number is estimated out of the same games, which the intervals allow for.
    """
    frame = frame.assign(won=100 * frame["got"] * frame["rows"])
    cells, every = [f"ahead // {WIDE_BAND}", f"score // {WIDE_BAND}"], frame["rows"] > 0
    found = [
        matched_differences(frame, "won", (frame["bags"] == bags, every), cells, among=among).assign(
            bags=bags
        )
        for bags in sorted(frame["bags"].unique())
    ]
    return together(found, ["subject", "bags"])


def _at_bags(subject: Subject, shown: "pd.DataFrame") -> str:
    rows = of_subject(shown, subject)
    if not tells(rows):
        return ""
    worst = farthest(rows)
    value = estimate_in(worst)
    if not is_sure(value) or not value.mean:
        return f"No number of bags surely changes {subject.label}'s win chance"
    bags = int(worst["bags"])
    points = told(size(value), "percentage points")
    at = f"With {bags} bag{'s' * (bags != 1)}"
    where = f"{'above' if value.mean > 0 else 'below'} that of all its hands at like scores"
    return f"{at}, {subject.label}'s win chance is {points} {where}"


def _lengths(report: Report, frame: "pd.DataFrame") -> Section | None:
    if not len(frame):
        return None
    runs, numbers = runs_of(report.subjects)
    frame = frame.assign(subject=frame["subject"].map(numbers), hands=frame["hand"])
    subjects = [run for run in runs if len(of_subject(frame, run))]
    mean = rates(frame, frame["hands"])
    lengths = range(int(frame["hands"].min()), int(frame["hands"].max()) + 1)
    found = together(
        [rates(frame, frame["hands"] == hands).assign(hands=hands) for hands in lengths], ["subject", "hands"]
    )
    shown = found[found["mean"] >= 0.001] if (found["mean"] >= 0.001).any() else found
    title, text = lead(each(subjects, lambda subject: _long(subject, mean, frame)), "")
    picture = Picture(
        "length",
        "Length of games",
        along(
            shown,
            subjects[:MOST_DRAWN],
            "hands",
            (Scale("hands in the game"), Scale("share of games", is_percent=True)),
        ),
        labelled(shown, subjects[:MOST_DRAWN]),
        f"{BARS} Lengths of less than one in 1,000 games are not drawn; games that were given up count as "
        "long as they lasted.",
        "Share of games by how many hands they had, a line for each run.",
    )
    heads = {"bot": "games", "n": "number", "mean": "hands a game"}
    table = FrameTable("length", "Length of games", labelled(mean, subjects), heads, {"mean": "number"})
    return Section(title, text, [picture], [table])


def _long(subject: Subject, mean: "pd.DataFrame", frame: "pd.DataFrame") -> str:
    rows = of_subject(frame, subject).groupby("hands")["rows"].sum()
    share = rows.cumsum() / rows.sum()
    first, last = (int(share.index[int(np.searchsorted(share.to_numpy(), part))]) for part in (0.05, 0.95))
    length = told(estimate_in(of_subject(mean, subject).iloc[0]), "hands", 2)
    text = f"Games of {subject.label} last {length} on average"
    if rows.sum() < FEW:
        return text
    most = f"{first} to {last}" if first < last else f"{first}"
    return f"{text}, and nine in ten of them {most}"


def _behind(report: Report, frame: "pd.DataFrame") -> Section | None:
    if not len(frame):
        return None
    parts, found = [], []
    for far in FAR:
        was_behind = frame[f"farthest_behind // {BAND}"] >= far // BAND
        found.append(rates(frame, frame["got"], per=was_behind, is_share=True).assign(far=far))
        parts.append(rates(frame, was_behind).assign(far=far))
    key = ["subject", "far"]
    if not sum(map(len, found)):
        return Section(f"Nobody was {FAR[0]} points or more behind in any game")
    won, were = together(found, key), together(parts, key)
    title, text = lead(each(report.subjects, lambda subject: _back(subject, won)), "Comebacks")
    drawn = won.assign(step=won["far"] // BAND)
    picture = Picture(
        "comebacks",
        "Games won from behind",
        along(
            drawn,
            report.drawn,
            "step",
            (
                Scale("points behind at some time, or more", names={far // BAND: str(far) for far in FAR}),
                Scale("of these games won", is_percent=True),
            ),
        ),
        labelled(won, report.drawn),
        "Of the games in which the bot's side was so far behind the best other side before some hand, how "
        f"many it won; a draw is half a win. {BARS}",
        "Share of games won of those in which a bot was so many points behind, a line for each bot.",
    )
    columns = Columns(
        keys={"far": "points behind"},
        values={"mean": "of its games", "won": "of these won"},
        counts={"won_n": "games"},
        formats={"mean": "percent", "won": "percent"},
    )
    shown = compared("comebacks", "Comebacks", beside(were, key, won=won), report.subjects, columns)
    return Section(title, text, [picture], [shown])


def _back(subject: Subject, won: "pd.DataFrame") -> str:
    rows = of_subject(won, subject).set_index("far")
    parts = [
        f"{told_share(estimate_in(rows.loc[far]))} of the games in which it was {far} points or more behind"
        for far in TOLD_FAR
        if far in rows.index
    ]
    if not parts:
        return (
            f"{subject.label} was never {TOLD_FAR[0]} points behind" if len(of_subject(won, subject)) else ""
        )
    return f"{subject.label} wins {' and '.join(parts)}"


def _boards(report: Report, kind: str) -> Section | None:
    """How much boards change, for the bots of the runs whose boards are judged alike."""
    unit, _, least = KINDS[kind]
    runs = [run for run in report.runs if run.spec.boards is not None and _judged_by(run) == kind]
    frames = [
        _changes(run, subject, kind) for run in runs for subject in report.subjects if subject.run is run
    ]
    if not frames:
        return None
    frame = pd.concat(frames)
    found = together(
        [rates(frame, frame["step"] > step).assign(step=step) for step in range(len(least))],
        ["subject", "step"],
    )
    subjects = [subject for subject in report.drawn if subject.run in runs]
    sentences = each(subjects, lambda subject: _gains(subject, frame, kind))
    title, text = lead(sentences, "What boards change")
    names = {step: "any" if value == LEAST else f"{value}" for step, value in enumerate(least)}
    picture = Picture(
        f"boards-{kind.replace(' ', '-')}",
        "How much a bot gains on boards",
        along(
            found,
            subjects,
            "step",
            (
                Scale(f"{unit} gained, or more", names=names),
                Scale("share of boards", is_percent=True),
            ),
        ),
        labelled(found.assign(gain=found["step"].map(names)), subjects),
        "A board is one deal in all its rooms, and the gain is that of the bot's side against the other, the "
        f"mean of the rooms. On boards that no line counts both did alike. {BARS}",
        f"Share of boards on which a bot gains so many {unit} or more, a line for each bot.",
    )
    return Section(title, text, [picture])


def _judged_by(run: RecordedRun) -> str:
    return "win chance" if run.manifest.values["equity"] else "points"


def _changes(run: RecordedRun, subject: Subject, kind: str) -> "pd.DataFrame":
    """How many boards each block of a run has on which a bot gains at least so much, by how many steps."""
    _, worth, least = KINDS[kind]
    values = run.units()["value"].to_numpy() * (worth if subject.roles[0] < 2 else -worth)
    block = block_of(np.arange(len(values)), max(len(values), 1))
    steps = np.searchsorted(np.array(least), values + LEAST / 2, side="right")
    rows = np.bincount(block * (len(least) + 1) + steps, minlength=N_BLOCKS * (len(least) + 1))
    places = np.flatnonzero(rows)
    return pd.DataFrame(
        {
            "subject": subject.number,
            "block": places // (len(least) + 1),
            "step": places % (len(least) + 1),
            "rows": rows[places],
        }
    )


def _gains(subject: Subject, frame: "pd.DataFrame", kind: str) -> str:
    unit, _, least = KINDS[kind]
    mine = of_subject(frame, subject)
    ever, much = (
        told_share(estimate_in(rates(mine, mine["step"] > step).iloc[0])) for step in (0, TOLD_CHANGE)
    )
    return f"{subject.label} gains on {ever} of boards, and {least[TOLD_CHANGE]} {unit} or more on {much}"
