"""A watch sees every batch once, whole and in order, and ends a run where its boards say."""

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.match.duel import play_duel
from spadesim.match.spec import make_spec
from spadesim.match.values import unit_values


class Collector:
    """Keeps the outcomes, and ends the run once so many units are in."""

    def __init__(self, batch: int, enough: int | None = None) -> None:
        self.batch, self.enough = batch, enough
        self.batches: list[npt.NDArray[np.void]] = []

    def __call__(self, outcomes: npt.NDArray[np.void]) -> bool:
        self.batches.append(outcomes.copy())
        return self.enough is not None and sum(map(len, self.batches)) >= self.enough


@pytest.mark.parametrize("length", [{"boards": 130}, {"games": 260}])
def test_outcomes_add_up_to_the_tally(length: dict[str, Any]) -> None:
    watch = Collector(50)
    result = play_duel(make_spec("easy", "medium", seed=3, **length), watch=watch)
    assert [len(batch) for batch in watch.batches] == [50, 50, 30]
    outcomes = np.concatenate(watch.batches)
    tally = result.tally
    assert outcomes["margin"].sum() == tally["margin"].sum()
    assert (outcomes["margin"].astype(object) ** 2).sum() == tally["margin_squares"][-1]
    assert outcomes["priced"].sum() == tally["priced"].sum()
    assert (outcomes["margin"] == 0).sum() == tally["level"]
    assert outcomes["same"].sum() == tally["identical"]
    if "games" in length:
        seen = np.zeros((4, 4), dtype=int)
        np.add.at(seen, (outcomes["results"] & 3, outcomes["results"] >> 2), 1)
        assert (seen == tally["outcomes"]).all()
    else:
        assert (outcomes["results"] == 0).all()


def test_a_stopped_run_ends_at_the_same_board_for_any_chunks_and_workers() -> None:
    spec = make_spec("easy", "medium", boards=2000, seed=4, first=7)
    ends = []
    for workers, chunk in ((1, None), (2, 7), (3, 64), (2, 1000)):
        watch = Collector(100, enough=300)
        result = play_duel(spec, workers=workers, chunk=chunk, watch=watch)
        ends.append((result.boards, result.fingerprint, np.concatenate(watch.batches).tobytes()))
        assert [len(batch) for batch in watch.batches] == [100] * 3
    assert all(one == other for one, other in pairwise(ends))
    assert ends[0][0] == 300
    assert ends[0][1] == play_duel(make_spec("easy", "medium", boards=300, seed=4, first=7)).fingerprint


@pytest.mark.parametrize("rules", ["pata", "cutthroat3"])
def test_values_of_units_average_to_what_the_duel_says(rules: str) -> None:
    for length in ({"boards": 60}, {"games": 120}):
        watch = Collector(1000)
        spec = make_spec("easy", "medium", seed=3, rules=rules, **length)  # type: ignore[arg-type]
        result = play_duel(spec, watch=watch)
        by_boards = result.win_chance_per_board or result.points_per_board
        stated = by_boards.mean if by_boards else result.win_rate_a and result.win_rate_a.mean - 0.5
        assert unit_values(spec, watch.batches[0]).mean() == pytest.approx(stated, abs=1e-12)
