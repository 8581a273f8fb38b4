"""Files that are written whole or not at all, to places that were tried before the work began."""

import tempfile
from pathlib import Path

from spadesim.errors import UserError
from spadesim.reading import user_path
from spadesim.writing import write_durably

STREAM = Path("-")  # what other programs take for their standard output


def check_place(path: Path) -> None:
    """Refuse a place where no file can be written, before the work that the file is for.

    Raises
    ------
    UserError
        The folder is missing or cannot be written, or the path is a folder, or ``-``.
    """
    path = user_path(path)
    if path == STREAM:
        raise UserError("'-' is no file; results go to standard output unless they have a file of their own.")
    if path.is_dir():
        raise UserError(f"'{path}' is a folder; the name of a file is needed.")
    folder = path.resolve().parent
    if not folder.is_dir():
        raise UserError(f"There is no folder '{path.parent}' to write '{path.name}' to.")
    try:
        if _is_special(path):
            path.open("a").close()
        else:
            # The only sure way to know: permissions mean nothing to some users and file systems.
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise _cannot_write(path, error) from None


def check_folder(path: Path) -> None:
    """Refuse a folder, which need not be there yet, in which no file could be written.

    Raises
    ------
    UserError
        It is a file, or cannot be made or written to.
    """
    path = user_path(path)
    there = next(place for place in (path, *path.resolve().parents) if place.exists())
    if not there.is_dir():
        raise UserError(f"'{there}' is a file; a folder is needed for '{path}'.")
    try:
        tempfile.TemporaryFile(dir=there).close()
    except OSError as error:
        raise _cannot_write(path, error) from None


def check_places(*paths: Path | None) -> None:
    """Refuse places where no file can be written, and one place for two files; None is no file.

    Raises
    ------
    UserError
        Which one, and why.
    """
    seen: set[Path] = set()
    for path in paths:
        if path is not None:
            check_place(path)
            place = user_path(path).resolve()
            if place in seen and not _is_special(place):
                raise UserError(
                    f"'{path}' is given for two files, of which the second would replace the first."
                )
            seen.add(place)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole: whoever reads it sees the old one or the new one, even when the machine stops.

    Raises
    ------
    UserError
        It cannot be written; what was there before still is.
    """
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, content: bytes) -> None:
    """The same for a file that is no text."""
    path = user_path(path)
    try:
        if _is_special(path):
            path.write_bytes(content)
        else:
            write_durably(path.resolve(), content)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _is_special(path: Path) -> bool:
    """Whether the path is a device or a pipe, which must be written to and not replaced."""
    return path.exists() and not path.is_file()


def _cannot_write(path: Path, error: OSError) -> UserError:
    return UserError(f"'{path}' cannot be written: {error.strerror or error}.")
