"""Reading one word of an expression: whose cards or bids, of which suit, and whether that is known."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NoReturn

from spadesim.core.rows import PRELUDE_ONLY
from spadesim.errors import UserError, suggest
from spadesim.expressions import rows
from spadesim.expressions.asked import Asked
from spadesim.expressions.cards import cards_named
from spadesim.expressions.known import SEATS, Known
from spadesim.expressions.possible import SUITS
from spadesim.expressions.seats import ALL_SEATS, LONG, RELATIVE, Seat, seat_of, why_no_seat
from spadesim.expressions.source import Source
from spadesim.expressions.terms import Term
from spadesim.expressions.words import (
    ALIASES,
    CARDS,
    MAYBE_SUIT,
    NOTHING,
    RANKS,
    ROW_WORDS,
    SEAT,
    SHORT,
    SUIT,
    TRICK,
    WORDS,
    Word,
)

OVER_SEATS = ("any", "all", "count")
OF_NUMBERS = ("min", "max", "abs")
OWN = ("seat", "side", "bot")
NO_NUMBERS = ("plays", "cards", "role")  # columns that are no numbers to reckon with
_BEFORE = ": it is recorded under rules by which something is decided before the bidding"
_MORE = {SUIT: ", spades", MAYBE_SUIT: ", spades", CARDS: ', "AK of spades"', TRICK: ", 1"}


def is_seat(name: str) -> bool:
    """Whether a name is a seat's."""
    return LONG.get(name.lower(), name.lower()) in ALL_SEATS


def _seats(known: Known) -> str:
    """What seats can be named."""
    absolute = "seats are " + ", ".join(SEATS[: known.n_seats])
    return absolute if known.is_deals else f"{absolute}, me, partner, left, right"


class WordReader:
    """Reads words with what stands in their brackets.

    Parameters
    ----------
    source : Source
    known : Known
    """

    def __init__(self, source: Source, known: Known) -> None:
        self.source = source
        self.known = known
        self.asks_each = False  # inside any, all or count, where a seat asks

    def _fail(self, node: ast.expr, message: str) -> NoReturn:
        self.source.fail(node, message)

    def word(
        self, node: ast.Name, name: str, arguments: Sequence[ast.expr], call: ast.Call | None = None
    ) -> Term:
        """A word with what stands in its brackets, if it has any."""
        whole, name = call or node, SHORT.get(name, name)
        if name in ALIASES:
            if arguments:
                self._fail(whole, f"'{name}' takes no brackets.")
            name, seat = ALIASES[name]
            return self._built(node, WORDS[name], self.asked(whole, self._seat_named(whole, seat)))
        word = WORDS.get(name) or self._column(node, name)
        if self.known.is_deals and name in ROW_WORDS:
            self._fail(
                node, f"'{name}' is told by recorded hands only; fresh deals have cards, seats and a dealer."
            )
        if word.takes == NOTHING and call is not None:
            self._fail(whole, f"'{name}' takes no brackets.")
        asked = self._filled(whole, name, word, list(arguments))
        if name not in WORDS and not asked.seat.is_single:
            self._fail(whole, f"'{name}' is told of one seat, not of several.")
        return self._built(node, word, asked)

    def _built(self, node: ast.Name, word: Word, asked: Asked) -> Term:
        term = word.build(asked)
        missing = sorted(term.needs - self.known.columns)
        if missing:
            told = f"The rows do not tell '{missing[0]}'"
            self._fail(node, f"{told}{_BEFORE if missing[0] in PRELUDE_ONLY else ''}.")
        return term

    def _column(self, node: ast.Name, name: str) -> Word:
        """What a run tells under a name that is no word of its own."""
        if self.known.is_deals or name not in self.known.columns or name in NO_NUMBERS:
            self._unknown(node)
        return Word(f"the column {name}", SEAT, partial(rows.column, name=name))

    def _unknown(self, node: ast.Name) -> NoReturn:
        words = [name for name in WORDS if not (self.known.is_deals and name in ROW_WORDS)]
        words += [] if self.known.is_deals else self.known.columns - {*NO_NUMBERS}
        words += [*OVER_SEATS, *OF_NUMBERS, *RANKS, *ALL_SEATS]
        self._fail(node, f"There is no '{node.id}'.{suggest(node.id, words)}")

    def _filled(self, whole: ast.expr, name: str, word: Word, arguments: list[ast.expr]) -> Asked:
        """What a word asks, from its brackets."""
        usage = f"{name}({self._example_seat}{_MORE.get(word.takes, '')})"
        if arguments and isinstance(arguments[0], ast.Name) and is_seat(arguments[0].id):
            seat = self.seat(arguments.pop(0))
        elif arguments and word.takes == SEAT:
            self._no_seat(arguments[0])
        elif word.takes == NOTHING and name not in OWN:
            seat = Seat("", (0,), False)
        else:
            seat = self._own_seat(whole, usage)
        asked = self.asked(whole, seat)
        if word.takes in ("", NOTHING) or (word.takes == MAYBE_SUIT and not arguments):
            if arguments:
                self._no_seat(arguments[0])
            return asked
        if len(arguments) != 1:
            self._fail(whole, f"It is written {usage}.")
        return self._with_more(asked, word.takes, arguments[0], usage)

    def _no_seat(self, node: ast.expr) -> NoReturn:
        self._fail(node, f"{self.source.of(node)} is no seat: {_seats(self.known)}.")

    def _with_more(self, asked: Asked, takes: str, node: ast.expr, usage: str) -> Asked:
        """The same with the suit, the cards or the trick that stand behind the seat."""
        if takes == CARDS:
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                self._fail(node, f"Cards stand in quotes: {usage}.")
            try:
                return replace(asked, cards=cards_named(node.value))
            except UserError as error:
                self._fail(node, str(error))
        if takes == TRICK:
            last = self.known.hand_size
            number = node.value if isinstance(node, ast.Constant) else None
            if type(number) is not int or not 1 <= number <= last:
                self._fail(node, f"A trick is a number from 1 to {last}: {usage}.")
            return replace(asked, number=number)
        name = node.id.lower() if isinstance(node, ast.Name) else ""
        if name not in SUITS:
            hint = suggest(name, SUITS)
            self._fail(node, f"{self.source.of(node)} is no suit.{hint or f' It is written {usage}.'}")
        return replace(asked, suit=name)

    def asked(self, node: ast.expr, seat: Seat) -> Asked:
        """What a word asks of a seat."""
        return Asked(node, seat, self.known)

    @property
    def _example_seat(self) -> str:
        return "n" if self.known.is_deals and not self.asks_each else "me"

    def _own_seat(self, node: ast.expr, usage: str) -> Seat:
        """The seat that asks, for a word that names none."""
        if self.known.is_deals and not self.asks_each:
            self._fail(node, f"Whose? {usage} is North's; within any(...) every seat of a deal is asked.")
        return seat_of("me", self.known)

    def seat(self, node: ast.expr) -> Seat:
        """The seat that a part names."""
        assert isinstance(node, ast.Name)
        return self._seat_named(node, LONG.get(node.id.lower(), node.id.lower()))

    def _seat_named(self, node: ast.expr, name: str) -> Seat:
        if name in RELATIVE and self.known.is_deals and not self.asks_each:
            self._fail(
                node,
                f"Nobody in particular looks at a fresh deal, so '{name}' is nobody: {_seats(self.known)}.",
            )
        if reason := why_no_seat(name, self.known):
            self._fail(node, reason)
        return seat_of(name, self.known)
