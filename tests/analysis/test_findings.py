"""What is told of a figure in a sentence: only what is sure, although it is picked out of many."""

import numpy as np
import pandas as pd
import pytest

from spadesim.analysis.findings import estimate_in, farthest, is_sure

PLACES = 10


def test_a_place_without_an_interval_is_not_the_farthest_while_others_have_one() -> None:
    rows = pd.DataFrame(
        {"mean": [9.0, 1.0, -2.0], "low": [np.nan, 0.5, -2.5], "high": [np.nan, 1.5, -1.5], "bid": [1, 2, 3]}
    )
    assert farthest(rows)["bid"] == 3
    assert farthest(rows.iloc[:1])["mean"] == 9.0


@pytest.mark.slow
def test_the_farthest_of_many_places_is_called_sure_by_chance_in_one_of_twenty() -> None:
    """Where nothing is off anywhere: 5 % of 2,000 draws, and by chance no more than 6.5."""
    source = np.random.default_rng(11)
    found = 0
    for means in source.normal(size=(2000, PLACES)):
        rows = pd.DataFrame({"mean": means, "low": means - 1.96, "high": means + 1.96})
        found += is_sure(estimate_in(farthest(rows)))
    assert 0.03 < found / 2000 < 0.065
