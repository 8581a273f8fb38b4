"""What ``spadesim equity`` prints and writes."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


def test_one_state_is_told_for_both_bidders(capsys: Capture) -> None:
    done = run(capsys, "equity", "classic", "--scores", "420,380", "--bags", "7,1")
    found = re.fullmatch(
        r"A side with 420 and 7 bags against 380 and 1 bag wins ([\d.]+) % of the games when it bids first, "
        r"([\d.]+) % when it bids second\.\n",
        done.out,
    )
    assert found is not None
    mirror = run(capsys, "equity", "classic", "--scores", "380,420", "--bags", "1,7", "--json")
    asked = json.loads(mirror.out)["asked"]
    assert float(found[1]) == pytest.approx(100 - 100 * asked["bids_second"], abs=0.06)
    assert float(found[2]) == pytest.approx(100 - 100 * asked["bids_first"], abs=0.06)


def test_the_short_table_is_fair_and_rises_with_the_score(capsys: Capture) -> None:
    done = run(capsys, "equity")
    assert done.out.startswith("The chance to win the game, %, both sides without bags\n")
    assert "403,642 hands of hard" in done.out
    found = json.loads(run(capsys, "equity", "--json").out)
    chances = found["chances"]
    for k, row in enumerate(chances):
        assert row[k] == 0.5
        assert row == sorted(row, reverse=True)
        assert [1 - other[k] for other in chances] == pytest.approx(row)
    assert len(found["bag_prices"]) == 10
    assert all(0 < price < 0.05 for price in found["bag_prices"])
    assert found["asked"] is None


def test_a_table_is_made_written_read_and_drawn(capsys: Capture, tmp_path: Path) -> None:
    out, plot = tmp_path / "mine.npz", tmp_path / "mine.svg"
    options = ["--reference", "easy", "--hands", "3000", "--seed", "5", "--json"]
    made = run(capsys, "equity", "pata:target=60,floor=-60", *options, "--out", str(out))
    assert made.code == 0
    assert f"the table is in {out}" in made.err
    read = run(capsys, "equity", str(out), "--json", "--plot", str(plot))
    assert json.loads(read.out) == json.loads(made.out)
    assert json.loads(read.out)["reference"] == "easy"
    assert "<svg" in plot.read_text(encoding="utf-8")
    run(capsys, "equity", str(out), "--plot", str(tmp_path / "mine.PDF"))
    assert (tmp_path / "mine.PDF").read_bytes().startswith(b"%PDF")


def test_what_cannot_be_told_is_refused(capsys: Capture, tmp_path: Path) -> None:
    assert complaint(capsys, "equity", "bicycle") == (
        "Win chances are for two sides; under bicycle everybody plays alone."
    )
    assert "There is no preset 'pita'" in complaint(capsys, "equity", "pita")
    assert "scores must be below 500" in complaint(capsys, "equity", "--scores", "500,0")
    assert "hands must be at least 2000" in complaint(capsys, "equity", "--hands", "5")
    assert "is made already" in complaint(capsys, "equity", "x.npz", "--hands", "5000")
    assert "There is no table" in complaint(capsys, "equity", "x.npz")
    assert complaint(capsys, "equity", "--plot", str(tmp_path / "a.gif")) == (
        "A picture is an .svg, a .png or a .pdf file, not 'a.gif'."
    )
    assert "There is no folder" in complaint(capsys, "equity", "--out", str(tmp_path / "no" / "a.npz"))
    assert complaint(capsys, "equity", "--out", "x.txt") == "A table is an .npz file, not 'x.txt'."
    assert "seed must be from 0 to" in complaint(capsys, "equity", "--seed=-1")
    assert "workers must be from 1 to" in complaint(capsys, "equity", "--workers", "0")
