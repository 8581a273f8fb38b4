"""Strategy files that tests write."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

HEAD = "from spadesim.core.cards import lowest\nfrom spadesim.strategy import Parameter, jit, parameters\n"
BID = "@jit\ndef bid(view, p):\n    return 3\n"
PLAY = "@jit\ndef play(view, p):\n    return lowest(view.legal)\n"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a strategy: its head, what it declares, and its two functions unless others are given."""

    def write_file(
        name: str = "bot.py", body: str = "", bid: str = BID, play: str = PLAY, head: str = HEAD
    ) -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(head + dedent(body) + dedent(bid) + dedent(play))
        return file

    return write_file
