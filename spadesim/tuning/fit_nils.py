"""The chance of a nil, by logistic regression, and the chance that it needs, by what nils gain."""

from collections.abc import Sequence

import numpy as np

from spadesim.tuning.fit_tricks import Ask, Floats, Ints, Steps, moved

THOUSAND = 1000.0
ROUNDS = 30
SHRINK = 1e-3  # of the curvature, added to it: parameters that data tell nothing of stay
HALVINGS = 6
WIDEST = 8  # a search begins with steps of this part of a range
SURE = 2.0  # standard errors by which a step must gain
BARELY = 1e-12
Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]


def chances(log_odds: Floats | Ints) -> Floats:
    """Chances from log-odds in thousandths.

    >>> chances(np.array([0, 1000])).round(3).tolist()
    [0.5, 0.731]
    """
    found: Floats = 1 / (1 + np.exp(-np.clip(np.asarray(log_odds) / THOUSAND, -30, 30)))
    return found


def log_loss(chance: Floats, made: Bools) -> float:
    """The mean negative logarithm of the chance that was given to what happened."""
    return float(np.mean(_losses(chance, made)))


def _losses(chance: Floats, made: Bools) -> Floats:
    sure = np.clip(chance, BARELY, 1 - BARELY)
    losses: Floats = -np.log(np.where(made, sure, 1 - sure))
    return losses


def brier(chance: Floats, made: Bools) -> float:
    """The mean square of what was missing to certainty."""
    return float(np.mean((chance - made) ** 2))


def widened(steps: Sequence[Steps]) -> list[Steps]:
    """The same parameters with steps of a hundredth of their ranges, where whole numbers allow it."""
    return [
        Steps(
            step.place,
            step.low,
            step.high,
            step.size * max(1.0, np.rint((step.high - step.low) / step.size / 100)),
        )
        for step in steps
    ]


def deciding(ask: Ask, values: Floats, steps: Sequence[Steps]) -> list[Steps]:
    """The parameters that decide between a nil and another bid, and change no other bid.

    Parameters
    ----------
    ask : function
        The bid of every decision, for rows of parameters.
    values : float64 array
    steps : sequence of Steps
    """
    if not steps:
        return []
    rows = np.stack([values, *(moved(values, wide, by) for wide in widened(steps) for by in (1, -1))])
    said = ask(rows)
    base, found = said[0], []
    for k, step in enumerate(steps):
        both = said[1 + 2 * k : 3 + 2 * k]
        is_nil = both == 0
        is_other = (both != base) & ~is_nil & (base != 0)
        if (is_nil != (base == 0)).any() and not is_other.any():
            found.append(step)
    return found


def fit_chance(
    ask: Ask, made: Bools, values: Floats, steps: Sequence[Steps], is_whole: Sequence[bool]
) -> Floats:
    """The values with which log-odds fit best, by Fisher's scoring with slopes that are observed.

    Those that were given come back where the best are no better for sure.

    Parameters
    ----------
    ask : function
        The log-odds of every nil in thousandths, for rows of parameters.
    made : array of bool
    values : float64 array
        The parameters to begin with.
    steps : sequence of Steps
        Which of them may move.
    is_whole : sequence of bool
        Which of these are whole numbers.
    """
    given = values
    loss = log_loss(chances(ask(values[None])[0]), made)
    for _ in range(ROUNDS):
        said = chances(ask(values[None])[0])
        slopes = _slopes(ask, values, steps)
        weight = said * (1 - said)
        curvature = (slopes * weight) @ slopes.T
        ridge = np.diag(np.diag(curvature)) * SHRINK + np.eye(len(steps)) * BARELY
        move = np.linalg.solve(curvature + ridge, slopes @ (made - said))
        for halving in range(HALVINGS):
            row = _moved_by(values, steps, move / 2**halving, is_whole)
            fresh = log_loss(chances(ask(row[None])[0]), made)
            if fresh < loss - 1e-9:
                values, loss = row, fresh
                break
        else:
            break
    before, after = (_losses(chances(said), made) for said in ask(np.stack([given, values])))
    return values if _is_sure(before - after) else given


def _slopes(ask: Ask, values: Floats, steps: Sequence[Steps]) -> Floats:
    """What a step of each parameter does to the log-odds; shape (parameters, nils)."""
    rows = np.stack([moved(values, step, by) for step in steps for by in (1, -1)])
    said = ask(rows) / THOUSAND
    place = [step.place for step in steps]
    width = (rows[0::2, place] - rows[1::2, place]).diagonal()
    size = np.array([step.size for step in steps])
    slopes: Floats = (said[0::2] - said[1::2]) * (size / np.where(width > 0, width, 1))[:, None]
    return slopes


def _moved_by(values: Floats, steps: Sequence[Steps], by: Floats, is_whole: Sequence[bool]) -> Floats:
    row = values.copy()
    for step, move, whole in zip(steps, by, is_whole, strict=True):
        at = row[step.place] + move * step.size
        row[step.place] = min(max(np.rint(at) if whole else at, step.low), step.high)
    return row


def fit_price(ask: Ask, gains: Floats, values: Floats, steps: Sequence[Steps]) -> Floats:
    """The values whose nils gain most: one parameter after the other, by ever smaller steps.

    A step is taken where the nils that it adds, or takes away, gain for sure.

    Parameters
    ----------
    ask : function
        The bid of every decision, for rows of parameters.
    gains : array of float
        What a nil gains there over the bid that would be made instead.
    values : float64 array
    steps : sequence of Steps
        Which parameters may move.
    """
    if not steps:
        return values
    width = [max(step.size, (step.high - step.low) / WIDEST) for step in steps]
    worth = _worth_of(ask(values[None])[0], gains)
    while True:
        rows = np.stack([
            moved(values, Steps(step.place, step.low, step.high, _rounded(wide, step.size)), by)
            for step, wide in zip(steps, width, strict=True)
            for by in (1, -1)
        ])  # fmt: skip
        found = [_worth_of(said, gains) for said in ask(rows)]
        best = int(np.argmax([each.sum() for each in found]))
        if _is_sure(found[best] - worth):
            values, worth = rows[best], found[best]
        elif all(wide <= step.size for step, wide in zip(steps, width, strict=True)):
            return values
        else:
            width = [max(step.size, wide / 2) for step, wide in zip(steps, width, strict=True)]


def _rounded(width: float, size: float) -> float:
    return max(size, round(width / size) * size)


def _worth_of(bids: Ints, gains: Floats) -> Floats:
    """What each decision is worth: the gain of a nil where one is bid."""
    worth: Floats = np.where(bids == 0, gains, 0.0)
    return worth


def _is_sure(gain: Floats) -> bool:
    mean, error = float(gain.mean()), float(gain.std()) / len(gain) ** 0.5
    return mean > 0 and mean > SURE * error
