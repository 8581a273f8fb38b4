"""What a parameter costs where it is wrong: how far behind trials stayed in the worst part of its range."""

from collections.abc import Mapping, Sequence

from spadesim.tuning.dimensions import Dimension
from spadesim.tuning.trials import Trial

LEAST_TRIALS = 10
PARTS = 4  # of a range of numbers


def costs(dimensions: Sequence[Dimension], trials: Sequence[Trial]) -> dict[str, float]:
    """By how much the best trial is ahead of the best one in the worst part of each parameter's range.

    A choice has a part for each of its words, and so has a whole number of up to four values; other ranges
    are cut into quarters. A part in which nothing was tried does not count. Trials that were given up count
    with the value that they would have had by the boards that they played.

    Parameters
    ----------
    dimensions : sequence of Dimension
    trials : sequence of Trial

    Returns
    -------
    dict of str to float
        By parameter, not below 0, in the unit of gains; nothing after fewer than ten trials, and no
        parameter of which one part alone was tried.
    """
    if len(trials) < LEAST_TRIALS:
        return {}
    best = {one.name: _best_by_part(one, trials) for one in dimensions}
    return {name: max(each.values()) - min(each.values()) for name, each in best.items() if len(each) > 1}


def _best_by_part(one: Dimension, trials: Sequence[Trial]) -> Mapping[int, float]:
    """The best value in each part of a range in which something was tried."""
    found: dict[int, float] = {}
    for trial in trials:
        part = _part(one, one.code(trial.settings[one.name]))
        found[part] = max(found.get(part, trial.value), trial.value)
    return found


def _part(one: Dimension, value: float) -> int:
    if one.choices or (one.size is not None and one.size <= PARTS):
        return round(value - one.low)
    return min(int(PARTS * (value - one.low) / (one.high - one.low)), PARTS - 1)
