import math

import pytest
from statsmodels.stats.proportion import proportion_confint

from spadesim.stats.intervals import Estimate, t_interval, t_quantile, unseen_share, wilson, without_spread


@pytest.mark.parametrize("n", [1, 2, 7.5, 20, 1000, 123456.7])
@pytest.mark.parametrize("share", [0, 0.001, 0.3, 0.5, 0.97, 1])
def test_wilson_equals_statsmodels(share: float, n: float) -> None:
    assert wilson(share, n) == pytest.approx(proportion_confint(share * n, n, method="wilson"), abs=1e-12)


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (990, 1000, 0.982, 0.995),
        (806, 1000, 0.780, 0.829),
        (1199, 2000, 0.578, 0.621),
        (480, 600, 0.766, 0.830),
    ],
)
def test_wilson_on_published_match_results(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins / games, games) == pytest.approx((low, high), abs=0.0005)


def test_wilson_stays_within_0_and_1_and_holds_the_share() -> None:
    for n in (0.5, 1, 3, 1e9):
        for share in (0, 1e-12, 0.5, 1 - 1e-12, 1):
            low, high = wilson(share, n)
            assert 0 <= low <= share <= high <= 1
            assert low < high


def test_t_quantiles_of_the_printed_tables() -> None:
    assert [round(t_quantile(df), 3) for df in (1, 2, 10, 30, 120)] == [12.706, 4.303, 2.228, 2.042, 1.980]


def test_t_interval_of_a_sample_by_hand() -> None:
    # 1, 2, 3, 4, 5: mean 3, sample variance 2.5, so the mean's variance is 0.5, and t(4) = 2.776.
    estimate = t_interval(3, 0.5, 5)
    assert (estimate.low, estimate.high) == pytest.approx((3 - 1.963, 3 + 1.963), abs=0.001)


def test_unseen_share_is_the_end_of_the_exact_interval() -> None:
    for n in (1, 5, 100, 10_000):
        assert unseen_share(n) == pytest.approx(proportion_confint(0, n, method="beta")[1])
    assert unseen_share(10**15) > 0


def test_units_without_spread_still_leave_room_for_the_unseen() -> None:
    estimate = without_spread(2.0, 100, 0.0, 13.0)
    assert estimate.mean == 2
    assert estimate.low == pytest.approx(2 - 0.0362 * 2, abs=1e-3)
    assert estimate.high == pytest.approx(2 + 0.0362 * 11, abs=1e-3)


def test_the_other_side_of_an_estimate() -> None:
    estimate = Estimate(0.6, 0.5, 0.8)
    other = estimate.complement()
    assert (other.mean, other.low, other.high) == pytest.approx((0.4, 0.2, 0.5))
    assert Estimate(3, 1, 4).scaled(-2) == Estimate(-6, -8, -2)
    assert Estimate(3, 1, 4).to_dict() == {"mean": 3, "low": 1, "high": 4}
    assert math.isclose(estimate.complement().complement().high, 0.8)
