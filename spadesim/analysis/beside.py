"""A second process that makes pages of a report of a large run beside this one.

It is started first of all, and gets ready while this process reads and counts. Drawing holds on to the
interpreter, so that threads would not help. This module imports nothing that takes long.
"""

import contextlib
import gc
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from spadesim.cores import usable_cores
from spadesim.errors import UserError
from spadesim.reading import user_path

LARGE = 20_000_000  # bytes, of 200,000 hands or more
RUNS = ("", "[0-9]*/")  # a run in a folder itself, and those of a question
Task = TypeVar("Task")
Result = TypeVar("Result")


@contextlib.contextmanager
def process_beside(things: Iterable[str | Path]) -> Iterator[ProcessPoolExecutor | None]:
    """A second process for the time of a report on some paths.

    It costs two seconds of a core to start: there is none (None) where the runs are small, or one core is
    all there is; nor where none can be started.
    """
    if usable_cores() < 2 or sum(map(_size, things)) < LARGE:
        yield None
        return
    pool = _started()
    try:
        _get_ready()
        yield pool
    finally:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)


def _started() -> ProcessPoolExecutor | None:
    """A process that gets ready; None where there is no memory for it, or no semaphores."""
    import multiprocessing

    pool = None
    try:
        pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_begin)
        pool.submit(_get_ready)
    except Exception:
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)
        return None
    return pool


def divided(
    tasks: Sequence[Task],
    here: Callable[[Task], Result],
    send: Callable[[Task], "Future[Result] | None"] | None = None,
) -> list[Result]:
    """What comes of some tasks, in their order, each done where somebody is free first.

    Parameters
    ----------
    tasks : sequence
    here : function of a task
        Does it in this thread.
    send : function of a task, optional
        Has it done elsewhere; None for what cannot be. What fails there is done here.
    """
    found: dict[int, Result] = {}
    left, lock = list(range(len(tasks))), threading.Lock()

    def take() -> int | None:
        with lock:
            return left.pop(0) if left else None

    def keep_sending(send: Callable[[Task], "Future[Result] | None"]) -> None:
        kept = []
        while (place := take()) is not None:
            try:
                sent = send(tasks[place])
                if sent is None:
                    kept.append(place)
                else:
                    found[place] = sent.result()
            except Exception:  # the process died, or something cannot travel
                kept.append(place)
                break
        left.extend(kept)

    with ThreadPoolExecutor(1, thread_name_prefix="spadesim") as pool:
        sending = pool.submit(keep_sending, send) if send is not None else None
        try:
            while (place := take()) is not None:
                found[place] = here(tasks[place])
        except BaseException:
            with lock:
                left.clear()  # for the thread that sends is waited for
            raise
        if sending is not None:
            sending.result()
    while (place := take()) is not None:
        found[place] = here(tasks[place])
    return [found[place] for place in range(len(tasks))]


def _size(thing: str | Path) -> int:
    """Bytes of the parts of a run, or of all runs of a question; 0 for what is neither."""
    try:
        folder = user_path(thing)
        parts = (part for place in RUNS for part in folder.glob(f"{place}part-*.parquet"))
        return sum(part.stat().st_size for part in parts)
    except (OSError, UserError, ValueError):  # which the report tells
        return 0


def _begin() -> None:
    from spadesim.match.processes import begin

    begin()


def _get_ready() -> None:
    """Import what pages need, and spare the garbage collector to look through it time and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        import scipy.special  # noqa: F401

        from spadesim.analysis import compose, drawn_once  # noqa: F401
    finally:
        if was_enabled:
            gc.enable()
    gc.freeze()
