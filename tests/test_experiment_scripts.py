"""The scripts in experiments/: they count what they say, and refuse what they cannot count."""

import importlib
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from spadesim.core.equity import TABLE_ONE
from spadesim.core.rules import PRESETS, Rules
from spadesim.errors import UserError
from spadesim.match import duel
from spadesim.match.equity import Equity
from spadesim.match.equity_file import equity_for
from spadesim.match.tournament import tournament
from spadesim.reports import ladder
from spadesim.stats.games import GameStats

pytestmark = pytest.mark.compiled_only

Capture = pytest.CaptureFixture[str]


def script(name: str) -> ModuleType:
    """Return a script as a module, under a name by which whatever it compiles is found again."""
    return importlib.import_module(f"spadesim.experiments.{name}")


@pytest.fixture(scope="module")
def from_scores() -> ModuleType:
    return script("from_scores")


def test_games_from_nothing_are_those_of_a_duel(from_scores: ModuleType) -> None:
    found: GameStats = from_scores.measure("hard", "medium", "0,0", "draw500", 400, 3)
    played = duel("hard", "medium", rules="draw500", games=400, seed=3)
    assert found.win_rate == played.win_rate_a


def test_draws_are_half_a_game_and_unfinished_ones_none(from_scores: ModuleType) -> None:
    found: GameStats = from_scores.measure(
        "easy", "easy", "0,0", "draw300:max_hands=1,overtrick_value=0", 4000, 3
    )
    assert found.draws > 0
    assert found.win_rate is not None
    assert found.win_rate.mean == 0.5
    assert found.wins == found.losses == (4000 - found.draws) // 2


def test_the_first_bot_has_the_first_score(from_scores: ModuleType) -> None:
    ahead: GameStats = from_scores.measure("hard", "hard", "450,100", games=400)
    behind: GameStats = from_scores.measure("hard", "hard", "100,450", games=400)
    assert ahead.win_rate is not None
    assert behind.win_rate is not None
    assert ahead.wins == behind.losses > 300
    # Not an interval of no width, whatever was seen.
    assert behind.win_rate.high > behind.win_rate.mean >= behind.win_rate.low >= 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rules": "pata"}, "rules must be for two players, such as draw500, not pata"),
        ({"rules": "cutthroat3", "scores": "0,0,0"}, "rules must be for two players"),
        ({"scores": "600,0"}, "scores must be below 500, the target that ends a game, not 600"),
        ({"scores": "360"}, "scores must be two whole numbers"),
        ({"scores": "360,x"}, "scores must be two whole numbers"),
        ({"games": 3}, "games must be an even number"),
        ({"games": 0}, "games must be an even number"),
    ],
)
def test_what_from_scores_refuses(changes: dict[str, Any], message: str, from_scores: ModuleType) -> None:
    asked = {"first": "hard", "second": "easy", "scores": "0,0", "games": 2, **changes}
    with pytest.raises(UserError, match=message):
        from_scores.measure(**asked)
    with pytest.raises(SystemExit, match=f"error: {message}"):
        from_scores.main(**asked)


def test_what_from_scores_prints(from_scores: ModuleType, capsys: Capture) -> None:
    from_scores.main("hard", "easy", "0,0", "draw300", 20)
    assert capsys.readouterr().out.startswith("hard from 0,0: 100.00% of 20 games won (")


def test_the_fit_plays_as_many_boards_as_it_says(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    fit_draw = script("fit_draw")
    monkeypatch.setattr(fit_draw, "AT_A_TIME", 100)
    played = []

    def count(*arguments: Any, play: Any = fit_draw.play_hands) -> Any:
        played.append(len(arguments[-1]))
        return play(*arguments)

    monkeypatch.setattr(fit_draw, "play_hands", count)
    coefficients = fit_draw.fit(Rules.parse("draw300"), "hard:draw_bags=off", 250, 11)
    assert played == [200, 200, 100]
    assert "500 hands, " in capsys.readouterr().out
    assert np.isfinite(coefficients).all()


def test_the_fit_refuses_an_illegal_answer(tmp_path: Path) -> None:
    fit_draw = script("fit_draw")
    bot = tmp_path / "wrong.py"
    functions = {"bid": "1", "play": "63", "keep": "1"}
    body = [f"@jit\ndef {name}(view, p):\n    return {answer}\n" for name, answer in functions.items()]
    bot.write_text("\n".join(["from spadesim.strategy import jit\n", *body]))
    with pytest.raises(SystemExit, match="gave an illegal answer by draw300"):
        fit_draw.fit(Rules.parse("draw300"), str(bot), 4, 11)
    with pytest.raises(SystemExit, match="boards must be at least 1, not 0"):
        fit_draw.main(tmp_path / "out.py", boards=0)


def test_error_rates_are_counted() -> None:
    rates = script("error_rates")
    boards = [case for case in rates.cases() if case.name == "test, boards"]
    assert [case.wrong for case in boards] == [("high",), ("low",)]
    for case in boards:
        found = rates.measure(case, 120, 20)
        # Of 120 runs with errors of at most 5 % as many as 14 are wrong once in 400 times.
        assert found.errors <= 14 / 120
        assert found.undecided == 0
        assert found.held >= 0.75
    upside_down = rates.measure(replace(boards[0], wrong=("low",)), 40, 1)
    assert upside_down.errors > 0.8


def test_a_coin_for_each_board_leaves_no_difference() -> None:
    rates = script("error_rates")
    spec, values = rates.with_engine("hard", "lowest_card", 4, 2000)
    assert values.shape == (4, 2000)
    assert abs(values.mean()) < 4 * values.std() / values.size**0.5
    plain = rates._values(spec)
    assert (abs(values.ravel()) == abs(plain)).all()
    assert plain.mean() > 4 * plain.std() / plain.size**0.5


def test_hands_needed_are_counted() -> None:
    needed = script("hands_needed")
    truth, rows = needed.measure("hard", "lowest_card", 4000, 2000, 0.1)
    assert truth.win_rate_a.mean > 0.9
    assert [row.what for row in rows] == list(needed.BATCHES)
    assert all(row.high == 1 for row in rows)


def test_intervals_hold_the_truth() -> None:
    hold, rng = script("intervals_hold"), np.random.default_rng(1)
    assert 0.9 <= hold.held(hold.boards(rng, 1000, 300, 0.5, 0.002)) <= 0.99
    assert 0.9 <= hold.held(hold.nils(rng, 1000, 300, 0.8)) <= 0.99
    off = ((estimate, truth + 0.1) for estimate, truth in hold.games(rng, 500, 50, (0.1, 0.8, 0.1)))
    assert hold.held(off) == 0


def test_peeking_fools(monkeypatch: pytest.MonkeyPatch) -> None:
    peeking = script("peeking")
    monkeypatch.setattr(peeking, "LOOKS", 30)
    usual, anytime = peeking.fooled(100)
    assert usual[-1] > 0.15 > anytime[-1]


def test_tunings_find_what_is_there(tmp_path: Path) -> None:
    tune_finds = script("tune_finds")
    found = tune_finds.finds(tmp_path, "tpe", "20k-boards", 2)
    assert (found.runs, found.hits) == (2, 2)
    assert tune_finds.claims(tmp_path, "10k-boards", 2).hits == 0


@pytest.fixture(scope="module")
def calibration() -> ModuleType:
    return script("calibration")


def worst(calibration: ModuleType, equity: Equity, games: int = 5000) -> float:
    """The furthest that a bin of chance is off, as a multiple of its half interval."""
    bins = calibration.by_chance(calibration.measure(equity, games, 3))
    assert len(bins) == 10
    return float(max(abs(one.won - one.told) / one.error for one in bins))


@pytest.mark.parametrize("name", ["pata", "draw500"])
def test_a_table_is_calibrated_and_a_wrong_one_is_not(name: str, calibration: ModuleType) -> None:
    equity = equity_for(Rules.parse(name))
    half = TABLE_ONE // 2
    rash = replace(equity, chances=np.clip(half + (equity.chances - half) * 5 // 4, 0, 2 * half))
    blind = replace(
        equity, chances=np.broadcast_to(equity.chances[:, :1, :, :1], equity.chances.shape).copy()
    )
    swapped = replace(equity, chances=equity.chances.transpose(0, 3, 4, 1, 2).copy())
    assert worst(calibration, equity) < 1.8  # 3.5 standard errors
    for wrong in (rash, blind, swapped):
        assert worst(calibration, wrong) > 2.2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, rules in PRESETS.items() if rules.n_sides == 2])
def test_no_table_is_far_off_anywhere(
    name: str, calibration: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tenths of the chance within half a point, and the last hands within one and a half, luck apart."""
    monkeypatch.setattr(calibration, "LEAST", 300)
    states = calibration.measure(equity_for(PRESETS[name]), 30_000, 77)
    near = list(calibration.near_the_end(states))
    assert len(near) == 16
    slack = 0.03 if name == "classic" else 0.015  # its scores lie between the points of the grid
    for bins, most in ((calibration.by_chance(states), 0.005), (near, slack)):
        for one in bins:
            assert abs(one.won - one.told) < 1.8 * one.error + most, one.name  # 3.5 standard errors


def test_the_error_of_a_bin_takes_a_games_states_together(calibration: ModuleType) -> None:
    games, won = np.repeat(np.arange(400), 5), np.repeat(np.arange(400) % 2, 5).astype(float)
    short, told = np.zeros((2000, 2), dtype=np.int64), np.full(2000, 0.5)
    found = calibration.States(games, short, told, won).bin("all", np.ones(2000, dtype=bool))
    assert (found.states, found.told, found.won, found.is_off) == (2000, 0.5, 0.5, False)
    assert found.error == pytest.approx(1.96 * 0.5 / 20)  # 400 results, not 2,000


@pytest.mark.parametrize("place", [0, 8, 11])
def test_win_chance_has_the_sign_of_games_where_points_have_not(place: int) -> None:
    sign_of_boards = script("sign_of_boards")
    rules, a, b, _ = sign_of_boards.PAIRS[place]
    found = sign_of_boards.measure(rules, a, b, 3000)
    assert sign_of_boards.is_clear(found.games)
    assert sign_of_boards.is_clear(found.chance)
    assert found.is_chance_right
    assert found.are_points_right == (place == 11)


def test_the_page_of_strength_tells_what_tournaments_found() -> None:
    strength = script("strength")
    few: dict[str, Any] = {"boards": 60, "games": 60}
    pata, classic = (tournament("lowest_card", "easy", "medium", rules=r, **few) for r in ("pata", "classic"))
    draw = tournament("easy", "medium", rules="draw300", **few)
    bids = tournament("easy", "easy:bidder=medium", gauntlet="easy", **few)
    page = strength.page([result.to_dict() for result in (pata, classic, draw)], bids.to_dict())
    assert "## By pata, classic\n\n60 boards and 60 games of each pair, seed 1.\n" in page
    assert "## By draw300\n" in page
    best = pata.players[0]
    assert best.name == "medium"
    assert best.rating is not None
    mean, low, high = (100 * value for value in (best.rating.mean, best.rating.low, best.rating.high))
    assert f"| `medium` | {mean:+.2f} ({low:+.2f} to {high:+.2f}) | {best.groups} | " in page
    head = next(head for head in pata.heads if {head.a, head.b} == {"easy", "medium"})
    assert head.won is not None
    won = head.won.mean if head.a == "medium" else 1 - head.won.mean
    place = [player.name for player in pata.players].index("easy")
    row = page[page.index("Games won by the row by `pata`") :].partition("| 1 `medium` |")[2]
    assert row.partition("\n")[0].split("|")[place].strip() == f"{100 * won:.0f}"
    assert "| `easy` | `easy:bidder=medium` | " in page


def test_a_report_says_by_which_rules_a_bot_is_first() -> None:
    results = [tournament("easy", "medium", rules=rules, boards=60) for rules in ("pata", "classic")]
    titles = [section.title for section in ladder.build(SimpleNamespace(results=results))]
    assert [title.partition(": ")[0] for title in titles] == ["pata", "pata", "classic", "classic"]
    alone = [section.title for section in ladder.build(SimpleNamespace(results=results[:1]))]
    assert alone[0].startswith("medium is first")


def test_the_curve_of_expert_has_a_row_for_each_number_of_worlds(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    curve = script("expert_curve")
    monkeypatch.setattr(curve, "FIELD", ("medium",))
    curve.main(boards=60, most=5, plot=tmp_path / "curve.svg")
    assert "deals sampled" in (tmp_path / "curve.svg").read_text()
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert [row[0] for row in rows] == ["| worlds", "| 5", "| against", "| `medium`"]
    against_medium = rows[-1][1]
    assert float(against_medium.split(" ")[0]) > 0
