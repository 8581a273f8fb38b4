"""Files that are written whole or not at all."""

import contextlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

DRAFT = ".draft"  # how the name of a file that is not yet whole ends


def write_durably(file: Path, data: bytes | memoryview) -> None:
    """Write a file so that after any crash it is there whole, or as it was before.

    Raises
    ------
    OSError
        It cannot be written.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(6)}{DRAFT}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, file)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(draft)
        raise
    _sync_folder(file.parent)


def folder_beside(page: Path) -> Path:
    """Where the files of a page lie, unless a folder is named."""
    return page.with_name(f"{page.stem}_files")


@contextlib.contextmanager
def drafted(folder: Path, contents: Mapping[str, bytes]) -> Iterator[None]:
    """Write files into a folder, all of them or none: they move there when the block ends well.

    Parameters
    ----------
    folder : Path
        Made if there is none, with those above it. Other files in it stay.
    contents : mapping of str to bytes
        The files by name.

    Raises
    ------
    OSError
        Something cannot be written; the folder is as it was.
    """
    if not contents:
        yield
        return
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    draft = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".", suffix=DRAFT, dir=folder))
        for name, content in contents.items():
            (draft / name).write_bytes(content)
        yield
        for name in contents:
            os.replace(draft / name, folder / name)
        missing = []
    finally:
        if draft is not None:
            shutil.rmtree(draft, ignore_errors=True)
        for place in missing:
            with contextlib.suppress(OSError):
                place.rmdir()


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
