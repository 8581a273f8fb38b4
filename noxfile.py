"""The checks of the project: ``nox`` runs them all, ``nox -s tests`` one, ``nox -l`` lists them."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["lint", "types", "tests", "interpreted", "boundscheck", "build"]

ROOT = Path(__file__).parent
SHARED = ROOT / ".nox" / "shared"
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
        session.run(str(BIN / "python"), "-m", "pip", "install", "--quiet", "-e", ".[dev]", external=True)
        stamp.write_text(digest)
    session.run(str(BIN / "python"), "-m", program, *arguments, env=env, external=True)


def fresh_cache(session: nox.Session) -> str:
    """Return an empty folder for compiled code, so that no session runs what an earlier one compiled."""
    folder = Path(session.create_tmp()).resolve() / "cache"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return str(folder)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Check style, documentation and the layers."""
    shared(session, "ruff", "check", ".")
    shared(session, "ruff", "format", "--check", ".")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """Check the types."""
    shared(session, "mypy", *session.posargs)


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """Run the tests on compiled code."""
    shared(session, "pytest", *session.posargs, SPADESIM_CACHE_DIR=fresh_cache(session))


@nox.session(venv_backend="none")
def interpreted(session: nox.Session) -> None:
    """Run the tests with the compiler switched off, and measure what they reach."""
    arguments = session.posargs or ["-m", "not compiled_only and not slow", "--cov", "--cov-report=term"]
    shared(
        session,
        "pytest",
        *arguments,
        NUMBA_DISABLE_JIT="1",
        SPADESIM_CACHE_DIR=fresh_cache(session),
    )


@nox.session(venv_backend="none")
def boundscheck(session: nox.Session) -> None:
    """Run the tests of the core and the strategies with every array index checked."""
    arguments = session.posargs or ["tests/core", "tests/strategies"]
    shared(session, "pytest", *arguments, NUMBA_BOUNDSCHECK="1", SPADESIM_CACHE_DIR=fresh_cache(session))


@nox.session(venv_backend="none")
def bench(session: nox.Session) -> None:
    """Measure speed."""
    shared(session, "pytest", "tests/bench", *session.posargs, SPADESIM_CACHE_DIR=fresh_cache(session))


@nox.session
def build(session: nox.Session) -> None:
    """Build the wheel and the source package, and try the wheel in an environment with nothing else."""
    packages = Path(session.create_tmp()).resolve() / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    shared(session, "build", "--outdir", str(packages))
    (wheel,) = packages.glob("*.whl")
    session.install(str(wheel))
    smoke = ROOT / "tests" / "smoke.py"
    cache = fresh_cache(session)
    with session.chdir(session.create_tmp()):
        session.run("python", "-P", str(smoke), env={"SPADESIM_CACHE_DIR": cache})
