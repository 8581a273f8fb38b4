"""Where two bots part: which decisions the difference comes from, and the hands that cost the most."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import astuple
from functools import partial
from typing import TYPE_CHECKING, Any

from spadesim.analysis import diff_plot
from spadesim.analysis.diff import (
    WORTH_SAYS,
    at_text,
    cases_head,
    chose_text,
    nil_sentences,
    sentence,
    worth_sentence,
)
from spadesim.analysis.hand_view import DrawnHand
from spadesim.analysis.numbers import decimals, signed
from spadesim.analysis.report import FrameTable, Picture, Report, Section
from spadesim.analysis.words import listed
from spadesim.core.parting import KINDS, NONE
from spadesim.match.diff_result import FAULT, LUCK, UNDECIDED, Case, DiffResult, Part
from spadesim.notation import SEATS
from spadesim.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

TITLE = "Where they part"
QUESTION = (
    "Which decisions does the difference come from, and which hands cost the most: by fault or by luck?"
)
READS = "diff"
ORDER = 80
MOST_DRAWN = 50  # cases in full, of each diff
MOST_ROWS = 20  # of the picture of cases
OFTEN = 0.05  # of the boards: kinds that the title names, whatever they bring
VERDICTS = {
    FAULT: ("is a fault", "are faults"),
    LUCK: ("is bad luck", "are bad luck"),
    UNDECIDED: ("is undecided", "are undecided"),
}
KIND_HEADS = {
    "kind": "part at",
    "boards": "boards",
    "share": "share",
    "win_chance_per_board": "win chance a board",
    "points_per_board": "points a board",
    "win_chance_per_case": "win chance a case",
    "points_per_case": "points a case",
}
KIND_FORMATS = {
    "share": "percent", "win_chance_per_board": "points:2", "points_per_board": "signed",
    "win_chance_per_case": "points:2", "points_per_case": "signed:1",
}  # fmt: skip
KINDS_SAY = (
    "A board's kind is that of the first decision on which the bots differ. A board: of all boards, as in a "
    "duel, with 95 % intervals, each for itself; the kinds add up to all, exactly. A case: what the choice "
    "brings where it happens."
)
VERDICTS_SAY = (
    "A fault: the choice loses on average, by the whole interval. Bad luck: on average it gains, or loses "
    "less than a tenth of what it cost here."
)


def build(report: Report) -> list[Section]:
    """The kinds, the costliest boards, and each of these in full."""
    many = len(report.results) > 1
    return [section for result in report.results for section in _sections(result, many)]


def _sections(result: DiffResult, many: bool) -> list[Section]:
    whose = f"{' and '.join(result.names)}, {result.rules}: " if many else ""
    if not diff_plot.parted(result):
        return [Section(result.verdict)]
    found = [_kinds(result, whose)]
    if not result.cases:
        return found
    drawn = [_case(result, case, whose) for case in result.cases[:MOST_DRAWN]]
    return [*found, _costliest(result, whose), *drawn]


def _kinds(result: DiffResult, whose: str) -> Section:
    parts = diff_plot.parted(result)
    told = {part.kind: f"{part.kind} {_told(result, part)}" for part in (*parts, result.total)}
    named = [told[part.kind] for part in parts if part.share >= OFTEN] or [told[part.kind] for part in parts]
    unit = " of win chance" if result.has_chances else ""
    picture = Picture(
        "kinds",
        f"What each kind of decision brings {result.names[0]} a board{', in win chance' if unit else ''}",
        partial(diff_plot.draw, result),
        result.to_frame(),
        "What each kind brings, with 95 % intervals, and all together. On the right: how many part there.",
        alt=f"By where they first differ: {'; '.join(told.values())}.",
        height=diff_plot.height(result),
    )
    return Section(
        f"{whose}Of {_told(result, result.total)}{unit} a board: {listed(named)}",
        text=_notes(result),
        pictures=[picture],
        tables=[kinds_table(result)],
    )


def kinds_table(result: DiffResult) -> FrameTable:
    """What each kind of decision brings, and all of them together."""
    frame = result.to_frame()
    heads = {name: head for name, head in KIND_HEADS.items() if not frame[name].isna().all()}
    return FrameTable("kinds", "The kinds", frame, heads, KIND_FORMATS, KINDS_SAY)


def _estimate(result: DiffResult, part: Part) -> Estimate:
    """What a kind brings a board; of one that has boards."""
    found = part.win_chance_per_board if result.has_chances else part.points_per_board
    assert found is not None
    return found


def _told(result: DiffResult, part: Part) -> str:
    """What a kind brings, with its interval, in the decimals that the total can bear."""
    scale, least, unit = (100, 2, " %") if result.has_chances else (1, 1, " points")
    places = decimals(_estimate(result, result.total).scaled(scale), least)
    mean, low, high = (signed(scale * value, places) for value in astuple(_estimate(result, part)))
    return f"{mean}{unit} ({low} to {high})"


def _notes(result: DiffResult) -> list[str]:
    played = f"{result.boards:,} boards were played"
    found = []
    if result.where is not None:
        found.append(f"{played}, of which {result.counted:,} fit {result.where} and count.")
    never = result.part(KINDS[NONE]).boards
    if never:
        found.append(f"On {never:,} of {result.counted:,} boards they never part.")
    if result.partial:
        found.append("It was broken off by Ctrl-C: what had not been played by then is not in it.")
    return found


def _costliest(result: DiffResult, whose: str) -> Section:
    found = Counter(case.worth.verdict for case in result.cases if case.worth)
    told = [f"{found[name]} {words[found[name] > 1]}" for name, words in VERDICTS.items() if found[name]]
    n = len(result.cases)
    title = f"{whose}{cases_head(result)}"
    labels = [_label(case) for case in result.cases[:MOST_ROWS]]
    measured = any(case.worth for case in result.cases)
    frame = cases_frame(result)
    cut = f" Drawn are the first {MOST_ROWS}." if n > MOST_ROWS else ""
    picture = Picture(
        "cases",
        "What the costliest choices are worth: on the deal, and on average",
        partial(diff_plot.draw_cases, result, labels),
        frame,
        f"{WORTH_SAYS if measured else 'What each choice cost on its deal.'}{cut}",
        alt="; ".join(f"{_label(case)}: {case.worth.verdict if case.worth else 'not dealt anew'}"
                      for case in result.cases[:MOST_ROWS]) + ".",
        height=diff_plot.cases_height(len(labels)),
    )  # fmt: skip
    text = [f"Of {n}, {listed(told)}. {VERDICTS_SAY}"] if told else []
    return Section(title, text=text, pictures=[picture], tables=[_cases_table(result, frame)])


def _label(case: Case) -> str:
    return f"board {case.board}, {case.kind}"


def cases_frame(result: DiffResult) -> "pd.DataFrame":
    """The cases, a row each.

    Returns
    -------
    DataFrame
        Columns board, kind, seat, at, a_chose, b_chose, cost, mean, low, high (of the chance to win where
        there is one, else in points; NaN where nothing was dealt anew), accepted, tried, verdict, command.
    """
    import pandas as pd

    nan, rows = float("nan"), []
    for case in result.cases:
        worth = case.worth
        found = worth and (worth.win_chance if result.has_chances else worth.points)
        ends = (found.mean, found.low, found.high) if found else (nan, nan, nan)
        counted = (worth.accepted, worth.tried, worth.verdict) if worth else (0, 0, "")
        cost = case.points if case.win_chance is None else case.win_chance
        what = (case.board, case.kind, SEATS[case.seat], at_text(case.step_a))
        rows.append(
            (*what, chose_text(case.step_a), chose_text(case.step_b), cost, *ends, *counted, case.command)
        )
    names = ["board", "kind", "seat", "at", "a_chose", "b_chose", "cost", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=[*names, "accepted", "tried", "verdict", "command"])


def _cases_table(result: DiffResult, frame: "pd.DataFrame") -> FrameTable:
    a, b = result.names
    heads = {"board": "board", "kind": "kind", "seat": "seat", "at": "at", "a_chose": a, "b_chose": b}
    heads |= {"cost": "on the deal", "mean": "on average", "verdict": ""}
    if not any(case.worth for case in result.cases):
        del heads["mean"], heads["verdict"]
    form = "points:1" if result.has_chances else "signed:1"
    unit = "win chance" if result.has_chances else "points"
    caption = f"On the deal and on average: what {a} has more by its own choice, in {unit}."
    formats: dict[str, str | Callable[[Any], str]] = {"board": str, "cost": form, "mean": form}
    return FrameTable("cases", "The boards", frame, heads, formats, caption)


def _case(result: DiffResult, case: Case, whose: str) -> Section:
    text = [sentence(result, case)]
    if case.worth is not None:
        text.append(worth_sentence(case))
    rooms: Sequence[int] = (case.room_a, case.room_b)
    at = at_text(case.step_a)
    chose = f"{chose_text(case.step_a)} instead of {chose_text(case.step_b)}"
    return Section(
        f"{whose}Board {case.board}, {at}: {chose}",
        text=[*text, *nil_sentences(case)],
        hands=[DrawnHand(case.replay, rooms)],
        commands=[case.command],
    )
