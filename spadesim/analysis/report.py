"""What the pages of a report read and give back: runs and bots come in, sections with pictures go out.

A page is a file in ``reports/``, or anywhere, with a ``TITLE``, a ``QUESTION``, what it ``READS`` and a
function ``build(report)`` that returns sections; ``reports/README.md`` tells how to write one.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from spadesim.analysis.hand_view import DrawnHand
from spadesim.analysis.numbers import plain_text
from spadesim.analysis.page import Table, Tile
from spadesim.analysis.tables import LONGEST_LABEL
from spadesim.match.bots_of_run import absent_sides
from spadesim.match.recorded import RecordedRun
from spadesim.strategy.called import short_name

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

MOST_DRAWN = 6  # bots that a picture can tell apart


@dataclass(frozen=True)
class Subject:
    """A bot of a run: what pages compare.

    All seats of a bot count together. Where both sides of a run are the same bot, it is one subject.

    Parameters
    ----------
    number : int
        From 0 on, over all runs: the ``subject`` of counted frames, and the colour and marker of
        `spadesim.analysis.look`.
    label : str
        A short name that no other subject has: "hard", "hard (2)".
    run : RecordedRun
    spec : str
        The text that loads the bot again.
    roles : tuple of int
        Which of `spadesim.match.recorded.ROLES` it plays, by number: the ``role`` of rows.
    """

    number: int
    label: str
    run: RecordedRun
    spec: str
    roles: tuple[int, ...]


@dataclass(frozen=True)
class Picture:
    """A picture under a title that states what it shows.

    Parameters
    ----------
    name : str
        Of its files, without ending; no other picture of the page has it: "by-spades".
    title : str
        What it shows, as a sentence without a full stop.
    draw : function of a matplotlib Figure
        Draws it. It is called once, in the house look (`spadesim.analysis.look`), on an empty figure of the
        right size whose layout is made afterwards.
    data : DataFrame
        What is drawn, tidy: a row an observation. It becomes a CSV file beside the picture.
    caption : str
        How to read it, with the intervals that it shows.
    alt : str
        What it shows, for whoever cannot see it.
    wide : bool
        Whether it takes the whole width of the page; 7.4 inches instead of 4.4.
    height : float
        Inches.
    """

    name: str
    title: str
    draw: Callable[["Figure"], None]
    data: "pd.DataFrame"
    caption: str
    alt: str
    wide: bool = False
    height: float = 3.0

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: all but its function, which is of this one."""
        return self.__dict__ | {"draw": _left_behind}


def _left_behind(figure: "Figure") -> None:
    raise RuntimeError("Another process drew this picture; it cannot be drawn anew here.")


@dataclass(frozen=True)
class FrameTable:
    """A table that is a frame: its numbers stay numbers, in a CSV file beside the page too.

    Parameters
    ----------
    name : str
        Of its file, without ending.
    title : str
    frame : DataFrame
    heads : mapping of str to str
        The columns that are shown, in order, and what stands above them. A column ``mean`` is shown with the
        interval from ``low`` to ``high`` where the frame has these, and any other column ``x`` with that from
        ``x_low`` to ``x_high``. NaN is shown as a dash.
    formats : mapping of str to str or function
        How a column is shown: "percent" (a share 0 to 1), "points" (of a percentage, signed), "number",
        "signed", "count", "yes" (for true, and nothing for false), or a function that returns a text. With
        ":1" behind it at least one decimal.
    caption : str
    tidy : DataFrame, optional
        What its file has, a row an observation, where that is not the frame.
    """

    name: str
    title: str
    frame: "pd.DataFrame"
    heads: Mapping[str, str]
    formats: Mapping[str, str | Callable[[Any], str]] = field(default_factory=dict)
    caption: str = ""
    tidy: "pd.DataFrame | None" = None


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Parameters
    ----------
    title : str
        What was found, as a sentence that reads the picture, with its interval: "hard underbids by 0.4 tricks
        in the last seat (0.38 to 0.42)". Or a subject, where `text` has the sentence.
    text : sequence of str
        Paragraphs.
    pictures : sequence of Picture
    tables : sequence of FrameTable or Table
    tiles : sequence of Tile
        Key figures, above everything else.
    hands : sequence of DrawnHand
        Hands that are drawn trick by trick, under the text.
    commands : sequence of str
        Command lines, below everything else.
    """

    title: str
    text: Sequence[str] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[FrameTable | Table] = ()
    tiles: Sequence[Tile] = ()
    hands: Sequence[DrawnHand] = ()
    commands: Sequence[str] = ()


@dataclass(frozen=True)
class Report:
    """What a page gets to read.

    Parameters
    ----------
    runs : tuple of RecordedRun
        The recorded runs, in the order given; empty for a page that reads results.
    subjects : tuple of Subject
        Their bots.
    counts : mapping of str to DataFrame
        What was counted, under the names of the page's ``COUNTS``.
    results : tuple
        The results of the kind that the page ``READS``, such as `DuelResult`.
    where : str
        The condition that rows had to fulfil to be counted; "" for none.
    command : str
        The command line that makes the report again.
    pages : tuple of str
        The names of all pages of the report, so that one need not say what another does.
    """

    runs: tuple[RecordedRun, ...] = ()
    subjects: tuple[Subject, ...] = ()
    counts: Mapping[str, "pd.DataFrame"] = field(default_factory=dict)
    results: tuple[Any, ...] = ()
    where: str = ""
    command: str = ""
    pages: tuple[str, ...] = ()

    @property
    def drawn(self) -> tuple[Subject, ...]:
        """The subjects that pictures show; tables show all."""
        return self.subjects[:MOST_DRAWN]

    @property
    def left_out(self) -> str:
        """A sentence on the subjects that pictures do not show, "" where they show all."""
        n = len(self.subjects)
        return f"Drawn are the first {MOST_DRAWN} of {n} bots; tables have all." if n > MOST_DRAWN else ""


def subjects_of(runs: Sequence[RecordedRun]) -> tuple[Subject, ...]:
    """The bots of some runs, in the order of the runs and of their places, each with a label of its own."""
    found = []
    for run in runs:
        a, b = absent_sides(run.manifest)
        seated = [a.lower, a.higher, b.lower, b.higher]
        for spec in dict.fromkeys(map(str, seated)):
            roles = tuple(role for role, bot in enumerate(seated) if str(bot) == spec)
            found.append((seated[roles[0]].name, spec, run, roles))
    labels = labels_of([name for name, *_ in found], [short_name(spec) for _, spec, *_ in found])
    return tuple(
        Subject(number, label, run, spec, roles)
        for number, (label, (_, spec, run, roles)) in enumerate(zip(labels, found, strict=True))
    )


def runs_of(subjects: Sequence[Subject]) -> tuple[tuple[Subject, ...], dict[int, int]]:
    """The runs of some bots as if each were a subject, for what all bots of a run share.

    Returns
    -------
    runs : tuple of Subject
        The first bot of each run, with the run's number and a label such as "hard against easy".
    numbers : dict of int to int
        The number of the run that each bot, by its number, belongs to.
    """
    firsts: list[Subject] = []
    numbers = {}
    for subject in subjects:
        if not any(subject.run is first.run for first in firsts):
            firsts.append(subject)
        numbers[subject.number] = len(firsts) - 1
    names = [" against ".join(side.name for side in absent_sides(first.run.manifest)) for first in firsts]
    labels = labels_of(names, names)
    found = [
        replace(first, number=number, label=label)
        for number, (first, label) in enumerate(zip(firsts, labels, strict=True))
    ]
    return tuple(found), numbers


def labels_of(names: Sequence[str], specs: Sequence[str]) -> list[str]:
    """Short labels that tell bots apart: where several have one name, by their settings, or by a number.

    >>> labels_of(["hard", "easy", "hard", "hard"], ["hard", "easy", "hard:king=4", "hard"])
    ['hard', 'easy', 'hard:king=4', 'hard (2)']
    """
    labels: list[str] = []
    for name, spec in zip(map(plain_text, names), map(plain_text, specs), strict=True):
        wanted = spec if name in labels and len(spec) <= LONGEST_LABEL else name
        label, number = wanted, 1
        while label in labels:
            number += 1
            label = f"{wanted} ({number})"
        labels.append(label)
    return labels
