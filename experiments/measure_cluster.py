"""Playing on other processes and machines: the figures of docs/how-to/many-machines.md.

python experiments/measure_cluster.py kill     # one of two workers killed half-way
python experiments/measure_cluster.py restart  # the scheduler killed half-way, and started again
python experiments/measure_cluster.py lost     # the scheduler killed half-way for good; the run resumed
python experiments/measure_cluster.py speed 10000000  # by Dask, by processes, by threads
python experiments/measure_cluster.py costs    # what a chunk costs beside its play, and what travels
"""

import contextlib
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import spadesim
from spadesim.errors import UserError
from spadesim.match import cluster
from spadesim.match.crews import close_all, crew_of
from spadesim.match.duel import Keep, play_duel
from spadesim.match.kept import resume_run
from spadesim.match.spec import make_spec

ROUNDS = 5
Process = subprocess.Popen[bytes]


class Machines:
    """A scheduler and two workers of one thread, in processes of their own."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.processes: list[Process] = []

    def start(self) -> None:
        """Start all three; workers end by themselves when they lose their scheduler."""
        options = ["--host", "127.0.0.1", "--no-dashboard"]
        self.scheduler = self._run("scheduler", "--port", str(self.port), *options)
        self.workers = [
            self._run("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
            for _ in range(2)
        ]

    def _run(self, kind: str, *arguments: str) -> Process:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments]
        quiet = subprocess.DEVNULL
        self.processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet))
        return self.processes[-1]

    def stop(self) -> None:
        """End what is left of them."""
        for process in self.processes:
            process.kill()
            process.wait()


@contextlib.contextmanager
def machines() -> Iterator[Machines]:
    """Two workers that are ready to play."""
    found = Machines()
    found.start()
    before, cluster.FIRST_PATIENCE = cluster.FIRST_PATIENCE, 60.0
    try:
        crew_of(found.address).open()
        cluster.FIRST_PATIENCE = before
        yield found
    finally:
        cluster.FIRST_PATIENCE = before
        close_all()
        found.stop()


def at_half(act: Callable[[], object], what: str) -> Callable[[int, int, int], None]:
    """A progress function that does something once, half-way."""
    done: list[bool] = []

    def progress(units: int, all_units: int, _: int) -> None:
        if 2 * units > all_units and not done:
            done.append(True)
            print(f"at {units:,} of {all_units:,}: {what}", flush=True)
            act()

    return progress


def same(name: str, theirs: Any, ours: Any) -> None:
    """Say whether two results are the same, and end with a failure if not."""
    is_same = bool((theirs.tally == ours.tally).all())
    print(f"{name}: {theirs.hands:,} hands, {theirs.fingerprint}, by threads {ours.fingerprint}", flush=True)
    if not is_same:
        raise SystemExit("the counts differ")


def spoiled(folder: Path, spoil: Callable[[Machines], None], what: str) -> None:
    """Play games and boards, kept and not, while something happens half-way."""
    for length in ({"boards": 2_000_000}, {"games": 200_000}):
        spec: Any = make_spec("easy", "hard", seed=9, **length)  # type: ignore[arg-type]
        ours = play_duel(spec)
        for keep in (None, Keep(folder / f"run{spec.kind}")):
            with machines() as them:
                theirs = play_duel(
                    spec, workers=them.address, progress=at_half(partial(spoil, them), what), keep=keep
                )
            same(f"{next(iter(length))}{'' if keep is None else ' kept'}", theirs, ours)


def kill_worker(them: Machines) -> None:
    """Kill one of the workers."""
    os.kill(them.workers[0].pid, signal.SIGKILL)


def kill_scheduler(them: Machines) -> None:
    """Kill the scheduler."""
    os.kill(them.scheduler.pid, signal.SIGKILL)
    them.scheduler.wait()


def restart(them: Machines) -> None:
    """Kill the scheduler, and start everything again."""
    kill_scheduler(them)
    them.start()


def lost(folder: Path) -> None:
    """Lose the scheduler for good, then go on with the run alone."""
    cluster.PATIENCE = 3.0
    spec = make_spec("easy", "hard", games=200_000, seed=9)
    with machines() as them:
        act = at_half(partial(kill_scheduler, them), "kill -9 of the scheduler")
        try:
            play_duel(spec, workers=them.address, progress=act, keep=Keep(folder / "broken"))
        except UserError as error:
            print(f"error: {error}")
    resumed = resume_run(folder / "broken").result
    ours = play_duel(spec, keep=Keep(folder / "whole"))
    same("resumed", resumed, ours)
    parts = [
        {file.name: file.read_bytes() for file in (folder / name).glob("part-*")}
        for name in ("broken", "whole")
    ]
    print(f"{len(parts[0])} parts, the same byte for byte: {parts[0] == parts[1]}")


def processor_time() -> float:
    """Seconds of this process and of all that it has started, without other work on the machine."""
    import psutil  # comes with Dask

    this = psutil.Process()
    times = [process.cpu_times() for process in (this, *this.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


def speed(hands: int) -> None:
    """Print rates in turn, by the clock and by processor time, and the ratios of rounds beside each other."""
    names = ("threads:2", "dask:2", "processes:2")
    for length in ({"games": hands // 17 * 2}, {"boards": hands // 2}):
        spec: Any = make_spec("hard", "hard", **length)  # type: ignore[arg-type]
        warm: Any = make_spec("hard", "hard", **{kind: n // 100 * 2 for kind, n in length.items()})  # type: ignore[arg-type]
        for name in names:
            play_duel(warm, workers=name)
        rates: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(ROUNDS):
            for name in names:
                begun = processor_time()
                result = play_duel(spec, workers=name)
                rates[name].append(result.hands / (processor_time() - begun))
                told = f"{result.hands_per_second:,.0f}/s, {rates[name][-1]:,.0f} a second of a processor"
                print(f"{length} {name}: {result.hands:,} hands, {told}", flush=True)
        for name in names[1:]:
            pairs = zip(rates[name], rates[names[0]], strict=True)
            ratios = sorted(theirs / ours for theirs, ours in pairs)
            told = ", ".join(f"{ratio:.3f}" for ratio in ratios)
            print(f"{name} against threads: {statistics.median(ratios):.3f} ({told})", flush=True)
    close_all()


def costs() -> None:
    """Print what a chunk costs beside its play, by chunks of very few boards, and the size of an errand."""
    from spadesim.match.duel import load, seat_sides
    from spadesim.match.travel import pack

    spec = make_spec("hard", "medium", boards=4000)
    sides = load(spec.a), load(spec.b)
    print(f"an errand: {len(pack(spec, sides, seat_sides(spec, sides))):,} bytes")
    for name in ("threads:2", "processes:2", "dask:2"):
        play_duel(spec, workers=name)
        begun, ours, all_ours = time.perf_counter(), time.process_time(), processor_time()
        play_duel(spec, workers=name, chunk=4)
        seconds = time.perf_counter() - begun
        told = (
            f"of this process {time.process_time() - ours:.2f} s, of all {processor_time() - all_ours:.2f} s"
        )
        print(f"{name}: 1000 chunks of 4 boards, {seconds:.2f} s; processor time {told}", flush=True)
    close_all()


if __name__ == "__main__":
    print(f"spadesim {spadesim.__version__}")
    with tempfile.TemporaryDirectory(prefix="spadesim-cluster-") as place:
        match sys.argv[1]:
            case "kill":
                spoiled(Path(place), kill_worker, "kill -9 of one worker")
            case "restart":
                spoiled(Path(place), restart, "kill -9 of the scheduler, and a new start")
            case "lost":
                lost(Path(place))
            case "speed":
                speed(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000)
            case "costs":
                costs()
