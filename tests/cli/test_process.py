"""The command as a process of its own: what it imports, signals, pipes, and folders it cannot use."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from spadesim.analysis.lines import LETTERS
from spadesim.cli.app import main
from spadesim.strategy import load_strategy

pytestmark = pytest.mark.compiled_only

HEAVY = ["matplotlib", "numba", "numpy", "pandas", "scipy", "statsmodels"]
SPADESIM = [sys.executable, "-m", "spadesim"]
ENDLESS = ["duel", "easy", "lowest_card", "--games", "1_000_000_000"]
BAR = b" left "
PATIENCE = 120  # seconds that a bar may take to appear on a busy machine


@pytest.mark.parametrize(
    "arguments",
    ["--help", "--version", "duel --help", "run --help", "strategies --help", "strategies new --help"],
)
def test_help_imports_nothing_heavy(arguments: str) -> None:
    code = (
        "import sys; from spadesim.cli.app import main; code = main(sys.argv[1:]); "
        f"assert code == 0; assert not {{*{HEAVY}}} & {{*sys.modules}}, {{*{HEAVY}}} & {{*sys.modules}}"
    )
    command = [sys.executable, "-c", code, *arguments.split()]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@contextmanager
def playing(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that plays, its standard error a terminal on which the bar of progress has appeared."""
    main(["duel", "easy", "lowest_card", "--games", "2", "--quiet"])  # so that nothing has to be compiled
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [*SPADESIM, *arguments], stdout=subprocess.PIPE, stderr=end, start_new_session=True
    )
    os.close(end)
    try:
        seen, begun = b"", time.monotonic()
        while BAR not in seen:
            assert time.monotonic() - begun < PATIENCE, seen
            seen += os.read(terminal, 4096)
        yield process
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


def test_ctrl_c_shows_what_was_measured() -> None:
    with playing(*ENDLESS) as process:
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    lines = out.decode().splitlines()
    assert lines[0].startswith("Partial, after ")
    assert lines[-1].startswith("again")


def test_kill_leaves_nothing_half_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    with playing(*ENDLESS, "--report", str(page)) as process:
        process.kill()
        out, _ = process.communicate(timeout=60)
    assert out == b""
    assert page.read_text() == "old"
    assert list(tmp_path.iterdir()) == [page]


def test_a_reader_that_goes_away() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [*SPADESIM, "duel", "easy", "lowest_card", "--games", "2"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 1
    assert done.stderr == b""


def machine_code(folder: Path) -> dict[str, tuple[int, int]]:
    """When each file of machine code below a folder was written, and its size."""
    return {
        str(file.relative_to(folder)): (file.stat().st_mtime_ns, file.stat().st_size)
        for file in folder.rglob("*.nb?")
    }


@pytest.mark.slow
def test_two_processes_warm_one_cache_in_a_home_that_is_none_for_a_third(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_bytes(Path(__file__).parents[2].joinpath("strategies", "_template.py").read_bytes())
    nowhere = {"HOME": os.devnull, "SPADESIM_CACHE_DIR": f"{os.devnull}/cache", "TMPDIR": str(tmp_path)}
    env = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"} | nowhere
    command = [*SPADESIM, "duel", str(bot), "lowest_card", "--games", "20", "--json"]

    def ends(n: int) -> list[tuple[bytes, bytes]]:
        processes = [
            subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(n)
        ]
        found = [process.communicate(timeout=500) for process in processes]
        assert [process.returncode for process in processes] == [0] * n, found
        return found

    both = ends(2)
    kept = machine_code(tmp_path)
    folders = sorted({Path(name).parts[1] for name in kept})
    assert [name.rpartition("-")[0] for name in folders] == ["bot", "core", "easy", "lowest_card"]
    all_three = [*both, *ends(1)]
    assert machine_code(tmp_path) == kept
    prints = [line for out, _ in all_three for line in out.decode().splitlines() if "fingerprint" in line]
    assert len(prints) == 3
    assert len(set(prints)) == 1
    assert not any(b"Traceback" in err for _, err in all_three)


ENDLESS_BOT = """
from spadesim.core.cards import lowest
from spadesim.strategy import jit
@jit
def bid(view, p):
    print("asked")
    n = 0
    while view.seat >= 0:
        n ^= 3
    return n & 3
@jit
def play(view, p):
    return lowest(view.legal)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "n_presses"),
    [("show BOT easy", 1), ("strategies check BOT", 1), ("duel BOT easy --games 2", 2)],
)
def test_ctrl_c_ends_a_bot_that_never_comes_back(command: str, n_presses: int, tmp_path: Path) -> None:
    """At once, or at the second time where the first one waits for the hands in play."""
    bot = tmp_path / "endless.py"
    bot.write_text(ENDLESS_BOT)
    load_strategy(str(bot))
    process = subprocess.Popen(
        [*SPADESIM, *command.replace("BOT", str(bot)).split()],
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # While games are played, what bots print goes to standard error.
    told = process.stderr if command.startswith("duel") else process.stdout
    assert told
    try:
        while told.readline() != b"asked\n":  # after which it is in the endless loop
            assert process.poll() is None
        for press in range(n_presses):
            if press > 0:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=3)  # long enough to have noticed
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert out == b""
    assert b"Traceback" not in err


SLOW_BOT = """
from spadesim.core.cards import lowest
from spadesim.strategy import jit
@jit
def bid(view, p):
    n = 0
    for k in range(1_000_000 if view.hand else 0):  # too slow without the compiler
        n ^= k & view.seat
    return 3 + (n & 1) - (n & 1)
@jit
def play(view, p):
    return lowest(view.legal)
"""


@pytest.mark.slow
def test_ctrl_c_in_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    """Pressed while another process answers without the compiler, in a folder of its own."""
    bot, temporary = tmp_path / "slow.py", tmp_path / "temporary"
    bot.write_text(SLOW_BOT)
    temporary.mkdir()
    load_strategy(str(bot))
    command = [*SPADESIM, "strategies", "check", str(bot), "--rules", "pata", "--positions", "2000"]
    process = subprocess.Popen(
        command,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        while not list(temporary.glob("spadesim-*/views")) and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    assert list(temporary.iterdir()) == []


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    """Nothing else is blamed for it."""
    gone = tmp_path / "gone"
    for words in (
        "duel easy lowest_card --games 2",
        "run lader",
        "strategies check ./bot.py",
        "rules show my.toml",
    ):
        gone.mkdir()
        code = (
            "import os, sys; os.rmdir(os.getcwd()); from spadesim.cli.app import main; "
            f"sys.exit(main({words.split()}))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=gone,
            check=False,
            capture_output=True,
            text=True,
            env=os.environ | {"SPADESIM_CACHE_DIR": str(tmp_path / words.split()[0])},
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert (
            done.stderr.splitlines()[-1]
            == "spadesim: error: The current folder no longer exists; change to another one."
        )


def test_the_first_moments_of_a_process_in_any_locale() -> None:
    """Without UTF-8, and from a checkout, whose files have words in them that ASCII lacks."""
    env = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run([*SPADESIM, "rules", "show", "pata"], env=env, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"pata")


# In one process for each encoding, for a process costs more than all that is printed.
PRINTED = [
    "rules show draw500",
    "rules diff pata draw300",
    "rules list",
    "duel easy hard --games 20 --seed 3",
]
PRINT = f"from spadesim.cli.app import main\nfor words in {PRINTED}: assert main(words.split()) == 0, words"


def printed(encoding: str) -> str:
    env = os.environ | {"PYTHONIOENCODING": encoding}
    done = subprocess.run([sys.executable, "-c", PRINT], env=env, check=True, capture_output=True)
    return re.sub(r"[\d.,]+ s, [\d.,]+/s", "TIME", done.stdout.decode(encoding))


@pytest.fixture(scope="module")
def usual() -> str:
    return printed("utf-8")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_signs_that_an_encoding_lacks_are_letters(usual: str, encoding: str) -> None:
    shown = "".join(sign if _is_in(sign, encoding) else sign.translate(LETTERS) for sign in usual)
    assert shown.encode(encoding)
    assert shown != usual
    assert printed(encoding) == shown


def _is_in(sign: str, encoding: str) -> bool:
    try:
        return bool(sign.encode(encoding))
    except UnicodeEncodeError:
        return False


def test_a_terminal_that_does_not_know_its_width() -> None:
    env = os.environ | {"COLUMNS": "0"}
    done = subprocess.run(
        [*SPADESIM, "rules", "show", "pata"], env=env, check=False, capture_output=True, text=True
    )
    assert "Spades are trumps" in done.stdout
