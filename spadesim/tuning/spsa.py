"""SPSA: many small effects at once, by stepping along random directions.

Simultaneous perturbation stochastic approximation (J. C. Spall, "Multivariate stochastic approximation
using a simultaneous perturbation gradient approximation", IEEE Transactions on Automatic Control 37, 1992),
with the gains of J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", IEEE Transactions on Aerospace and Electronic Systems 34, 1998, written as testers of chess
engines do: by the perturbation and the step that are wanted at the end. Each step plays two settings on both
sides of where it stands, on boards that no step before had, and goes towards the better one, however many
parameters there are.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from spadesim.stats.common import FloatArray
from spadesim.stats.moments import Moments
from spadesim.tuning.dimensions import Dimension, settings_of
from spadesim.tuning.study import STEPS, StudyFolder

ALPHA, GAMMA = 0.602, 0.101  # how fast steps and perturbations get smaller (Spall 1998)
STABILITY = 0.1  # A: this part of all steps, by which the first ones are held back
C_END = 0.05  # the last perturbation, as part of a parameter's range
R_END = 0.1  # the last step's size for a result of 1, as part of the last perturbation
WHOLE = 0.5  # the least perturbation of a whole number, or both sides would round alike
MOST = 3.0  # standard errors, beyond which a result says no more
AVERAGED = 0.2  # of the steps, the last ones, whose mean is the answer
MOST_STEPS, LEAST_STEPS, BOARDS = 400, 40, 500  # at most and at least, and boards in the shortest step


@dataclass(frozen=True)
class Step:
    """One step.

    Parameters
    ----------
    number : int
        From 0 on.
    point : list of float
        Where it led: a value for each parameter.
    mean : float
        What the settings on the one side gained a board over those on the other.
    result : float
        The same in standard errors, no more than `MOST`.
    boards : int
        Boards of all matches.
    """

    number: int
    point: list[float]
    mean: float
    result: float
    boards: int


@dataclass(frozen=True)
class Plan:
    """How long steps are, and how many.

    Parameters
    ----------
    steps : int
    boards : int
        Boards of a step.

    Examples
    --------
    >>> plan_for(600_000, 1), plan_for(6000, 1)
    (Plan(steps=400, boards=1500), Plan(steps=40, boards=150))
    """

    steps: int
    boards: int

    def sizes(self, number: int, last: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The perturbation, and the step for a result of 1, of each parameter at a step.

        Parameters
        ----------
        number : int
        last : float64 array
            The last perturbations.
        """
        n, held, k = self.steps, STABILITY * self.steps, number + 1
        perturbation = last * (n / k) ** GAMMA
        a = R_END * last**2 * (held + n) ** ALPHA
        step: FloatArray = a / (held + k) ** ALPHA / perturbation
        return perturbation, step


def plan_for(search: int, matches: int) -> Plan:
    """A plan for so many boards, of which each step plays one or two matches."""
    steps = max(LEAST_STEPS, min(MOST_STEPS, search // (BOARDS * matches)))
    return Plan(steps, search // (steps * matches))


Play = Callable[[dict[str, str], dict[str, str], int, int], tuple[Moments, int]]
"""Plays settings against others, from a board on: what the first gained, and boards of all matches."""


def climb(
    dimensions: Sequence[Dimension],
    plan: Plan,
    seed: int,
    steps: list[Step],
    play: Play,
    folder: StudyFolder | None = None,
) -> None:
    """Take all steps that are still to be taken.

    Parameters
    ----------
    dimensions : sequence of Dimension
    plan : Plan
    seed : int
    steps : list of Step
        Gets them, those that the folder holds first.
    play : function
    folder : StudyFolder, optional
        Keeps them.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C; the step that was being played then leaves no trace.
    """
    if folder is not None:
        with folder.reading(STEPS):
            steps += [_recalled(step, number, dimensions) for number, step in enumerate(folder.steps())]
    while len(steps) < plan.steps:
        number = len(steps)
        point = np.array(steps[-1].point if steps else [one.start for one in dimensions])
        step = _step(dimensions, plan, np.random.default_rng((seed, number)), point, number, play)
        steps.append(step)
        if folder is not None:
            folder.log(asdict(step))


def _recalled(step: Mapping[str, Any], number: int, dimensions: Sequence[Dimension]) -> Step:
    """A step that was logged; an error of any kind where it is not the one of this number."""
    found = Step(**step)
    assert found.number == number
    for one, value in zip(dimensions, found.point, strict=True):
        assert one.low <= value <= one.high
    return found


def _step(
    dimensions: Sequence[Dimension],
    plan: Plan,
    rng: np.random.Generator,
    point: FloatArray,
    number: int,
    play: Play,
) -> Step:
    low, high = (np.array([getattr(one, end) for one in dimensions]) for end in ("low", "high"))
    whole = np.array([one.is_whole for one in dimensions])
    last = np.where(whole, np.maximum(C_END * (high - low), WHOLE), C_END * (high - low))
    perturbation, size = plan.sizes(number, last)
    flips = rng.choice([-1.0, 1.0], len(dimensions))
    rounding = rng.random(len(dimensions))
    sides = []
    for sign in (1.0, -1.0):
        values = np.clip(point + sign * perturbation * flips, low, high)
        values = np.where(whole, np.floor(values + rounding), values)  # up as often as it lies above
        sides.append(settings_of(dimensions, np.clip(values, low, high).tolist()))
    found, boards = play(sides[0], sides[1], number * plan.boards, plan.boards)
    error = (found.variance / found.n) ** 0.5
    result = float(np.clip(found.mean / error, -MOST, MOST)) if error else 0.0
    moved = np.clip(point + size * flips * result, low, high)
    return Step(number, moved.tolist(), found.mean, result, boards)


def answer(dimensions: Sequence[Dimension], steps: Sequence[Step]) -> dict[str, str]:
    """The settings that the last steps stand around, their mean.

    Raises
    ------
    ValueError
        There are no steps.
    """
    if not steps:
        raise ValueError("no steps")
    last: Any = np.array([step.point for step in steps[-max(1, round(AVERAGED * len(steps))) :]])
    return settings_of(dimensions, last.mean(axis=0).tolist())
