"""What cannot be done is refused in one line that says why, with exit code 2 and without a traceback."""

import re
from importlib import import_module
from pathlib import Path

import pytest
from rich.text import Text

from spadesim.cli.app import main
from spadesim.cli.terminal import Notes, result_console
from tests.cli.run import complaint, run
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]

COMMAND_LINES = {
    "dual easy hard": "There is no command 'dual'. Did you mean 'duel'? Commands: duel, diff, ",
    "strategies chek easy": "There is no command 'chek'. Did you mean 'check'? "
    "Commands: list, show, check, new. See spadesim strategies --help.",
    "duel easy": "Missing argument 'B'. See spadesim duel --help.",
    "duel easy hard easy": "Got unexpected extra argument",
    "duel easy hard --gamse 4": "There is no option --gamse. Did you mean '--games'? See spadesim duel",
    "duel easy hard -x": "There is no option -x. See spadesim duel --help.",
    "duel easy hard --games": "Option '--games' requires an argument.",
    "duel easy hard --games many": "Invalid value for '--games': 'many' is not a whole number.",
    "duel easy hard --games 1.5": "Invalid value for '--games': '1.5' is not a whole number.",
    "duel easy hard --games 0": "games must be at least 2, not 0: games are played in pairs",
    "duel easy hard --games -2": "games must be at least 2, not -2",
    "duel easy hard --games 5": "games must be even, such as 4 or 6, not 5",
    "duel easy hard --boards 0": "boards must be",
    "duel easy hard --games 4 --boards 4": "games and boards exclude each other",
    "duel easy hard --games 4 --scores 1,2": "scores are for boards",
    "duel easy hard --boards 4 --scores 1": "scores must be two whole numbers, such as 400,350",
    "duel easy hard --boards 4 --bags 3,12": "bags must be from 0 to 9, not 12",
    "duel easy hard --boards 4 --scores 600,0": "scores must be",
    "duel easy hard --workers 0": "workers must be",
    "duel easy hard --chunk 0": "chunk must be at least 1, not 0.",
    "duel easy hard --seed -1": "seed must be from 0 to",
    "duel esay hard": "There is no strategy 'esay'. Did you mean 'easy'?",
    "duel easy nowhere.py": "There is no strategy file 'nowhere.py'.",
    "duel easy easy:aec=3": "Did you mean 'ace'?",
    "duel easy easy:ace=many": "easy: Parameter 'ace' must be",
    "duel easy hard --rules patta": "There is no preset 'patta'. Did you mean 'pata'?",
    "duel easy hard --rules pata:targte=3": "There is no rule option 'targte'. Did you mean 'target'?",
    "duel easy hard --rules pata:players=3": "players",
    "duel easy hard --rules nowhere.toml": "There is no rules file 'nowhere.toml'.",
    "strategies show esay": "There is no strategy 'esay'. Did you mean 'easy'?",
    "strategies check easy --positions 0": "positions must be at least 1, not 0.",
    "strategies new bot.txt": "'bot.txt': a bot is a Python file; did you mean 'bot.txt.py'?",
    "run nowhere.toml": "There is no file 'nowhere.toml'",
    "run ladder --games 3": "games must be even",
}


@pytest.mark.parametrize("line", COMMAND_LINES)
def test_command_lines(capsys: Capture, line: str) -> None:
    assert COMMAND_LINES[line] in complaint(capsys, *line.split())


def test_names_that_cannot_be_printed_or_compiled(capsys: Capture, tmp_path: Path) -> None:
    for name in ("a\x1b[31m.py", "a\nb.py", "a\u2028b.py"):
        text = complaint(capsys, "duel", f"./{name}", "easy")
        assert re.search(r"U\+(001B|000A|2028) is a sign that cannot be printed", text)
    for name in ("a{b}", "{1}"):
        text = complaint(capsys, "duel", write_bot(tmp_path, name), "easy")
        assert f"{name}.py' cannot be compiled, for its path has a brace" in text


def test_what_steers_a_terminal_is_written_out(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd, shown = "no\x1b[31m\u202e", r"no\x1b[31m\u202e"
    assert f"There is no '{shown}'" in complaint(capsys, "report", odd)
    folder = tmp_path / odd
    folder.mkdir()
    assert run(capsys, "runs", "list", str(folder)).out == f"There is no run in '{tmp_path / shown}'.\n"
    (folder / "run.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    out = run(capsys, "runs", "list", odd).out
    assert odd not in out
    assert r"\x1b" in "".join(out.split())
    Notes(False).say(odd)
    result_console().print(Text(odd, style="bold"))
    assert capsys.readouterr() == (f"{shown}\n", f"spadesim: {shown}\n")


RULES_FILES = {
    "an unknown option": ("preset = 'pata'\ntargte = 300", "Did you mean 'target'?"),
    "a wrong type": ("target = '300'", "must be a whole number"),
    "a floor above the target": ("target = 100\nfloor = 200", "floor"),
    "no TOML": ("target: 300", "TOML"),
}


@pytest.mark.parametrize("name", RULES_FILES)
def test_rules_files(capsys: Capture, tmp_path: Path, name: str) -> None:
    text, reason = RULES_FILES[name]
    file = tmp_path / "rules.toml"
    file.write_text(text)
    assert reason in complaint(capsys, "duel", "easy", "easy", "--rules", str(file))


# What a bot does wrong -> its functions, and what is said of it.
BOTS = {
    "illegal card": (
        {"play": "return 51"},
        r"bot played AS, which is not legal; legal is .* To see it again:",
    ),
    "illegal bid": ({"bid": "return 14"}, r"bot bid 14, which is not legal; legal bids are 0 to 13"),
    "float": ({"play": "return lowest(view.legal) / 1"}, r"bot.py, line \d+: `play` returns a float, must"),
    "raises": ({"play": "return 7 // (view.hand & 0)"}, r"bot raised ZeroDivisionError"),
    "writes": (
        {"play": "view.tricks[0] = 5\n    return lowest(view.legal)"},
        r"bot: `play` writes to its view",
    ),
    "field": ({"play": "return view.hnad"}, r"the view has no field 'hnad'\. Did you mean 'hand'\?"),
}


@pytest.mark.parametrize("name", BOTS)
def test_bots_that_break_the_contract(capsys: Capture, tmp_path: Path, name: str) -> None:
    bodies, reason = BOTS[name]
    bot = write_bot(tmp_path, "bot", **bodies)
    assert re.search(reason, complaint(capsys, "duel", bot, "easy", "--games", "40"))


@pytest.mark.parametrize("name", ["illegal card", "illegal bid", "raises", "writes"])
def test_the_check_finds_them_too(capsys: Capture, tmp_path: Path, name: str) -> None:
    bot = write_bot(tmp_path, "bot", **BOTS[name][0])
    done = run(capsys, "strategies", "check", bot, "--positions", "300")
    assert done.code == 1
    assert "FAILED" in done.out
    assert "bot breaks the contract, and cannot play.\n" in done.out


@pytest.mark.parametrize("name", ["float", "field"])
def test_the_check_refuses_what_cannot_be_tried(capsys: Capture, tmp_path: Path, name: str) -> None:
    bodies, reason = BOTS[name]
    assert re.search(reason, complaint(capsys, "strategies", "check", write_bot(tmp_path, "bot", **bodies)))


def test_a_bot_without_a_function(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "half.py"
    file.write_text("def bid(view, p):\n    return 1\n")
    assert "half.py has no function `play`" in complaint(capsys, "duel", str(file), "easy")


def test_a_bot_that_is_no_python(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "typo.py"
    file.write_text("def bid(view, p)\n    return 1\n")
    assert re.search(r"typo.py, line 1: expected ':'", complaint(capsys, "duel", str(file), "easy"))


def test_a_bot_that_may_not_be_read(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Path(write_bot(tmp_path, "secret"))
    read_bytes = Path.read_bytes

    def forbidden(path: Path) -> bytes:
        if path.name == "secret.py":
            raise PermissionError(13, "Permission denied", str(path))
        return read_bytes(path)

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    said = complaint(capsys, "duel", str(bot), "easy")
    assert said == f"'{bot}' cannot be read: Permission denied."


@pytest.mark.parametrize(
    "error",
    [MemoryError(), ImportError("libopenblas.so: failed to map segment from shared object")],
    ids=["python", "library"],
)
def test_a_limit_of_memory_is_no_defect(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def lacking(_: object) -> int:
        raise error

    monkeypatch.setattr("spadesim.cli.app._run", lacking)
    assert complaint(capsys, "rules", "list").startswith("There is not enough memory")


def test_numbers_that_are_suggested_are_possible(capsys: Capture) -> None:
    said = complaint(capsys, "duel", "easy", "hard", "--games", "99999999999999999999999")
    assert said.startswith("games must be from 2 to ")


def test_a_template_never_replaces_a_bot(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("mine")
    assert "exists already" in complaint(capsys, "strategies", "new", str(file))
    assert file.read_text() == "mine"


def test_a_report_that_cannot_be_written_leaves_the_old_one(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    page = tmp_path / "page.html"
    page.write_text("old")
    monkeypatch.setattr("os.fsync", full)
    done = run(capsys, "duel", "easy", "easy", "--games", "2", "--report", str(page))
    assert done.code == 2
    assert done.err == f"spadesim: error: '{page}' cannot be written: No space left on device.\n"
    assert page.read_text() == "old"
    assert list(tmp_path.iterdir()) == [page]


def test_a_defect_is_one_line_too(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(import_module("spadesim.match.duel"), "play_duel", broken)
    done = run(capsys, "duel", "easy", "easy")
    assert done.code == 70
    assert done.err.startswith(
        "spadesim: error: a defect of spadesim: RuntimeError: something else (SPADESIM"
    )
    monkeypatch.setenv("SPADESIM_DEBUG", "1")
    with pytest.raises(RuntimeError, match="something else"):
        main(["duel", "easy", "easy"])


def test_nothing_asked_for(capsys: Capture) -> None:
    done = run(capsys)
    assert done.code == 2
    assert done.err.startswith("Usage: spadesim [OPTIONS] COMMAND")
