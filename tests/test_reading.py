"""What a user names: home folders and small files."""

from pathlib import Path

import pytest

from spadesim.errors import UserError
from spadesim.reading import MAX_BYTES, small_text, user_path


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
