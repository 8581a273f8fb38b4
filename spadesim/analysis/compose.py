"""Making a report: which pages fit what there is, counts in one pass, and pages that raise set aside."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spadesim.analysis import tables
from spadesim.analysis.beside import divided
from spadesim.analysis.chapters import apart, fault, made, without
from spadesim.analysis.document import Chapter, Document, Fault
from spadesim.analysis.inputs import Found, read_inputs, title_of
from spadesim.analysis.pages import CARDS, KINDS, ROWS, PageFile, bundled, find, load_page
from spadesim.analysis.report import Report, subjects_of
from spadesim.errors import UserError
from spadesim.match.diff import diff_command

if TYPE_CHECKING:
    import pandas as pd

Gather = Callable[..., "dict[str, pd.DataFrame]"]
Progress = Callable[[int, int], None]
LACKS = {
    ROWS: "it counts hands, and needs a recorded run (duel --out DIR)",
    CARDS: "it follows the cards, and needs a run recorded with --record cards",
    "duel": "it needs a duel",
    "diff": "it needs what spadesim diff finds (--json), or --hands with a recorded run of two bots",
}
MADE = "made"  # an anchor of the template


@dataclass(frozen=True)
class Wanted:
    """How a report is to be.

    Parameters
    ----------
    pages : sequence of str
        Names of pages, and paths of page files; all that fit if empty.
    title : str
        "" for one made of what is reported on.
    where : str
        The condition that hands must fulfil to be counted.
    command : str
        The command line that makes it.
    with_files : bool
        Whether pictures are made as files too.
    """

    pages: Sequence[str] = ()
    title: str = ""
    where: str = ""
    command: str = ""
    with_files: bool = True


def compose(
    found: Found, wanted: Wanted, progress: Progress | None = None, pool: ProcessPoolExecutor | None = None
) -> Document:
    """A report.

    Parameters
    ----------
    found : Found
        What it is of.
    wanted : Wanted
    progress : function, optional
        Called while hands are counted.
    pool : ProcessPoolExecutor, optional
        Of a process that makes some of the pages (`spadesim.analysis.beside`). Their pictures can be saved,
        and not be drawn anew.

    Raises
    ------
    UserError
        A page that there is not, or a condition that cannot be read or has nothing to choose from.
    """
    if wanted.where and not found.runs:
        raise UserError("--where chooses hands of recorded runs (duel --out), and there is none.")
    pages, chapters = _load(wanted.pages)
    lacks = {page: _lack(found, page) for page in pages}
    fitting = sorted((page for page in pages if not lacks[page]), key=lambda page: (page.order, page.name))
    missing = {page: lack for page, lack in lacks.items() if lack}
    if wanted.pages:
        chapters += [without(page, Fault(lack)) for page, lack in missing.items()]
    runs = tuple(found.runs)
    names = tuple(page.name for page in fitting)
    report = Report(runs, subjects_of(runs), where=wanted.where, command=wanted.command, pages=names)
    counts = _counted(report, fitting, progress)
    works = [_Work(page, _own(report, page, counts[page.name], found), wanted.with_files) for page in fitting]
    chapters += [chapter for chapter in _divided(works, pool) if chapter.parts or chapter.fault]
    return Document(
        title=wanted.title or _title(found),
        question=_question(found),
        condition=f"Hands with {wanted.where} alone are counted, where nothing else is said."
        if wanted.where
        else "",
        answers=found.answers,
        chapters=chapters,
        notes=_notes(found, wanted, missing),
        command="" if "methods" in names else wanted.command,  # which tells it
    )


def report(
    *things: Any,
    pages: str | Sequence[str] = (),
    where: str = "",
    title: str = "",
    hands: int | None = None,
    with_files: bool = True,
) -> Document:
    """A report on runs and results, which a notebook shows and `Document.save` writes.

    Its `Document.pictures` have their frames (``data``) and matplotlib figures (``figure()``).

    Parameters
    ----------
    *things
        Paths as the command ``report`` takes them, recorded runs, or results such as a `DuelResult`.
    pages : str or sequence of str
        A page by its name or the path of its file, or several; all that fit if left out.
    where : str
        Count only hands for which this is true.
    title : str
    hands : int, optional
        Have the bots of recorded runs play their boards again, and draw so many that cost A the most.
    with_files : bool
        Whether `Document.save` is to write files of the pictures, whose making takes half of the time.

    Raises
    ------
    UserError
        Nothing can be reported on one of the things, or there is no such page.
    """
    pages = (pages,) if isinstance(pages, str) else pages
    names = [str(thing) for thing in things if isinstance(thing, str | Path)]
    words = ["spadesim", "report", *names, *(word for name in pages for word in ("--page", name))]
    words += [word for pair in (("--where", where), ("--title", title)) if pair[1] for word in pair]
    words += ["--hands", str(hands)] if hands is not None else []
    command = shlex.join(words) if len(names) == len(things) else ""
    found = read_inputs(things)
    if hands is not None:
        found.add_hands(hands)
    return compose(found, Wanted(tuple(pages), title, where, command, with_files))


def _lack(found: Found, page: PageFile) -> str:
    """What a page needs and is not there, in words; "" where it can be made."""
    has_cards = bool(found.runs) and all(run.manifest.has_plays for run in found.runs)
    there = {"any": True, ROWS: bool(found.runs), CARDS: has_cards}
    there |= {kind: bool(found.results.get(kind)) for kind in KINDS}
    if any(there[kind] for kind in page.reads):
        return ""
    return LACKS.get(page.reads[0], f"it needs another kind of result: {' or '.join(page.reads)}")


def _results(found: Found, page: PageFile) -> tuple[Any, ...]:
    """The results that a page reads."""
    kinds = KINDS if "any" in page.reads else page.reads
    return tuple(result for kind in kinds for result in found.results.get(kind, ()))


def _notes(found: Found, wanted: Wanted, missing: Mapping[PageFile, str]) -> list[str]:
    """What else could be told of a duel, had more of it been recorded."""
    if wanted.pages or not found.results.get("duel"):
        return []
    notes = [f"Left out: {page.title}; {lack}." for page, lack in missing.items() if page.reads_rows]
    return [*notes, *_of_hands(found, wanted)]


def _of_hands(found: Found, wanted: Wanted) -> list[str]:
    """How to have the hands in it that cost the most, where it is of a duel between two bots."""
    duels = found.results["duel"]
    if found.results.get("diff") or len(duels) > 1 or duels[0].identical_boards == duels[0].spec.units:
        return []
    if found.runs:
        how = f"{wanted.command or 'spadesim report'} --hands 20 adds"
    else:
        how = f"{diff_command(duels[0].spec)} --json > FILE makes what a report can be given beside it:"
    return [f"Left out: where they part; {how} the hands that cost {tables.labels(duels[0])[0]} the most."]


def _title(found: Found) -> str:
    of_diffs = {title_of(result) for result in found.results.get("diff", ())}
    titles = [title for title in found.titles if title not in of_diffs] or found.titles
    return titles[0] if len(titles) == 1 else f"{len(titles)} results side by side"


def _question(found: Found) -> str:
    if len(found.questions) == len(found.titles) == 1:
        return found.questions[0].question
    if not found.runs:
        return "What was found, and how sure is that?"
    return "Who is better, and where does each bot win and lose its points?"


def _load(names: Sequence[str]) -> tuple[list[PageFile], list[Chapter]]:
    """The pages, and chapters in place of those whose files raise."""
    pages, faults, taken = [], [], {MADE}
    for where in dict.fromkeys(map(find, names)) if names else list(bundled()):
        try:
            page = load_page(where)
            pages.append(replace(page, name=apart(page.name, taken)))
        except UserError:
            raise
        except (Exception, SystemExit) as error:
            name = Path(where).stem
            faults.append(Chapter(apart(name, taken), name, "", fault=fault(error, Path(where).name)))
    return pages, faults


def _counted(
    report: Report, pages: Sequence[PageFile], progress: Progress | None
) -> dict[str, "dict[str, pd.DataFrame] | Fault"]:
    """The counts of every page, all in one pass; if that raises, page by page, to find out whose fault."""
    wanted = {page.name: page.counts for page in pages}
    every = {f"{name}/{key}": count for name, counts in wanted.items() for key, count in counts.items()}
    found: dict[str, dict[str, pd.DataFrame] | Fault] = {name: {} for name in wanted}
    if not every:
        return found
    gather = _gather()
    try:
        frames = gather(report.runs, every, where=report.where, progress=progress)
    except Exception as error:
        if isinstance(error, UserError):
            gather(report.runs, {"any": _of_all()}, where=report.where)  # or it is no page's fault
        return {page.name: _alone(gather, report, page) for page in pages}
    for key, frame in frames.items():
        name, _, inner = key.partition("/")
        found[name] = {**found[name], inner: frame}  # type: ignore[dict-item]
    return found


def _gather() -> Gather:
    from spadesim.analysis.gather import gather

    return gather


def _of_all() -> Any:
    from spadesim.analysis.gather import Count

    return Count(by=())


def _alone(gather: Gather, report: Report, page: PageFile) -> "dict[str, pd.DataFrame] | Fault":
    """The counts of one page, or what is wrong with them."""
    try:
        return gather(report.runs, page.counts, where=report.where) if page.counts else {}
    except Exception as error:
        return replace(fault(error, page.file.name), place=f"COUNTS in {page.file.name}")


@dataclass(frozen=True)
class _Work:
    """A page to be made: what it reads, or why that cannot be had."""

    page: PageFile
    report: Report | Fault
    with_files: bool

    @property
    def size(self) -> int:
        """About how long it takes."""
        return 0 if isinstance(self.report, Fault) else len(self.report.counts)

    def here(self) -> Chapter:
        """Make it."""
        if isinstance(self.report, Fault):
            return without(self.page, self.report)
        return made(self.page, self.report, self.with_files)

    def there(self, pool: ProcessPoolExecutor) -> "Future[Chapter] | None":
        """Have it made by another process, if that finds the page by its name and there is much to do."""
        if isinstance(self.report, Fault) or bundled().get(self.page.name) != self.page.file or not self.size:
            return None
        return pool.submit(_made_by_name, self.page.name, self.report, self.with_files)


def _own(
    report: Report, page: PageFile, counted: "dict[str, pd.DataFrame] | Fault", found: Found
) -> Report | Fault:
    """What one page gets to read."""
    if isinstance(counted, Fault):
        return counted
    return replace(report, counts=counted, results=_results(found, page))


def _divided(works: Sequence[_Work], pool: ProcessPoolExecutor | None) -> list[Chapter]:
    """The chapters of all pages; what takes longest is begun first, so that both processes end together."""
    order = sorted(range(len(works)), key=lambda place: -works[place].size)
    send = None if pool is None else lambda work: work.there(pool)
    chapters = divided([works[place] for place in order], _Work.here, send)
    by_place = dict(zip(order, chapters, strict=True))
    return [by_place[place] for place in range(len(works))]


def _made_by_name(name: str, report: Report, with_files: bool) -> Chapter:
    """The chapter of a bundled page."""
    return made(load_page(name), report, with_files)
