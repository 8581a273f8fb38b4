"""The pictures of sweeps: one for any number of axes, and the same file for the same result."""

from itertools import pairwise
from typing import Any

import pytest

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


@pytest.mark.parametrize(
    "values",
    [
        [str(200 + 25 * k) for k in range(13)],
        [str(k) for k in range(9)],
        [f"{k / 100}" for k in range(61)],
        ["0", "1", "2", "400"],
        ["on", "off"],
        [f"target={200 + 50 * (k // 3)},bag_penalty={50 * (k % 3)}" for k in range(21)],
    ],
)
def test_labels_of_an_axis_do_not_overlap(values: list[str]) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    canvas = FigureCanvasAgg(Figure(figsize=(2.9, 3), layout="constrained"))
    axes = canvas.figure.subplots()
    places = [float(value) if "=" not in value and value[0] != "o" else k for k, value in enumerate(values)]
    axes.plot(places, places)
    _ticks(axes, "x", values, 2.2)
    canvas.figure.draw_without_rendering()
    shown = [label for label in axes.get_xticklabels() if label.get_visible() and label.get_text()]
    is_turned = shown[0].get_rotation() != 0
    boxes = [label.get_window_extent() for label in shown]
    ends = [(box.x1, box.x1) if is_turned else (box.x0, box.x1) for box in boxes]
    least = float(shown[0].get_fontsize()) / 72 * canvas.figure.dpi if is_turned else 0
    assert all(after[0] - before[1] > least for before, after in pairwise(ends))


def test_pictures_of_rules() -> None:
    for vs in ([], ["easy", "lowest_card"]):
        result = sweep_rules("medium", ["rules.bag_penalty=0,100"], vs=vs, games=10)
        assert picture(result, ".png").startswith(b"\x89PNG")
    crossed = sweep_rules("medium", ["rules.bag_penalty=0,100", "rules.target=100,200"], games=10)
    assert picture(crossed, ".pdf").startswith(b"%PDF")
