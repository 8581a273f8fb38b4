"""A strategy as it was in an earlier revision: its file and its helpers, exported from git.

The exported files lie in the cache, in a folder named by what they hold. A bundled strategy of an earlier
revision is played with the bundled strategies and the tactics that it imports as they were then, but
always by today's engine.
"""

import ast
import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from spadesim.core._jit import PACKAGE, cache_root
from spadesim.errors import UserError
from spadesim.strategy.find import BUNDLED, Origin, folders_of_bundled

TACTICS = "spadesim.tactics"
N_COMMIT_DIGITS = 12


@dataclass(frozen=True)
class Export:
    """A strategy's file as it was, its commit, and the modules that it imports from then, not from today."""

    origin: Origin
    commit: str
    stand_ins: dict[str, Path]


def export(origin: Origin, revision: str) -> Export:
    """Write a strategy's file and its helpers as they were into the cache.

    Parameters
    ----------
    origin : Origin
        The strategy; its file need not exist any more.
    revision : str
        Anything that git reads as a commit.

    Raises
    ------
    UserError
        No git, no repository, no such revision, or no such file in it.
    """
    history = _History(origin.file, revision)
    is_bundled = origin.file.parent in folders_of_bundled()
    main = history.relative(origin.file)
    texts = dict(_with_helpers(history, main, is_bundled))
    modules = {_bundled_name(path, main): path for path in texts} if is_bundled else {}
    modules.pop("", None)
    folder = store_texts(_marked(texts, main, modules), main)
    stand_ins = {module: folder / path for module, path in modules.items()}
    return Export(Origin(origin.name, folder / main), history.commit[:N_COMMIT_DIGITS], stand_ins)


class _History:
    """One commit of the repository around a file."""

    def __init__(self, file: Path, revision: str) -> None:
        self.file = file
        folder = next(parent for parent in file.parents if parent.is_dir())
        try:
            self.top = Path(self._git(folder, "rev-parse", "--show-toplevel").strip()).resolve()
        except (OSError, subprocess.CalledProcessError) as error:
            reason = "git is not installed" if isinstance(error, OSError) else "it is in no git repository"
            raise UserError(f"'{file.name}' has no revision '{revision}': {reason}.") from error
        self.revision = revision
        try:
            name = f"{revision}^{{commit}}"
            self.commit = self._git(
                self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", name
            ).strip()
        except subprocess.CalledProcessError as error:
            raise UserError(f"There is no git revision '{revision}' in {self.top}.") from error
        listing = self._git(self.top, "ls-tree", "-r", "-z", "--name-only", self.commit)
        self.files = {PurePosixPath(name) for name in listing.split("\0") if name.endswith(".py")}

    @staticmethod
    def _git(folder: Path, *arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        done = subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
        return done.stdout.decode("utf-8", "surrogateescape")

    def relative(self, file: Path) -> PurePosixPath:
        return PurePosixPath(file.relative_to(self.top).as_posix())

    def read(self, path: PurePosixPath) -> bytes:
        if path not in self.files:
            raise UserError(f"The git revision '{self.revision}' has no file '{path}'.")
        return self._git(self.top, "show", f"{self.commit}:{path}").encode("utf-8", "surrogateescape")


def _with_helpers(
    history: _History, main: PurePosixPath, is_bundled: bool
) -> Iterator[tuple[PurePosixPath, bytes]]:
    """The files that a file imports from its repository, directly or not, with their texts; itself first."""
    waiting, seen = [main], set()
    while waiting:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        text = history.read(path)
        yield path, text
        for name in _imported_names(text):
            waiting += [
                helper for helper in _candidates(name, main.parent, is_bundled) if helper in history.files
            ]


def _imported_names(text: bytes) -> Iterator[str]:
    """Every module that a source may import, with what it takes from it, which may be a module too."""
    with contextlib.suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _candidates(name: str, folder: PurePosixPath, is_bundled: bool) -> list[PurePosixPath]:
    """The paths that a module may have in the repository."""
    if name.startswith("spadesim"):
        if is_bundled and name.startswith(f"{BUNDLED}."):
            return [folder / f"{name.split('.')[2]}.py"]
        return [_tactics_beside(folder)] if is_bundled and name.startswith(TACTICS) else []
    parts = name.split(".")
    paths = []
    for n in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:n])
        paths += [place / "__init__.py", place.with_name(f"{place.name}.py")]
    return paths


def _tactics_beside(folder: PurePosixPath) -> PurePosixPath:
    """Where the tactics are in a repository whose bundled strategies are in `folder`."""
    return folder.parent / "spadesim" / "tactics.py"


def _bundled_name(path: PurePosixPath, main: PurePosixPath) -> str:
    """The import name of an exported file of this project, "" for the strategy itself and its helpers."""
    if path == _tactics_beside(main.parent):
        return TACTICS
    return f"{BUNDLED}.{path.stem}" if path.parent == main.parent and path != main else ""


def store_texts(texts: dict[PurePosixPath, bytes], main: PurePosixPath) -> Path:
    """The folder in the cache that holds these files, written once for each content.

    Parameters
    ----------
    texts : dict of PurePosixPath to bytes
        The files by their paths in the folder.
    main : PurePosixPath
        The strategy's own.

    Raises
    ------
    UserError
        They cannot be written.
    """
    root = cache_root()
    if root is None:
        raise UserError("No folder can be written to, so no earlier revision can be exported.")
    digest = hashlib.sha256()
    for path, text in sorted(texts.items()):
        digest.update(str(path).encode() + b"\0" + text + b"\0")
    folder = root / f"{main.stem}-revision-{digest.hexdigest()[:N_COMMIT_DIGITS]}"
    if folder.is_dir():
        os.utime(folder)
        return folder
    # Written under another name first, so that a folder of this name is always complete.
    draft = Path(tempfile.mkdtemp(dir=root))
    try:
        for path, text in texts.items():
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
            (draft / path).write_bytes(text)
        with contextlib.suppress(FileExistsError):
            draft.rename(folder)
    except OSError as error:
        if not folder.is_dir():
            raise UserError(f"'{main}' cannot be exported to {root}: {error.strerror}.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return folder


def _marked(
    texts: dict[PurePosixPath, bytes], main: PurePosixPath, modules: dict[str, PurePosixPath]
) -> dict[PurePosixPath, bytes]:
    """The same files, the strategy's own marked where this project's modules of then are not today's.

    A strategy's digest is taken over its own text and its helpers'; by the mark it covers these modules too.
    """
    then = [texts[path] for _, path in sorted(modules.items())]
    now = [_text_of_today(module) for module in sorted(modules)]
    if then == now:
        return texts
    digest = hashlib.sha256(b"\0".join(then)).hexdigest()[:N_COMMIT_DIGITS]
    mark = f"\n# with {', '.join(sorted(modules))} {digest}\n"
    return {path: text + mark.encode() if path == main else text for path, text in texts.items()}


def _text_of_today(module: str) -> bytes | None:
    """The source of one of this project's modules as it is, None when there is no such module."""
    name = module.rpartition(".")[2]
    folders = [PACKAGE] if module == TACTICS else folders_of_bundled()
    files = [folder / f"{name}.py" for folder in folders]
    return next((file.read_bytes() for file in files if file.is_file()), None)
