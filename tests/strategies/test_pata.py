"""What is pata_normal's and pata_hard's own: the chances of cards, what hands are worth, plans of play."""

import pytest

from spadesim.core.rules import Rules
from spadesim.strategies import _chances
from spadesim.strategy import load_strategy
from tests.core.cases import card, mask
from tests.strategies.situations import bid, play, situation

# Cohensius, Meir, Oved and Stern, Bidding in Spades (2020), table 1: simulated, for 0 to 11 cards held.
PUBLISHED = [
    [0.997, 0.994, 0.990, 0.983, 0.970, 0.948, 0.915, 0.857, 0.774, 0.646, 0.462, 0.227],
    [0.966, 0.942, 0.907, 0.855, 0.779, 0.678, 0.544, 0.381, 0.214, 0.074, 0, 0],
    [0.817, 0.733, 0.624, 0.489, 0.350, 0.212, 0.095, 0.025, 0, 0, 0, 0],
]


def test_chances_are_those_of_the_paper() -> None:
    for own, published in zip(_chances.CHANCE.tolist(), PUBLISHED, strict=True):
        for percent, share in zip(own, published, strict=False):
            assert abs(percent / 100 - share) < 0.012  # one for each rounding, and the paper's own error


@pytest.mark.parametrize(
    ("hand", "percents"),
    [
        ("AS KS 4S AC 6C 5C 8D 7D 5D 4D 8H 6H 5H", 298),  # two spades, an ace of three cards
        ("KS 3S 2S KC 6C 5C 8D 7D 5D 4D 8H 6H 5H", 186),  # a guarded spade king and a king of three
        ("KS KC 7C 6C 5C 8D 7D 5D 4D 8H 6H 5H 2H", 50 + 78),  # a bare spade king is half guarded
        ("9S 8S 7S 6S 5S 4C 3C 8D 7D 5D 8H 7H 5H", 2 * 80),  # the fourth spade and the fifth
        ("4S 3S KC 9D 8D 7D 6D 5D 9H 8H 7H 6H 5H", 25 + 50),  # a king alone, and a ruff beside it
        ("4S 3S 2S JD 9D 8D 7D 6D 9H 8H 7H 6H 5H", 2 * 70),  # two ruffs in a void
        ("3S 2S QC 4C 3C 9D 8D 7D 6D 9H 8H 7H 6H", 49 * 60 // 100),
    ],
)
def test_worth(hand: str, percents: int) -> None:
    assert _chances.worth(mask(hand), load_strategy("pata_normal").values) == percents


def test_pata_hard_risks_more_for_a_nil() -> None:
    """A lowest club of seven is a rank too high for one, not for the other."""
    hand = "9S 2S 9C 8C 7C 6D 4D 3D 2D 7H 5H 3H 2H"
    assert (bid("pata_normal", hand), bid("pata_hard", hand)) == (1, 0)
    assert bid("pata_normal:nil_risk=1", hand) == 0


@pytest.mark.parametrize("name", ["pata_normal", "pata_hard"])
def test_winners_are_kept_while_they_will_do(name: str) -> None:
    """Two tricks are needed of seven, and it holds three that nothing beats: the jack need not win."""
    place = {"bids": [2, 1, 2, 1], "tricks": [1, 2, 1, 2], "trick_no": 6}
    assert play(name, "AS KS JH 3H AD 2D 3C", "5H 9H TH", **place) == "3H"
    assert play(name, "AS 9S JH 3H AD 2D 3C", "5H 9H TH", **place) == "JH"
    assert play(f"{name}:sure_spare=2", "AS KS JH 3H AD 2D 3C", "5H 9H TH", **place) == "JH"


@pytest.mark.parametrize(("their_bid", "chosen"), [(7, "KH"), (5, "KH"), (4, "3H"), (3, "3H")])
def test_pata_hard_fights_when_few_tricks_are_free(their_bid: int, chosen: str) -> None:
    """Five tricks are left, the own four are made, and the opponents have two: with 5, 3, 2 or 1 to win."""
    rules = Rules.parse("pata:nil_allowed=false")
    place = {"bids": [2, their_bid, 2, 0], "tricks": [2, 2, 2, 0], "trick_no": 8, "rules": rules}
    assert play("pata_hard", "KH 3H 2C 2D 4D", "QH 4H 5H", **place) == chosen
    assert play("pata_hard:plan=off", "KH 3H 2C 2D 4D", "QH 4H 5H", **place) == "3H"


def test_pata_hard_heeds_who_showed_out() -> None:
    strategy = load_strategy("pata_hard")
    view = situation("KH 5H KD 7D 4D QC", "", bids=[4, 3, 3, 3], tricks=[2, 2, 1, 2], trick_no=7)
    view["played"] = mask("AH AD")
    assert int(strategy.play(view, strategy.values)) == card("KH")
    view["voids"][1] = 0b100  # the next opponent has no hearts
    assert int(strategy.play(view, strategy.values)) == card("KD")
    view["voids"][1], view["played"] = 0, 0
    view["voids"][2] = 0b010  # the partner has no diamonds
    assert int(strategy.play(view, strategy.values)) == card("4D")
