"""From what a user asks for to a crew: a number of threads, `processes:4`, or the address of a scheduler."""

import atexit
import re

from spadesim.cores import usable_cores
from spadesim.errors import UserError, suggest
from spadesim.match.executors import Crew, Serial, Threads
from spadesim.match.spec import check_range

MAX_WORKERS = 1024
KINDS = ("serial", "threads", "processes", "dask")
ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx|inproc)://\S+")
EXAMPLES = "8 (threads), serial, processes:4, dask:4 or tcp://host:8786"

Workers = int | str | Crew | None
"""Who plays, as a user writes it; None for threads on all usable cores."""

_open: dict[str, Crew] = {}  # those that hold processes or a connection, kept from one run to the next


def crew_of(workers: Workers) -> Crew:
    """Who plays.

    Parameters
    ----------
    workers : int, str, Crew or None
        A number of threads, or a text: ``threads:N``, ``serial``, ``processes:N``, ``dask:N`` (processes of
        a Dask cluster on this machine), or the address of a Dask scheduler, ``tcp://host:8786``. Without
        ``:N`` as many as there are cores.

    Returns
    -------
    Crew
        The same one for the same text of processes or a scheduler, which are kept until this process ends;
        its `close` lets go of them earlier.

    Raises
    ------
    UserError
        It is none of these.

    Examples
    --------
    >>> crew_of(3).n, crew_of("serial").n, crew_of("threads:2").n
    (3, 1, 2)
    """
    if isinstance(workers, Crew):
        return workers
    if workers is None:
        return Threads(usable_cores())
    if not isinstance(workers, str):
        check_range("workers", workers, 1, MAX_WORKERS)
        return Threads(workers)
    text = workers.strip()
    if ADDRESS.fullmatch(text):
        return _kept(text, "", 0)
    kind, _, number = text.partition(":")
    if kind not in KINDS:
        raise UserError(f"workers must be one of {EXAMPLES}, not '{workers}'.{suggest(kind, KINDS)}")
    if kind == "serial" and not number:
        return Serial()
    if kind == "serial" or (number and not re.fullmatch(r"-?\d+", number, re.ASCII)):
        raise UserError(f"workers must be one of {EXAMPLES}, not '{workers}'.")
    n = int(number) if number else usable_cores()
    check_range("workers", n, 1, MAX_WORKERS)
    return Threads(n) if kind == "threads" else _kept(f"{kind}:{n}", kind, n)


def is_near(workers: Workers) -> bool:
    """Whether those asked for are threads of this process."""
    if isinstance(workers, Crew):
        return workers.is_near
    return not isinstance(workers, str) or workers.strip().startswith(("serial", "threads"))


def _kept(text: str, kind: str, n: int) -> Crew:
    """The crew that a text stands for, which is the same one each time."""
    if text not in _open:
        if not _open:
            atexit.register(close_all)
        if kind == "processes":
            from spadesim.match.processes import Processes

            _open[text] = Processes(n)
        else:
            from spadesim.match.cluster import Cluster, LocalDask

            _open[text] = LocalDask(n) if kind == "dask" else Cluster(text)
    return _open[text]


def close_all() -> None:
    """Let go of all processes and connections."""
    while _open:
        _open.popitem()[1].close()
