"""Axes are read as written, and settings land where they are named."""

import pytest

from spadesim.core.rules import Rules
from spadesim.errors import UserError
from spadesim.strategy import load_side
from spadesim.tuning.settings import (
    Axis,
    check_axes,
    check_different,
    check_settings,
    grid,
    read_axis,
    sampled,
    with_rules,
    with_settings,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("king=0:1:0.1", ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1")),
        ("king=2:7:2", ("2", "4", "6")),
        ("king=-100:100:100", ("-100", "0", "100")),
        ("king = 3 , 4", ("3", "4")),
        ("zero=nil", ("nil",)),
        ("king=5:5:1", ("5",)),
    ],
)
def test_axes_are_read_as_written(text: str, values: tuple[str, ...]) -> None:
    axis = read_axis(text)
    assert axis.values == values
    assert read_axis(str(axis)) == axis


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("king", "NAME=LOW:HIGH:STEP"),
        ("=1:2:1", "NAME=LOW:HIGH:STEP"),
        ("king=", "no values"),
        ("king=1,1", "the value 1 twice"),
        ("king=1:2", "three numbers"),
        ("king=1:2:x", "three numbers"),
        ("king=1:inf:1", "three numbers"),
        ("king=1:nan:1", "three numbers"),
        ("king=2:1:1", "is empty"),
        ("king=1:2:0", "is empty"),
        ("king=0:1:1e-9", "more values than 1,000,000"),
        ("king=0:1:1e-400", "more values than 1,000,000"),
        ("king=0:1e999999:1", "three numbers"),
        ("king=0:1e999999999999:1", "three numbers"),
    ],
)
def test_what_is_no_axis_is_refused(text: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        read_axis(text)


def test_axes_must_be_some_and_different() -> None:
    with pytest.raises(UserError, match="nothing to vary"):
        check_axes([])
    with pytest.raises(UserError, match="given twice"):
        check_axes([read_axis("a=1,2"), read_axis("a=3")])


def test_a_sample_is_even_and_the_same_again() -> None:
    axes = [read_axis("a=0:9:1"), read_axis("b=0:9:1")]
    found = sampled(axes, 20, seed=3)
    assert found == sampled(axes, 20, seed=3) != sampled(axes, 20, seed=4)
    assert len({tuple(settings.values()) for settings in found}) == 20
    assert {len([s for s in found if int(s["a"]) // 5 == half]) for half in (0, 1)} <= set(range(8, 13))
    assert sampled(axes, 100, seed=3) == list(grid(axes)) == sampled(axes, 1000, seed=3)
    assert len(sampled(axes, 99, seed=3)) == 99


@pytest.mark.parametrize(
    ("side", "settings", "text"),
    [
        ("hard", {"rounding": "2.0"}, "hard:rounding=2"),
        ("hard:rounding=1", {"rounding": "2", "nil_odds": "10"}, "hard:nil_odds=10,rounding=2"),
        ("medium+hard", {"rounding": "2"}, "medium:rounding=2+hard:rounding=2"),
        ("hard:rounding=2", {"rounding": "1"}, "hard"),
        ("medium+hard", {"higher.rounding": "2"}, "medium+hard:rounding=2"),
        ("medium+hard", {"nil_odds": "10"}, "medium+hard:nil_odds=10"),
        ("hard", {"lower.rounding": "2"}, "hard:rounding=2+hard"),
        ("hard", {}, "hard"),
        ("hard", {"forget": "0.5", "blunder": "0"}, "hard~forget=0.5"),
        ("hard~forget=0.5", {"forget": "0"}, "hard"),
        ("hard~forget=0.5", {"blunder": "0.1"}, "hard~blunder=0.1~forget=0.5"),
        ("easy+hard", {"lower.blunder": "0.20"}, "easy~blunder=0.2+hard"),
        ("hard:rounding=2~timid=1", {"rounding": "1", "timid": "2"}, "hard~timid=2"),
    ],
)
def test_settings_land_where_they_are_named(side: str, settings: dict[str, str], text: str) -> None:
    assert with_settings(side, settings) == text
    assert str(load_side(text)) == text


@pytest.mark.parametrize(
    ("side", "settings", "told"),
    [
        ("hard", {"roundin": "1"}, "Did you mean 'rounding'"),
        ("medium+hard", {"lower.nil_odds": "1"}, "no setting 'lower.nil_odds'"),
        ("hard", {"rounding": "99"}, "must be a whole number"),
        ("hard", {"rounding": "1.5"}, "must be a whole number"),
        ("hard", {"blunder": "2"}, "blunder"),
        ("hard", {"blunde": "0.2"}, "Did you mean 'blunder'"),
        ("nobody", {"rounding": "1"}, "nobody"),
    ],
)
def test_settings_that_nobody_takes_are_refused(side: str, settings: dict[str, str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        with_settings(side, settings)


@pytest.mark.parametrize(
    ("axes", "told"),
    [
        (
            ["rounding=1", "lower.rounding=2"],
            "'rounding' and 'lower.rounding' both set the lower bot's rounding",
        ),
        (["higher.blunder=0,1", "blunder=0,1"], "both set the higher bot's blunder"),
        (["lower.rounding=0,9,1"], "must be a whole number from 0 to 8, not '9'"),
    ],
)
def test_settings_that_undo_each_other_or_are_none_are_refused(axes: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        check_settings("medium+hard", [read_axis(axis) for axis in axes])


def test_settings_of_two_bots_stand_beside_each_other() -> None:
    check_settings("medium", [read_axis("lower.rounding=0:8:1"), read_axis("higher.rounding=1")])


def test_one_reference_is_one_however_it_is_written() -> None:
    check_different([load_side("easy"), load_side("easy+medium")])
    with pytest.raises(UserError, match="'easy' is given twice as a reference"):
        check_different([load_side("easy"), load_side("easy+easy")])


def test_rules_take_settings() -> None:
    rules = Rules.parse("pata:target=300")
    assert str(with_rules(rules, {"rules.bag_penalty": "50"})) == "pata:bag_penalty=50,target=300"
    assert str(with_rules(rules, {"rules.target": "400"})) == "pata:target=400"
    assert str(with_rules(rules, {"rules.target": "500"})) == "pata"
    assert with_rules(rules, {}) is rules
    with pytest.raises(UserError, match="bag_penalty"):
        with_rules(rules, {"rules.bag_penaltie": "50"})


def test_a_grid_has_every_combination_once() -> None:
    axes = [Axis("a", ("1", "2", "3")), Axis("b", ("x", "y"))]
    found = [tuple(settings.values()) for settings in grid(axes)]
    assert found == [(a, b) for a in "123" for b in "xy"]
