"""The pictures of sweeps: one for any number of axes, and the same file for the same result."""

from typing import Any

import pytest

from spadesim.analysis.sweep import picture
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
    figure = Figure()
    wide, narrow = figure.subplots(2, 1)[0], figure.subplots(1, 2)[0]
    values = [str(value) for value in range(-1400, 1400, 200)]
    assert [turned(axes, values) for axes in (wide, narrow)] == [0, 45]
    assert turned(narrow, values[:3]) == 0
