"""Counts over the rows of recorded runs: those of all pages together, in one pass over the parts.

A count is a table of sums: how many rows there are, and what some columns add up to, for every combination of
a few small whole numbers. It is kept apart by bot and by *block*, a 64th of a run's units in their order, so
that whatever is worked out from it can have an interval (`spadesim.stats.blocks`): the rooms, partners and
hands of a unit stay together in one block.

>>> Count(by=("bid", "tricks"), of=("points",)).columns
('bid', 'tricks', 'points')
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.cores import usable_cores
from spadesim.errors import UserError
from spadesim.expressions import Value, Where, compile_value, compile_where
from spadesim.match.bots_of_run import absent_sides
from spadesim.match.columns import Rows, lacks
from spadesim.match.executors import Here, Threads
from spadesim.match.parts import Header
from spadesim.match.recorded import RecordedRun
from spadesim.stats.blocks import N_BLOCKS

if TYPE_CHECKING:
    import pandas as pd

MOST_CELLS = 1 << 22  # of a table in memory, above which only the cells that occur are held
MOST_PENDING = 1 << 21  # cells of parts that wait to be added up
MOST_AT_ONCE = 2  # parts: the columns of one take 100 MB
KEYS = ("subject", "block")

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Count:
    """What is to be counted.

    Parameters
    ----------
    by : tuple of str
        Columns of a run, or expressions of them, that are small whole numbers or yes and no: a cell for every
        combination that occurs.
    of : tuple of str
        Columns or expressions that are added up in each cell.
    where : str
        A condition on the rows that are counted; "" for all.
    runs : str
        Which runs are counted: "games" (of whole games), "cards" (recorded with --record cards), "" for all.
    """

    by: tuple[str, ...]
    of: tuple[str, ...] = ()
    where: str = ""
    runs: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """Everything that is looked at, but for the condition."""
        return (*self.by, *self.of)

    def is_of(self, run: RecordedRun) -> bool:
        """Whether the rows of a run are counted."""
        kinds = {"": True, "games": run.spec.boards is None, "cards": run.manifest.has_plays}
        return kinds[self.runs]


def gather(
    runs: Sequence[RecordedRun],
    counts: Mapping[str, Count],
    where: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> "dict[str, pd.DataFrame]":
    """Tables of sums by bot and block, a row a cell that occurs.

    Parameters
    ----------
    runs : sequence of RecordedRun
    counts : mapping of str to Count
    where : str
        A condition on the rows of all counts.
    progress : function of two int, optional
        Told how many parts are done, and of how many.

    Returns
    -------
    dict of str to DataFrame
        Under the name of its count a frame with the columns ``subject`` (number of the bot: the different
        bots of each run in turn, in the order of their places), ``block`` (0 to 63), those of ``by``,
        ``rows``, how many there are, and the sums of ``of``. A row of a run is a seat in a hand; what
        belongs to a side, such as its points, stands in the rows of both of its seats.

    Raises
    ------
    UserError
        A part is damaged, or an expression asks for what the rows of a run do not tell.
    """
    tables = {name: _Table(count) for name, count in counts.items()}
    headers = [run.headers() for run in runs]
    expressions = {run: _expressions(run, list(counts.values()), where) for run in runs}
    crew = Threads(min(usable_cores(), MOST_AT_ONCE))
    done, subject = 0, 0
    for run, parts in zip(runs, headers, strict=True):
        told = [table for table in tables.values() if table.count.is_of(run)]
        starts, n_units = _starts(parts)
        counting = _Counting(
            [table.count for table in told], where, expressions[run], _subjects(run, subject), starts, n_units
        )
        # Without those that were written since the parts were counted.
        there = (part for part in run.tables() if part[0].number in starts)
        for _, pieces in crew.in_order(Here(counting), there):
            for table, piece in zip(told, pieces, strict=True):
                table.add(piece)
            done += 1
            if progress is not None:
                progress(done, sum(map(len, headers)))
        subject = int(max(counting.numbers)) + 1
    return {name: table.frame() for name, table in tables.items()}


@dataclass(frozen=True)
class _Counting:
    """What is counted of each part of a run, several parts side by side: numpy lets go of the interpreter.

    Parameters
    ----------
    counts : sequence of Count
    where : str
        A condition on the rows of all of them.
    expressions : mapping of str
        What is no column, by its text.
    numbers : array of 4 int
        Of the bots, by role.
    starts : mapping of int to int
        How many units stand before each part, by its number.
    n_units : int
    """

    counts: Sequence[Count]
    where: str
    expressions: Mapping[str, Value | Where]
    numbers: Array
    starts: Mapping[int, int]
    n_units: int

    def __call__(self, part: tuple[Header, Rows]) -> "list[_Piece]":
        """The cells of each count in a part."""
        header, rows = part
        ranks = rows["unit"] - header.first + self.starts[header.number]
        source = Source(rows, block_of(ranks, self.n_units), self.numbers, self.expressions).where(self.where)
        found: list[_Piece | None] = [None] * len(self.counts)
        conditions = dict.fromkeys(count.where for count in self.counts)
        for condition in conditions:  # one after the other, so that the rows of one alone are held
            kept = source.where(condition)
            for place, count in enumerate(self.counts):
                if count.where == condition:
                    found[place] = _piece(count, kept)
        rows.found.clear()  # for the part is held until those before it have been added up
        return [piece for piece in found if piece is not None]


def _expressions(run: RecordedRun, counts: Sequence[Count], where: str) -> dict[str, Value | Where]:
    """What is asked of a run's rows that is no column, compiled."""
    known, counts = run.known, [count for count in counts if count.is_of(run)]
    conditions = {where, *({count.where for count in counts} - known.columns)} - {""}
    asked = {text for count in counts for text in count.columns} - known.columns
    texts = {text for text in asked if not lacks(run.manifest, text)}  # which the rows word better
    found: dict[str, Value | Where] = {text: compile_value(text, known) for text in texts}
    return found | {condition: compile_where(condition, known) for condition in conditions}


def _subjects(run: RecordedRun, first: int) -> Array:
    """The number of the bot that plays each role; bots of one spec are one."""
    a, b = absent_sides(run.manifest)
    specs = [str(bot) for bot in (a.lower, a.higher, b.lower, b.higher)]
    kinds = list(dict.fromkeys(specs))
    return np.array([first + kinds.index(spec) for spec in specs])


def _starts(parts: Sequence[Header]) -> tuple[dict[int, int], int]:
    """How many units stand before each part that there is, and how many there are."""
    starts, n_units = {}, 0
    for header in parts:
        starts[header.number] = n_units
        n_units += header.units
    return starts, n_units


def block_of(ranks: Array, n_units: int) -> Array:
    """The blocks of units: all of a size, or almost.

    Parameters
    ----------
    ranks : array of int
        Which of the units in their order, from 0 on.
    n_units : int, at least 1
    """
    return ranks * N_BLOCKS // n_units


class Source:
    """The rows of a part that a condition leaves, as arrays: columns and expressions by their texts.

    Parameters
    ----------
    rows : Rows
    block : array of int
        Of every row.
    numbers : array of 4 int
        Of the bots, by role.
    expressions : mapping of str
        What is no column, by its text.
    """

    def __init__(
        self, rows: Rows, block: Array, numbers: Array, expressions: Mapping[str, Value | Where]
    ) -> None:
        self.rows = rows
        self.expressions = expressions
        self._found: dict[str, Array] = {"block": block, "subject": numbers[rows["role"]]}
        self._coded: dict[str, tuple[Array, int, int]] = {}

    def where(self, condition: str) -> "Source":
        """The rows that fulfil a condition; all of them for ""."""
        return _Kept(self, self[condition].astype(bool)) if condition else self

    def __getitem__(self, text: str) -> Array:
        if text not in self._found:
            self._found[text] = self._make(text)
        return self._found[text]

    def _make(self, text: str) -> Array:
        expression = self.expressions.get(text)
        if expression is None:
            return self.rows[text]
        return expression(self.rows.columns(expression.needs), self.rows.n_seats)

    def coded(self, text: str) -> tuple[Array, int, int]:
        """Whole numbers as such from 0 on, the least of them, and how many different ones there can be."""
        if text not in self._coded:
            values = self[text]
            if getattr(values, "ndim", 2) != 1 or values.dtype.kind not in "biu":
                raise UserError(f"'{text}' is no whole number or condition, by which rows could be counted.")
            low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
            codes = values.astype(np.int64) - low
            self._coded[text] = codes.astype(np.min_scalar_type(high - low)), low, high - low + 1
        return self._coded[text]

    def weights(self, text: str) -> Array:
        """Numbers to be added up; sums of whole ones stay exact below 2**53."""
        return self[text].astype(np.float64)


class _Kept(Source):
    """The rows of another source for which a mask is set."""

    def __init__(self, source: Source, mask: Array) -> None:
        self._source = source
        self._places = np.flatnonzero(mask)
        self._found, self._coded = {}, {}

    def _make(self, text: str) -> Array:
        return self._source[text][self._places]


class _Piece(NamedTuple):
    """The cells of one count in one part, or in several: keys and sums, an array a column."""

    keys: list[Array]
    sums: list[Array]
    kinds: dict[str, np.dtype[Any]]


def _piece(count: Count, source: Source) -> _Piece:
    """Count the rows of a part that fulfil the condition."""
    kinds = {name: source[name].dtype for name in count.columns}
    coded = [source.coded(name) for name in (*KEYS, *count.by)]
    codes, sums = _cells(coded, [source.weights(name) for name in count.of])
    return _Piece([code + low for code, (_, low, _) in zip(codes, coded, strict=True)], sums, kinds)


class _Table:
    """The cells of one count, added up part by part."""

    def __init__(self, count: Count) -> None:
        self.count = count
        self.names = (*KEYS, *count.by)
        self.kinds: dict[str, np.dtype[Any]] = {}
        self._pieces: list[tuple[list[Array], list[Array]]] = []
        self._pending = 0

    def add(self, piece: _Piece) -> None:
        """Take the cells of a part."""
        self.kinds = piece.kinds | self.kinds
        self._pieces.append((piece.keys, piece.sums))
        self._pending += len(piece.sums[0])
        if self._pending > MOST_PENDING:
            self._merge()

    def frame(self) -> "pd.DataFrame":
        """All cells."""
        import pandas as pd

        self._merge()
        keys, sums = self._pieces[0] if self._pieces else _nothing(len(self.names), 1 + len(self.count.of))
        found = dict(zip(self.names, keys, strict=True))
        found["block"] = found["block"].astype(np.int8)
        found["rows"] = sums[0].astype(np.int64)
        for name, values in zip(self.count.of, sums[1:], strict=True):
            is_whole = self.kinds.get(name, values.dtype).kind in "biu"
            # A column may be a key as well; its sum then stands under another name.
            found[name if name not in found else f"sum of {name}"] = (
                values.astype(np.int64) if is_whole else values
            )
        return pd.DataFrame(found)

    def _merge(self) -> None:
        if len(self._pieces) < 2:
            return
        keys = [
            np.concatenate(columns) for columns in zip(*(piece[0] for piece in self._pieces), strict=True)
        ]
        sums = [
            np.concatenate(columns) for columns in zip(*(piece[1] for piece in self._pieces), strict=True)
        ]
        lows = [int(key.min()) if len(key) else 0 for key in keys]
        coded = [
            (key - low, low, int(key.max()) - low + 1 if len(key) else 1)
            for key, low in zip(keys, lows, strict=True)
        ]
        codes, (_, *added) = _cells(coded, sums)
        self._pieces = [([code + low for code, low in zip(codes, lows, strict=True)], added)]
        self._pending = len(added[0])


def _nothing(n_keys: int, n_sums: int) -> tuple[list[Array], list[Array]]:
    return [np.zeros(0, np.int64)] * n_keys, [np.zeros(0)] * n_sums


def _cells(
    coded: Sequence[tuple[Array, int, int]], weights: Sequence[Array]
) -> tuple[list[Array], list[Array]]:
    """The combinations that occur, how many rows each has, and what the weights of these add up to."""
    sizes = [size for _, _, size in coded]
    key = _key(coded)
    if _product(sizes) <= MOST_CELLS:
        n_cells = _product(sizes)
        rows = np.bincount(key, minlength=n_cells)
        cells = np.flatnonzero(rows)
        sums = [rows[cells], *(np.bincount(key, weight, n_cells)[cells] for weight in weights)]
    else:
        cells, place, rows = np.unique(key, return_inverse=True, return_counts=True)
        sums = [rows, *(np.bincount(place, weight, len(cells)) for weight in weights)]
    return list(_decoded(cells, sizes)), sums


def _key(coded: Sequence[tuple[Array, int, int]]) -> Array:
    """All numbers of a row in one."""
    if _product([size for _, _, size in coded]) >= 1 << 62:
        raise UserError(
            "A count by so many different numbers cannot be made: leave one out, or make it coarser."
        )
    (first, _, _), *others = coded
    key = first.astype(np.int64)
    for codes, _, size in others:
        if size > 1:
            key *= size
            key += codes
    return key


def _decoded(cells: Array, sizes: Sequence[int]) -> Iterator[Array]:
    left = _product(sizes)
    for size in sizes:
        left //= size
        yield cells // left % size


def _product(sizes: Sequence[int]) -> int:
    product = 1
    for size in sizes:
        product *= size
    return product
