"""Cards as bits: a card is an int, any set of cards is one int64 mask.

Card = 13 * suit + rank, suits C D H S = 0..3, ranks 2..A = 0..12. Spades are the top bits, so the highest
bit of the spades in a trick is its strongest trump. Packs with jokers add bits above the ace of spades;
every bit from 39 up is a spade. Masks are non-negative int64, which behaves alike compiled and interpreted.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from spadesim.core._jit import COMPILED, jit

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
N_CARDS = 52
N_CARD_BITS = 56  # room for a pack with jokers and high deuces

SUIT_RANKS = (1 << 13) - 1  # the cards of a suit once it is shifted down to bit 0; for spades, without jokers
SPADES_MASK = ((1 << N_CARD_BITS) - 1) ^ ((1 << 39) - 1)
SIDE_SUITS_MASK = (1 << 39) - 1
PACK_MASK = (1 << N_CARDS) - 1

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)


@intrinsic
def _ctpop(typingctx: Any, cards: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _ctlz(typingctx: Any, cards: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


@intrinsic
def _cttz(typingctx: Any, cards: Any) -> Any:  # pragma: no cover - runs inside the compiler
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


def popcount(cards: int) -> int:
    """How many cards the mask holds.

    >>> popcount(0b1011)
    3
    """
    return int(cards).bit_count()


def highest(cards: int) -> int:
    """The highest card of the mask, -1 when it is empty.

    >>> highest(0b1011), highest(0)
    (3, -1)
    """
    return int(cards).bit_length() - 1


def lowest(cards: int) -> int:
    """The lowest card of the mask, 64 when it is empty.

    >>> lowest(0b1010), lowest(0)
    (1, 64)
    """
    cards = int(cards)
    return (cards & -cards).bit_length() - 1 if cards else 64


if COMPILED:

    @overload(popcount)
    def _popcount(cards):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda cards: _ctpop(cards)

    @overload(highest)
    def _highest(cards):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda cards: 63 - _ctlz(cards)

    @overload(lowest)
    def _lowest(cards):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        return lambda cards: _cttz(cards)


@jit
def suit_of(card: int) -> int:
    """The suit of a card, 0-3 for C D H S; jokers and other bits above the ace of spades are spades."""
    return min((card * 79) >> 10, 3)  # card // 13 without a division


@jit
def rank_of(card: int) -> int:
    """The rank of a card within its suit, 0-12 for 2..A; spades of larger packs go on above the ace."""
    return card - 13 * suit_of(card)


@jit
def suit_mask(suit: int) -> int:
    """Every card that belongs to a suit, as a mask."""
    return SPADES_MASK if suit == SPADES else SUIT_RANKS << (13 * suit)


@jit
def above(card: int) -> int:
    """Every bit above a card's, of any suit; combine it with a suit's mask."""
    return ((1 << N_CARD_BITS) - 1) & ~((2 << card) - 1)


@jit
def below(card: int) -> int:
    """Every bit below a card's, of any suit; combine it with a suit's mask."""
    return (1 << card) - 1
