"""Text and cards: names read back, and what is no card, hand or deal is refused with what would be right."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.errors import UserError
from spadesim.notation import (
    bid_text,
    card_text,
    cards_in,
    cards_text,
    deal_text,
    hand_text,
    mask_of,
    parse_card,
    parse_cards,
    parse_deal,
    parse_hand,
)

CARDS = st.integers(0, 51)
MASKS = st.integers(0, 2**52 - 1)


@given(CARDS)
def test_a_card_reads_back(card: int) -> None:
    text = card_text(card)
    assert parse_card(text) == parse_card(text.lower()) == card
    rank, suit = text.replace("T", "10")[:-1], text[-1]
    assert parse_card(rank + suit) == card
    assert parse_card(rank + dict(zip("CDHS", "♣♦♥♠", strict=True))[suit]) == card


@given(MASKS)
def test_a_hand_reads_back_both_ways(hand: int) -> None:
    assert parse_hand(hand_text(hand)) == hand
    assert mask_of(cards_in(hand)) == hand
    if hand:
        assert parse_hand(cards_text(hand)) == mask_of(parse_cards(cards_text(hand))) == hand


@given(st.permutations(range(52)), st.integers(0, 3))
def test_a_deal_reads_back_from_any_seat(pack: list[int], first: int) -> None:
    hands = [mask_of(pack[13 * seat : 13 * seat + 13]) for seat in range(4)]
    text = deal_text(hands, first)
    assert parse_deal(text) == parse_deal(f'[Deal "{text}"]') == hands


def test_the_order_is_that_of_pbn() -> None:
    """Hands clockwise from the named seat, each with spades, hearts, diamonds, clubs."""
    text = "E:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    assert parse_deal(text)[1] == mask_of(parse_cards(" ".join(f"{rank}S" for rank in "AKQJT98765432")))
    assert cards_text(parse_deal(text)[0]) == " ".join(f"{rank}C" for rank in "AKQJT98765432")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("SA", "'SA' is no card. Did you mean 'AS'?"),
        ("1S", "'1S' is no card. A card is rank and suit, such as AS or TD."),
        ("AS KS AS", "AS comes twice in 'AS KS AS'."),
        ("AK.T9.2", "The hand 'AK.T9.2' has 3 suits, not 4: spades.hearts.diamonds.clubs, such as AK..T9.2."),
        ("AK.T9.X.2", "In the hand 'AK.T9.X.2': 'XD' is no card. A card is rank and suit, such as AS or TD."),
        ("AKA...", "In the hand 'AKA...': AS comes twice in 'AS KS AS'."),
    ],
)
def test_what_is_no_hand(text: str, message: str) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        parse_hand(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("N:... ...", "The deal has 2 hands, not 4: 'N:... ...'."),
        ("X:... ... ... ...", "'X' is no seat: a deal begins with one of N, E, S, W."),
        ("N:A... A... ... ...", "North has 1 card, not 13."),
        (
            "N:AKQJT98765432... AS.KQJT98765432.. ... ...",
            "In the hand 'AS.KQJT98765432..': 'SS' is no card. A card is rank and suit, such as AS or TD.",
        ),
        ("N:AKQJT98765432... A.KQJT98765432.. ... ...", "AS is dealt twice."),
        ('[Board "1"]', '\'[Board "1"]\' is no PBN deal, which looks like [Deal "N:AK2.J3... ... ... ..."].'),
    ],
)
def test_what_is_no_deal(text: str, message: str) -> None:
    with pytest.raises(UserError, match=f"^{re.escape(message)}$"):
        parse_deal(text)


def test_bids_in_words() -> None:
    assert [bid_text(bid) for bid in (-1, 0, 1, 13)] == ["-", "nil", "1", "13"]


def test_a_stock_is_told_from_hands() -> None:
    stock = " ".join(card_text(card) for card in range(52))
    for text in (stock, stock.lower(), "N:" + stock):
        with pytest.raises(
            UserError, match=r"52 single cards, as a stock is written .* a hand for each seat"
        ):
            parse_deal(text)
