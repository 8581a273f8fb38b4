"""The boards of a duel, played in every room, and where on each of them the rooms part."""

import contextlib
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import OUTCOME, Lineup, run_chunk
from spadesim.core.parting import KINDS, NONE, PARTING, compile_partings, find_partings
from spadesim.core.rows import new_book
from spadesim.core.tally import new_tally
from spadesim.match.diff_where import Choose, Records, chooser
from spadesim.match.duel import Sides
from spadesim.match.equity_file import table_of
from spadesim.match.executors import Crew, Parcel, apart
from spadesim.match.run import Chunk, Pace, Played, Progress, check_played, merged
from spadesim.match.spec import DuelSpec


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
        Of all boards played, those that do not count among them: the first ones of the duel, without gaps.
    seconds : float
        Time at play.
    is_partial : bool
        Whether Ctrl-C ended it before all were played.
    """

    units: npt.NDArray[np.int64]
    chances: npt.NDArray[np.int64]
    points: npt.NDArray[np.int64]
    partings: Records
    tally: Records
    seconds: float
    is_partial: bool = False

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
class Piece:
    """A chunk that was played, the boards of it that count, and where these part."""

    played: Played
    counts: npt.NDArray[np.bool_]
    partings: Records


class BoardsWork:
    """The chunks of the boards.

    Parameters
    ----------
    spec : DuelSpec
    sides : tuple of 2 Side
    lineup : Lineup
        The same sides as the engine takes them.
    where : str or None
        The condition on which boards count, see `spadesim.match.diff_where.chooser`.

    Raises
    ------
    UserError
        It is no condition.
    """

    def __init__(self, spec: DuelSpec, sides: Sides, lineup: Lineup, where: str | None) -> None:
        self.spec, self.sides, self.lineup, self.where = spec, sides, lineup, where
        self.bots = [str(bot) for side in sides for bot in (side.lower, side.higher)]
        self.choose = None if where is None else chooser(where, spec, self.bots)
        self._errand = b""

    def __call__(self, part: Chunk) -> Piece:
        """Play the chunk."""
        return play_piece(self.spec, self.lineup, part, self.choose)

    def parcel(self, part: Chunk) -> Parcel:
        """What plays it elsewhere."""
        from spadesim.match import diff_travel, travel

        self._errand = self._errand or travel.pack(self.spec, self.sides, self.lineup)
        arguments = self._errand, part, self.where, self.bots
        return Parcel(diff_travel.find_there, (travel.build(), *arguments))

    def named(self, part: Chunk) -> str:
        """What a chunk is called in messages."""
        return f"boards {part.first} to {sum(part) - 1}"


def play_boards(work: BoardsWork, crew: Crew, progress: Progress | None = None) -> Boards:
    """Play the boards of a duel.

    Parameters
    ----------
    work : BoardsWork
    crew : Crew
    progress : function, optional

    Raises
    ------
    UserError
        A bot broke the contract or raised.
    KeyboardInterrupt
        Ctrl-C before any board was played; later it ends the boards, which then are partial.
    """
    spec = work.spec
    if crew.is_near:
        apart(compile_partings)
    pace = Pace(spec, crew, None)
    pace.kind = f"{pace.kind} diff"  # whose boards take longer, and more memory, than a duel's
    done: list[tuple[Chunk, Piece]] = []
    units, hands, begun = 0, 0, time.perf_counter()
    try:
        with contextlib.closing(crew.in_order(work, pace.chunks())) as results:
            for part, piece in results:
                check_played(spec, work.sides, work.lineup, part, piece.played)
                pace.heard(part.size, piece.played.seconds)
                done.append((part, piece))
                units, hands = units + part.size, hands + int(piece.played.tally[0]["hands"])
                if progress is not None:
                    progress(units, spec.units, hands)
    except KeyboardInterrupt:
        if not done:
            raise
    return _together(spec, done, time.perf_counter() - begun)


def _together(spec: DuelSpec, done: list[tuple[Chunk, Piece]], seconds: float) -> Boards:
    total = new_tally()
    for _, piece in done:
        total = merged(total, piece.played.tally)
    outcomes = np.concatenate([piece.played.outcomes for _, piece in done])
    return Boards(
        np.concatenate([np.arange(part.first, sum(part))[piece.counts] for part, piece in done]),
        outcomes["equity"].copy(),
        outcomes["margin"].copy(),
        np.concatenate([piece.partings for _, piece in done]),
        total,
        seconds,
        int(total[0]["units"]) < spec.units,
    )


def play_piece(spec: DuelSpec, lineup: Lineup, part: Chunk, choose: Choose | None) -> Piece:
    """Play a chunk of boards, and find where those that count part.

    Parameters
    ----------
    spec : DuelSpec
        The duel; which boards of it does not matter.
    lineup : Lineup
    part : Chunk
    choose : function or None
        Which boards count; all with None.
    """
    begun = time.perf_counter()
    rules, outcomes = spec.rules, np.zeros(part.size, dtype=OUTCOME)
    book = new_book(part.size * spec.n_rooms * rules.players, rules.hand_size)
    nothing = np.zeros(0, dtype=bool), np.zeros(0, dtype=PARTING)
    try:
        tally, fault = run_chunk(lineup, rules, spec.task(*part), outcomes, table_of(spec), book)
    except Exception as error:  # whatever a user's bot raises
        return Piece(Played(new_tally(), None, 0.0, outcomes, error), *nothing)
    if fault["code"] != 0:
        return Piece(Played(tally, fault, 0.0, outcomes), *nothing)
    partings = find_partings(book, rules, part.size, spec.n_rooms)
    counts = np.ones(part.size, dtype=bool) if choose is None else choose(book, partings)
    seconds = time.perf_counter() - begun
    return Piece(Played(tally, fault, seconds, outcomes[counts]), counts, partings[counts])
