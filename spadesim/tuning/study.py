"""The folder of a study: what was asked, and how far it has come, so that it can be gone on with."""

import errno
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from spadesim.errors import UserError
from spadesim.reading import user_path
from spadesim.writing import write_durably

ASKED = "study.json"
JOURNAL = "journal.log"  # Optuna's own; `optuna-dashboard` reads it
DONE = "done.json"
STEPS = "steps.jsonl"
TUNED = "tuned.toml"
RESULT = "result.json"
LOCK = "lock"
FORMAT = 1
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
# What follows from what is asked and from what is installed, told where nothing else differs.
FOLLOW = ("strategy_digest", "vs_digest", "win_chance_table", "libraries", "version", "engine", "rng")


class StudyFolder:
    """A folder in which a study is kept.

    Optuna's journal may end in the middle of a trial when a study is broken off. So its length after every
    whole trial is kept beside it, and a study goes on from there: the broken trial leaves no trace, and the
    next one is the same as if nothing had happened.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def journal(self) -> Path:
        """Optuna's journal."""
        return self.path / JOURNAL

    @property
    def tuned(self) -> Path:
        """Where the tuned set is written unless told otherwise."""
        return self.path / TUNED

    def begin(self, asked: Mapping[str, Any]) -> None:
        """Make the folder of a new study.

        Raises
        ------
        UserError
            There is a study already, or other files, or it cannot be written.
        """
        if (self.path / ASKED).exists():
            raise UserError(
                f"There is a study in '{self.path}' already; --resume '{self.path}' goes on with it."
            )
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise UserError(f"'{self.path}' is there already and holds no study; name a new folder.")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / LOCK).touch(exist_ok=False)  # of two processes that begin at once only one can
            self.write(ASKED, {"format": FORMAT, **asked})
        except FileExistsError:
            raise UserError(f"Another process has just begun a study in '{self.path}'.") from None
        except OSError as error:
            raise UserError(f"'{self.path}' cannot be written: {error.strerror}.") from error

    def asked(self) -> dict[str, Any]:
        """What was asked for.

        Raises
        ------
        UserError
            There is no study, or one of another version.
        """
        file = self.path / ASKED
        if not file.is_file():
            raise UserError(f"There is no study in '{self.path}': it has no {ASKED}.")
        found = _read(file)
        if found.pop("format", None) != FORMAT:
            raise UserError(f"The study in '{self.path}' is of another version of spadesim.")
        return found

    @contextmanager
    def reading(self, name: str) -> Iterator[None]:
        """Say that one of the folder's files is damaged when the block cannot make sense of it.

        Raises
        ------
        UserError
            Which one.
        """
        try:
            yield
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise UserError(
                f"The study in '{self.path}' is damaged: {name} is not as it was written. Begin a new one."
            ) from error

    def write(self, name: str, values: Mapping[str, Any]) -> None:
        """Write one of the folder's JSON files whole."""
        write_durably(self.path / name, (json.dumps(values, indent=2) + "\n").encode())

    def finished(self) -> dict[str, Any] | None:
        """The result, None for a study that is not finished."""
        found = _read(self.path / RESULT) if (self.path / RESULT).is_file() else None
        with self.reading(RESULT):
            return None if found is None or found["partial"] else found

    def mark(self, trials: int) -> None:
        """Note that so many trials are whole."""
        self.write(DONE, {"trials": trials, "journal_bytes": self.journal.stat().st_size})

    def rewind(self) -> int:
        """Cut what a broken trial left in the journal; return how many trials are whole.

        Raises
        ------
        UserError
            The journal is shorter than it was.
        """
        done = _read(self.path / DONE) if (self.path / DONE).is_file() else {"trials": 0, "journal_bytes": 0}
        with self.reading(DONE):
            trials, size = int(done["trials"]), int(done["journal_bytes"])
        if not trials:
            self.journal.unlink(missing_ok=True)
            return 0
        if not self.journal.is_file() or self.journal.stat().st_size < size:
            raise UserError(f"The study in '{self.path}' is damaged: {JOURNAL} is shorter than it was.")
        with self.journal.open("r+b") as file:
            file.truncate(size)
        return trials

    def whole_journal(self) -> bytes:
        """The journal as far as its trials are whole."""
        done = _read(self.path / DONE) if (self.path / DONE).is_file() else {"journal_bytes": 0}
        return (
            self.journal.read_bytes()[: int(done.get("journal_bytes", 0))] if self.journal.is_file() else b""
        )

    def steps(self) -> list[dict[str, Any]]:
        """The steps that were logged; one that a crash cut in two is taken out of the file."""
        file = self.path / STEPS
        if not file.is_file():
            return []
        whole = file.read_bytes().rpartition(b"\n")[0]
        lines = whole.splitlines()
        if file.stat().st_size != len(whole) + bool(lines):
            write_durably(file, whole + b"\n" if lines else b"")
        with self.reading(STEPS):
            return [json.loads(line) for line in lines]

    def log(self, step: Mapping[str, Any]) -> None:
        """Log one more step."""
        with (self.path / STEPS).open("ab") as file:
            file.write((json.dumps(step) + "\n").encode())

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes off the study.

        Raises
        ------
        UserError
            One is at it.
        """
        from filelock import FileLock, Timeout

        lock = FileLock(self.path / LOCK)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise UserError(f"Another process is at the study in '{self.path}'.") from None
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def room(self) -> Iterator[None]:
        """Say how to go on when there is no room for what the block writes.

        Raises
        ------
        UserError
            There is none.
        """
        try:
            yield
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            raise UserError(
                f"The study in '{self.path}' cannot be written: {error.strerror}. What it has is kept; "
                f"--resume '{self.path}' goes on with it when there is room."
            ) from error


def folder_of(path: str | Path) -> StudyFolder:
    """The folder that a user names."""
    return StudyFolder(user_path(path))


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_bytes())
    except (OSError, ValueError) as error:
        raise UserError(f"'{file}' cannot be read: {error}.") from error
    if not isinstance(found, dict):
        raise UserError(f"'{file}' is not what a study has in it.")
    return found


def check_same(was: Mapping[str, Any], now: Mapping[str, Any], path: Path) -> None:
    """Refuse to go on with a study that was made for something else.

    Parameters
    ----------
    was, now : mapping of str to JSON values
        What the study was made with, and what it would be made with now.

    Raises
    ------
    UserError
        They differ; the message says in what.
    """
    if missing := [name for name in now if name not in was]:
        raise UserError(f"The study in '{path}' is damaged: {ASKED} has no {missing[0]}. Begin a new one.")
    apart = [name for name in was if name in now and was[name] != now[name]]
    apart = [name for name in apart if name not in FOLLOW] or apart
    if apart:
        told = "; ".join(
            f"{name.replace('_', ' ')}: {_short(was[name])} then, {_short(now[name])} now" for name in apart
        )
        raise UserError(f"The study in '{path}' was made for something else ({told}). Begin a new one.")


def _short(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
