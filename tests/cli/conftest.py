from pathlib import Path

import pytest

from tests.match.bots import BEFORE, GAMBLER, write_bot

NIL_WHEN_ALLOWED = "return 0 if view.legal & 1 else 2"


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns and no colours, whatever the tests run in."""
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "SPADESIM_DEBUG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two bots in the current folder that never change: one bids 3, the other nil when it may."""
    monkeypatch.chdir(tmp_path)
    write_bot(tmp_path, "steady")
    write_bot(tmp_path, "modest", bid=NIL_WHEN_ALLOWED)
    return "steady.py", "modest.py"


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Two bots for every table: one that tries everything at random, and one that keeps every first card."""
    monkeypatch.chdir(tmp_path)
    return tuple(
        Path(write_bot(tmp_path, name, **bodies)).name
        for name, bodies in (("gambler", GAMBLER), ("keeper", BEFORE))
    )  # type: ignore[return-value]
