"""Which skills a bot has: a file's situations are put to it, whoever they name."""

# An example and what is said about it are easiest to compare on one line.
# ruff: noqa: E501

from pathlib import Path

import pytest

from spadesim.errors import UserError
from spadesim.rulebook import check_examples, parse_examples, skills_of
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only

FILE = """
- id: A
  skill: sets the opponents
  name: For the price of a bag
  kind: tip_play
  given: {levels: [hard], hand: [KH, 2H], seat: 0, trick: [3H, 4H, 9H], bids: [3, 4, 3, 3], tricks_won: [4, 3, 2, 2],
    broken: true}
  expect: {card: KH}
  instead: {easy: 2H}
- {id: B, skill: sets the opponents, kind: tip_play, expect: {card_not: [KH]},
   given: {levels: [hard], hand: [KH, 3H, 2H], seat: 0, trick: [3D], broken: true}}
- {id: C, skill: keeps, kind: tip_keep, preset: draw300, given: {levels: [easy], hand: [], offered: AD}, expect: {keep: true}}
- {id: D, kind: ai_bid, given: {bot: easy, hand: AKQJ.432.432.432}, expect: {bid_in: [4, 5]}}
- {id: E, kind: winner, given: {leader: 0, cards: [2H, 3H, 4H, 5H]}, expect: {winner: 3}}
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(FILE, encoding="utf-8")
    write_bot(tmp_path, "low")
    return "mine.yaml"


def test_every_situation_is_put_to_every_bot(mine: str) -> None:
    told: list[tuple[int, int]] = []
    report = skills_of(["./low.py", "medium"], mine, progress=lambda done, n: told.append((done, n)))
    assert report.skills == {
        "sets the opponents": {"./low.py": (1, 2), "medium": (2, 2)},
        "keeps": {"./low.py": (0, 0), "medium": (1, 1)},  # it has no function for a draw
        "other examples": {"./low.py": (0, 1), "medium": (1, 1)},
    }
    outcomes = {example.id: row["./low.py"].outcome for example, row in report.replies}
    assert outcomes == {"A": "failed", "B": "passed", "C": "unsupported", "D": "failed"}
    assert str(report) == "./low.py meets 1 of 3, medium meets 4 of 4 situations."
    assert not report.passed
    assert skills_of(["medium"], mine).passed
    assert told[-1] == (4, 4)


def test_of_several_answers_every_one_must_be_right(mine: str) -> None:
    report = skills_of(["random_legal"], mine)
    rows = {example.id: row["random_legal"] for example, row in report.replies}
    assert rows["B"].outcome == "failed"
    assert "with other cards where the example leaves them open" in rows["B"].trouble
    text = FILE.replace("card_not: [KH]", "card_in: [KH, 3H, 2H]")
    Path(mine).write_text(text, encoding="utf-8")
    rows = {example.id: row["random_legal"] for example, row in skills_of(["random_legal"], mine).replies}
    assert rows["B"].outcome == "passed"
    assert set(rows["B"].found.split(" or ")) == {"KH", "3H", "2H"}


def test_a_bot_that_lacks_a_skill_must_do_what_the_file_says() -> None:
    def complaints(text: str) -> list[str]:
        return check_examples(parse_examples(text, "my.yaml"), "my.yaml").complaints

    first = FILE[: FILE.index("- {id: B")]
    assert complaints(first) == []
    learnt = first.replace("[hard]", "[medium]").replace("easy: 2H", "hard: 2H")
    assert complaints(learnt) == ["my.yaml:9: A: hard: card should be 2H (instead), but is KH"]
    varies = first.replace("instead: {easy: 2H}", "instead: {random_legal: 2H}")
    assert "random_legal plays " in complaints(varies)[0]


def test_what_cannot_be_asked_is_told(mine: str) -> None:
    with pytest.raises(UserError, match="no strategy 'hadr'"):
        skills_of(["hadr"], mine)
    Path("none.yaml").write_text(FILE[FILE.index("- {id: E") :], encoding="utf-8")
    with pytest.raises(UserError, match=r"'none.yaml' has no situation of a bot"):
        skills_of(["easy"], "none.yaml")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind: tip_keep, given: {levels: [easy], hand: [], offered: AD}, expect: {keep: true}", "these rules have no draw"),
        ("kind: tip_keep, preset: draw300, given: {levels: [easy], hand: [AD], offered: AD}, expect: {keep: true}", "AD is in given.hand already"),
        ("kind: tip_keep, preset: draw300, given: {levels: [easy], hand: [AD], offered: KD, discards: [2C, 3C]}, expect: {keep: true}", "the seat has discarded only 1"),
        ("kind: tip_keep, preset: draw300, given: {levels: [easy], hand: [AD], offered: KD, discards: [KD]}, expect: {keep: true}", "KD is in given.discards and elsewhere"),
        ("kind: tip_keep, preset: draw300, given: {levels: [easy], hand: [], offered: KD, blind: [0]}, expect: {keep: true}", "seat 0 can declare no blind nil"),
        ("kind: tip_exchange, preset: draw500, given: {levels: [hard], hand: [2C]}, expect: {give: []}", "given.hand has 1 card, but in the exchange it is 13"),
        ("kind: tip_bid, given: {levels: [easy], hand: AKQJ.432.432.432, discards: [AD]}, expect: {bid: 4}", "given.discards is for draw tables"),
    ],
)  # fmt: skip
def test_a_draw_that_cannot_be_is_refused(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        check_examples(parse_examples(f"- {{id: X, {text}}}\n", "my.yaml"), "my.yaml")
