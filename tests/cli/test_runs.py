"""Runs on the command line: killed at any moment and gone on with, one process each, listed, verified."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spadesim.cli.app import main
from tests.cli.run import Done, complaint, run

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]

Capture = pytest.CaptureFixture[str]
ASKED = ["duel", "easy", "lowest_card", "--boards", "30000", "--part", "1000", "--quiet"]


def parts_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("part-*")}


def start(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "spadesim", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_parts(folder: Path, process: "subprocess.Popen[str]", number: int) -> None:
    while len(parts_of(folder)) < number and process.poll() is None:
        time.sleep(0.005)


def test_a_run_that_is_killed_again_and_again_has_the_parts_of_one_that_is_not(tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert main([*ASKED, "--out", str(whole)]) == 0
    process = start(*ASKED, "--out", str(killed))
    chance = random.Random(5)
    for number in (1, 9, 20):
        wait_for_parts(killed, process, number)
        time.sleep(chance.uniform(0, 0.05))
        process.kill()
        process.communicate()
        assert parts_of(killed).items() <= parts_of(whole).items()
        process = start("duel", "--resume", str(killed), "--quiet")
    out, _ = process.communicate()
    assert process.returncode == 0
    assert "easy" in out
    assert parts_of(killed) == parts_of(whole)
    assert not list(killed.glob(".*"))


def test_a_second_process_is_refused(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "run"
    process = start(*ASKED[:4], "2000000", "--out", str(folder))
    try:
        wait_for_parts(folder, process, 1)
        text = complaint(capsys, "duel", "--resume", str(folder))
        assert text == f"Another process is writing to '{folder}'; wait for it, or stop it."
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert f"spadesim duel --resume '{folder}' goes on" in err
    finally:
        process.kill()
    assert run(capsys, "runs", "verify", str(folder)).code == 0


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> str:
    monkeypatch.chdir(tmp_path)
    asked = ["--boards", "40", "--part", "10", "--out", "my_run", "--record", "cards"]
    assert run(capsys, "duel", "easy", "lowest_card", *asked).code == 0
    return "my_run"


def test_show_prints_what_the_duel_did(kept: str, capsys: Capture) -> None:
    shown = json.loads(run(capsys, "runs", "show", kept, "--json").out)
    played = json.loads(run(capsys, "duel", "easy", "lowest_card", "--boards", "40", "--json").out)
    for values in (shown, played):
        del values["seconds"], values["hands_per_second"]
    assert shown == played


def test_list(kept: str, capsys: Capture) -> None:
    (row,) = json.loads(run(capsys, "runs", "list", "--json").out)
    names = ("folder", "sides", "rules", "played", "asked", "unit", "state")
    assert [row[name] for name in names] == [
        "my_run",
        "easy - lowest_card",
        "pata",
        40,
        40,
        "boards",
        "finished",
    ]
    assert "easy - lowest_card" in run(capsys, "runs", "list").out
    Path("empty").mkdir()
    assert run(capsys, "runs", "list", "empty").out == "There is no run in 'empty'.\n"


def test_verify_finds_and_repairs(kept: str, capsys: Capture) -> None:
    assert run(capsys, "runs", "verify", kept).out.startswith("Sound: 4 parts, 40 units, 80 hands, ")
    (damaged,) = Path(kept).glob("part-000002-*")
    os.truncate(damaged, 1000)
    done = run(capsys, "runs", "verify", kept)
    assert done.code == 1
    assert done.out.startswith(f"Damaged: {damaged.name} (its bytes are not those")
    assert "3 of 4 parts are sound" in done.out
    assert "runs verify" in complaint(capsys, "runs", "show", kept)
    assert run(capsys, "runs", "verify", kept, "--repair").code == 1
    assert "1 of 4 parts missing" in run(capsys, "runs", "verify", kept).out
    assert run(capsys, "duel", "--resume", kept, "-q").code == 0
    found = json.loads(run(capsys, "runs", "verify", kept, "--json").out)
    assert found["sound"]
    assert found["complete"]
    assert found["fingerprint_from_cards"]


def test_repair_forgets_a_result_that_the_parts_do_not_bear_out(kept: str, capsys: Capture) -> None:
    file = Path(kept, "run.json")
    values = json.loads(file.read_text())
    values["result"]["fingerprint"] = "0" * 16
    file.write_text(json.dumps(values))
    done = run(capsys, "runs", "verify", kept, "--repair", "--json")
    assert done.code == 1
    assert [fault["file"] for fault in json.loads(done.out)["faults"]] == ["run.json"]
    assert json.loads(file.read_text())["result"] is None
    assert run(capsys, "duel", "--resume", kept, "-q").code == 0
    assert run(capsys, "runs", "verify", kept).code == 0


def test_games_that_confirm_boards_are_said_not_to_be_kept(kept: str, capsys: Capture) -> None:
    done = run(capsys, *ASKED[:4], "20", "--confirm", "20", "--out", "boards alone")
    assert "--out keeps the boards alone" in done.err
    assert "spadesim duel easy lowest_card --games 20" in done.err
    assert "--out 'boards alone_games'" in done.err


def test_a_finished_run_is_said_to_be_finished(kept: str, capsys: Capture) -> None:
    done = run(capsys, "duel", "--resume", kept)
    assert done.code == 0
    assert "'my_run' is finished; nothing was left to play." in done.err
    longer = run(capsys, "duel", "--resume", kept, "--boards", "50", "--json")
    assert json.loads(longer.out)["boards"] == 50


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            "duel --resume my_run --seed 4",
            "--resume takes all but --games, --boards and who plays from the run",
        ),
        ("duel --resume my_run --games 100", "is a run of boards; it cannot be made longer by --games."),
        ("duel --resume my_run --boards 20", "a run can be made longer, not shorter."),
        ("duel --resume elsewhere", "There is no folder 'elsewhere'."),
        ("duel easy hard --record cards", "--record says how --out keeps a run"),
        ("duel easy hard --out new --record all", "record must be rows or cards, not 'all'."),
        ("duel easy hard --out new --part 0", "part must be at least 1, not 0."),
        ("duel easy hard --trust-source", "--trust-source is for --resume DIR"),
        ("duel easy lowest_card --out my_run", "holds another run already"),
        ("runs show nothing", "There is no folder 'nothing'."),
    ],
)
def test_refused(kept: str, capsys: Capture, arguments: str, text: str) -> None:
    assert text in complaint(capsys, *arguments.split())
    assert not Path("new").exists()


def test_quiet_is_quiet(kept: str, capsys: Capture) -> None:
    done = run(capsys, "runs", "show", kept, "--quiet")
    assert done == Done(0, done.out, "")
    assert "easy" in done.out
