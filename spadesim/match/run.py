"""Playing a duel's units chunk by chunk into one tally, until the end or until Ctrl-C."""

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from spadesim.core import batch
from spadesim.core._jit import COMPILED, cache_directory, compiling_alone, prune_cache, why_nothing_is_kept
from spadesim.core.batch import OUTCOME, Lineup, compile_engine, run_together
from spadesim.core.play import NO_FAULT
from spadesim.core.tally import has_overflowed, merge, new_tally
from spadesim.errors import UserError
from spadesim.match.crews import Workers, crew_of
from spadesim.match.equity_file import table_of
from spadesim.match.executors import Crew, Parcel
from spadesim.match.faults import fault_error, raised_error
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side
from spadesim.strategy.compiled import compiling_note

CHUNK_SECONDS = Crew.chunk_seconds
FIRST_CHUNK = 4
GROWTH = 4
LAST_CHUNKS = 32  # towards the end chunks get smaller, but no smaller than the usual size by this

Progress = Callable[[int, int, int], None]
"""Called with units done, units in all, and hands done."""


class Chunk(NamedTuple):
    """A range of units: the number of the first, and how many."""

    first: int
    size: int


@dataclass(frozen=True)
class Played:
    """What came out of one chunk: tally, FAULT record, seconds, outcomes if asked for, what a bot raised.

    `spared` hands of the tally were not played out, because they could only go as others of their board.
    """

    tally: npt.NDArray[np.void]
    fault: Any
    seconds: float
    outcomes: npt.NDArray[np.void]
    error: Exception | None = None
    spared: int = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Have what a bot raised travel by its words: who plays it again here finds the exception itself."""
        told = self.error and RuntimeError(f"{type(self.error).__name__}: {self.error}")
        return Played, (self.tally, self.fault, self.seconds, self.outcomes, told, self.spared)


Pieces = list[tuple[Chunk, Played]]
"""A chunk as it was played: in pieces that end where a watch is shown a batch."""


class Watch(Protocol):
    """Somebody who reads a run's outcomes as they come, and may end it.

    Pieces of chunks end at multiples of `batch` units from the run's first one on, and every batch is shown
    once, whole, in order; so when a run ends depends on its boards alone, never on workers, chunks or time.
    """

    batch: int

    def __call__(self, outcomes: npt.NDArray[np.void]) -> bool:
        """Whether the run shall end after this batch.

        Parameters
        ----------
        outcomes : array of OUTCOME records
            One for each unit of the batch; the run's last batch may be a shorter one.
        """


@dataclass(frozen=True)
class Run:
    """What a run measured.

    Parameters
    ----------
    tally : array of one TALLY record
        Of the first units of the duel, without gaps; of all unless it is partial.
    seconds : float
        Time at play.
    is_partial : bool
        Whether Ctrl-C stopped it before its end.
    is_decided : bool
        Whether its watch ended it.
    spared : int
        Hands of the tally that were not played out, because they could only go as others of their board.
    """

    tally: npt.NDArray[np.void]
    seconds: float
    is_partial: bool
    is_decided: bool = False
    spared: int = 0


class Pace:
    """How large the next chunk should be, from how long earlier ones took.

    Chunk sizes change with the machine's mood; results never do.

    Parameters
    ----------
    spec : DuelSpec
    crew : Crew
    fixed : int or None
        A size for all chunks instead; no more than the crew's `most_units` counts.
    batch : int or None
        Chunks of a near crew end at its multiples.
    """

    def __init__(self, spec: DuelSpec, crew: Crew, fixed: int | None, batch: int | None = None) -> None:
        self.first, self.units = spec.first, spec.units
        self.batch = batch if batch and crew.is_near else spec.units
        self.crew = crew
        self.fixed = min(fixed, crew.most_units) if fixed else None
        self.kind = f"{spec.a} {spec.b} {spec.kind} {spec.rules}"

    @property
    def size(self) -> int:
        """Of the next chunk, before the end comes near; a crew remembers it for duels of the same kind."""
        return self.crew.sizes.get(self.kind, FIRST_CHUNK)

    def chunks(self) -> Iterator[Chunk]:
        """The chunks in order, smaller ones towards the end, so that no worker is left with a long one."""
        done = 0
        while done < self.units:
            left = self.units - done
            last = max(-(-left // (2 * self.crew.n)), self.size // LAST_CHUNKS)
            size = min(left, self.fixed or min(self.size, last))
            size = min(size, self.batch - done % self.batch)
            yield Chunk(self.first + done, size)
            done += size

    def heard(self, size: int, seconds: float) -> None:
        """Take note of how long a chunk took."""
        wanted = next_size(self.size, size, seconds, self.crew.chunk_seconds)
        self.crew.sizes[self.kind] = min(wanted, self.crew.most_units)


def next_size(last: int, size: int, seconds: float, wanted: float = CHUNK_SECONDS) -> int:
    """How large the next chunk should be, to take as long as is wanted.

    Parameters
    ----------
    last : int
        How large it was to be before; it grows fourfold at the most.
    size : int
        Of a chunk that has been played.
    seconds : float
        How long that took.
    wanted : float
        Seconds.

    Examples
    --------
    >>> next_size(100, 100, 0.1), next_size(100, 100, 0.001), next_size(100, 100, 60.0)
    (200, 400, 1)
    """
    return max(1, min(round(size * wanted / max(seconds, 1e-6)), GROWTH * last))


def prepare_engine(notice: Callable[[str], None] | None = None) -> None:
    """Compile the engine before any thread needs it, with a word to the user when that takes long."""
    is_first_run = not is_kept("batch.run_units")
    if is_first_run and notice is not None:
        notice(compiling_note("the engine"))
        if why := why_nothing_is_kept():
            notice(f"nothing compiled is kept for the next run: {why}")
    with compiling_alone():
        compile_engine()
    if is_first_run:
        prune_cache()


def is_kept(function: str) -> bool:
    """Whether machine code of a function of the engine, ``module.name``, is kept from an earlier run."""
    folder = cache_directory(Path(batch.__file__))
    return not COMPILED or (folder is not None and any(folder.rglob(f"{function}-*.nbi")))


def run_duel(
    spec: DuelSpec,
    sides: tuple[Side, Side],
    lineup: Lineup,
    *,
    workers: Workers,
    chunk: int | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Run:
    """The tally of a whole duel, the same for any `workers` and `chunk`.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
        For what goes wrong: who it was.
    lineup : Lineup
        The same sides as the engine takes them.
    workers : Workers
        Who plays, see `spadesim.match.crews.crew_of`.
    chunk : int or None
        Units to a chunk; None lets chunks grow to a fifth of a second, elsewhere to a second.
    progress : function, optional
    watch : Watch, optional
        Reads the outcomes, and may end the run.

    Raises
    ------
    UserError
        A bot broke the contract or raised: which, where, and how to see it again.
    KeyboardInterrupt
        Ctrl-C before anything was measured; later it ends the run, which then is partial.
    """
    crew = crew_of(workers)
    pace = Pace(spec, crew, chunk, watch.batch if watch else None)
    work = DuelWork(spec, sides, lineup, watch.batch if watch else spec.units, watch is not None)
    total, is_partial, is_decided, spared = new_tally(), False, False, 0
    batch: list[npt.NDArray[np.void]] = []
    begun = time.perf_counter()
    try:
        with contextlib.closing(_played(crew.in_order(work, pace.chunks()), pace)) as results:
            for part, played in results:
                check_played(spec, sides, lineup, part, played)
                # A new record each time, so that Ctrl-C never finds one half changed.
                total, spared = merged(total, played.tally), spared + played.spared
                if progress is not None:
                    progress(_units(total), spec.units, int(total[0]["hands"]))
                if watch is not None:
                    batch.append(played.outcomes)
                    if _units(total) % watch.batch == 0 or _units(total) == spec.units:
                        is_decided = watch(np.concatenate(batch))
                        batch.clear()
                if is_decided:
                    break
    except KeyboardInterrupt:
        if _units(total) == 0:
            raise
        is_partial = _units(total) < spec.units
    return Run(total, time.perf_counter() - begun, is_partial, is_decided, spared)


def _units(tally: npt.NDArray[np.void]) -> int:
    return int(tally[0]["units"])


def _played(
    results: Generator[tuple[Chunk, Pieces], None, None], pace: Pace
) -> Generator[tuple[Chunk, Played], None, None]:
    """The pieces of all chunks; how long chunks took is told to the pace."""
    with contextlib.closing(results):
        for part, pieces in results:
            pace.heard(part.size, sum(played.seconds for _, played in pieces))
            yield from pieces


class DuelWork:
    """The chunks of a duel that is not kept.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    lineup : Lineup
    batch : int
        Pieces of chunks end at its multiples from the first unit on.
    is_watched : bool
        Whether somebody reads the outcomes.
    """

    def __init__(
        self, spec: DuelSpec, sides: tuple[Side, Side], lineup: Lineup, batch: int, is_watched: bool
    ) -> None:
        self.spec, self.sides, self.lineup = spec, sides, lineup
        self.batch, self.is_watched = batch, is_watched
        self._errand = b""

    def __call__(self, part: Chunk) -> Pieces:
        """Play the chunk."""
        return play_pieces(self.spec, self.lineup, part, self.batch, self._done(part), self.is_watched)

    def parcel(self, part: Chunk) -> Parcel:
        """What plays it elsewhere."""
        from spadesim.match import travel  # with what reads and writes runs, which a duel here does without

        self._errand = self._errand or travel.pack(self.spec, self.sides, self.lineup)
        arguments = self._errand, part, self.batch, self._done(part), self.is_watched
        return Parcel(travel.play_there, (travel.build(), *arguments))

    def _done(self, part: Chunk) -> int:
        """Units of its first batch that stand before the chunk."""
        return (part.first - self.spec.first) % self.batch

    def named(self, part: Chunk) -> str:
        """What a chunk is called in messages."""
        what = "boards" if self.spec.boards is not None else "games of numbers"
        return f"{what} {part.first} to {part.first + part.size - 1}"


def play_pieces(
    spec: DuelSpec, lineup: Lineup, part: Chunk, batch: int, done: int, is_watched: bool
) -> Pieces:
    """A chunk, played in pieces.

    Parameters
    ----------
    spec : DuelSpec
        The duel; which units of it does not matter.
    lineup : Lineup
    part : Chunk
    batch, done : int
        The units of a batch, and how many of the one that the chunk begins in have been played before.
    is_watched : bool
        Whether outcomes are wanted.
    """
    pieces: Pieces = []
    at = part.first
    while at < sum(part):
        piece = Chunk(at, min(batch - (done + at - part.first) % batch, sum(part) - at))
        pieces.append((piece, play_together(spec, [lineup], piece, is_watched)[0]))
        at += piece.size
    return pieces


def play_together(spec: DuelSpec, lineups: Sequence[Lineup], part: Chunk, is_watched: bool) -> list[Played]:
    """What each of some line-ups came to on a chunk, all under the conditions of one duel.

    A fault, or what a bot raised, stands in all of them, and then none of them counts.
    """
    begun = time.perf_counter()
    outcomes = np.zeros((len(lineups), part.size if is_watched else 0), dtype=OUTCOME)
    try:
        found = run_together(lineups, spec.rules, spec.task(*part), outcomes.reshape(-1), table_of(spec))
    except Exception as error:  # whatever a user's bot raises
        return [Played(new_tally(), None, 0.0, own, error) for own in outcomes]
    seconds = (time.perf_counter() - begun) / len(lineups)
    return [
        Played(tally, found.fault, seconds, own, None, spared)
        for tally, own, spared in zip(found.tallies, outcomes, found.spared, strict=True)
    ]


def check_played(
    spec: DuelSpec, sides: tuple[Side, Side], lineup: Lineup, part: Chunk, played: Played
) -> None:
    """Refuse a chunk in which a bot broke the contract or raised.

    Raises
    ------
    UserError
        It did: which, where, and how to see it again.
    """
    if played.error is not None:
        raise raised_error(spec, sides, lineup, part, played.error) from played.error
    if played.fault["code"] != NO_FAULT:
        raise fault_error(spec, sides, played.fault)


def merged(total: npt.NDArray[np.void], part: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """The sum of two tallies, as a new one.

    Raises
    ------
    UserError
        It is too large for 64 bits.
    """
    result = total.copy()
    merge(result, part)
    if has_overflowed(result):
        raise UserError(
            "So long a duel exceeds 64 bits in the squares of points, or of win chances on boards: "
            "play it in shorter ones, by --first."
        )
    return result
