"""By what standings hands are told apart, and which states hands are played from besides."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from spadesim.core.hands import HAND_ROW
from spadesim.core.rules import Rules
from spadesim.stats import yields
from spadesim.stats.yields import Kind, Standings, Yields, seldom_seen

PATA = Rules()


def rows_from(*states: tuple[int, int, int, int], many: int = 100) -> npt.NDArray[np.void]:
    """So many hands from each state: both scores, both bags. Points tell which state it was."""
    return np.array(
        [
            (k, 0, (own, other), (bags, theirs), (10 * k, 0), (0, 0), 0, 2)
            for k, (own, other, bags, theirs) in enumerate(states)
            for _ in range(many)
        ],
        dtype=HAND_ROW,
    )


def standing(score: int, bags: int, rules: Rules = PATA) -> list[int]:
    return [int(way[0]) for way in Standings(rules)(np.array([score]), np.array([bags]))]


def joint_at(rows: Any, own: tuple[int, int], other: tuple[int, int]) -> tuple[int, set[int]]:
    """In which way two sides are told apart, and which states of `rows_from` their hands are from."""
    found = Yields(PATA, rows)
    kind: Kind = found.kind(standing(*own), standing(*other))
    return kind[0], {int(found.distinct[k, 0]) // 10 for k in found.joint(kind)[0]}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ((440, 0), (449, 9), (False, False, True)),  # both 6 short; 9 bags are one from the penalty
        ((441, 1), (441, 2), (False, True, True)),
        ((440, 0), (450, 0), (False, False, True)),
        ((400, 0), (403, 3), (True, True, True)),  # 10 short: not close, so that single bags do not count
        ((400, 0), (404, 4), (True, False, True)),
        ((400, 0), (390, 0), (True, False, True)),
        ((100, 0), (259, 9), (True, False, True)),
        ((0, 0), (259, 3), (True, True, True)),
        ((370, 0), (369, 9), (True, False, False)),
    ],
)
def test_standings_are_told_apart_by_what_matters(
    one: tuple[int, int], other: tuple[int, int], same: tuple[bool, ...]
) -> None:
    assert tuple(a == b for a, b in zip(standing(*one), standing(*other), strict=True)) == same
    assert (standing(*one)[0] >= 0) == (one[0] >= 440)


def test_without_bags_or_with_many_only_scores_or_groups_count() -> None:
    none, many = Rules.parse("canonical:bag_limit=0"), Rules.parse("pata:bag_limit=40")
    assert standing(440, 0, none) != standing(450, 0, none)
    assert standing(490, 0, many)[0] == -1
    assert standing(490, 33, many)[1] != standing(490, 34, many)[1]


def test_the_finest_way_with_hands_enough_is_taken() -> None:
    states = [(440, 440, 0, 0), (440, 440, 1, 0), (300, 440, 0, 0), (0, 0, 0, 0)]
    rows = rows_from(*states)
    assert joint_at(rows, (440, 0), (440, 0)) == (0, {0})
    assert joint_at(rows, (440, 2), (440, 0)) == (1, {0, 1})
    assert joint_at(rows, (300, 0), (440, 3)) == (1, {2})
    assert joint_at(rows, (460, 9), (440, 0)) == (2, {0, 1})
    assert joint_at(rows, (440, 0), (0, 0)) == (3, {0, 1, 2, 3})
    assert joint_at(rows_from(*states, many=40), (440, 0), (440, 0)) == (3, {0, 1, 2, 3})
    found = Yields(PATA, rows)
    own, other, count = found.joint(found.kind(standing(440, 0), standing(440, 0)))
    assert (found.distinct[own].tolist(), found.distinct[other].tolist()) == ([[0, 0]], [[0, 0]])
    assert count.tolist() == [100]
    assert [len(part) for part in found.decider()] == [2, 2, 2]


def test_every_pair_of_standings_gets_hands_enough() -> None:
    sides = [(440, 0), (451, 1), (480, 0), (409, 9), (0, 0), (30, 0)]
    rows = rows_from((440, 409, 0, 9), (451, 0, 1, 0), (480, 30, 0, 0), many=50)
    rows["game"] = np.arange(len(rows)) + 7
    states = seldom_seen(PATA, rows, (150, 120))
    assert states["game"].tolist() == list(range(157, 157 + len(states)))
    found = {
        tuple(zip(scores, bags, strict=True))
        for scores, bags in zip(states["scores"].tolist(), states["bags"].tolist(), strict=True)
    }
    assert found == {(own, other) for own in sides for other in sides}
    all_rows = np.concatenate([rows, states])
    for way, enough in ((0, 150), (1, 120)):
        ways = [
            Standings(PATA)(all_rows["scores"][:, k], all_rows["bags"][:, k])[way].tolist() for k in range(2)
        ]
        numbers = {standing(*side)[way] for side in sides} - {-1}
        pairs = list(zip(*ways, strict=True))
        assert min(pairs.count((own, other)) for own in numbers for other in numbers) >= enough
    assert states.tobytes() == seldom_seen(PATA, rows, (150, 120)).tobytes()
    assert not len(seldom_seen(PATA, rows, (0, 0)))


def test_states_are_spread_evenly_over_those_that_came_up() -> None:
    scores = [(440, bags) for bags in range(4)]
    rows = rows_from(*((440 + own, 0, own, 0) for _, own in scores), many=25)
    states = seldom_seen(PATA, rows, (0, 400))
    both = states[(states["scores"] >= 440).all(axis=1)]
    _, counts = np.unique(both["bags"], axis=0, return_counts=True)
    assert len(counts) == 16
    assert counts.max() - counts.min() < 8
    assert yields.ENOUGH == 100
