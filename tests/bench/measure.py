"""What the benchmarks share: medians and ratios of repeated calls."""

from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

ROUNDS = 7

Show = Callable[[str], None]


def median_of(benchmark: Any, function: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Return the median seconds of several calls, the first one left out."""
    benchmark.pedantic(function, rounds=rounds, warmup_rounds=1)
    return float(benchmark.stats.stats.median)


def compare(
    benchmark: Any, ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = ROUNDS
) -> tuple[float, float, float]:
    """Return the median seconds of our calls and of theirs, made in turn, and the median of their ratio."""
    others: list[float] = []

    def play_theirs() -> None:
        began = perf_counter()
        theirs()
        others.append(perf_counter() - began)

    ours()
    benchmark.pedantic(ours, setup=play_theirs, rounds=rounds)
    pairs = list(zip(benchmark.stats.stats.data, others, strict=True))
    return median(own for own, _ in pairs), median(others), median(other / own for own, other in pairs)
