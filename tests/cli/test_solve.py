"""``spadesim solve``: what it prints, as text and as JSON, and what it refuses."""

import json

import pytest

from tests.cli.run import check_expected, complaint, run

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]
ENDING = ("N:A3..K.2 K2..9.3 QJ..8.4 54..Q.5", "--bids", "3,nil,4,2", "--tricks", "3,0,4,2")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("solve_points.txt", ENDING),
        ("solve_tricks.txt", ("N:A..K. K2..9. QJ..8. 54..Q.", "--trick", "3S", "--value", "tricks")),
        ("solve_limit.txt", ("--board", "3", "--value", "tricks", "--nodes", "2000")),
    ],
)
def test_what_is_printed(capsys: Capture, name: str, arguments: tuple[str, ...]) -> None:
    done = run(capsys, "solve", *arguments)
    assert done.code == 0
    check_expected(name, done.out)


def test_json_has_the_same_values(capsys: Capture) -> None:
    told = json.loads(run(capsys, "solve", *ENDING, "--json").out)
    assert (told["seat"], told["value"], told["is_exact"]) == ("N", "points", True)
    assert told["low"] == told["high"] == told["cards"][0]["low"]
    assert told["best"] == told["cards"][0]["card"]
    assert [play["seat"] for play in told["line"][:4]] == ["N", "E", "S", "W"]


def test_impossible_positions_are_refused(capsys: Capture) -> None:
    assert "AS is dealt twice" in complaint(capsys, "solve", "N:A... A... Q... 5...", "--value", "tricks")
    assert "Points depend on the bids" in complaint(capsys, "solve", "--board", "3")
