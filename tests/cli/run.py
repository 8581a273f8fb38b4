"""Running the command line in this process, and comparing what it prints with what it printed before."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import spadesim
from spadesim.cli.app import main

EXPECTED = Path(__file__).parent / "expected"


@dataclass(frozen=True)
class Done:
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """What a command line comes to; anything printed before is thrown away."""
    capsys.readouterr()
    code = main(arguments)
    captured = capsys.readouterr()
    return Done(code, captured.out, captured.err)


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line by which a command refuses what it was asked for."""
    done = run(capsys, *arguments)
    assert done.code == 2
    assert done.out == ""
    lines = done.err.splitlines()
    notes = [line for line in lines if line.startswith("spadesim: compiling ")]
    (line,) = [line for line in lines if line not in notes]
    assert line.startswith("spadesim: error: ")
    assert "Traceback" not in done.err
    return line.removeprefix("spadesim: error: ")


def check_expected(name: str, text: str) -> None:
    """Compare a text with the file of what it was, apart from times and the version.

    ``UPDATE_EXPECTED=1`` writes the file anew.
    """
    text = without_times(text).replace(spadesim.__version__, "VERSION")
    file = EXPECTED / name
    if os.environ.get("UPDATE_EXPECTED") == "1":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def without_times(text: str) -> str:
    """A text in which every time and speed is the same."""
    text = re.sub(r"hands\s+in\s+[\d.]+\s+s,\s+[\d,.]+/s", "hands in TIME", text)
    return re.sub(r'"(seconds|hands_per_second)": [\d.e+-]+', r'"\1": TIME', text)
