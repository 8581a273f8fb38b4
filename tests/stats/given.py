"""Sums and tables for the tests of the statistics, written down unit by unit."""

from collections.abc import Iterable

from spadesim.stats.boards import RoomSums
from spadesim.stats.intervals import Estimate
from spadesim.stats.proportions import RatioSums


def known(estimate: Estimate | None) -> Estimate:
    """The estimate, which must be there."""
    assert estimate is not None
    return estimate


def ratio_sums(nums: Iterable[int], dens: Iterable[int]) -> RatioSums:
    """The sums of units given one by one."""
    pairs = [(int(x), int(y)) for x, y in zip(nums, dens, strict=True)]
    return RatioSums(
        n=len(pairs),
        num=sum(x for x, _ in pairs),
        den=sum(y for _, y in pairs),
        num_num=sum(x * x for x, _ in pairs),
        num_den=sum(x * y for x, y in pairs),
        den_den=sum(y * y for _, y in pairs),
    )


def room_sums(first: Iterable[int], second: Iterable[int]) -> RoomSums:
    """The sums of boards whose margins in both rooms are given."""
    pairs = [(int(x), int(y)) for x, y in zip(first, second, strict=True)]
    products = (sum(x * x for x, _ in pairs), sum(y * y for _, y in pairs), sum(x * y for x, y in pairs))
    return RoomSums(len(pairs), (sum(x for x, _ in pairs), sum(y for _, y in pairs)), products)


def table(**counts: int) -> list[list[int]]:
    """Outcomes from counts by name: `WL=3` is three pairs won in room 0 and lost in room 1."""
    outcomes = [[0] * 4 for _ in range(4)]
    for name, count in counts.items():
        first, second = ("LDWU".index(letter) for letter in name)
        outcomes[first][second] += count
    return outcomes
