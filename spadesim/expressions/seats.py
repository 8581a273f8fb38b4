"""Whose cards or bids an expression asks for: ``n``, ``me``, ``opponents`` and the others.

A seat picks its column out of an array of shape (hands, seats): one column where it is the same for the whole
hand, all columns moved round where it depends on who asks. A name for several seats takes theirs together.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from spadesim.expressions.known import SEATS, Array, Known

RELATIVE = ("me", "partner", "left", "right", "us", "opponents")
ABSOLUTE = (*SEATS, "ns", "ew")
ALL_SEATS = (*ABSOLUTE, *RELATIVE)
LONG = {"north": "n", "east": "e", "south": "s", "west": "w"}


@dataclass(frozen=True)
class Seat:
    """One seat or several.

    Parameters
    ----------
    name : str
    places : tuple of int
        Seats from North on, or from the one who asks.
    is_relative : bool
    """

    name: str
    places: tuple[int, ...]
    is_relative: bool

    def columns(self, values: Array) -> list[Array]:
        """What each of the seats has in an array of shape (hands, seats)."""
        if not self.is_relative:
            return [values[:, place : place + 1] for place in self.places]
        n = values.shape[1]
        return [
            values if place == 0 else values[:, [(seat + place) % n for seat in range(n)]]
            for place in self.places
        ]

    def together(self, values: Array, join: Callable[[Any, Any], Any]) -> Array:
        """What the seats have together."""
        found: Array = reduce(join, self.columns(values))
        return found

    @property
    def is_single(self) -> bool:
        """Whether it is one seat."""
        return len(self.places) == 1

    def singles(self, n_seats: int) -> list["Seat"]:
        """The seats one by one."""
        if not self.is_relative:
            return [Seat(SEATS[place], (place,), False) for place in self.places]
        names = {0: "me", n_seats - 1: "right", 1: "left"} | ({2: "partner"} if n_seats == 4 else {})
        return [Seat(names[place], (place,), True) for place in self.places]

    def number(self, n_seats: int) -> Array:
        """The number of a single seat, of shape (1, seats) or (1, 1)."""
        seats = np.arange(n_seats, dtype=np.int8)[None, :]
        return self.columns(seats)[0]


def why_no_seat(name: str, known: Known) -> str:
    """Why there is no such seat at a table, "" where there is; any name of `ALL_SEATS`."""
    if name in SEATS and SEATS.index(name) >= known.n_seats:
        there = ", ".join(SEATS[: known.n_seats])
        return f"There is no seat {name} at this table, which has {there}."
    if name in ("ns", "ew", "partner", "us") and not known.has_partners:
        return f"Everybody plays alone under these rules: there is no '{name}'."
    return ""


def seat_of(name: str, known: Known) -> Seat:
    """The seat that goes by a name for which `why_no_seat` knows no reason."""
    n = known.n_seats
    if name in SEATS:
        return Seat(name, (SEATS.index(name),), False)
    if name in ("ns", "ew"):
        return Seat(name, (0, 2) if name == "ns" else (1, 3), False)
    if name == "right" and n == 2:
        return Seat("left", (1,), True)
    others = tuple(place for place in range(1, n) if not (known.has_partners and place == 2))
    places = {"me": (0,), "partner": (2,), "left": (1,), "right": (n - 1,), "us": (0, 2)}
    return Seat(name, places.get(name, others), True)
