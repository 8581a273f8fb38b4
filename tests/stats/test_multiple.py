"""Statements about all arms of a sweep: they hold together, whenever an arm stopped."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.stats.intervals import LEVEL
from spadesim.stats.multiple import (
    FEW,
    MOST_TOGETHER,
    Nested,
    apart_reach,
    holm,
    joint_reach,
    not_worse,
    p_values,
)

Values = npt.NDArray[np.float64]


def nested(values: Values, stops: Sequence[int], block: int = 50) -> Nested:
    """The sums of arms that stop at multiples of a block."""
    sums = Nested(len(values))
    for first in range(0, max(stops), block):
        alive = [arm for arm, stop in enumerate(stops) if stop > first]
        sums.add(alive, values[alive, first : first + block])
    return sums


@pytest.fixture
def values() -> Values:
    rng = np.random.default_rng(7)
    common = rng.standard_normal(400)
    return np.where(rng.random((4, 400)) < 0.8, common + rng.standard_normal((4, 400)), 0.0)


def test_sums_are_those_of_the_boards_played(values: Values) -> None:
    stops = [50, 400, 200, 400]
    sums = nested(values, stops)
    assert sums.boards.tolist() == stops
    for arm, stop in enumerate(stops):
        own = values[arm, :stop]
        assert sums.means[arm] == pytest.approx(own.mean())
        assert sums.errors[arm] == pytest.approx(own.std(ddof=1) / stop**0.5)
        assert (sums.ahead[arm], sums.behind[arm]) == ((own > 0).sum(), (own < 0).sum())
    for a, b in ((1, 0), (2, 1), (1, 3)):
        n = min(stops[a], stops[b])
        gaps = values[a, :n] - values[b, :n]
        ((found, errors),) = sums.differences([b], [a, b])
        assert (found[0], errors[0]) == pytest.approx((gaps.mean(), gaps.std(ddof=1) / n**0.5))
        assert (found[1], errors[1]) == (0.0, 0.0)
        together = np.corrcoef(values[a, :n], values[b, :n])[0, 1]
        assert sums.correlation()[a, b] == pytest.approx(together, abs=1e-6)


def test_correlations_of_different_lengths_can_be_drawn_from() -> None:
    rng = np.random.default_rng(3)
    values = rng.standard_normal(300) + 1e-3 * rng.standard_normal((6, 300))
    values[:3, 50:] = rng.standard_normal((3, 250))
    correlation = nested(values, [50, 50, 150, 300, 300, 300]).correlation()
    assert np.linalg.eigvalsh(correlation)[0] > -1e-9
    assert np.diag(correlation) == pytest.approx(np.ones(6))


def test_an_arm_that_never_differs_is_told_by_what_was_not_seen() -> None:
    sums = nested(np.zeros((2, 100)), [100, 100])
    (half, _) = sums.halves(3.0, limit=1.0)
    assert 0.03 < half < 0.04  # up to 3.6 % of all boards may differ, by up to 1
    assert sums.correlation().tolist() == np.eye(2).tolist()
    assert p_values(sums, 1).tolist() == [1.0, 1.0]


def test_joint_reach_grows_with_arms_and_borders_and_never_beyond_the_bound() -> None:
    alone = joint_reach(np.eye(1), [100], 99)
    more = joint_reach(np.eye(1), [100, 200, 400], 99)
    arms = joint_reach(np.eye(5), [100], 99)
    both = joint_reach(np.eye(5), [100, 200, 400], 99)
    alike = joint_reach(0.9 + 0.1 * np.eye(5), [100, 200, 400], 99)
    assert alone < more < alike < both < apart_reach(15, 99) + 0.05
    assert alone < arms < both
    many = np.eye(MOST_TOGETHER)
    assert joint_reach(many, [100, 200], 99) == apart_reach(2 * MOST_TOGETHER, 99)


def test_joint_intervals_hold_whichever_arms_go_on() -> None:
    """Halved by what they show, and read where they stopped: 95 of 100 sweeps hold all true values."""
    rng, missed, runs = np.random.default_rng(5), 0, 1000
    reach = joint_reach(0.64 + 0.36 * np.eye(8), (100, 200, 400), 99)
    for _ in range(runs):
        values = rng.standard_normal(400) * 0.8 + 0.6 * rng.standard_normal((8, 400))
        sums, alive = Nested(8), list(range(8))
        for first, last in ((0, 100), (100, 200), (200, 400)):
            sums.add(alive, values[alive, first:last])
            alive = sorted(alive, key=lambda arm: -sums.means[arm])[: len(alive) // 2]
        halves = sums.halves(reach, 10.0)
        missed += bool((np.abs(sums.means) > halves).any())
    assert 5 <= missed <= 72  # of 1,000 with a chance of at most 5 %, more than that once in a thousand times


def test_the_best_arm_is_among_those_not_worse() -> None:
    rng, found, sizes = np.random.default_rng(9), 0, []
    for _ in range(100):
        gains = np.linspace(0, 0.5, 6)[:, None]
        values = gains + rng.standard_normal(200) + 0.7 * rng.standard_normal((6, 200))
        kept = not_worse(nested(values, [200] * 6), [200], 199, range(6))
        found += 5 in kept
        sizes.append(len(kept))
    assert found >= 95
    assert np.mean(sizes) < 5


def test_an_arm_that_any_other_surely_beats_is_left_out_whoever_leads() -> None:
    rng = np.random.default_rng(4)
    values = np.vstack([np.zeros(1600), rng.standard_normal((2, 1600))])
    values[2] -= 0.3
    values[1, :50] += 0.3 - values[1, :50].mean()  # it leads on the few boards that it has played
    sums = nested(values, [1600, 50, 1600])
    assert sums.means.argmax() == 1
    assert not_worse(nested(values[:, :50], [50] * 3), [50, 1600], 49, range(3)) == [0, 1, 2]
    assert not_worse(sums, [50, 1600], 49, range(3)) == [0, 1]


def test_alike_but_surely_worse_is_told_by_the_boards_that_differ() -> None:
    """Two arms that share nearly all of their luck are told apart, though their ranges overlap widely."""
    rng = np.random.default_rng(4)
    values = np.vstack([np.zeros(400), *([rng.standard_normal(400)] * 2)])
    values[2] -= 0.02 * (rng.random(400) < 0.3)
    assert not_worse(nested(values, [400] * 3), [400], 399, range(3)) == [0, 1]


def test_few_boards_that_differ_leave_nobody_out() -> None:
    values = np.zeros((2, 1000))
    values[1, : FEW - 1] = 1.0
    assert not_worse(nested(values, [1000, 1000]), [1000], 999, range(2)) == [0, 1]
    values[1, FEW - 1] = 1.0
    assert not_worse(nested(values, [1000, 1000]), [1000], 999, range(2)) == [1]


def test_of_few_boards_the_sign_test_has_a_say() -> None:
    values = np.zeros((1, 400))
    values[0, :4] = 1.0
    assert p_values(nested(values, [400]), 1)[0] == pytest.approx(2 * 0.5**4)
    assert p_values(nested(values, [400]), 5)[0] == pytest.approx(10 * 0.5**4)


def test_holm_rejects_what_bonferroni_does_and_more() -> None:
    p = np.array([0.001, 0.012, 0.02, 0.4])
    adjusted = holm(p)
    assert (adjusted <= len(p) * p).all()
    assert (adjusted < 1 - LEVEL).tolist() == [True, True, True, False]
