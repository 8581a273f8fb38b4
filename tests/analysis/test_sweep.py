"""The pictures of sweeps: one for any number of axes, and the same file for the same result."""

from typing import Any

import pytest
from matplotlib.figure import Figure

from spadesim.analysis.sweep import _ticks, picture
from spadesim.tuning.rules_sweep import sweep_rules
from spadesim.tuning.sweep import sweep

pytestmark = pytest.mark.compiled_only


@pytest.mark.parametrize(
    ("axes", "more"),
    [
        (["king=0:8:1"], {}),
        (["king=2:4:1"], {"vs": ["easy", "lowest_card"]}),
        (["bags=on,off"], {}),
        (["king=2:4:1", "bags=on,off"], {}),
        (["king=2,4", "ace=3,4", "queen=1,2"], {}),
        (["nil_spades=0:13:1", "king=0:8:1"], {"sample": 6}),
    ],
)
def test_pictures_of_settings(axes: list[str], more: dict[str, Any]) -> None:
    result = sweep("medium:king=6", axes, boards=60, confirm=0, **more)
    drawn = picture(result, ".svg")
    assert drawn.startswith(b"<?xml")
    assert drawn == picture(result, ".svg")


def test_pictures_of_rules() -> None:
    for vs in ([], ["easy", "lowest_card"]):
        result = sweep_rules("medium", ["rules.bag_penalty=0,100"], vs=vs, games=10)
        assert picture(result, ".png").startswith(b"\x89PNG")
    crossed = sweep_rules("medium", ["rules.bag_penalty=0,100", "rules.target=100,200"], games=10)
    assert picture(crossed, ".pdf").startswith(b"%PDF")


def test_ticks_do_not_run_into_each_other() -> None:
    """Labels that fit the whole width are turned in half of it, and stay level where they are few."""
    values = [str(value) for value in range(-1400, 1400, 200)]
    wide, (half, other) = Figure().subplots(), Figure().subplots(1, 2)
    turned = []
    for axes, shown in ((wide, values), (half, values), (other, values[:3])):
        _ticks(axes, "nil_odds", shown)
        turned.append(axes.get_xticklabels()[0].get_rotation())
    assert turned == [0, 45, 0]
