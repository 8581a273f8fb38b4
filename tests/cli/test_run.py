"""``spadesim run``: a question out of a file."""

import json
from pathlib import Path

import pytest

from tests.cli.run import Done, check_expected, complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def question(bots: tuple[str, str]) -> str:
    """A question about the two bots that never change."""
    Path("question.toml").write_text(
        'title = "A question"\nquestion = "Does modest beat steady?"\nkind = "ladder"\n'
        f'strategies = ["{bots[0]}", "{bots[1]}"]\nrules = ["pata", "classic:target=300"]\ngames = 100\n'
        'expected = """\nNo.\n"""\n'
    )
    return "question.toml"


def test_a_question(capsys: Capture, question: str) -> None:
    done = run(capsys, "run", question)
    assert done.code == 0
    check_expected("question.txt", done.out)


def test_other_games_and_seed(capsys: Capture, question: str) -> None:
    done = run(capsys, "run", question, "--games", "20", "--seed", "9", "--json")
    answer = json.loads(done.out)
    assert (answer["games"], answer["seed"], answer["partial"]) == (20, 9, False)
    assert [(duel["games"], duel["seed"]) for duel in answer["results"]] == [(20, 9)] * 2
    assert [duel["rules"] for duel in answer["results"]] == answer["rules"]


def test_other_games_take_the_place_of_a_number_that_cannot_be_played(capsys: Capture, question: str) -> None:
    file = Path(question)
    file.write_text(file.read_text().replace("games = 100", "games = 7"))
    assert "In the experiment" in complaint(capsys, "run", question)
    done = run(capsys, "run", question, "--games", "20", "--quiet")
    assert done.code == 0, done.err
    assert complaint(capsys, "run", question, "--games", "3").startswith("games must be even")


def test_a_question_that_there_is_not_names_those_that_there_are(capsys: Capture) -> None:
    bundled = sorted(file.stem for file in Path(__file__).parents[2].glob("experiments/*.toml"))
    assert len(bundled) > 3
    said = complaint(capsys, "run", "draw_lader")
    assert "Did you mean 'draw_ladder'?" in said
    assert f"Bundled questions: {', '.join(bundled)};" in said


def test_quiet_prints_the_answer_alone(capsys: Capture, question: str) -> None:
    done = run(capsys, "run", question, "--quiet")
    assert done.err == ""
    assert len(done.out.splitlines()) == 1


def test_ctrl_c_between_duels(capsys: Capture, question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object, done: int, *__: int) -> None:
        if done > 50:
            raise KeyboardInterrupt

    monkeypatch.setattr("spadesim.cli.terminal.Notes.progress", interrupt)
    done = run(capsys, "run", question, "--chunk", "10", "--workers", "1")
    assert done.code == 130
    assert "Partial: " in done.out
    assert run(capsys, "run", question, "--chunk", "100", "--quiet") != Done(0, "", "")


def test_the_ladder_is_found_by_its_name(capsys: Capture) -> None:
    done = run(capsys, "run", "ladder", "--games", "2", "--json")
    assert done.code == 0
    assert Path(json.loads(done.out)["file"]).name == "ladder.toml"


def test_a_check_says_what_would_be_played_or_what_is_wrong(capsys: Capture, question: str) -> None:
    Path("other.toml").write_text(Path(question).read_text().replace("games = 100", "seconds = 7"))
    done = run(capsys, "run", "--check", question, "other.toml")
    assert done.code == 0
    assert done.out == (
        "question.toml: a ladder, 2 parts.\nother.toml: a ladder, 2 parts, about 7 seconds on two cores.\n"
    )
    listed = json.loads(run(capsys, "run", "--check", question, "--json").out)
    assert [(each["file"], each["parts"]) for each in listed] == [(question, 2)]
    Path("other.toml").write_text(Path(question).read_text().replace("modest", "modets"))
    wrong = run(capsys, "run", "--check", question, "other.toml")
    assert wrong.code == 1
    assert wrong.out.splitlines()[0] == "question.toml: a ladder, 2 parts."
    assert wrong.out.splitlines()[1].startswith("other.toml: wrong. ")
    assert "modets" in wrong.out.splitlines()[1]
    assert "One question at a time" in complaint(capsys, "run", question, "other.toml")
    assert "a ladder has no picture" in complaint(capsys, "run", question, "--plot", "x.svg")
