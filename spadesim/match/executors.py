"""Who does the work: chunks of units in order, in this thread, in several, in other processes or elsewhere.

A *crew* plays chunks side by side. Whoever plays a chunk, its result is the same, and results come back in
the order of the chunks, each of them once; so nothing about a run depends on the crew.

Threads call the work itself: compiled code lets go of the interpreter, so they run side by side. To other
processes a chunk's work travels as a `Parcel`, and it is sent again when whoever had it is lost.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from spadesim.errors import UserError

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
Chunk_contra = TypeVar("Chunk_contra", contravariant=True)
Result_co = TypeVar("Result_co", covariant=True)

IN_FLIGHT = 2  # chunks handed out for each worker: one that it plays and one that waits
MOST_DEATHS = 3  # of workers, over the same chunk


def apart(work: Callable[[], object]) -> None:
    """Do something in another thread, so that this one hears of Ctrl-C while compiled code runs."""
    with ThreadPoolExecutor(1, thread_name_prefix="spadesim") as pool:
        pool.submit(work).result()


class Parcel(NamedTuple):
    """What somebody elsewhere needs for a chunk: a function of a module, and its arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


class Work(Protocol[Chunk_contra, Result_co]):
    """What is done with each chunk: called in other threads of this process, or sent elsewhere."""

    def __call__(self, chunk: Chunk_contra, /) -> Result_co:
        """Do it here."""

    def parcel(self, chunk: Chunk_contra, /) -> Parcel | None:
        """What returns the same elsewhere; None for what can be done here only.

        Raises
        ------
        UserError
            Something that is needed cannot travel.
        """

    def named(self, chunk: Chunk_contra, /) -> str:
        """What the chunk is called in messages."""


class Pending(Protocol[Result_co]):
    """A chunk that has been handed out."""

    def result(self) -> Result_co:
        """Wait for what came of it."""

    def cancel(self) -> object:
        """Drop it if it has not begun."""


class Crew(ABC):
    """Who plays chunks, so many at a time.

    Attributes
    ----------
    is_near : bool
        Whether it shares this process's memory, so that small chunks cost next to nothing.
    chunk_seconds : float
        How long a chunk should take: long against what handing it out costs.
    most_units : int
        To a chunk.
    sizes : dict of str to int
        How large chunks of a kind of duel have become, for the next one of its kind to begin with.
    """

    is_near = True
    chunk_seconds = 0.2  # short against a user's patience
    most_units = 5000  # a second or so: Ctrl-C waits for the chunks in hand

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    @property
    @abstractmethod
    def n(self) -> int:
        """How many chunks it plays at once, at least 1; it may change."""

    @property
    def in_flight(self) -> int:
        """How many chunks are handed out at the most."""
        return IN_FLIGHT * self.n

    @abstractmethod
    def handing_out(self, work: Any) -> Any:
        """A context for the time of some work; its value hands out a chunk and returns a `Pending`."""

    def in_order(
        self, work: Work[Chunk, Result], chunks: Iterable[Chunk]
    ) -> Generator[tuple[Chunk, Result], None, None]:
        """Every chunk with its result, in the order of the chunks.

        Chunks are drawn from `chunks` no sooner than a worker is about to need one, so that the memory in
        use does not depend on how many there are. When the consumer stops early, or a chunk raises, chunks
        that have not begun are dropped; those being played by threads are waited for.

        Parameters
        ----------
        work : Work
        chunks : iterable
            Drawn from in the calling thread.

        Raises
        ------
        UserError
            What is needed cannot travel to the workers, or they are lost for good.
        """
        with self.handing_out(work) as hand_out:
            waiting: deque[tuple[Chunk, Pending[Result]]] = deque()
            try:
                for chunk in chunks:
                    waiting.append((chunk, hand_out(chunk)))
                    while len(waiting) >= self.in_flight:
                        first, pending = waiting.popleft()
                        yield first, pending.result()
                while waiting:
                    first, pending = waiting.popleft()
                    yield first, pending.result()
            finally:
                for _, pending in waiting:
                    pending.cancel()

    def open(self) -> None:  # noqa: B027 - most crews need nothing
        """Have workers ready, before anything else takes time; nothing where they are.

        Raises
        ------
        UserError
            There are none, or one of them cannot play.
        """

    def close(self) -> None:  # noqa: B027 - most crews hold nothing
        """Let go of processes and connections; the next work opens them again."""


class Threads(Crew):
    """Threads of this process; also a single one, so that the calling thread hears of Ctrl-C.

    Parameters
    ----------
    n : int, at least 1
    """

    def __init__(self, n: int) -> None:
        super().__init__()
        self._n = n

    @property
    def n(self) -> int:
        """How many there are."""
        return self._n

    @contextmanager
    def handing_out(self, work: Work[Chunk, Result]) -> Iterator[Callable[[Chunk], Future[Result]]]:
        """A pool for the time of some work."""
        with ThreadPoolExecutor(self.n, thread_name_prefix="spadesim") as pool:
            yield lambda chunk: pool.submit(work, chunk)


class Here(Generic[Chunk, Result]):
    """Work that is a function of this process, and cannot travel.

    Parameters
    ----------
    function : function of a chunk
    """

    def __init__(self, function: Callable[[Chunk], Result]) -> None:
        self.function = function

    def __call__(self, chunk: Chunk) -> Result:
        """Do it."""
        return self.function(chunk)

    def parcel(self, chunk: Chunk) -> None:
        """Nothing travels."""

    def named(self, chunk: Chunk) -> str:
        """What a chunk is called in messages."""
        return str(chunk)


def in_order(
    play: Callable[[Chunk], Result], chunks: Iterable[Chunk], workers: int
) -> Generator[tuple[Chunk, Result], None, None]:
    """Every chunk with what a function makes of it in so many threads; see `Crew.in_order`."""
    return Threads(workers).in_order(Here(play), chunks)


class _Done(NamedTuple):
    """A chunk whose result is there."""

    value: Any

    def result(self) -> Any:
        return self.value

    def cancel(self) -> None:
        pass


class Serial(Crew):
    """The calling thread itself: for debuggers and profilers. Ctrl-C is heard between two chunks."""

    @property
    def n(self) -> int:
        """One chunk at a time."""
        return 1

    @property
    def in_flight(self) -> int:
        """None waits."""
        return 1

    @contextmanager
    def handing_out(self, work: Work[Chunk, Result]) -> Iterator[Callable[[Chunk], _Done]]:
        """Chunks are played when they are handed out."""
        yield lambda chunk: _Done(work(chunk))


class Distant(Crew):
    """Workers that share no memory with this process, and may be lost.

    Attributes
    ----------
    lost, killed : tuples of exception types
        What a worker's loss shows itself by; and that several died over a chunk already.
    generation : int
        How often it has been opened again: a loss is mended once, however many chunks tell of it.
    """

    is_near = False
    chunk_seconds = 1.0
    most_units = 500_000
    lost: tuple[type[BaseException], ...] = ()
    killed: tuple[type[BaseException], ...] = ()

    def __init__(self) -> None:
        super().__init__()
        self.generation = 0

    @abstractmethod
    def submit(self, parcel: Parcel) -> Any:
        """Send a parcel; a `Pending`, whose result raises one of `lost` when it went astray."""

    @abstractmethod
    def reopen(self) -> None:
        """Have workers again after a loss, of a new generation.

        Raises
        ------
        UserError
            There are none.
        """

    @abstractmethod
    def hopeless(self, what: str) -> UserError:
        """What to say when workers died over the same chunk time and again."""

    @contextmanager
    def handing_out(self, work: Work[Chunk, Result]) -> Iterator[Callable[[Chunk], Pending[Result]]]:
        """Workers elsewhere, and a thread for what can be done here only."""
        self.open()
        with ThreadPoolExecutor(1, thread_name_prefix="spadesim") as here:

            def hand_out(chunk: Chunk) -> Pending[Result]:
                parcel = work.parcel(chunk)
                return here.submit(work, chunk) if parcel is None else _Sent(self, parcel, work.named(chunk))

            yield hand_out


class _Sent:
    """A parcel on its way, sent again when it is lost.

    It is looked at when its turn has come, and until then no other is sent. So when workers die over and
    over, they die of this one.
    """

    def __init__(self, crew: Distant, parcel: Parcel, name: str) -> None:
        self.crew, self.parcel, self.name = crew, parcel, name
        self._send()

    def _send(self) -> None:
        self.generation = self.crew.generation
        try:
            self.pending = self.crew.submit(self.parcel)
        except self.crew.lost as error:
            self.pending = Future()
            self.pending.set_exception(error)

    def result(self) -> Any:
        for death in count(1):
            try:
                return self.pending.result()
            except self.crew.killed as error:
                raise self.crew.hopeless(self.name) from error
            except self.crew.lost as error:
                if death > MOST_DEATHS:
                    raise self.crew.hopeless(self.name) from error
                if self.generation == self.crew.generation:
                    self.crew.reopen()
                self._send()
        raise AssertionError  # not reached

    def cancel(self) -> None:
        self.pending.cancel()
