"""Worker processes on this machine, for bots that hold on to the interpreter, and to try what travels."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from spadesim.errors import UserError
from spadesim.match.executors import MOST_DEATHS, Distant, Parcel


class Processes(Distant):
    """Processes that are started when they are first needed, and stay until this one ends.

    Parameters
    ----------
    n : int, at least 1
    """

    lost = (BrokenProcessPool,)

    def __init__(self, n: int) -> None:
        super().__init__()
        self._n = n
        self._pool: ProcessPoolExecutor | None = None

    @property
    def n(self) -> int:
        """How many there are."""
        return self._n

    def open(self) -> None:
        """Start them, afresh rather than as copies of this process, whose threads they would not have."""
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self._n, mp_context=context, initializer=begin)

    def submit(self, parcel: Parcel) -> Future[Any]:
        """Send a parcel to whoever is free."""
        assert self._pool is not None
        return self._pool.submit(parcel.function, *parcel.arguments)

    def reopen(self) -> None:
        """Start all of them anew: one that dies breaks the pool of all."""
        self.close()
        self.generation += 1
        self.open()

    def hopeless(self, what: str) -> UserError:
        """What to say when they died over the same chunk time and again."""
        return UserError(
            f"The worker processes died {MOST_DEATHS + 1} times over {what}: memory may be short, or a bot "
            "may end its process; --executor threads shows which. In a script of your own, the call must "
            'stand below: if __name__ == "__main__":'
        )

    def close(self) -> None:
        """End them after what they are at."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def begin() -> None:
    """What a worker process does first: leave Ctrl-C to its parent, and end when that has ended.

    What bots print goes to standard error, as in the parent.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdout = sys.stderr
    parent = multiprocessing.parent_process()

    def outlive_nobody() -> None:
        with contextlib.suppress(OSError):
            if parent is not None:
                parent.join()
        os._exit(1)

    threading.Thread(target=outlive_nobody, daemon=True).start()
