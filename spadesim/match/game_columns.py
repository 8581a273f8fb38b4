"""Columns of whole games: how each one ended, and how it went before."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from spadesim.core.tally import DRAW_RESULT, LOSS, UNFINISHED, WIN
from spadesim.match.parts import read_part

if TYPE_CHECKING:
    from spadesim.match.columns import Column, Rows


def _by_hand(rows: "Rows", name: str) -> "Column":
    """A column that all seats of a hand share, a value a hand."""
    values: Column = rows[name][:: rows.n_seats]
    return values


def _by_seat(rows: "Rows", values: "Column") -> "Column":
    """Values of hands, a value a row again."""
    return np.repeat(values, rows.n_seats)


def _is_last(rows: "Rows") -> "Column":
    hands = _by_hand(rows, "hand")
    return _by_seat(rows, np.append(hands[1:] == 1, True)[: len(hands)])


def _result(rows: "Rows") -> "Column":
    """How the game ended for the side of each seat, of `LOSS`, `DRAW_RESULT`, `WIN` and `UNFINISHED`.

    Among single players a draw is one of those who are level at the top; the others have lost.
    """
    with rows.telling():
        part = read_part(rows.file)
    of_a = part.outcomes["results"][rows["unit"] - part.header.first] >> 2 * rows["room"].astype(np.int64) & 3
    starts, lengths = _games(rows)
    final = (rows["score"] + rows["points"]).reshape(-1, rows.n_seats)[starts + lengths - 1]
    is_best = final == final.max(axis=1, keepdims=True)
    # At a table of two sides both partners have their side's score.
    n_best = is_best[:, : rows.manifest.spec.rules.n_sides].sum(axis=1, keepdims=True)
    best = np.where(is_best, np.where(n_best > 1, DRAW_RESULT, WIN), LOSS).astype(np.int8)
    found = np.repeat(best, lengths, axis=0).ravel()
    return np.where(of_a == UNFINISHED, of_a, found).astype(np.int8)


def _games(rows: "Rows") -> "tuple[Column, Column]":
    """The first hand of each game, by its number in the part, and how many hands it has."""
    hands = _by_hand(rows, "hand")
    starts = np.flatnonzero(hands == 1)
    return starts, np.diff(np.append(starts, len(hands)))


def _farthest_behind(rows: "Rows") -> "Column":
    """By how many points a side was behind the best other one before some hand of its game, at the most."""
    starts, lengths = _games(rows)
    behind = -rows["ahead"].reshape(-1, rows.n_seats)
    most = np.maximum.reduceat(behind, starts, axis=0) if len(starts) else behind
    return np.repeat(np.maximum(most, 0), lengths, axis=0).ravel()


def _opening_place(rows: "Rows") -> "Column":
    """Where a seat stood in the bidding of its game's first hand; who is first moves on a seat a hand."""
    return ((rows["place"] + rows["hand"] - 1) % rows.n_seats).astype(np.int8)


GAMES: "dict[str, Callable[[Rows], Column]]" = {
    "is_last": _is_last,
    "result": _result,
    "farthest_behind": _farthest_behind,
    "opening_place": _opening_place,
}
