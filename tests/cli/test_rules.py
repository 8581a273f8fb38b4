"""``spadesim rules``: listing, telling and comparing rules, and checking examples of them."""

import json
from pathlib import Path

import pytest

from spadesim.core.rules import LATER_PRESETS, PRESETS, Rules
from tests.cli.run import check_expected, complaint, run
from tests.rulebook.files import SCORING, one

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]

MINE = """\
- id: made
  kind: scoring
  preset: classic
  given: {bids: [4, 2], tricks: [2, 5], bags_before: 0}
  expect: {contract: 60, over: 1, total: 62}
- id: legal
  kind: legality
  given: {hand: [AS, 2C, 3D], trick: [], broken: false, trick_no: 1}
  expect: {legal: [2C, 3D]}
- id: save-the-nil
  kind: tip_play
  given:
    levels: [lowest_card, medium, easy]
    seat: 0
    bids: [4, 3, 0, 3]
    tricks_won: [3, 4, 0, 3]
    hand: [KH, 2H, 5C]
    trick: [3H, 9H, 4H]
    broken: true
  expect: {card: KH}
- id: any-time
  kind: scoring
  preset: cookout
  given: {bids: [4, 3], tricks: [4, 3]}
  expect: {total: 70}
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file of examples in the current folder, two of which do not hold."""
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(MINE, encoding="utf-8")
    return "mine.yaml"


def test_list(capsys: Capture) -> None:
    done = run(capsys, "rules", "list")
    assert done.code == 0
    check_expected("rules_list.txt", done.out)


def test_list_as_json(capsys: Capture) -> None:
    facts = json.loads(run(capsys, "rules", "list", "--json").out)
    assert [preset["name"] for preset in facts["presets"]] == list(PRESETS)
    assert facts["not_supported_yet"] == list(LATER_PRESETS)
    by_name = {preset["name"]: preset for preset in facts["presets"]}
    for name, rules in PRESETS.items():
        assert Rules().updated(by_name[name]["differs_from_pata"]) == rules
        assert by_name[name]["summary"]


def test_show(capsys: Capture) -> None:
    done = run(capsys, "rules", "show", "pata")
    assert done.code == 0
    check_expected("rules_show.txt", done.out)


def test_show_of_two_players(capsys: Capture) -> None:
    done = run(capsys, "rules", "show", "draw500")
    assert done.code == 0
    check_expected("rules_show_draw500.txt", done.out)


def test_show_a_file_as_json(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.toml").write_text('preset = "classic"\ntarget = 200\n', encoding="utf-8")
    facts = json.loads(run(capsys, "rules", "show", "my.toml", "--json").out)
    assert facts["rules"] == "classic:target=200"
    assert Rules.from_dict(facts["options"]) == Rules.parse("classic:target=200")
    assert {"title", "options", "text"} == set(facts["words"][0])


def test_diff(capsys: Capture) -> None:
    done = run(capsys, "rules", "diff", "pata", "classic:target=200")
    assert done.code == 0
    check_expected("rules_diff.txt", done.out)


def test_diff_of_the_same(capsys: Capture) -> None:
    done = run(capsys, "rules", "diff", "pata", "canonical:floor=-200")
    assert (done.code, done.out) == (0, "pata and canonical:floor=-200 are the same rules.\n")


def test_diff_as_json(capsys: Capture) -> None:
    facts = json.loads(run(capsys, "rules", "diff", "pata", "pata:nil_allowed=false", "--json").out)
    assert (facts["a"], facts["b"]) == ("pata", "pata:nil_allowed=false")
    assert facts["options"] == {"nil_allowed": {"a": True, "b": False}}
    assert facts["words"][0]["title"] == "Bidding"
    assert facts["words"][1]["b"] is None


def test_check(capsys: Capture, mine: str) -> None:
    done = run(capsys, "rules", "check", mine)
    assert done.code == 1
    check_expected("rules_check.txt", done.out)


def test_check_quietly(capsys: Capture, mine: str) -> None:
    done = run(capsys, "rules", "check", mine, "--quiet")
    assert (done.code, done.err) == (1, "")
    assert done.out == "1 of 4 examples hold, 2 do not, 1 is not supported yet.\n"


def test_check_as_json(capsys: Capture, mine: str) -> None:
    done = run(capsys, "rules", "check", mine, "--json")
    assert (done.code, done.err) == (1, "")
    facts = json.loads(done.out)
    assert (facts["file"], facts["passed"]) == ("mine.yaml", False)
    assert facts["counts"]["scoring"] == {"passed": 0, "failed": 1, "unsupported": 1}
    made, legal, tip, later = facts["examples"]
    assert (made["id"], made["kind"], made["line"], made["rules"], made["outcome"], made["needs"]) == (
        *("made", "scoring", 1, "classic", "failed", None),
    )
    assert made["mismatches"] == [
        {"line": 5, "field": "total", "who": None, "expected": "62", "found": "61", "trouble": None}
    ]
    assert (legal["outcome"], legal["mismatches"]) == ("passed", [])
    assert [mismatch["who"] for mismatch in tip["mismatches"]] == ["lowest_card", "easy"]
    assert (later["outcome"], later["needs"], later["rules"]) == (
        "unsupported",
        "the preset cookout",
        "cookout",
    )


def test_check_of_examples_that_hold(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text(one("scoring", SCORING, "{total: 61}"), encoding="utf-8")
    done = run(capsys, "rules", "check", str(file))
    assert done.code == 0
    assert done.out.endswith("\n1 of 1 examples hold.\n")


def test_every_mistake_has_a_line(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = one("scoring", SCORING, "{totl: 61}")
    Path("bad.yaml").write_text(wrong * 25, encoding="utf-8")
    done = run(capsys, "rules", "check", "bad.yaml", "--json")
    assert (done.code, done.out) == (2, "")
    lines = done.err.splitlines()
    assert lines[0] == "spadesim: error: bad.yaml:3: X-1: expect has no key 'totl'. Did you mean 'total'?"
    assert lines[1].startswith("spadesim: error: bad.yaml:6: X-1: ")
    assert lines[20:] == ["spadesim: error: 5 more mistakes."]


def test_what_cannot_be_done_is_refused(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty.yaml").touch()
    assert complaint(capsys, "rules", "show", "patta").startswith(
        "There is no preset 'patta'. Did you mean 'pata'?"
    )
    assert complaint(capsys, "rules", "diff", "pata", "pata:targett=3") == (
        "There is no rule option 'targett'. Did you mean 'target'?"
    )
    assert complaint(capsys, "rules", "check", "empti.yaml") == (
        "There is no file 'empti.yaml'. Did you mean 'empty.yaml'?"
    )
    assert complaint(capsys, "rules", "check", "empty.yaml").startswith(
        "empty.yaml:1: there are no examples in it"
    )
    assert "Commands: list, show, diff, check." in complaint(capsys, "rules", "chek")


def test_check_of_bots(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(
        "- {id: A, skill: covers, name: Saved, kind: tip_play, expect: {card: KH},\n"
        "   given: {levels: [hard], seat: 0, hand: [KH, 2H, 5C], trick: [3H, 9H, 4H], bids: [4, 3, 0, 3],\n"
        "           tricks_won: [3, 4, 0, 3], broken: true}}\n",
        encoding="utf-8",
    )
    done = run(capsys, "rules", "check", "mine.yaml", "medium", "easy")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0] == "mine.yaml:1: A: Saved: easy 2H, but right is KH"
    assert [line.split() for line in lines[2:5]] == [
        ["skill", "medium", "easy"],
        ["covers", "1", "of", "1", "0", "of", "1"],
        ["all", "1", "of", "1", "0", "of", "1"],
    ]
    assert lines[-1] == "medium meets 1 of 1, easy meets 0 of 1 situations."
    found = json.loads(run(capsys, "rules", "check", "mine.yaml", "easy", "--json").out)
    assert found["skills"] == {"covers": {"easy": {"passed": 0, "situations": 1}}}
    assert found["situations"][0]["answers"] == {
        "easy": {"outcome": "failed", "found": "2H", "trouble": None}
    }
    assert run(capsys, "rules", "check", "mine.yaml", "medium", "-q").code == 0
