"""Running a strategy's file as a module, apart from every other strategy, with its helpers beside it.

A file from anywhere becomes a module with a name of its own, made of its path and its text: two files
called ``bot.py`` never meet, and compiled code read back from the cache finds its module by that name. In
it, ``import helper`` finds the ``helper.py`` beside the file first, whatever else goes by that name, and
no other strategy sees it.
"""

import contextlib
import hashlib
import importlib.abc
import importlib.util
import linecache
import re
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

from spadesim.core._jit import cache_directory, caching_in, import_closure, source_digest
from spadesim.errors import UserError
from spadesim.strategy.find import BUNDLED, Origin, folders_of_bundled

ENGINE_PACKAGES = ("spadesim", "numba", "numpy")
HELPER_HINT = " A helper file lies beside the strategy and is imported by its name: import helper."

_lock = threading.RLock()
_modules: dict[str, ModuleType] = {}
_digests: dict[str, str] = {}


def run(origin: Origin, stand_ins: Mapping[str, Path] | None = None) -> ModuleType:
    """The module of a strategy; run once for each state of its sources.

    Parameters
    ----------
    origin : Origin
    stand_ins : mapping of str to Path
        Modules that this file is to import from other places than everybody else.

    Raises
    ------
    UserError
        Its path has a brace; or it cannot be read, is no valid Python, or fails: the message names the line.
    """
    if set("{}") & set(str(origin.file)):
        raise UserError(
            f"'{place(origin.file)}' cannot be compiled, for its path has a brace, {{ or }}, with which the "
            "compiler cannot deal: give the file, or its folder, another name."
        )
    with _lock, _explaining(origin.file), caching_in(cache_directory(origin.file)):
        linecache.checkcache(str(origin.file))
        return _import(origin) if origin.module else _run_apart(origin.file, stand_ins or {})


def _import(origin: Origin) -> ModuleType:
    """A module that has an import name, run again when its sources have changed."""
    digest = source_digest(origin.file)
    if _digests.setdefault(origin.module, digest) != digest:
        for file in import_closure(origin.file):
            if file.parent in folders_of_bundled():
                _forget(f"{BUNDLED}.{file.stem}")
        _forget(origin.module)
        _digests[origin.module] = digest
        importlib.invalidate_caches()
    return importlib.import_module(origin.module)


def _forget(name: str) -> None:
    sys.modules.pop(name, None)
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        vars(sys.modules[parent]).pop(child, None)


def _run_apart(file: Path, stand_ins: Mapping[str, Path]) -> ModuleType:
    name = _name_of(file)
    if name in _modules:
        return _modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # The code below reads its module in here, and so does compiled code that comes out of the cache.
    sys.modules[name] = module
    try:
        with _importing_from(_Beside(file.parent, name, stand_ins)):
            exec(_code_of(file), vars(module))
    except BaseException:
        del sys.modules[name]
        raise
    _modules[name] = module
    return module


def _name_of(file: Path) -> str:
    """A module name that is the same in every run and belongs to this path and text alone."""
    where = hashlib.sha256(str(file).encode()).hexdigest()[:8]
    stem = re.sub(r"\W", "_", file.stem)
    return f"spadesim_bot_{stem}_{where}_{source_digest(file)}"


def _code_of(file: Path) -> CodeType:
    # Not through Python's cache of bytecode, which takes an edit within the same second for none.
    return compile(file.read_bytes(), str(file), "exec", dont_inherit=True)


class _Renaming(SourceFileLoader):
    """Loads a helper under an import name that lasts only while its strategy loads, and a name that stays."""

    def __init__(self, fullname: str, path: str, prefix: str) -> None:
        super().__init__(fullname, path)
        self.prefix = prefix

    def exec_module(self, module: ModuleType) -> None:
        """Run the helper's file."""
        module.__name__ = _name_of(Path(self.path).resolve())
        sys.modules[module.__name__] = module
        exec(_code_of(Path(self.path)), vars(module))


class _Beside(importlib.abc.MetaPathFinder):
    """Finds the modules beside a strategy's file, and stand-ins, before any others of their names."""

    def __init__(self, folder: Path, prefix: str, stand_ins: Mapping[str, Path]) -> None:
        self.folder = folder
        self.prefix = prefix
        self.stand_ins = stand_ins

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to load a module, None when it is not one of ours."""
        file = self.locate(fullname)
        if file is None:
            return None
        is_package = file.name == "__init__.py"
        return importlib.util.spec_from_file_location(
            fullname,
            file,
            loader=_Renaming(fullname, str(file), self.prefix),
            submodule_search_locations=[str(file.parent)] if is_package else None,
        )

    def locate(self, fullname: str) -> Path | None:
        """The file of a module, None when it is not one of ours."""
        if fullname in self.stand_ins:
            return self.stand_ins[fullname]
        top, *_ = parts = fullname.split(".")
        if top in sys.stdlib_module_names or top in ENGINE_PACKAGES:
            return None
        place = self.folder.joinpath(*parts)
        for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
            if file.is_file():
                return file
        return None

    def is_ours(self, name: str) -> bool:
        """Whether a loaded module stands where one of ours belongs."""
        return name in self.stand_ins or self.locate(name.partition(".")[0]) is not None


@contextlib.contextmanager
def _importing_from(finder: _Beside) -> Iterator[None]:
    """Have imports ask `finder` first, and leave the table of modules as it was."""
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if finder.is_ours(name)}
    attributes = [(vars(parent), child) for parent, child in _as_attributes(hidden)]
    values = [names.pop(child) for names, child in attributes]
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if finder.is_ours(name)]:
            for parent, child in _as_attributes([name]):
                delattr(parent, child)
            del sys.modules[name]
        sys.modules.update(hidden)
        for (names, child), value in zip(attributes, values, strict=True):
            names[child] = value


def _as_attributes(names: Mapping[str, ModuleType] | Sequence[str]) -> Iterator[tuple[ModuleType, str]]:
    """The packages that hold the named modules as attributes, for ``from package import module``."""
    for name in names:
        parent, _, child = name.rpartition(".")
        if parent in sys.modules and child in vars(sys.modules[parent]):
            yield sys.modules[parent], child


@contextlib.contextmanager
def _explaining(file: Path) -> Iterator[None]:
    """Turn whatever goes wrong while a file loads into one line that names the place."""
    try:
        yield
    except SyntaxError as error:
        raise UserError(f"{place(Path(error.filename or file), error.lineno)}: {error.msg}.") from error
    except UserError as error:
        raise UserError(f"{place_of(error, file)}: {error}") from error
    except ImportError as error:
        hint = "" if error.name and error.name.startswith("spadesim") else HELPER_HINT
        raise UserError(f"{place_of(error, file)}: {error}.{hint}") from error
    except (Exception, SystemExit) as error:
        if isinstance(error, OSError) and error.filename == str(file):
            raise UserError(f"'{place(file)}' cannot be read: {error.strerror}.") from error
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UserError(f"{place_of(error, file)}: the file fails while it loads: {what}.") from error


def place(file: Path, line: int | None = None) -> str:
    """A file, and a line in it, as messages name them."""
    with contextlib.suppress(ValueError, OSError):
        file = file.relative_to(Path.cwd())
    return f"{file}, line {line}" if line else str(file)


def place_of(error: BaseException, file: Path) -> str:
    """The last line that an exception came through in a strategy's file or a helper beside it."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).is_relative_to(file.parent):
            return place(Path(frame.filename), frame.lineno)
    return place(file)
