"""The one jit decorator, and the directories in which its machine code is kept.

numba notices an edit only in the file that holds a function, never in the helpers that the function
compiled in. So every cache directory is named by a digest of all sources behind it: one directory for
this package's compiled layer, one for each strategy file together with whatever it imports.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib.util
import os
import pickle
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.caching import NullCache

from spadesim._doors import is_checkout

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
CORE_SOURCES = (PACKAGE / "core", PACKAGE / "tactics.py")
IN_CHECKOUT = is_checkout(PACKAGE.parent)
BUNDLED_STRATEGIES = (PACKAGE.parent if IN_CHECKOUT else PACKAGE) / "strategies"
COMPILED = not numba.config.DISABLE_JIT
KEEP_DAYS = 30
ROOM = 1 << 20  # bytes; the engine and a bot take some megabytes
CODE_FILE = re.compile(r"\.nb[ic](\.tmp\..*)?$")
NOT_THE_AUTHORS = {*sys.stdlib_module_names, "spadesim", "numba", "numpy"}


def inlined(function: F) -> F:
    """As `jit`, written out in every caller: a loop over it can then become vector instructions."""
    return jit(function, inline="always")


def jit_within(function: F) -> F:
    """As `jit`, its machine code put into that of every caller: no call, and results stay in registers."""
    return jit(function, within=True)


def jit(function: F, inline: str = "never", within: bool = False) -> F:
    """`function` compiled without the interpreter, its machine code cached beside that of its file.

    With ``NUMBA_DISABLE_JIT=1`` the function comes back as it is.
    """
    if not COMPILED:
        return function
    file = Path(function.__code__.co_filename)
    directory = cache_directory(file) if file.is_file() else None  # typed into a notebook or a shell
    options: dict[str, Any] = {"nogil": True, "cache": directory is not None, "inline": inline}
    options["forceinline"] = within
    if not is_ours(file):
        options["boundscheck"] = (
            True  # an index out of range is an error in a bot, not the end of the process
        )
    with caching_in(directory):
        compiled: F = numba.njit(**options)(function)
    if directory is not None:
        _keep_what_can_be_kept(compiled)
    _jitted.append(compiled)
    return compiled


_jitted: list[Any] = []


def _keep_what_can_be_kept(compiled: Any) -> None:
    """Have a function work without its machine code kept where the disk is full."""
    save = compiled._cache.save_overload

    def save_if_possible(signature: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            save(signature, data)

    compiled._cache.save_overload = save_if_possible


def compile_safely(compile_now: Callable[[], None]) -> None:
    """Compile with the cache, without it where it cannot be written, and anew where it is damaged."""
    try:
        compile_now()
    except (EOFError, pickle.UnpicklingError):
        clear_cache()
        compile_now()
    except OSError:
        for function in _jitted:
            function._cache = NullCache()
        compile_now()


@contextlib.contextmanager
def caching_in(directory: Path | None) -> Iterator[None]:
    """Have functions that are decorated inside the block keep their machine code in `directory`."""
    before = numba.config.CACHE_DIR
    if directory is not None:
        numba.config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@cache
def cache_root() -> Path | None:
    """The folder for all cached machine code, or None where nothing can be written.

    ``SPADESIM_CACHE_DIR``, else ``XDG_CACHE_HOME``/spadesim, else ~/.cache/spadesim, else a private
    folder for temporary files.
    """
    for candidate in _cache_candidates():
        if _is_usable(candidate):
            return candidate
    return None


def _cache_candidates() -> Iterator[Path]:
    if chosen := os.environ.get("SPADESIM_CACHE_DIR"):
        yield Path(chosen)
    if xdg := os.environ.get("XDG_CACHE_HOME"):
        yield Path(xdg) / "spadesim"
    with contextlib.suppress(RuntimeError):
        yield Path.home() / ".cache" / "spadesim"
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"spadesim-{owner}"


def _is_usable(folder: Path) -> bool:
    """Whether `folder` can be written and is nobody else's (cached code is executed when it is read)."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


@cache
def why_nothing_is_kept() -> str:
    """Why machine code cannot be kept for the next run, "" where it can."""
    root = cache_root()
    if root is None:
        return "no folder for it can be written"
    try:
        with tempfile.TemporaryFile(dir=root) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        return f"the cache folder '{root}' cannot be written: {error.strerror}"
    return ""


def cache_directory(file: Path) -> Path | None:
    """The folder for the machine code of the functions in `file`, or None where nothing can be written."""
    root = cache_root()
    if root is None:
        return None
    file = file.resolve()
    name = f"core-{core_digest()}" if is_core(file) else f"{file.stem}-{strategy_digest(file)}"
    folder = root / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
    except OSError:
        return None
    return folder


def is_ours(file: Path) -> bool:
    """Whether `file` comes with the package, whose indexes are checked by its own tests."""
    file = file.resolve()
    return PACKAGE in file.parents or BUNDLED_STRATEGIES in file.parents


def is_core(file: Path) -> bool:
    """Whether `file` belongs to this package's compiled layer."""
    return any(file == source or source in file.parents for source in CORE_SOURCES)


@cache
def core_digest() -> str:
    """12 hexadecimal digits that change when any compiled source of the package or its compiler does."""
    return hashlib.sha256(f"{_toolchain()}{engine_digest()}".encode()).hexdigest()[:12]


def engine_digest() -> str:
    """12 hexadecimal digits over the engine's sources, whatever they are compiled with."""
    digest = hashlib.sha256()
    folder, tactics = CORE_SOURCES
    for file in [*sorted(folder.glob("*.py")), tactics]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def _toolchain() -> str:
    bounds = numba.config.BOUNDSCHECK
    return f"{numba.__version__} {np.__version__} {platform.python_version()} {platform.machine()} {bounds}"


def strategy_digest(file: Path) -> str:
    """12 hexadecimal digits that change when `file` or anything it imports that is not installed does.

    This names the strategy's cache directory together with the engine that it was compiled against;
    `source_digest` is the part that depends on the strategy alone.
    """
    return hashlib.sha256((core_digest() + source_digest(file)).encode()).hexdigest()[:12]


def source_digest(file: Path) -> str:
    """12 hexadecimal digits over the text of `file` and of every file of the author's that it imports."""
    digest = hashlib.sha256()
    for source in import_closure(file):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    return digest.hexdigest()[:12]


def import_closure(file: Path) -> list[Path]:
    """`file` and the files that it imports, directly or not, in a fixed order.

    Installed packages and this package's own engine are left out: the toolchain and the core digest
    stand for them.
    """
    found: list[Path] = []
    waiting = [file.resolve()]
    while waiting:
        source = waiting.pop(0)
        if source not in found and source.is_file():
            found.append(source)
            state = source.stat()
            waiting.extend(_imported_files(source, state.st_mtime_ns, state.st_size))
    return [found[0], *sorted(found[1:])] if found else []


@cache
def _imported_files(source: Path, _mtime_ns: int, _size: int) -> list[Path]:
    """The author's files that one file imports; parsed again only when the file has changed."""
    try:
        tree = ast.parse(source.read_bytes())
    except (SyntaxError, ValueError):
        return []
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            names += [module] + [f"{module}.{alias.name}".lstrip(".") for alias in node.names]
    files = [_file_of_module(name, source.parent) for name in names if name]
    return [file for file in files if file is not None]


def _file_of_module(name: str, beside: Path) -> Path | None:
    """The file of an imported module when it is the author's own, beside the strategy or bundled."""
    if name.startswith("spadesim.strategies."):
        tail = name.removeprefix("spadesim.strategies.").split(".")
        candidates = [BUNDLED_STRATEGIES.joinpath(*tail)]
    elif name.partition(".")[0] in NOT_THE_AUTHORS:
        return None
    else:
        candidates = [beside.joinpath(*name.split(".")), *_on_path(name)]
    for candidate in candidates:
        for file in (candidate.with_suffix(".py"), candidate / "__init__.py"):
            if file.is_file() and "site-packages" not in file.parts:
                return file.resolve()
    return None


def _on_path(name: str) -> Iterator[Path]:
    with contextlib.suppress(ImportError, ValueError, AttributeError):
        spec = importlib.util.find_spec(name.partition(".")[0])
        if spec and spec.origin and spec.origin.endswith(".py"):
            top = Path(spec.origin)
            top = top.parent if top.name == "__init__.py" else top.with_suffix("")
            yield top.joinpath(*name.split(".")[1:])


@contextlib.contextmanager
def compiling_alone() -> Iterator[None]:
    """Hold the cache while compiling, so that two processes never write one cache at the same moment.

    Whoever waits finds the work done. The lock goes with the process that holds it.
    """
    root = cache_root()
    try:
        import fcntl
    except ImportError:  # no advisory locks on this system: numba's own atomic renames must do
        root = None
    if root is None:
        yield
        return
    try:
        handle = open(root / "lock", "a")  # noqa: SIM115
    except OSError:
        yield
        return
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def prune_cache(days: float = KEEP_DAYS) -> None:
    """Remove cache folders that nobody has used for `days` days."""
    root = cache_root()
    if root is None:
        return
    oldest = time.time() - days * 86400
    for folder in _code_folders(root):
        with contextlib.suppress(OSError):
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def clear_cache() -> None:
    """Remove all cached machine code."""
    root = cache_root()
    for folder in _code_folders(root) if root else []:
        shutil.rmtree(folder, ignore_errors=True)


def _code_folders(root: Path) -> list[Path]:
    """The folders below `root` that this module made, by name and content; whatever else lies there stays."""
    return [
        folder
        for folder in root.iterdir()
        if re.search(r"-[0-9a-f]{12}$", folder.name)
        and folder.is_dir()
        and all(file.is_dir() or CODE_FILE.search(file.name) for file in folder.rglob("*"))
    ]
