"""The trials of a search: what each candidate came to, and which are given up before their end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from spadesim.tuning.dimensions import Key, key_of

LEVEL = 0.01  # the chance at one look that a candidate as good as the best is given up
FIRST_LOOK = 4  # blocks


@dataclass(frozen=True)
class Trial:
    """One candidate.

    Parameters
    ----------
    number : int
        From 0 on, which is the strategy as it is given.
    settings : dict of str to str
    blocks : tuple of float
        The mean gain of each block of boards that was played, beside the strategy as it is given.
    value : float
        The mean gain over all blocks; of a candidate that was given up what it would have been by its
        distance to the best on the blocks that both played.
    pruned : bool
        Whether it was given up.
    boards : int
        That were played for it, in all matches; 0 where the same settings had been tried before.
    """

    number: int
    settings: dict[str, str]
    blocks: tuple[float, ...]
    value: float
    pruned: bool
    boards: int


def is_hopeless(blocks: Sequence[float], best: Sequence[float]) -> bool:
    """Whether a candidate is so clearly behind the best on common blocks that it may be given up.

    The one-sided paired t test at `LEVEL`, at every block from the fourth on. As it is asked again and again,
    a candidate as good as the best is given up in some 5 of 100 cases, which costs a candidate and proves
    nothing.

    Examples
    --------
    >>> is_hopeless([-0.03, -0.02, -0.02, -0.03], [0.0, 0.01, 0.0, 0.0])
    True
    >>> is_hopeless([0.01, -0.02, 0.02, -0.01], [0.0, 0.0, 0.0, 0.0])
    False
    """
    n = len(blocks)
    if n < FIRST_LOOK:
        return False
    from scipy.special import stdtrit

    apart = np.asarray(blocks) - np.asarray(best[:n])
    error = float(apart.std(ddof=1)) / n**0.5
    return bool(apart.mean() < stdtrit(n - 1, LEVEL) * error)


class History:
    """The trials so far, and the best of them.

    Parameters
    ----------
    n_blocks : int
        Of a whole trial.

    Attributes
    ----------
    trials : list of Trial
    """

    def __init__(self, n_blocks: int) -> None:
        self.n_blocks = n_blocks
        self.trials: list[Trial] = []
        self._seen: dict[Key, Trial] = {}
        self.best: Trial | None = None

    def add(self, trial: Trial) -> None:
        """Count a trial that is done."""
        self.trials.append(trial)
        self._seen.setdefault(key_of(trial.settings), trial)
        if not trial.pruned and (self.best is None or trial.value > self.best.value):
            self.best = trial

    @property
    def boards(self) -> int:
        """Boards of all trials."""
        return sum(trial.boards for trial in self.trials)

    @property
    def distinct(self) -> int:
        """How many different settings were tried."""
        return len(self._seen)

    @property
    def repeats(self) -> int:
        """How many of the last trials in a row had settings that had been tried before."""
        n = 0
        for trial in reversed(self.trials):
            if trial.boards or trial.number == 0:
                break
            n += 1
        return n

    def ranked(self) -> list[Trial]:
        """The different settings that were tried to the end, the best first."""
        whole = [one for one in self._seen.values() if not one.pruned]
        return sorted(whole, key=lambda one: (-one.value, one.number))

    def run(self, settings: dict[str, str], play: Callable[[int], float], cost: Callable[[], int]) -> Trial:
        """Try settings block by block, until the end or until they are hopeless; the trial is not yet added.

        Parameters
        ----------
        settings : dict of str to str
        play : function of int
            Plays a block, by its number, and returns the mean gain.
        cost : function
            Boards played so far.
        """
        number, before = len(self.trials), cost()
        if known := self._seen.get(key_of(settings)):
            return Trial(number, settings, known.blocks, known.value, known.pruned, 0)
        blocks: list[float] = []
        best = self.best.blocks if self.best else None
        while len(blocks) < self.n_blocks:
            blocks.append(play(len(blocks)))
            if best is not None and len(blocks) < self.n_blocks and is_hopeless(blocks, best):
                apart = float(np.mean(np.asarray(blocks) - np.asarray(best[: len(blocks)])))
                value = float(np.mean(best)) + apart
                return Trial(number, settings, tuple(blocks), value, True, cost() - before)
        return Trial(number, settings, tuple(blocks), float(np.mean(blocks)), False, cost() - before)
