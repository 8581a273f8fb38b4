"""What every test runs under: throw-away caches, no display, the same hypothesis examples in every CI run."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings

# Set while pytest loads this file, before anything compiles; worker processes inherit it.
if "SPADESIM_CACHE_DIR" not in os.environ:
    os.environ["SPADESIM_CACHE_DIR"] = tempfile.mkdtemp(prefix="spadesim-tests-")
    atexit.register(shutil.rmtree, os.environ["SPADESIM_CACHE_DIR"], ignore_errors=True)
os.environ["MPLBACKEND"] = "Agg"

# The first example of a test compiles what it calls, so no deadline holds.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None)
settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session", autouse=True)
def _few_hands() -> Iterator[None]:
    """Tables of win chances that no preset brings along are made of few hands, in less than half the time."""
    from spadesim.match import equity_file

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(equity_file, "HANDS", 20_000)
        yield
