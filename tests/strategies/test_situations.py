"""What yardstick, medium and hard do, hand by hand: the estimate of a bid, nils, and each mode of play."""

import pytest

from spadesim.core.rules import Rules
from spadesim.strategies import _valuation
from spadesim.strategy import load_strategy
from tests.strategies.situations import bid, play, situation

BOTS = ["yardstick", "medium", "hard"]
ALL = [*BOTS, "pata_normal", "pata_hard"]


@pytest.mark.parametrize("name", ["medium", "hard"])
def test_the_numbers_of_the_valuation_come_first(name: str) -> None:
    first = load_strategy(name).parameters.names[: len(_valuation.VALUATION)]
    assert first == [entry.name for entry in _valuation.VALUATION]


@pytest.mark.parametrize(
    ("hand", "careful", "hard"),
    [
        ("AS KS QS JS AC 4C 2C AD 4D 2D AH 4H 2H", 7, 7),  # 28 quarters
        ("AS 2S 3S 7C 6C 5C 8D 7D 5D 4D 8H 6H 5H", 1, 1),  # the ace alone
        ("KS 2S 3S 7C 6C 5C 8D 7D 5D 4D 8H 6H 5H", 1, 1),  # a king that one lower spade guards
        ("9S 8S 7S 6S 5S 4S 8C 7C 5D 4D 8H 7H 5H", 2, 2),  # three long spades, 9 quarters
        ("2S 3S 4S AC KC 5C AD KD 5D AH KH 5H 4H", 6, 5),  # 24 quarters, 21 to hard
        ("2S 3S 4S KC 6C 5C KD 6D 5D KH 6H 5H 4H", 2, 2),  # three kings, 9 quarters
        ("2S 3S 4S KC 6C 5C KD 6D 5D 7H 6H 5H 4H", 1, 1),  # two kings, 6 quarters
        ("2S 3S 4S AC 6C 5C KD 6D 5D 7H 6H 5H 4H", 2, 2),  # 7 quarters
        ("2S 3S AC 6C 5C 4C 3C 7D 6D 5D 4D 3D 9D", 2, 2),  # a void in hearts and two spades for it
    ],
)
def test_tricks_of_a_hand(hand: str, careful: int, hard: int) -> None:
    # They add one quarter before they round down. Hard would bid nil with some of these.
    bids = [bid(spec, hand) for spec in ("yardstick", "medium", "hard:nil_odds=5000")]
    assert bids == [careful, careful, hard]


THREE = "AS KS 4S AC 6C 5C 8D 7D 5D 4D 8H 6H 5H"  # 12 quarters


@pytest.mark.parametrize(
    ("bids", "careful", "hard"),
    [
        ([-1, 4, 3, -1], 3, 3),  # not the last
        ([-1, 3, 3, 3], 3, 3),
        ([-1, 2, 2, 2], 4, 4),  # the table would total 9
        ([-1, 2, 3, 2], 3, 4),  # 10
        ([-1, 4, 4, 4], 2, 2),  # 15
        ([-1, 4, 0, 4], 2, 3),  # the partner's nil, of which hard makes nothing
        ([-1, 0, 4, 4], 4, 3),  # an opponent's nil: a trick more, for hard a quarter
        ([-1, 0, 4, 0], 4, 3),  # two nils count once
        ([-1, 0, 0, 4], 3, 3),
    ],
)
def test_the_other_bids_count(bids: list[int], careful: int, hard: int) -> None:
    assert bid("yardstick", THREE, bids) == careful
    assert bid("medium", THREE, bids) == careful
    assert bid("hard", THREE, bids) == hard


LOW = "5S 2S 7C 5C 4C 2C 6D 4D 3D 7H 5H 3H 2H"


@pytest.mark.parametrize("name", ALL)
def test_no_nil_where_there_is_none(name: str) -> None:
    assert bid(name, LOW, rules=Rules.parse("pata:nil_allowed=false")) == 1


def test_hard_wants_better_odds_when_it_is_ahead() -> None:
    strategy = load_strategy("hard:nil_lead=5000")
    view = situation(LOW)
    assert strategy.bid(view, strategy.values) == 0
    view["scores"][:2] = 0, 400
    assert strategy.bid(view, strategy.values) == 0
    view["scores"][:2] = 400, 0
    assert strategy.bid(view, strategy.values) > 0


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("trick", "hand", "chosen"),
    [
        ("5H", "AH QH 2H", "AH"),  # a certain winner
        ("2H 6H", "JH 3H", "JH"),  # third
        ("2H 6H", "TH 3H", "3H"),
        ("5H", "9S 3S 2D", "3S"),
        ("", "AH 5H 4H AD 3D 2C", "AD"),  # certain winners, the shorter suit first
        ("", "QH 3H KD JD 2D", "3H"),  # low from the shortest suit
    ],
)
def test_takes_what_its_side_needs(name: str, trick: str, hand: str, chosen: str) -> None:
    needs = {"bids": [3, 3, 3, 3], "tricks": [1, 1, 2, 1], "trick_no": 5}
    assert play(name, hand, trick, **needs) == chosen


def test_only_medium_forgets_which_cards_are_gone() -> None:
    for name, chosen in (("yardstick", "KH"), ("medium", "4D"), ("hard", "KH")):
        strategy = load_strategy(name)
        view = situation("KH 5H 4H 7D 4D", "", bids=[3, 3, 3, 3], tricks=[2, 2, 2, 2], trick_no=8)
        view["played"] = 1 << 38  # the ace of hearts
        card_played = int(strategy.play(view, strategy.values))
        rank, suit = "23456789TJQKA"[card_played % 13], "CDHS"[card_played // 13]
        assert rank + suit == chosen, name


@pytest.mark.parametrize(
    ("their_bid", "takes"),
    [
        (8, ["yardstick", "medium", "hard"]),  # they need every trick left
        (7, ["yardstick", "hard"]),  # one to spare
        (6, ["hard"]),  # two
        (5, []),
        (4, []),  # they are home
        (9, []),  # they are set already
    ],
)
def test_who_goes_for_the_set(their_bid: int, takes: list[str]) -> None:
    # Our four are made, they have four, and four tricks are left: is a bag worth it?
    rules = Rules.parse("pata:nil_allowed=false")
    place = {"bids": [2, their_bid, 2, 0], "tricks": [2, 4, 3, 0], "trick_no": 9, "rules": rules}
    for name in BOTS:
        assert play(name, "KH 3H 2C 2D", "QH 4H 5H", **place) == ("KH" if name in takes else "3H"), name


def test_the_own_contract_comes_before_a_nil() -> None:
    # Five tricks left and all of them needed: no low lead at the nil next.
    place = {"bids": [5, 0, 4, 3], "tricks": [2, 0, 2, 4], "trick_no": 8}
    for name in ALL:
        assert play(name, "AH 9D 3D 3C 2C", "", **place) == "AH", name
