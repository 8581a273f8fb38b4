"""The package means the same in a checkout, installed editable and installed from the wheel."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import spadesim

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parent.parent
FOLDERS = ("strategies", "experiments", "reports")
IMPORT_STUB = "from spadesim.strategies import stub; print(stub.__file__, stub.WORD)"


@dataclass(frozen=True)
class Environment:
    """A virtual environment with the libraries of the running one, but without its spadesim."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def site_packages(self) -> Path:
        base = {"base": str(self.folder), "platbase": str(self.folder)}
        return Path(sysconfig.get_path("purelib", "venv", vars=base))

    def install(self, *arguments: str) -> None:
        pip = [sys.executable, "-m", "pip", "--python", str(self.python), "--disable-pip-version-check"]
        offline = ["--no-deps", "--no-index", "--no-build-isolation"]
        run([*pip, "install", "--quiet", *offline, *arguments], self.folder)


def run(command: list[str], folder: Path, **env: str) -> str:
    """Return what a command prints; fail with all it said when it fails."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV_"))}
    done = subprocess.run(
        command,
        cwd=folder,
        env=clean | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def make_environment(folder: Path) -> Environment:
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], ROOT)
    environment = Environment(folder)
    # A line of a .pth file adds the folder, not what the .pth files in it (the editable install) would add.
    (environment.site_packages / "_libraries.pth").write_text(sysconfig.get_path("purelib"))
    return environment


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what goes into the packages, with a strategy more."""
    copy = tmp_path_factory.mktemp("checkout") / "spadesim"
    ignored = shutil.ignore_patterns("__pycache__", ".*_cache")
    for name in ("spadesim", *FOLDERS):
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    (copy / "strategies" / "stub.py").write_text("WORD = 'before'\n")
    return copy


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which spadesim is not installed."""
    return make_environment(tmp_path_factory.mktemp("bare") / "venv")


@pytest.fixture(scope="module")
def editable(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which the checkout is installed editable."""
    environment = make_environment(tmp_path_factory.mktemp("editable") / "venv")
    environment.install("--editable", str(checkout))
    return environment


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    run([*pip, "--wheel-dir", str(folder), str(checkout)], folder)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which the wheel is installed."""
    environment = make_environment(tmp_path_factory.mktemp("installed") / "venv")
    environment.install(str(wheel))
    return environment


def smoke(environment: Environment, folder: Path, *arguments: str) -> str:
    # Read from standard input, the script leaves its own folder, this one, out of the search path.
    script = (ROOT / "tests" / "smoke.py").read_text()
    code = f"import sys; sys.argv[1:] = {list(arguments)!r}\n{script}"
    return run([str(environment.python), "-c", code], folder, NUMBA_DISABLE_JIT="1")


def test_smoke_in_a_checkout(bare: Environment, checkout: Path) -> None:
    assert smoke(bare, checkout, str(checkout)).endswith("smoke test passed")


def test_smoke_of_an_editable_install(editable: Environment, checkout: Path, tmp_path: Path) -> None:
    assert smoke(editable, tmp_path, str(checkout)).endswith("smoke test passed")


def test_smoke_of_the_wheel(installed: Environment, tmp_path: Path) -> None:
    assert smoke(installed, tmp_path).endswith("smoke test passed")


def test_checkout_finds_the_folders_at_its_top(bare: Environment, checkout: Path) -> None:
    printed = run([str(bare.python), "-c", IMPORT_STUB], checkout)
    assert printed == f"{checkout / 'strategies' / 'stub.py'} before"


def test_editable_install_holds_no_copy(editable: Environment, checkout: Path, tmp_path: Path) -> None:
    stub = checkout / "strategies" / "stub.py"
    assert run([str(editable.python), "-c", IMPORT_STUB], tmp_path) == f"{stub} before"
    stub.write_text("WORD = 'edited since'\n")
    try:
        assert run([str(editable.python), "-c", IMPORT_STUB], tmp_path) == f"{stub} edited since"
    finally:
        stub.write_text("WORD = 'before'\n")
    assert not list(editable.site_packages.rglob("stub.py"))


def test_wheel_ignores_folders_of_other_packages(installed: Environment, tmp_path: Path) -> None:
    other = installed.site_packages / "strategies"
    other.mkdir()
    (other / "stub.py").write_text("WORD = 'of another package'\n")
    try:
        printed = run([str(installed.python), "-c", IMPORT_STUB], tmp_path)
    finally:
        shutil.rmtree(other)
    assert printed == f"{installed.site_packages / 'spadesim' / 'strategies' / 'stub.py'} before"


def files_of(checkout: Path, folder: str) -> set[str]:
    """Return the files below a folder, named from the top of the checkout."""
    return {
        file.relative_to(checkout).as_posix() for file in (checkout / folder).rglob("*") if file.is_file()
    }


def test_wheel_holds_the_package_and_nothing_else(wheel: Path, checkout: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    metadata = f"spadesim-{spadesim.__version__}.dist-info/"
    assert {name.split("/")[0] for name in names} == {"spadesim", metadata.rstrip("/")}
    left_out = (".pyc", "ruff.toml")
    expected = {f"spadesim/{name}" for folder in FOLDERS for name in files_of(checkout, folder)}
    expected |= files_of(checkout, "spadesim")
    expected = {name for name in expected if not name.endswith(left_out)}
    assert {name for name in names if not name.startswith(metadata)} == expected
    assert {"spadesim/py.typed", "spadesim/strategies/__init__.py"} <= names
    assert f"{metadata}licenses/LICENSE" in names


def test_wheel_installs_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (entry_points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert archive.read(entry_points).decode().split() == [
            "[console_scripts]",
            "spadesim",
            "=",
            "spadesim.cli.app:main",
        ]


def test_import_is_light(bare: Environment) -> None:
    heavy = ["jinja2", "matplotlib", "numba", "numpy", "pandas", "rich", "scipy", "statsmodels", "typer"]
    doors = "import spadesim, spadesim.strategies, spadesim.experiments, spadesim.reports, sys; dir(spadesim)"
    assert run([str(bare.python), "-c", f"{doors}; print({{*{heavy}}} & {{*sys.modules}})"], ROOT) == "set()"


@pytest.mark.parametrize("name", spadesim.__all__)
def test_public_names_are_found(name: str) -> None:
    assert name in dir(spadesim)
    assert getattr(spadesim, name) is vars(spadesim)[name]


def test_other_names_are_not_found() -> None:
    with pytest.raises(AttributeError, match="module 'spadesim' has no attribute 'dual'"):
        spadesim.dual  # noqa: B018
