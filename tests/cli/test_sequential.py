"""``gate``, ``sprt``, ``plan``, and duels that end themselves: what they print, and how they end."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.run import complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
A, B = "medium:king=2", "medium"


@pytest.mark.parametrize(("old", "new", "code", "answer"), [(B, A, 0, "not worse"), (A, B, 1, "worse")])
def test_a_gate_ends_with_its_answer(capsys: Capture, old: str, new: str, code: int, answer: str) -> None:
    command = ("gate", old, new, "--games", "--budget", "40000", "--margin", "15")
    done = run(capsys, *command, "--quiet" if code else "--json")
    assert done.code == code
    if code:
        assert done.out.startswith(f"{answer}: ")
        return
    found = json.loads(done.out)
    assert (found["answer"], found["exit_code"]) == (answer, code)
    assert found["duel"]["decision"]["asked"] == "-15,0"


def test_a_gate_may_stay_undecided(capsys: Capture) -> None:
    done = run(capsys, "gate", A, B, "--games", "--budget", "40")
    assert done.code == 3
    assert done.out.startswith("Undecided (exit code 3).")


def test_a_gate_that_ctrl_c_ended_says_the_code_it_ends_with(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: object, line: object) -> Callable[[int, int, int], None]:
        def progress(done: int, *_: int) -> None:
            if done >= 60:
                raise KeyboardInterrupt

        return progress

    monkeypatch.setattr("spadesim.cli.terminal.Notes.watching", interrupted)
    command = ("gate", A, A, "--games", "--budget", "4000", "--workers", "1")
    done = run(capsys, *command)
    assert done.code == 130
    assert done.out.startswith("Undecided, as Ctrl-C ended it (exit code 130).\nPartial, after ")
    found = json.loads(run(capsys, *command, "--json").out)
    assert (found["answer"], found["exit_code"]) == ("undecided", 130)


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


def test_counts_that_all_went_one_way_have_no_empty_tables(capsys: Capture) -> None:
    for counts in (("--counts", "0,0,0,0,12"), ("--wins", "120", "--losses", "0")):
        out = run(capsys, "sprt", *counts).out
        assert "normalised Elo         –" in out
        assert "all ended alike, without a spread" in " ".join(out.split())
        assert "How long such a test takes is not known" in out
        assert "accepts the higher value" not in out
        found = json.loads(run(capsys, "sprt", *counts, "--json").out)
        assert (found["normalised_elo"], found["expected"]) == (None, [])
        assert found["elo"]["low"] < 1000 < found["elo"]["mean"]
    assert found["decision"]["llr"] is not None
    assert found["decision"]["anytime"] is None


def test_what_was_won_is_told_as_it_was_counted(capsys: Capture) -> None:
    games = ("sprt", "--wins", "1530", "--losses", "1370", "--test", "0,15elo")
    assert run(capsys, *games, "--quiet").out == (
        "A is better than B: A won 52.8 % of the games, with the stop allowed for 52.4 % (95 % interval 50.1 "
        "to 54.7); 2,900 games were counted.\n"
    )
    assert json.loads(run(capsys, *games, "--json").out)["decision"]["mean"] == pytest.approx(80 / 2900)
    assert " A scored 52.8 % of the games" in run(capsys, *games, "--draws", "5", "--quiet").out


def test_counts_far_beyond_a_bound_did_not_stop_there(capsys: Capture) -> None:
    """The correction for a stop would make 62 % of these 55.6."""
    out = run(capsys, "sprt", "--wins", "100", "--losses", "80", "--test", "0,40%", "--quiet").out
    assert "A won 55.6 % of the games (95 % interval, the stop allowed for, 29.6 to 81.5)" in out


def test_a_plan_and_its_picture(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "lengths.svg"
    command = ("plan", A, B, "--effect", "2%", "--pilot", "200")
    done = run(capsys, *command)
    assert done.code == 0
    assert "to be seen 90 times in 100" in done.out
    found = json.loads(run(capsys, *command, "--json", "--plot", str(file)).out)
    assert "</svg>" in file.read_text()
    whats = {length["what"] for length in found["lengths"]}
    assert whats >= {"pairs of games", "games on deals of their own"}


def test_a_plan_of_nothing(capsys: Capture, tmp_path: Path) -> None:
    done = run(capsys, "plan", A, A, "--pilot", "100", "--plot", str(tmp_path / "x.svg"))
    assert done.code == 0
    assert done.out == (
        f"No difference between {A} and {A} on any of 100 boards or 600 pairs of games, so nothing is to be "
        "planned.\n"
    )
    assert "no picture is written" in done.err
    assert list(tmp_path.iterdir()) == []
    found = json.loads(run(capsys, "plan", A, A, "--pilot", "100", "--json").out)
    assert found["lengths"] == []
    assert found["remark"] == done.out.strip()


def test_a_duel_that_ends_itself(capsys: Capture) -> None:
    done = run(capsys, "duel", A, B, "--games", "20000", "--sprt", "gain")
    assert done.code == 0
    assert done.out.startswith("medium:king=2 is better than medium: ")
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
    "gate hard hard --margin -1": "margin must be above 0, not -1.",
    "gate hard hard --margin 0": "margin must be above 0, not 0.",
    "gate hard hard --margin inf": "'inf' is no number for --margin; 0.5 would be one.",
    "gate hard hard --margin nan": "'nan' is no number for --margin; 0.5 would be one.",
    "gate hard hard --margin 100": "below 100 percentage points a board (more cannot be gained), not 100.",
    "gate hard hard --games --margin 1200": "below 1200 normalised Elo (more cannot be told apart)",
    "duel hard easy --sprt 0,500": "A difference must be below 100 percentage points a board",
    "duel hard easy --games 10 --equivalent 50%": "A difference must be below 50 % of games",
    "duel hard easy --until-width 200": "A width must be below 200 percentage points a board",
    "duel hard easy --boards 6 --rules cutthroat3 --sprt 0,9999": "must be below 974 points a hand",
    "gate hard hard --budget 0": "boards must be",
    "sprt": "Give --counts of pairs of games, or --wins and --losses",
    "sprt --counts 1,2": "Counts are 5 whole numbers",
    "sprt --counts 1,x,3": "is no list of counts",
    "sprt --counts 0,0,0": "No games were counted",
    "sprt --counts 1,2,3 --wins 3": "exclude each other",
    "sprt --counts 1,2,3 --test 9,1": "the first must be the smaller one",
    "sprt --counts 100,200,300 --test 0,1000000elo": "below 1200 Elo (more cannot be told apart)",
    "sprt --wins 530 --losses 470 --test 0,500%": "must be below 50 % of games",
    "plan hard easy --effect 70%": "effect must be above 0 and below 50 %",
    "plan hard easy --plot nowhere/x.svg": "There is no folder",
    "plan hard easy --plot x.txt": "an .svg, a .png or a .pdf file",
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_is_refused(capsys: Capture, line: str) -> None:
    assert REFUSED[line] in complaint(capsys, *line.split())
