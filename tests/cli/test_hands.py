"""``spadesim hands``: what it prints in each form, what it refuses, and Ctrl-C."""

import csv
import io
import json
import shlex
from pathlib import Path

import pytest

from spadesim.analysis import hands_fresh
from spadesim.cli.terminal import Notes
from tests.cli.run import Done, check_expected, complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
FEW = ("--tries", "2000")


@pytest.fixture
def folder(bots: tuple[str, str], capsys: Capture) -> str:
    """The folder of a run of a few boards."""
    assert run(capsys, "duel", *bots, "--boards", "20", "--out", "played", "--quiet").code == 0
    return "played"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hands.txt", ["--where", "spades(n) >= 5 and void(n)", "--count", "2"]),
        ("hands.pbn", ["--where", "any(spades >= 8)", "--count", "2", "--format", "pbn"]),
        ("hands_three.csv", ["--where", "longest(n) >= 8", "--rules", "cutthroat3", "--format", "csv"]),
        ("hands_by.txt", ["--where", "void(n)", "--by", "spades(n)"]),
        ("hands_by.json", ["--by", "aces(n)", "--json"]),
    ],
)
def test_what_is_printed(capsys: Capture, name: str, options: list[str]) -> None:
    done = run(capsys, "hands", *options, *FEW)
    assert done.code == 0
    check_expected(name, done.out)
    is_for_people = name.endswith(("txt", "json"))
    assert done.err == "" if name.endswith(".txt") else "of 2,000 deals" in done.err or is_for_people


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("hands_run.txt", ["--where", "nil and spades <= 3", "--count", "1"]),
        ("hands_run.csv", ["--where", "nil_set", "--format", "csv"]),
        ("hands_run.pbn", ["--where", "tricks >= 6", "--count", "1", "--format", "pbn"]),
    ],
)
def test_hands_of_a_run(capsys: Capture, folder: str, name: str, options: list[str]) -> None:
    done = run(capsys, "hands", folder, *options)
    assert done.code == 0
    check_expected(name, done.out)


def test_what_is_shown_is_what_was_found(capsys: Capture, folder: str) -> None:
    for asked in ([folder, "--where", "nil_set and spades >= 2"], ["--where", "hcp(e) >= 20", *FEW]):
        found = json.loads(run(capsys, "hands", *asked, "--count", "1", "--json").out)
        (hand,) = found["hands"]
        command = [word.replace("medium", "steady.py") for word in shlex.split(hand["command"])[1:]]
        command = [word.replace("hard", "modest.py") for word in command]
        shown = json.loads(run(capsys, *command, "--format", "json").out)
        (record,) = shown["rooms"][0]["hands"]
        assert record["deal"] == hand["deal"]
        if "seats" in hand:
            assert record["bids"] == {seat: told["bid"] for seat, told in hand["seats"].items()}
            again = json.loads(run(capsys, *shlex.split(found["command"])[1:], "--json", "--count", "1").out)
            assert again == found


def test_a_pbn_file_is_read_back(capsys: Capture, bots: tuple[str, str]) -> None:
    done = run(capsys, "hands", "--where", "hcp(n) >= 20", *FEW, "--format", "pbn", "--output", "found.pbn")
    assert done.out == ""
    assert "written to found.pbn" in done.err
    hand = json.loads(run(capsys, "hands", "--where", "hcp(n) >= 20", *FEW, "--json").out)["hands"][1]
    asked = ["show", *bots, "--deal", "found.pbn", "--board", str(hand["number"]), "--format", "json"]
    (record,) = json.loads(run(capsys, *asked).out)["rooms"][0]["hands"]
    assert (record["deal"], record["dealer"]) == (hand["deal"], hand["dealer"])


def test_counts_and_pictures(capsys: Capture, folder: str, tmp_path: Path) -> None:
    done = run(capsys, "hands", "--where", "void(n)", "--freq", *FEW)
    assert done.out.count("\n") == 1
    assert " of 2,000 deals: " in done.out
    for kind, begin in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        done = run(capsys, "hands", folder, "--by", "bid - tricks", "--plot", f"bids.{kind}")
        assert (done.code, done.err) == (0, f"spadesim: the picture is in bids.{kind}\n")
        assert (tmp_path / f"bids.{kind}").read_bytes().startswith(begin)
    done = run(capsys, "hands", folder, "--where", "spades == 13", "--by", "bid", "--plot", "none.svg")
    assert "nothing to draw" in done.err
    rows = list(
        csv.DictReader(io.StringIO(run(capsys, "hands", folder, "--by", "bid", "--format", "csv").out))
    )
    assert sum(int(row["count"]) for row in rows) == 160


def test_nothing_found_says_how_to_look_further(capsys: Capture) -> None:
    done = run(capsys, "hands", "--where", "spades(n) == 13", *FEW)
    assert done.out.splitlines() == [
        "0 of 2,000 deals: fewer than one in 522.",
        "At most one deal in 635,000,000,000 is so: too few to be looked for.",
    ]
    done = run(capsys, "hands", "--where", "spades(n) >= 10 and void(n, hearts)", *FEW)
    assert "--tries 713,000 very likely finds one, if one deal in 238,000 is so." in done.out
    done = run(capsys, "hands", "--where", "hcp(n) > 34", *FEW)
    assert "--tries 200,000 very likely finds one, if one deal in 66,700 is so." in done.out


def test_ctrl_c_keeps_what_there_is(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_fresh, "BATCH", 500)

    def press(notes: Notes, done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Notes, "counting", press)
    done = run(capsys, "hands", "--where", "void(n)", "--freq", *FEW)
    assert (done.code, done.err) == (130, "")
    assert " of 500 deals, until Ctrl-C: " in done.out


def test_a_mistake_is_pointed_at(capsys: Capture, folder: str) -> None:
    done = run(capsys, "hands", "--where", "spades(n) >= 5 and\n viod(n)")
    assert done == Done(
        2,
        "",
        "spadesim: error: There is no 'viod'. Did you mean 'void'?\n"
        "    spades(n) >= 5 and viod(n)\n"
        "                       ^^^^\n",
    )
    done = run(capsys, "hands", folder, "--by", "kept")
    assert done.err.splitlines() == [
        "spadesim: error: The rows do not tell 'kept': it is recorded under rules by which something is "
        "decided before the bidding.",
        "    kept",
        "    ^^^^",
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--freq"], "say what by --where or --by"),
        (["--where", " "], "--where is empty"),
        (["--by", ""], "--by is empty"),
        (["--where", "void(n)", "--freq", "--count", "3"], "leave it out"),
        (["--format", "pdf"], "There is no format 'pdf'."),
        (["--format", "csv", "--json"], "--json is --format json"),
        (["--by", "aces(n)", "--format", "pbn"], "pbn holds hands"),
        (["--rules", "cutthroat3", "--format", "pbn"], "pbn holds four hands, not 3"),
        (["--plot", "x.svg"], "--plot draws what --by counts"),
        (["--by", "aces(n)", "--plot", "x.doc"], "A picture is"),
        (["--by", "aces(n)", "--plot", "no/x.svg"], "There is no folder 'no'"),
        (["--output", "no/x.txt"], "There is no folder 'no'"),
        (["--rules", "draw300"], "there are no deals"),
        (["nowhere"], "There is no folder 'nowhere'"),
        (["one", "two"], "one run at a time"),
        (["spades(n) >= 5"], "a condition stands behind --where"),
        (["played", "--tries", "5"], "tries is for fresh deals"),
    ],
)
def test_refused(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in complaint(capsys, "hands", *options)
