"""A part of a run as one Parquet file: a row a seat and hand, and in its footer what its units came to.

The bytes depend on nothing but what was played: no times, no machine, a fixed size of row groups. The name of
a file ends in the digest of its bytes, so a damaged or truncated one shows by its name alone.
"""

import base64
import hashlib
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from spadesim.core.batch import OUTCOME
from spadesim.core.rows import BLOCK_ROWS, COLUMNS, Book, column_names, copy_rows, n_rows, source_of, unpacked
from spadesim.core.rules import Rules
from spadesim.core.tally import TALLY
from spadesim.match.fields import COUNT, TEXT, FieldError, check, whole
from spadesim.match.spec import MAX_UNITS

FORMAT = 2
GROUP_BLOCKS = 4  # of a book to a row group, the most that must be held at a time
KEY = b"spadesim"
NAME = re.compile(r"part-(\d{6,})-([0-9a-f]{16})\.parquet")
DIGITS = 16
PLAYS = "plays"
_FOOTER = {
    "run": TEXT,
    "part": COUNT,
    "first": COUNT,
    "units": whole(1, MAX_UNITS),
    "tally": TEXT,
    "outcomes": TEXT,
}

# How columns are written, by what was measured. Most repeat themselves, and compress to next to nothing at
# once; small numbers that differ do so once their bytes are sorted by place; and to compress what hardly can
# be would take as long as writing all the others.
_SPLIT = ("unit", "score", "bags", "forced")
_PLAIN = ("cards", "events", PLAYS)
BATCH_ROWS = 1 << 16  # taken at a time by the library, whose own choice is 1024


class DamagedPartError(Exception):
    """A part that cannot be read, or is none of its run's; its text says why."""


@dataclass(frozen=True)
class Header:
    """What the footer of a part says of it.

    Parameters
    ----------
    run : str
        The run that it belongs to, see `spadesim.match.store`.
    number : int
        Which part, from 0.
    first, units : int
        The number of its first unit, and how many there are.
    """

    run: str
    number: int
    first: int
    units: int


@dataclass(frozen=True)
class Part:
    """What a part's units came to, without its rows.

    Parameters
    ----------
    header : Header
    tally : array of one TALLY record
    outcomes : array of OUTCOME records, one a unit
    """

    header: Header
    tally: npt.NDArray[np.void]
    outcomes: npt.NDArray[np.void]


def layout() -> str:
    """8 hexadecimal digits over what a footer holds; they differ where another version counts otherwise."""
    text = repr((FORMAT, TALLY.descr, OUTCOME.descr))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def columns_of(rules: Rules) -> tuple[str, ...]:
    """The columns that rows have under some rules, without the cards played."""
    return column_names(bool(rules.record()["has_prelude"]))


class PartWriter:
    """Makes the bytes of one part out of the rows of its units, in order, a row group at a time.

    Parameters
    ----------
    rules : Rules
    has_plays : bool
        Whether the cards are recorded in the order played.
    """

    def __init__(self, rules: Rules, has_plays: bool) -> None:
        self.names = columns_of(rules)
        self.n_cards = rules.hand_size if has_plays else 0
        self._sink = io.BytesIO()  # which is given room again and again more cheaply than the library's own
        self._writer = pq.ParquetWriter(
            self._sink,
            _schema(self.names, self.n_cards),
            compression={name: _compression(name) for name in _schema(self.names, self.n_cards).names},
            use_dictionary=False,
            write_statistics=False,
            store_schema=False,
            column_encoding={name: "BYTE_STREAM_SPLIT" for name in self.names if name in _SPLIT},
            write_batch_size=BATCH_ROWS,
        )

    def take(self, book: Book, is_last: bool = False) -> None:
        """Write whole row groups from a book, and move the rows that are left to its beginning."""
        done, rows = 0, n_rows(book)
        group = GROUP_BLOCKS * BLOCK_ROWS
        while rows - done >= group or (is_last and done < rows):
            first = done // BLOCK_ROWS
            left = min(group, rows - done)
            blocks = book[first : first + -(-left // BLOCK_ROWS)]
            self._writer.write_table(self._table(blocks, left), group)
            done += left
        if done:
            left = max(rows - done, 0)
            copy_rows(book[done // BLOCK_ROWS :], left, book)
            book[0]["rows"] = left

    def finish(self, part: Part) -> memoryview:
        """The bytes of the whole part."""
        head = part.header
        footer = {
            "format": FORMAT,
            "layout": layout(),
            "run": head.run,
            "part": head.number,
            "first": head.first,
            "units": head.units,
            "tally": _pack(part.tally),
            "outcomes": _pack(part.outcomes),
        }
        self._writer.add_key_value_metadata({KEY: json.dumps(footer).encode()})
        self._writer.close()
        return self._sink.getbuffer()

    def _table(self, blocks: Book, rows: int) -> Any:
        """The first rows of some blocks; their columns stay where they are."""
        sizes = [min(BLOCK_ROWS, rows - first) for first in range(0, rows, BLOCK_ROWS)]
        schema = _schema(self.names, self.n_cards)
        columns = [
            pa.chunked_array(
                [
                    pa.Array.from_buffers(kind.type, size, [None, pa.py_buffer(block[kind.name])])
                    for block, size in zip(blocks, sizes, strict=True)
                ]
            )
            for kind in schema
        ]
        return pa.Table.from_arrays(columns, schema=schema)


def part_name(number: int, data: bytes | memoryview) -> str:
    """The name of a part's file."""
    return f"part-{number:06d}-{hashlib.sha256(data).hexdigest()[:DIGITS]}.parquet"


def number_in(name: str) -> int | None:
    """The number of the part that a file's name tells, None for the name of another kind of file.

    >>> number_in("part-000012-0123456789abcdef.parquet"), number_in("notes.txt")
    (12, None)
    """
    match = NAME.fullmatch(name)
    return int(match[1]) if match else None


def check_bytes(file: Path) -> None:
    """Refuse a part whose bytes are not those that its name was made of.

    Raises
    ------
    DamagedPartError
        They are not, or it cannot be read.
    """
    match = NAME.fullmatch(file.name)
    try:
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()[:DIGITS]
    except OSError as error:
        raise DamagedPartError(f"it cannot be read: {error.strerror}") from error
    if match is None or digest != match[2]:
        raise DamagedPartError("its bytes are not those that were written")


def read_part(file: Path) -> Part:
    """What a part's units came to.

    Raises
    ------
    DamagedPartError
        It is no part, or of a layout that this version does not know.
    """
    footer = _footer(file)
    if footer.get("layout") != layout():
        raise DamagedPartError("it was written by a version that counts otherwise")
    try:
        check(footer, _FOOTER)
        header = Header(footer["run"], footer["part"], footer["first"], footer["units"])
        return Part(header, _unpack(footer["tally"], TALLY), _unpack(footer["outcomes"], OUTCOME))
    except (FieldError, ValueError, OverflowError, MemoryError, pa.ArrowException) as error:
        raise DamagedPartError("its footer is damaged") from error


def read_rows(file: Path, columns: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """What the rows of a part tell by name; the cards played as a uint8 array of shape (rows, tricks).

    Raises
    ------
    DamagedPartError
        It cannot be read.
    """
    sources = list(dict.fromkeys(map(source_of, columns)))
    try:
        table = pq.read_table(file, columns=sources, use_threads=False, memory_map=True)
        stored = {name: _values(table[name]) for name in sources}
        return {name: unpacked(stored[source_of(name)], name) for name in columns}
    except (OSError, KeyError, pa.ArrowException) as error:
        missing = sorted(set(sources) - stored_columns(file))
        reason = f"it was recorded without '{missing[0]}'" if missing else f"it cannot be read: {error}"
        raise DamagedPartError(reason) from error


def check_columns(file: Path, rules: Rules, has_plays: bool) -> None:
    """Refuse a part whose columns are not those of its run; another version may have written fewer of them.

    Raises
    ------
    DamagedPartError
        They are not, or it cannot be read.
    """
    try:
        found = pq.read_schema(file).remove_metadata()
    except (OSError, pa.ArrowException) as error:
        raise DamagedPartError("it is damaged, or no part of a run") from error
    expected = _schema(columns_of(rules), rules.hand_size if has_plays else 0)
    known = set(expected.names)
    if not all(field.name in known and field.equals(expected.field(field.name)) for field in found):
        raise DamagedPartError("it has other columns than its run")


def stored_columns(file: Path) -> frozenset[str]:
    """The columns that a part has.

    Raises
    ------
    DamagedPartError
        It cannot be read.
    """
    try:
        return frozenset(pq.read_schema(file).names)
    except (OSError, pa.ArrowException) as error:
        raise DamagedPartError("it is damaged, or no part of a run") from error


def _footer(file: Path) -> dict[str, Any]:
    try:
        metadata = pq.read_metadata(file).metadata or {}
        found = json.loads(metadata[KEY])
    except (OSError, KeyError, ValueError, RecursionError, pa.ArrowException) as error:
        raise DamagedPartError("it is damaged, or no part of a run") from error
    if not isinstance(found, dict):
        raise DamagedPartError("its footer is damaged")
    return found


def _compression(name: str) -> str:
    return "none" if name in _PLAIN else "lz4"


def _schema(names: Sequence[str], n_cards: int) -> Any:
    """The Parquet columns, none of which has missing values."""
    book_types = {name: _arrow(_dtype(name)) for name in names}
    fields = [pa.field(name, kind, nullable=False) for name, kind in book_types.items()]
    if n_cards:
        fields.append(pa.field(PLAYS, pa.binary(n_cards), nullable=False))
    return pa.schema(fields)


def _dtype(name: str) -> np.dtype[Any]:
    return np.dtype(COLUMNS[name])


def _arrow(dtype: np.dtype[Any]) -> Any:
    return pa.from_numpy_dtype(dtype)


def _values(column: Any) -> npt.NDArray[Any]:
    """A column's values as an array, those of fixed length as rows of bytes."""
    if not pa.types.is_fixed_size_binary(column.type):
        values: npt.NDArray[Any] = column.to_numpy()
        return values
    width = column.type.byte_width
    blocks = [
        np.frombuffer(chunk.buffers()[1], np.uint8).reshape(-1, width)[chunk.offset :][: len(chunk)]
        for chunk in column.chunks
    ]
    return np.concatenate(blocks) if blocks else np.zeros((0, width), np.uint8)


def _pack(records: npt.NDArray[np.void]) -> str:
    """Records as text: their bytes sorted by place, which compresses well, and then compressed."""
    planes = np.ascontiguousarray(records.view(np.uint8).reshape(len(records), -1).T)
    packed = pa.compress(planes, codec="lz4", asbytes=True)
    return f"{len(records)} {base64.b64encode(packed).decode()}"


def _unpack(text: str, dtype: np.dtype[Any]) -> npt.NDArray[np.void]:
    count, _, packed = text.partition(" ")
    size = int(count) * dtype.itemsize
    data = pa.decompress(base64.b64decode(packed), decompressed_size=size, codec="lz4", asbytes=True)
    planes = np.frombuffer(data, np.uint8).reshape(dtype.itemsize, int(count))
    records: npt.NDArray[np.void] = planes.T.copy().view(dtype).reshape(-1)
    return records
