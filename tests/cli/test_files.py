"""Files are written whole or not at all."""

import os
import stat
from pathlib import Path

import pytest

from spadesim.cli.files import check_place, check_places, write_whole
from spadesim.errors import UserError


def test_a_new_file_may_be_read_by_whom_the_umask_lets(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "page.html", "text ×\n")
    finally:
        os.umask(before)
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "text ×\n"
    assert stat.S_IMODE((tmp_path / "page.html").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    check_place(Path(os.devnull))
    write_whole(Path(os.devnull), "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_what_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "half \ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_place_is_for_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_places(Path("a.svg"), None, Path("a.csv"), Path(os.devnull), Path(os.devnull))
    with pytest.raises(UserError, match="is given for two files"):
        check_places(Path("a.svg"), tmp_path / "a.svg")


def test_trying_a_place_leaves_no_trace(tmp_path: Path) -> None:
    check_place(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UserError, match="cannot be written"):
        check_place(Path("/proc/page.html"))
