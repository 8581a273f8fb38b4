"""``spadesim strategies``: listing, showing, checking and beginning bots."""

import json
import shlex
from pathlib import Path

import pytest

from spadesim.core.rules import Rules
from spadesim.core.view import BIDDING
from spadesim.notation import card_text, cards_text, parse_hand
from spadesim.strategy import discover, load_strategy
from spadesim.strategy.ask import watch
from spadesim.strategy.check import show_command
from spadesim.strategy.spec import parse
from spadesim.strategy.wrappers import WRAPPERS
from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


def test_list_names_every_bot(capsys: Capture) -> None:
    done = run(capsys, "strategies", "list")
    assert done.code == 0
    heads = [line.split(" ")[0] for line in done.out.splitlines() if not line.startswith(" ")]
    bots = heads[1 : heads.index("")]
    assert bots == [listing.name for listing in discover()]
    weak = heads[len(bots) + 3 :]
    assert weak[: weak.index("")] == [f"~{name}" for name in WRAPPERS]


def test_list_as_json(capsys: Capture) -> None:
    bots = {bot["name"]: bot for bot in json.loads(run(capsys, "strategies", "list", "--json").out)}
    for name, bot in bots.items():
        assert bot["parameters"] == len(load_strategy(name).parameters)
        assert bot["summary"]
        assert bot["package"] == "spadesim"
        assert Path(bot["file"]).is_file()


def test_show(capsys: Capture) -> None:
    done = run(capsys, "strategies", "show", "easy:ace=2")
    easy = load_strategy("easy")
    assert done.code == 0
    assert done.out.startswith(f"easy  {easy.dossier.summary[:40]}")
    for words in (*easy.parameters.names, easy.digest, "weakness", str(easy.file)):
        assert words in done.out


def test_show_as_json(capsys: Capture) -> None:
    shown = json.loads(run(capsys, "strategies", "show", "easy:ace=2", "--json").out)
    ace = next(entry for entry in shown["parameters"] if entry["name"] == "ace")
    assert (ace["value"], ace["default"]) == ("2", str(load_strategy("easy").parameters["ace"].default))
    assert shown["spec"] == "easy:ace=2"
    assert set(shown["dossier"]) == {"Bids", "Plays", "Origin", "Weakness"}


def test_show_a_bot_that_says_little(capsys: Capture, bots: tuple[str, str]) -> None:
    done = run(capsys, "strategies", "show", bots[0])
    assert done.out.startswith("steady  A bot for tests.\n\nIt has no parameters.\n\nfile")


def test_check(capsys: Capture) -> None:
    done = run(capsys, "strategies", "check", "easy", "--positions", "300", "--rules", "classic")
    assert done.code == 0
    assert "FAILED" not in done.out
    assert done.out.endswith("easy keeps the contract.\nTried by the rules classic.\n")


def test_check_without_rules_tries_every_table_that_the_bot_plays(capsys: Capture) -> None:
    done = run(capsys, "strategies", "check", "easy", "--positions", "60")
    assert done.code == 0
    assert done.out.endswith("Tried by the rules pata, draw300, draw500.\n")
    done = run(capsys, "strategies", "check", "pata_easy", "--positions", "60", "--json")
    assert json.loads(done.out)["tables"] == ["pata"]


def test_check_as_json(capsys: Capture) -> None:
    done = run(capsys, "strategies", "check", "easy", "--positions", "300", "--json")
    report = json.loads(done.out)
    assert report["passed"] is True
    assert all(check["problem"] is None for check in report["checks"])


def test_a_new_bot_plays(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(capsys, "strategies", "new", "my_bot.py")
    assert done.code == 0
    assert "spadesim duel my_bot.py easy" in done.out
    assert run(capsys, "duel", "my_bot.py", "easy", "--games", "20").code == 0


@pytest.mark.parametrize("name", ["a b.py", "a+b.py", "a@b.py", "it's.py"])
def test_the_commands_for_a_new_bot_name_it_as_it_must_be_named(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = run(capsys, "strategies", "new", name).out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["spadesim", "strategies"], ["spadesim", "duel"]]
    for line in lines[1:]:
        (word,) = [word for word in shlex.split(line) if word.endswith(".py")]
        assert parse(word).lower.is_path
        assert Path(parse(word).lower.source) == Path(name)


def test_a_new_bot_that_no_command_could_name(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "a.py+b.py"
    assert "cannot be named as a bot" in complaint(capsys, "strategies", "new", str(file))
    assert not file.exists()


@pytest.mark.compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("rules", ["pata", "classic:target=200,bag_limit=5"])
def test_the_command_of_the_check_shows_the_decision(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Decisions of hard in the company of easy, bids and plays, at any standing: hand, choices, answer."""
    hard, easy = load_strategy("hard"), load_strategy("easy")
    seen = watch(hard, easy, Rules.parse(rules), 2024, 300)
    for k in range(0, 300, 23):
        command = shlex.split(show_command(hard, seen, k))
        moment = json.loads(run(capsys, *command[1:], "--ask", "hard", "--format", "json").out)["moment"]
        view, answer = seen.views[k], int(seen.answers[k])
        assert parse_hand(moment["holding"]) == int(view["hand"])
        if view["phase"] == BIDDING:
            assert moment["made"] == {"bid": answer}
        else:
            assert moment["legal"] == cards_text(int(view["legal"])).split()
            assert moment["made"] == {"card": card_text(answer)}
        assert moment["answers"][0]["same"]
