"""The boards of a duel, played in every room, and where on each of them the rooms part."""

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import OUTCOME, Lineup, run_chunk
from spadesim.core.parting import KINDS, NONE, PARTING, compile_partings, find_partings
from spadesim.core.rows import Book, new_book
from spadesim.core.tally import new_tally
from spadesim.errors import UserError
from spadesim.match.duel import Sides
from spadesim.match.equity_file import table_of
from spadesim.match.executors import Crew, Here, apart
from spadesim.match.run import Chunk, Pace, Played, Progress, check_played, merged
from spadesim.match.spec import DuelSpec

Records = npt.NDArray[np.void]
Choose = Callable[[Book, Records], npt.NDArray[np.bool_]]
"""Which boards count, by the rows of their hands and by where their rooms part."""


@dataclass(frozen=True, eq=False)
class Boards:
    """What is kept of the boards that count: some 60 bytes each.

    Parameters
    ----------
    units : int64 array
        Their numbers.
    chances : int64 array
        The change of A's chance to win on each, all rooms together, in units of 1 / `EQUITY_ONE`.
    points : int64 array
        A's points less B's, all rooms together.
    partings : array of PARTING records
    tally : array of one TALLY record
        Of all boards played, those that do not count among them.
    seconds : float
        Time at play.
    """

    units: npt.NDArray[np.int64]
    chances: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    partings: Records
    tally: Records
    seconds: float

    def of_kind(self, kind: str) -> npt.NDArray[np.bool_]:
        """Which of them part at a decision of some kind, or with "none" never."""
        found: npt.NDArray[np.bool_] = self.partings["kind"] == KINDS.index(kind)
        return found

    @property
    def parted(self) -> npt.NDArray[np.bool_]:
        """Which of them part."""
        found: npt.NDArray[np.bool_] = self.partings["kind"] != NONE
        return found


@dataclass(frozen=True)
class _Piece:
    """A chunk that was played, the boards of it that count, and where these part."""

    played: Played
    counts: npt.NDArray[np.bool_]
    partings: Records


def play_boards(
    spec: DuelSpec,
    sides: Sides,
    lineup: Lineup,
    crew: Crew,
    *,
    progress: Progress | None = None,
    choose: Choose | None = None,
) -> Boards:
    """Play the boards of a duel.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    lineup : Lineup
        The same sides as the engine takes them.
    crew : Crew
        Threads of this process.
    progress : function, optional
    choose : function, optional
        Which boards count; all when left out.

    Raises
    ------
    UserError
        A bot broke the contract or raised, or others than threads were to play.
    KeyboardInterrupt
        Ctrl-C.
    """
    if not crew.is_near:
        raise UserError("A diff is played by threads of this process: give workers as a number.")
    apart(compile_partings)
    pace, total = Pace(spec, crew, None), new_tally()
    pieces: list[_Piece] = []
    units: list[npt.NDArray[np.int64]] = []
    begun = time.perf_counter()
    work: Here[Chunk, _Piece] = Here(lambda part: _play(spec, lineup, part, choose))
    with contextlib.closing(crew.in_order(work, pace.chunks())) as results:
        for part, piece in results:
            check_played(spec, sides, lineup, part, piece.played)
            pace.heard(part.size, piece.played.seconds)
            total = merged(total, piece.played.tally)
            units.append(np.arange(part.first, sum(part))[piece.counts])
            pieces.append(piece)
            if progress is not None:
                progress(int(total[0]["units"]), spec.units, int(total[0]["hands"]))
    outcomes = np.concatenate([piece.played.outcomes for piece in pieces])
    return Boards(
        np.concatenate(units),
        outcomes["equity"].copy(),
        outcomes["margin"].copy(),
        np.concatenate([piece.partings for piece in pieces]),
        total,
        time.perf_counter() - begun,
    )


def _play(spec: DuelSpec, lineup: Lineup, part: Chunk, choose: Choose | None) -> _Piece:
    begun = time.perf_counter()
    rules, outcomes = spec.rules, np.zeros(part.size, dtype=OUTCOME)
    book = new_book(part.size * spec.n_rooms * rules.players, rules.hand_size)
    nothing = np.zeros(0, dtype=bool), np.zeros(0, dtype=PARTING)
    try:
        tally, fault = run_chunk(lineup, rules, spec.task(*part), outcomes, table_of(spec), book)
    except Exception as error:  # whatever a user's bot raises
        return _Piece(Played(new_tally(), None, 0.0, outcomes, error), *nothing)
    if fault["code"] != 0:
        return _Piece(Played(tally, fault, 0.0, outcomes), *nothing)
    partings = find_partings(book, rules, part.size, spec.n_rooms)
    counts = np.ones(part.size, dtype=bool) if choose is None else choose(book, partings)
    seconds = time.perf_counter() - begun
    return _Piece(Played(tally, fault, seconds, outcomes[counts]), counts, partings[counts])
