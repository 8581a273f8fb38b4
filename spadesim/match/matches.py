"""Several duels on the same boards, round after round, so that all of them stand equally at any time."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import BOARDS, OUTCOME, Lineup
from spadesim.core.tally import DRAW_RESULT, UNFINISHED, merge, new_tally
from spadesim.match.crews import Workers
from spadesim.match.duel import Sides
from spadesim.match.run import Progress, Run, run_duel
from spadesim.match.spec import DuelSpec
from spadesim.match.values import unit_values
from spadesim.stats.common import FloatArray
from spadesim.stats.ratings import features
from spadesim.strategy import lineup

FIRST_ROUND = 100
MOST_IN_A_ROUND = 10_000  # whose outcomes are held in memory, for every match

Records = npt.NDArray[np.void]


def rounds(units: int) -> Iterator[tuple[int, int]]:
    """The rounds in which so many boards are played: the first of each, and how many; ever longer ones.

    >>> list(rounds(1000))
    [(0, 100), (100, 100), (200, 200), (400, 400), (800, 200)]
    """
    done, size = 0, FIRST_ROUND
    while done < units:
        size = min(max(done, FIRST_ROUND), MOST_IN_A_ROUND, units - done)
        yield done, size
        done += size


def stretches(first: int, size: int) -> Iterator[tuple[int, int]]:
    """A block of boards in pieces that fit into memory: the first of each, and how many.

    >>> list(stretches(500, 25_000))
    [(500, 10000), (10500, 10000), (20500, 5000)]
    """
    for done in range(0, size, MOST_IN_A_ROUND):
        yield first + done, min(MOST_IN_A_ROUND, size - done)


class Counter:
    """Adds the progress of single stretches of play up to that of the whole: hands are those played out.

    Parameters
    ----------
    units : int
        Boards and pairs of games in all.
    progress : function or None
    """

    def __init__(self, units: int, progress: Progress | None) -> None:
        self.all, self.progress = units, progress
        self.units = self.hands = 0
        self.seconds = 0.0

    def within(self, units: int, _: int, hands: int) -> None:
        """Show how far a stretch is that is being played."""
        if self.progress is not None:
            self.progress(self.units + units, self.all, self.hands + hands)

    def enter(self, run: Run) -> None:
        """Count a stretch that has been played."""
        self.units += int(run.tally[0]["units"])
        self.hands += int(run.tally[0]["hands"]) - run.spared
        self.seconds += run.seconds


class Collector:
    """A watch that keeps all outcomes and never ends a run."""

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self.outcomes: Records = np.zeros(0, dtype=OUTCOME)

    def __call__(self, outcomes: Records) -> bool:
        """Keep what came, which is all of it: the run is one batch."""
        self.outcomes = outcomes
        return False


class Matches:
    """Duels that are played stretch by stretch.

    Parameters
    ----------
    specs : sequence of DuelSpec
    sides : sequence of (Side, Side)
        Of each duel.
    workers : Workers
        Who plays, see `spadesim.match.crews.crew_of`.
    chunk : int or None
    counter : Counter

    Attributes
    ----------
    tallies : list of arrays of one TALLY record
        Of what each duel has played.
    """

    def __init__(
        self,
        specs: Sequence[DuelSpec],
        sides: Sequence[Sides],
        workers: Workers,
        chunk: int | None,
        counter: Counter,
    ) -> None:
        self.specs, self.sides, self.workers, self.chunk, self.counter = specs, sides, workers, chunk, counter
        self.tallies = [new_tally() for _ in specs]
        self._lineups: list[Lineup] = [
            lineup(*pair, spec.rules) for pair, spec in zip(sides, specs, strict=True)
        ]

    def play_round(self, first: int, size: int) -> FloatArray:
        """Play a stretch of boards or pairs of games in every duel.

        Returns
        -------
        float64 array of shape (duels, units, features)
            `spadesim.stats.ratings.features` of boards, `game_features` of pairs of games.

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C; nothing of the round then counts.
        """
        played = [self._play(match, first, size) for match in range(len(self.specs))]
        for match, (run, _) in enumerate(played):
            self._count(match, run)
        return np.stack([found for _, found in played])

    def play_one(self, match: int, first: int, size: int) -> FloatArray:
        """Play a stretch in one duel alone; shape (units, features); errors as `play_round`."""
        run, found = self._play(match, first, size)
        self._count(match, run)
        return found

    def _count(self, match: int, run: Run) -> None:
        total = self.tallies[match].copy()
        merge(total, run.tally)
        self.tallies[match] = total

    def _play(self, match: int, first: int, size: int) -> tuple[Run, FloatArray]:
        spec, watch = self.specs[match], Collector(size)
        is_boards = spec.kind == BOARDS
        run = run_duel(
            replace(
                spec,
                first=spec.first + first,
                boards=size if is_boards else None,
                games=None if is_boards else size * spec.n_rooms,
            ),
            self.sides[match],
            self._lineups[match],
            workers=self.workers,
            chunk=self.chunk,
            progress=self.counter.within,
            watch=watch,
        )
        if (
            run.is_partial or len(watch.outcomes) < size
        ):  # Ctrl-C may come between the last chunk and the watch
            raise KeyboardInterrupt
        self.counter.enter(run)
        measure = board_features if is_boards else game_features
        return run, measure(spec, watch.outcomes)


def board_features(spec: DuelSpec, outcomes: Any) -> FloatArray:
    """What ratings are made of, of each board; shape (boards, features)."""
    return features(unit_values(spec, outcomes))


def game_features(spec: DuelSpec, outcomes: Any) -> FloatArray:
    """A's score, the draws and the finished games of each pair or set of games; shape (units, 3)."""
    rooms = np.stack([outcomes["results"] >> 2 * room & 3 for room in range(spec.n_rooms)])
    finished = rooms != UNFINISHED
    score = np.where(finished, rooms, 0).sum(axis=0) / 2
    columns = [score, (rooms == DRAW_RESULT).sum(axis=0), finished.sum(axis=0)]
    return np.stack(columns, axis=-1).astype(np.float64)
