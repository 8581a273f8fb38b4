"""Cards as bits, against Python's own sets of ints."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spadesim.core import cards as c
from spadesim.core._jit import jit
from tests.core.table import bits, mask_of, name_of

sets = st.sets(st.integers(0, 62))


@jit
def compiled_popcount(cards: int) -> int:
    return c.popcount(cards)


@jit
def compiled_highest(cards: int) -> int:
    return c.highest(cards)


@jit
def compiled_lowest(cards: int) -> int:
    return c.lowest(cards)


@given(sets)
@example(set())
@example(set(range(63)))
def test_counting_and_ends_of_a_mask(cards: set[int]) -> None:
    mask = mask_of(cards)
    assert c.popcount(mask) == compiled_popcount(mask) == len(cards)
    assert c.highest(mask) == compiled_highest(mask) == max(cards, default=-1)
    assert c.lowest(mask) == compiled_lowest(mask) == min(cards, default=64)


@pytest.mark.parametrize("card", range(c.N_CARD_BITS))
def test_suit_and_rank_of_every_card(card: int) -> None:
    """Bits above the ace of spades are spades too."""
    assert c.suit_of(card) == min(card // 13, 3)
    assert c.rank_of(card) == card - 13 * min(card // 13, 3)
    assert bits(c.suit_mask(c.suit_of(card)))[c.rank_of(card)] == card


def test_suit_masks_share_out_every_bit() -> None:
    masks = [int(c.suit_mask(suit)) for suit in range(4)]
    assert masks == [c.SUIT_RANKS, c.SUIT_RANKS << 13, c.SUIT_RANKS << 26, c.SPADES_MASK]
    assert sorted(bit for mask in masks for bit in bits(mask)) == list(range(c.N_CARD_BITS))
    assert masks[0] | masks[1] | masks[2] == c.SIDE_SUITS_MASK
    assert bits(c.PACK_MASK) == list(range(52))


def test_names_of_suits_and_ranks() -> None:
    assert (c.CLUBS, c.DIAMONDS, c.HEARTS, c.SPADES) == (0, 1, 2, 3)
    assert name_of(13 * c.DIAMONDS + c.TWO) == "2D"
    assert name_of(13 * c.HEARTS + c.TEN) == "TH"
    assert name_of(13 * c.SPADES + c.ACE) == "AS"


@pytest.mark.parametrize("card", [0, 12, 13, 38, 39, 51, 55])
def test_cards_above_and_below(card: int) -> None:
    assert bits(c.above(card)) == list(range(card + 1, c.N_CARD_BITS))
    assert bits(c.below(card)) == list(range(card))
