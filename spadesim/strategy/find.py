"""Where strategies are: bundled, in a file anywhere, or offered by an installed package."""

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from spadesim import strategies
from spadesim.errors import UserError, suggest
from spadesim.reading import user_path
from spadesim.strategy.spec import BotSpec

BUNDLED = strategies.__name__
ENTRY_POINT_GROUP = "spadesim.strategies"


@dataclass(frozen=True)
class Origin:
    """Where a strategy comes from.

    Parameters
    ----------
    name : str
        What it is called in tables: the name in the spec, or the file's name without ``.py``.
    file : Path
        Its source file, absolute.
    module : str
        The name under which Python imports it, "" for a file anywhere.
    """

    name: str
    file: Path
    module: str = ""


@dataclass(frozen=True)
class Listing:
    """One line of the list of strategies: name, what its docstring begins with, where it comes from."""

    name: str
    summary: str
    package: str
    file: Path


def discover() -> list[Listing]:
    """Every strategy that a spec can name, bundled ones first, read without running any of them."""
    listings = [Listing(name, summary_of(file), "spadesim", file) for name, file in bundled().items()]
    for name, entry in sorted(_offered().items()):
        file = _file_of(entry)
        if name not in bundled() and file is not None:
            listings.append(Listing(name, summary_of(file), entry.dist.name if entry.dist else "", file))
    return listings


def bundled() -> dict[str, Path]:
    """The bundled strategies by name; a file whose name begins with ``_`` is no bot."""
    files = [file for folder in strategies.__path__ for file in Path(folder).glob("*.py")]
    return {file.stem: file.resolve() for file in sorted(files) if not file.name.startswith("_")}


def summary_of(file: Path) -> str:
    """The first line of a file's docstring, "" where there is none or the file cannot be read."""
    try:
        doc = ast.get_docstring(ast.parse(file.read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return ""
    return doc.partition("\n")[0] if doc else ""


def find(spec: BotSpec) -> Origin:
    """Where the strategy that a spec names comes from.

    Raises
    ------
    UserError
        No such name or file.
    """
    return _find_file(spec.source) if spec.is_path else _find_name(spec.source)


def find_unborn(spec: BotSpec) -> Origin:
    """The same for a file that may exist only in an earlier revision."""
    if spec.is_path:
        file = user_path(spec.source).resolve()
        return Origin(file.stem, file)
    if spec.source in bundled() or spec.source in _offered():
        return _find_name(spec.source)
    return Origin(spec.source, Path(strategies.__path__[0], f"{spec.source}.py").resolve())


def _find_file(source: str) -> Origin:
    file = user_path(source)
    if not _can_be(file):
        raise UserError(f"There is no strategy file '{source}': no file has so long a name.")
    if file.is_dir():
        raise UserError(f"'{source}' is a folder; a strategy is one .py file.")
    if not file.is_file():
        here = [other.name for other in file.parent.glob("*.py")] if file.parent.is_dir() else []
        raise UserError(f"There is no strategy file '{source}'.{suggest(file.name, here)}")
    file = file.resolve()
    inside = any(file.parent == Path(folder).resolve() for folder in strategies.__path__)
    return Origin(file.stem, file, f"{BUNDLED}.{file.stem}" if inside else "")


def _can_be(file: Path) -> bool:
    """Whether the system can look for a file of such a name at all."""
    try:
        file.exists()
    except (OSError, ValueError):
        return False
    return True


def _find_name(name: str) -> Origin:
    known = bundled()
    if name in known:
        return Origin(name, known[name], f"{BUNDLED}.{name}")
    offered = _offered()
    if name in offered:
        file = _file_of(offered[name])
        if file is None:
            raise UserError(
                f"The strategy '{name}' is offered by an installed package whose module "
                f"'{offered[name].value}' is not there."
            )
        return Origin(name, file, offered[name].value)
    raise UserError(_unknown(name, [*known, *offered]))


def _unknown(name: str, known: list[str]) -> str:
    if _can_be(file := Path(f"{name}.py")) and file.is_file():
        return f"There is no strategy '{name}'. Did you mean the file './{name}.py'?"
    listed = f" Strategies: {', '.join(known)}; or the path of a .py file."
    return f"There is no strategy '{name}'.{suggest(name, known)}{listed}"


def _offered() -> dict[str, EntryPoint]:
    """The strategies that installed packages offer, by name.

    Raises
    ------
    UserError
        Two packages that offer different modules under one name.
    """
    offered: dict[str, EntryPoint] = {}
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        other = offered.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise UserError(
                f"Two installed packages offer a strategy '{entry.name}': {other.value} and {entry.value}. "
                "Name the file of the one that you mean."
            )
    return offered


def _file_of(entry: EntryPoint) -> Path | None:
    """The file of an offered module, found without running it; its parent packages are imported."""
    try:
        found = importlib.util.find_spec(entry.module)
    except Exception:  # whatever a package of somebody else's raises while it is imported
        return None
    return Path(found.origin).resolve() if found and found.origin else None


def folders_of_bundled() -> Iterator[Path]:
    """The folders that bundled strategies lie in."""
    yield from (Path(folder).resolve() for folder in strategies.__path__)
