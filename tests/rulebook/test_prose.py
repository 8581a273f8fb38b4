"""Rules in words: every option is in them, with numbers that the engine has scored."""

import re
from typing import Any

import pytest

from spadesim.core.rules import OPTIONS, PRESETS, Rules
from spadesim.rulebook.differences import differences
from spadesim.rulebook.prose import SUMMARIES, TOPICS, changes_from, describe, unmentioned

pytestmark = pytest.mark.compiled_only

DRAW: dict[str, Any] = {"players": 2, "teams": "individual", "deal": "draw_keep"}
# What else an option needs to have another value.
COMPANY: dict[tuple[str, Any], dict[str, Any]] = {
    ("players", 2): {"teams": "individual", "deal": "packet26"},
    ("players", 3): {"teams": "individual", "deck": "minus_2c"},
    ("deck", "minus_2c"): {"players": 3, "teams": "individual"},
    ("deal", "packet26"): {"players": 2, "teams": "individual"},
    ("deal", "draw_keep"): {"players": 2, "teams": "individual", "start_role": "first_drawer"},
    ("start_role", "first_drawer"): DRAW,
    ("start_role", "second_drawer"): DRAW,
    ("exchange_with", "discard_pile"): {
        **DRAW,
        "start_role": "first_drawer",
        "blind_nil": "always",
        "blind_nil_exchange": 2,
    },
}
LEAST = {"min_bid": 2}  # 1 is the same as 0
# The rules under which an option has any effect.
BASES = {
    "draw_second_seen": "draw300",
    "bot_memory": "draw300",
    "blind_nil_value": "draw500",
    "blind_nil_penalty": "draw500",
    "blind_nil_deficit": "draw500:blind_nil=behind",
    "blind_nil_exchange": "draw500",
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
    return [option.low or LEAST.get(name, 1), option.high, *([None] if option.or_none else [])]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_of_every_option_changes_the_words(name: str) -> None:
    values = dict.fromkeys([OPTIONS[name].default, *values_of(name)])
    base = Rules.parse(BASES.get(name, "pata"))
    changes = [{name: value, **COMPANY.get((name, value), {})} for value in values]
    texts = [tuple(words_about(base.updated(each), name)) for each in changes]
    assert len(set(texts)) == len(values) > 1


def test_every_option_is_in_a_topic() -> None:
    assert unmentioned() == set()


@pytest.mark.parametrize("start", ["dealer_left", "rotating_first_bidder", "first_drawer"])
def test_the_first_dealer_is_told_with_every_start(start: str) -> None:
    base = Rules.parse("draw300" if start == "first_drawer" else "pata")
    texts = {
        tuple(words_about(base.updated({"first_dealer": first, "start_role": start}), "first_dealer"))
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
        ("bicycle", "it is set and scores nothing for it (5 bid and 3 tricks won: 0)"),
        ("bicycle", "a number of tricks from 1 to 13. There is no nil."),
        ("pata:set_mode=shortfall", "for each trick missing (3 and 2 bid, 2 and 1 tricks won: −20)"),
        ("pata:min_bid=3", "or a number of tricks from 3 to 13"),
        ("pata:min_bid=13", "to win no trick), or 13 tricks."),
        ("cutthroat3", "at 500 to 400 to 350 the player with 500 has won"),
        ("cutthroat3", "51 cards, the two of clubs left out, is dealt out: 17 cards each"),
        ("draw300", "looks at the next card as well and discards that"),
        ("draw500", "discards the next card face down without looking at it"),
        ("draw300", "Whoever draws first bids first and leads to the first trick."),
        ("draw500", "Whoever draws second bids first and leads to the first trick."),
        ("draw500", "blind nil bid and 1 trick won: 1 − 200 = −199"),
        ("draw500", "may exchange up to 3 cards for as many, drawn at random from all the cards discarded"),
        ("draw500:blind_nil_exchange=1", "may exchange one card for another"),
        ("draw500:blind_nil_exchange=0", "A blind nil's bidder exchanges no cards."),
        ("draw500:blind_nil=behind", "if the score is 100 points or more below that of the other player"),
        ("pata:blind_nil=behind", "score of its pair is 100 points or more below that of the other pair"),
        ("cutthroat3:blind_nil=behind", "100 points or more below that of the best other player"),
        ("pata:blind_nil=always", "blind nil and 4 bid, 0 and 4 tricks won: 40 + 200 = 240"),
        ("draw300:bot_memory=false", "has forgotten which cards it saw discarded"),
    ],
)  # fmt: skip
def test_the_examples_in_the_words(rules: str, words: str) -> None:
    assert words in " ".join(passage.text for passage in describe(Rules.parse(rules)))


ALONE = [name for name, rules in PRESETS.items() if rules.teams == "individual"]


@pytest.mark.parametrize("name", [*ALONE, "cutthroat3:blind_nil=behind"])
def test_where_everybody_plays_alone_nobody_has_a_partner(name: str) -> None:
    words = " ".join(passage.text for passage in describe(Rules.parse(name)))
    assert not re.search("partner|pair|side|Seats 0 and 2", words)


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


def test_an_option_of_the_draw_is_told_apart_from_the_draw_itself() -> None:
    found = differences(Rules.parse("draw300"), Rules.parse("draw300:draw_second_seen=false"))
    assert [each.options for each in found] == [("draw_second_seen",)]
