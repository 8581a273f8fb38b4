"""Legal cards, the breaking of spades, and who wins a trick."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadesim.core.rules import Rules
from spadesim.core.trick import beats, breaks_spades, legal_cards, trick_winner

LEADING = -1


def suit(card: int) -> str:
    return "CDHS"[card // 13]


hands = st.sets(st.integers(0, 51), min_size=1, max_size=17)


@given(hands, st.integers(-1, 3), st.booleans(), st.sampled_from(["broken", "anytime"]))
def test_legal_cards_equal_a_plain_reading_of_the_rule(
    hand: set[int], led: int, is_broken: bool, spade_lead: str
) -> None:
    if led == LEADING:
        side_suits = {card for card in hand if suit(card) != "S"}
        may_lead_spades = is_broken or spade_lead == "anytime" or not side_suits
        expected = hand if may_lead_spades else side_suits
    else:
        expected = {card for card in hand if suit(card) == "CDHS"[led]} or hand
    record = Rules(spade_lead=spade_lead).record()
    held = sum(1 << card for card in hand)
    assert legal_cards(record, held, led, int(is_broken)) == sum(1 << card for card in expected)


@given(st.lists(st.integers(0, 51), min_size=2, max_size=4, unique=True), st.integers(0, 3))
def test_winner_is_the_highest_spade_or_else_the_highest_card_of_the_suit_led(
    played: list[int], leader: int
) -> None:
    n_players = len(played)
    leader %= n_players
    trick = np.full(4, -1, dtype=np.int64)
    for index, card in enumerate(played):
        trick[(leader + index) % n_players] = card
    spades = [card for card in played if suit(card) == "S"]
    best = max(spades or [card for card in played if suit(card) == suit(played[0])])
    assert trick[trick_winner(trick, leader, n_players)] == best


@given(st.integers(0, 51), st.integers(0, 51))
def test_beats_is_a_matter_of_suit_and_rank(card: int, best: int) -> None:
    same_suit_and_higher = suit(card) == suit(best) and card % 13 > best % 13
    ruffs = suit(card) == "S" and suit(best) != "S"
    assert bool(beats(card, best)) == (same_suit_and_higher or ruffs)


@pytest.mark.parametrize(
    ("break_on", "expected"), [("any_spade", 4 * [1] + [1]), ("offsuit_only", [0, 1, 1, 1, 0])]
)
def test_what_breaks_spades(break_on: str, expected: list[int]) -> None:
    """Led, then played on clubs, diamonds, hearts and spades."""
    record = Rules(break_on=break_on).record()
    found = [breaks_spades(record, 40, led_suit) for led_suit in (LEADING, 0, 1, 2, 3)]
    assert found == expected
    assert not any(breaks_spades(record, 38, led_suit) for led_suit in (LEADING, 0, 1, 2, 3))
