"""What the documentation shows is what the commands print, and every option is explained."""

import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from spadesim.cli.commands import app
from tests.cli.run import run, without_times

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "README.md", *sorted(ROOT.glob("docs/tutorial/*.md")), *sorted(ROOT.glob("docs/how-to/*.md"))]
BLOCK = re.compile(
    r"^```(?P<kind>console|text|python(?: title=\"(?P<file>[^\"\n]+)\")?)\n(?P<body>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
# Texts whose Python is not for a test: it needs other machines, or plays for longer.
PYTHON_LEFT_OUT = ("many-machines", "sweep", "where-they-part")
LEFT_OUT = "[...]\n"
UPDATES = os.environ.get("UPDATE_EXPECTED") == "1"


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.stem)
def test_what_is_shown_is_what_is_printed(
    file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Play a text from top to bottom: its files, its commands and its Python, in an empty folder.

    What Python prints is shown in the ``text`` block that follows. `[...]` stands for lines that are left
    out. ``UPDATE_EXPECTED=1`` writes the outputs anew, where nothing is left out.
    """
    monkeypatch.chdir(tmp_path)
    text = file.read_text(encoding="utf-8")
    updated, end = [], 0
    names: dict[str, Any] = {}
    for block in BLOCK.finditer(text):
        updated.append(text[end : block.start()])
        end = block.end()
        kind, body = block["kind"], block["body"]
        if block["file"]:
            Path(block["file"]).write_text(body, encoding="utf-8")
        elif kind == "python" and file.stem not in PYTHON_LEFT_OUT:
            capsys.readouterr()
            exec(compile(body, f"{file.name}, a block of Python", "exec"), names)
        if kind == "text":
            shown = checked(body, capsys.readouterr().out)
            updated.append(f"```text\n{shown}```")
        elif kind == "console":
            command, _, shown = body.partition("\n")
            done = run(capsys, *shlex.split(command.removeprefix("$ spadesim ")))
            assert done.code == 0, done.err
            updated.append(f"```console\n{command}\n{checked(shown, done.out)}```")
        else:
            updated.append(block[0])
    if UPDATES:
        file.write_text("".join([*updated, text[end:]]), encoding="utf-8")


def checked(shown: str, printed: str) -> str:
    """What is to be shown: what is, for it was printed; or what was printed, where that is to be written."""
    if UPDATES and LEFT_OUT not in shown:
        return printed
    for part in without_times(shown).split(LEFT_OUT):
        assert part in without_times(printed)
    return shown


def options_of(command: object, path: str = "spadesim") -> list[tuple[str, str]]:
    """Every option of every command: the command's name and the option."""
    parameters: list[Any] = command.params  # type: ignore[attr-defined]
    names = [name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)]
    found = [(path, name) for name in names if name[0] == "-"]
    for name, inner in getattr(command, "commands", {}).items():
        found += options_of(inner, f"{path} {name}")
    return found


def test_every_option_is_explained() -> None:
    from typer.main import get_command

    text = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    for command, option in options_of(get_command(app)):
        group = " ".join(command.split()[:2])
        part = text if group == "spadesim" else text[text.index(f"## {group}\n") :].split("\n## ")[0]
        assert re.search(rf"[` ]{option}\b", part), f"{command} {option}"
    explained = set(re.findall(r"[` ](--[a-z-]+)", text))
    assert explained - {"--help"} == {
        option for _, option in options_of(get_command(app)) if option[:2] == "--"
    }


def test_every_command_is_in_the_table_and_its_failures_among_the_exit_codes() -> None:
    from typer.main import get_command

    text = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    table, codes = text.split("\n## ")[0], text[text.index("## Exit codes") :].split("\n## ")[0]
    commands: dict[str, object] = getattr(get_command(app), "commands", {})
    assert [name for name in commands if f"| [`spadesim {name}" not in table] == []
    (failed,) = (line for line in codes.splitlines() if line.startswith("| 1 |"))
    for name in (
        "gate",
        "calibrate",
        "fit",
        "strategies check",
        "rules check",
        "selftest",
        "runs verify",
        "run --check",
    ):
        assert f"`{name}`" in failed


EXAMPLE = re.compile(
    r"^\s*\$? ?spadesim (duel (?:easy|medium|hard|lowest_card|random_legal) .*)$", re.MULTILINE
)


def examples() -> list[str]:
    """Every duel of whole games between bundled bots that a page or a help text shows."""
    sources = [
        ROOT / "README.md",
        *sorted(ROOT.glob("docs/**/*.md")),
        *sorted(ROOT.glob("spadesim/cli/*.py")),
    ]
    found = [line for file in sources for line in EXAMPLE.findall(file.read_text(encoding="utf-8"))]
    wanted = [
        line.split("#")[0].split(">")[0].rstrip()
        for line in found
        if not re.search(r"--boards|--out|\.(py|toml)|--sprt|--until|--equivalent|--confirm", line)
    ]
    return sorted({re.sub(r" --(games|report) \S+", "", line) for line in wanted})


@pytest.mark.parametrize("line", examples())
def test_an_example_of_a_duel_has_a_verdict(capsys: pytest.CaptureFixture[str], line: str) -> None:
    """No example ends without one because its bots never finish a game."""
    done = run(capsys, *shlex.split(line), "--games", "240", "--quiet")
    assert done.code == 0, done.err
    assert not done.out.startswith("No verdict"), done.out
