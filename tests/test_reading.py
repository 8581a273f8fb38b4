"""What a user names: home folders and small files."""

import os
from pathlib import Path

import pytest

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.reading import MAX_BYTES, small_table, small_text, user_path


def test_home_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert user_path("~/a.toml") == tmp_path / "a.toml"
    assert user_path("b/c.toml") == Path("b/c.toml")


def test_a_user_that_there_is_not() -> None:
    with pytest.raises(
        UserError, match="In '~nobody_of_that_name/x' there is no user '~nobody_of_that_name'"
    ):
        user_path("~nobody_of_that_name/x")


def test_a_small_file_and_a_large_one(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_bytes(b"\xef\xbb\xbftarget = 300\n")
    assert small_text(file) == "target = 300\n"
    file.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(UserError, match=r"a\.toml' is longer than a megabyte"):
        small_text(file)


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    """Refused in words for people who do not program."""
    file = tmp_path / "a.toml"
    file.write_text("target = " + "9" * 6000)
    with pytest.raises(UserError, match="is not valid TOML: it holds a number of thousands of digits"):
        Rules.parse(str(file))
    for number in ("9" * 60, "-" + "9" * 19):
        file.write_text(f"target = {number}")
        for text in (str(file), f"pata:target={number}"):
            with pytest.raises(UserError, match="from 1 to 100000, not a number of more than 18 digits"):
                Rules.parse(text)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    os.mkfifo(file)
    with pytest.raises(UserError, match=r"a\.toml' is a pipe; a file of settings is needed"):
        small_table(file)
