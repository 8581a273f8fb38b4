"""Where the arms of a sweep meet the references: the same boards, or whole games on the same deals.

All duels of a stretch are played side by side, so that arms which differ only in their bids share the hands
of the boards that they bid alike.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.core.batch import BOARDS
from spadesim.core.tally import merge, new_tally
from spadesim.match.abreast import Seated, groups, run_abreast
from spadesim.match.crews import Workers
from spadesim.match.duel import is_same
from spadesim.match.matches import Counter, board_features, game_features
from spadesim.match.run import Run, merged
from spadesim.match.sides import SideStats, side_stats
from spadesim.match.spec import DuelSpec
from spadesim.stats.common import FloatArray
from spadesim.stats.moments import Moments
from spadesim.stats.ratings import VALUE
from spadesim.strategy import Side, lineup, load_side

BASELINE = 0
MOST_KEPT = 4096  # duels that are kept ready to go on
MOST_AT_ONCE = 1024  # of which it is looked at once who can go alike


@dataclass
class Tallies:
    """What arms came to against single references.

    Parameters
    ----------
    moments : dict of (int, int) to Moments
        By arm and reference: the arm's gain over the baseline, or the baseline's own value.
    """

    moments: dict[tuple[int, int], Moments] = field(default_factory=dict)

    def add(self, arm: int, ref: int, values: FloatArray) -> None:
        """Count the values of some units more."""
        self.moments[arm, ref] = self.moments.get((arm, ref), Moments()) + Moments.of(values)


class Field:
    """Plays arms against references, and tells what they gain over the baseline, unit by unit.

    Parameters
    ----------
    spec : DuelSpec
        How a duel is played here: its sides are put in, and its units go on from its first one.
    arms : sequence of str
        Texts of sides, the baseline first.
    refs : sequence of Side
    workers : Workers
    chunk : int or None
    counter : Counter

    Attributes
    ----------
    gains, values : Tallies
        By arm and reference: what it gained over the baseline, and what it came to itself.
    """

    def __init__(
        self,
        spec: DuelSpec,
        arms: Sequence[str],
        refs: Sequence[Side],
        workers: Workers,
        chunk: int | None,
        counter: Counter,
    ) -> None:
        self.spec, self.arms, self.refs = spec, arms, refs
        self.workers, self.chunk, self.counter = workers, chunk, counter
        self.gains, self.values = Tallies(), Tallies()
        self._entry = lru_cache(maxsize=MOST_KEPT)(self._begin)
        self._own = [is_same((load_side(arms[BASELINE]), ref)) for ref in refs]

    @property
    def rivals(self) -> int:
        """References that the baseline has to be played against to know what arms gain."""
        return self._own.count(False)

    def side(self, arm: int) -> SideStats | None:
        """How an arm plays against all references: bids, nils, bags, sets; None where it has not played."""
        total = new_tally()
        for ref in range(len(self.refs)):
            merge(total, self._entry(arm, ref).tally)
        if not total[0]["hands"]:
            return None
        return side_stats(total[0], 0, load_side(self.arms[arm]), self.spec.rules)

    def units(self, arm_units: int, baseline_units: int) -> int:
        """Units of all duels, when arms and baseline play so many; none of the baseline against itself."""
        return arm_units * len(self.refs) + baseline_units * self.rivals

    def play(self, arms: Sequence[int], first: int, size: int) -> FloatArray:
        """Each arm's gain over the baseline in each unit, the mean over all references.

        Parameters
        ----------
        arms : sequence of int
            The baseline only if it is to be seen how it plays where it is a reference itself.
        first : int, at least 0
            Number of the first unit.
        size : int, at least 1
            How many units.

        Returns
        -------
        float64 array of shape (arms, size)

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C; nothing of this stretch then counts.
        """
        pairs = [(arm, ref) for ref in range(len(self.refs)) for arm in self._needed(arms, ref)]
        values: dict[tuple[int, int], FloatArray] = {}
        played: deque[tuple[Entry, Run]] = deque(maxlen=MOST_KEPT)  # others are forgotten anyway
        for begin in range(0, len(pairs), MOST_AT_ONCE):
            entries = [self._entry(*pair) for pair in pairs[begin : begin + MOST_AT_ONCE]]
            for entry, run, found in self._played(entries, first, size):
                values[entry.pair] = found
                played.append((entry, run))
        for entry, run in played:  # now that all of the stretch is there
            entry.tally[:] = merged(entry.tally, run.tally)
        gains = np.zeros((len(arms), size))
        for ref in range(len(self.refs)):
            usual = np.zeros(size) if self._own[ref] else values[BASELINE, ref]
            self.values.add(BASELINE, ref, usual)
            for place, arm in enumerate(arms):
                if arm != BASELINE:
                    own = values[arm, ref]
                    self.values.add(arm, ref, own)
                    self.gains.add(arm, ref, own - usual)
                    gains[place] += own - usual
        return gains / len(self.refs)

    def _needed(self, arms: Sequence[int], ref: int) -> list[int]:
        """Who plays against a reference: the baseline first, unless nothing is to be learned of it."""
        rest = [arm for arm in arms if arm != BASELINE]
        return rest if self._own[ref] and BASELINE not in arms else [BASELINE, *rest]

    def _played(
        self, entries: Sequence["Entry"], first: int, size: int
    ) -> Iterator[tuple["Entry", Run, FloatArray]]:
        """Each duel with what it came to on a stretch, those side by side that can go alike."""
        duels = [entry.seated.at(first, size) for entry in entries]
        for group in groups(duels):
            found = run_abreast(
                [duels[k] for k in group],
                workers=self.workers,
                chunk=self.chunk,
                progress=self.counter.within,
            )
            for k, (run, outcomes) in zip(group, found, strict=True):
                self.counter.enter(run)
                yield entries[k], run, value_of(duels[k].spec, outcomes)

    def _begin(self, arm: int, ref: int) -> "Entry":
        spec = replace(self.spec, a=self.arms[arm], b=str(self.refs[ref]))
        sides = (load_side(self.arms[arm]), self.refs[ref])
        return Entry((arm, ref), Seated(spec, sides, lineup(*sides, spec.rules)), new_tally())


class Entry(NamedTuple):
    """An arm against a reference, and the tally of what they have played."""

    pair: tuple[int, int]
    seated: Seated
    tally: npt.NDArray[np.void]


def value_of(spec: DuelSpec, outcomes: npt.NDArray[np.void]) -> FloatArray:
    """What each board or pair of games came to for A; shape (units,)."""
    if spec.kind == BOARDS:
        values: FloatArray = board_features(spec, outcomes)[:, VALUE]
        return values
    score, _, finished = game_features(spec, outcomes).T
    share: FloatArray = np.where(finished > 0, score / np.maximum(finished, 1) - 0.5, 0.0)
    return share
