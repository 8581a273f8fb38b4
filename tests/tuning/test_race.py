"""The race: who stops when, and that the best one is found with a part of the boards."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.match import matches
from spadesim.stats.intervals import Estimate
from spadesim.tuning.race import FIRST_BORDER, Race, RacePlan

Values = npt.NDArray[np.float64]


def race_of(values: Values, plan: RacePlan, is_holm: bool = False) -> Race:
    """A race over given gains, arm by arm."""

    def play(arms: Sequence[int], first: int, size: int) -> Values:
        return values[np.asarray(arms) - 1, first : first + size]

    race = Race(plan, play, is_holm)
    race.run()
    return race


def hill(arms: int, boards: int, top: int, slope: float, seed: int = 1) -> Values:
    """Gains of arms that lose `slope` with each step from the top, and share most of their luck."""
    rng = np.random.default_rng(seed)
    gains = slope * (1 - np.abs(np.arange(1, arms + 1) - top))
    return gains[:, None] + rng.standard_normal(boards) + 0.5 * rng.standard_normal((arms, boards))


@pytest.mark.parametrize(
    ("plan", "borders"),
    [
        (RacePlan(1, 100), (100,)),
        (RacePlan(8, 1000, is_race=False), (1000,)),
        (RacePlan(8, 1001), (251, 501, 1001)),
        (RacePlan(100, 500), (250, 500)),  # no border before boards that tell something
        (RacePlan(2, 900, width=0.1), (225, 450, 900)),
        (RacePlan(2, 150, width=0.1), (150,)),
    ],
)
def test_borders(plan: RacePlan, borders: tuple[int, ...]) -> None:
    assert plan.borders == borders
    assert len(borders) == 1 or borders[0] >= FIRST_BORDER


def test_half_stop_at_each_border() -> None:
    plan = RacePlan(8, 1600)
    race = race_of(hill(8, 1600, 3, 0.2), plan)
    assert sorted(race.sums.boards[1:].tolist()) == [400] * 4 + [800] * 2 + [1600] * 2
    assert race.sums.boards[1:].sum() == plan.planned
    assert race.winner() == 3
    assert len(race.behind) == 6
    assert race.alive == [arm for arm in range(1, 9) if arm not in race.behind]
    whole = race_of(hill(8, 1600, 3, 0.2), RacePlan(8, 1600, is_race=False))
    assert whole.sums.boards[1:].tolist() == [1600] * 8
    assert not whole.behind
    assert whole.reach < race.reach  # looking once costs less


def test_a_width_is_reached_or_the_arm_is_worse() -> None:
    race = race_of(hill(8, 25_600, 3, 0.05), RacePlan(8, 25_600, width=0.2, limit=10))
    assert race.alive == []
    for arm, gain in enumerate(race.gains()):
        if arm not in race.behind:
            assert gain.high - gain.low <= 0.2
    assert race.behind
    assert race.winner() == 3
    assert 3 in race.not_worse()
    assert race.boards < 25_600
    everyone = race_of(hill(8, 25_600, 3, 0.05), RacePlan(8, 25_600, is_race=False, width=0.2, limit=10))
    assert not everyone.behind
    assert all(gain.high - gain.low <= 0.2 for gain in everyone.gains())


def test_the_baseline_wins_when_nothing_gains() -> None:
    race = race_of(hill(4, 400, 2, 0.0) - 3, RacePlan(4, 400))
    assert race.winner() == 0
    assert race.runner_up() in {1, 2, 3, 4}
    assert race.not_worse() == [0]


def test_all_arms_may_be_surely_worse_than_the_baseline_before_they_are_known_to_a_width() -> None:
    race = race_of(hill(4, 3200, 2, 0.5) - 3, RacePlan(4, 3200, width=0.001, limit=10))
    assert race.behind == {1, 2, 3, 4}
    assert race.boards < 3200
    assert (race.winner(), race.runner_up()) == (0, 2)
    assert race.not_worse() == [0]


@pytest.mark.parametrize("width", [None, 0.3])
def test_no_range_of_what_may_be_best_lies_below_another(width: float | None) -> None:
    """Not even where the one with the best mean stopped early, and so few boards tell it from others."""
    for seed in range(8):
        values = hill(12, 3200, 5, 0.04, seed)
        race = race_of(values, RacePlan(12, 3200, width=width, limit=10))
        gains, able = race.gains(), race.not_worse()
        floor = max(gain.low for gain in gains)
        assert all(gains[arm].high >= floor for arm in able)
        assert 5 in able


def test_a_range_below_another_is_no_best_though_two_arms_alone_could_not_be_told_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = hill(3, 400, 2, 0.0)
    race = race_of(values, RacePlan(3, 400, is_race=False, limit=10))
    assert race.not_worse() == [0, 1, 2, 3]
    ranges = [Estimate(0.0, 0.0, 0.0), *(Estimate(-0.1, -0.2, high) for high in (-0.01, 0.0, 0.1))]
    monkeypatch.setattr(race, "gains", lambda: ranges)
    assert race.not_worse() == [0, 2, 3]


def test_intervals_by_holm_are_wider_and_their_p_values_agree_with_them() -> None:
    values = hill(6, 800, 2, 0.3)
    usual, careful = (race_of(values, RacePlan(6, 800), is_holm) for is_holm in (False, True))
    assert usual.p_values() is None
    p = careful.p_values()
    assert p is not None
    assert p[0] == 1.0
    for arm, gain in enumerate(careful.gains()):
        mine = usual.gains()[arm]
        assert gain.low <= mine.low <= mine.high <= gain.high
        if arm and not gain.low <= 0 <= gain.high:
            assert p[arm] < 0.05


def test_ctrl_c_leaves_whole_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "MOST_IN_A_ROUND", 100)
    values, seen = hill(3, 800, 2, 0.2), 0

    def play(arms: Sequence[int], first: int, size: int) -> Values:
        nonlocal seen
        seen += 1
        if seen == 3:
            raise KeyboardInterrupt
        return values[np.asarray(arms) - 1, first : first + size]

    race = Race(RacePlan(3, 800), play)
    with pytest.raises(KeyboardInterrupt):
        race.run()
    assert race.boards == 200
    assert race.gains()[2].mean == pytest.approx(values[1, :200].mean())


def test_the_top_of_a_hill_is_found() -> None:
    found = [race_of(hill(21, 800, 13, 0.15, seed), RacePlan(21, 800)).winner() for seed in range(40)]
    assert sum(abs(arm - 13) <= 1 for arm in found) >= 38


def test_what_is_left_is_foreseen_and_gains_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadesim.tuning.race.MOST_VALUES", 200)
    values, left, sizes = hill(8, 25_600, 3, 0.0), [], []

    def play(arms: Sequence[int], first: int, size: int) -> Values:
        sizes.append(len(arms) * size)
        return values[np.asarray(arms) - 1, first : first + size]

    plan = RacePlan(8, 25_600, width=0.3, limit=10)
    race = Race(plan, play, looked=lambda race: left.append((int(race.sums.boards.sum()), race.left())))
    race.run()
    assert max(sizes) <= 200
    assert left[-1][1] == 0
    total = int(race.sums.boards.sum())
    assert all(0.3 * total < done + more < 3 * total for done, more in left)
    same = race_of(values, plan)
    assert same.sums.boards.tolist() == race.sums.boards.tolist()
    assert same.sums.means == pytest.approx(race.sums.means)
