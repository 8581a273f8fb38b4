"""Counts of clustered hits, added up bit by bit, against all of them at once."""

import numpy as np
import pytest

from spadesim.stats import shares as module
from spadesim.stats.proportions import RatioSums, proportion
from spadesim.stats.shares import Shares

RANDOM = np.random.default_rng(3)
TRIALS = RANDOM.integers(0, 6, 50)
UNITS = np.repeat(np.arange(50), TRIALS)
VALUES = RANDOM.integers(-2, 3, len(UNITS))
HITS = RANDOM.random(len(UNITS)) < 0.6


def by_hand(value: int) -> RatioSums:
    num = np.array([((value == VALUES) & HITS & (unit == UNITS)).sum() for unit in range(50)])
    sums = (num.sum(), TRIALS.sum(), (num**2).sum(), (num * TRIALS).sum(), (TRIALS**2).sum())
    return RatioSums(50, *map(int, sums))


@pytest.mark.parametrize("most_cells", [1 << 22, 60])
@pytest.mark.parametrize("cuts", [[50], [20, 50], [1, 2, 30, 50]])
def test_any_division_gives_the_same(
    cuts: list[int], most_cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", most_cells)
    found, first = Shares(), 0
    for last in cuts:
        mine = HITS & (first <= UNITS) & (last > UNITS)
        found.add(TRIALS[first:last], UNITS[mine] - first, VALUES[mine])
        first = last
    assert (found.units, found.trials) == (50, TRIALS.sum())
    for value in range(-2, 3):
        assert found.counts()[value] == by_hand(value).num
        assert found.share(value) == proportion(by_hand(value))


def test_what_was_never_seen() -> None:
    found = Shares()
    assert found.share(1) is None
    found.add(np.array([4, 4]), np.array([], dtype=np.int64), np.array([], dtype=np.int64))
    never = found.share(1)
    assert never is not None
    assert never.mean == never.low == 0
    assert never.high > 0.5, "two units are two trials"
