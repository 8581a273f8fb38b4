"""What stands behind a word of an expression: a seat, and what else its brackets hold."""

import ast
from dataclasses import dataclass

from spadesim.core.cards import N_CARDS
from spadesim.expressions.known import Known
from spadesim.expressions.possible import SUITS
from spadesim.expressions.seats import Seat

SUIT_CARDS = (1 << 13) - 1
ALL_CARDS = (1 << N_CARDS) - 1


def suit_cards(suit: str) -> int:
    """Every card of a suit, as a mask."""
    return SUIT_CARDS << 13 * SUITS.index(suit)


@dataclass(frozen=True)
class Asked:
    """Whose cards or bids are asked for, and what else stands in the brackets.

    Parameters
    ----------
    node : expr
        Where it is asked.
    seat : Seat
    known : Known
    suit : str
        "" for all of them.
    cards : int
        Single cards, as a mask, where a word asks for such.
    number : int
        A number written out, where a word asks for one.
    """

    node: ast.expr
    seat: Seat
    known: Known
    suit: str = ""
    cards: int = 0
    number: int = 0

    @property
    def size(self) -> int:
        """How many cards there are."""
        return min(self.known.hand_size * len(self.seat.places), self.known.pack.bit_count())

    @property
    def pool(self) -> int:
        """The cards that may be among them."""
        return self.known.pack & (suit_cards(self.suit) if self.suit else ALL_CARDS)
