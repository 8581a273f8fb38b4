"""``spadesim diff``: what it prints and writes, the commands in it, windows of any width, what it refuses."""

import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from spadesim.analysis.diff import diff
from spadesim.cli.app import INTERRUPTED
from spadesim.cli.render_diff import print_result
from spadesim.cli.terminal import Notes
from spadesim.match.diff_result import DiffResult
from tests.cli.run import check_expected, complaint, run
from tests.match.planted import write_planted

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A bot in the current folder that never changes, and a variant that differs where it plays low."""
    monkeypatch.chdir(tmp_path)
    write_planted(tmp_path)
    return "planted.py:at=play", "planted.py"


def test_what_is_printed_and_written(capsys: Capture, planted: tuple[str, str]) -> None:
    files = ["--plot", "kinds.svg", "--out", "boards.csv"]
    done = run(capsys, "diff", *planted, "--boards", "300", "--top", "4", "--show", "1", *files)
    assert done.code == 0, done.err
    check_expected("diff.txt", done.out)
    assert "</svg>" in Path("kinds.svg").read_text(encoding="utf-8")
    head, *rows = Path("boards.csv").read_text(encoding="utf-8").splitlines()
    assert head.startswith("board,kind,decision,number,seat,a_chose,b_chose,win_chance,points,worth")
    assert sum(row.split(",")[-1] != "" for row in rows) == 4


def told(choice: dict[str, Any]) -> str:
    """A choice as `show` has it in JSON, in the words of a diff."""
    if "bid" in choice:
        return "nil" if choice["bid"] == 0 else str(choice["bid"])
    if "keep" in choice:
        return "keep" if choice["keep"] else "pass up"
    if "declare" in choice:
        return "blind nil" if choice["declare"] else "no blind nil"
    return str(choice["card"]) if "card" in choice else " ".join(choice["exchange"]) or "none"


@pytest.mark.parametrize(
    ("rules", "sides"),
    [("pata", ()), ("cutthroat3", ("easy", "medium")), ("draw500", ("gambler.py", "keeper.py"))],
)
def test_every_command_shows_its_case(
    capsys: Capture, planted: tuple[str, str], players: tuple[str, str], rules: str, sides: tuple[str, ...]
) -> None:
    """Its seat chose there what the case says of A, and B would have done what it says of B."""
    how = ["--boards", "150", "--top", "4", "--redeals", "0", "--rules", rules, "--json"]
    found = json.loads(run(capsys, "diff", *(sides or planted), *how).out)
    assert len(found["cases"]) == 4
    for case in found["cases"]:
        program, *words = shlex.split(case["command"])
        shown = run(capsys, *words, "--format", "json")
        assert (program, shown.code) == ("spadesim", 0), shown.err
        seen = json.loads(shown.out)["moment"]
        assert (seen["room"], seen["seat"]) == (case["room_a"], case["seat"])
        assert [told(answer) for answer in seen["answers"]] == [case["a_chose"], case["b_chose"]]
        assert told(seen["made"]) == case["a_chose"]
    again = shlex.split(found["command"])[1:]
    assert json.loads(run(capsys, *again, "--json").out)["cases"] == found["cases"]


@pytest.fixture(scope="module")
def results() -> list[DiffResult]:
    """With win chances and without."""
    return [diff("easy", "medium", boards=500, top=6), diff("easy", "medium", boards=300, rules="cutthroat3")]


@pytest.mark.parametrize("columns", [100, 80, 70, 60, 50])
def test_tables_fit_the_window(results: list[DiffResult], columns: int, capsys: Capture) -> None:
    for result in results:
        out = io.StringIO()
        print_result(Console(file=out, width=columns, force_terminal=True, color_system=None), result, 0)
        lines = out.getvalue().splitlines()
        assert all(len(line) <= columns for line in lines if not line.startswith(("spadesim show", "again")))
        table = lines[next(k for k, line in enumerate(lines) if line.startswith("part at")) :]
        assert "…" not in "".join(table)
        for part in result.kinds:
            (line,) = [line for line in table if line.startswith(f"{part.kind} ")]
            assert f"{part.boards:,}" in line


def test_one_sentence(capsys: Capture, planted: tuple[str, str]) -> None:
    done = run(capsys, "diff", *planted, "--boards", "100", "--top", "0", "--quiet")
    assert done.out.startswith("planted:at=play gains ")
    assert done.out.count("\n") == 1
    same = run(
        capsys, "diff", planted[1], planted[1], "--boards", "64", "--plot", "none.pdf", "--out", "none.csv"
    )
    assert Path("none.pdf").read_bytes().startswith(b"%PDF")
    assert len(Path("none.csv").read_text(encoding="utf-8").splitlines()) == 1
    assert same.out.startswith("planted and planted never part: on 64 boards they choose alike")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--kind covers", "There is no kind of decision 'covers'. Did you mean 'cover'? Kinds: bid, nil,"),
        ("--redeals 3", "redeals must be 0, for none, or at least 30, not 3."),
        ("--plot kinds.gif", "A picture is an .svg, a .png or a .pdf file, not 'kinds.gif'."),
        ("--out no/where.csv", "There is no folder 'no' to write 'where.csv' to."),
        ("--boards 0", "boards must be from 1 to"),
        ("--show=-1", "show must be at least 0, not -1."),
    ],
)
def test_refused(capsys: Capture, words: str, message: str) -> None:
    assert complaint(capsys, "diff", "easy", "medium", *words.split()).startswith(message)


def test_a_condition_that_no_board_meets_is_refused(capsys: Capture) -> None:
    words = ["--boards", "20", "--where", 'has(n, "AKQJT98 of spades")']
    assert complaint(capsys, "diff", "easy", "medium", *words).startswith(
        "No board counts: none of 20 boards fits has(n,"
    )


def test_ctrl_c_prints_what_there_is(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(notes: Notes, done: int, total: int, hands: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Notes, "progress", stop)
    done = run(capsys, "diff", "easy", "medium", "--boards", "5000", "--top", "2", "--executor", "serial")
    assert done.code == INTERRUPTED
    assert done.out.startswith("Partial, after ")
    assert "The 2 boards that cost easy the most" in done.out
    assert "on average" not in done.out


def test_a_condition_is_pointed_at(capsys: Capture) -> None:
    done = run(capsys, "diff", "easy", "medium", "--where", "spades > 3 and spaeds(n) > 2")
    assert done.code == 2
    *_, said, text, caret = done.err.splitlines()
    assert said == "spadesim: error: There is no 'spaeds'. Did you mean 'spades'?"
    assert text[caret.index("^") :].startswith("spaeds")
