"""The cache of machine code: where it lies, and that old code is never run after an edit."""

import ast
import multiprocessing
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spadesim.core import _jit
from spadesim.core._jit import (
    cache_directory,
    cache_root,
    compiling_alone,
    core_digest,
    import_closure,
    is_core,
    jit,
    prune_cache,
    source_digest,
    strategy_digest,
)

ROOT = Path(__file__).parent.parent.parent
DAY = 86_400


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Have the chosen cache folder and the core's digest found out anew in each test, and after the last."""
    for function in (cache_root, core_digest):
        function.cache_clear()
    yield
    for function in (cache_root, core_digest):
        function.cache_clear()


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


# ---------------------------------------------------------------------------------------- where it is kept


def test_the_folder_that_is_asked_for_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path / "a" / "b"))
    assert cache_root() == tmp_path / "a" / "b"
    assert (tmp_path / "a" / "b").is_dir()


def test_otherwise_the_users_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPADESIM_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_root() == tmp_path / "xdg" / "spadesim"
    cache_root.cache_clear()
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_root() == tmp_path / "home" / ".cache" / "spadesim"


def test_a_place_that_cannot_be_written_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the end there is a private folder among the temporary files."""
    blocked = write(tmp_path / "file", "in the way")
    for name in ("SPADESIM_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(blocked / "below"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temporary"))
    root = cache_root()
    assert root is not None
    assert root.parent == tmp_path / "temporary"
    assert root.name.startswith("spadesim-")
    assert root.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners here")
def test_a_folder_of_somebody_else_is_not_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached code is executed when it is read."""
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("os.getuid", lambda: 123_456)
    assert cache_root() is None


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder can be written."""
    monkeypatch.setattr(_jit, "_is_usable", lambda folder: False)


@pytest.mark.usefixtures("nowhere")
def test_without_a_folder_everything_works_uncached(tmp_path: Path) -> None:
    file = write(tmp_path / "bot.py", "def double(x):\n    return 2 * x\n")
    assert cache_directory(file) is None
    with compiling_alone():
        assert jit(loaded(file, "double"))(21) == 42
    prune_cache()
    assert [path.name for path in tmp_path.iterdir()] == ["bot.py"]


def test_a_folder_that_cannot_be_made_means_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path))
    file = write(tmp_path / "bot.py", "X = 1\n")
    folder = cache_directory(file)
    assert folder is not None
    folder.rmdir()
    write(folder, "in the way")
    assert cache_directory(file) is None


def loaded(file: Path, name: str) -> Callable[..., Any]:
    """Return a function out of a file that is run as it is."""
    space: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), space)
    function: Callable[..., Any] = space[name]
    return function


def test_a_function_from_no_file_is_compiled_all_the_same() -> None:
    """Typed into a shell, for example."""
    space: dict[str, Any] = {}
    exec("def triple(x):\n    return 3 * x\n", space)
    assert jit(space["triple"])(14) == 42


def test_the_core_and_each_strategy_have_folders_of_their_own(tmp_path: Path) -> None:
    rng = ROOT / "spadesim" / "core" / "rng.py"
    tactics = ROOT / "spadesim" / "tactics.py"
    easy = ROOT / "strategies" / "easy.py"
    other = write(tmp_path / "easy.py", "X = 1\n")
    assert [is_core(file) for file in (rng, tactics, easy, other)] == [True, True, False, False]
    folders = [cache_directory(file) for file in (rng, tactics, easy, other)]
    names = [folder.name for folder in folders if folder is not None]
    assert names[0] == names[1] == f"core-{core_digest()}"
    assert names[2] == f"easy-{strategy_digest(easy)}"
    assert names[3] == f"easy-{strategy_digest(other)}"
    assert len(set(names)) == 3


# ---------------------------------------------------------------------------------------------- what names it


def test_any_edit_in_the_core_gives_it_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "spadesim"
    shutil.copytree(ROOT / "spadesim" / "core", package / "core")
    shutil.copy(ROOT / "spadesim" / "tactics.py", package)
    monkeypatch.setattr(_jit, "CORE_SOURCES", (package / "core", package / "tactics.py"))
    digests = [core_digest()]
    for file in [*sorted((package / "core").glob("*.py")), package / "tactics.py"]:
        file.write_text(file.read_text() + "\n# edited\n")
        core_digest.cache_clear()
        digests.append(core_digest())
    assert len(set(digests)) == len(digests) > 10


def test_another_compiler_gives_the_core_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    before = core_digest()
    for version in ("numba.__version__", "numpy.__version__"):
        core_digest.cache_clear()
        monkeypatch.setattr(version, "0.0.1")
        assert core_digest() != before
        before = core_digest()


def test_a_strategys_folder_changes_with_its_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its digest as provenance does not: that speaks of the strategy alone."""
    file = write(tmp_path / "bot.py", "X = 1\n")
    before, source = strategy_digest(file), source_digest(file)
    monkeypatch.setattr(_jit, "core_digest", lambda: "another")
    assert strategy_digest(file) != before
    assert source_digest(file) == source


def test_an_edit_anywhere_in_an_authors_own_files_is_noticed(tmp_path: Path) -> None:
    """The file, a helper beside it, a helper's helper, modules of a package, however they are imported."""
    bot = write(tmp_path / "bot.py", "import helper\nfrom kit import tools\nimport kit.more\nimport numpy\n")
    helpers = [
        write(tmp_path / "helper.py", "from deep import X\n"),
        write(tmp_path / "deep.py", "X = 1\nimport bot\n"),  # imports go round in a circle
        write(tmp_path / "kit" / "__init__.py", ""),
        write(tmp_path / "kit" / "tools.py", "Y = 1\n"),
        write(tmp_path / "kit" / "more.py", "Z = 1\n"),
    ]
    write(tmp_path / "unrelated.py", "W = 1\n")
    assert import_closure(bot) == [bot, *sorted(helpers)]
    digests = [source_digest(bot)]
    for file in [bot, *helpers, tmp_path / "unrelated.py"]:
        file.write_text(file.read_text() + "# edited\n")
        digests.append(source_digest(bot))
    assert len(set(digests)) == len(digests) - 1
    assert digests[-1] == digests[-2]


def test_bundled_helpers_of_a_strategy_count_and_the_engine_does_not(tmp_path: Path) -> None:
    bot = write(
        tmp_path / "bot.py",
        "from spadesim.core.cards import lowest\nfrom spadesim.strategies import easy\n"
        "import spadesim.strategies.lowest_card\nimport spadesim.tactics\nimport math, numba, pytest\n",
    )
    strategies = ROOT / "strategies"
    found = import_closure(bot)
    assert found[0] == bot
    assert {strategies / "easy.py", strategies / "lowest_card.py"} <= set(found)
    assert not [file for file in found[1:] if file.parent != strategies]


def test_a_module_of_the_authors_elsewhere_on_the_path_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write(tmp_path / "bots" / "bot.py", "import spades_kit.bids\nimport lone_spades_tool\n")
    library = tmp_path / "library"
    tools = [
        write(library / "lone_spades_tool.py", "X = 1\n"),
        write(library / "spades_kit" / "__init__.py", ""),
        write(library / "spades_kit" / "bids.py", "Y = 1\n"),
    ]
    monkeypatch.syspath_prepend(str(library))
    assert set(import_closure(bot)) == {bot, tools[0], tools[2]}


def test_a_file_that_cannot_be_read_as_python_stands_alone(tmp_path: Path) -> None:
    broken = write(tmp_path / "broken.py", "import helper\ndef bid(:\n")
    write(tmp_path / "helper.py", "")
    with pytest.raises(SyntaxError):
        ast.parse(broken.read_text())
    assert import_closure(broken) == [broken]
    assert import_closure(tmp_path / "missing.py") == []


# ---------------------------------------------------------------------------------------------------- pruning


def test_only_folders_that_nobody_has_used_for_long_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path))
    ours = [f"{name}-0123456789ab" for name in ("old", "young", "new")]
    for name, days in zip([*ours, "photos"], (40, 20, 0, 40), strict=True):
        write(tmp_path / name / "core_1" / "code.nbc", "")
        os.utime(tmp_path / name, (time.time() - days * DAY,) * 2)
    write(tmp_path / "album-0123456789ab" / "a.jpg", "not ours by what lies in it")
    os.utime(tmp_path / "album-0123456789ab", (0, 0))
    lock = write(tmp_path / "lock", "")
    os.utime(lock, (0, 0))
    prune_cache()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "album-0123456789ab",
        "lock",
        ours[2],
        "photos",
        ours[1],
    ]
    prune_cache(days=10)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "album-0123456789ab",
        "lock",
        ours[2],
        "photos",
    ]


def test_using_a_folder_makes_it_young_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path / "cache"))
    file = write(tmp_path / "bot.py", "X = 1\n")
    folder = cache_directory(file)
    assert folder is not None
    os.utime(folder, (0, 0))
    assert cache_directory(file) == folder
    prune_cache()
    assert folder.is_dir()


# ------------------------------------------------------------------------------------------------------ alone


def hold_the_lock(began: Any, end: Any) -> None:
    with compiling_alone():
        began.set()
        end.wait(20)


def test_one_process_compiles_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another waits until the lock is given back, also when its holder is killed."""
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path))
    processes = multiprocessing.get_context("spawn")
    began, end = processes.Event(), processes.Event()
    holder = processes.Process(target=hold_the_lock, args=(began, end))
    holder.start()
    assert began.wait(60)
    with open(tmp_path / "lock", "a") as handle, pytest.raises(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    holder.kill()
    holder.join()
    with compiling_alone(), open(tmp_path / "lock", "a") as handle, pytest.raises(BlockingIOError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with open(tmp_path / "lock", "a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_lock_that_cannot_be_opened_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPADESIM_CACHE_DIR", str(tmp_path))
    (tmp_path / "lock").mkdir()
    with compiling_alone():
        pass


# -------------------------------------------------------------------------------------------------- for real

BOT = """
from helper import answer
from spadesim.core._jit import jit

@jit
def double(x):
    return 2 * answer(x)

print(double(4), sum(double.stats.cache_hits.values()))
"""
HELPER = "from spadesim.core._jit import jit\n\n@jit\ndef answer(x):\n    return x + {}\n"


def run(command: list[str], cache: Path) -> str:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "SPADESIM_CACHE_DIR": str(cache), "PYTHONPATH": path}
    done = subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.compiled_only
@pytest.mark.slow
def test_code_is_read_from_the_cache_until_a_helper_is_edited(tmp_path: Path) -> None:
    bot = write(tmp_path / "bot.py", BOT)
    helper = write(tmp_path / "helper.py", HELPER.format(1))
    command, cache = [sys.executable, str(bot)], tmp_path / "cache"
    assert run(command, cache) == "10 0"
    assert run(command, cache) == "10 1"
    helper.write_text(HELPER.format(2))
    assert run(command, cache) == "12 0"
    helper.write_text(HELPER.format(1))
    assert run(command, cache) == "10 1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bot.py", "cache", "helper.py"]


@pytest.mark.compiled_only
@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "size"), [(".nbi", 0), (".nbi", 20), (".nbc", 0), (".nbc", 20)])
def test_damaged_machine_code_is_made_anew(tmp_path: Path, suffix: str, size: int) -> None:
    bot = write(tmp_path / "bot.py", SMALL_BOT)
    environment = {**os.environ, "SPADESIM_CACHE_DIR": str(tmp_path / "cache")}
    command = [
        sys.executable,
        "-c",
        f"from spadesim.strategy import load_strategy; load_strategy({str(bot)!r})",
    ]
    subprocess.run(command, env=environment, cwd=ROOT, check=True)
    files = [file for file in (tmp_path / "cache").rglob(f"*{suffix}")]
    assert files
    for file in files:
        os.truncate(file, size)
    subprocess.run(command, env=environment, cwd=ROOT, check=True)


SMALL_BOT = """
from spadesim.strategy import jit

@jit
def bid(view, p):
    return 3

@jit
def play(view, p):
    card = 0
    while not (view.legal >> card) & 1:
        card += 1
    return card
"""
