"""The columns of a part's rows: as they lie on the disk, unpacked, or worked out from others.

Rows of a hand follow each other in the order of seats, so what partners and opponents did is a matter of
looking at the neighbours.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from spadesim.core.played import COLUMNS as OF_CARDS
from spadesim.core.played import read_plays
from spadesim.core.rows import HONOURS, source_of, unpacked
from spadesim.errors import UserError
from spadesim.match.bots_of_run import absent_sides
from spadesim.match.game_columns import GAMES
from spadesim.match.lead_columns import LEADS
from spadesim.match.manifest import Manifest
from spadesim.match.parts import PLAYS, read_rows
from spadesim.strategy.called import short_name

Column = npt.NDArray[Any]
SUITS = ("clubs", "diamonds", "hearts", "spades")
SUIT_CARDS = (1 << 13) - 1
HIGH_CARDS = sum(0b11110 << (13 * suit + 8) for suit in range(4))  # jack to ace
LOW_CARDS = sum(0b11111 << 13 * suit for suit in range(4))  # 2 to 6
NO = -1  # of what there is none
HAND = "hand"


def bots_by_role(manifest: Manifest) -> list[str]:
    """The bots of a run by their places: A's lower and higher one, B's lower and higher one.

    They are called by the names of their files; by their paths where these alone tell two of them apart.
    """
    a, b = absent_sides(manifest)
    specs = [str(bot) for bot in (a.lower, a.higher, b.lower, b.higher)]
    names = [short_name(spec) for spec in specs]
    return names if len(set(names)) == len(set(specs)) else specs


def counted_from_1(hands: Column) -> Column:
    """Numbers of hands as people count them, and every command; the engine counts from 0."""
    return hands + 1


class Rows:
    """The columns of one part, read or worked out when they are first asked for.

    Parameters
    ----------
    manifest : Manifest
    file : Path
        The part.
    telling : function
        A context for reading, which words the error of a damaged part.
    """

    def __init__(
        self, manifest: Manifest, file: Path, telling: Callable[[], AbstractContextManager[None]]
    ) -> None:
        self.manifest = manifest
        self.file = file
        self.telling = telling
        self.found: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        if name not in self.found:
            self.found[name] = self._make(name)
        return self.found[name]

    def _make(self, name: str) -> Column:
        if lack := lacks(self.manifest, name):
            raise UserError(f"The run has no column '{name}'. {lack}")
        if name in DERIVED:
            return DERIVED[name](self)
        if name in OF_CARDS:
            found = read_plays(self.manifest.spec.rules, self["events"], self[PLAYS])
            self.found |= dict(zip(OF_CARDS, found, strict=True))
            return self.found[name]
        source = source_of(name)
        if source != name:
            return unpacked(self[source], name)
        with self.telling():
            values = read_rows(self.file, [name])[name]
        return counted_from_1(values) if name == HAND else values

    @property
    def n_seats(self) -> int:
        """Rows to a hand."""
        return self.manifest.spec.rules.players

    def columns(self, names: Iterable[str]) -> dict[str, Column]:
        """Several columns by name."""
        return {name: self[name] for name in names}

    def of_partner(self, name: str) -> Column:
        """A column as the partner has it, -1 where there is none."""
        values = self[name]
        if not self.manifest.spec.has_partners:
            return np.full_like(values, NO)
        theirs: Column = np.roll(values.reshape(-1, 4), 2, axis=1).ravel()
        return theirs

    def of_opponents(self, values: Column) -> Column:
        """The sum over all seats of other sides, of values a row."""
        by_hand = values.reshape(-1, self.n_seats)
        step = 2 if self.manifest.spec.has_partners else self.n_seats
        sides = by_hand.reshape(-1, self.n_seats // step, step).sum(axis=1, dtype=np.int8)
        others = sides.sum(axis=1, keepdims=True, dtype=np.int8) - sides
        theirs: Column = np.tile(others, self.n_seats // step).ravel()
        return theirs


def lacks(manifest: Manifest, name: str) -> str:
    """Which runs have a column that this one lacks, in a sentence; "" if it is there, or nowhere."""
    if name in (PLAYS, *OF_CARDS) and not manifest.has_plays:
        return "It is there with --record cards."
    return "It is there in runs of games." if name in GAMES and manifest.spec.boards is not None else ""


def derived_names(manifest: Manifest) -> list[str]:
    """The columns that are worked out, or tell the cards, of those that a run has."""
    return [name for name in (*DERIVED, PLAYS, *OF_CARDS) if not lacks(manifest, name)]


def _suit(number: int) -> Callable[[Rows], Column]:
    def count(rows: Rows) -> Column:
        length: Column = np.bitwise_count(rows["cards"] >> 13 * number & SUIT_CARDS)
        return length

    return count


def _side(rows: Rows) -> Any:
    return _named(rows["role"] >> 1, ["a", "b"])


def _bot(rows: Rows) -> Any:
    names = bots_by_role(rows.manifest)
    kinds = list(dict.fromkeys(names))
    codes = np.array([kinds.index(name) for name in names], dtype=np.int8)
    return _named(codes[rows["role"]], kinds)


def _named(codes: Column, names: list[str]) -> Any:
    """A categorical column: numbers by which its values are told apart, and their names."""
    import pandas as pd

    return pd.Categorical.from_codes(codes, categories=pd.Index(names))


def _dealer(rows: Rows) -> Column:
    rules = rows.manifest.spec.rules
    is_after = rules.start_role in ("dealer_left", "second_drawer")
    return (rows["first_bidder"] - is_after) % rules.players


def _opponents_score(rows: Rows) -> Column:
    """The best score of the other sides."""
    scores = rows["score"].reshape(-1, rows.n_seats)
    step = 2 if rows.manifest.spec.has_partners else rows.n_seats
    others = [np.roll(scores, shift, axis=1) for shift in range(1, step)]
    best: Column = np.maximum.reduce(others).ravel()
    return best


def _opponents_set(rows: Rows) -> Column:
    """How many other sides did not make their contract."""
    by_hand = rows["is_set"].reshape(-1, rows.n_seats)
    step = 2 if rows.manifest.spec.has_partners else rows.n_seats
    rolled = [np.roll(by_hand, shift, axis=1) for shift in range(1, step)]
    found: Column = np.add.reduce(rolled, dtype=np.int8).ravel()
    return found


def _highest_spade(rows: Rows) -> Column:
    masks = np.arange(SUIT_CARDS + 1)
    ranks = np.where(masks > 0, np.frexp(masks)[1] + 1, 0).astype(np.int8)
    found: Column = ranks[rows["cards"] >> 13 * SUITS.index("spades") & SUIT_CARDS]
    return found


def _broken_on(rows: Rows) -> Column:
    """The trick that made a nil fail, from 0 on: the first one that its bidder won."""
    won = rows["won"]
    first = np.bitwise_count((won & -won) - 1).astype(np.int8)
    return np.where((rows["bid"] == 0) & (won != 0), first, np.int8(NO))


def _broken_by(rows: Rows) -> Column:
    """Who led the trick that made a nil fail, clockwise from its bidder: who won the one before it."""
    found = np.full(len(rows["bid"]), NO, dtype=np.int8)
    tricks = rows["broken_on"]
    failed = np.flatnonzero(tricks != NO)
    hands, seats = failed // rows.n_seats, failed % rows.n_seats
    won_before = rows["won"].reshape(-1, rows.n_seats)[hands] >> (tricks[failed] - 1).clip(0)[:, None] & 1
    leaders = np.where(tricks[failed] == 0, rows["first_bidder"][failed], won_before.argmax(axis=1))
    found[failed] = (leaders - seats) % rows.n_seats
    return found


def _side_bid(rows: Rows) -> Column:
    return rows["bid"] + np.maximum(rows["partner_bid"], 0)


# What is worked out from the columns on the disk.
DERIVED: dict[str, Callable[[Rows], Column]] = {
    "side": _side,
    "bot": _bot,
    "dealer": _dealer,
    "place": lambda rows: (rows["seat"] - rows["first_bidder"]) % rows.n_seats,
    "nil": lambda rows: rows["bid"] == 0,
    "nil_made": lambda rows: (rows["bid"] == 0) & (rows["tricks"] == 0),
    "partner_bid": lambda rows: rows.of_partner("bid"),
    "partner_tricks": lambda rows: rows.of_partner("tricks"),
    "side_bid": _side_bid,
    "side_tricks": lambda rows: rows["tricks"] + np.maximum(rows["partner_tricks"], 0),
    "side_nils": lambda rows: rows["nil"] + (rows["partner_bid"] == 0).astype(np.int8),
    "over": lambda rows: rows["side_tricks"] - rows["side_bid"],
    "opponents_bid": lambda rows: rows.of_opponents(rows["bid"]),
    "opponents_nils": lambda rows: rows.of_opponents(rows["nil"]),
    "opponents_nils_set": lambda rows: rows.of_opponents(rows["broken_on"] != NO),
    "opponents_score": _opponents_score,
    "ahead": lambda rows: rows["score"] - rows["opponents_score"],
    "opponents_set": _opponents_set,
    "table_bid": lambda rows: rows["side_bid"] + rows["opponents_bid"],
    "broken_on": _broken_on,
    "broken_by": _broken_by,
    **{name: _suit(number) for number, name in enumerate(SUITS)},
    "high_cards": lambda rows: np.bitwise_count(rows["cards"] & HIGH_CARDS).astype(np.int8),
    "honours": lambda rows: np.bitwise_count(rows["cards"] & HONOURS).astype(np.int8),
    "low_cards": lambda rows: np.bitwise_count(rows["cards"] & LOW_CARDS).astype(np.int8),
    "highest_spade": _highest_spade,
    **LEADS,
    **GAMES,
}
