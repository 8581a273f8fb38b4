"""Sums and tables for the tests of the statistics, written down unit by unit."""

from collections.abc import Iterable, Sequence

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


def room_sums(*rooms: Iterable[int], side_hands: int | None = None) -> RoomSums:
    """The sums of boards whose margins in every room are given; a side-hand a room unless told otherwise."""
    margins = [[int(x) for x in room] for room in rooms]
    whole = [sum(board) for board in zip(*margins, strict=True)]
    return RoomSums(
        len(whole),
        [sum(room) for room in margins],
        [sum(x * x for x in room) for room in margins],
        sum(x * x for x in whole),
        len(margins) if side_hands is None else side_hands,
    )


def hand_sums(
    a: Iterable[tuple[int, int]], b: Iterable[tuple[int, int]]
) -> tuple[RatioSums, RatioSums, tuple[int, ...]]:
    """What `margin_per_hand` takes, of units whose points and side-hands are given for A and for B."""
    ours, theirs = ([(int(x), int(h)) for x, h in side] for side in (a, b))
    both = list(zip(ours, theirs, strict=True))
    cross = tuple(sum(one[i] * other[j] for one, other in both) for i in (0, 1) for j in (0, 1))
    sums = [ratio_sums([x for x, _ in side], [h for _, h in side]) for side in (ours, theirs)]
    return sums[0], sums[1], cross


def shares_of(sets: Iterable[Sequence[int]], n_rooms: int) -> tuple[list[list[int]], list[list[int]]]:
    """What `set_stats` takes, of sets with their results by room: 0 lost, 1 drawn, 2 won, 3 unfinished."""
    shares = [[0] * (2 * n_rooms + 1) for _ in range(n_rooms + 1)]
    rooms = [[0] * 4 for _ in range(n_rooms)]
    for results in sets:
        finished = [int(result) for result in results if result != 3]
        shares[len(finished)][sum(finished)] += 1
        for room, result in enumerate(results):
            rooms[room][int(result)] += 1
    return shares, rooms


def table(**counts: int) -> list[list[int]]:
    """Outcomes from counts by name: `WL=3` is three pairs won in room 0 and lost in room 1."""
    outcomes = [[0] * 4 for _ in range(4)]
    for name, count in counts.items():
        first, second = ("LDWU".index(letter) for letter in name)
        outcomes[first][second] += count
    return outcomes
