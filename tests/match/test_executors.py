"""Crews: chunks in order, each once, whoever plays them and whoever is lost meanwhile."""

import itertools
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from spadesim.cores import usable_cores
from spadesim.errors import UserError
from spadesim.match.executors import (
    IN_FLIGHT,
    MOST_DEATHS,
    Distant,
    Here,
    Parcel,
    Serial,
    Threads,
    in_order,
)
from spadesim.match.run import FIRST_CHUNK, LAST_CHUNKS, Pace
from spadesim.match.spec import make_spec


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


def test_a_serial_crew_plays_in_the_calling_thread_one_chunk_at_a_time() -> None:
    threads: set[int] = set()

    def play(chunk: int) -> int:
        threads.add(threading.get_ident())
        return chunk

    chunks = iter(range(10))
    results = Serial().in_order(Here(play), chunks)
    assert next(results) == (0, 0)
    assert next(chunks) == 1  # which has not been drawn
    assert [chunk for chunk, _ in results] == list(range(2, 10))
    assert threads == {threading.get_ident()}


class LostError(Exception):
    """A worker is gone."""


class KilledError(Exception):
    """Workers died over a chunk, says whoever counts that."""


class Fragile(Distant):
    """Two workers in threads, one of which is lost now and then with all that is on its way."""

    lost = (LostError,)
    killed = (KilledError,)

    def __init__(self) -> None:
        super().__init__()
        self.pool = ThreadPoolExecutor(2)
        self.opened = 0

    @property
    def n(self) -> int:
        return 2

    def submit(self, parcel: Parcel) -> Future[Any]:
        return self.pool.submit(parcel.function, *parcel.arguments)

    def reopen(self) -> None:
        self.generation += 1
        self.opened += 1

    def hopeless(self, what: str) -> UserError:
        return UserError(f"died over {what}")

    def close(self) -> None:
        self.pool.shutdown()


class Task:
    """Squares its chunks elsewhere, odd multiples of 25 here; each chunk may fail so often first."""

    def __init__(self, failures: dict[int, int], error: Exception) -> None:
        self.failures, self.error = failures, error
        self.here: list[int] = []

    def __call__(self, chunk: int) -> int:
        self.here.append(chunk)
        return chunk * chunk

    def parcel(self, chunk: int) -> Parcel | None:
        return None if chunk % 50 == 25 else Parcel(self.elsewhere, (chunk,))

    def named(self, chunk: int) -> str:
        return f"chunk {chunk}"

    def elsewhere(self, chunk: int) -> int:
        if self.failures.get(chunk, 0) > 0:
            self.failures[chunk] -= 1
            raise self.error
        return chunk * chunk


def test_what_is_lost_is_sent_again_and_comes_once_in_its_turn() -> None:
    crew, task = Fragile(), Task({0: 1, 3: MOST_DEATHS, 4: 1, 99: 2}, LostError())
    try:
        assert list(crew.in_order(task, range(100))) == [(k, k * k) for k in range(100)]
    finally:
        crew.close()
    assert task.here == [25, 75]
    assert not any(task.failures.values())


def test_a_loss_that_several_chunks_tell_of_is_mended_once() -> None:
    crew, task = Fragile(), Task({0: 1, 1: 1, 2: 1, 3: 1}, LostError())
    try:
        assert len(list(crew.in_order(task, range(20)))) == 20
    finally:
        crew.close()
    assert crew.opened == 1


@pytest.mark.parametrize(("error", "deaths"), [(LostError(), MOST_DEATHS + 1), (KilledError(), 1)])
def test_a_chunk_that_every_worker_dies_of_is_given_up_by_name(error: Exception, deaths: int) -> None:
    crew, task = Fragile(), Task({7: 1000}, error)
    try:
        results = crew.in_order(task, range(100))
        assert [chunk for chunk, _ in itertools.islice(results, 7)] == list(range(7))
        with pytest.raises(UserError, match="died over chunk 7"):
            next(results)
    finally:
        crew.close()
    assert task.failures[7] == 1000 - deaths


def test_an_error_of_the_work_itself_is_not_tried_again() -> None:
    crew, task = Fragile(), Task({0: 2}, ValueError("wrong"))
    try:
        with pytest.raises(ValueError, match="wrong"):
            list(crew.in_order(task, range(5)))
    finally:
        crew.close()
    assert (task.failures[0], crew.opened) == (1, 0)


def test_chunks_begin_with_the_size_that_the_last_duel_of_its_kind_came_to() -> None:
    crew, spec = Threads(2), make_spec("easy", "hard", boards=10_000)
    pace = Pace(spec, crew, None)
    chunks = pace.chunks()
    assert next(chunks).size == FIRST_CHUNK
    for _ in range(10):
        pace.heard(pace.size, 0.001)
    assert sum(chunk.size for chunk in chunks) == 10_000 - FIRST_CHUNK
    again = [chunk.size for chunk in Pace(spec, crew, None).chunks()]
    assert again[0] == 2500  # a quarter of all, as two workers need
    assert min(again[:-1]) == crew.most_units // LAST_CHUNKS
    assert next(Pace(make_spec("easy", "hard", games=2), crew, None).chunks()).size == 1
    other = make_spec("easy", "medium", boards=10_000)
    assert next(Pace(other, crew, None).chunks()).size == FIRST_CHUNK
