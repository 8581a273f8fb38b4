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
from spadesim.match.parts import (
    DamagedPartError,
    Part,
    check_bytes,
    check_columns,
    number_in,
    part_name,
    read_part,
)
from spadesim.reading import user_path
from spadesim.writing import DRAFT, write_durably

LOCK = "lock"
MOST_NAMED = 3  # parts that are missing
ASIDE = "damaged"  # where a run keeps what was set aside


@dataclass(frozen=True)
class Found:
    """A file that stands where a part should be.

    Parameters
    ----------
    file : Path
    number : int
        Which part its name tells.
    part : Part or None
        What it came to, where it is sound.
    fault : str
        Else what is wrong with it.
    """

    file: Path
    number: int
    part: Part | None
    fault: str = ""


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
        """The part files by number, in order; of several with one number the sound one with most units."""
        return {
            number: files[0] if len(files) == 1 else self._best(number, files).file
            for number, files in self._by_number().items()
        }

    def whole_files(self) -> dict[int, Path]:
        """The same of a run that has every part which it must have, for whoever reads it.

        These are all before the last one that lies there, and those of which run.json tells the result.

        Raises
        ------
        UserError
            One of them is missing.
        """
        found, manifest = self.files(), self.manifest
        told = -(-int((manifest.values["result"] or {}).get("units", 0)) // manifest.part_units)
        # What lies beyond the end is no part of the run, and refused where it is read.
        ends = [told, *(number + 1 for number in found if number < manifest.n_parts)]
        missing = [number for number in range(max(ends)) if number not in found]
        if missing:
            raise UserError(
                f"{_parts(missing)} missing from '{self.folder}': spadesim duel --resume '{self.folder}' "
                "plays what is missing."
            )
        return found

    def read(self, number: int, file: Path, is_quick: bool = False) -> Part:
        """What a part came to, once it has been checked.

        Parameters
        ----------
        number : int
        file : Path
        is_quick : bool
            Leave its bytes unread but for the footer.

        Raises
        ------
        DamagedPartError
            It is damaged, or no part of the run.
        """
        if not is_quick:
            check_bytes(file)
        part, manifest = read_part(file), self.manifest
        if part.header.run != manifest.id:
            raise DamagedPartError("it belongs to another run")
        if part.header.number != number:
            raise DamagedPartError(f"it is part {part.header.number}, not the one that its name tells")
        if number >= manifest.n_parts:
            end = "the board or game at which the run was decided" if manifest.is_decided else "the run's end"
            raise DamagedPartError(f"it lies beyond {end}")
        first, most = manifest.units_of(number)
        n_units = part.header.units
        if part.header.first != first or n_units > most or len(part.outcomes) != n_units:
            raise DamagedPartError("it holds other units than it should")
        check_columns(file, manifest.spec.rules, manifest.has_plays)
        return part

    @contextlib.contextmanager
    def telling(self, number: int) -> Iterator[None]:
        """Have the block say to the user which part is damaged."""
        try:
            yield
        except DamagedPartError as error:
            raise UserError(
                f"Part {number} of '{self.folder}' is damaged ({error}); "
                f"spadesim runs verify '{self.folder}' tells more."
            ) from error

    def inspect(self, is_quick: bool = False) -> Iterator[Found]:
        """Every file named like a part, in the order of their numbers, with what is wrong with it."""
        for number, files in self._by_number().items():
            best = self._best(number, files, is_quick)
            yield best
            for file in files:
                if file != best.file:
                    other = self._found(number, file, is_quick)
                    yield Found(file, number, None, other.fault or "another file holds this part as well")

    def strays(self) -> list[str]:
        """The names of what else lies in the folder, and is none of the run's."""
        return sorted(file.name for file in self.folder.iterdir() if not _is_ours(file))

    def _found(self, number: int, file: Path, is_quick: bool) -> Found:
        try:
            return Found(file, number, self.read(number, file, is_quick))
        except DamagedPartError as error:
            return Found(file, number, None, str(error))

    def _best(self, number: int, files: list[Path], is_quick: bool = False) -> Found:
        """Of the files of one part, the sound one with most units; a crash may leave two."""
        found = (self._found(number, file, is_quick) for file in files)
        return max(found, key=lambda each: each.part.header.units if each.part else 0)

    def _by_number(self) -> dict[int, list[Path]]:
        found: dict[int, list[Path]] = {}
        for file in sorted(self.folder.iterdir()):
            number = number_in(file.name)
            if number is not None:
                found.setdefault(number, []).append(file)
        return dict(sorted(found.items()))

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
        """Move a damaged part out of the way, into a folder of its own; nothing is deleted.

        Raises
        ------
        UserError
            That folder cannot be made.
        """
        place = self.folder / ASIDE
        try:
            place.mkdir(exist_ok=True)
        except OSError as error:
            raise UserError(f"{file.name} cannot be set aside in '{place}': {error.strerror}.") from error
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


def no_part_yet(folder: Path) -> UserError:
    """What is said of a run that has only been begun."""
    return UserError(f"'{folder}' has no part yet: spadesim duel --resume '{folder}' goes on.")


def _parts(numbers: list[int]) -> str:
    """Some parts, and that they are.

    >>> _parts([1]), _parts([1, 3]), _parts(list(range(9)))
    ('Part 1 is', 'Parts 1 and 3 are', 'Parts 0, 1, 2 and 6 more are')
    """
    if len(numbers) == 1:
        return f"Part {numbers[0]} is"
    more = len(numbers) - MOST_NAMED
    named = [*map(str, numbers[:MOST_NAMED]), *([f"{more} more"] if more > 0 else [])]
    return f"Parts {', '.join(named[:-1])} and {named[-1]} are"


def begin(folder: Path | str, manifest: Manifest) -> Store:
    """A folder for a run that begins.

    Raises
    ------
    UserError
        Something is there already, or the folder cannot be made.
    """
    folder = user_path(folder)
    refuse_taken(folder, manifest)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder '{folder}' cannot be made: {error.strerror}.") from error
    return Store(folder, manifest)


def refuse_taken(folder: Path, manifest: Manifest) -> None:
    """Refuse a folder that holds more than a run which could not even begin has left behind.

    Raises
    ------
    UserError
        It does.
    """
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


def _is_ours(file: Path) -> bool:
    """Whether a file is one that a run's folder has, by its name."""
    return file.name in (FILE, LOCK, ASIDE) or number_in(file.name) is not None or _is_draft(file)


def _is_draft(file: Path) -> bool:
    """Whether a file is still being written, or was when its process died."""
    return file.name.startswith(".") and file.name.endswith(DRAFT)


def _is_left_over(file: Path) -> bool:
    """Whether a run that could not even begin has left a file behind."""
    return file.name == LOCK or _is_draft(file)


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
