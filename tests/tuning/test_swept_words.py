"""What a sweep says of what it found: no more than boards and whole games bear out."""

import dataclasses

import pytest

from spadesim.match.duel import duel
from spadesim.reports.sweep import _found, _tiles
from spadesim.stats.intervals import Estimate
from spadesim.tuning.sweep import sweep
from spadesim.tuning.swept import Games
from spadesim.tuning.swept_words import verdict

pytestmark = pytest.mark.compiled_only


def test_what_may_be_hidden_is_a_gain_of_any_setting() -> None:
    found = sweep("medium", ["king=4,8"], boards=100, confirm=0)
    assert found.winner == 1
    assert "+0.79, 100 boards). A gain of 0.79 may be hidden among them." in found.verdict
    wide = dataclasses.replace(found.arms[2], gain=Estimate(-0.05, -0.15, 0.05))
    told = verdict(found.spec, [*found.arms[:2], wide], 1, None, found.scale)
    assert "+0.79, 100 boards). A gain of 5.00 may be hidden among them." in told


def test_how_far_behind_others_are_is_told() -> None:
    found = sweep("medium", ["king=3,4,8"], boards=100, confirm=0)
    assert found.best is not None
    assert found.best.label == "king=4"
    assert found.verdict.startswith(
        "No setting looks better than medium (king=3): the best of 2 settings, king=4"
    )
    assert "In the sweep king=8 came to -10.07 (-12." in found.verdict
    assert [arm.label for arm in found.not_worse] == ["king=3", "king=4"]
    beaten = [found.arms[0], *(dataclasses.replace(arm, not_worse=False) for arm in found.arms[1:])]
    sure = verdict(found.spec, beaten, 1, None, found.scale)
    assert sure.startswith(
        "medium (king=3) is better than each of the 2 other settings: the best of them, king=4"
    )
    alone = verdict(found.spec, beaten[:2], 1, None, found.scale)
    assert alone.startswith("medium (king=3) is better than the other setting, king=4, came to -0.74")
    many = sweep("medium", ["king=0:8:1"], boards=100, race=False, confirm=0)
    able, last = len(many.not_worse), min(many.arms, key=lambda arm: arm.gain.mean)
    assert (
        f"Of all 9, medium among them, {able} may be best; furthest behind is {last.label} with"
        in many.verdict
    )


def test_whole_games_that_do_not_bear_out_what_boards_promise_take_the_claim_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A gain of 0.2 points a board for 9 hands is 1.8 % of games between equals."""
    monkeypatch.setattr("spadesim.tuning.outcome.NEARLY_EVEN", 10)
    found = sweep("medium:king=6", ["king=3:6:1"], boards=300, vs=["easy", "medium"], confirm=40)
    fresh = found.fresh
    assert fresh is not None
    played_games = fresh.games
    assert played_games is not None
    assert played_games.promised is not None
    length = played_games.promised.mean / fresh.gain.mean
    played = duel("medium", "easy", games=40).hands / 40
    assert length == pytest.approx(played, rel=0.2)

    def told(mean: float, half: float) -> tuple[bool, str]:
        games = dataclasses.replace(
            played_games,
            gain=Estimate(mean, mean - half, mean + half),
            promised=Estimate(0.018, 0.014, 0.022),
        )
        other = dataclasses.replace(fresh, is_better=True, games=games)
        return other.is_unborne, verdict(found.spec, found.arms, found.winner, other, found.scale)

    assert found.best is not None
    name = found.best.label
    withheld, text = told(0.001, 0.008)
    assert withheld
    assert text.startswith(f"Better on boards alone: {name} did best")
    ends = "(0.7 % fewer to 0.9 % more; between equals such boards come to 1.8 % more)."
    assert f"It won 0.1 % more of 80 games than medium:king=6 did {ends}" in text
    withheld, text = told(0.012, 0.02)  # too few games to tell
    assert not withheld
    assert text.startswith(f"{name} is better than medium:king=6 on boards: ")
    withheld, text = told(0.018, 0.01)
    assert not withheld
    assert text.startswith(f"{name} is better than medium:king=6: ")
    assert "between equals" not in text
    withheld, text = told(0.006, 0.004)  # a gain, but a smaller one
    assert not withheld
    assert text.startswith(f"{name} is better than medium:king=6: ")
    assert "between equals such boards come to 1.8 % more" in text
    lost = dataclasses.replace(played_games, gain=Estimate(-0.031, -0.039, -0.023), promised=None)
    undecided = dataclasses.replace(fresh, is_better=False, needed=160_000, games=lost)
    text = verdict(found.spec, found.arms, found.winner, undecided, found.scale)
    assert "over whole games it is worse than medium:king=6" in text
    assert "It won 3.1 % fewer of 80 games than medium:king=6 did (2.3 to 3.9 % fewer)." in text
    assert "to show" not in text
    told_by_page = _found(dataclasses.replace(found, fresh=undecided, better=False))
    assert "is worse over whole games than medium:king=6" in told_by_page
    tile = _tiles(dataclasses.replace(found, fresh=undecided))[-1]
    assert (tile.label, *tile.cell) == ("games won", "3.1 % fewer", "2.3 to 3.9 % fewer")


def test_nothing_is_claimed_that_whole_games_contradict(monkeypatch: pytest.MonkeyPatch) -> None:
    share = Estimate(0.4, 0.35, 0.45)
    games = Games(4, share.shifted(-0.5), (share,), (Estimate(0.5, 0.5, 0.5),), None)
    monkeypatch.setattr("spadesim.tuning.outcome.Remeasured._games", lambda *_: games)
    found = sweep("medium:king=6", ["king=3:6:1"], boards=300, confirm=4)
    assert found.fresh is not None
    assert found.fresh.is_better
    assert not found.better
    assert found.verdict.startswith("Disputed: king=3 did best, with +")


def test_better_is_no_more_than_boards_and_games_both_bear(monkeypatch: pytest.MonkeyPatch) -> None:
    half, usual = Estimate(0.5, 0.49, 0.51), (Estimate(0.5, 0.5, 0.5),)
    games = Games(4, half.shifted(-0.5), (half,), usual, Estimate(0.05, 0.04, 0.06))
    monkeypatch.setattr("spadesim.tuning.outcome.Remeasured._games", lambda *_: games)
    found = sweep("medium:king=6", ["king=3:6:1"], boards=300, confirm=4)
    assert found.fresh is not None
    assert found.fresh.is_better
    assert not found.better
    assert found.verdict.startswith("Better on boards alone: king=3 did best, with +")
    assert "(49.0 to 51.0; between equals such boards come to 55.0 %)." in found.verdict


def test_of_a_gain_that_is_no_longer_between_equals_nothing_is_promised() -> None:
    large = sweep("medium:king=8", ["king=3"], boards=200, confirm=20)
    assert large.fresh is not None
    assert large.fresh.games is not None
    assert large.fresh.gain.mean > 0.05
    assert large.fresh.games.promised is None
    assert large.better
