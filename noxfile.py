"""The checks of the project: ``nox`` runs them all, ``nox -s tests`` one, ``nox -l`` lists them."""

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["lint", "types", "tests", "interpreted", "boundscheck", "build"]

ROOT = Path(__file__).parent
SHARED = ROOT / ".nox" / "shared"
COMPILED_CODE = ["tests/core", "tests/strategies", "tests/stats/test_equity.py"]
BIN = SHARED / ("Scripts" if os.name == "nt" else "bin")


def shared(session: nox.Session, program: str, *arguments: str, **env: str) -> None:
    """Run a Python module in the one environment that most sessions share.

    A fresh environment costs a minute, so there is one, made anew when pyproject.toml or the Python changes.
    """
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + sys.version.encode()).hexdigest()
    stamp = SHARED / "installed"
    if not stamp.exists() or stamp.read_text() != digest:
        shutil.rmtree(SHARED, ignore_errors=True)
        session.run(sys.executable, "-m", "virtualenv", "--quiet", str(SHARED), external=True)
        pip = [str(BIN / "python"), "-m", "pip", "install", "--quiet"]
        session.run(*pip, "-e", ".[dev]", external=True)
        # Without it reports are not looked at in a browser, which the tests say.
        session.run(*pip, "-e", ".[browser]", external=True, success_codes=[0, 1])
        stamp.write_text(digest)
    session.run(str(BIN / "python"), "-m", program, *arguments, env=env, external=True)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check style, documentation and the layers."""
    shared(session, "ruff", "check", ".")
    shared(session, "ruff", "format", "--check", ".")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check the types."""
    shared(session, "mypy", *session.posargs)


def run_tests(session: nox.Session, *arguments: str, **env: str) -> None:
    """Run tests on all cores, or as the command line says; what they compile they throw away afterwards.

    A core keeps to its half of the tests, so that what a module's tests share is made once, and then takes
    over some of the other's.
    """
    usual = ["-n", "auto", "--dist", "worksteal", "--benchmark-disable", *arguments]
    shared(session, "pytest", *(session.posargs or usual), **env)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the tests on compiled code."""
    run_tests(session)


@nox.session(venv_backend="none")
def interpreted(session: nox.Session) -> None:
    """Run the tests of compiled code with the compiler switched off, and measure what they reach."""
    chosen = [*COMPILED_CODE, "tests/strategy", "-m", "not compiled_only and not slow"]
    run_tests(session, *chosen, "--cov", "--cov-report=term", NUMBA_DISABLE_JIT="1")


@nox.session(venv_backend="none")
def boundscheck(session: nox.Session) -> None:
    """Run the tests of the core and the strategies with every array index checked."""
    # How strategies are loaded and checked indexes nothing; a wrapped bot does.
    chosen = [*COMPILED_CODE, "tests/strategy/test_wrappers.py", "-m", "not slow"]
    run_tests(session, *chosen, NUMBA_BOUNDSCHECK="1")


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure the engine and the bots, then whole processes."""
    shared(session, "spadesim", "bench", "--decisions", "--compile")
    shared(session, "pytest", "tests/bench", *session.posargs)


@nox.session(venv_backend="none")
def mutation(session: nox.Session) -> None:
    """Plant faults in the rules one by one, and count how many the tests catch."""
    shared(session, "tests.mutation")


@nox.session
def build(session: nox.Session) -> None:
    """Build the wheel and the source package, and try the wheel in an environment with nothing else."""
    with tempfile.TemporaryDirectory(prefix="spadesim-build-") as folder:
        # In the shared environment, for which pip has built the package apart from all that is installed.
        shared(session, "build", "--no-isolation", "--outdir", folder)
        (wheel,) = Path(folder).glob("*.whl")
        session.install(str(wheel))
        smoke = ROOT / "tests" / "smoke.py"
        with session.chdir(folder):
            session.run("python", "-P", str(smoke), env={"SPADESIM_CACHE_DIR": str(Path(folder, "cache"))})
