"""Who does the work: chunks of units in order, in this thread or in several.

Compiled code lets go of the interpreter, so threads run it side by side. Whoever plays a chunk, its result
is the same, and results come back in the order of the chunks; so nothing about a run depends on the
executor.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

IN_FLIGHT = 2  # chunks handed out for each worker: one that it plays and one that waits


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "process_cpu_count"):
        return os.process_cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def apart(work: Callable[[], object]) -> None:
    """Do something in another thread, so that this one hears of Ctrl-C while compiled code runs."""
    with ThreadPoolExecutor(1, thread_name_prefix="spadesim") as pool:
        pool.submit(work).result()


def in_order(
    play: Callable[[Chunk], Result], chunks: Iterable[Chunk], workers: int
) -> Generator[tuple[Chunk, Result], None, None]:
    """Every chunk with its result, in the order of the chunks.

    Chunks are drawn from `chunks` no sooner than a worker is about to need one, so that the memory in use
    does not depend on how many there are. When the consumer stops early, or a chunk raises, chunks that
    have not begun are dropped and those being played are waited for.

    Parameters
    ----------
    play : function of a chunk
        Called in other threads, also by a single worker, so that the calling one hears of Ctrl-C.
    chunks : iterable
        Drawn from in the calling thread.
    workers : int, at least 1
    """
    with ThreadPoolExecutor(workers, thread_name_prefix="spadesim") as pool:
        waiting: deque[tuple[Chunk, Future[Result]]] = deque()
        try:
            for chunk in chunks:
                waiting.append((chunk, pool.submit(play, chunk)))
                if len(waiting) >= IN_FLIGHT * workers:
                    first, future = waiting.popleft()
                    yield first, future.result()
            while waiting:
                first, future = waiting.popleft()
                yield first, future.result()
        finally:
            for _, future in waiting:
                future.cancel()
