"""A round of a measurement lasts about as long for a slow bot as for a quick one."""

from typing import Any

import pytest

from spadesim import bench
from spadesim.core.rules import Rules


@pytest.mark.parametrize(("each", "expected"), [(1e-3, 300), (0.2, 1), (1.0, 1), (1e-6, 10_000)])
def test_what_fits(each: float, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of our own, on which a unit of work takes so many seconds."""
    clock = [0.0]
    done: list[int] = []

    def work(size: int) -> None:
        done.append(size)
        clock[0] += each * size

    monkeypatch.setattr(bench, "perf_counter", lambda: clock[0])
    assert bench.fitting(work, 10_000) == pytest.approx(expected, rel=0.01)
    assert sum(done) * each < max(1.0, 1.5 * bench.TRIED * each)  # seconds that finding out takes


def test_rounds_of_a_slow_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of which one board takes a second plays one a round; a quick one as many as there may be."""
    clock, seconds, played = [0.0], [1.0], [0]

    def play(four: Any, rules: Rules, count: int, first: int = 0) -> None:
        clock[0] += seconds[0] * count
        played[0] += count

    for name, value in (
        ("perf_counter", lambda: clock[0]),
        ("play_boards", play),
        ("four_of", lambda *_: ()),
    ):
        monkeypatch.setattr(bench, name, value)
    assert bench.speed("expert").hands_per_second == pytest.approx(2)
    assert played[0] == bench.TRIED + bench.ROUNDS
    seconds[0], played[0] = 1e-7, 0
    assert bench.speed("lowest_card").hands_per_second == pytest.approx(2e7)
    assert played[0] > bench.ROUNDS * bench.most_boards(Rules())
