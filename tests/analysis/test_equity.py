"""The picture of a table of win chances."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from spadesim.analysis import equity as drawn
from spadesim.core.rules import PRESETS, Rules
from spadesim.core.scoring import ends_game
from spadesim.match.equity import Equity, make_equity
from spadesim.match.equity_file import equity_for

pytestmark = pytest.mark.compiled_only

TWO_SIDED = [name for name, rules in PRESETS.items() if rules.n_sides == 2]


@pytest.mark.parametrize("name", TWO_SIDED)
def test_only_games_that_go_on_are_drawn(name: str) -> None:
    equity = equity_for(PRESETS[name])
    scores = drawn._shown_scores(equity)
    record: Any = equity.rules.record()
    assert not any(ends_game(record, score) for score in scores)
    assert {0, 100} <= set(scores)
    assert len(set(np.diff(scores))) == 1
    assert scores[-1] == (500 if name == "patalupaus" else equity.rules.target - (scores[1] - scores[0]))


def test_chances_fall_as_the_other_side_rises_down_to_the_floor() -> None:
    equity = equity_for(Rules())
    scores = drawn._shown_scores(equity)
    assert scores[0] == -190  # -200 ends the game
    chances = np.array(drawn._chances(equity, scores))
    assert np.all(chances + chances.T == 100)
    assert np.all(np.diff(chances[:, 0]) < 0.05)  # own score -190, where a stray line would be
    assert np.all(np.diff(chances[:, 19]) < 0.05)


def test_the_picture_says_what_it_is_of_and_counts_whole_bags() -> None:
    figure = drawn._draw(equity_for(PRESETS["classic"]))
    said = figure.get_suptitle()
    assert "rules: classic" in said
    assert "hands of hard against itself" in said
    assert "both sides without bags" in said
    (bars,) = [axes for axes in figure.axes if axes.get_xlabel() == "bags that the side has"]
    assert bars.get_xticks().tolist() == list(range(10))


def small(rules: str) -> Equity:
    return make_equity(Rules.parse(rules), reference="easy", hands=2000)


def test_without_a_bag_limit_there_is_no_price() -> None:
    equity = small("pata:target=60,floor=-60,bag_limit=0")
    assert drawn.bag_prices(equity) == ()
    figure: Figure = drawn._draw(equity)
    assert "bags" not in figure.get_suptitle().split("\n", 1)[1]
    assert len(figure.axes) == 2  # the map and its scale


def test_many_bags_have_few_ticks_and_no_numbers() -> None:
    figure = drawn._draw(small("pata:target=60,floor=-60,bag_limit=40,bag_penalty=20"))
    (bars,) = [axes for axes in figure.axes if axes.get_xlabel() == "bags that the side has"]
    assert len(bars.get_xticks()) < 15
    assert all(tick == int(tick) for tick in bars.get_xticks())
    assert not bars.texts
