"""Weights of an estimate of tricks: whole numbers of least squares, found by asking the bot itself.

A bot's estimate may be any function of its parameters. How it moves when one of them goes up or down a step
is observed, which makes a linear model; its best whole numbers are tried on the bot, and what it then says
decides. The level of the estimate is left free: how far below its tricks a bot should bid is a matter of what
bags and failed contracts cost, which no trick tells.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spadesim.strategy import Parameters

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Ask = Callable[[Floats], Ints]  # of rows of parameters: what is said at every decision, a row each

QUARTER = 0.25
MOST_ROUNDS = 60
SURE = 3.0  # standard errors by which a step must make the residuals smaller
ALIKE = 0.5  # of the hands that a weight moves, at least so many move with a step up and with one down


@dataclass(frozen=True)
class Steps:
    """What a step of a parameter does: the place in `p`, and by how much it is worth trying to move it."""

    place: int
    low: float
    high: float
    size: float = 1.0


def candidates(table: Parameters, names: Sequence[str] = ()) -> list[Steps]:
    """The numbers of a bot that its bid reads, or those of some names, with their ranges."""
    found = []
    for place, entry in enumerate(table):
        is_asked = entry.name in names if names else entry.used_by in ("bid", "both")
        if is_asked and not entry.choices:
            assert entry.low is not None
            assert entry.high is not None
            size = 1.0 if entry.is_whole else (entry.high - entry.low) / 100
            found.append(Steps(place, float(entry.low), float(entry.high), size))
    return found


def moved(values: Floats, step: Steps, by: float) -> Floats:
    """The same values with one of them moved by so many steps, as far as its range goes."""
    row = values.copy()
    row[step.place] = min(max(row[step.place] + by * step.size, step.low), step.high)
    return row


def sort_out(ask: Ask, values: Floats, steps: Sequence[Steps]) -> tuple[list[Steps], list[Steps]]:
    """Which parameters are weights of an estimate, and which move all of it alike.

    A weight moves the same hands up as down: what counts cards, or names a rank, moves others.

    Returns
    -------
    tuple of 2 list of Steps
        The weights, and the levels.
    """
    weights, levels = [], []
    for step, up, down in _ways(ask, values, steps):
        both = (up != 0) & (down != 0)
        either = (up != 0) | (down != 0)
        if either.all() and np.ptp(up) == 0 and np.ptp(down) == 0:
            levels.append(step)
        elif either.any() and both.sum() >= ALIKE * either.sum():
            weights.append(step)
    return weights, levels


def _ways(ask: Ask, values: Floats, steps: Sequence[Steps]) -> Iterator[tuple[Steps, Ints, Ints]]:
    """What a step up and a step down of each parameter do to every hand; alike where one does nothing."""
    rows = np.stack([values, *(moved(values, step, by) for step in steps for by in (1, -1))])
    said = ask(rows)
    for k, step in enumerate(steps):
        up, down = said[1 + 2 * k] - said[0], said[2 + 2 * k] - said[0]
        is_end = [not way.any() for way in (up, down)]  # of its range, or of what it does
        yield step, down if is_end[0] else up, up if is_end[1] else down


def fit_weights(ask: Ask, tricks: Floats, values: Floats, weights: Sequence[Steps]) -> Floats:
    """The values with which the estimate follows the tricks most closely, its level left free.

    Parameters
    ----------
    ask : function
        The estimate in quarter tricks of every hand, for rows of parameters.
    tricks : array of float
        Of every hand.
    values : float64 array
        The parameters to begin with.
    weights : sequence of Steps
        Which of them may move.
    """
    residuals = _residuals(ask, tricks, values)
    for _ in range(MOST_ROUNDS):
        slopes = _slopes(ask, values, weights)
        for row in (_best_whole(slopes, residuals, values, weights), None):
            found = _best_step(ask, tricks, values, weights, residuals) if row is None else row
            fresh = _residuals(ask, tricks, found)
            if _is_smaller(fresh, residuals):
                values, residuals = found, fresh
                break
        else:
            return values
    return values


def that_move(ask: Ask, values: Floats, steps: Sequence[Steps]) -> list[Steps]:
    """The parameters that change an answer anywhere, up or down."""
    return [step for step, up, down in _ways(ask, values, steps) if up.any() or down.any()] if steps else []


def explained(estimate: Ints, tricks: Floats) -> float:
    """The share of the variance of tricks that an estimate explains, its level left free."""
    spread = float(np.var(tricks))
    return 1 - float(np.var(tricks - QUARTER * estimate)) / spread if spread else 0.0


def _residuals(ask: Ask, tricks: Floats, values: Floats) -> Floats:
    left = tricks - QUARTER * ask(values[None])[0]
    centred: Floats = left - left.mean()
    return centred


def _is_smaller(fresh: Floats, old: Floats) -> bool:
    """Whether squared residuals are smaller for sure: what moves no hand, or only by luck, is left alone."""
    gain = old**2 - fresh**2
    error = gain.std() / np.sqrt(len(gain))
    return bool(gain.mean() > SURE * error and gain.mean() > 0)


def _slopes(ask: Ask, values: Floats, weights: Sequence[Steps]) -> Floats:
    """What a step of each weight does to the estimate in tricks, centred; shape (weights, hands)."""
    ways = [1 if values[step.place] < step.high else -1 for step in weights]
    rows = np.stack([moved(values, step, way) for step, way in zip(weights, ways, strict=True)])
    base = ask(values[None])[0]
    found = QUARTER * (ask(rows) - base) * np.array(ways)[:, None]
    centred: Floats = found - found.mean(axis=1, keepdims=True)
    return centred


def _best_whole(slopes: Floats, residuals: Floats, values: Floats, weights: Sequence[Steps]) -> Floats:
    """The best whole steps of the linear model, one weight at a time until none wants to move."""
    n = len(residuals)
    squares, pull = slopes @ slopes.T / n, slopes @ residuals / n
    low = np.array([(step.low - values[step.place]) / step.size for step in weights])
    high = np.array([(step.high - values[step.place]) / step.size for step in weights])
    at = np.zeros(len(weights))
    for _ in range(MOST_ROUNDS):
        before = at.copy()
        for k in np.flatnonzero(np.diag(squares) > 0):
            rest = pull[k] - squares[k] @ at + squares[k, k] * at[k]
            at[k] = np.clip(np.rint(rest / squares[k, k]), np.ceil(low[k]), np.floor(high[k]))
        if np.array_equal(at, before):
            break
    row = values.copy()
    for step, by in zip(weights, at, strict=True):
        row[step.place] += by * step.size
    return row


def _best_step(
    ask: Ask, tricks: Floats, values: Floats, weights: Sequence[Steps], residuals: Floats
) -> Floats:
    """The best single step of any weight, as the bot itself has it."""
    rows = [moved(values, step, by) for step in weights for by in (1, -1)]
    spread = [float(np.var(tricks - QUARTER * said)) for said in ask(np.stack(rows))]
    return rows[int(np.argmin(spread))]
