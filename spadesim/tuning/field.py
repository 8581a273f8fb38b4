"""Where the arms of a sweep meet the references: the same boards, or whole games on the same deals."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from spadesim.core.batch import BOARDS
from spadesim.core.tally import merge, new_tally
from spadesim.match.crews import Workers
from spadesim.match.duel import is_same
from spadesim.match.matches import Counter, Matches, stretches
from spadesim.match.sides import SideStats, side_stats
from spadesim.match.spec import DuelSpec
from spadesim.stats.common import FloatArray
from spadesim.stats.moments import Moments
from spadesim.stats.ratings import VALUE
from spadesim.strategy import Side, load_side

BASELINE = 0
MOST_KEPT = 4096  # duels that are kept ready to go on


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
        self._duel = lru_cache(maxsize=MOST_KEPT)(self._begin)
        self._own = [is_same((load_side(arms[BASELINE]), ref)) for ref in refs]

    @property
    def rivals(self) -> int:
        """References that the baseline has to be played against too."""
        return self._own.count(False)

    def play_baseline(self, first: int, size: int) -> None:
        """Let the baseline play against itself where it is a reference, so that it can be seen how it plays.

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C.
        """
        for ref, is_own in enumerate(self._own):
            if is_own:
                for begin, some in stretches(first, size):
                    self._duel(BASELINE, ref).play_one(0, begin, some)

    def side(self, arm: int) -> SideStats | None:
        """How an arm plays against all references: bids, nils, bags, sets; None where it has not played."""
        total = new_tally()
        for ref in range(len(self.refs)):
            merge(total, self._duel(arm, ref).tallies[0])
        if not total[0]["hands"]:
            return None
        return side_stats(total[0], 0, load_side(self.arms[arm]), self.spec.rules)

    def units(self, arm_units: int, baseline_units: int) -> int:
        """Units that are played in all, when arms and baseline play so many against each reference."""
        return arm_units * len(self.refs) + baseline_units * self.rivals

    def play(self, arms: Sequence[int], first: int, size: int) -> FloatArray:
        """Each arm's gain over the baseline in each unit, the mean over all references.

        Returns
        -------
        float64 array of shape (arms, size)

        Raises
        ------
        KeyboardInterrupt
            Ctrl-C; nothing of this stretch then counts.
        """
        gains = np.zeros((len(arms), size))
        heard: list[tuple[Tallies, int, int, FloatArray]] = []
        for ref in range(len(self.refs)):
            usual = np.zeros(size) if self._own[ref] else self._played(BASELINE, ref, first, size)
            heard.append((self.values, BASELINE, ref, usual))
            for place, arm in enumerate(arms):
                own = self._played(arm, ref, first, size)
                heard += [(self.values, arm, ref, own), (self.gains, arm, ref, own - usual)]
                gains[place] += own - usual
        for tallies, arm, ref, values in heard:
            tallies.add(arm, ref, values)
        return gains / len(self.refs)

    def _played(self, arm: int, ref: int, first: int, size: int) -> FloatArray:
        found = self._duel(arm, ref).play_one(0, first, size)
        if self.spec.kind == BOARDS:
            values: FloatArray = found[:, VALUE]
            return values
        score, _, finished = found.T
        share: FloatArray = np.where(finished > 0, score / np.maximum(finished, 1) - 0.5, 0.0)
        return share

    def _begin(self, arm: int, ref: int) -> Matches:
        duel = replace(self.spec, a=self.arms[arm], b=str(self.refs[ref]))
        sides = (load_side(self.arms[arm]), self.refs[ref])
        return Matches([duel], [sides], self.workers, self.chunk, self.counter)
