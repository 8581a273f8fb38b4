"""Workers of a Dask cluster: on this machine, or wherever a scheduler has some.

The scheduler sends a dead worker's chunks to others. When the scheduler itself is lost, it is given a minute
to come back, and the chunks that were on their way are sent again.
"""

import contextlib
import logging
import time
from typing import Any

from spadesim.errors import UserError
from spadesim.match.executors import MOST_DEATHS, Distant, Parcel
from spadesim.match.travel import Build, build, refusal

FIRST_PATIENCE = 5.0  # seconds for a scheduler to answer
PATIENCE = 60.0  # seconds for a lost one to come back, and for workers to turn up
LOOK = 2.0  # seconds between two looks at how many workers there are
LONG = 10.0  # seconds to wait for a chunk before looking whether anybody plays it
CHUNKS_PER_SECOND = 100  # that the scheduler and this process handle with ease
MOST_NAMED = 3
FRUGAL = {  # what watches the workers at play would cost more than handing out the chunks
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
}
GOES_ON = "A run begun with --out goes on by --resume."


class Cluster(Distant):
    """The workers of a scheduler; their number may change.

    Parameters
    ----------
    address : str
        Of the scheduler, such as ``tcp://host:8786``.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        self.address = address
        self._client: Any = None
        self._n, self._seen, self._looked = 0, 0.0, 0.0

    @property
    def n(self) -> int:
        """Threads of all workers, looked up now and then."""
        if self._client is not None and time.monotonic() > self._looked + LOOK:
            self._look()
        return max(1, self._n)

    @property
    def chunk_seconds(self) -> float:  # type: ignore[override]
        """The more there are, the longer chunks are, for one scheduler hands out all of them."""
        return max(1.0, self.n / CHUNKS_PER_SECOND)

    def open(self) -> None:
        """Connect, unless it is connected.

        Raises
        ------
        UserError
            Nobody answers, there are no workers, or one of them is not as this process.
        """
        if self._client is not None and self._client.status == "running":
            return
        self.close()
        self._connect(FIRST_PATIENCE)

    def submit(self, parcel: Parcel) -> "_Awaited":
        """Send a parcel to whoever the scheduler chooses."""
        # Every chunk is a task of its own, whatever was played before.
        return _Awaited(self, self._client.submit(parcel.function, *parcel.arguments, pure=False))

    def reopen(self) -> None:
        """Connect again as soon as somebody answers."""
        self.generation += 1
        until = time.monotonic() + PATIENCE
        while True:
            self.close()
            try:
                return self._connect(FIRST_PATIENCE)
            except _SilentError as error:
                if time.monotonic() > until:
                    raise UserError(
                        f"The scheduler at {self.address} is gone, and has not come back within "
                        f"{PATIENCE:.0f} s. {GOES_ON}"
                    ) from error
                time.sleep(0.5)

    def hopeless(self, what: str) -> UserError:
        """What to say when workers died over the same chunk time and again."""
        return UserError(
            f"Workers died {MOST_DEATHS + 1} times over {what}: memory may be short, or a bot may end its "
            f"process; their logs tell. {GOES_ON}"
        )

    def close(self) -> None:
        """Disconnect; the cluster goes on."""
        if self._client is not None:
            with contextlib.suppress(Exception):  # whatever a connection that is lost has to say
                self._client.close(timeout=1)
            self._client = None

    def check_workers(self) -> None:
        """Refuse to wait any longer for workers that do not come.

        Raises
        ------
        UserError
            There has been none for a minute.
        """
        if self._client.status == "running":
            self._look()
            if time.monotonic() > self._seen + PATIENCE:
                raise UserError(
                    f"The scheduler at {self.address} has had no workers for {PATIENCE:.0f} s. {GOES_ON}"
                )

    def _target(self) -> Any:
        """What a client connects to."""
        return self.address

    def _connect(self, patience: float) -> None:
        distributed = library()
        self.lost = (distributed.CancelledError, distributed.client.ClosedClientError, _SilentError)
        self.killed = (distributed.KilledWorker,)
        logging.getLogger("distributed.client").setLevel(logging.CRITICAL + 1)  # our own words tell of it
        try:
            self._client = distributed.Client(
                self._target(), timeout=patience, set_as_default=False, name="spadesim"
            )
            self._client.wait_for_workers(1, timeout=patience)
        except TimeoutError as error:
            if self._client is not None:
                raise _SilentError(
                    f"The scheduler at {self.address} has no workers yet: start some with "
                    f"dask worker {self.address}"
                ) from error
            raise self._silent() from error
        except (OSError, ValueError) as error:
            raise self._silent() from error
        self._look()
        self._check_builds()

    def _silent(self) -> "_SilentError":
        return _SilentError(
            f"No scheduler answers at {self.address}. Is it running (dask scheduler), and can this machine "
            "reach it?"
        )

    def _look(self) -> None:
        """Look how many workers there are."""
        self._looked = time.monotonic()
        with contextlib.suppress(Exception):  # of a connection that is being lost: who waits hears of it
            self._n = int(self._client.scheduler_info(n_workers=0)["total_threads"])
        if self._n:
            self._seen = self._looked

    def _check_builds(self) -> None:
        """Refuse workers that cannot play, or would play otherwise, by their names."""
        ours = build()
        builds: dict[str, Any] = self._client.run(build, on_error="return")
        faults = [
            refusal(worker, theirs, ours) if isinstance(theirs, Build) else _cannot(worker, theirs)
            for worker, theirs in sorted(builds.items())
            if theirs != ours
        ]
        if faults:
            more = f" And {len(faults) - MOST_NAMED} more are." if len(faults) > MOST_NAMED else ""
            raise UserError(" ".join(faults[:MOST_NAMED]) + more)


def _cannot(worker: str, error: Any) -> str:
    return f"The worker {worker} is refused: spadesim does not run there ({error})."


class _SilentError(UserError):
    """Nobody answers, or nobody is there to work."""


class LocalDask(Cluster):
    """A Dask cluster of processes on this machine, which ends with this process.

    Parameters
    ----------
    n : int, at least 1
    """

    def __init__(self, n: int) -> None:
        super().__init__(f"dask:{n}")
        self._n_wanted = n
        self._cluster: Any = None

    def _target(self) -> Any:
        if self._cluster is None:
            distributed = library()
            import dask

            try:
                with dask.config.set(FRUGAL):
                    self._cluster = distributed.LocalCluster(
                        n_workers=self._n_wanted,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # any port that is free
                        silence_logs=logging.CRITICAL,
                        preload=["spadesim.match.travel"],  # see `dask_setup` there
                    )
            except RuntimeError as error:
                raise UserError(
                    f"No Dask cluster can be started on this machine: {error} In a script of your own, the "
                    'call must stand below: if __name__ == "__main__":'
                ) from error
        return self._cluster

    def close(self) -> None:
        """End its processes."""
        super().close()
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=2)
            self._cluster = None


class _Awaited:
    """A chunk that the cluster plays."""

    def __init__(self, crew: Cluster, future: Any) -> None:
        self.crew, self.future, self.generation = crew, future, crew.generation

    def result(self) -> Any:
        while True:
            if self.generation != self.crew.generation:
                raise _SilentError("It was sent over a connection that is closed.")
            try:
                return self.future.result(timeout=LONG)
            except TimeoutError:
                if self.future.status == "error":  # it is what the chunk itself raised
                    raise
                self.crew.check_workers()

    def cancel(self) -> None:
        with contextlib.suppress(Exception):  # nobody is left to be told
            self.future.cancel()


def library() -> Any:
    """The library `distributed`.

    Raises
    ------
    UserError
        It is not installed.
    """
    try:
        import distributed
    except ImportError as error:
        raise UserError(
            f"More than one machine needs Dask ({error}): pip install 'spadesim[cluster]'"
        ) from error
    return distributed
