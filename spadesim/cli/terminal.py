"""What is said while a command works, on standard error, out of the way of results: notes and a bar."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

from spadesim.analysis.lines import visible
from spadesim.cli.app import INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

PATIENCE = 2.0  # seconds without a bar
WIDTH = 100
USUAL_WIDTH = 80
UNWINDING = 1.0  # seconds for a command to clean up after itself
SHOW_CURSOR = b"\x1b[?25h"
NARROWEST = 10  # columns; less is a terminal that does not know its width


def result_console(width: int = WIDTH) -> "Console":
    """The console for results: colours and the width of the window on a terminal, plain text into a pipe.

    Parameters
    ----------
    width : int
        The most columns to use.
    """
    from rich.console import Console
    from rich.segment import Segment

    class Shown(Console):
        """Writes out what steers a terminal where it is part of a text, and not a style."""

        def render(self, *what: Any, **options: Any) -> Iterator[Segment]:
            for piece in super().render(*what, **options):
                yield piece if piece.control else Segment(visible(piece.text), piece.style)

    console = Shown(highlight=False, markup=False, emoji=False)
    console.width = min(console.width, width) if console.width >= NARROWEST else USUAL_WIDTH
    return console


def say(text: str, end: str = "\n") -> None:
    """Print a result, or a part of one, whatever names and texts of others are in it."""
    print(visible(text), end=end)  # noqa: T201


@contextmanager
def at_once() -> Iterator[None]:
    """Let Ctrl-C end the block: as a KeyboardInterrupt, or the process when that does not come through.

    Python itself learns of Ctrl-C only between its own steps, and a bot that loops for ever never comes back.
    """
    with _heard(signal.default_int_handler, UNWINDING):
        yield


@contextmanager
def at_the_second(say: Callable[[str], None]) -> Iterator[None]:
    """Let a second Ctrl-C end the process at once; the first waits for the hands that are being played."""

    def first(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, lambda number, frame: None)  # the second one is for who listens
        say("stopping; Ctrl-C again ends at once.")
        raise KeyboardInterrupt

    with _heard(first, None):
        yield


@contextmanager
def _heard(handler: Callable[..., Any], patience: float | None) -> Iterator[None]:
    """Handle Ctrl-C, and have a thread listen that hears it even while compiled code keeps Python busy.

    Parameters
    ----------
    handler : function
        Python's own handler of the signal.
    patience : float or None
        Seconds after which the process ends if the block has not; None: it ends at the second Ctrl-C.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    ended = threading.Event()
    listener = threading.Thread(target=_listen, args=(read, ended, patience), daemon=True)
    before = signal.signal(signal.SIGINT, handler)
    told_before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    listener.start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(told_before)
        signal.signal(signal.SIGINT, before)
        os.close(write)
        listener.join()
        os.close(read)


def _listen(read: int, ended: threading.Event, patience: float | None) -> None:
    """End the process by a Ctrl-C that comes through the pipe, once patience is lost."""
    pressed = 0
    while signals := os.read(read, 1):
        pressed += signals[0] == signal.SIGINT
        is_last = pressed > 1 if patience is None else pressed > 0 and not ended.wait(patience)
        if is_last and not ended.is_set():
            if sys.stderr.isatty():
                os.write(sys.stderr.fileno(), SHOW_CURSOR)  # which a bar has hidden
            os._exit(INTERRUPTED)


class Notes:
    """Says what takes long: notes as lines, and how far a run is as a bar.

    Parameters
    ----------
    quiet : bool
        Say nothing.
    """

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self._begun: float | None = None
        self._bar: Progress | None = None
        self._what = ""

    def say(self, text: str) -> None:
        """Print a note."""
        if not self.quiet:
            print(visible(f"spadesim: {text}"), file=sys.stderr, flush=True)  # noqa: T201

    def compiling(self, name: str) -> None:
        """Print that a bot is compiled, which takes seconds."""
        from spadesim.strategy.compiled import compiling_note

        self.say(compiling_note(name))

    def progress(self, done: int, total: int, hands: int) -> None:
        """Show how far a run is, once it has taken two seconds, on a terminal.

        Parameters
        ----------
        done, total : int
            Pairs of games or boards.
        hands : int
            Hands played so far.
        """
        if (seconds := self._patience_lost()) is not None:
            self._draw("playing", done, total, f"{hands / seconds:,.0f} hands a second")

    @property
    def has_bar(self) -> bool:
        """Whether there is a terminal to draw a bar on, and somebody wants to see it."""
        return not self.quiet and sys.stderr.isatty()

    def watching(self, line: Callable[[], str]) -> Callable[[int, int, int], None]:
        """A progress function that also shows how a rule stands.

        Parameters
        ----------
        line : function
            Returns it in a few words.
        """

        def progress(done: int, total: int, hands: int) -> None:
            if (seconds := self._patience_lost()) is not None:
                self._draw("playing", done, total, line() or f"{hands / seconds:,.0f} hands a second")

        return progress

    def restart(self) -> None:
        """Begin anew, with a bar of its own for what comes next."""
        if self._bar is not None:
            self._bar.stop()
        self._begun, self._bar, self._what = None, None, ""

    def checking(self, done: int, total: int) -> None:
        """The same for a check: `done` of `total` examples."""
        if self._patience_lost() is not None:
            self._draw("checking", done, total, "")

    def counting(self, done: int, total: int) -> None:
        """The same for a report or a search: `done` of `total` parts of runs, or deals."""
        if self._patience_lost() is not None:
            self._draw("counting", done, total, "")

    def redealing(self, done: int, total: int) -> None:
        """The same for re-deals: `done` of `total` boards that are dealt anew, after all were played."""
        if self._what != "re-dealing":
            self.restart()
            self._what = "re-dealing"
        if self._patience_lost() is not None:
            self._draw("re-dealing", done, total, "")

    def solving(self, done: int, total: int) -> None:
        """The same for a table of win chances: `done` of about `total` rounds."""
        if self._patience_lost() is not None:
            self._draw("solving", done, total, "")

    def _patience_lost(self) -> float | None:
        """Seconds since the first call, None as long as no bar is to be shown."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = now
        waited = now - self._begun
        return None if not self.has_bar or waited < PATIENCE else waited

    def _draw(self, what: str, done: int, total: int, speed: str) -> None:
        if self._bar is None:
            self._bar = _bar(what, total, done, speed)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done, speed=speed)

    @contextmanager
    def shown(self) -> Iterator["Notes"]:
        """Take the bar away at the end, whatever the end is.

        What bots print in the meantime goes where notes go, for standard output is for the result alone.
        """
        with redirect_stdout(sys.stderr):
            try:
                yield self
            finally:
                if self._bar is not None:
                    self._bar.stop()  # which puts back the standard output that it found


def _bar(what: str, total: int, done: int, speed: str) -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn(what),
        BarColumn(30),
        TaskProgressColumn(),
        TextColumn("left"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[speed]}", style="dim"),
        console=Console(stderr=True),
        transient=True,
    )
    bar.add_task("", total=total, completed=done, speed=speed)
    return bar
