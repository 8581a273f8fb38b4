"""What hard does by what it remembers: leads and discards by value, and what a nil bidder cannot hold."""

from typing import Any

import pytest

from spadesim.strategy import load_strategy
from tests.core.cases import card, cards, mask
from tests.strategies.situations import play, situation

WANTS: dict[str, Any] = {"bids": [3, 3, 3, 3], "tricks": [1, 1, 2, 1], "trick_no": 5}
AT_NIL: dict[str, Any] = {"bids": [3, 0, 3, 4], "tricks": [1, 0, 1, 1], "trick_no": 3}
COVERING: dict[str, Any] = {"bids": [4, 4, 0, 3], "tricks": [1, 1, 0, 1], "trick_no": 3}
OWN_NIL: dict[str, Any] = {"bids": [0, 4, 4, 4], "tricks": [0, 1, 1, 1], "trick_no": 3}


def answer(
    spec: str, hand: str, trick: str, *, gone: str = "", voids: dict[int, str] | None = None, **rest: Any
) -> str:
    """Return what a bot plays where more cards are gone and seats are out of suits, as in ``{1: "H"}``."""
    strategy = load_strategy(spec)
    view = situation(hand, trick, **rest)
    view["played"] |= mask(gone) if gone else 0
    for seat, suits in (voids or {}).items():
        view["voids"][seat] = sum(1 << "CDHS".index(suit) for suit in suits)
    chosen = int(strategy.play(view, strategy.values))
    return next(word for word in hand.split() if card(word) == chosen)


def ducked(spec: str, hand: str, earlier: str, **rest: Any) -> str:
    """Return what seat 0 leads after one earlier trick, which seat 0 had led."""
    strategy = load_strategy(spec)
    view = situation(hand, "", **rest)
    order = cards(earlier)
    view["history"][:4], view["n_history"], view["leaders"][:2] = order, 4, 0
    view["played"] |= mask(earlier)
    chosen = int(strategy.play(view, strategy.values))
    return next(word for word in hand.split() if card(word) == chosen)


@pytest.mark.parametrize(
    ("off", "before", "hand", "voids"),
    [
        ("leads=off", "AH", "AH 5H 7S AD 6D 4D", {1: "H"}),  # an opponent would ruff the ace
        ("leads=off", "3D", "9H 7H 6H 3D 8D 4D", {2: "H"}),  # the partner ruffs hearts
    ],
)
def test_a_lead_is_chosen_by_who_ruffs(off: str, before: str, hand: str, voids: dict[int, str]) -> None:
    chosen = answer("hard", hand, "", voids=voids, **WANTS)
    assert chosen in {1: ["AD"], 2: ["6H"]}[next(iter(voids))]
    assert answer(f"hard:{off}", hand, "", voids=voids, **WANTS) == before


def test_a_winner_is_not_undressed_by_a_discard() -> None:
    hand = "AD 2D 3C 8C 9C"
    assert answer("hard", hand, "2H KH 5H", **WANTS) == "3C"
    assert answer("hard:throws=off", hand, "2H KH 5H", **WANTS) == "2D"


def test_a_nil_is_led_at_where_its_bidder_has_nothing_below() -> None:
    """It ducked the king of hearts with the four: between them it holds none."""
    hand, earlier = "9H 5D", "KH 4H 2H 3H"
    assert ducked("hard", hand, earlier, **AT_NIL) == "9H"
    assert ducked("hard:limits=off", hand, earlier, **AT_NIL) == "5D"


def test_no_high_card_is_spent_where_the_partners_nil_is_safe() -> None:
    """The partner is out of hearts, or can hold none that wins."""
    assert (
        answer(
            "hard", "AH 3H", "9H", voids={2: "H"}, **COVERING | {"bids": [4, 4, 0, 3], "tricks": [4, 1, 0, 1]}
        )
        == "3H"
    )
    assert (
        answer("hard:shelter=off", "AH 3H", "9H", voids={2: "H"}, **COVERING | {"tricks": [4, 1, 0, 1]})
        == "AH"
    )


def test_shelter_takes_no_higher_card_than_it_needs() -> None:
    place: dict[str, Any] = COVERING | {"tricks": [4, 1, 0, 1]}
    assert answer("hard", "AH JH 3H", "8H", gone="QH KH", **place) == "JH"
    assert answer("hard:shelter=off", "AH JH 3H", "8H", gone="QH KH", **place) == "AH"


def test_beside_the_own_nil_the_dangerous_suit_goes_first() -> None:
    """A bare queen is worse than a king with three low cards below it."""
    hand = "KD 4D 3D 2D QC"
    assert play("hard", hand, "9H", **OWN_NIL) == "QC"
    assert play("hard:shed=off", hand, "9H", **OWN_NIL) == "KD"


def test_a_lost_contract_is_not_fought_for() -> None:
    """It lacks three of the last two tricks, and they are home: a bag more is theirs to take."""
    place: dict[str, Any] = {"bids": [6, 3, 3, 1], "tricks": [4, 4, 2, 1], "trick_no": 11}
    assert play("hard", "KH 2H", "3H 4H 9H", **place) == "2H"
    assert play("hard:lost=off", "KH 2H", "3H 4H 9H", **place) == "KH"
