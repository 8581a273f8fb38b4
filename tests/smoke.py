"""A short walk through spadesim as a user has it, needing nothing but what spadesim needs.

``python smoke.py [CHECKOUT]`` ends with an error unless the package, its three folders, a duel and a page
work, and come from the checkout or, where none is named, from the installed wheel.
"""

import importlib
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

FOLDERS = ("strategies", "experiments", "reports")
HEAVY = {"numba", "numpy", "pandas", "scipy", "statsmodels", "matplotlib"}


def check_places(package: Path, folders: Path) -> None:
    """Check where the package and its folders were found, and that finding them imported nothing heavy."""
    import spadesim

    assert Path(str(spadesim.__file__)).parent == package, f"{spadesim.__file__} is not in {package}"
    for name in FOLDERS:
        found = list(importlib.import_module(f"spadesim.{name}").__path__)
        assert found == [str(folders / name)], f"spadesim.{name} leads to {found}, not to {folders / name}"
    assert not HEAVY & set(sys.modules), f"imported too early: {HEAVY & set(sys.modules)}"


def check_duel() -> None:
    """Play a few games through the Python interface."""
    import spadesim
    from spadesim.strategies import easy

    assert callable(easy.bid)
    result = spadesim.duel("easy", "lowest_card", games=2, rules="pata:max_hands=2", seed=1)
    assert result.games == 2


def check_page() -> None:
    """Make a page through the command line."""
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        options = ["--games", "2", "--rules", "pata:max_hands=2", "--quiet", "--report", str(page)]
        command = [sys.executable, "-m", "spadesim", "duel", "easy", "lowest_card", *options]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        assert "<html" in page.read_text(encoding="utf-8")


def main() -> None:
    """Take the walk."""
    if len(sys.argv) > 1:
        checkout = Path(sys.argv[1]).resolve()
        check_places(checkout / "spadesim", checkout)
    else:
        package = Path(sysconfig.get_path("purelib")).resolve() / "spadesim"
        check_places(package, package)
    check_duel()
    check_page()
    print("smoke test passed")


if __name__ == "__main__":
    main()
