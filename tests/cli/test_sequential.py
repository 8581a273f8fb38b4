"""``gate``, ``sprt``, ``plan``, and duels that end themselves: what they print, and how they end."""

import json
from pathlib import Path

import pytest

from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
A, B = "hard", "hard:king=4"


@pytest.mark.parametrize(("old", "new", "code", "answer"), [(B, A, 0, "not worse"), (A, B, 1, "worse")])
def test_a_gate_ends_with_its_answer(capsys: Capture, old: str, new: str, code: int, answer: str) -> None:
    done = run(capsys, "gate", old, new, "--games", "--budget", "40000", "--quiet")
    assert done.code == code
    assert done.out.startswith(f"{answer}: ")
    found = json.loads(run(capsys, "gate", old, new, "--games", "--budget", "40000", "--json").out)
    assert (found["answer"], found["exit_code"]) == (answer, code)
    assert found["duel"]["decision"]["asked"] == "nonregression"


def test_a_gate_may_stay_undecided(capsys: Capture) -> None:
    done = run(capsys, "gate", A, B, "--games", "--budget", "40")
    assert done.code == 3
    assert done.out.startswith("Undecided (exit code 3).")


def test_a_test_of_counts(capsys: Capture) -> None:
    pairs = ("--counts", "39,2226,31451,2412,40", "--test", "0.2,0.9elo")
    assert "+2.16" in run(capsys, "sprt", *pairs).out
    found = json.loads(run(capsys, "sprt", *pairs, "--json").out)
    assert found["decision"]["llr"] == pytest.approx(2.1625425800)
    assert found["elo"]["mean"] == pytest.approx(0.9029810488)
    assert len(found["expected"]) == 5
    games = run(capsys, "sprt", "--wins", "36433", "--draws", "68692", "--losses", "36027", "--test", "0,2")
    assert "+0.92" in games.out
    assert run(capsys, "sprt", "--counts", "0,0,9,0,0", "--quiet").out == (
        "No difference between A and B on any of 9 pairs of games.\n"
    )


def test_a_plan_and_its_picture(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "lengths.svg"
    done = run(capsys, "plan", A, B, "--effect", "2%", "--pilot", "1000", "--plot", str(file))
    assert done.code == 0
    assert "to be seen 90 times in 100" in done.out
    assert "</svg>" in file.read_text()
    found = json.loads(run(capsys, "plan", A, B, "--pilot", "1000", "--json").out)
    whats = {length["what"] for length in found["lengths"]}
    assert whats >= {"pairs of games", "games on deals of their own"}


def test_a_duel_that_ends_itself(capsys: Capture) -> None:
    done = run(capsys, "duel", A, B, "--games", "20000", "--sprt", "gain")
    assert done.code == 0
    assert done.out.startswith("hard is better than hard:king=4: ")
    for words in ("test, LLR", "after the stop", "at any look", "normalised Elo", "The duel ended itself"):
        assert words in done.out


def test_both_verdicts(capsys: Capture) -> None:
    done = run(capsys, "duel", A, B, "--boards", "300", "--confirm", "100", "--quiet")
    assert " In games: " in done.out


REFUSED = {
    "duel hard easy --sprt gian": "Did you mean 'gain'?",
    "duel hard easy --sprt gain --equivalent 1": "exclude each other",
    "duel hard easy --alpha 0.1": "give one of these",
    "duel hard easy --sprt gain --alpha much": "'much' is not a number",
    "duel hard easy --games 10 --sprt 0,1points": "no unit of what is played here; nelo, elo, % would be",
    "duel hard easy --games 10 --confirm 10": "confirm plays games after boards",
    "duel --resume nowhere --sprt gain": "--sprt",
    "gate hard@nowhere hard": "There is no git revision 'nowhere'",
    "gate hard": "Missing argument 'NEW'",
    "gate hard hard --margin -1": "margin must be above 0",
    "gate hard hard --budget 0": "boards must be",
    "sprt": "Give --counts of pairs of games, or --wins and --losses",
    "sprt --counts 1,2": "Counts are 5 whole numbers",
    "sprt --counts 1,x,3": "is no list of counts",
    "sprt --counts 0,0,0": "No games were counted",
    "sprt --counts 1,2,3 --wins 3": "exclude each other",
    "sprt --counts 1,2,3 --test 9,1": "the first must be the smaller one",
    "sprt --counts 100,200,300 --test 0,1000000elo": "too far away",
    "plan hard easy --effect 70%": "effect must be above 0 and below 50 %",
    "plan hard easy --plot nowhere/x.svg": "There is no folder",
    "plan hard easy --plot x.txt": "an .svg, a .png or a .pdf file",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused(capsys: Capture, line: str) -> None:
    assert REFUSED[line] in complaint(capsys, *line.split())
