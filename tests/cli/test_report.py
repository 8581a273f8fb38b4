"""``spadesim report``: what it writes, prints and refuses, and its exit codes."""

import json
import shlex
import shutil
import signal
from pathlib import Path

import pytest

from spadesim.cli.app import INTERRUPTED
from tests.analysis.test_compose import write_page
from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Path:
    """A folder with a result in it, to be in."""
    monkeypatch.chdir(tmp_path)
    done = run(capsys, "duel", "easy", "lowest_card", "--games", "4", "--json")
    Path("duel.json").write_text(done.out)
    return tmp_path


def test_a_report_is_a_page_and_its_pictures(folder: Path, capsys: Capture) -> None:
    done = run(capsys, "report", "duel.json")
    assert done.code == 0
    assert done.out.startswith("lowest_card") or "easy" in done.out
    assert done.err == "spadesim: the page is in report.html, its pictures in report_files\n"
    assert Path("report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert {file.suffix for file in Path("report_files").iterdir()} == {".svg", ".png", ".pdf", ".csv"}
    assert sorted(file.name for file in folder.iterdir()) == ["duel.json", "report.html", "report_files"]


def test_places_that_take_no_report_are_refused_at_once(folder: Path, capsys: Capture) -> None:
    Path("file").touch()
    for options, told in (
        (["--figures", "file"], "'file' is a file; a folder is needed for 'file'"),
        (["--figures", "file/deep"], "is a file; a folder is needed for"),
        (["--out", "-"], "a report is not written to standard output"),
    ):
        done = run(capsys, "report", "no_such.json", *options)
        assert done.code == 2
        assert told in done.err


def test_files_of_an_earlier_report_are_told(folder: Path, capsys: Capture) -> None:
    Path("fig").mkdir()
    Path("fig/old.svg").touch()
    done = run(capsys, "report", "duel.json", "--page", "duel", "--figures", "fig")
    assert done.err == "spadesim: the page is in report.html, its pictures in fig, where 1 other file lies\n"
    assert Path("fig/old.svg").exists()


def test_what_a_file_brings_along_does_nothing_to_a_terminal(folder: Path, capsys: Capture) -> None:
    values = json.loads(Path("duel.json").read_text())
    Path("evil.json").write_text(json.dumps(values | {"verdict": "a\x1b[2Jb\nc"}))
    assert run(capsys, "report", "evil.json", "--page", "duel").out == "a\ufffd[2Jb c\n"


def test_markdown_goes_by_the_name_or_the_option(folder: Path, capsys: Capture) -> None:
    for options in (["--out", "a.md"], ["--format", "md"]):
        assert (
            run(capsys, "report", "duel.json", "--page", "duel", "--title", "My *duel*", *options).code == 0
        )
    texts = [Path(name).read_text(encoding="utf-8") for name in ("a.md", "report.md")]
    assert all(text.startswith("# My \\*duel\\*\n") for text in texts)


def test_what_it_says_as_json(folder: Path, capsys: Capture) -> None:
    done = run(capsys, "report", "duel.json", "--page", "duel", "--json", "--quiet", "--figures", "fig")
    found = json.loads(done.out)
    assert done.err == ""
    assert found["file"] == "report.html"
    assert found["title"] == "easy against lowest_card"
    assert found["command"] == "spadesim report duel.json --page duel --figures fig"
    (chapter,) = found["chapters"]
    assert chapter["fault"] is None
    assert chapter["parts"][0]["pictures"][0]["id"] == "duel-games-won"
    assert sorted(found["files"]) == [
        f"fig/duel-games-won.{ending}" for ending in ("csv", "pdf", "png", "svg")
    ]


def test_the_command_in_a_report_makes_the_same_again(folder: Path, capsys: Capture) -> None:
    arguments = ["duel.json", "--page", "duel", "--title", "What's new", "--format", "md", "--figures", "a b"]
    done = run(capsys, "report", *arguments, "--out", "c d.md", "--json")
    command = json.loads(done.out)["command"]
    first = Path("c d.md").read_bytes()
    assert command.encode() in first
    Path("c d.md").unlink()
    shutil.rmtree("a b")
    assert run(capsys, *shlex.split(command)[1:]).code == 0
    assert Path("c d.md").read_bytes() == first
    assert len(list(Path("a b").iterdir())) == 4


def test_a_faulty_page_is_named_and_the_rest_is_there(folder: Path, capsys: Capture) -> None:
    page = write_page(folder, "mine", raises="1 / 0")
    done = run(capsys, "report", "duel.json", "--page", page, "--page", "duel")
    assert done.code == 1
    assert done.err.startswith(
        "spadesim: the page mine is missing: ZeroDivisionError: division by zero (mine.py, line 14)\n"
    )
    text = Path("report.html").read_text(encoding="utf-8")
    assert "division by zero" in text
    assert 'id="duel-games-won"' in text


def test_a_diff_is_reported_out_of_its_json(folder: Path, capsys: Capture) -> None:
    done = run(
        capsys, "diff", "easy", "lowest_card", "--boards", "40", "--top", "2", "--redeals", "0", "--json"
    )
    Path("d.json").write_text(done.out)
    assert run(capsys, "report", "duel.json", "d.json", "--out", "both.html").code == 0
    text = Path("both.html").read_text(encoding="utf-8")
    assert "<h1>easy against lowest_card</h1>" in text
    assert text.count('<div class="hand">') == 2


def test_the_hands_of_a_run(folder: Path, capsys: Capture) -> None:
    run(capsys, "duel", "easy", "lowest_card", "--boards", "40", "--out", "kept")
    done = run(capsys, "report", "kept", "--hands", "2", "--executor", "serial", "--page", "diff", "--json")
    assert done.code == 0
    found = json.loads(done.out)
    assert found["command"] == "spadesim report kept --page diff --hands 2"
    assert len(found["chapters"][0]["parts"]) == 4


def test_ctrl_c_ends_the_boards_that_are_played_again(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        run(capsys, "duel", "easy", "lowest_card", "--boards", "40", "--out", name)
    played: list[int] = []

    def press(_: object, done: int, *__: int) -> None:
        played.append(done)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("spadesim.cli.terminal.Notes.progress", press)
    command = ["report", "first", "second", "--page", "diff", "--hands", "2", "--executor", "serial"]
    done = run(capsys, *command)
    assert done.code == INTERRUPTED
    assert done.err.startswith("spadesim: stopping; Ctrl-C again ends at once.\n")
    assert len(played) == 1
    assert Path("report.html").read_text(encoding="utf-8").count('<h2 id="diff"') == 1


def test_ctrl_c_while_pages_are_made_ends_the_report(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("spadesim.analysis.chapters.draw", press)
    done = run(capsys, "report", "duel.json")
    assert (done.code, done.out) == (INTERRUPTED, "")
    assert "Ctrl-C again ends at once.\nspadesim: stopped before the report was made.\n" in done.err
    assert not Path("report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nothing"], "There is no 'nothing'. A report is of a run's folder (duel --out), "),
        (["duel.json", "--page", "dual"], "There is no page 'dual'. Did you mean 'duel'? Pages: "),
        (["duel.json", "--workers", "2"], "Who plays goes with --hands"),
        (["duel.json", "--hands", "2"], "--hands draws the hands that cost most between two bots, and there"),
        (["duel.json", "--format", "mdd"], "--format must be html or md, not 'mdd'. Did you mean 'md'?"),
        (["duel.json", "--format", "md", "--out", "a.html"], "--format md does not go with 'a.html', "),
        (["duel.json", "--out", "a.txt"], "'a.txt' must end in .html or .md, or --format say which of them"),
        (["duel.json", "--out", "missing/a.html"], "There is no folder 'missing' to write 'a.html' to."),
    ],
)
def test_what_it_refuses(folder: Path, capsys: Capture, arguments: list[str], reason: str) -> None:
    assert complaint(capsys, "report", *arguments).startswith(reason)
    assert not Path("report.html").exists()
