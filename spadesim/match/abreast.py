"""Duels side by side on the same boards: a hand that can only go alike in several of them is played once."""

import contextlib
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import BOARDS, OUTCOME, Lineup
from spadesim.core.play import NO_FAULT
from spadesim.core.tally import new_tally
from spadesim.match.crews import Workers, crew_of
from spadesim.match.executors import Parcel
from spadesim.match.run import Chunk, Pace, Played, Progress, Run, check_played, merged, play_together
from spadesim.match.spec import DuelSpec
from spadesim.strategy import Side

MOST_ABREAST = 64  # duels that are played side by side


class Seated(NamedTuple):
    """A duel whose bots have taken their seats: `lineup` is its sides as the engine takes them."""

    spec: DuelSpec
    sides: tuple[Side, Side]
    lineup: Lineup

    def at(self, first: int, size: int) -> "Seated":
        """The same duel on a stretch of its units."""
        is_boards = self.spec.kind == BOARDS
        spec = replace(
            self.spec,
            first=self.spec.first + first,
            boards=size if is_boards else None,
            games=None if is_boards else size * self.spec.n_rooms,
        )
        return self._replace(spec=spec)


class Abreast(NamedTuple):
    """What a duel came to beside others: its run, and the OUTCOME records of all units."""

    run: Run
    outcomes: npt.NDArray[np.void]


def groups(duels: Sequence[Seated]) -> list[list[int]]:
    """Which duels, by number, can go alike on some boards; those that cannot are alone.

    Parameters
    ----------
    duels : sequence of Seated
        The same units of each.
    """
    found: dict[object, list[list[int]]] = {}
    for number, (spec, _, lineup) in enumerate(duels):
        is_shared = spec.kind == BOARDS and spec.skips and lineup.after_bids is not None
        mates = found.setdefault(lineup.after_bids if is_shared else number, [[]])
        if len(mates[-1]) == MOST_ABREAST:
            mates.append([])
        mates[-1].append(number)
    return [group for mates in found.values() for group in mates]


def run_abreast(
    duels: Sequence[Seated], *, workers: Workers, chunk: int | None = None, progress: Progress | None = None
) -> list[Abreast]:
    """What each of some duels comes to, the same as alone, for any `workers` and `chunk`.

    Parameters
    ----------
    duels : sequence of Seated
        The same but for their sides.
    workers, chunk
        As for `spadesim.match.run.run_duel`.
    progress : function, optional
        Told of the units of all duels together, and of hands played out.

    Raises
    ------
    UserError
        A bot broke the contract or raised: which, where, and how to see it again.
    KeyboardInterrupt
        Ctrl-C.
    """
    crew, spec = crew_of(workers), duels[0].spec
    pace = Pace(spec, crew, chunk)
    pace.kind += f" and {len(duels)} abreast"
    totals = [new_tally() for _ in duels]
    outcomes: list[list[npt.NDArray[np.void]]] = [[] for _ in duels]
    spared, begun = [0] * len(duels), time.perf_counter()
    with contextlib.closing(crew.in_order(AbreastWork(duels), pace.chunks())) as results:
        for part, played in results:
            pace.heard(part.size, sum(one.seconds for one in played))
            for k, (duel, one) in enumerate(zip(duels, played, strict=True)):
                check_played(*duel, part, one)
                totals[k] = merged(totals[k], one.tally)
                outcomes[k].append(one.outcomes)
                spared[k] += one.spared
            if progress is not None:
                hands = sum(int(total[0]["hands"]) for total in totals) - sum(spared)
                progress(sum(int(total[0]["units"]) for total in totals), spec.units * len(duels), hands)
    seconds = (time.perf_counter() - begun) / len(duels)
    return [
        Abreast(Run(total, seconds, False, spared=n), np.concatenate([np.zeros(0, dtype=OUTCOME), *found]))
        for total, n, found in zip(totals, spared, outcomes, strict=True)
    ]


class AbreastWork:
    """The chunks of duels that are played side by side.

    Parameters
    ----------
    duels : sequence of Seated
    """

    def __init__(self, duels: Sequence[Seated]) -> None:
        self.duels = duels
        self._errands: tuple[bytes, ...] = ()

    def __call__(self, part: Chunk) -> list[Played]:
        """What each duel came to on a chunk."""
        return play_abreast([(spec, lineup) for spec, _, lineup in self.duels], part)

    def parcel(self, part: Chunk) -> Parcel:
        """What plays it elsewhere."""
        from spadesim.match import travel  # with what reads and writes runs, which a sweep here does without

        self._errands = self._errands or tuple(travel.pack(*duel) for duel in self.duels)
        return Parcel(travel.play_abreast_there, (travel.build(), self._errands, part))

    def named(self, part: Chunk) -> str:
        """What a chunk is called in messages."""
        what = "boards" if self.duels[0].spec.boards is not None else "games of numbers"
        return f"{what} {part.first} to {part.first + part.size - 1}"


def play_abreast(duels: Sequence[tuple[DuelSpec, Lineup]], part: Chunk) -> list[Played]:
    """What each of some duels came to on a chunk; where a bot goes wrong, as for each of them alone."""
    found = play_together(duels[0][0], [lineup for _, lineup in duels], part, is_watched=True)
    if len(duels) == 1 or not any(one.error or one.fault["code"] != NO_FAULT for one in found):
        return found
    return [play_together(spec, [lineup], part, is_watched=True)[0] for spec, lineup in duels]
