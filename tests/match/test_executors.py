import threading
import time
from collections.abc import Iterator

import pytest

from spadesim.match.executors import IN_FLIGHT, in_order, usable_cores


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_the_order_of_the_chunks(workers: int) -> None:
    def play(chunk: int) -> int:
        time.sleep(0.002 * (chunk % 3))
        return chunk * chunk

    assert list(in_order(play, range(20), workers)) == [(k, k * k) for k in range(20)]


@pytest.mark.parametrize("workers", [1, 3])
def test_no_more_chunks_are_drawn_than_the_workers_need(workers: int) -> None:
    drawn, taken, most = 0, 0, 0

    def chunks() -> Iterator[int]:
        nonlocal drawn, most
        for chunk in range(200):
            drawn += 1
            most = max(most, drawn - taken)
            yield chunk

    for _ in in_order(lambda chunk: chunk, chunks(), workers):
        taken += 1
    assert (drawn, taken) == (200, 200)
    assert most <= IN_FLIGHT * workers


def test_several_workers_work_side_by_side() -> None:
    together = threading.Barrier(3, timeout=10)
    assert len(list(in_order(lambda _: together.wait(), range(3), 3))) == 3


def test_whoever_stops_early_waits_for_nothing_that_has_not_begun() -> None:
    played: list[int] = []
    results = in_order(played.append, range(1000), 2)
    next(results)
    results.close()
    assert len(played) <= 2 * IN_FLIGHT + 1
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("spadesim")]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_first_chunk_that_fails_is_the_one_heard_of(workers: int) -> None:
    def play(chunk: int) -> int:
        if chunk >= 5:
            raise ValueError(chunk)
        return chunk

    results = in_order(play, range(100), workers)
    assert [chunk for chunk, _ in (next(results) for _ in range(5))] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="5"):
        next(results)


def test_there_is_a_core() -> None:
    assert usable_cores() >= 1
