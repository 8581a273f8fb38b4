"""``spadesim fit``: what it prints and writes, its exit codes, and what it refuses."""

import json
from pathlib import Path

import pytest

from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
BOT = '''"""Bids what its aces and kings are worth; as it stands, far too much for a king."""

from spadesim.core.cards import lowest, popcount
from spadesim.strategy import Parameter, jit, parameters

PARAMETERS = parameters(
    Parameter("ace", 4, low=0, high=16, used_by="bid", meaning="quarter tricks for an ace"),
    Parameter("king", 16, low=0, high=16, used_by="bid", meaning="quarter tricks for a king"),
    Parameter("more", 2, low=0, high=8, used_by="bid", meaning="quarter tricks for any hand"),
)
P = PARAMETERS.index
ACES = 1 << 12 | 1 << 25 | 1 << 38 | 1 << 51
KINGS = ACES >> 1


@jit
def expected_quarters(view, p):
    aces, kings = popcount(view.hand & ACES), popcount(view.hand & KINGS)
    return aces * int(p[P.ACE]) + kings * int(p[P.KING]) + int(p[P.MORE])


@jit
def bid(view, p):
    return min(max(1, expected_quarters(view, p) // 4), 13)


@jit
def play(view, p):
    legal = view.legal
    while legal & (legal - 1):
        legal &= legal - 1
    return lowest(legal)
'''


@pytest.fixture(autouse=True)
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(BOT)


def test_a_fit_out_of_a_run(capsys: Capture) -> None:
    words = ("duel", "mine.py", "mine.py:king=4", "--boards", "800", "--out", "my_run", "-q")
    assert run(capsys, *words).code == 0
    command = ("fit", "mine.py", "my_run", "--tricks", "--boards", "1000", "--games", "40")
    done = run(capsys, *command, "--out", "fitted.toml", "--plot", "told.svg")
    assert done.code == 0
    assert done.out.startswith("Kept: mine:")
    for text in (
        "tricks won",
        "boards, which level is best",
        "the estimate explains",
        "run          my_run, ",
    ):
        assert text in done.out
    assert "the settings are in fitted.toml" in done.err
    assert "</svg>" in Path("told.svg").read_text(encoding="utf-8")
    found = run(capsys, "duel", "mine.py:fitted.toml", "mine.py", "--boards", "500", "-q").out
    assert found.startswith("mine:fitted.toml is better than mine: ")
    told = json.loads(run(capsys, *command, "--json").out)
    assert told["is_kept"]
    assert told["nil"] is None
    assert [one["name"] for one in told["parameters"]] == ["ace", "king", "more"]
    assert int(told["parameters"][1]["found"]) < 8
    assert told["sources"][0]["units"] == 800
    assert told["validation"]["first"] >= 800  # the run's deals judge nothing

    # Of the fitted bot the same hands say that it is right.
    done = run(capsys, "fit", "mine.py:fitted.toml", *command[2:], "--out", "again.toml", "-q")
    assert done.code == 1
    assert done.out.startswith(("Nothing to change: ", "Not kept: "))
    assert not Path("again.toml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Missing argument 'STRATEGY'"),
        (("mine.py", "no_run"), "There is no run 'no_run'."),
        (("mine.py", "--nil", "--play", "0"), "There is nothing to learn from"),
        (("lowest_card", "--tricks"), "lowest_card has no number that its bid reads"),
        (("easy", "--tricks"), "easy has no function expected_quarters(view, p)"),
        (("mine.py", "--anyway"), "--anyway says what --out writes: give it a file."),
        (("mine.py", "--out", "x.txt"), "is a .toml file, not 'x.txt'"),
        (("mine.py", "--plot", "x.gif"), "A picture is an .svg, a .png or a .pdf file"),
        (("mine.py", "--boards", "10"), "10 boards are too few for any claim: 1,000 are the least."),
        (("mine.py", "--rules", "draw300"), "fit knows no such table"),
        (
            ("mine.py", "--from", "x", "--play", "7"),
            "play must be 0, or from 5,000 to 5,000,000 boards, not 7.",
        ),
    ],
)
def test_refused(capsys: Capture, words: tuple[str, ...], message: str) -> None:
    assert message in complaint(capsys, "fit", *words)
