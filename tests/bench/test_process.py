"""The command as a whole process: from the shell to the last line, warm and cold, and the memory it takes."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench.measure import Show, compare, median_of

SPADESIM = [sys.executable, "-m", "spadesim"]
DUEL = [*SPADESIM, "duel", "easy", "hard", "--quiet", "--games"]

# Runs the rest of its command line; prints how much memory that process held at most, in kilobytes.
PEAK = """\
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""

BARE_APP = """\
import typer
app = typer.Typer()
@app.command()
def one(n: int = 1) -> None: "The one."
@app.command()
def other(n: int = 1) -> None: "The other."
app()
"""


def run(command: list[str], **env: str) -> str:
    """Run a command to its end, and return what it printed."""
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | env)
    return done.stdout


def test_duel_in_a_process_of_its_own(benchmark: Any, show: Show) -> None:
    seconds = median_of(benchmark, lambda: run([*DUEL, "100000"]), rounds=3)
    show(f"duel easy hard --games 100000: {seconds:.1f} s from start to end")


def test_duel_with_an_empty_cache(benchmark: Any, show: Show, tmp_path: Path) -> None:
    def play() -> None:
        run([*DUEL, "100000"], SPADESIM_CACHE_DIR=str(tmp_path))

    benchmark.pedantic(play, rounds=1)
    show(f"duel easy hard --games 100000 with nothing compiled: {benchmark.stats.stats.median:.0f} s")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no getrusage")
@pytest.mark.parametrize("n_games", [10_000, 100_000, 1_000_000])
def test_memory(benchmark: Any, show: Show, n_games: int) -> None:
    command = [sys.executable, "-c", PEAK, *DUEL, str(n_games)]
    peak = benchmark.pedantic(lambda: run(command), rounds=1)
    show(f"memory of {n_games:,} games at its highest: {int(peak) / 1024:.0f} MB")


def test_help_against_a_bare_app(benchmark: Any, show: Show) -> None:
    bare = [sys.executable, "-c", BARE_APP, "--help"]
    own, other, ratio = compare(benchmark, lambda: run([*SPADESIM, "--help"]), lambda: run(bare))
    show(f"--help: {own:.2f} s; a bare Typer app of two commands: {other:.2f} s; {1 / ratio:.2f} of it")
