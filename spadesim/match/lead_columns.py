"""Columns of who led: how many tricks a seat played first, second, third and last to, and won."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from spadesim.match.columns import Column, Rows

PLACES = ("first", "second", "third", "fourth")


def _led(rows: "Rows") -> "Column":
    """The tricks that a seat led, as a mask over tricks: the first, or those behind one that it won."""
    led = rows["won"] << 1 & (1 << rows.manifest.spec.rules.hand_size) - 1
    led |= rows["first_bidder"] == rows["seat"]
    return led


def _mask(rows: "Rows", place: int) -> "Column":
    """The tricks to which a seat was so many seats behind the leader, as a mask."""
    if place >= rows.n_seats:
        return np.zeros_like(rows["won"])
    behind: Column = np.roll(rows["led"].reshape(-1, rows.n_seats), place, axis=1).ravel()
    return behind


def _played(place: int) -> "Callable[[Rows], Column]":
    return lambda rows: np.bitwise_count(_mask(rows, place)).astype(np.int8)


def _won(place: int) -> "Callable[[Rows], Column]":
    return lambda rows: np.bitwise_count(_mask(rows, place) & rows["won"]).astype(np.int8)


LEADS: "dict[str, Callable[[Rows], Column]]" = {
    "led": _led,
    **{f"played_{name}": _played(place) for place, name in enumerate(PLACES)},
    **{f"won_{name}": _won(place) for place, name in enumerate(PLACES)},
}
