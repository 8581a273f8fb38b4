"""The pictures of a tournament: one for any number of players, with all that its tables say."""

from pathlib import Path

import pytest

from spadesim.analysis.pictures import check_picture
from spadesim.analysis.ranking import picture
from spadesim.errors import UserError
from spadesim.match.partners import make_partners, play_partners
from spadesim.match.tournament import tournament

pytestmark = pytest.mark.compiled_only


@pytest.mark.parametrize("n", [2, 7, 11, 21])
def test_any_number_of_players(n: int) -> None:
    players = [f"yardstick:spade_honour={2 + k % 14},spade_guarded={k // 14}" for k in range(n)]
    result = tournament(*players, boards=2)
    assert picture(result, ".svg").startswith(b"<?xml")
    assert picture(result, ".SVG") == picture(result, ".svg")


def test_partners_as_png_and_pdf() -> None:
    result = play_partners(make_partners(("easy", "medium"), "easy", boards=2))
    assert picture(result, ".png").startswith(b"\x89PNG")
    assert picture(result, ".pdf").startswith(b"%PDF")
    assert picture(result, ".pdf") == picture(result, ".pdf")


@pytest.mark.parametrize("name", ["x.gif", "x", "svg"])
def test_other_kinds_are_refused(name: str) -> None:
    with pytest.raises(UserError, match=r"an \.svg, a \.png or a \.pdf file"):
        check_picture(Path(name))
