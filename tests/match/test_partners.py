"""Who plays well with whom."""

from pathlib import Path
from typing import Any

import pytest

from spadesim.errors import UserError
from spadesim.match.duel import duel
from spadesim.match.partners import make_partners, play_partners
from tests.match.bots import write_bot

pytestmark = pytest.mark.compiled_only


def test_a_grid_is_its_duels() -> None:
    found = play_partners(make_partners(("easy", "medium"), "yardstick", boards=300, seed=2))
    assert [(pair.a, pair.b) for pair in found.pairs] == [("easy",) * 2, ("easy", "medium"), ("medium",) * 2]
    mixed = found.pair("medium", "easy")
    alone = duel("easy+medium", "yardstick", boards=300, seed=2)
    assert mixed.identical == alone.identical_boards
    assert "easy+medium" in mixed.command
    assert mixed.together is not None
    own = (found.pair("easy", "easy").value.mean + found.pair("medium", "medium").value.mean) / 2
    assert mixed.together.mean == pytest.approx(mixed.value.mean - own)
    assert found.pair("easy", "easy").together is None


def test_bots_that_are_alike_neither_help_nor_hurt_each_other(tmp_path: Path) -> None:
    one, other = (write_bot(tmp_path, name) for name in ("one", "other"))
    found = play_partners(make_partners((one, other), "easy", boards=200))
    together = found.pair("one", "other").together
    assert together is not None
    assert together.mean == pytest.approx(0, abs=1e-9)
    assert not found.pair("one", "other").is_match
    assert "no two bots surely" in found.verdict


def test_tables() -> None:
    found = play_partners(make_partners(("easy", "medium"), "easy", boards=50))
    assert found.to_frame()["together"].notna().tolist() == [False, True, False]
    assert len(found.to_dict()["pairs"]) == 3
    assert (
        found.command == "spadesim tournament easy medium --partners easy --boards 50 --rules pata --seed 1"
    )


@pytest.mark.parametrize(
    ("bots", "more", "message"),
    [
        (("easy",), {}, "two bots or more"),
        (("easy", "easy"), {}, "given twice"),
        (("easy", "medium+hard"), {}, "a side of two bots"),
        (("easy", "hard"), {"rules": "draw300"}, "Nobody has a partner"),
        (("easy", "hard"), {"boards": 0}, "boards must be from 1"),
    ],
)
def test_what_cannot_be_played_is_refused(bots: tuple[str, ...], more: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        make_partners(bots, "medium", **more)
