"""Candidates are given up when they are hopeless, and seldom otherwise; budgets are spent, not overspent."""

import numpy as np
import pytest

from spadesim.errors import UserError
from spadesim.stats.moments import Moments
from spadesim.tuning.budget import BLOCKS, Budget, read_budget, shares
from spadesim.tuning.dimensions import Dimension
from spadesim.tuning.spsa import Plan, Step, answer, climb, plan_for
from spadesim.tuning.trials import History, Trial, is_hopeless


def run(values: np.ndarray, best: np.ndarray | None) -> Trial:
    history = History(len(values))
    if best is not None:
        history.add(Trial(0, {"x": "0"}, tuple(best.tolist()), float(best.mean()), False, len(best)))
    return history.run({"x": "1"}, lambda block: float(values[block]), lambda: 0)


def test_the_best_is_seldom_given_up() -> None:
    rng = np.random.default_rng(1)
    alike = sum(run(rng.normal(0, 1, BLOCKS), np.zeros(BLOCKS)).pruned for _ in range(2000)) / 2000
    assert 0.02 < alike < 0.065
    better = sum(run(rng.normal(0.5, 1, BLOCKS), np.zeros(BLOCKS)).pruned for _ in range(500)) / 500
    assert better < 0.015


def test_the_hopeless_is_given_up_soon_and_valued_by_its_distance_to_the_best() -> None:
    rng = np.random.default_rng(2)
    luck = rng.normal(0, 5, BLOCKS)  # of the boards, which both share
    best, bad = luck + 1, luck - 2 + rng.normal(0, 0.5, BLOCKS)
    found = run(bad, best)
    assert found.pruned
    assert len(found.blocks) < 8
    assert found.value == pytest.approx(best.mean() - 3, abs=0.6)


def test_what_was_tried_is_not_played_again() -> None:
    history = History(4)
    history.add(Trial(0, {"x": "0"}, (0.0,) * 4, 0.0, False, 400))
    again = history.run({"x": "0"}, lambda block: 1 / 0, lambda: 0)
    assert (again.number, again.boards, again.blocks) == (1, 0, (0.0,) * 4)
    history.add(again)
    assert (history.repeats, history.distinct, history.boards) == (1, 1, 400)
    assert [trial.number for trial in history.ranked()] == [0]


def test_alike_in_all_blocks_is_no_reason_to_give_up() -> None:
    assert not is_hopeless([0.1] * 9, [0.1] * 9)
    assert is_hopeless([0.0] * 4, [0.1] * 4)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("90s", Budget(seconds=90)),
        ("1.5h", Budget(seconds=5400)),
        ("2min", Budget(seconds=120)),
        ("200k-boards", Budget(boards=200_000)),
        ("1_000_000-boards", Budget(boards=1_000_000)),
    ],
)
def test_budgets_are_read_and_written(text: str, budget: Budget) -> None:
    assert read_budget(text) == budget
    assert read_budget(str(budget)) == budget


@pytest.mark.parametrize("text", ["", "m", "-2m", "2 m s", "5M", "0s", "boards", "1e9-boards"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(UserError):
        read_budget(text)


@pytest.mark.parametrize("boards", [10_000, 123_457, 10**7, 10**10])
@pytest.mark.parametrize("matches", [1, 2])
def test_no_more_is_spent_than_there_is(boards: int, matches: int) -> None:
    for dimensions in (1, 6, 40):
        found = shares(boards, dimensions, matches)
        assert found.search + matches * (found.selection + found.validation) <= boards
        assert 0 < 10 * found.trial <= found.search
        plan = plan_for(found.search, matches)
        assert plan.steps * plan.boards * matches <= found.search


def test_a_climb_goes_uphill_by_steps_that_get_smaller() -> None:
    """On a made-up hill of ten parameters, each of which is worth little."""
    kinds = ((1, False), (10, True))
    hill = [Dimension(f"x{k}", 0, *kinds[k % 2], (), kinds[k % 2][0] / 10) for k in range(10)]
    rng = np.random.default_rng(3)

    def height(settings: dict[str, str]) -> float:
        return -sum(((float(settings[one.name]) - 0.6 * one.high) / one.high) ** 2 for one in hill)

    def play(a: dict[str, str], b: dict[str, str], first: int, size: int) -> tuple[Moments, int]:
        values = rng.normal(height(a) - height(b), 5, size)
        return Moments(size, float(values.sum()), float((values**2).sum()), 1, 1), size

    steps: list[Step] = []
    climb(hill, Plan(400, 2000), 1, steps, play)
    found = {name: float(word) for name, word in answer(hill, steps).items()}
    for one in hill:
        assert found[one.name] / one.high == pytest.approx(0.6, abs=0.17)
    moves = np.abs(np.diff([step.point for step in steps], axis=0))
    assert moves[-50:].mean() < moves[:50].mean()


def test_the_gains_of_spall() -> None:
    """By hand, as written in Spall 1998 with the last perturbation and step given."""
    plan, last = Plan(100, 1), np.array([2.0])
    perturbation, step = plan.sizes(99, last)
    assert perturbation == pytest.approx([2.0])
    assert step == pytest.approx([0.1 * 2.0])  # R_END times C_END
    perturbation, step = plan.sizes(0, last)
    assert perturbation == pytest.approx([2.0 * 100**0.101])
    assert step == pytest.approx([0.1 * 4.0 * 110**0.602 / 11**0.602 / (2.0 * 100**0.101)])
