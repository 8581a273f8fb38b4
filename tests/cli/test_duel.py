"""``spadesim duel``: what it prints and writes, and how it ends."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest

from spadesim.match import duel as duel_function
from spadesim.match.result import DuelResult
from tests.cli.run import Done, check_expected, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


def test_games(capsys: Capture, bots: tuple[str, str]) -> None:
    done = run(capsys, "duel", *bots, "--games", "200")
    assert done.code == 0
    check_expected("games.txt", done.out)


def test_boards(capsys: Capture, bots: tuple[str, str]) -> None:
    done = run(capsys, "duel", *bots, "--boards", "300", "--scores", "400,350", "--bags", "3,7")
    assert "its chance to win the game grew by" in done.out
    check_expected("boards.txt", done.out)


def test_json(capsys: Capture, bots: tuple[str, str]) -> None:
    done = run(capsys, "duel", *bots, "--games", "200", "--json")
    check_expected("games.json", done.out)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("draw_games.txt", "--rules draw500:floor=-300 --games 60"),
        ("draw_boards.txt", "--rules draw300 --boards 200 --scores 100,-50 --bags 3,7"),
        ("three_games.txt", "--rules cutthroat3:target=150 --games 60 --hand-cap 100"),
        ("four_alone_boards.txt", "--rules bicycle --boards 100"),
        ("draw_games.json", "--rules draw500:floor=-300 --games 60 --json"),
        ("three_games.json", "--rules cutthroat3:target=150 --games 60 --hand-cap 100 --json"),
    ],
)
def test_tables_of_single_players(capsys: Capture, players: tuple[str, str], name: str, options: str) -> None:
    done = run(capsys, "duel", *players, *options.split())
    assert done.code == 0
    check_expected(name, done.out)
    words = done.out.replace('"sides"', "").replace('"side', "")
    assert not re.search(r"\bpartners?\b|\bsides?\b", words)


def test_json_is_what_the_function_returns(capsys: Capture) -> None:
    printed = json.loads(run(capsys, "duel", "easy", "lowest_card", "--boards", "40", "--json").out)
    result = duel_function("easy", "lowest_card", boards=40).to_dict()
    for values in (printed, result):
        del values["seconds"], values["hands_per_second"]
    assert printed == json.loads(json.dumps(result))
    assert printed["games"] is None
    assert printed["win_rate_a"] is None


def test_no_line_is_wider_than_80_columns(capsys: Capture) -> None:
    a, b = "easy:ace=2,third_seat=0", "easy:ace=2,third_seat=1+lowest_card"
    done = run(capsys, "duel", a, b, "--games", "20")
    wide = [line for line in done.out.splitlines()[1:] if len(line) > 80 and not line.startswith("again")]
    assert wide == []
    assert not any(line != line.rstrip() for line in done.out.splitlines())


def test_quiet_prints_the_verdict_alone(capsys: Capture) -> None:
    done = run(capsys, "duel", "easy", "easy", "--games", "20", "--quiet")
    verdict = "No difference on any of 10 pairs of games, as it must be: easy plays against itself."
    assert done == Done(0, f"{verdict}\n", "")


def test_the_command_that_is_printed_repeats_the_duel(capsys: Capture) -> None:
    asked = ["duel", "easy", "lowest_card", "--boards", "30", "--scores=-120,40", "--first", "7"]
    first = run(capsys, *asked)
    again = next(line.split()[2:] for line in first.out.splitlines() if line.startswith("again"))
    second = run(capsys, *again)

    def fingerprint(done: Done) -> str:
        return next(line for line in done.out.splitlines() if "fingerprint" in line)

    assert fingerprint(first) == fingerprint(second)


@pytest.mark.parametrize(
    "options", [[], ["--workers", "2"], ["--chunk", "1"], ["--workers", "1", "--chunk", "7"]]
)
def test_workers_and_chunks_change_nothing(capsys: Capture, options: list[str]) -> None:
    asked = ["duel", "easy", "lowest_card", "--games", "60", "--json"]
    usual, other = (json.loads(run(capsys, *asked, *more).out) for more in ([], options))
    for values in (usual, other):
        del values["seconds"], values["hands_per_second"]
    assert other == usual


def test_numbers_may_have_commas(capsys: Capture) -> None:
    done = run(capsys, "duel", "easy", "lowest_card", "--boards", "1,000", "--json")
    assert json.loads(done.out)["boards"] == 1000


def test_unfinished_games_take_the_verdict_away(capsys: Capture) -> None:
    done = run(capsys, "duel", "easy", "lowest_card", "--games", "20", "--hand-cap", "5")
    assert done.out.startswith("No verdict: ")
    assert "20 of 20 games unfinished (100.0 %)" in done.out


def test_a_report(capsys: Capture, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run(capsys, "duel", "easy", "lowest_card", "--games", "20", "--report", str(page))
    assert done.code == 0
    assert done.err.endswith(f"spadesim: the page is in {page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [page]


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/page.html", "There is no folder"),
        (".", "is a folder; the name of a file is needed."),
        ("file/page.html", "There is no folder"),
    ],
)
def test_a_place_for_the_report_is_tried_before_playing(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, reason: str
) -> None:
    def never(*_: object, **__: object) -> DuelResult:
        raise AssertionError

    monkeypatch.setattr(import_module("spadesim.match.duel"), "play_duel", never)
    (tmp_path / "file").touch()
    done = run(capsys, "duel", "easy", "easy", "--report", str(tmp_path / place))
    assert done.code == 2
    assert done.err.startswith("spadesim: error: ")
    assert reason in done.err
    assert not list(tmp_path.glob("*.html"))


def test_what_was_measured_before_ctrl_c_is_shown_as_partial(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_: object, done: int, *__: int) -> None:
        if done >= 20:
            raise KeyboardInterrupt

    monkeypatch.setattr("spadesim.cli.terminal.Notes.progress", interrupt)
    page = tmp_path / "page.html"
    asked = ["duel", "easy", "lowest_card", "--games", "1000", "--chunk", "10", "--workers", "1"]
    done = run(capsys, *asked, "--report", str(page))
    assert done.code == 130
    assert done.out.startswith("Partial, after 40 of 1,000 games: ")
    assert "Partial, after 40 of 1,000 games: " in page.read_text(encoding="utf-8")
    printed = run(capsys, *asked, "--json")
    assert printed.code == 130
    assert json.loads(printed.out)["partial"] is True


def test_ctrl_c_before_anything_was_measured(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> DuelResult:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("spadesim.match.duel"), "play_duel", interrupt)
    done = run(capsys, "duel", "easy", "easy")
    assert done == Done(130, "", "spadesim: stopped before anything was measured.\n")
