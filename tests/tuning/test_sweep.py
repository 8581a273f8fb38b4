"""A sweep is its duels on common boards; its winner is measured on others, and no more is claimed."""

import dataclasses
from collections.abc import Sequence
from functools import partialmethod
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from spadesim.errors import UserError
from spadesim.match.abreast import Seated, run_abreast
from spadesim.match.duel import duel
from spadesim.tuning import field
from spadesim.tuning.settings import read_axis
from spadesim.tuning.sweep import MANY, sweep
from spadesim.tuning.sweep_spec import SweepSpec, make_sweep
from spadesim.tuning.swept import SweepResult

pytestmark = pytest.mark.compiled_only

KING = ["king=2:5:1"]


@pytest.fixture(scope="module")
def found() -> SweepResult:
    return sweep("medium", KING, vs=["easy", "medium"], boards=400, confirm=40, seed=3)


def test_gains_are_those_of_duels_on_the_same_boards(found: SweepResult) -> None:
    assert [arm.label for arm in found.arms] == ["king=3", "king=2", "king=4", "king=5"]
    assert found.arms[0].is_baseline
    for arm in found.arms[1:]:
        played = [
            [duel(side, ref, boards=arm.boards, seed=3).win_chance_per_board for side in (arm.side, "medium")]
            for ref in ("easy", "medium")
        ]
        gains = [mine.mean - usual.mean for mine, usual in played if mine and usual]
        assert arm.gain.mean == pytest.approx(sum(gains) / 2, abs=1e-12)
        assert [one.mean for one in arm.by_ref] == pytest.approx(gains, abs=1e-12)
        assert arm.gain.low < arm.gain.mean < arm.gain.high


def test_paired_gains_are_surer_than_those_of_two_duels(found: SweepResult) -> None:
    arm = found.arms[1]
    apart = [
        duel(side, "easy", boards=arm.boards, seed=3).win_chance_per_board for side in (arm.side, "medium")
    ]
    separate = sum((one.high - one.low) ** 2 for one in apart if one)
    assert (arm.by_ref[0].high - arm.by_ref[0].low) ** 2 < separate / 3


def test_half_of_the_arms_stop(found: SweepResult) -> None:
    assert found.borders == (200, 400)
    assert sorted(arm.boards for arm in found.arms[1:]) == [200, 400, 400]
    (behind,) = (arm for arm in found.arms if arm.is_behind)
    assert behind.boards == 200
    assert behind.gain.mean == min(arm.gain.mean for arm in found.arms)


def test_the_winner_is_measured_on_boards_and_games_of_their_own(found: SweepResult) -> None:
    best, fresh = found.best, found.fresh
    assert best is not None
    assert best.gain.mean == max(arm.gain.mean for arm in found.arms) > 0
    assert fresh is not None
    assert (fresh.first, fresh.boards) == (400, 400)
    played = duel(best.side, "medium", boards=400, first=400, seed=3).win_chance_per_board
    assert played is not None
    assert fresh.by_ref[1].mean == pytest.approx(played.mean, abs=1e-12)
    assert fresh.by_ref[1].high == pytest.approx(played.high, abs=1e-6)
    assert fresh.gain.mean == pytest.approx(sum(one.mean for one in fresh.by_ref) / 2)
    games = fresh.games
    assert games is not None
    for ref, won, usual in zip(found.vs, games.won, games.baseline_won, strict=True):
        for side, share in ((best.side, won), ("medium", usual)):
            rate = duel(side, ref, games=40, first=800, seed=3).win_rate_a
            assert rate is not None
            assert share.mean == pytest.approx(rate.mean)
    gains = [won.mean - usual.mean for won, usual in zip(games.won, games.baseline_won, strict=True)]
    assert games.gain.mean == pytest.approx(sum(gains) / 2)
    assert f"on {fresh.boards} fresh boards" in found.verdict


def test_against_itself_the_baseline_plays_only_to_show_how_it_plays() -> None:
    found = sweep("medium", KING, boards=300, confirm=0, race=False, seed=3)
    alone = duel("medium:king=5", "medium", boards=300, seed=3)
    assert alone.win_chance_per_board is not None
    arm = found.arms[-1]
    assert arm.gain.mean == pytest.approx(alone.win_chance_per_board.mean, abs=1e-12)
    assert arm.different == (alone.boards_ahead or 0) + (alone.boards_behind or 0)
    fresh = 600 if found.fresh else 0
    assert 2 * 300 < found.hands < 2 * 3 * 300 + fresh  # of 4 * 2 * 300, and the fresh ones
    assert found.arms[0].mean_bid is not None
    again = sweep("medium", KING, vs=["medium"], boards=300, confirm=0, race=False, seed=3)
    assert [arm.gain for arm in again.arms] == [arm.gain for arm in found.arms]


def test_no_stretch_is_longer_than_fits_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []

    def noted(duels: Sequence[Seated], **more: Any) -> Any:
        sizes.append(duels[0].spec.units)
        return run_abreast(duels, **more)

    whole = sweep("medium", ["king=2,3"], boards=300, confirm=4)
    monkeypatch.setattr("spadesim.match.matches.MOST_IN_A_ROUND", 100)
    monkeypatch.setattr(field, "run_abreast", noted)
    assert plain(sweep("medium", ["king=2,3"], boards=300, confirm=4)) == plain(whole)
    assert max(sizes) == 100


def plain(result: SweepResult) -> dict[str, Any]:
    """All of a result but its times."""
    values = result.to_dict()
    del values["seconds"], values["hands_per_second"]
    return values


def test_the_same_for_any_workers_and_chunks() -> None:
    results = [
        plain(sweep("medium", KING, boards=400, confirm=20, workers=workers, chunk=chunk))
        for workers, chunk in ((1, None), (2, 7))
    ]
    assert results[0] == results[1]


def test_settings_that_come_to_the_same_are_one_arm() -> None:
    found = sweep("medium:king=4", ["king=3,4"], boards=50, confirm=0)
    assert [arm.side for arm in found.arms] == ["medium:king=4", "medium"]
    assert found.arms[0].label == "king=4"
    nothing = sweep("medium", ["king=3"], boards=50)
    assert nothing.verdict.startswith("Every combination comes to medium itself")
    assert (nothing.fresh, nothing.hands) == (None, 0)


def test_no_difference_on_any_board() -> None:
    found = sweep("medium", ["draw_dealt=280,290,300"], boards=60)
    assert found.verdict == "No setting makes a difference to medium on any of 60 boards."
    assert all(arm.gain.low < 0 < arm.gain.high for arm in found.arms if not arm.is_baseline)
    assert all(arm.not_worse for arm in found.arms)


def test_numbers_are_numbers_in_tables_and_results_are_short_in_words(found: SweepResult) -> None:
    assert found.to_frame()["king"].tolist() == [3, 2, 4, 5]
    assert found.to_frame()["king"].dtype == "int64"
    apart = sweep("medium", ["rounding=0,2"], boards=20, confirm=0).to_frame()
    assert apart["rounding"].dtype == "Int64"
    assert apart["rounding"].isna().tolist() == [True, False, False]
    assert read_axis("bold=0,0.5").column(["0.5", None]).dtype == "float64"
    assert read_axis("zero=one,nil").column(["nil", None]).tolist() == ["nil", None]
    assert repr(found.arms[1]).startswith("<Arm king=2: gain ")
    assert len(repr(found.arms[1])) < 100
    assert repr(found) == f"<SweepResult: {found.verdict}>"


def test_too_few_boards_for_any_claim() -> None:
    found = sweep("medium", ["king=2,4"], boards=4, confirm=0, seed=2)
    assert not found.better
    assert all(arm.not_worse for arm in found.arms)
    if found.fresh is not None:
        assert "too few for any claim: play about" in found.verdict


def test_the_edge_is_pointed_out_where_more_is_allowed() -> None:
    beyond = sweep("medium:king=6", ["king=3:6:1"], boards=300, confirm=0)
    assert beyond.better
    assert beyond.best is not None
    assert beyond.best.label == "king=3"
    assert beyond.edges == ("king=3",)
    assert beyond.fresh is not None
    assert beyond.verdict.startswith("king=3 is better than medium:king=6: +")
    inside = sweep("medium:king=6", ["king=0:6:2"], boards=300, confirm=0)
    assert inside.edges == ()


def test_a_width_and_holm(found: SweepResult) -> None:
    wide = sweep("medium", ["king=2:4:1"], until_width="3%", correction="holm", confirm=0)
    for arm in wide.arms:
        assert arm.is_behind or arm.gain.high - arm.gain.low <= 0.03
        assert arm.p is not None
    assert max(arm.boards for arm in wide.arms) < 5000
    assert found.arms[1].p is None
    assert "--until-width 3% --correction holm" in wide.command


def test_points_where_there_is_no_table_of_win_chances() -> None:
    found = sweep("medium", ["king=2:4:1"], rules="cutthroat3", boards=60, confirm=6)
    assert found.unit == "points a hand"
    alone = duel("medium:king=2", "medium", rules="cutthroat3", boards=60).points_per_board
    assert alone is not None
    assert found.arms[1].gain.mean == pytest.approx(alone.mean)


def test_sampled_combinations() -> None:
    axes = ["king=0:8:1", "ace=0:8:1", "queen=0:8:1"]
    found = sweep("medium", axes, sample=5, boards=20, confirm=0)
    assert len(found.arms) == 6
    assert "--sample 5" in found.command
    assert found.to_frame().shape[0] == 6


def test_ctrl_c_tells_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0

    def interrupted(*arguments: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return run_abreast(*arguments, **more)

    monkeypatch.setattr(field, "run_abreast", interrupted)
    found = sweep("medium", KING, boards=400, confirm=0)
    assert found.partial
    assert found.verdict.startswith("Partial: ")
    assert (found.winner, found.fresh) == (None, None)
    assert {arm.boards for arm in found.arms[1:]} == {200}
    calls = 1
    with pytest.raises(KeyboardInterrupt):
        sweep("medium", KING, boards=400, confirm=0)


def test_ctrl_c_amid_a_stretch_leaves_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in what arms gain nor in how they play: some duels of it were played, others not."""
    calls = 0

    def interrupted(*arguments: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:  # of the second stretch, against the second reference
            raise KeyboardInterrupt
        return run_abreast(*arguments, **more)

    asked: dict[str, Any] = {"vs": ["easy", "lowest_card"], "confirm": 0}
    whole = sweep("medium", KING, boards=200, race=False, **asked)
    monkeypatch.setattr(field, "run_abreast", interrupted)
    found = sweep("medium", KING, boards=400, **asked)
    assert calls == 4
    assert {arm.boards for arm in found.arms[1:]} == {200}
    for arm, same in zip(found.arms, whole.arms, strict=True):
        assert arm.boards == same.boards
        assert (arm.mean_bid, arm.nil_rate, arm.by_ref) == (same.mean_bid, same.nil_rate, same.by_ref)


@pytest.mark.parametrize(
    ("strategy", "axes", "more"),
    [
        ("hard", ["king=2:4:1", "endgame_from=0,400"], {"vs": ["yardstick", "medium"]}),
        ("medium", ["king=2:5:1", "blunder=0,0.2"], {}),
        ("medium", ["king=2:5:1"], {"rules": "cutthroat3"}),
        ("medium", ["king=2,4"], {"rules": "draw300"}),
    ],
)
def test_hands_that_can_only_go_alike_are_played_once_and_nothing_else_changes(
    strategy: str, axes: list[str], more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> dict[str, Any]:
        return plain(sweep(strategy, axes, boards=200, confirm=12, race=False, **more))

    sparing = ask()
    monkeypatch.setattr(field, "groups", lambda duels: [[k] for k in range(len(duels))])
    monkeypatch.setattr(SweepSpec, "duel", partialmethod(never_skipping, SweepSpec.duel))
    whole = ask()
    hands, most = sparing.pop("hands"), whole.pop("hands")
    assert sparing == whole
    assert hands == most if more.get("rules") == "draw300" else hands < 0.8 * most


def never_skipping(self: SweepSpec, duel: Any, **more: Any) -> Any:
    """A duel of a sweep all of whose hands are played out."""
    return dataclasses.replace(duel(self, **more), skips=False)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"axes": ["kin=2,3"]}, "has no setting 'kin'. Did you mean 'king'?"),
        ({"axes": ["king=2:9:1"]}, "'king' must be a whole number from 0 to 8, not '9'"),
        ({"axes": ["king=4:2:1"]}, "is empty"),
        ({"axes": []}, "There is nothing to vary"),
        ({"axes": ["king=2,3", "king=4"]}, "'king' is given twice"),
        ({"axes": ["king=2,3", "rules.target=300"]}, "sweep rules alone"),
        ({"boards": 0}, "boards must be from 1"),
        ({"sample": 0}, "sample must be at least 1"),
        ({"correction": "hom"}, "Did you mean 'holm'?"),
        ({"vs": ["easy", "easy+easy"]}, "'easy' is given twice"),
        ({"axes": ["king=2,3", "lower.king=4"]}, "both set the lower bot's king"),
        ({"axes": ["king=2,9,3"]}, "'king' must be a whole number from 0 to 8, not '9'"),
        ({"vs": ["esy"]}, "Did you mean 'easy'?"),
        ({"confirm": 3}, "confirm: games must be even"),
        ({"until_width": "-1"}, "until-width must be above 0"),
        ({"until_width": "2 elo"}, "'elo' is no unit"),
        ({"seed": -1}, "seed must be from 0"),
    ],
)
def test_what_is_refused_before_anything_is_played(
    changes: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field.Field, "play", None)
    with pytest.raises(UserError, match=message.replace("?", r"\?")):
        sweep("medium", **{"axes": KING, **changes})


def test_very_many_arms_are_asked_about_first() -> None:
    axes = [f"{name}=0:8:1" for name in ("ace", "king", "queen", "void_ruff")]
    assert make_sweep("medium", axes).size == 6561 > MANY
    with pytest.raises(
        UserError, match=r"6,561 combinations would take about \d+ \w+ on this machine. --yes"
    ):
        sweep("medium", axes, boards=200)


@pytest.fixture(scope="module")
def rates() -> ModuleType:
    return import_module("spadesim.experiments.sweep_rates")


@pytest.fixture(scope="module")
def made(rates: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A bot whose setting only changes its luck, and one that is best at 13."""
    paths: tuple[str, str] = rates.write_bots(tmp_path_factory.mktemp("made"))
    return paths


@pytest.mark.slow
def test_the_optimum_is_found_and_nothing_claimed_where_there_is_none(
    rates: ModuleType, made: tuple[str, str]
) -> None:
    lucky, peaked = made
    assert sum(distance <= 1 for distance in rates.distances(peaked, range(1, 3), 1600)) >= 1
    better, missed = rates.claims(lucky, range(1, 5), 300)
    assert better <= 1  # of 4 with a chance of 2.5 %, more than that four times in a thousand
    assert missed <= 1


def test_drawn_sweeps_claim_next_to_nothing(rates: ModuleType) -> None:
    better, missed = rates.drawn_claims(60, 800, 0.5, 0.5)
    assert better <= 0.1
    assert missed <= 0.15
    mean, least = rates.kept_shares(60, 800, 0.5, 0.5)
    assert mean >= 0.95
    assert least >= 0.85


def test_a_sweep_costs_less_than_duels_of_their_own(made: tuple[str, str]) -> None:
    cost = import_module("spadesim.experiments.sweep_cost")
    _, hands = cost.by_sweep(made[1], 400, 1)
    assert hands == 2 * 20 * 400 - 2 * (10 * 200)
    assert cost.by_duels(made[1], 10, 1, is_games=False)[1] == 21 * 20


def test_bots_for_experiments_are_as_they_are_described(made: tuple[str, str]) -> None:
    lucky, peaked = made
    assert "best at 13" in Path(peaked).read_text(encoding="utf-8")
    assert duel(f"{lucky}:aim=3", lucky, boards=40).identical_boards < 5
