"""Numbers, paths and small files as a user writes and names them."""

import tomllib
from pathlib import Path
from typing import Any

from spadesim.errors import UserError

MAX_BYTES = 1_000_000


def whole_number(text: str) -> int:
    """A whole number; ``100_000`` and ``100,000`` are one.

    >>> whole_number("100,000")
    100000

    Raises
    ------
    ValueError
        It is none.
    """
    return int(text.replace(",", ""))


def share(text: str) -> float:
    """A share of 1; ``5%`` is ``0.05``.

    >>> share("5%"), share("0.1")
    (0.05, 0.1)

    Raises
    ------
    ValueError
        It is none.
    """
    return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def user_path(text: str | Path) -> Path:
    """The path that a user wrote, ``~`` being a home folder.

    Raises
    ------
    UserError
        There is no such user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise UserError(f"In '{text}' there is no user '{Path(text).parts[0]}'.") from None


def small_table(path: Path) -> dict[str, Any]:
    """What a TOML file of settings holds.

    Raises
    ------
    UserError
        The file is too long, or a pipe, for which one could wait for ever.
    OSError, UnicodeDecodeError
        It cannot be read, or is not UTF-8.
    ValueError, RecursionError
        It is no TOML.
    """
    if path.is_fifo():
        raise UserError(f"'{path}' is a pipe; a file of settings is needed.")
    text = small_text(path)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:
        # Python's own words for a number that is too long are advice for programmers.
        raise ValueError("it holds a number of thousands of digits") from error


def small_text(path: Path) -> str:
    """The text of a file of settings, which is no longer than a megabyte.

    Raises
    ------
    UserError
        The file is longer.
    OSError, UnicodeDecodeError
        It cannot be read, or is not UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise UserError(f"The file '{path}' is longer than a megabyte; it should hold a few settings.")
    return data.decode("utf-8-sig")
