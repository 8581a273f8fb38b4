"""Strategies of earlier revisions: exported from git with what they import, beside today's."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spadesim import strategies
from spadesim.core.view import new_view
from spadesim.errors import UserError
from spadesim.strategy import load_strategy
from tests.strategy.conftest import HEAD, PLAY

Commit = Callable[..., None]

BOT = f"{HEAD}import shared\n@jit\ndef bid(view, p):\n    return shared.ANSWER\n{PLAY}"
ANSWER = "ANSWER = {}\n"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    top = tmp_path / "a repository"
    top.mkdir()
    git(top, "init", "--quiet")
    return top


def git(top: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    done = subprocess.run(["git", "-C", top, *who, *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(top: Path, **files: str) -> str:
    for name, text in files.items():
        file = top / f"{name.replace('__', '/')}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    git(top, "add", "-A")
    git(top, "commit", "--quiet", "--message", "x")
    return git(top, "rev-parse", "HEAD")


def bid_of(text: str) -> int:
    strategy = load_strategy(text)
    return int(strategy.bid(new_view(), strategy.values))


def test_a_file_and_its_helper_as_they_were(repository: Path) -> None:
    first = commit(
        repository, bots__bot=BOT, bots__shared="import deep\nANSWER = deep.N\n", bots__deep="N = 1\n"
    )
    commit(repository, bots__deep="N = 2\n")
    (repository / "bots" / "deep.py").write_text("N = 3\n")
    file = repository / "bots" / "bot.py"
    assert bid_of(f"{file}") == 3
    assert bid_of(f"{file}@HEAD") == 2
    assert bid_of(f"{file}@HEAD~1") == 1
    assert bid_of(f"{file}@HEAD~1") == 1
    old = load_strategy(f"{file}@HEAD~")
    assert old.name == "bot"
    assert old.commit == first[:12]
    assert str(old) == f"{file}@{first[:12]}"
    assert old.digest != load_strategy(str(file)).digest
    assert not {"shared", "deep"} & set(sys.modules)


def test_a_file_that_is_gone(repository: Path) -> None:
    commit(repository, bot=BOT, shared=ANSWER.format(5))
    git(repository, "rm", "--quiet", "bot.py", "shared.py")
    commit(repository, other="")
    assert bid_of(f"{repository}/bot.py@HEAD~1") == 5
    with pytest.raises(UserError, match=r"The git revision 'HEAD' has no file 'bot.py'"):
        load_strategy(f"{repository}/bot.py@HEAD")


def test_the_same_text_has_the_same_digest(repository: Path) -> None:
    commit(repository, bot=BOT, shared=ANSWER.format(5))
    file = repository / "bot.py"
    assert load_strategy(f"{file}@HEAD").digest == load_strategy(str(file)).digest


def test_bundled_strategies_bring_the_bundled_modules_of_then(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tactics = "from spadesim.strategy import jit\n@jit\ndef level():\n    return {}\n"
    other = f"from spadesim import tactics\n{HEAD}@jit\ndef bid(view, p):\n    return tactics.level()\n{PLAY}"
    bot = (
        f"{HEAD}from spadesim.strategies import other\nimport spadesim.tactics as tactics\n"
        f"@jit\ndef bid(view, p):\n    return other.bid(view, p) + tactics.level()\n{PLAY}"
    )
    files = {"strategies__bot": bot, "strategies__other": other}
    commit(repository, **files, spadesim__tactics=tactics.format(1))
    commit(repository, spadesim__tactics=tactics.format(2))
    commit(repository, strategies__other=other.replace("level()", "level() + 10"))
    before = dict(sys.modules)
    monkeypatch.setattr(strategies, "__path__", [str(repository / "strategies")])
    assert bid_of("bot@HEAD~2") == 2
    assert bid_of("bot@HEAD~1") == 4
    assert bid_of("bot@HEAD") == 14
    assert len({load_strategy(f"bot@HEAD~{n}").digest for n in range(3)}) == 3
    assert {name: sys.modules.get(name) for name in before} == before
    assert "spadesim.strategies.other" not in sys.modules
    assert not hasattr(strategies, "other")


@pytest.mark.parametrize("revision", ["nonsense", "HEAD:bot.py", "--help", "HEAD~7"])
def test_no_such_revision(revision: str, repository: Path) -> None:
    commit(repository, bot=BOT, shared=ANSWER.format(5))
    with pytest.raises(UserError, match=r"There is no git revision|is needed after ':'"):
        load_strategy(f"{repository}/bot.py@{revision}")


def test_no_repository_and_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UserError, match=r"'bot.py' has no revision 'HEAD': it is in no git repository"):
        load_strategy(f"{tmp_path}/bot.py@HEAD")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="git is not installed"):
        load_strategy(f"{tmp_path}/bot.py@HEAD")


def test_a_name_that_no_revision_has(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repository, strategies__bot=BOT)
    monkeypatch.setattr(strategies, "__path__", [str(repository / "strategies")])
    with pytest.raises(UserError, match=r"The git revision 'HEAD' has no file 'strategies/bott.py'"):
        load_strategy("bott@HEAD")
