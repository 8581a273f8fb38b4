"""What keeping a run costs, and whether it survives: the figures of docs/reference/run-folder.md.

python experiments/measure_runs.py speed     # the same duels with and without --out, in turn
python experiments/measure_runs.py kill      # kill -9 at 20 random moments, resumed each time
python experiments/measure_runs.py memory    # ten million hands, written and read back per bot
"""

import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SPADESIM = [sys.executable, "-m", "spadesim"]
ROUNDS = 11
KILLS = 20

READ_BACK = """
import resource, sys, time
import spadesim
begun = time.perf_counter()
run = spadesim.load(sys.argv[1])
sums = run.sums(["bot", "bid"], ["tricks", "nil_made", "new_bags", "ruffs"], bot="a")
print(sums.to_string(index=False))
print(f"sums per bot: {time.perf_counter() - begun:.1f} s, ", end="")
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
begun = time.perf_counter()
rows = run.seats(["bid", "tricks", "spades", "place"], bot="a.lower")
print(f"{len(rows):,} rows of one bot, 4 columns: {time.perf_counter() - begun:.1f} s, ", end="")
print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
"""


def seconds_of(*arguments: str) -> float:
    """Seconds at play and at writing, as the duel itself tells them."""
    import json

    done = subprocess.run([*SPADESIM, "duel", *arguments, "--json"], check=True, capture_output=True)
    return float(json.loads(done.stdout)["seconds"])


def processor_time(spec: Any, keep: Any = None) -> float:
    """Seconds that all threads together take to play a duel; the waits of a busy machine are not in it."""
    from spadesim.match.duel import play_duel

    begun = time.process_time()
    play_duel(spec, keep=keep)
    return time.process_time() - begun


def speed(folder: Path) -> None:
    """Print by how much recording slows duels down: the median of paired rounds, by processor time."""
    from spadesim.match.duel import Keep
    from spadesim.match.spec import make_spec

    for bot, length in (("hard", 10_000), ("easy", 24_000)):
        for kind, n in (("games", length), ("boards", 10 * length)):
            lengths: list[dict[str, Any]] = [{kind: n}, {kind: 200}]
            spec, warm = (make_spec(bot, bot, **asked) for asked in lengths)
            for record in ("rows", "cards"):
                processor_time(warm)
                processor_time(warm, Keep(folder / "warm", record))
                shutil.rmtree(folder / "warm")
                ratios = []
                for _ in range(ROUNDS):
                    plain = processor_time(spec)
                    ratios.append(processor_time(spec, Keep(folder / "run", record)) / plain - 1)
                    size = sum(file.stat().st_size for file in (folder / "run").glob("part-*"))
                    shutil.rmtree(folder / "run")
                text = ", ".join(f"{100 * ratio:.0f}" for ratio in sorted(ratios))
                print(f"{bot} {kind} {record}: +{100 * statistics.median(ratios):.1f} % ({text}), {size:,} B")


def wait_for_more(folder: Path, process: "subprocess.Popen[bytes]") -> None:
    """Wait until a run has a part more than now."""
    before = len(list(folder.glob("part-*")))
    while process.poll() is None and len(list(folder.glob("part-*"))) <= before:
        time.sleep(0.002)


def kill(folder: Path) -> None:
    """Kill a run again and again, resume it each time, and compare its parts with those of a whole one."""
    asked = ["easy", "hard", "--boards", "4000000", "--part", "10000"]
    begun = time.monotonic()
    at_play = seconds_of(*asked, "--out", str(folder / "whole"))
    at_start = time.monotonic() - begun - at_play
    print(f"{at_play:.1f} s at play, {at_start:.1f} s before and after")
    chance, words, there = random.Random(1), [*asked, "--out", str(folder / "killed")], []
    for number in range(KILLS):
        process = subprocess.Popen([*SPADESIM, "duel", *words, "-q"], stdout=subprocess.DEVNULL)
        if number % 4:  # while it plays
            wait_for_more(folder / "killed", process)
            time.sleep(chance.uniform(0.0, at_play / KILLS))
        else:  # at any moment, mostly before it plays
            time.sleep(chance.uniform(0.0, at_start + at_play / KILLS))
        if process.poll() is not None:
            print(f"it was over, or had failed, before it was killed: exit code {process.returncode}")
            break
        process.kill()
        process.wait()
        there.append(len(list((folder / "killed").glob("part-*"))))
        if (folder / "killed" / "run.json").exists():
            words = ["--resume", str(folder / "killed")]
    print(f"killed {len(there)} times; parts that were there then: {there}")
    subprocess.run([*SPADESIM, "duel", *words, "-q"], check=True)
    whole, killed = (
        {file.name: file.read_bytes() for file in (folder / name).glob("part-*")}
        for name in ("whole", "killed")
    )
    print(f"{len(whole)} parts, the same: {whole == killed}")
    subprocess.run([*SPADESIM, "runs", "verify", str(folder / "killed")], check=True)


def memory(folder: Path) -> None:
    """Play and read back ten million hands, and print the most memory that either took."""
    run = folder / "run"
    begun = time.monotonic()
    subprocess.run(
        [*SPADESIM, "duel", "easy", "hard", "--boards", "5000000", "-q", "--out", str(run)], check=True
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    size = sum(file.stat().st_size for file in run.glob("part-*"))
    print(
        f"written in {time.monotonic() - begun:.0f} s, {peak:.0f} MB at most; {size / 1e6:.0f} MB on the disk"
    )
    subprocess.run([sys.executable, "-c", READ_BACK, str(run)], check=True)


def main() -> None:
    """Measure what the command line names."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        {"speed": speed, "kill": kill, "memory": memory}[sys.argv[1]](Path(folder))


if __name__ == "__main__":
    main()
