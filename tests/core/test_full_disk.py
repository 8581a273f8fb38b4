"""Where nothing compiled can be kept, everything works and nothing is promised."""

import subprocess
import sys
from pathlib import Path

import pytest

from spadesim.match import run
from tests.match.bots import write_bot

pytestmark = [
    pytest.mark.compiled_only,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason=""),
]

# No process can write a file after this, which is what a full disk is like. The engine is in the cache, for
# compiling it once more would prove nothing that a bot and a function of its own do not.
CROWDED = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from spadesim.cli.app import main
from spadesim.core import _jit
_jit.cache_root()
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.path.insert(0, sys.argv[1])
import fresh
answer = fresh.twice(21)
code = main(sys.argv[2:])
print(answer, _jit.why_nothing_is_kept())
sys.exit(code)
"""

FRESH = """\
from spadesim.strategy import jit


@jit
def twice(number):
    return 2 * number
"""


def test_what_cannot_be_kept_is_called_and_plays_all_the_same(tmp_path: Path) -> None:
    run.prepare_engine()
    (tmp_path / "fresh.py").write_text(FRESH)
    bot = write_bot(tmp_path, "crowded_out")
    words = [sys.executable, "-c", CROWDED, str(tmp_path), "duel", bot, "lowest_card", "--games", "2"]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "compiling crowded_out\n" in done.stderr
    assert "first run only" not in done.stderr
    last = done.stdout.splitlines()[-1]
    assert last.startswith("42 the cache folder")
    assert last.endswith("cannot be written: File too large")


def test_a_duel_says_once_that_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "is_kept", lambda function: False)
    for place in ("spadesim.match.run", "spadesim.strategy.compiled"):
        monkeypatch.setattr(f"{place}.why_nothing_is_kept", lambda: "the disk is full")
    notes: list[str] = []
    run.prepare_engine(notes.append)
    assert notes == ["compiling the engine", "nothing compiled is kept for the next run: the disk is full"]
