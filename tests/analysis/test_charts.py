"""The charts of pages: what stands along their axes."""

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from spadesim.analysis.charts import BEYOND, Scale, along, kinds
from spadesim.analysis.report import Subject
from spadesim.analysis.tune import _is_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@pytest.mark.parametrize("shares", [[1.0, 1.0], [0.0, 0.0], [0.0, 1.0]])
@pytest.mark.parametrize("draw", [along, kinds])
def test_no_share_beyond_none_and_all_is_written(draw: Any, shares: list[float]) -> None:
    subject: Any = Subject(0, "hard", None, "hard", (0,))  # type: ignore[arg-type]
    frame = pd.DataFrame({"subject": 0, "x": [0, 1], "mean": shares, "low": shares, "high": shares})
    figure = Figure()
    draw(frame, [subject], "x", (Scale("x", names={0: "a", 1: "b"}), Scale("share", is_percent=True)))(figure)
    axes: Axes = figure.axes[0]
    ends = axes.get_ylim() if draw is along else axes.get_xlim()
    assert -BEYOND <= min(ends) < max(ends) <= 1 + BEYOND
    figure.draw_without_rendering()
    axis = axes.yaxis if draw is along else axes.xaxis
    texts = [label.get_text().removesuffix(" %") for label in axis.get_ticklabels()]
    assert all(0 <= float(text) <= 100 for text in texts if text)


def test_whole_parameters_have_whole_ticks() -> None:
    assert _is_whole(["0", "-1", "2.0"])
    assert not _is_whole(["0", "0.5"])
