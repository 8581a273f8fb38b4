import numpy as np
import pytest
import statsmodels.api as sm

from spadesim.stats.intervals import wilson
from spadesim.stats.proportions import RatioSums, effective_size, proportion, ratio, ratio_variance
from tests.stats.given import known, ratio_sums


def test_a_ratio_by_hand() -> None:
    # Three games with 3, 5, 4 bags in 10, 12, 8 hands: ratio 12/30 = 0.4, residuals -1, 0.2, 0.8,
    # squares 1.68, so variance 3/2 * 1.68 / 900 = 0.0028; t(2) = 4.303.
    sums = ratio_sums([3, 5, 4], [10, 12, 8])
    assert ratio_variance(sums) == pytest.approx(0.0028)
    estimate = known(ratio(sums, 0, 13))
    assert estimate.mean == pytest.approx(0.4)
    assert (estimate.low, estimate.high) == pytest.approx((0.4 - 0.2277, 0.4 + 0.2277), abs=1e-4)


def test_the_linearised_variance_is_that_of_weighted_least_squares() -> None:
    """A ratio of sums is a weighted mean of the units' ratios; robust standard errors say the same of it."""
    rng = np.random.default_rng(5)
    dens = rng.integers(1, 30, size=200)
    nums = rng.binomial(dens, rng.beta(2, 3, size=200))
    fit = sm.WLS(nums / dens, np.ones(200), weights=dens).fit(cov_type="HC1", use_t=True)
    sums = ratio_sums(nums, dens)
    assert ratio_variance(sums) == pytest.approx(fit.bse[0] ** 2)
    estimate = known(ratio(sums, 0, 1))
    assert (estimate.low, estimate.high) == pytest.approx(tuple(fit.conf_int()[0]))


def test_units_without_a_denominator_count_as_units_only() -> None:
    with_empty, without = ratio_sums([1, 0, 1, 0, 0], [1, 1, 2, 0, 0]), ratio_sums([1, 0, 1], [1, 1, 2])
    assert known(ratio(with_empty, 0, 1)).mean == known(ratio(without, 0, 1)).mean
    assert ratio_variance(with_empty) == pytest.approx(ratio_variance(without) * (5 / 4) / (3 / 2))


def test_an_interval_ends_where_the_ratio_must() -> None:
    estimate = known(ratio(ratio_sums([0, 0, 26], [1, 1, 1]), 0, 26))
    assert estimate.low == 0
    assert estimate.high == 26


def test_equal_units_get_an_interval_all_the_same() -> None:
    estimate = known(ratio(ratio_sums([2] * 50, [4] * 50), 0, 3))
    assert estimate.mean == 0.5
    assert 0 < estimate.low < 0.5 < estimate.high < 0.7
    single = known(ratio(ratio_sums([5], [10]), 0, 3))
    assert 0 <= single.low < 0.1
    assert 2.8 < single.high <= 3


def test_nothing_counted_is_no_estimate() -> None:
    empty = RatioSums(0, 0, 0, 0, 0, 0)
    assert ratio(empty, 0, 1) is None
    assert proportion(empty) is None
    assert proportion(RatioSums(100, 0, 0, 0, 0, 0)) is None


def test_trials_on_their_own_have_their_own_number_as_effective_size() -> None:
    sums = ratio_sums([1] * 600 + [0] * 400, [1] * 1000)
    assert effective_size(sums) == pytest.approx(1000, rel=0.005)
    assert effective_size(sums) <= 1000
    estimate = known(proportion(sums))
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.6, 1000), abs=1e-4)


def test_trials_that_go_alike_in_each_unit_count_once() -> None:
    # 500 boards whose two rooms always agree: 1000 trials that tell no more than 500.
    assert effective_size(ratio_sums([2] * 300 + [0] * 200, [2] * 500)) == pytest.approx(500, rel=0.01)


def test_trials_that_offset_each_other_never_count_for_more_than_they_are() -> None:
    assert effective_size(ratio_sums([1] * 500, [2] * 500)) == 1000


@pytest.mark.parametrize("share", [0, 1])
def test_a_share_of_0_or_1_counts_units(share: int) -> None:
    dens = [1, 2, 3, 4]
    sums = ratio_sums([share * d for d in dens], dens)
    assert effective_size(sums) == pytest.approx(100 / 30)
    estimate = known(proportion(sums))
    assert estimate.mean == share
    assert (estimate.low, estimate.high) == pytest.approx(wilson(share, 100 / 30))
    assert estimate.high - estimate.low > 0.5


def test_a_single_unit_is_one_trial() -> None:
    estimate = known(proportion(ratio_sums([7], [10])))
    assert (estimate.low, estimate.high) == wilson(0.7, 1)


def test_sums_of_any_size_stay_exact() -> None:
    n = 10**7
    sums = RatioSums(n, 2 * 10**12, 3 * 10**12, 4 * 10**17, 6 * 10**17, 9 * 10**17)
    assert sums.residual() == 0
