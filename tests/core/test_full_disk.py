"""Where nothing compiled can be kept, everything works and nothing is promised."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.compiled_only,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason=""),
]

# No process can write a file after this, which is what a full disk is like.
CROWDED = """\
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from spadesim.cli.app import main
from spadesim.core import _jit
_jit.cache_root()
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.exit(main(sys.argv[1:]))
"""


def crowded(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CROWDED, *words],
        env=os.environ | {"SPADESIM_CACHE_DIR": str(folder)},
        check=False,
        capture_output=True,
        text=True,
    )


def test_a_jitted_function_is_called_all_the_same(tmp_path: Path) -> None:
    code = CROWDED.replace(
        "sys.exit(main(sys.argv[1:]))",
        ("from spadesim.selftest.checks import random_numbers; print(random_numbers())"),
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SPADESIM_CACHE_DIR": str(tmp_path)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "published numbers" in done.stdout


def test_a_duel_says_once_that_nothing_is_kept(tmp_path: Path) -> None:
    done = crowded(tmp_path, "duel", "lowest_card", "random_legal", "--games", "2")
    assert done.returncode == 0, done.stderr
    assert "first run only" not in done.stderr
    assert done.stderr.count("nothing compiled is kept for the next run: the cache folder") == 1
