"""How ``spadesim.strategies``, ``.experiments`` and ``.reports`` find their files.

The three folders that a user edits stand at the top of the repository and are installed below the package. So
that ``from spadesim.strategies import hard`` means the same everywhere, each of them has a door: a package of
that name whose search path leads to the folder at the top in a checkout, and stays as it is when installed.
"""

from collections.abc import MutableSequence
from pathlib import Path


def open_door(search_path: MutableSequence[str]) -> None:
    """Lead a door's search path to the folder of the same name at the top of the repository, if there is one.

    Parameters
    ----------
    search_path : list of str
        The ``__path__`` of the door, changed in place. Its one entry is the door's own folder.
    """
    door = Path(search_path[0]).resolve()
    top = door.parent.parent
    if is_checkout(top) and (top / door.name).is_dir():
        search_path[:] = [str(top / door.name)]


def is_checkout(top: Path) -> bool:
    """Whether a folder is the top of this project; installed, it would be site-packages, full of others'."""
    project = top / "pyproject.toml"
    return project.is_file() and 'name = "spadesim"' in project.read_text(encoding="utf-8")
