"""The page files: found in their folder or by a path, loaded, and checked to be pages."""

import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from spadesim.analysis.report import Report, Section
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path

FOLDER = "spadesim.reports"
LAST = 500  # the ORDER of a page that has none
ROWS, CARDS = "rows", "cards"
KINDS = ("duel", "tournament", "partners", "ladder", "sweep", "rules_sweep", "tune", "calibrate", "diff")
READABLE = (ROWS, CARDS, "any", *KINDS)


@dataclass(frozen=True, eq=False)
class PageFile:
    """A page, as its file has it.

    Parameters
    ----------
    name : str
        Of the file, without ending.
    file : Path
    title, question : str
    reads : tuple of str
        What it needs: "rows" or "cards" (recorded runs), "any" (whatever there is), or kinds of results.
    order : float
        Its place in the report.
    counts : mapping of str to Count
    build : function of a Report
    """

    name: str
    file: Path
    title: str
    question: str
    reads: tuple[str, ...]
    order: float
    counts: Mapping[str, Any]
    build: Callable[[Report], Sequence[Section]]

    @property
    def reads_rows(self) -> bool:
        """Whether it counts rows of recorded runs."""
        return ROWS in self.reads or CARDS in self.reads


def bundled() -> dict[str, Path]:
    """The files of the bundled pages by name: the listing of the folder is all the list that there is."""
    folders = importlib.import_module(FOLDER).__path__
    files = [file for folder in folders for file in Path(folder).glob("*.py") if file.stem[0] != "_"]
    return {file.stem: file for file in sorted(files)}


def find(text: str) -> str | Path:
    """The name of a bundled page, or the path of a file.

    Raises
    ------
    UserError
        There is neither.
    """
    known = bundled()
    if text in known:
        return text
    file = user_path(text)
    if file.suffix == ".py" and file.is_file():
        return file
    if file.suffix == ".py" or len(file.parts) > 1:
        raise UserError(f"There is no page file '{text}'.{suggest(file.stem, known)}")
    raise UserError(f"There is no page '{text}'.{suggest(text, known)} Pages: {', '.join(known)}.")


def load_page(where: str | Path) -> PageFile:
    """The page of a file.

    Parameters
    ----------
    where : str or Path
        The name of a bundled page, or a file, which is executed.

    Raises
    ------
    UserError
        It is no page.
    Exception
        Whatever its code raises.
    """
    module = _by_path(where) if isinstance(where, Path) else importlib.import_module(f"{FOLDER}.{where}")
    return _page(module)


def _by_path(file: Path) -> ModuleType:
    """The module of a file, executed anew."""
    name = f"spadesim_page_{file.stem}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UserError(f"'{file}' cannot be loaded as Python.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look for it there
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules.pop(name, None)
    return module


def _page(module: ModuleType) -> PageFile:
    file = Path(str(module.__file__))
    reads = getattr(module, "READS", None)
    kinds = (reads,) if isinstance(reads, str) else tuple(reads or ())
    for name in ("TITLE", "QUESTION", "READS", "build"):
        if not hasattr(module, name):
            raise UserError(
                f"'{file}' is no page: it has no {name}; reports/README.md tells what a page has."
            )
    for kind in kinds or ("",):
        if kind not in READABLE:
            known = ", ".join(READABLE)
            raise UserError(
                f"In '{file}' READS must be one of {known}, not {kind!r}.{suggest(str(kind), READABLE)}"
            )
    return PageFile(
        name=file.stem,
        file=file,
        title=str(module.TITLE),
        question=str(module.QUESTION),
        reads=kinds,
        order=float(getattr(module, "ORDER", LAST)),
        counts=dict(getattr(module, "COUNTS", {})),
        build=module.build,
    )
