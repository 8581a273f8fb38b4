"""Playing a run part by part into its folder, and going on where it was broken off."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import OUTCOME, Lineup, run_chunk
from spadesim.core.play import NO_FAULT
from spadesim.core.rows import BLOCK_ROWS, Book, copy_rows, is_overfull, n_rows, new_book
from spadesim.core.tally import new_tally
from spadesim.errors import UserError
from spadesim.match.crews import Workers, crew_of
from spadesim.match.equity_file import table_of
from spadesim.match.executors import Crew, Parcel, apart
from spadesim.match.manifest import Manifest
from spadesim.match.parts import GROUP_BLOCKS, Header, Part, PartWriter, read_part
from spadesim.match.run import (
    Chunk,
    Played,
    Progress,
    Run,
    Watch,
    check_played,
    merged,
    next_size,
)
from spadesim.match.sides import hand_points_limit
from spadesim.match.spec import DuelSpec
from spadesim.match.store import Store
from spadesim.strategy import Side

FIRST_UNITS = 64
FIRST_BLOCKS = 2 * GROUP_BLOCKS
MOST_POINTS = 2**31  # of a score in a column


@dataclass(frozen=True)
class Made:
    """A part and its bytes; without them it lies in the folder."""

    part: Part
    data: memoryview | bytes | None = None
    fault: tuple[Chunk, Played] | None = None  # where a bot broke the contract

    def __reduce__(self) -> tuple[Any, ...]:
        """Have its bytes travel, which a view of them cannot."""
        return Made, (self.part, None if self.data is None else bytes(self.data), self.fault)


class StoppedError(Exception):
    """The run ends, and nobody wants the part any more."""


class Player:
    """Plays parts, in several threads at once.

    Parameters
    ----------
    spec : DuelSpec
        The duel, whatever units of it are to be played.
    lineup : Lineup
    has_plays : bool
        Whether the cards are recorded in the order played.
    """

    def __init__(self, spec: DuelSpec, lineup: Lineup, has_plays: bool) -> None:
        self.spec, self.lineup, self.has_plays = spec, lineup, has_plays
        self.stop = threading.Event()
        self._size = FIRST_UNITS  # of the next chunk; threads share it, and no result depends on it
        self._books: queue.SimpleQueue[Book] = queue.SimpleQueue()

    def play(self, header: Header) -> Made:
        """Play the units of a part.

        Raises
        ------
        StoppedError
            Somebody has set `stop`.
        """
        book = self._book()
        try:
            return self._play(header, book)
        finally:
            book[0]["rows"] = 0
            self._books.put(book)

    def _play(self, header: Header, book: Book) -> Made:
        writer = PartWriter(self.spec.rules, self.has_plays)
        tally, outcomes = new_tally(), np.zeros(header.units, dtype=OUTCOME)
        done = 0
        while done < header.units:
            if self.stop.is_set():
                raise StoppedError
            chunk = Chunk(header.first + done, min(self._size, header.units - done))
            book, played = self._chunk(chunk, outcomes[done : done + chunk.size], book)
            if played.error is not None or played.fault["code"] != NO_FAULT:
                return Made(Part(header, tally, outcomes), fault=(chunk, played))
            tally = merged(tally, played.tally)
            self._size = next_size(self._size, chunk.size, played.seconds)
            done += chunk.size
            writer.take(book, done == header.units)
        part = Part(header, tally, outcomes)
        return Made(part, writer.finish(part))

    def _chunk(self, chunk: Chunk, outcomes: npt.NDArray[np.void], book: Book) -> tuple[Book, Played]:
        """Play some units, with more room if there was too little for their rows."""
        spec, start = self.spec, n_rows(book)
        begun = time.perf_counter()
        try:
            tally, fault = run_chunk(
                self.lineup, spec.rules, spec.task(*chunk), outcomes, table_of(spec), book
            )
        except Exception as error:  # whatever a user's bot raises
            return book, Played(new_tally(), None, 0.0, outcomes, error)
        if not is_overfull(book):
            return book, Played(tally, fault, time.perf_counter() - begun, outcomes)
        return self._chunk(chunk, outcomes, _enlarged(book, start))

    def _book(self) -> Book:
        try:
            return self._books.get_nowait()
        except queue.Empty:
            n_plays = self.spec.rules.hand_size if self.has_plays else 0
            return new_book(FIRST_BLOCKS * BLOCK_ROWS, n_plays)


def _enlarged(book: Book, start: int) -> Book:
    """A larger book with the same first rows."""
    larger = new_book(n_rows(book) + GROUP_BLOCKS * BLOCK_ROWS, int(book[0]["n_plays"]))
    copy_rows(book, start, larger)
    larger[0]["rows"] = start
    return larger


@dataclass
class Audience:
    """Shows a watch every batch of outcomes once, whole and in order, wherever they come from."""

    spec: DuelSpec
    watch: Watch | None
    shown: int = 0
    waiting: list[npt.NDArray[np.void]] = field(default_factory=list)

    def show(self, outcomes: npt.NDArray[np.void]) -> int | None:
        """Take the outcomes of the next units; at how many units in all the run ends, None if it goes on."""
        if self.watch is None:
            return None
        held = np.concatenate([*self.waiting, outcomes])
        while len(held):
            size = min(self.watch.batch, self.spec.units - self.shown)
            if len(held) < size:
                break
            self.shown += size
            is_decided, held = self.watch(held[:size]), held[size:]
            if is_decided:
                return self.shown
        self.waiting = [held]
        return None


def check_recordable(spec: DuelSpec) -> None:
    """Refuse rules under which a score would not fit its column.

    Raises
    ------
    UserError
        It would not.
    """
    hands = max(spec.hand_cap, spec.rules.max_hands) if spec.boards is None else 1
    start = max((abs(score) for score in spec.scores or ()), default=0)
    if start + hands * hand_points_limit(spec.rules) >= MOST_POINTS:
        raise UserError("The points of these rules are too large to be recorded over so many hands.")


def record_duel(
    store: Store,
    sides: tuple[Side, Side],
    lineup: Lineup,
    *,
    workers: Workers,
    progress: Progress | None = None,
    notice: Callable[[str], None] | None = None,
    watch: Watch | None = None,
) -> Run:
    """Play what is missing of a run into its folder, and say what all of it comes to.

    Parameters
    ----------
    store : Store
        Held by this process, see `spadesim.match.store.writing`.
    sides, lineup, workers, progress, watch
        As for `spadesim.match.run.run_duel`.
    notice : function, optional
        Called with a line of text when a damaged part is set aside.

    Raises
    ------
    UserError
        A bot broke the contract, or a part cannot be written: earlier parts stay.
    KeyboardInterrupt
        Ctrl-C before there was any part; later it ends the run, which then is partial.
    """
    return _Recorder(store, sides, lineup, progress, notice, watch).run(crew_of(workers))


class PartWork:
    """The parts of a run by their numbers: stored ones are read here, missing ones played by anybody.

    Parameters
    ----------
    manifest : Manifest
    sides : tuple of 2 Side
    player : Player
    stored : dict of int to Path
        The files of the parts that are there.
    is_watched : bool
        Whether somebody reads the run's outcomes, and may want a part as it was when the run was shorter.
    """

    def __init__(
        self,
        manifest: Manifest,
        sides: tuple[Side, Side],
        player: Player,
        stored: dict[int, Path],
        is_watched: bool,
    ) -> None:
        self.manifest, self.sides, self.player = manifest, sides, player
        self.stored, self.is_watched = stored, is_watched
        self._errand = b""

    def __call__(self, number: int) -> Made:
        """The part, read or played."""
        if number in self.stored:
            part = read_part(self.stored[number])
            if self.is_whole(part) or self.is_watched:
                return Made(part)
        return self.player.play(self.header(number))

    def parcel(self, number: int) -> Parcel | None:
        """What plays the part elsewhere; None for one that lies in the folder."""
        from spadesim.match import travel

        if number in self.stored:
            return None
        self._errand = self._errand or travel.pack(self.manifest.spec, self.sides, self.player.lineup)
        arguments = travel.build(), self._errand, self.header(number), self.manifest.has_plays
        return Parcel(travel.make_there, arguments)

    def named(self, number: int) -> str:
        """What a part is called in messages."""
        return f"part {number}"

    def header(self, number: int, units: int | None = None) -> Header:
        """The header of a part, or of as many of its units as are given."""
        first, count = self.manifest.units_of(number)
        return Header(self.manifest.id, number, first, count if units is None else units)

    def is_whole(self, part: Part) -> bool:
        """Whether a part has all units that it has in the whole run."""
        return part.header.units == self.manifest.units_of(part.header.number)[1]


class _Recorder:
    """One session of a run: the parts in order, stored ones read and missing ones played."""

    def __init__(
        self,
        store: Store,
        sides: tuple[Side, Side],
        lineup: Lineup,
        progress: Progress | None,
        notice: Callable[[str], None] | None,
        watch: Watch | None,
    ) -> None:
        self.store, self.sides, self.lineup = store, sides, lineup
        self.spec = store.manifest.spec
        self.progress, self.watch = progress, watch
        self.notice = notice
        self.player = Player(self.spec, lineup, store.manifest.has_plays)
        self.work = PartWork(
            store.manifest, sides, self.player, sound_parts(store, notice), watch is not None
        )
        self.audience = Audience(self.spec, watch)
        self.total = new_tally()

    def run(self, crew: Crew) -> Run:
        begun, is_decided, is_partial = time.perf_counter(), False, False
        numbers = range(self.store.manifest.n_parts)
        try:
            with contextlib.closing(crew.in_order(self.work, numbers)) as results:
                try:
                    for number, made in results:
                        is_decided = self._enter(number, made)
                        if is_decided:
                            break
                finally:
                    self.player.stop.set()
            if is_decided:
                self._end_at(number)
        except KeyboardInterrupt:
            if self.units == 0:
                raise
            is_partial = self.units < self.spec.units
        return Run(self.total, time.perf_counter() - begun, is_partial, is_decided)

    @property
    def units(self) -> int:
        """Units entered so far."""
        return int(self.total[0]["units"])

    def _end_at(self, last: int) -> None:
        """Set aside parts behind the one in which the run was decided: of another run with the same bots."""
        for number, file in self.work.stored.items():
            if number > last:
                why = "it lies beyond the board or game at which the run was decided"
                _set_aside(self.store, file, why, self.notice)

    def _enter(self, number: int, made: Made) -> bool:
        """Keep a part and count it; whether the run is decided by it."""
        if made.fault is not None:
            check_played(self.spec, self.sides, self.lineup, *made.fault)
        before = self.units
        end = self.audience.show(made.part.outcomes)
        if end is None and not self.work.is_whole(made.part):
            # The run was shorter when this part was written, and nothing was decided in it.
            n_shown = made.part.header.units
            made = self._again(number, None)
            end = self.audience.show(made.part.outcomes[n_shown:])
        if end is not None and end - before < made.part.header.units:
            made = self._again(number, end - before)
        if made.data is not None:
            self.store.write(number, made.data)
        self.total = merged(self.total, made.part.tally)
        if self.progress is not None:
            self.progress(self.units, self.spec.units, int(self.total[0]["hands"]))
        return end is not None

    def _again(self, number: int, units: int | None) -> Made:
        """Play a part with other units than those at hand."""
        results: list[Made] = []
        apart(lambda: results.append(self.player.play(self.work.header(number, units))))
        return results[0]


def sound_parts(store: Store, notice: Callable[[str], None] | None = None) -> dict[int, Path]:
    """The files of a run's sound parts; damaged and foreign ones are set aside."""
    found: dict[int, Path] = {}
    for each in store.inspect():
        if each.part is not None:
            found[each.number] = each.file
        else:
            _set_aside(store, each.file, each.fault, notice)
    return found


def _set_aside(store: Store, file: Path, why: str, notice: Callable[[str], None] | None) -> None:
    place = store.set_aside(file)
    if notice is not None:
        notice(f"{file.name} is set aside in {place.parent.name}: {why}")
