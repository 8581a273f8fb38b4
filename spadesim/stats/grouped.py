"""The law of a sequential test that looks at whole batches only, exactly, by integration from look to look.

The log-likelihood ratio moves by a normal step between two looks, and the test ends at the first look at
which it is at a bound or beyond (P. Armitage, C. McPherson and B. Rowe, "Repeated significance tests on
accumulating data", Journal of the Royal Statistical Society A 132, 1969).
"""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from spadesim.stats.elo import normal_cdf

FloatArray = npt.NDArray[np.float64]
NODES = 64
COARSE = 12.0  # standard deviations of a step between the bounds; with more, steps are too fine for the nodes


def is_coarse(width: float, deviation: float) -> bool:
    """Whether steps of a standard deviation are so long that integration from look to look resolves them."""
    return width <= COARSE * deviation


class Times(NamedTuple):
    """When a test looks.

    Parameters
    ----------
    first, step : float
        The time of its first look, and between two looks from then on.
    end : float
        The time of its last look; the time since the one before may be shorter.
    """

    first: float
    step: float
    end: float


def worse_by_looks(
    low: float, high: float, drift: float, variance: float, times: "Times", place: float
) -> float:
    """The chance of an outcome no better than `place` at a look before which no other ended the test.

    It is the chance to have ended below before, or not to have ended before and to be below `place` now.

    Parameters
    ----------
    low, high : float
        The bounds, one below and one above 0.
    drift, variance : float
        Of the log-likelihood ratio per unit of time.
    times : Times
    place : float
        Where it is at the last look; it may be beyond a bound.

    Examples
    --------
    At the first look it is a normal chance:

    >>> worse_by_looks(-3, 3, 0.0, 1.0, Times(4.0, 1.0, 4.0), 2.0) == normal_cdf(1.0)
    True
    """
    first, step = times.first, times.step
    if times.end <= first:
        return normal_cdf((place - drift * times.end) / math.sqrt(variance * times.end))
    looks = 1 + math.ceil((times.end - first) / step)
    last = times.end - first - step * (looks - 2)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    nodes = low + (high - low) * (nodes + 1) / 2
    weights = weights * (high - low) / 2
    deviation = math.sqrt(variance * step)
    steps = (nodes[:, None] - nodes[None, :] - drift * step) / deviation
    moves = np.exp(-steps * steps / 2) / (deviation * math.sqrt(2 * math.pi)) * weights[None, :]
    falls = _normal((low - nodes - drift * step) / deviation) * weights
    spread = math.sqrt(variance * first)
    density = np.exp(-(((nodes - drift * first) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
    ended = normal_cdf((low - drift * first) / spread)
    for _ in range(looks - 2):
        ended += float(falls @ density)
        density = moves @ density
    now = _normal((place - nodes - drift * last) / math.sqrt(variance * last)) * weights
    return ended + float(now @ density)


def _normal(x: FloatArray) -> FloatArray:
    from scipy.special import ndtr

    return np.asarray(ndtr(x))
