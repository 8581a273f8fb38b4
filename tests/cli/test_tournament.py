"""``spadesim tournament``: tables, files, refusals, Ctrl-C."""

import json
from pathlib import Path

import pytest

from tests.cli.run import check_expected, complaint, run
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def players(bots: tuple[str, str]) -> tuple[str, str, str]:
    """Three bots that never change."""
    write_bot(Path.cwd(), "timid", bid="return 1")
    return *bots, "timid.py"


def test_a_tournament(capsys: Capture, players: tuple[str, ...]) -> None:
    done = run(capsys, "tournament", *players, "--boards", "200", "--games", "40")
    assert done.code == 0
    check_expected("tournament.txt", done.out)


def test_a_grid_of_partners(capsys: Capture, players: tuple[str, ...]) -> None:
    command = ("tournament", *players, "--partners", "steady.py", "--boards", "200")
    done = run(capsys, *command, "--plot", "grid.png")
    assert done.code == 0
    check_expected("partners.txt", done.out)
    assert Path("grid.png").read_bytes().startswith(b"\x89PNG")


def test_json_csv_and_pictures(capsys: Capture, players: tuple[str, ...]) -> None:
    command = ("tournament", *players, "--boards", "40", "--json", "--csv", "table.csv")
    done = run(capsys, *command, "--plot", "ranking.svg")
    found = json.loads(done.out)
    assert found["boards"] == found["requested"] == 40
    assert len(found["heads"]) == 3
    rows = Path("table.csv").read_text().splitlines()
    assert rows[0].startswith("rank,name,player,rating,low,high")
    assert len(rows) == 4
    assert "</svg>" in Path("ranking.svg").read_text(encoding="utf-8")


def test_quiet_prints_the_sentence_alone(capsys: Capture, players: tuple[str, ...]) -> None:
    done = run(capsys, "tournament", *players, "--boards", "50", "--quiet", "--csv", "table.csv")
    assert (done.code, done.err, len(done.out.splitlines())) == (0, "", 1)


def test_more_boards_where_the_order_is_open(capsys: Capture, players: tuple[str, ...]) -> None:
    options = ("--boards", "100", "--until-separated", "--cap", "300", "--gauntlet", "steady.py")
    done = run(capsys, "tournament", *players, *options)
    assert done.code == 0
    assert "--until-separated --indifference 0 --cap 300" in done.out


def test_many_players_are_told_where_the_matrices_are(
    capsys: Capture, players: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spadesim.cli.render_tournament.MOST_IN_A_GRID", 2)
    done = run(capsys, "tournament", *players, "--boards", "2")
    assert "3 players: --json has the matrices, --plot draws them." in done.out


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--plot", "x.gif"), "A picture is an .svg, a .png or a .pdf file, not 'x.gif'."),
        (("--csv", "-"), "'-' is no file; results go to standard output"),
        (("--csv", ""), "is a folder; the name of a file is needed."),
        (("--plot", ""), "is a folder; the name of a file is needed."),
        (("--plot", "no/x.svg"), "There is no folder 'no' to write 'x.svg' to."),
        (("--partners", "steady.py", "--games", "10"), "--games does not go with --partners"),
        (("--indifference", "0.1%"), "are for until_separated"),
        (("--anchor", "stedy.py"), "Did you mean 'steady.py'?"),
        (("steady.py",), "'steady.py' is given twice"),
    ],
)
def test_refusals(capsys: Capture, players: tuple[str, ...], more: tuple[str, ...], message: str) -> None:
    assert message in complaint(capsys, "tournament", *players, *more)


def test_ctrl_c(capsys: Capture, players: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object, done: int, *__: int) -> None:
        if done > 1000:
            raise KeyboardInterrupt

    monkeypatch.setattr("spadesim.cli.terminal.Notes.progress", interrupt)
    done = run(capsys, "tournament", *players, "--boards", "1000", "--workers", "1", "--chunk", "50")
    assert done.code == 130
    assert done.out.startswith("Partial, after 200 of 1,000 boards a pair: ")
    done = run(capsys, "tournament", *players, "--boards", "200", "--games", "4000", "--workers", "1")
    assert done.code == 130
    assert done.out.startswith("Partial, after ")
    assert "of 4,000 games a pair: " in done.out
