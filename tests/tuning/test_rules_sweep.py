"""Sweeps of rules: the games of duels under each set of rules."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from spadesim.errors import UserError
from spadesim.match.duel import duel, play_duel
from spadesim.tuning.rules_sweep import RulesSweepResult, sweep_rules

pytestmark = pytest.mark.compiled_only

BAGS = ["rules.bag_penalty=0,100"]


@pytest.fixture(scope="module")
def found() -> RulesSweepResult:
    return sweep_rules("medium", [*BAGS, "rules.target=200,300"], vs=["easy"], games=40, seed=3)


def test_every_set_of_rules_is_a_duel_of_its_own(found: RulesSweepResult) -> None:
    assert [arm.label for arm in found.arms] == [
        f"bag_penalty={penalty},target={target}" for penalty in (0, 100) for target in (200, 300)
    ]
    for arm in found.arms:
        alone = duel("medium", "easy", rules=arm.rules, games=40, seed=3)
        assert arm.won == alone.win_rate_a
        assert arm.mean_bid == alone.sides["a"].mean_bid
        assert arm.nil_rate == alone.sides["a"].nil_rate
        assert arm.set_rate == alone.sides["a"].set_rate
        assert arm.hands_per_game.mean == alone.hands / 40
        assert arm.hands_per_game.low < arm.hands_per_game.mean < arm.hands_per_game.high
    assert found.verdict.startswith("medium wins between ")
    assert found.command == (
        "spadesim sweep medium --set rules.bag_penalty=0,100 --set rules.target=200,300 --vs easy --games 40 "
        "--rules pata --seed 3"
    )


def test_a_longer_target_takes_more_hands(found: RulesSweepResult) -> None:
    frame = found.to_frame()
    means = frame.groupby("rules.target")["hands_per_game"].mean()
    assert means[300] > means[200] + 1
    assert {"won", "won_low", "won_high", "bags_per_hand_high"} <= set(frame.columns)


def test_against_itself_nobody_wins_more() -> None:
    for vs in ([], ["medium:king=3"]):  # which is the same bot
        found = sweep_rules("medium", BAGS, vs=vs, games=20)
        assert all(arm.won is None for arm in found.arms)
        assert found.verdict.startswith("A game takes between ")


def test_games_of_single_players_come_in_sets() -> None:
    found = sweep_rules("medium", ["rules.target=100,200"], rules="cutthroat3", vs=["easy"], games=7)
    assert [arm.games for arm in found.arms] == [12, 12]


def test_ctrl_c_leaves_what_was_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def interrupted(*arguments: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        return dataclasses.replace(play_duel(*arguments, **more), partial=calls == 2)

    monkeypatch.setattr("spadesim.tuning.rules_sweep.play_duel", interrupted)
    found = sweep_rules("medium", BAGS, games=20)
    assert found.partial
    assert (len(found.arms), found.requested) == (1, 2)
    assert found.verdict.startswith("Partial, 1 of 2 sets of rules: ")
    assert np.isnan(found.to_frame()["won"].astype(float)).all()


@pytest.mark.parametrize(
    ("axes", "changes", "message"),
    [
        (["rules.bag_penlty=0,1"], {}, "Did you mean 'bag_penalty'"),
        (["rules.target=-5"], {}, "target"),
        (["rules.bag_penalty=0,50", "king=2"], {}, "'king' is no option of the rules"),
        (["rules.players=4,2"], {}, "players"),
        (["rules.target=1:2000:1"], {}, "2,000 sets of rules are too many"),
        (BAGS, {"vs": ["easy", "easy"]}, "'easy' is given twice"),
        (BAGS, {"games": 0}, "games must be at least 2"),
        (BAGS, {"games": 1}, "1 games do not show how much games differ: 4 are the least"),
        (BAGS, {"vs": ["easy", "easy+easy"]}, "'easy' is given twice"),
    ],
)
def test_what_is_refused(axes: list[str], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        sweep_rules("medium", axes, **changes)
