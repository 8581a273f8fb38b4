"""Aiming at a strength: the setting is found, fresh games judge it, and what cannot be reached is told."""

import json
import math
import shlex
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spadesim.errors import UserError
from spadesim.match.duel import duel
from spadesim.match.matches import Counter, Matches
from spadesim.stats.intervals import Estimate, t_interval
from spadesim.strategy import Parameter
from spadesim.tuning.aim import Aim
from spadesim.tuning.calibrate import CalibrateSpec, calibrate, entry_of, own_value
from spadesim.tuning.calibrated import MISSED, NOT_SHOWN, PARTIAL, WITHIN, judge, more_games
from spadesim.tuning.curve import Curve, find_root

SHARE = Parameter("x", 0.5, low=0, high=1)
WHOLE = Parameter("k", 3, low=0, high=8)


class Coins(Curve):
    """Pairs of games of which each is won with a chance that a function of the setting gives.

    The same coins at every setting, as games on common deals have much in common.
    """

    def __init__(
        self,
        chance: Callable[[float], float],
        seed: int = 1,
        parameter: Parameter = SHARE,
    ) -> None:
        super().__init__(parameter, lambda _: pytest.fail("no duel"), 1, Counter(0, None))
        random = np.random.default_rng(seed)
        self.chance, self.coins = chance, random.random((40_000, 2))
        self.own = {k: random.random((40_000, 2)) for k in range(17)}
        self.is_own = random.random((40_000, 2)) > 0.8

    def play(self, value: float, first: int, size: int) -> Any:
        rows = slice(first, first + size)
        coins = np.where(self.is_own[rows], self.own[hash(value) % 17][rows], self.coins[rows])
        return (coins < self.chance(value)).mean(axis=1)


def falling(x: float) -> float:
    return 0.9 / (1 + math.exp(8 * (x - 0.6)))


def looked(curve: Curve, units: int = 500) -> Curve:
    for place in curve.first_places():
        curve.measure(place, units)
    return curve


def setting(curve: Curve, wanted: float, start: float = 0.0, within: float = 0.02) -> float:
    """What is found of a curve by the search itself."""
    aim = Aim(CalibrateSpec("easy", "easy", "blunder", 0.65, within), looked(curve), start)
    aim.units, aim.is_monotone = 6000, curve.is_monotone()
    return aim._setting(wanted)


def test_the_setting_is_found_on_nineteen_of_twenty_seeds() -> None:
    errors = [falling(setting(Coins(falling, seed), 0.65)) - 0.65 for seed in range(20)]
    assert sum(abs(error) < 3 * 0.35 / math.sqrt(6000) for error in errors) >= 19
    assert abs(np.mean(errors)) < 4 * 0.35 / math.sqrt(6000 * 20)


@pytest.mark.parametrize("wanted", [0.1, 0.4, 0.8])
def test_other_targets_and_a_rising_curve(wanted: float) -> None:
    assert abs(falling(setting(Coins(falling), wanted)) - wanted) < 0.02
    assert abs(falling(1 - setting(Coins(lambda x: falling(1 - x)), wanted)) - wanted) < 0.02


def test_a_passage_that_more_deals_take_away_ends_the_search_where_it_is_nearest() -> None:
    curve = Coins(lambda x: 0.5 + 0.3 * (x - 0.4) ** 2)
    curve.is_own[:] = False
    curve.coins[:] = (np.arange(80_000).reshape(-1, 2) % 2000 + 0.5) / 2000  # the rate is the chance
    for place in (0.2, 0.4, 0.6):
        curve.measure(place, 2000)
    assert find_root(curve, 0.5 - 1e-3, (0.4, 0.6), 8000) == 0.4


def test_the_search_plays_little() -> None:
    played = []
    for seed in range(20):
        curve = Coins(falling, seed)
        setting(curve, 0.65)
        played.append(sum(map(curve.units, curve.places)) - 9 * 500)
    assert np.mean(played) < 4.5 * 6000
    assert max(played) < 8 * 6000


def test_no_more_games_are_played_than_are_allowed() -> None:
    for seed in range(5):
        curve = Coins(lambda x: 0.9 / (1 + math.exp(60 * (x - 0.6))), seed)
        spec = CalibrateSpec("easy", "easy", "blunder", 0.65, games=20_000)
        aim = Aim(spec, looked(curve, spec.first_units), 0.0)
        aim._plan()
        aim._setting(0.65)
        assert 2 * (sum(map(curve.units, curve.places)) + aim.units) <= 20_000


def test_a_steep_step_between_two_looks() -> None:
    found = setting(Coins(lambda x: 0.9 if x < 0.07 else 0.1), 0.65)
    assert abs(found - 0.07) < 0.001


def test_a_curve_that_goes_up_and_down() -> None:
    curve = looked(Coins(lambda x: 0.4 + 1.6 * abs(x - 0.5)))
    assert not curve.is_monotone()
    assert looked(Coins(falling)).is_monotone()
    assert setting(curve, 0.65, start=0.1) < 0.4
    assert setting(curve, 0.65, start=1.0) > 0.6


def test_noise_on_a_flat_curve_is_no_hill() -> None:
    assert sum(looked(Coins(lambda _: 0.5, seed)).is_monotone() for seed in range(20)) >= 19


def test_a_target_at_the_end_of_the_range() -> None:
    found = setting(Coins(lambda x: 0.645 - 0.4 * x), 0.65)
    assert found < 0.05


@pytest.mark.parametrize("wanted", [0.95, 0.3])
def test_what_no_setting_reaches_is_refused_with_what_is_reached(wanted: float) -> None:
    reached = r"against easy: 8\d[.\d]* % at 0, 4\d[.\d]* % at 1, [89]\d[.\d]* % at 0\.5\."
    with pytest.raises(
        UserError, match=f"No value of blunder makes easy win {100 * wanted:.0f} % .*{reached}"
    ):
        setting(Coins(lambda x: 0.85 - 0.4 * x + (0.25 if x == 0.5 else 0.0)), wanted)


def test_whole_numbers_come_as_near_as_they_can() -> None:
    curve = Coins(lambda k: 0.8 - 0.09 * k, parameter=WHOLE)
    assert setting(curve, 0.65) == 2.0
    assert all(place == int(place) for place in curve.places)


def test_settings_are_short() -> None:
    curve = Coins(falling)
    assert curve.tidy(0.123456) == 0.1235
    wide = Coins(falling, parameter=Parameter("t", 1.0, low=0, high=13))
    assert wide.tidy(7.123456) == 7.12
    assert wide.first_places()[0] == 0.0
    assert wide.first_places()[-1] == 13.0


def test_a_bracket_that_more_deals_move_is_left() -> None:
    """The first deals say that the passage is elsewhere."""
    curve = Coins(falling)
    curve.coins[:500] *= 0.75  # luck: more of the first games are won
    looked(curve)
    (bracket,) = curve.brackets(0.65)
    found = find_root(curve, 0.65, bracket, 8000)
    assert not bracket[0] <= found <= bracket[1]
    assert abs(falling(found) - 0.65) < 0.03


def test_claims_at_the_edge_are_wrong_in_one_of_forty_at_most() -> None:
    random = np.random.default_rng(5)
    n, runs = 400, 4000
    claims = 0
    for scores in random.binomial(2, 0.69, (runs, n)) / 2:
        rate = t_interval(float(scores.mean()), float(scores.var(ddof=1)) / n, n)
        claims += judge(rate, 0.65, 0.04) == WITHIN
    assert claims / runs <= 0.025 + 4 * math.sqrt(0.025 * 0.975 / runs)


def test_the_answers_of_fresh_games() -> None:
    assert judge(Estimate(0.65, 0.631, 0.669), 0.65, 0.02) == WITHIN
    assert judge(Estimate(0.66, 0.641, 0.679), 0.65, 0.02) == NOT_SHOWN
    assert judge(Estimate(0.69, 0.671, 0.709), 0.65, 0.02) == MISSED
    assert more_games(Estimate(0.69, 0.671, 0.709), 1000, 0.65, 0.02) is None
    assert (more_games(Estimate(0.66, 0.641, 0.679), 1000, 0.65, 0.02) or 0) > 1000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"target": 1.0}, "target must be between 0 and 1"),
        ({"target": 0.0}, "target must be between 0 and 1"),
        ({"target": math.nan}, "target must be between 0 and 1"),
        ({"within": 0.0}, "within must be above 0 and below 0.5"),
        ({"within": -0.1}, "within must be above 0 and below 0.5"),
        ({"ladder": 1}, "ladder must be from 2 to 50"),
        ({"within": 1e-9}, "within 1e-09 asks for more games than there are deals"),
        ({"within": 1e-6, "games": 100}, "too few to show anything to 0.0001 %"),
        ({"games": 100}, "100 games are too few to show anything to 10 %: at least "),
        ({"parameter": "blunder=0"}, "param must be NAME or NAME=LOW:HIGH"),
        ({"parameter": "rules.target"}, "is one of the rules"),
        ({"parameter": "blundr"}, "has no setting 'blundr'. Did you mean 'blunder'"),
        ({"parameter": "blunder=0:2"}, "must be a number from 0 to 1, not '2'"),
        ({"parameter": "blunder=0.5:0.5"}, "leaves nothing to choose"),
        ({"side": "hard", "parameter": "endgame"}, "only a number can be aimed with"),
        ({"side": "hardd"}, "There is no strategy 'hardd'"),
        ({"rules": "patta"}, "patta"),
    ],
)
def test_what_cannot_be_aimed_at(given: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {
        "side": "easy",
        "parameter": "blunder",
        "vs": "easy",
        "target": 0.4,
        "within": 0.1,
    }
    asked.update(given)
    with pytest.raises(UserError) as refusal:
        calibrate(**asked)
    assert message in str(refusal.value)


def test_the_range_is_that_of_all_bots_or_the_one_asked_for() -> None:
    spec = CalibrateSpec("easy+hard:rounding=2", "easy", "higher.rounding=1:4", 0.4)
    assert (entry_of(spec).low, entry_of(spec).high, entry_of(spec).is_whole) == (1, 4, True)
    assert own_value(spec) == 2.0
    weak = CalibrateSpec("easy~forget=0.3", "easy", "forget", 0.4)
    assert (entry_of(weak).low, entry_of(weak).high, entry_of(weak).is_whole) == (0, 1, False)
    assert own_value(weak) == 0.3


needs_speed = pytest.mark.compiled_only


@needs_speed
@pytest.mark.slow
def test_fresh_games_are_fresh_and_can_be_played_again() -> None:
    found = calibrate("easy", "blunder", "easy", 0.4, within=0.1, seed=3, workers=1)
    assert found.outcome == WITHIN, found.verdict
    assert found.calibrated == f"easy~blunder={found.value}"
    words = shlex.split(found.ladder[0].command)
    first = int(words[words.index("--first") + 1])
    assert first >= max(point.units for point in found.curve)
    again = duel(found.calibrated, "easy", games=found.games, first=first, seed=3)
    assert again.win_rate_a == found.rate
    same = calibrate("easy", "blunder", "easy", 0.4, within=0.1, seed=3, workers=2).to_dict()
    assert {k: v for k, v in same.items() if k != "seconds"} == {
        k: v for k, v in found.to_dict().items() if k != "seconds"
    }
    assert json.loads(found.to_json())["rate"] == again.win_rate_a.to_dict()  # type: ignore[union-attr]


@needs_speed
@pytest.mark.slow
def test_a_ladder_of_a_mixed_side() -> None:
    found = calibrate("easy+hard", "higher.blunder=0:0.9", "easy", 0.6, within=0.12, ladder=3)
    frame = found.to_frame()
    assert list(frame.value) == sorted(frame.value)
    assert np.allclose(np.diff(frame.wanted), np.diff(frame.wanted)[0])
    assert frame.wanted.iloc[-1] == 0.6
    assert found.is_within, found.verdict
    assert found.calibrated == f"easy+hard~blunder={found.value}"
    duels = [shlex.split(rung.command) for rung in found.ladder]
    firsts = [int(words[words.index("--first") + 1]) for words in duels]
    assert all(b - a >= rung.games // 2 for a, b, rung in zip(firsts, firsts[1:], found.ladder, strict=False))


@needs_speed
@pytest.mark.parametrize("calls", [1, 5])
def test_ctrl_c_leaves_what_was_measured(monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    play, n = Matches.play_one, 0

    def interrupted(self: Matches, match: int, first: int, size: int) -> Any:
        nonlocal n
        n += 1
        if n == calls:
            raise KeyboardInterrupt
        return play(self, match, first, size)

    monkeypatch.setattr(Matches, "play_one", interrupted)
    if calls == 1:
        with pytest.raises(KeyboardInterrupt):
            calibrate("easy", "blunder", "easy", 0.4, within=0.1)
        return
    found = calibrate("easy", "blunder", "easy", 0.4, within=0.1)
    assert found.partial
    assert (found.outcome, found.rate, len(found.curve)) == (PARTIAL, None, calls - 1)
    assert found.verdict.startswith("Partial: the search was broken off; nearest to 40 % came blunder=")
    json.loads(found.to_json())


@needs_speed
def test_the_picture() -> None:
    from spadesim.analysis.strength import picture

    found = calibrate("easy", "blunder", "easy", 0.4, within=0.2)
    assert picture(found, ".svg").startswith(b"<?xml")
