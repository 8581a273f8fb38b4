"""What is told of a figure in a sentence: only what is sure, although it is picked out of many."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from spadesim.analysis.findings import (
    ends,
    estimate_in,
    farthest,
    is_apart,
    is_most,
    is_sure,
    more_or_less,
    off_zero,
    told,
    told_share,
)
from spadesim.stats.blocks import ratios, shares
from spadesim.stats.intervals import Estimate

PLACES = 10
DRAWS = 500


def test_a_place_without_an_interval_is_not_the_farthest_while_others_have_one() -> None:
    rows = pd.DataFrame(
        {"mean": [9.0, 1.0, -2.0], "low": [np.nan, 0.5, -2.5], "high": [np.nan, 1.5, -1.5], "bid": [1, 2, 3]}
    )
    assert farthest(rows)["bid"] == 3
    assert farthest(rows.iloc[:1])["mean"] == 9.0


def _of_places(n_blocks: int, is_share: bool, draws: int) -> Any:
    """Rates of places that are all alike, with intervals that hold for all of them at once."""
    source, size = np.random.default_rng(11), (draws, PLACES, n_blocks)
    if is_share:
        return shares(source.binomial(20, 0.7, size), np.full(size, 20), PLACES)
    return ratios(source.normal(size=size), np.ones(size), PLACES)


def _frames(mean: Any, low: Any, high: Any) -> Iterator[pd.DataFrame]:
    """A frame for each draw, a row a place."""
    for one in zip(mean, low, high, strict=True):
        yield pd.DataFrame(dict(zip(("mean", "low", "high"), one, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize("n_blocks", [3, 64])
def test_the_farthest_of_many_places_is_called_sure_by_chance_in_one_of_twenty(n_blocks: int) -> None:
    """Where nothing is off anywhere: at most 5 % of 8000 draws, and by chance no more than 5.8."""
    found = _of_places(n_blocks, is_share=False, draws=8000)
    off = ((found.low > 0) | (found.high < 0)).any(axis=1)  # elsewhere none can be called sure
    frames = _frames(found.mean[off], found.low[off], found.high[off])
    told_sure = sum(is_sure(estimate_in(farthest(rows))) for rows in frames)
    assert 0.04 < told_sure / len(off) < 0.058


@pytest.mark.slow
@pytest.mark.parametrize("n_blocks", [3, 64])
def test_the_ends_of_many_alike_places_are_told_apart_in_less_than_one_of_twenty(
    n_blocks: int,
) -> None:
    apart = most = 0
    found = _of_places(n_blocks, is_share=True, draws=DRAWS)
    for rows in _frames(found.mean, found.low, found.high):
        apart += is_apart(*ends(rows))
        most += is_most(rows.iloc[int(rows["mean"].to_numpy().argmax())], rows)
    assert max(apart, most) / DRAWS < 0.05


def test_what_surely_is_the_most_is_told() -> None:
    rows = pd.DataFrame({"mean": [0.6, 0.3, 0.1], "low": [0.55, 0.25, 0.05], "high": [0.65, 0.35, 0.15]})
    assert is_most(rows.iloc[0], rows)
    assert is_apart(*ends(rows))
    near = rows.assign(high=[0.65, 0.56, 0.15])
    assert not is_most(near.iloc[0], near)


def _rows(*ends: tuple[float, float]) -> pd.DataFrame:
    low, high = zip(*ends, strict=True)
    return pd.DataFrame({"mean": np.mean([low, high], axis=0), "low": low, "high": high})


@pytest.mark.parametrize(
    ("ends_of_rows", "told_of"),
    [
        ([(-0.7, -0.5), (0.2, 0.3), (0.5, 1.7), (-0.5, 3.5)], [1.1, -0.6]),  # the last is not surely off
        ([(-0.7, -0.5), (-0.3, -0.1)], [-0.6, -0.2]),
        ([(-0.7, -0.5), (-0.3, 0.1)], [-0.6]),
        ([(0.5, 0.7), (0.1, 0.3), (-0.3, 0.2)], [0.6]),
        ([(-0.1, 0.1), (-0.3, 0.1)], []),
    ],
)
def test_the_highest_and_the_lowest_are_told_with_their_signs(
    ends_of_rows: list[tuple[float, float]], told_of: list[float]
) -> None:
    assert [row["mean"] for row in off_zero(_rows(*ends_of_rows))] == pytest.approx(told_of)


def test_the_largest_of_those_that_are_sure_is_told_and_not_the_surest() -> None:
    rows = _rows((1.0, 1.1), (0.6, 2.2), (-1.0, 9.0))
    assert farthest(rows)["mean"] == pytest.approx(1.4)
    highest, lowest = ends(_rows((0.8, 0.82), (0.7, 1.0), (0.3, 0.32), (0.1, 0.5)))
    assert (highest["mean"], lowest["mean"]) == pytest.approx((0.85, 0.3))
    assert is_apart(highest, lowest)


def test_what_is_surely_above_0_looks_so() -> None:
    assert told(Estimate(0.9, 0.04, 1.76), "tricks") == "0.90 tricks (0.04 to 1.76)"


def test_what_has_no_interval_says_so() -> None:
    alone = Estimate(0.25, float("nan"), float("nan"))
    assert told(alone, "tricks") == "0.25 tricks (no interval)"
    assert told_share(alone) == "25.0 % (no interval)"
    assert more_or_less(alone, "tricks") == "0.25 tricks more (no interval)"
    assert more_or_less(alone.scaled(0), "tricks") == "about as many tricks (no interval)"
