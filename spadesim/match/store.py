"""The folder of a run: run.json, the parts, and a lock for the one process that may write there.

A part is written under another name, brought to the disk, and renamed: it is there whole or not at all. The
parts are the only truth of what was played; whatever else is said of a run is worked out from them.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from spadesim.errors import UserError
from spadesim.match.manifest import FILE, Manifest, read_manifest
from spadesim.match.parts import DamagedPartError, Part, check_bytes, number_in, part_name, read_part
from spadesim.reading import user_path
from spadesim.writing import DRAFT, write_durably

LOCK = "lock"
ASIDE = "damaged"  # where a run keeps what was set aside


@dataclass(frozen=True)
class Found:
    """A file that stands where a part should be, and what is wrong with it, "" for nothing."""

    file: Path
    fault: str


class Store:
    """A run's folder, as it lies on the disk.

    Parameters
    ----------
    folder : Path
    manifest : Manifest
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder = folder
        self.manifest = manifest

    def files(self) -> dict[int, Path]:
        """The part files by number, in order; of two with one number the one with more units."""
        found: dict[int, Path] = {}
        for file in sorted(self.folder.iterdir()):
            number = number_in(file.name)
            if number is None:
                continue
            found[number] = file if number not in found else _longer(file, found[number])
        return dict(sorted(found.items()))

    def read(self, number: int, file: Path) -> Part:
        """What a part came to, once its bytes have been checked.

        Raises
        ------
        DamagedPartError
            It is damaged, or a part of another run.
        """
        check_bytes(file)
        part = read_part(file)
        head, (first, most) = part.header, self.manifest.units_of(number)
        if head.run != self.manifest.id or head.number != number:
            raise DamagedPartError("it belongs to another run")
        if head.first != first or not 1 <= head.units <= most or len(part.outcomes) != head.units:
            raise DamagedPartError("it holds other units than it should")
        return part

    def inspect(self) -> Iterator[Found]:
        """Every part file with what is wrong with it."""
        for number, file in self.files().items():
            try:
                self.read(number, file)
                yield Found(file, "")
            except DamagedPartError as error:
                yield Found(file, str(error))

    def write(self, number: int, data: bytes | memoryview) -> Path:
        """Write a part, whole or not at all, and take away a shorter one that it continues.

        Raises
        ------
        UserError
            It cannot be written; the parts that are there stay.
        """
        before = self.files().get(number)
        file = self.folder / part_name(number, data)
        self._write(file, data)
        if before is not None and before != file:
            before.unlink()
        return file

    def save(self, manifest: Manifest) -> None:
        """Write run.json, whole or not at all."""
        self.manifest = manifest
        self._write(self.folder / FILE, manifest.text().encode())

    def set_aside(self, file: Path) -> Path:
        """Move a damaged part out of the way, into a folder of its own; nothing is deleted."""
        place = self.folder / ASIDE
        place.mkdir(exist_ok=True)
        target = place / file.name
        number = 1
        while target.exists():
            target, number = place / f"{file.name}.{number}", number + 1
        os.replace(file, target)
        return target

    def sweep(self) -> None:
        """Take away what processes that died were still writing."""
        for draft in self.folder.glob(f".*{DRAFT}"):
            with contextlib.suppress(OSError):
                draft.unlink()

    def _write(self, file: Path, data: bytes | memoryview) -> None:
        try:
            write_durably(file, data)
        except OSError as error:
            raise self._cannot_write(file, error) from error

    def _cannot_write(self, file: Path, error: OSError) -> UserError:
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        reason = "there is no space left" if is_full else error.strerror or str(error)
        what = "the next part" if number_in(file.name) is not None else FILE
        return UserError(
            f"{what.capitalize() if what != FILE else what} cannot be written to '{self.folder}': {reason}; "
            f"the parts that are there stay, and spadesim duel --resume '{self.folder}' goes on from them."
        )


def _longer(one: Path, other: Path) -> Path:
    """Of two files of one part, the sound one with more units; a crash may leave both."""
    lengths = {}
    for file in (one, other):
        try:
            check_bytes(file)
            lengths[file] = read_part(file).header.units
        except DamagedPartError:
            lengths[file] = 0
    return max(lengths, key=lambda file: lengths[file])


def begin(folder: Path | str, manifest: Manifest) -> Store:
    """A folder for a run that begins.

    Raises
    ------
    UserError
        Something is there already, or the folder cannot be made.
    """
    folder = user_path(folder)
    if (folder / FILE).exists():
        try:
            is_same = read_manifest(folder).id == manifest.id
        except UserError:
            is_same = False
        what = "this very run" if is_same else "another run"
        raise UserError(
            f"'{folder}' holds {what} already: spadesim duel --resume '{folder}' goes on with it; "
            "or name a folder that is not there yet."
        )
    if folder.exists() and (not folder.is_dir() or any(not _is_left_over(file) for file in folder.iterdir())):
        raise UserError(f"'{folder}' is there already, and holds other files; name a folder that is not.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder '{folder}' cannot be made: {error.strerror}.") from error
    return Store(folder, manifest)


def _is_left_over(file: Path) -> bool:
    """Whether a run that could not even begin has left a file behind."""
    return file.name == LOCK or (file.name.startswith(".") and file.name.endswith(DRAFT))


def find(folder: Path | str) -> Store:
    """The run in a folder.

    Raises
    ------
    UserError
        It holds none that this version can read.
    """
    folder = user_path(folder)
    return Store(folder, read_manifest(folder))


@contextlib.contextmanager
def writing(store: Store) -> Iterator[Store]:
    """Hold a run's folder, so that one process at a time writes there; the lock goes with its process.

    Raises
    ------
    UserError
        Another process holds it, or the folder cannot be written.
    """
    lock = FileLock(store.folder / LOCK, timeout=0, mode=0o644)
    try:
        lock.acquire()
    except Timeout:
        raise UserError(f"Another process is writing to '{store.folder}'; wait for it, or stop it.") from None
    except OSError as error:
        raise UserError(f"'{store.folder}' cannot be written to: {error.strerror}.") from error
    try:
        store.sweep()
        yield store
    finally:
        lock.release()
