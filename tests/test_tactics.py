"""The building blocks of strategies, situation by situation and against slow, obvious versions."""

import random
from typing import Any

import pytest

from spadesim import tactics
from spadesim.core.cards import ACE, JACK, QUEEN, TEN
from spadesim.core.rules import Rules
from spadesim.core.trick import beats
from spadesim.core.view import unseen_cards
from spadesim.tactics import NONE
from tests.core.cases import card, mask
from tests.strategies.situations import situation

PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def name(number: int) -> str:
    """Return a card's text, "none" for no card."""
    return "none" if number == NONE else PACK[number]


def hands(n: int, size: int) -> list[list[int]]:
    """Return seeded random hands."""
    source = random.Random(7)
    return [source.sample(range(52), size) for _ in range(n)]


def as_mask(cards: list[int]) -> int:
    """Return cards as a mask."""
    return sum(1 << number for number in cards)


@pytest.mark.parametrize(
    ("legal", "wanted", "bid"),
    [(0b1111, 2, 2), (0b1110, 0, 1), (0b1010, 2, 1), (0b1000, 0, 3), (0b0001, 9, 0)],
)
def test_nearest_bid(legal: int, wanted: int, bid: int) -> None:
    assert tactics.nearest_bid(legal, wanted) == bid


def test_a_nil_stands_until_its_first_trick() -> None:
    view = situation("2C", "", bids=[3, 0, 0, 4], tricks=[0, 0, 1, 0], trick_no=1)
    assert [bool(tactics.nil_stands(view, seat)) for seat in range(4)] == [False, True, False, False]
    assert not tactics.partner_nil_stands(view)
    assert tactics.opponent_nil_stands(view)
    assert tactics.standing_nil(view) == 1
    view["tricks"][1] = 1
    assert not tactics.opponent_nil_stands(view)
    assert tactics.standing_nil(view) == NONE


def test_of_two_nils_the_one_to_the_left_is_attacked() -> None:
    view = situation("2C", "", seat=2, bids=[3, 0, 3, 0])
    assert tactics.standing_nil(view) == 3


def test_there_is_no_nil_where_the_rules_have_none() -> None:
    view = situation("2C", "", bids=[0] * 4, rules=Rules.parse("pata:nil_allowed=false"))
    assert not tactics.nil_stands(view, 0)


@pytest.mark.parametrize(("word", "need"), [("bags", 3), ("ignore", 3), ("help", 1)])
def test_needed_counts_as_the_rules_do(word: str, need: int) -> None:
    rules = Rules.parse(f"pata:failed_nil_tricks={word}")
    view = situation("2C", "", bids=[4, 3, 0, 3], tricks=[1, 0, 2, 0], trick_no=3, rules=rules)
    assert tactics.needed(view, 0) == need
    assert tactics.needed(view, 1) == 6
    assert tactics.tricks_left(view) == 10


@pytest.mark.parametrize(
    ("theirs", "won", "trick_no", "slack", "expected"),
    [
        (6, 2, 9, 0, True),  # they need all four that are left
        (6, 3, 9, 0, False),
        (6, 3, 9, 1, True),
        (6, 6, 9, 3, False),  # made
        (6, 1, 9, 3, False),  # beyond their reach
    ],
)
def test_can_set(theirs: int, won: int, trick_no: int, slack: int, expected: bool) -> None:
    tricks = [trick_no - won, won, 0, 0]
    view = situation("2C", "", bids=[2, theirs, 2, 0], tricks=tricks, trick_no=trick_no)
    view["rules"]["nil_allowed"] = 0
    assert bool(tactics.can_set(view, tactics.tricks_left(view), slack)) == expected


def test_what_a_bot_may_still_meet() -> None:
    view = situation("2C 3C", "AH KH")
    view["played"] |= mask("AS KS")
    everything = mask(" ".join(PACK))
    assert unseen_cards(view) == everything & ~mask("2C 3C AH KH AS KS")
    assert tactics.unseen_on_table(view) == everything & ~mask("2C 3C AH KH")


def test_winning_is_what_beats_the_best_card() -> None:
    for held in hands(200, 6):
        best, *own = held
        expected = [number for number in own if beats(number, best)]
        assert tactics.winning(as_mask(own), best) == as_mask(expected)


def test_certain_winners_have_no_unseen_card_above() -> None:
    for held in hands(200, 20):
        own, others = held[:6], held[6:]
        view = situation("2C", "")
        expected = [
            number
            for number in own
            if not any(other // 13 == number // 13 and other > number for other in others)
        ]
        assert tactics.certain_winners(view, as_mask(own), as_mask(others)) == as_mask(expected)


def test_in_a_ruffed_trick_only_spades_are_certain() -> None:
    view = situation("AH AS", "KH 2S")
    unseen = unseen_cards(view)
    assert tactics.certain_winners(view, mask("AH AS"), unseen) == mask("AS")
    assert not tactics.is_certain(view, card("2S"), unseen)
    view = situation("2H", "AH")
    assert tactics.is_certain(view, card("AH"), unseen)


def test_lowest_and_highest_card_against_sorting() -> None:
    for held in hands(200, 5):
        by_rank = sorted(held, key=lambda number: (number // 13 == 3, number % 13, number // 13))
        assert tactics.lowest_card(as_mask(held)) == by_rank[0]
        top = max(number % 13 for number in held)
        first = min(number for number in held if number % 13 == top)
        assert tactics.highest_card(as_mask(held)) == first


def test_cards_above_the_ace_of_spades_are_the_highest() -> None:
    joker = 52
    assert tactics.highest_card(1 << joker | mask("AS AC")) == joker


@pytest.mark.parametrize(
    ("losers", "chosen"), [("KH 2S", "2S"), ("4S 2S AD", "4S"), ("KH KD 2C", "KD"), ("3C", "3C")]
)
def test_highest_loser(losers: str, chosen: str) -> None:
    assert name(tactics.highest_loser(mask(losers))) == chosen


def test_cheapest_follows_suit_when_it_can() -> None:
    assert name(tactics.cheapest(mask("KH QH 2S"), 2)) == "QH"
    assert name(tactics.cheapest(mask("9S 2S"), 2)) == "2S"


def test_shortest_suit() -> None:
    assert tactics.shortest_suit(mask("AC AD"), mask("AC 2C AD")) == 1
    assert tactics.shortest_suit(mask("AC AD"), mask("AC AD 2H")) == 0
    assert tactics.shortest_suit(mask("AS"), mask("AS 2H")) == NONE


def test_ranks_from() -> None:
    assert tactics.ranks_from(QUEEN) & mask(" ".join(PACK)) == mask(
        " ".join(rank + suit for suit in "CDHS" for rank in "QKA")
    )
    assert tactics.ranks_from(ACE + 1) == 0


@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        ("", "AH 5H 2S 4C", "4C"),
        ("9H", "KH 8H 2H", "8H"),
        ("2H", "KH 8H 5H", "5H"),
        ("2H 3H 4H", "KH 8H 5H", "KH"),
        ("9H 8S", "AS 3S KD", "3S"),
        ("9H", "AS 3S KD KC 2C", "KC"),
    ],
)
def test_duck(trick: str, hand: str, chosen: str) -> None:
    assert name(tactics.duck(situation(hand, trick))) == chosen


PARTNERS_NIL: dict[str, Any] = {"bids": [4, 3, 0, 3], "tricks": [1, 1, 0, 1], "trick_no": 3}


@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        ("", "AH KD 2C", "AH"),  # the ace is certain
        ("", "QH QD 2C", "QD"),  # none is: the highest
        ("3H 9H 4H", "KH TH 2H", "TH"),  # the partner is winning: as cheaply as will do
        ("3H 9H 4H", "8H 2H", "none"),  # it cannot be helped
        ("3H 9H 4H", "5S 3S AD", "3S"),  # with a spade where there is no heart
        ("3H", "KH TH 2H", "KH"),  # the partner plays last: as high as can be
        ("3H", "5S 3S AD", "3S"),
        ("AH", "KH 2H", "none"),  # nobody can be above the ace
        ("3H 2S", "KH 2H", "none"),  # ruffed by an opponent already
        ("KH 9H 4H", "AH 2H", "none"),  # the partner is under the king
    ],
)
def test_cover(trick: str, hand: str, chosen: str) -> None:
    view = situation(hand, trick, **PARTNERS_NIL)
    assert name(tactics.cover(view, unseen_cards(view))) == chosen


NIL_ON_THE_LEFT: dict[str, Any] = {"bids": [4, 0, 3, 3], "tricks": [1, 0, 1, 1], "trick_no": 3}
NIL_ON_THE_RIGHT: dict[str, Any] = {"bids": [4, 3, 3, 0], "tricks": [1, 1, 1, 0], "trick_no": 3}


@pytest.mark.parametrize(
    ("trick", "hand", "need", "standing", "chosen"),
    [
        ("", "AH 2C", 1, NIL_ON_THE_LEFT, "none"),  # a certain winner comes first
        ("", "9H 3C", 1, NIL_ON_THE_LEFT, "3C"),
        ("9H", "KH 8H 2H", 1, NIL_ON_THE_RIGHT, "8H"),  # the nil is winning
        ("9H", "KH TH", 1, NIL_ON_THE_RIGHT, "none"),  # and cannot be stayed under
        ("9H", "KH 8H 2H", 0, NIL_ON_THE_LEFT, "2H"),  # it is still to play
        ("9H", "KH 8H 2H", 1, NIL_ON_THE_LEFT, "none"),
    ],
)
def test_stay_under_nil(trick: str, hand: str, need: int, standing: dict[str, Any], chosen: str) -> None:
    view = situation(hand, trick, **standing)
    assert name(tactics.stay_under_nil(view, need, unseen_cards(view))) == chosen


@pytest.mark.parametrize(
    ("trick", "hand", "need", "standing", "chosen"),
    [
        ("", "AH 9D 3C", 1, NIL_ON_THE_LEFT, "3C"),  # leads low
        ("9H", "KH 8H 2H", 1, NIL_ON_THE_RIGHT, "8H"),  # stays under the nil
        ("9H", "KH TH", 1, NIL_ON_THE_RIGHT, "none"),
        ("9H", "KH 8H 2H", 1, NIL_ON_THE_LEFT, "8H"),  # under a card that the nil may be forced over
        ("7H", "KH 9H 8H", 1, NIL_ON_THE_LEFT, "8H"),  # over it, but no further than need be
        ("7H", "KH QH", 1, NIL_ON_THE_LEFT, "none"),  # out of reach
        ("QH", "KH 8H 2H", 1, NIL_ON_THE_LEFT, "none"),  # the queen is out of reach already
        ("QH", "KH 8H 2H", 0, NIL_ON_THE_LEFT, "2H"),
        ("5H 4H", "KH 8H", 1, NIL_ON_THE_RIGHT, "none"),  # the nil has played and is safe
    ],
)
def test_attack_nil(trick: str, hand: str, need: int, standing: dict[str, Any], chosen: str) -> None:
    view = situation(hand, trick, **standing)
    unseen = unseen_cards(view)
    assert name(tactics.attack_nil(view, need, unseen, TEN)) == chosen


def test_no_low_lead_in_a_suit_that_the_nil_is_void_in() -> None:
    view = situation("9D 3C", "", **NIL_ON_THE_LEFT)
    view["voids"][1] = 0b0001
    assert name(tactics.low_lead_at(view, 1, unseen_cards(view))) == "9D"
    view["voids"][1] = 0b0011
    assert tactics.low_lead_at(view, 1, unseen_cards(view)) == NONE


@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        ("", "AH 5H AD 3D 2D", "AH"),  # a certain winner, from the shorter suit
        ("", "AS KH 2H", "AS"),  # a certain spade when no side card is
        ("", "KH 2H 9C 4C 3C", "2H"),  # low from the shortest suit
        ("", "KH AS", "AS"),
        ("", "KH QC", "QC"),  # only high cards
        ("5H 9H TH", "KH JH 2H", "JH"),  # last: as cheaply as will do
        ("5H JH TH", "KH QH 2H", "2H"),  # the partner's
        ("5H", "AH KH 2H", "KH"),  # of two certain winners the lower
        ("5H", "QH 2H", "2H"),  # not certain, in second seat
        ("2H 6H", "JH 3H", "JH"),  # third, with a jack
        ("2H 6H", "TH 3H", "3H"),
        ("AH 6H", "KH 3H", "3H"),
        ("5H", "9S 3S 2D", "3S"),
        ("5H 4S 6H", "9S 3S 2D", "2D"),
        ("9H", "8H 2H", "2H"),
    ],
)
def test_take(trick: str, hand: str, chosen: str) -> None:
    view = situation(hand, trick, bids=[4, 3, 3, 3])
    assert name(tactics.take(view, unseen_cards(view), JACK, QUEEN)) == chosen


def test_sure_tricks() -> None:
    unseen = mask("QS 2H AD KD 5C")
    assert tactics.sure_tricks(mask("AS KS JS 3H QD 6C 4C"), unseen) == 4
    assert tactics.sure_tricks(0, unseen) == 0


@pytest.mark.parametrize(
    ("rules", "costs"),
    [
        ("pata", True),
        ("pata:bag_limit=0", False),
        ("pata:bag_penalty=0", False),
        ("pata:bag_limit=0,overtrick_value=-1", True),
        ("pata:bag_penalty=0,overtrick_value=-1", True),
    ],
)
def test_bags_cost_where_they_are_charged(rules: str, costs: bool) -> None:
    assert bool(tactics.bags_cost(situation("2C", "", rules=Rules.parse(rules)))) is costs
