"""Rules in words: every option is in them, with numbers that the engine has scored."""

from typing import Any

import pytest

from spadesim.core.rules import OPTIONS, PRESETS, Rules
from spadesim.rulebook.differences import differences
from spadesim.rulebook.prose import SUMMARIES, TOPICS, changes_from, describe, unmentioned

pytestmark = pytest.mark.compiled_only

# What else an option needs to have another value.
COMPANY: dict[tuple[str, Any], dict[str, Any]] = {
    ("players", 2): {"teams": "individual", "deal": "packet26"},
    ("players", 3): {"teams": "individual", "deck": "minus_2c"},
    ("deck", "minus_2c"): {"players": 3, "teams": "individual"},
    ("deal", "packet26"): {"players": 2, "teams": "individual"},
}


def words_about(rules: Rules, name: str) -> list[str]:
    """Return what the topics say that list an option."""
    return [topic.words(rules) for topic in TOPICS if name in topic.options]


def values_of(name: str) -> list[Any]:
    option = OPTIONS[name]
    if option.is_flag:
        return [False, True]
    if option.choices:
        return list(option.choices)
    return [option.low or 1, option.high, *([None] if option.or_none else [])]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_option_changes_the_words(name: str) -> None:
    values = dict.fromkeys([OPTIONS[name].default, *values_of(name)])
    texts = [
        tuple(words_about(Rules(**{name: value, **COMPANY.get((name, value), {})}), name)) for value in values
    ]
    assert len(set(texts)) == len(values) > 1


def test_every_option_is_in_a_topic() -> None:
    assert unmentioned() == set()


@pytest.mark.parametrize("start", ["dealer_left", "rotating_first_bidder"])
def test_the_first_dealer_is_told_with_every_start(start: str) -> None:
    texts = {
        tuple(words_about(Rules(first_dealer=str(first), start_role=start), "first_dealer"))
        for first in OPTIONS["first_dealer"].choices
    }
    assert len(texts) == 3


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("pata", "3 and 2 bid, 3 and 2 tricks won: 50"),
        ("pata", "3 and 2 bid, 2 and 2 tricks won: −50"),
        ("pata", "nil and 4 bid, 0 and 4 tricks won: 40 + 100 = 140"),
        ("pata", "nil and 4 bid, 2 and 3 tricks won: −40 + 2 − 100 = −138"),
        ("patalupaus", "nil and 4 bid, 2 and 3 tricks won: 40 + 1 − 100 = −59"),
        ("pata:failed_nil_tricks=ignore", "nil and 4 bid, 2 and 3 tricks won: −40 − 100 = −140"),
        ("pata", "with 9 bags before, 3 and 2 bid, 4 and 3 tricks won: 50 + 2 − 100 = −48, and 1 bag after"),
        ("classic", "50 + 2 − 100 = −48, and 0 bags after"),
        ("pata:boston_bonus=200", "5 and 5 bid, 7 and 6 tricks won: 100 + 3 + 200 = 303"),
        ("pata", "at 500 to 400 the side with 500 has won"),
        ("patalupaus", "has passed 500 points (at 500 to 400 the game goes on)"),
        ("pata", "at −200 to 30 the side with 30 has won"),
        ("pata:floor_inclusive=false", "has fallen below −200 (at −200 to 30 the game goes on)"),
        ("pata:tie=extra_hand_decides", "at 499 to 498 the side with 499 has won"),
        ("pata:max_hands=4", "at 10 to 0 the side with 10 has won, at 10 to 10 it is a draw"),
        ("pata:teams=individual", "at 500 to 400 to 350 to 300 the player with 500 has won"),
        ("pata:teams=individual", "5 bid and 7 tricks won: 50 + 2 = 52"),
        ("pata:players=2,teams=individual,deal=packet26", "Everybody is dealt 13 of the 52 cards; the other"),
        ("pata:players=3,teams=individual,deck=minus_2c", "17 cards each, so a hand has 17 tricks"),
        ("pata:nil_allowed=false", "There is no nil."),
        ("pata:bag_limit=0", "they cost no penalty"),
        ("pata:overtrick_value=0", "worth nothing by itself"),
        ("pata:trick_value=1", "scores 1 point for each trick bid"),
    ],
)  # fmt: skip
def test_the_examples_in_the_words(rules: str, words: str) -> None:
    assert words in " ".join(passage.text for passage in describe(Rules.parse(rules)))


def test_every_preset_has_its_line() -> None:
    assert set(SUMMARIES) == set(PRESETS)
    assert changes_from(PRESETS["pata"], PRESETS["pata"]) == {}
    assert changes_from(PRESETS["canonical"], PRESETS["pata"]) == {"floor": None}


def test_differences_of_a_preset_from_itself() -> None:
    assert differences(Rules(), Rules()) == []


def test_differences_are_told_topic_by_topic() -> None:
    a, b = Rules.parse("pata"), Rules.parse("pata:bag_rollover=reset,target=200,trick_value=5")
    assert list(changes_from(a, b)) == ["trick_value", "bag_rollover", "target"]
    found = differences(a, b)
    assert [each.options for each in found] == [("trick_value",), ("bag_rollover",), ("target",)]
    assert "500" in found[2].a
    assert "200" in found[2].b


def test_what_one_of_them_says_nothing_about_is_empty() -> None:
    found = differences(Rules(), Rules(nil_allowed=False))
    assert [bool(each.b) for each in found] == [True, False, False]
