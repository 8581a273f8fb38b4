"""``spadesim calibrate``: what it prints, its exit codes, files and refusals."""

import json
from pathlib import Path

import pytest

from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
ASKED = ("calibrate", "easy", "--param", "blunder", "--vs", "easy", "--target", "40%", "--within", "20%")


def test_all_that_it_prints_and_writes(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(capsys, *ASKED, "--plot", "curve.png", "--csv", "found.csv")
    assert done.code == 0
    verdict, *lines = done.out.splitlines()
    assert verdict.startswith("easy~blunder=0.")
    assert verdict.endswith(": within 40 ± 20 %.")
    assert lines[-2].startswith("play it      spadesim duel 'easy~blunder=0.")
    assert lines[-2].endswith(" easy --rules pata")
    assert lines[-1].endswith(
        "spadesim calibrate easy --param blunder --vs easy --target 0.4 --within 0.2 --rules pata --seed 1"
    )
    assert Path("curve.png").read_bytes().startswith(b"\x89PNG")
    assert Path("found.csv").read_text().startswith("value,side,wanted,rate,low,high,games,outcome\n0.")


def test_json(capsys: Capture) -> None:
    found = json.loads(run(capsys, *ASKED, "--json").out)
    assert found["outcome"] == "within"
    assert {len(point) for point in found["curve"]} == {3}
    assert found["verdict"].startswith("easy~blunder=0.")


def test_whole_numbers_that_come_not_near_enough(capsys: Capture) -> None:
    """The steps of this setting are too coarse: that is said, and the exit code is 1."""
    command = ("calibrate", "easy", "--param", "ace=0:1", "--vs", "easy", "--target", "44%", "--within", "5%")
    done = run(capsys, *command, "-q")
    assert done.code == 1
    assert done.out.startswith(("Missed: easy", "Not shown: easy"))


def test_refusals(capsys: Capture) -> None:
    said = complaint(capsys, *ASKED[:6], "--target", "99%")
    assert "No value of blunder makes easy win 99 % of its games against easy: " in said
    assert "--games" not in complaint(capsys, *ASKED, "--games", "20")
    assert "is not a number" in complaint(capsys, *ASKED[:6], "--target", "much")
