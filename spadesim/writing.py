"""Files that are written whole or not at all."""

import contextlib
import os
import secrets
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


def _sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
