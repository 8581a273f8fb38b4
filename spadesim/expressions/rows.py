"""Names that ask what happened: bids, tricks, scores and what else a row of a run tells."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from spadesim.expressions.asked import Asked
from spadesim.expressions.known import Array
from spadesim.expressions.terms import (
    Bounds,
    Term,
    both,
    compared,
    condition,
    constant,
    either,
    negated,
)

MOST_32 = 2**31 - 1


@dataclass(frozen=True)
class Quantity:
    """A number that every row has.

    Parameters
    ----------
    summary : str
    low, high : int
        The least and the greatest value; a `high` of -1 is the cards of a hand.
    is_of_side : bool
        Whether partners have the same, so that it is not added up over several seats.
    """

    summary: str
    low: int = 0
    high: int = -1
    is_of_side: bool = False


QUANTITIES = {
    "bid": Quantity("the bid, 0 for a nil"),
    "tricks": Quantity("tricks won"),
    "score": Quantity("score of the side before the hand", -MOST_32, MOST_32, True),
    "bags": Quantity("bags of the side before the hand", 0, MOST_32, True),
    "points": Quantity("what the hand brought the side, penalties included", -MOST_32, MOST_32, True),
    "new_bags": Quantity("bags that the hand brought the side", 0, 31, True),
    "penalties": Quantity("bag penalties of the side for the hand", 0, 31, True),
    "free": Quantity("decisions put to the bot", 0, 63),
    "forced": Quantity("decisions with one legal choice", 0, 127),
    "honours_lost": Quantity("aces, kings and queens played to tricks that the side did not win", 0, 15),
    "ruffs": Quantity("tricks of another suit to which a spade was played", 0, 31),
    "partner_ruffed": Quantity("of these, those that the partner was winning", 0, 15),
}
MASKS = {
    "kept": "turns of the draw in which it kept the first card",
    "given": "how many cards it gave in an exchange",
}
FLAGS = {"is_set": "the side's contract was not made", "blind": "a nil declared blind"}
OF_HAND = {
    "unit": ("number of the board, pair or set of games", 0, 2**62),
    "hand": ("number of the hand in its game, from 1", 1, MOST_32),
    "room": ("number of the room", 0, 7),
}


def quantity(asked: Asked, name: str) -> Term:
    """One of `QUANTITIES`: of several seats the sum, or the most where partners have the same."""
    found = QUANTITIES[name]
    high = asked.known.hand_size if found.high < 0 else found.high
    # There are only so many tricks, whoever wins them.
    times = 1 if found.is_of_side or name == "tricks" else len(asked.seat.places)
    join = np.maximum if found.is_of_side else np.add
    return _term(asked, name, lambda values: values, join, (found.low, high * times))


def column(asked: Asked, name: str) -> Term:
    """Any other column of whole numbers, of a single seat."""
    return _term(asked, name, lambda values: values, np.maximum, (-MOST_32, MOST_32))


def mask_count(asked: Asked, name: str) -> Term:
    """How many one of `MASKS` has."""
    return _term(asked, name, np.bitwise_count, np.add, (0, 13 * len(asked.seat.places)))


def _term(
    asked: Asked,
    name: str,
    of_column: Callable[[Array], Array],
    join: Callable[[Any, Any], Any],
    span: tuple[int, int],
) -> Term:
    """A number worked out from a column; what else the brackets hold tells quantities of one name apart."""
    seat = asked.seat
    more = f", {asked.number}" if asked.number else ""
    return Term(
        asked.node,
        lambda block: seat.together(of_column(block[name]), join),
        *span,
        needs=frozenset([name]),
        is_own=seat.is_relative,
        atom=f"{name}({seat.name}{more})",
    )


def flag(asked: Asked, name: str) -> Term:
    """One of `FLAGS`: of several seats, whether it is so of any."""
    number = _term(asked, name, lambda values: values, np.bitwise_or, (0, 1))
    return compared(asked.node, number, ast.Eq, constant(asked.node, 1))


def won_trick(asked: Asked) -> Term:
    """Whether a trick, counted from 1, was won; of several seats, by any."""
    bit = 1 << (asked.number - 1)
    number = _term(asked, "won", lambda values: values & bit, np.bitwise_or, (0, bit))
    return compared(asked.node, number, ast.Gt, constant(asked.node, 0))


def nil(asked: Asked, is_made: bool | None) -> Term:
    """Whether nil was bid, and made (or set) where that is asked; of several seats, by any."""
    return _any_of(asked, lambda single: _nil(single, is_made))


def _nil(asked: Asked, is_made: bool | None) -> Term:
    node, zero = asked.node, constant(asked.node, 0)
    is_nil = compared(node, quantity(asked, "bid"), ast.Eq, zero)
    if is_made is None:
        return is_nil
    won = compared(node, quantity(asked, "tricks"), ast.Eq if is_made else ast.Gt, zero)
    return both(node, is_nil, won, _anything)


def _any_of(asked: Asked, of_single: Callable[[Asked], Term]) -> Term:
    singles = asked.seat.singles(asked.known.n_seats)
    found = [of_single(replace(asked, seat=seat)) for seat in singles]
    return reduce(lambda left, right: either(asked.node, left, right, _anything), found)


def _anything(said: Bounds) -> bool:
    return True


def made(asked: Asked) -> Term:
    """Whether the contract was made; of several seats, by all."""
    return negated(asked.node, flag(asked, "is_set"))


def place(asked: Asked) -> Term:
    """The place of a seat in the bidding, 0 for who bids and leads first."""
    seat, n = asked.seat, asked.known.n_seats
    number = seat.number(n)
    return Term(
        asked.node,
        lambda block: (number - block["first_bidder"][:, :1]) % n,
        0,
        n - 1,
        needs=frozenset(["first_bidder"]),
        is_own=seat.is_relative,
        atom=f"place({seat.name})",
    )


def has_place(asked: Asked, number: int) -> Term:
    """Whether a seat, or any of several, has a place in the bidding."""
    wanted = constant(asked.node, number)
    return _any_of(asked, lambda single: compared(asked.node, place(single), ast.Eq, wanted))


def of_hand(asked: Asked, name: str, low: int, high: int) -> Term:
    """A number that the rows of a hand share."""
    needs = frozenset([name])
    return Term(asked.node, lambda block: block[name][:, :1], low, high, needs=needs, atom=name)


def seat_number(asked: Asked) -> Term:
    """The number of a seat, 0 for North."""
    seat = asked.seat
    number = seat.number(asked.known.n_seats)
    # Rows are counted by some column; a seat that is the same for all of them needs none.
    needs = frozenset(["seat"] if seat.is_relative and not asked.known.is_deals else [])
    low, high = int(number.min()), int(number.max())
    return Term(asked.node, lambda block: number, low, high, needs, is_own=seat.is_relative)


SIDES = ("a", "b")


def side(asked: Asked) -> Term:
    """The side that the bot of the row plays for, as a word."""
    return _word(asked, np.array([0, 0, 1, 1], dtype=np.int8), SIDES)


def bot(asked: Asked) -> Term:
    """The bot of the row, as a word."""
    bots = asked.known.bots
    words = tuple(dict.fromkeys(bots))
    return _word(asked, np.array([words.index(name) for name in bots], dtype=np.int8), words)


def _word(asked: Asked, codes: Array, words: tuple[str, ...]) -> Term:
    return Term(
        asked.node,
        lambda block: codes[block["role"]],
        0,
        len(words) - 1,
        needs=frozenset(["role"]),
        is_own=True,
        words=words,
    )


def is_word(node: ast.expr, term: Term, chosen: Sequence[int]) -> Term:
    """Whether a word is one of some."""
    wanted = np.zeros(len(term.words), dtype=bool)
    wanted[list(chosen)] = True
    return condition(node, lambda block: wanted[term.get(block)], [term])
