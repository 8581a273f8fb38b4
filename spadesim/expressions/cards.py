"""Names that ask for cards: suit lengths, high cards, voids, single cards.

Of several seats they look at the cards that these have together.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from spadesim.errors import UserError
from spadesim.expressions.asked import Asked, suit_cards
from spadesim.expressions.known import Array
from spadesim.expressions.possible import SUITS, can_lie
from spadesim.expressions.terms import Term, compared, condition, constant, either
from spadesim.notation import RANKS, cards_text, mask_of, parse_cards

COLUMN = "cards"
RANK_BITS = (1 << 13) - 1
_OF_SUIT = re.compile(r"(?P<ranks>\S+)\s+of\s+(?P<suit>\w+)", re.IGNORECASE)


def rank_cards(ranks: str) -> int:
    """The cards of some ranks in all suits, as a mask."""
    return sum(1 << (13 * suit + RANKS.index(rank)) for suit in range(4) for rank in ranks)


COUNTED = {"high_cards": "JQKA", "aces": "A", "kings": "K", "queens": "Q", "jacks": "J"}
SHORT = {"void": 0, "singleton": 1, "doubleton": 2}
_POINTS = {"A": 4, "K": 3, "Q": 2, "J": 1}


def _term(asked: Asked, name: str, count: Callable[[Array], Any], high: int, low: int = 0) -> Term:
    """A number worked out from the cards."""
    suit = f", {asked.suit}" if asked.suit and name not in SUITS else ""
    seat = asked.seat
    return Term(
        asked.node,
        lambda block: count(seat.together(block[COLUMN], np.bitwise_or)),
        low,
        high,
        needs=frozenset([COLUMN]),
        is_own=seat.is_relative,
        atom=f"{name}({seat.name}{suit})",
    )


def number_of(asked: Asked, name: str, cards: int) -> Term:
    """How many of some cards are there."""
    cards &= asked.pool
    return _term(asked, name, lambda held: np.bitwise_count(held & cards), min(cards.bit_count(), asked.size))


def length(asked: Asked, suit: str) -> Term:
    """How many cards of a suit."""
    return number_of(replace(asked, suit=suit), suit, suit_cards(suit))


def counted(asked: Asked, name: str) -> Term:
    """One of `COUNTED`."""
    return number_of(asked, name, rank_cards(COUNTED[name]))


def short(asked: Asked, name: str) -> Term:
    """Whether the suit, or any, has as few cards as a name of `SHORT` says."""
    few = constant(asked.node, SHORT[name])
    suits = (asked.suit,) if asked.suit else SUITS
    found = [compared(asked.node, length(asked, suit), ast.Eq, few) for suit in suits]
    return reduce(
        lambda left, right: either(asked.node, left, right, lambda said: can_lie(said, asked.known)), found
    )


def honour_points(asked: Asked) -> Term:
    """Ace 4, king 3, queen 2, jack 1."""
    parts = [(points, rank_cards(rank) & asked.pool) for rank, points in _POINTS.items()]

    def count(held: Array) -> Any:
        return sum(points * np.bitwise_count(held & cards) for points, cards in parts)

    return _term(asked, "hcp", count, sum(points * cards.bit_count() for points, cards in parts))


def extreme_suit(asked: Asked, is_longest: bool) -> Term:
    """The length of the longest or the shortest suit."""
    choose = np.maximum if is_longest else np.minimum

    def count(held: Array) -> Any:
        return reduce(choose, (np.bitwise_count(held & suit_cards(suit)) for suit in SUITS))

    lengths = [(asked.known.pack & suit_cards(suit)).bit_count() for suit in SUITS]
    if is_longest:
        return _term(asked, "longest", count, min(asked.size, max(lengths)), -(-asked.size // 4))
    return _term(asked, "shortest", count, asked.size // 4)


def _ranks(is_highest: bool) -> Array:
    """The highest or lowest rank, 2 to 14, of every set of a suit's cards, 0 of none."""
    cards = np.arange(1 << 13)
    found = np.zeros(1 << 13, np.int8)
    for rank in range(13) if is_highest else reversed(range(13)):
        found[cards >> rank & 1 == 1] = rank + 2
    return found


def extreme_rank(asked: Asked, is_highest: bool) -> Term:
    """The rank of the highest or the lowest card of a suit; 0 without any."""
    table, shift = _ranks(is_highest), 13 * SUITS.index(asked.suit)
    return _term(
        asked, "highest" if is_highest else "lowest", lambda held: table[held >> shift & RANK_BITS], 14
    )


def held(asked: Asked) -> Term:
    """Whether all of some cards are there."""
    cards = asked.cards
    is_possible = not cards & ~asked.pool and cards.bit_count() <= asked.size
    lengths: dict[str, tuple[int, int]] = {}
    for suit in SUITS:
        least = (cards & suit_cards(suit)).bit_count()
        if least:
            lengths[f"{suit}({asked.seat.name})"] = (least, length(asked, suit).high)
    found = _term(asked, "has", lambda held: held & cards == cards, 1)
    return condition(asked.node, found.get, [found], lengths if is_possible else None)


def cards_named(text: str) -> int:
    """The cards of a text such as ``AK of spades`` or ``AS KD``, as a mask.

    Raises
    ------
    UserError
        A word that is no card, or a card that comes twice.

    Examples
    --------
    >>> cards_named("AK of spades") == cards_named("AS KS")
    True
    """
    found: list[int] = []
    for piece in text.split(","):
        match = _OF_SUIT.fullmatch(piece.strip())
        words = piece
        if match:
            suit = match["suit"].lower().rstrip("s") + "s"
            if suit not in SUITS:
                raise UserError(f"'{match['suit']}' is no suit: {', '.join(reversed(SUITS))}.")
            words = " ".join(rank + suit[0] for rank in match["ranks"].replace("10", "T"))
        found += parse_cards(words)
    if not found:
        raise UserError('No card is named: they are written "AK of spades" or "AS KD".')
    mask = mask_of(found)
    if mask.bit_count() < len(found):
        raise UserError(f"A card comes twice in '{cards_text(mask)}'.")
    return mask
