"""``spadesim show``: what it prints and writes, in colours and without, and what it refuses."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from spadesim.analysis.show import show
from tests.cli.run import Done, check_expected, complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
DEAL = "N:A942..JT8.J97654 QT6.AQT53.A.AT82 J8753.K976.Q92.3 K.J842.K76543.KQ"
COLOUR = re.compile(r"\x1b\[[\d;]*m")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("show_board.txt", "--board 3 --scores 400,350 --bags 3,7"),
        ("show_sheet.txt", "--game 2"),
        ("show_hand.txt", "--game 2 --hand 2 --room 1"),
        ("show_decision.txt", "--board 3 --seat E --trick 4 --ask steady.py,modest.py,easy"),
        ("show_bid.txt", "--game 2 --hand 2 --room 1 --seat 0 --bid"),
        ("show.pbn", "--board 3 --format pbn"),
        ("show.json", "--board 3 --format json --room 0 --seat E --trick 4"),
    ],
)
def test_what_is_printed(capsys: Capture, bots: tuple[str, str], name: str, options: str) -> None:
    done = run(capsys, "show", *bots, *options.split())
    assert (done.code, done.err) == (0, "") or "compiling" in done.err
    check_expected(name, done.out)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("show_draw.txt", "--rules draw500 --board 0"),
        ("show_draw.json", "--rules draw500 --board 0 --format json --room 0 --seat N --exchange"),
        (
            "show_turn.txt",
            "--rules draw500 --board 0 --seat N --draw 7 --ask gambler.py,keeper.py,lowest_card",
        ),
        ("show_exchange.txt", "--rules draw500 --board 0 --seat N --exchange"),
        ("show_three.txt", "--rules cutthroat3 --board 1"),
        ("show_four_alone.txt", "--rules bicycle --board 2 --room 3 --scores 10,20,30,40"),
        ("show_three_sheet.txt", "--rules cutthroat3:target=100 --game 0 --room 4"),
        ("show_blind.txt", "--rules pata:blind_nil=always --board 3 --scores 120,340"),
    ],
)
def test_tables_of_single_players_and_blind_nils(
    capsys: Capture, players: tuple[str, str], name: str, options: str
) -> None:
    done = run(capsys, "show", *players, *options.split())
    assert (done.code, done.err) == (0, "") or "compiling" in done.err
    check_expected(name, done.out)


def test_a_stock_goes_out_and_comes_in(capsys: Capture, players: tuple[str, str]) -> None:
    asked = [*players, "--rules", "draw300", "--board", "5", "--scores", "0,0"]
    found = json.loads(run(capsys, "show", *asked, "--format", "json").out)
    (hand,) = found["rooms"][0]["hands"]
    again = run(
        capsys, "show", *asked, "--deal", hand["stock"], "--dealer", hand["dealer"], "--format", "json"
    )
    given = json.loads(again.out)
    assert given["rooms"] == found["rooms"]
    command = shlex.split(given["command"])[1:]
    assert json.loads(run(capsys, *command, "--format", "json").out)["rooms"] == found["rooms"]


def test_a_wide_window(capsys: Capture, bots: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    done = run(capsys, "show", *bots, "--board", "3")
    check_expected("show_wide.txt", done.out)


def test_a_narrow_window(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = run(capsys, "show", "easy", "easy", "--board", "3").out
    assert out.index("Room 1") > out.index("13  ")
    assert max(map(len, out.splitlines())) <= 60


def test_colours_change_nothing_else(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run(capsys, "show", "easy", "hard", "--board", "3").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run(capsys, "show", "easy", "hard", "--board", "3").out
    assert "\x1b[" in coloured
    assert [row.rstrip() for row in COLOUR.sub("", coloured).splitlines()] == plain.splitlines()


def test_a_terminal_without_the_signs(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(sys.stdout), "encoding", "ascii")
    out = run(capsys, "show", "easy", "hard", "--board", "3").out
    assert out.isascii()
    assert "S A942" in out


def test_nothing_asked_for_is_the_first_board(capsys: Capture) -> None:
    assert run(capsys, "show", "easy", "hard").out.startswith("Board 0 of seed 1: easy against hard")


def test_it_is_what_the_function_returns(capsys: Capture) -> None:
    done = run(capsys, "show", "easy", "hard", "--game", "2", "--hand", "2", "--format", "json")
    assert json.loads(done.out) == json.loads(show("easy", "hard", game=2, hand=2, format="json"))


def test_a_deal_goes_out_and_comes_in(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(capsys, "show", "easy", "hard", "--board", "3", "--format", "pbn", "--output", "three.pbn")
    assert done == Done(0, "", "spadesim: written to three.pbn\n")
    level = ["--scores", "0,0"]  # where a given deal starts
    dealt = run(capsys, "show", "easy", "hard", "--board", "3", *level).out
    given = run(capsys, "show", "easy", "hard", "--deal", "three.pbn", "--board", "3", *level).out
    assert given.splitlines()[1:] == dealt.splitlines()[1:]
    words = ["--deal", DEAL, "--dealer", "S", "--board", "3", *level]
    as_text = run(capsys, "show", "easy", "hard", *words).out
    assert as_text == given


def test_text_into_a_file_is_80_columns_wide(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    file = tmp_path / "three.txt"
    assert run(capsys, "show", "easy", "hard", "--board", "3", "--output", str(file)).code == 0
    assert file.read_text(encoding="utf-8") == show("easy", "hard", board=3)


COMMAND_LINES = {
    "show easy": "Missing argument 'B'. See spadesim show --help.",
    "show easy hard --bord 3": "There is no option --bord. Did you mean '--board'? See spadesim show --help.",
    "show easy hard --board -1": "board must be from 0 to 1000000000000, not -1.",
    "show easy hard --board x": "Invalid value for '--board': 'x' is not a whole number.",
    "show easy hard --board 1 --game 1": "game and board exclude each other: give one of them.",
    "show easy hard --seat N": "seat goes with a trick: 1 to 13, or 0 for the bidding.",
    "show easy hard --trick 4": "A trick or the bidding goes with a seat: say whose decision it is",
    "show easy hard --seat Q --bid": "'Q' is no seat: a seat is N, E, S or W, or a number from 0",
    "show easy hard --seat N --trick 14": "trick must be from 1 to 13, or 0 for the bidding, not 14.",
    "show easy hard --seat N --trick 2 --bid": "--bid and --trick exclude each other: --bid is --trick 0.",
    "show easy hard --seat N --bid --ask esay": "There is no strategy 'esay'. Did you mean 'easy'?",
    "show easy hard --format jsn": "There is no format 'jsn'. Did you mean 'json'? Formats: text, pbn, json.",
    "show easy hard --game 3 --hand 30": (
        "There is no hand 30 in room 0: game 3 has 7 hands in room 0 and 6 in room 1."
    ),
    "show easy hard --game 3 --scores 1,2": "scores are for boards; whole games begin at 0.",
    "show easy hard --deal nowhere.pbn": "The file 'nowhere.pbn' cannot be read: No such file or directory.",
    "show easy hard --deal AKQ.J..": "The deal has 1 hand, not 4: 'AKQ.J..'.",
    "show easy hard --dealer N": "dealer goes with a given deal",
    "show easy hard --output nowhere/x.txt": "There is no folder 'nowhere' to write 'x.txt' to.",
    "show easy hard --rules patta": "There is no preset 'patta'. Did you mean 'pata'?",
    "show easy hard --seat N --draw 3": "There is no draw with deal=all: leave draw out.",
    "show easy hard --seat N --declare": "There is no blind nil with blind_nil=off: leave declare out.",
    "show a b --rules draw300 --seat N --draw 14": "draw must be from 1 to 13, the turns",
    "show a b --rules draw300 --seat S --bid": "'S' is no seat at a table of two, which has N and E.",
    "show a b --rules draw300 --seat N": "seat goes with a trick: 1 to 13, or 0",
    "show a b --rules draw300 --draw 2": "draw goes with a seat: say whose decision it is",
    "show a b --rules draw300 --draw 2 --seat N --trick 3": "trick and draw exclude each other",
    "show a b --rules draw300 --seat N --exchange": "There is no blind nil with blind_nil=off",
    "show a b --rules draw300 --format pbn": "pbn holds four hands, but two play",
    "show a b --rules cutthroat3 --format pbn": "pbn holds four hands, but three play under these rules",
    "show a b --rules cutthroat3 --room 6": "room must be from 0 to 5, not 6.",
    "show a b --rules cutthroat3 --seat N --trick 18": "trick must be from 1 to 17, or",
    "show a b --rules draw300 --deal x.pbn": "A PBN file holds four hands, but two play",
    "show a b --rules draw300 --deal AS": "The stock has 1 card, not 52: at a draw table",
    "show a b --rules draw300 --deal N:AKQ...": "'N:AKQ...' has hands; at a draw table a deal is",
    "show a b --rules draw300 --scores 1,2,3": "scores must be two whole numbers, one for each player",
    "show easy+hard hard --rules cutthroat3": "'easy+hard' names two bots, but with teams=individual every",
}


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_refused(capsys: Capture, line: str) -> None:
    assert COMMAND_LINES[line] in complaint(capsys, *line.split())


def test_a_card_twice(capsys: Capture) -> None:
    twice = DEAL.replace("K.J842", "Q.J842")
    assert complaint(capsys, "show", "easy", "hard", "--deal", twice) == "QS is dealt twice."
